"""What stands around a type or a call and means nothing for layouts: namespaces, modules, qualifiers, names."""

from __future__ import annotations

from tilewright.notation.reader import Reader
from tilewright.notation.tokens import Token

NAMESPACES = (
    "cute", "cutlass", "std", "cuda", "SM90", "SM100", "SM120", "GMMA", "UMMA", "BLOCKSCALED", "SPARSE", "detail",
)  # fmt: skip
_MODULES = ("cutlass", "cute", "fx", "flir", "tw", "tilewright", "flydsl", "expr")
_BEFORE = ("const", "volatile", "struct", "class", "typename")
_DECLARED = ("using", "auto", "constexpr", "static", "const")


def at_namespace(r: Reader) -> bool:
    """Does `cute::` follow, or `cute.`?"""
    return r.at("name") and _step(r, 0) > 0


def pass_namespaces(r: Reader) -> None:
    """Pass `cute::`, `cutlass::gemm::` and the like, or a module of Python."""
    while at_namespace(r):
        for _ in range(_step(r, 0)):
            r.take()


def behind(r: Reader) -> tuple[Token, Token]:
    """The name that stands behind qualifiers and namespaces, and what follows it; nothing is passed."""
    at = 0
    while r.look(at).text in _BEFORE:
        at += 1
    while r.look(at).kind == "name" and (step := _step(r, at)):
        at += step
    return r.look(at), r.look(at + 1)


def _step(r: Reader, at: int) -> int:
    """How many tokens a namespace or a module takes, which must be one that is known."""
    name, mark = r.look(at).text, r.look(at + 1).kind
    if name in NAMESPACES and mark == r.look(at + 2).kind == ":":
        return 3
    return 2 if name in _MODULES and mark == "." else 0


def at_qualifier(r: Reader) -> bool:
    """Does a word follow that says how a type is meant?"""
    return r.at_name(*_BEFORE)


def pass_qualifiers(r: Reader) -> None:
    """Pass `const`, `struct` and the like."""
    while r.accept_name(*_BEFORE):
        pass


def pass_references(r: Reader) -> None:
    """Pass `const&` behind a type."""
    while r.accept_name("const") or r.accept("&"):
        pass


def pass_declared(r: Reader) -> str:
    """Pass the name that stands before a text, and say by what: `using Name =`, `Name =`, `name:`; else nothing."""
    ahead = 0
    while r.look(ahead).text in _DECLARED and r.look(ahead + 1).kind == "name":
        ahead += 1
    name, mark, behind = r.look(ahead), r.look(ahead + 1).kind, r.look(ahead + 2).kind
    labels = mark == "=" or (mark == ":" and behind != ":" and not ahead)
    if name.kind != "name" or name.text[0] == "_" or not labels:
        return ""
    for _ in range(ahead + 2):
        r.take()
    return mark
