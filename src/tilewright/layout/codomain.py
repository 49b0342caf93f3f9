"""The codomain of a layout: the positions of its coordinates, or the axes, that strides alone may no longer tell."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeVar, cast

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import MEMORY, AxisKey, profile_axes
from tilewright.layout.base import LayoutBase, as_layout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import as_int_tuple
from tilewright.layout.layout import Layout, within
from tilewright.layout.methods import V

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tilewright.layout.axes import Value
    from tilewright.layout.inttuple import IntTupleLike

T = TypeVar("T")


def with_coprofile(layout: Layout[Value], coprofile: IntTupleLike | Mapping[AxisKey, int]) -> Layout[Value]:
    """The same layout, with values that are coordinates of this profile, or `{axis: int}` of these axes.

    Operations keep the codomain by themselves. Only where strides are made by hand they may not tell it: a stride 0
    lies on no axis, and `Layout(5, 0)` has for values the integer 0, unless it is told that they are coordinates.

    Args:
        layout: a layout whose strides lie on axes of `coprofile`.
        coprofile: a coordinate, or a dictionary of axes; its integers do not matter.

    Raises:
        LayoutError: a stride lies elsewhere.

    >>> Layout(5, 0)(3), with_coprofile(Layout(5, 0), (0, 0))(3)
    (0, (0, 0))
    """
    axes = tuple(coprofile) if isinstance(coprofile, dict) else profile_axes(as_int_tuple(coprofile)) or (MEMORY,)
    if not set(as_layout(layout).axes) <= set(axes):
        raise LayoutError(f"the values of {layout} are no coordinates of the profile {shown(coprofile)}")
    return layout if axes == (MEMORY,) else _within(layout, axes)


def kept(found: T, sources: Iterable[object]) -> T:
    """The layouts in `found` as functions into the codomain of the layouts that they were made from."""
    parts = [x for x in sources if isinstance(x, Layout | ComposedLayout)]
    if not any(x.on_axes for x in parts):
        return found
    return _within(found, tuple(dict.fromkeys(axis for x in parts for axis in x.axes)))


def _within(found: T, axes: tuple[AxisKey, ...]) -> T:
    widened: object = found
    if isinstance(found, tuple):
        widened = tuple(_within(item, axes) for item in found)
    elif isinstance(found, Layout):
        widened = within(found, axes)
    elif isinstance(found, ComposedLayout) and not set(axes) <= set(found.axes):
        widened = _composed_within(found, axes)
    return cast(T, widened)


def _composed_within(found: ComposedLayout[V], axes: tuple[AxisKey, ...]) -> ComposedLayout[V]:
    # A swizzle has the values of what lies below it.
    if isinstance(found.outer, LayoutBase) and found.axes == found.outer.axes:
        return ComposedLayout(_within(found.outer, axes), found.offset, found.inner)
    return found.over_inner(lambda inner: _within(inner, axes))
