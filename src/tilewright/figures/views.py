"""How each kind of layout is looked at: its plane, its value at an index, its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any

from tilewright.errors import UsageError, shown
from tilewright.figures.answers import Answers, answers
from tilewright.figures.domain import Domain, checked, checked_places, column_major, extent, row_major
from tilewright.figures.values import axes
from tilewright.layout.base import no_layout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import to_text
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.typed import TypedLayout
from tilewright.numerals import is_digits
from tilewright.tensor.tensor import Tensor
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.evaluate import copies
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout


@dataclass(frozen=True, slots=True)
class View:
    """A layout in a plane: its text, the plane, its values by their indices, the shape of its coordinates, and its
    elements, if it has any.
    """

    title: str
    domain: Domain
    answers: Answers
    shape: Sequence[Any]
    held: tuple[str, ...] = ()

    def caption(self, value: object) -> str:
        """What a cell shows, given the value of one, for the reader of the picture."""
        named = [axis for axis in axes(value) if axis and not is_digits(axis)]
        plain = "the coordinate in the codomain" if isinstance(value, tuple) else "the offset, in elements"
        what = "the element" if self.held else ", ".join(named) if named else plain
        return f"in each cell: {what}{', one below the other' if len(named) > 1 and not self.held else ''}"


@singledispatch
def view(layout: object, shape: Sequence[int] | None = None) -> View:
    """The view of a layout of any kind; `shape` is another plane of the same size.

    Raises:
        UsageError: not a layout, too large, or a shape of another size.
    """
    raise UsageError(f"cannot draw it: give a layout, an atom or what an analysis answers, not {no_layout(layout)}")


@view.register
def _(layout: Layout, shape: Sequence[int] | None = None) -> View:
    return _colex(layout, tuple(f"mode {i}: {mode}" for i, mode in enumerate(layout)), shape)


@view.register
def _(layout: ComposedLayout, shape: Sequence[int] | None = None) -> View:
    return _colex(layout, tuple(f"mode {i}: {to_text(mode)}" for i, mode in enumerate(_modes(layout))), shape)


@view.register
def _(swizzle: Swizzle, shape: Sequence[int] | None = None) -> View:
    # A row is as long as the two fields are apart, so that the field that is read numbers the rows.
    rows, columns = 1 << swizzle.b, 1 << (swizzle.m + abs(swizzle.s))
    seen = plane(shape, (rows, columns))
    return View(str(swizzle), row_major(seen), answers(swizzle), seen)


@view.register
def _(swizzle: SwizzleLayout, shape: Sequence[int] | None = None) -> View:
    return replace(view(swizzle.swizzle, shape), title=repr(swizzle))


@view.register
def _(layout: TileLayout, shape: Sequence[int] | None = None) -> View:
    seen = plane(shape, layout.shape)
    checked_places(extent(seen), len(copies(layout.parts.replica)))
    return View(layout.notation(), row_major(seen), answers(layout), seen)


@view.register
def _(layout: ComposeLayout, shape: Sequence[int] | None = None) -> View:
    tile = view(layout.tile_layout, shape)
    return View(layout.notation(), tile.domain, answers(layout), tile.shape)


@view.register
def _(layout: LinearLayout, shape: Sequence[int] | None = None) -> View:
    names, sizes = layout.get_in_dim_names(), tuple(size for _, size in layout.ins)
    titles = (names[0], ", ".join(names[1:])) if len(names) > 1 and shape is None else None
    seen = plane(shape, sizes or (1,))
    text = " -> ".join(", ".join(f"{name} {size}" for name, size in dims) for dims in (layout.ins, layout.outs))
    return View(f"linear {text}", column_major(seen, titles), answers(layout), seen)


@view.register
def _(tensor: Tensor, shape: Sequence[int] | None = None) -> View:
    seen = view(tensor.layout, shape)  # which refuses what is too large
    held = tuple(f"{x:.4g}" if isinstance(x, float) else str(x) for x in tensor.load().tolist())
    return replace(seen, title=repr(tensor).strip("<>"), held=held)


@view.register
def _(layout: TypedLayout, shape: Sequence[int] | None = None) -> View:
    return replace(view(layout.layout, shape), title=str(layout))


def plane(shape: Sequence[int] | None, own: Sequence[Any]) -> Sequence[Any]:
    """The shape asked for, if it has as many cells as the layout's own one; else the own one.

    Raises:
        UsageError: it has not, or they are too many.
    """
    size = checked(extent(own))
    if shape is None:
        return own
    if not isinstance(shape, tuple | list) or len(shape) != 2 or extent(shape) != size:
        raise UsageError(f"shape {shown(shape)} does not have (rows, columns) of {size} cells, which the layout has")
    return tuple(shape)


def _colex(layout: Layout | ComposedLayout, titles: tuple[str, ...], shape: Sequence[int] | None) -> View:
    named = (titles[0], titles[1]) if len(titles) == 2 and shape is None else None
    seen = plane(shape, _modes(layout))
    return View(str(layout), column_major(seen, named), answers(layout), seen)


def _modes(layout: Layout | ComposedLayout) -> tuple[Any, ...]:
    return layout.shape if isinstance(layout.shape, tuple) else (layout.shape,)
