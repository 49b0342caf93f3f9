"""One coordinate of a layout: its value step by step; and the value as a formula of the coordinate's index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tilewright.errors import LayoutError
from tilewright.explorer.answer import Step
from tilewright.figures.highlight import fits
from tilewright.figures.views import view
from tilewright.layout.base import LayoutBase
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.explain import explain
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout
from tilewright.layout.operations import crd2idx
from tilewright.layout.steps import Derivation, show
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.explain import explain_element
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

Coordinate: TypeAlias = tuple[IntTuple, ...]


def step(derivation: Derivation) -> Step:
    """A derivation as the steps that a page shows."""
    head = str(Derivation(derivation.rule, derivation.inputs, derivation.result, (), derivation.refusal))
    return Step(head, tuple(map(step, derivation.steps)))


def value_of(name: str, layout: object, at: Coordinate, bits: int = 8) -> Step:
    """What a layout of any kind answers at a coordinate, step by step.

    Raises:
        LayoutError: the coordinate does not fit.

    >>> [inner.text for inner in value_of("a", Layout((4, 8), (8, 1)), (1, 2)).steps][-2:]
    ['index i = 9', 'a(i) = (i%4)*8 + (i//4)*1 = (9%4)*8 + (9//4)*1 = 10']
    """
    where = at[0] if len(at) == 1 else at
    if isinstance(layout, LayoutBase) and not fits(where, layout.shape):
        raise LayoutError(f"{name} has no coordinate {show(where)}: its shape is {show(layout.shape)}")
    if isinstance(layout, TileLayout | ComposeLayout | SwizzleLayout):
        lines = str(explain_element(layout, tuple(map(_number, at)), view(layout).shape, bits)).split("\n")
        return Step(f"{name}{_call(where)}", tuple(map(Step, lines)))
    if not isinstance(layout, LayoutBase | Swizzle):
        raise LayoutError(f"{name} is no layout whose steps are known")
    found = explain(layout, where)
    if found.refusal:
        raise LayoutError(found.refusal)
    steps = (*map(step, found.steps), *_by_index(name, layout, where))
    return Step(f"{name}{_call(where)} = {show(found.result)}", steps)


def _number(part: object) -> int:
    if type(part) is not int:
        raise LayoutError(f"{part} is no position along a mode")
    return part


def _call(where: object) -> str:
    return show(where) if isinstance(where, tuple) else f"({show(where)})"


def _by_index(name: str, layout: object, where: IntTuple) -> Iterator[Step]:
    """The index of the coordinate, and what the layout makes of it."""
    if not isinstance(layout, Layout) or not index_formula(layout):
        return
    index = crd2idx(where, layout.shape)
    letters, numbers = index_formula(layout), index_formula(layout, str(index))
    yield Step(f"index i = {index}")
    yield Step(f"{name}(i) = {letters} = {numbers} = {show(layout(index))}")


def index_formula(layout: object, index: str = "i") -> str:
    """A layout as a function of the index of its coordinate, which counts the left mode fastest; empty: no formula.

    >>> from tilewright.layout.swizzle import Swizzle
    >>> index_formula(Layout((4, (2, 4)), (2, (1, 8))))
    '(i%4)*2 + (i//4%2)*1 + (i//8)*8'
    >>> index_formula(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 2), (2, 1))))
    'x ^ (x & 0b100) >> 2 with x = (i%4)*2 + (i//4)*1'
    """
    if isinstance(layout, ComposedLayout) and isinstance(layout.outer, Swizzle):
        inner, start = index_formula(layout.inner, index), f"{layout.offset} + " * (layout.offset != 0)
        swizzle = layout.outer
        moved = f"x ^ (x & {swizzle.yyy_mask:#b}) {'>>' if swizzle.s >= 0 else '<<'} {abs(swizzle.s)}"
        return f"{moved if swizzle.b else 'x'} with x = {start}{inner}" if inner else ""
    if not isinstance(layout, Layout) or any(type(n) is not int for mode in layout.flat for n in mode):
        return ""
    return " + ".join(_terms(layout, index)) or "0"


def _terms(layout: Layout[int], index: str) -> Iterator[str]:
    before, size = 1, layout.size
    for extent, stride in layout.flat:
        if extent != 1:
            digit = index + (f"//{before}" if before > 1 else "") + (f"%{extent}" if before * extent < size else "")
            yield f"({digit})*{stride}" if digit != index else f"{index}*{stride}"
        before *= extent
