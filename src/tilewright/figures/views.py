"""How each kind of layout is looked at: its plane, its value at an index, its text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import Any

from tilewright.errors import UsageError
from tilewright.figures.domain import Domain, checked, column_major, extent, row_major
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import to_text
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle


@dataclass(frozen=True, slots=True)
class View:
    """A layout in a plane: its text, the plane, and its value at a coordinate's index."""

    title: str
    domain: Domain
    at: Callable[[int], Any]


@singledispatch
def view(layout: Any, shape: Sequence[int] | None = None) -> View:
    """The view of a layout of any kind; `shape` is another plane of the same size.

    Raises:
        UsageError: not a layout, too large, or a shape of another size.
    """
    raise UsageError(f"cannot draw {layout!r:.60} of type {type(layout).__name__}: give a layout or a swizzle")


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
    return View(str(swizzle), row_major(plane(shape, (rows, columns))), swizzle)


def plane(shape: Sequence[int] | None, own: Sequence[Any]) -> Sequence[Any]:
    """The shape asked for, if it has as many cells as the layout's own one; else the own one.

    Raises:
        UsageError: it has not, or they are too many.
    """
    size = checked(extent(own))
    if shape is None:
        return own
    if not isinstance(shape, tuple | list) or len(shape) != 2 or extent(shape) != size:
        raise UsageError(f"shape {shape!r} does not have (rows, columns) of {size} cells, which the layout has")
    return tuple(shape)


def _colex(layout: Layout | ComposedLayout, titles: tuple[str, ...], shape: Sequence[int] | None) -> View:
    named = (titles[0], titles[1]) if len(titles) == 2 and shape is None else None
    return View(str(layout), column_major(plane(shape, _modes(layout)), named), layout)


def _modes(layout: Layout | ComposedLayout) -> tuple[Any, ...]:
    return layout.shape if isinstance(layout.shape, tuple) else (layout.shape,)
