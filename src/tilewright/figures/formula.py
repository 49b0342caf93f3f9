"""How a layout comes to its value at every index, with the numbers: `2*8 + 5*1`, `73 ^ 8`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from itertools import repeat

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
def formulas(layout: object) -> Iterable[str]:
    """The arithmetic of a layout of any kind, for each index in the layout's own order, up to its value.

    >>> list(formulas(Layout((2, 3), (3, 1))))[3]
    '1*3 + 1*1'
    >>> list(formulas(ComposedLayout(Swizzle(1, 0, 1), 4, Layout((2, 3), (3, 1)))))[3]
    '4 + 1*3 + 1*1 = 8; 8 ^ 0'
    """
    return repeat("")


@formulas.register
def _(layout: Layout) -> Iterable[str]:
    return _sums([_terms(extent, str(stride)) for extent, stride in layout.flat if extent != 1], " + ")


@formulas.register
def _(layout: ComposedLayout) -> Iterable[str]:
    start = f"{layout.offset} + " if isinstance(layout.offset, tuple) or layout.offset != 0 else ""
    return (start + text + rest for text, rest in zip(formulas(layout.inner), _outer(layout), strict=False))


@formulas.register
def _(layout: TypedLayout) -> Iterable[str]:
    return formulas(layout.layout)


def _outer(layout: ComposedLayout) -> Iterable[str]:
    # The value inside is a number where a swizzle takes it; what other layouts take may be a coordinate.
    if not isinstance(layout.outer, Swizzle) or type(layout.offset) is not int:
        return repeat(f" through {layout.outer}")
    return (_xor(layout.outer, layout.offset + layout.inner(index)) for index in range(layout.size))


def _xor(swizzle: Swizzle, value: object) -> str:
    return f" = {value}; {value} ^ {value ^ swizzle(value)}" if type(value) is int else f" through {swizzle}"


@formulas.register
def _(swizzle: Swizzle) -> Iterable[str]:
    return (f"{x} ^ {x ^ swizzle(x)}" for x in range(1 << (swizzle.b + swizzle.m + abs(swizzle.s))))


@formulas.register
def _(swizzle: SwizzleLayout) -> Iterable[str]:
    return formulas(swizzle.swizzle)


@formulas.register
def _(layout: TileLayout) -> Iterable[str]:
    copies = "".join(f" + (0..{it.extent - 1})*{_on_axis(it)}" for it in layout.replica if it.extent != 1)
    start = "".join(f" + {value}{_axis(axis)}" for axis, value in layout.offset.items())
    digits = [_terms(it.extent, _on_axis(it)) for it in reversed(layout.shard) if it.extent != 1]
    return (text + copies + start for text in _sums(digits, " + ", first_fastest=False))


@formulas.register
def _(layout: ComposeLayout) -> Iterable[str]:
    swizzle = layout.swizzle.swizzle
    bases = (layout.tile_layout.base(index).get(MEMORY, 0) for index in range(layout.size()))
    inner = formulas(layout.tile_layout)
    return (text + _xor(swizzle, value) for text, value in zip(inner, bases, strict=False))


@formulas.register
def _(layout: LinearLayout) -> Iterable[str]:
    images = [to_text(tuple(image)) if len(image) > 1 else str(image[0]) for _, rows in layout.bases for image in rows]
    zero = to_text((0,) * len(layout.outs)) if len(layout.outs) > 1 else "0"
    return (text or zero for text in _sums([["", image] for image in images], " ^ "))


def _on_axis(it: Iter) -> str:
    return str(it.stride) if it.axis is None else f"{it.stride}{_axis(it.axis)}"


def _axis(axis: object) -> str:
    return "" if str(axis) == MEMORY else f"@{axis}"


def _terms(extent: int, stride: str) -> list[str]:
    return [f"{digit}*{stride}" for digit in range(extent)]


def _sums(tables: Sequence[Sequence[str]], sign: str, first_fastest: bool = True) -> list[str]:
    """All sums of a term of each table, the first table's fastest; they are written in order, or from last to first."""
    texts = [""]
    for table in tables:
        if first_fastest:
            texts = [text + sign + term if text and term else text + term for term in table for text in texts]
        else:
            texts = [term + sign + text if text and term else term + text for term in table for text in texts]
    return texts
