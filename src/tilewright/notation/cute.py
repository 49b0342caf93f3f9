"""Layouts, swizzles, composed layouts and tilers, in CuTe's notation and in fly's.

    body    = chain | "!fly." name "<" chain ">"
    chain   = operand {"o" offset "o" operand} | offset "o" operand    the swizzle that moves nothing is left out
            | swizzle "o" layout                                     offset 0, as papers write it
    operand = swizzle | coordinate-swizzle | layout | "[" chain {("|" | ";") chain} "]"
    layout  = tree [":" tree]                                        a tree that holds layouts is a tiler
    swizzle = ("Sw" | "S" | "Swizzle" | "swizzle") "<" b "," m "," s ">"
    coordinate-swizzle = "CS" "<" b "," base "," path "," base "," path ">"     path = "[" 1 {"," 0} "]"
    offset  = tree | "M_0|(8&8)=8"                                   CuTe's text of an offset with known bits
            | "smem_ptr[16b](unset)"                                 then the swizzle before it is one of bytes

A chain groups from the left, `a o 0 o b o 0 o c` is `[a o 0 o b] o 0 o c`, except that a swizzle has no domain and
so opens the inner part: `Sw<1,4,3> o 0 o Sw<2,3,3> o 0 o c` is `Sw<1,4,3> o 0 o [Sw<2,3,3> o 0 o c]`.
A tiler is a tuple of None, integers, layouts and tilers.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.indexing import keeps
from tilewright.layout.inttuple import MAX_DEPTH, IntTuple, as_int_tuple, to_text
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation.constants import number
from tilewright.notation.cutlass import Function, PointerFlag, at_pointer, composed, pointer
from tilewright.notation.elements import KEPT, Operand, Tree, int_tuple, tree
from tilewright.notation.reader import Reader
from tilewright.notation.tokens import Token

_COMPOSE = ("o", "∘")
SWIZZLES = ("Sw", "S", "Swizzle", "swizzle")
_FLY_TYPES = ("int_tuple", "basis", "layout", "tile", "swizzle", "coord_swizzle", "composed_layout")


def body(r: Reader) -> Operand:
    """Any object of CuTe's or fly's notation, bare or as the type that fly prints."""
    if not r.accept("!"):
        return chain(r)
    r.expect_name("fly")
    r.expect(".")
    r.expect_name(*_FLY_TYPES)
    r.expect("<")
    found = chain(r)
    r.expect(">")
    return found


def chain(r: Reader) -> Operand:
    """One operand, or several composed."""
    start = r.token
    factors, offsets = [operand(r)], []
    if isinstance(factors[0], int | SymInt | AxisSum | tuple) and r.accept_name(*_COMPOSE):
        return _moved(r, factors[0], start)
    while r.accept_name(*_COMPOSE):
        begin = r.token
        offsets.append(_offset(r))
        if r.at(":") and isinstance(factors[-1], Swizzle) and not isinstance(offsets[-1], PointerFlag):
            factors.append(_strided(r, offsets[-1], begin))
            offsets[-1] = 0
            break
        if r.at(":"):
            r.refuse("an offset stands between two layouts, as in `4:1 o 0 o 8:1`, and here is a layout", r.token)
        r.expect_name(*_COMPOSE)
        factors.append(operand(r))
        if len(offsets) > MAX_DEPTH:
            r.refuse(f"more than {MAX_DEPTH} layouts are composed", start)
    if not offsets:
        return factors[0]
    functions = [factor for factor in factors if isinstance(factor, Swizzle | CoordSwizzle | Layout | ComposedLayout)]
    if len(functions) < len(factors):
        r.refuse("only layouts and swizzles are composed by `o`", start)
    if isinstance(functions[-1], Swizzle | CoordSwizzle):
        r.refuse("the last factor of a composed layout is a layout, not a swizzle", start)
    return r.checked(lambda: _composed(functions, offsets), start)


def _moved(r: Reader, value: Operand, start: Token) -> ComposedLayout:
    offset, layout = r.checked(lambda: as_int_tuple(value), start), operand(r)
    if keeps(offset) or not isinstance(layout, Layout | ComposedLayout) or r.at_name(*_COMPOSE):
        r.refuse("only layouts and swizzles are composed by `o`", start)
    return r.checked(lambda: ComposedLayout(Swizzle(0, 0, 0), offset, layout), start)


def _composed(factors: list[Function], offsets: list[IntTuple | PointerFlag]) -> Function:
    found = factors[0]
    for i, (offset, inner) in enumerate(zip(offsets, factors[1:], strict=True), 1):
        if isinstance(inner, Swizzle | CoordSwizzle):
            return composed(found, offset, _composed(factors[i:], offsets[i:]))
        found = composed(found, offset, inner)
    return found


def operand(r: Reader) -> Operand:
    """A swizzle, a bracketed chain or tiler, a layout, or an int tuple."""
    if r.at_name(*SWIZZLES) and r.look().kind == "<":
        return swizzle(r)
    if r.at_name("CS") and r.look().kind == "<":
        return coord_swizzle(r)
    r.restart_leaves()
    return _bracketed(r) if r.at("[") else layout_or_tuple(r)


def swizzle(r: Reader) -> Swizzle:
    """`Sw<b,m,s>`; `Swizzle<b,m>` of C++, whose third field is the first."""
    start = r.token
    name = r.expect_name(*SWIZZLES)
    r.expect("<")
    fields = r.sequence(number, ">")
    if name == "Swizzle" and len(fields) == 2:
        fields.append(fields[0])
    if len(fields) != 3:
        r.refuse(f"a swizzle has three fields <bits,base,shift>, got {len(fields)}", start)
    return r.checked(lambda: Swizzle(*fields), start)


def coord_swizzle(r: Reader) -> CoordSwizzle:
    """`CS<b,base,[path],base,[path]>`."""
    start = r.token
    r.expect_name("CS")
    r.expect("<")
    bits = r.integer()
    row, column = _field(r), _field(r)
    r.expect(">")
    return r.checked(lambda: CoordSwizzle(bits, *row, *column), start)


def _field(r: Reader) -> tuple[int, tuple[int, ...]]:
    r.expect(",")
    base = r.integer()
    r.expect(",")
    r.expect("[")
    return base, tuple(r.sequence(Reader.integer, "]"))


def _bracketed(r: Reader) -> Tree:
    start = r.take()
    chains = r.sequence(chain, "]", "|;")
    items = [item for item in chains if not isinstance(item, Swizzle | CoordSwizzle)]
    if len(items) < len(chains):
        r.refuse("a tiler holds integers, `_`, layouts and tilers, not swizzles", start)
    return items[0] if len(items) == 1 and isinstance(items[0], ComposedLayout) else tuple(items)


def layout_or_tuple(r: Reader) -> Tree:
    """`shape:stride`, or the tuple alone, in which layouts make it a tiler."""
    start = r.token
    shape = tree(r, layout_or_tuple)
    return _strided(r, shape, start) if r.at(":") else shape


def _strided(r: Reader, shape: Tree, start: Token) -> Layout:
    wrong = next((leaf for leaf in _leaves(shape) if not isinstance(leaf, int | SymInt)), 0)
    if not isinstance(wrong, int):
        r.refuse(f"an extent is an integer, got {to_text(wrong)}", r.first(start, *KEPT) if wrong is None else start)
    colon = r.take()
    stride = int_tuple(r)
    if keeps(stride):
        r.refuse("`_` is no stride", r.first(colon, *KEPT))
    return r.checked(lambda: Layout(as_int_tuple(shape), stride), start)


def _leaves(shape: Tree) -> Iterator[Tree]:
    if isinstance(shape, tuple):
        for item in shape:
            yield from _leaves(item)
    else:
        yield shape


def _offset(r: Reader) -> IntTuple | PointerFlag:
    start = r.token
    if at_pointer(r):
        return pointer(r)
    if not (r.at("name") and r.token.text[0] == "M" and r.look().kind == "|"):
        offset = int_tuple(r)
        return r.refuse("`_` is no offset", r.first(start, *KEPT)) if keeps(offset) else offset
    r.take()
    r.expect("|")
    r.expect("(")
    r.integer()
    r.expect("&")
    r.integer()
    r.expect(")")
    r.expect("=")
    return r.integer()
