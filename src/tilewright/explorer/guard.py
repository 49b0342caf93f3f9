"""Who may ask: the page itself, in a browser on this machine. Everything else is refused before it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hmac import compare_digest
from http import HTTPStatus
from types import MappingProxyType

from tilewright.numerals import natural

TOKEN = "x-tilewright-token"
TYPE = "application/json"
LONGEST = 1 << 40  # bytes that anybody would announce

# A page of ours loads nothing from elsewhere, and no other page can hold or read it.
HEADERS: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": (
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
            "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Referrer-Policy": "no-referrer",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": "no-store",
    }
)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is not answered."""

    status: HTTPStatus
    text: str


@dataclass(frozen=True, slots=True)
class Guard:
    """What a request must show: it names this server as its host, comes from its page, and has the token.

    A page of another site can send requests here, but under its own origin; a name that is made to lead here
    (DNS rebinding) is another host. Names of headers are in small letters.
    """

    port: int
    token: str
    most: int

    @property
    def hosts(self) -> tuple[str, str]:
        """The names of this server."""
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def get(self, headers: Mapping[str, str]) -> Refusal | None:
        """Why a file of the page is not given; None: it is."""
        if headers.get("host") not in self.hosts:
            return Refusal(HTTPStatus.MISDIRECTED_REQUEST, "this server answers to its own address alone")
        return None

    def post(self, headers: Mapping[str, str]) -> Refusal | None:
        """Why a question is not answered; None: it is."""
        refusal = self.get(headers)
        if refusal:
            return refusal
        origin = headers.get("origin")
        if origin is not None and origin not in [f"http://{host}" for host in self.hosts]:
            return Refusal(HTTPStatus.FORBIDDEN, "only the page of this server may ask")
        if not compare_digest(headers.get(TOKEN, "").encode("utf-8", "replace"), self.token.encode()):
            return Refusal(HTTPStatus.FORBIDDEN, "the token is another: open the address that the command printed")
        if headers.get("content-type", "").split(";")[0].strip() != TYPE:
            return Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"ask with {TYPE}")
        return self._length(headers.get("content-length"))

    def _length(self, given: str | None) -> Refusal | None:
        length = None if given is None else natural(given, LONGEST)
        if length is None:
            return Refusal(HTTPStatus.LENGTH_REQUIRED, "a request says how long it is")
        if length > self.most:
            text = f"{length} bytes are too many, the limit is {self.most}"
            return Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, text)
        return None
