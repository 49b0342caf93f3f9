"""The server of the page: on this machine's own address alone, with a token of each start."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from io import BufferedReader, RawIOBase
from secrets import token_urlsafe
from socket import socket
from threading import BoundedSemaphore, Lock
from time import monotonic
from typing import TYPE_CHECKING

from tilewright.explorer.guard import HEADERS, TYPE, Guard, Refusal
from tilewright.explorer.limits import MOST

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from tilewright.explorer.engine import Engine

HERE = "127.0.0.1"
ASK, DROP = "/ask", "/trace"
SECONDS = 10  # that a client may take to send a request, or to take its reply
AT_ONCE = 32  # clients; others are told to come again
BACKLOG = 256
TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": TYPE, ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Page:
    """The files of the page, by their paths: what is not among them is not given."""

    files: dict[str, tuple[str, bytes]] = field(default_factory=lambda: _bundle())


def _bundle() -> dict[str, tuple[str, bytes]]:
    found = {}
    for part in files("tilewright.explorer").joinpath("page").iterdir():
        kind = TYPES.get("." + part.name.rpartition(".")[2])
        if kind:
            found[f"/{part.name}"] = (f"{kind}; charset=utf-8", part.read_bytes())
    return found | {"/": found["/index.html"]}


@dataclass(frozen=True)
class Door:
    """A path that takes what a page posts: who may post there and how much, and the reply."""

    guard: Guard
    reply: Callable[[bytes], str]


class Server(ThreadingHTTPServer):
    """Serves the page and answers its questions until `shutdown`.

    The engine takes most of a start: it is loaded by `load`, or where a question first needs it, and the page is served
    before.

    Args:
        port: 0 takes any that is free.
        engine: another one than that of all tabs.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = BACKLOG

    def __init__(self, port: int = 0, engine: Engine | None = None) -> None:
        self.page, self.room, self.loading = Page(), BoundedSemaphore(AT_ONCE), Lock()
        self.loaded = engine
        super().__init__((HERE, port), Handler)
        self.guard = Guard(self.server_address[1], token_urlsafe(24), MOST)

    @property
    def doors(self) -> Mapping[str, Door]:
        """Where a page may post."""
        from tilewright.figures.trace.read import MOST_BYTES

        engine = self.load()
        return {
            ASK: Door(self.guard, engine.text),
            DROP: Door(replace(self.guard, most=MOST_BYTES), engine.drop),
        }

    def load(self) -> Engine:
        """The engine, which is loaded once."""
        with self.loading:
            if self.loaded is None:
                from tilewright.explorer.engine import Engine

                self.loaded = Engine()
            return self.loaded

    @property
    def address(self) -> str:
        """What a browser opens; the part behind # stays in it."""
        return f"http://{HERE}:{self.guard.port}/#token={self.guard.token}"

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that go away or send nonsense are theirs to mend; the server goes on."""


class Incoming(RawIOBase):
    """What a client sends, if all of it comes within the seconds: a byte now and then keeps no place."""

    def __init__(self, connection: socket, seconds: float) -> None:
        self.connection, self.end = connection, monotonic() + seconds

    def readable(self) -> bool:
        """It can be read."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Waits for more, as long as there is time."""
        self.connection.settimeout(max(self.end - monotonic(), 0.001))
        return self.connection.recv_into(buffer)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    timeout = SECONDS
    server_version = "tilewright"
    sys_version = ""

    def setup(self) -> None:
        """Reads against the clock."""
        super().setup()
        self.rfile = BufferedReader(Incoming(self.connection, self.timeout))

    def handle(self) -> None:
        """The request, if there is room for one more."""
        if not self.server.room.acquire(blocking=False):
            self.request.settimeout(1)
            self.request.sendall(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n")
            return
        try:
            super().handle()
        except (OSError, ValueError):  # it went away, was too slow, or sent what is no request
            self.close_connection = True
        finally:
            self.server.room.release()

    def do_GET(self) -> None:
        """A file of the page."""
        refusal = self.server.guard.get(self._given())
        found = self.server.page.files.get(self.path.partition("?")[0])
        if refusal or found is None:
            self._refuse(refusal or Refusal(HTTPStatus.NOT_FOUND, "there is no such file"))
            return
        self._send(HTTPStatus.OK, *found)

    do_HEAD = do_GET

    def do_POST(self) -> None:
        """A question of the page, or a trace that was dropped on it."""
        doors = self.server.doors
        door = doors.get(self.path)
        headers = self._given()
        refusal = (door or doors[ASK]).guard.post(headers)
        if refusal or door is None:
            self._refuse(refusal or Refusal(HTTPStatus.NOT_FOUND, f"ask at {ASK}, or drop a trace at {DROP}"))
            return
        given = self.rfile.read(int(headers["content-length"]))
        self._send(HTTPStatus.OK, f"{TYPE}; charset=utf-8", door.reply(given).encode())

    def _given(self) -> dict[str, str]:
        """The headers; the values of one that comes twice are a list, as HTTP says, so that nobody reads only one."""
        names = {name.lower() for name in self.headers}
        return {name: ", ".join(self.headers.get_all(name, ())) for name in names}

    def _refuse(self, refusal: Refusal) -> None:
        self.close_connection = True
        self._send(refusal.status, "text/plain; charset=utf-8", f"{refusal.text}\n".encode())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.connection.settimeout(self.timeout)
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the terminal is the user's."""
