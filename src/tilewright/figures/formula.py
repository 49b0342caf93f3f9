"""How a layout comes to its value at every index, with the numbers: `2*8 + 5*1`, `73 ^ 8`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from math import prod

from tilewright.figures.answers import answers
from tilewright.figures.domain import Domain
from tilewright.figures.listing import listing
from tilewright.figures.series import Crossed, Same, picked, words
from tilewright.layout.axes import MEMORY
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import to_text
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.typed import TypedLayout
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.iters import Iter
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout


@singledispatch
def formulas(layout: object, domain: Domain) -> Sequence[str]:
    """The arithmetic of a layout of any kind, up to its value, at each cell of a plane; "" where it is not known.

    >>> from tilewright.figures.domain import column_major
    >>> formulas(Layout((2, 3), (3, 1)), column_major((2, 3)))[4]
    '1*3 + 1*1'
    >>> formulas(ComposedLayout(Swizzle(1, 0, 1), 4, Layout((2, 3), (3, 1))), column_major((2, 3)))[4]
    '4 + 1*3 + 1*1 = 8; 8 ^ 0'
    """
    return Same("", domain.size)


@formulas.register
def _(layout: Layout, domain: Domain) -> Sequence[str]:
    return _sums([_terms(extent, str(stride)) for extent, stride in layout.flat if extent != 1], domain)


@formulas.register
def _(layout: ComposedLayout, domain: Domain) -> Sequence[str]:
    start = f"{layout.offset} + " if isinstance(layout.offset, tuple) or layout.offset != 0 else ""
    return words(domain.size, start, formulas(layout.inner, domain), *_outer(layout, domain))


@formulas.register
def _(layout: TypedLayout, domain: Domain) -> Sequence[str]:
    return formulas(layout.layout, domain)


def _outer(layout: ComposedLayout, domain: Domain) -> tuple[str | Sequence[object], ...]:
    # The value inside is a number where a swizzle takes it; what other layouts take may be a coordinate.
    values = picked(listing(layout.inner), domain.flat)
    if not isinstance(layout.outer, Swizzle) or type(layout.offset) is not int or set(map(type, values)) != {int}:
        return (f" through {layout.outer}",)
    return _xor(layout.outer, [layout.offset + value for value in values])


def _xor(swizzle: Swizzle, values: Sequence[int]) -> tuple[str | Sequence[object], ...]:
    return " = ", values, "; ", values, " ^ ", [value ^ swizzle(value) for value in values]


@formulas.register
def _(swizzle: Swizzle, domain: Domain) -> Sequence[str]:
    return words(domain.size, domain.flat, " ^ ", [x ^ swizzle(x) for x in domain.flat])


@formulas.register
def _(swizzle: SwizzleLayout, domain: Domain) -> Sequence[str]:
    return formulas(swizzle.swizzle, domain)


@formulas.register
def _(layout: TileLayout, domain: Domain) -> Sequence[str]:
    copies = "".join(f" + (0..{it.extent - 1})*{_on_axis(it)}" for it in layout.replica if it.extent != 1)
    start = "".join(f" + {value}{_axis(axis)}" for axis, value in layout.offset.items())
    digits = [_terms(it.extent, _on_axis(it)) for it in reversed(layout.shard) if it.extent != 1]
    return words(domain.size, _sums(digits, domain, first_fastest=False), copies, start)


@formulas.register
def _(layout: ComposeLayout, domain: Domain) -> Sequence[str]:
    tile = answers(layout.tile_layout).picked(domain.flat)
    inner = formulas(layout.tile_layout, domain)
    return words(domain.size, inner, *_xor(layout.swizzle.swizzle, tile.offsets or tile.on(MEMORY) or [0] * tile.size))


@formulas.register
def _(layout: LinearLayout, domain: Domain) -> Sequence[str]:
    images = [to_text(tuple(image)) if len(image) > 1 else str(image[0]) for _, rows in layout.bases for image in rows]
    zero = to_text((0,) * len(layout.outs)) if len(layout.outs) > 1 else "0"
    return picked([text or zero for text in _added([["", image] for image in images], " ^ ")], domain.flat)


def _on_axis(it: Iter) -> str:
    return str(it.stride) if it.axis is None else f"{it.stride}{_axis(it.axis)}"


def _axis(axis: object) -> str:
    return "" if str(axis) == MEMORY else f"@{axis}"


def _terms(extent: int, stride: str) -> list[str]:
    return [f"{digit}*{stride}" for digit in range(extent)]


def _sums(tables: Sequence[Sequence[str]], domain: Domain, first_fastest: bool = True) -> Sequence[str]:
    """All sums of a term of each table, at the cells of a plane; of rows and columns where tables belong to either."""
    count = domain.rows.count if domain.colexicographic else domain.columns.count
    fast = next((n for n in range(len(tables) + 1) if prod(map(len, tables[:n])) == count), None)
    if fast is None or not isinstance(domain.flat, Crossed):
        return picked(_added(tables, " + ", first_fastest), domain.flat)
    own, other = (_added(some, " + ", first_fastest) for some in (tables[:fast], tables[fast:]))
    rows, columns = (own, other) if domain.colexicographic else (other, own)
    between = " + " if rows[0] and columns[0] else ""
    return Crossed([row + between for row in rows], columns)


def _added(tables: Sequence[Sequence[str]], sign: str, first_fastest: bool = True) -> list[str]:
    """All sums of a term of each table, the first table's fastest; they are written in order, or from last to first."""
    texts = [""]
    for table in tables:
        if first_fastest:
            texts = [text + sign + term if text and term else text + term for term in table for text in texts]
        else:
            texts = [term + sign + text if text and term else term + text for term in table for text in texts]
    return texts
