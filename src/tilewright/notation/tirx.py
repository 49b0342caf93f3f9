"""TIRx layouts: the short notation, that of TIRx's page on layouts, and the text that TVM prints.

    tirx    = ["T."] (tile | compose | swizzle) | spec
    tile    = "TileLayout" "(" spec ")" | "TileLayout.from_iters" "(" ["offset" "=" "{" {axis ":" 5} "}"] ")"
    compose = "ComposeLayout" "(" (swizzle "," tile | per_element "," swizzle_len "," atom_len "," tile ["," inner]) ")"
    swizzle = "SwizzleLayout" "(" per_element "," swizzle_len "," atom_len ["," inner] ")"
    spec    = part {"+" part}                              at least one part is an S[..] or an R[..]
    part    = ["T."] ("S" | "R") "[" extents [":" strides] "]" | sum | "(" sum ")"

Extents and strides are lists, in brackets where there are several; without strides they are row-major. A stride is a
sum of `value @ axis`, a value alone lies on `m`; or an axis alone, `"laneid"`, or a pair `(4, "laneid")`, as in Python.
Arguments may also be given by name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from tilewright.layout.axes import Axis
from tilewright.notation.elements import term, value
from tilewright.notation.reader import Reader
from tilewright.notation.tokens import Token
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.spec import LayoutSpec, R, S
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element

Item = TypeVar("Item")
Tirx: TypeAlias = TileLayout | ComposeLayout | SwizzleLayout
Argument: TypeAlias = Tirx | int  # a truth value is one, too

_BUILDERS = {"S": S, "R": R}
_SWIZZLE = ("per_element", "swizzle_len", "atom_len", "swizzle_inner")


def is_tirx(r: Reader) -> bool:
    """Does the text name a TIRx class or builder anywhere?"""
    return r.any_name(*_CLASSES) or any(r.any_name(letter, before="[") for letter in _BUILDERS)


def tirx(r: Reader) -> Tirx:
    """A TIRx layout in any of its texts."""
    start = r.token
    if not r.at_name(*_CLASSES) and not (r.at_name("T") and r.look(2).text in _CLASSES):
        found = _spec(r)
        return r.checked(lambda: TileLayout(found), start)
    _prefix(r)
    return _CLASSES[r.expect_name(*_CLASSES)](r, start)


def _prefix(r: Reader) -> None:
    if r.accept_name("T"):
        r.expect(".")


# ---- the classes


def _tile(r: Reader, start: Token) -> TileLayout:
    if r.accept("."):
        return _from_iters(r, start)
    r.expect("(")
    with r.nested():
        found = _spec(r)
    r.expect(")")
    return r.checked(lambda: TileLayout(found), start)


def _from_iters(r: Reader, start: Token) -> TileLayout:
    r.expect_name("from_iters")
    r.expect("(")
    offset: dict[str, int] = {}
    if r.accept_name("offset"):
        r.expect("=")
        r.expect("{")
        offset = dict(r.sequence(_axis_offset, "}"))
    r.expect(")")
    return r.checked(lambda: TileLayout.from_iters((), (), offset), start)


def _axis_offset(r: Reader) -> tuple[str, int]:
    axis = r.expect("string", "the name of an axis in quotes").text.strip('"')
    r.expect(":")
    return axis, r.integer()


def _swizzle(r: Reader, start: Token) -> SwizzleLayout:
    args, named = _arguments(r)
    given = dict(zip(_SWIZZLE, args, strict=False)) | named
    fits = len(given) == len(args) + len(named) and {*_SWIZZLE[:3]} <= {*given} <= {*_SWIZZLE}
    if not fits or type(given.get("swizzle_inner", True)) is not bool:
        r.refuse("SwizzleLayout takes (per_element, swizzle_len, atom_len, swizzle_inner=True)", start)
    return r.checked(lambda: SwizzleLayout(**given), start)  # type: ignore[arg-type]  # which refuses layouts


def _compose(r: Reader, start: Token) -> ComposeLayout:
    args, named = _arguments(r)
    return r.checked(lambda: ComposeLayout(*args, **named), start)


_CLASSES: dict[str, Callable[[Reader, Token], Tirx]] = {
    "TileLayout": _tile,
    "ComposeLayout": _compose,
    "SwizzleLayout": _swizzle,
}


def _arguments(r: Reader) -> tuple[list[Argument], dict[str, Argument]]:
    args: list[Argument] = []
    named: dict[str, Argument] = {}

    def argument(r: Reader) -> None:
        name = r.token
        if not (r.at("name") and r.look().kind == "="):
            args.append(_argument(r))
            return
        r.take(), r.take()
        if name.text in named:
            r.refuse(f"{name.text} is given twice", name)
        named[name.text] = _argument(r)

    r.expect("(")
    r.sequence(argument, ")")
    return args, named


def _argument(r: Reader) -> Argument:
    if r.at_name("True", "False"):
        return r.take().text == "True"
    plain = r.at("int") and r.look().kind in (",", ")")
    return r.integer() if plain or r.at("-") else tirx(r)


# ---- S[..] + R[..] + offset


def _spec(r: Reader) -> LayoutSpec:
    r.restart_leaves()
    start = r.token
    parts = _part(r)
    while r.at("+", "-"):
        r.accept("+")
        parts += _part(r)
    built = [part for part in parts if isinstance(part, LayoutSpec)]
    offsets = [part for part in parts if not isinstance(part, LayoutSpec)]
    if not built:
        r.refuse("expected S[shape:strides] or R[shape:strides]", start)
    # A builder adds anything, an offset does not add a builder.
    return r.checked(lambda: reduce(LayoutSpec.__add__, [*built[1:], *offsets], built[0]), start)


def _part(r: Reader) -> list[LayoutSpec | Element]:
    if r.at_name("T") and r.look().kind == ".":
        _prefix(r)
    if r.at_name(*_BUILDERS) and r.look().kind == "[":
        return [_iters(r)]
    return [*_terms(r)] if r.at("(") else [_on_axis(r)]


def _iters(r: Reader) -> LayoutSpec:
    start = r.take()
    r.expect("[")
    with r.nested():
        extents = _list(r, _extent)
        strides = _list(r, _stride) if r.accept(":") else None
    r.expect("]")
    build = _BUILDERS[start.text]
    return r.checked(lambda: build[extents] if strides is None else build[extents:strides], start)


def _list(r: Reader, item: Callable[[Reader], Item]) -> tuple[Item, ...]:
    if r.at("(") and not _is_pair(r):
        r.take()
        return tuple(r.sequence(item, ")"))
    items = [item(r)]
    while r.accept(","):
        items.append(item(r))
    return tuple(items)


def _extent(r: Reader) -> int:
    r.count_leaf()
    return value(r)


def _stride(r: Reader) -> Element:
    if r.at("string"):
        return _quoted(r, 1)
    return _pair(r) if _is_pair(r) else reduce(add, _terms(r))


def _is_pair(r: Reader) -> bool:
    return r.at("(") and (r.look().kind, r.look(2).kind, r.look(3).kind) == ("int", ",", "string")


def _pair(r: Reader) -> Element:
    r.expect("(")
    number = r.integer()
    r.expect(",")
    stride = _quoted(r, number)
    r.expect(")")
    return stride


def _quoted(r: Reader, number: int) -> Element:
    token = r.take()
    return r.checked(lambda: number @ Axis.get(token.text.strip('"')), token)


def _terms(r: Reader) -> list[Element]:
    if r.accept("("):
        with r.nested():
            found = _terms(r)
        r.expect(")")
        return found
    found = [_on_axis(r)]
    while r.at("+", "-"):
        r.accept("+")
        found.append(_on_axis(r))
    return found


def _on_axis(r: Reader) -> Element:
    start = r.token
    axis, number = term(r)
    if isinstance(axis, tuple):
        r.refuse("the strides and offsets of TIRx lie on named axes, not on positions", start)
    # The `@` of an axis keeps the axis of a zero: `0 @ TCol`.
    return r.checked(lambda: number @ Axis.get(axis), start)
