"""What tiled copies and tiled MMAs share: which thread, which tensor, and the registers of a thread's part."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, overload

from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.axes import AxisSum
from tilewright.layout.base import no_layout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.operations import make_fragment_like
from tilewright.layout.view import new, through

if TYPE_CHECKING:
    from tilewright.layout.base import LayoutBase
    from tilewright.layout.methods import V
    from tilewright.layout.view import Seen

    # What is partitioned, and what comes of it.
    Tensor: TypeAlias = Layout[V] | ComposedLayout[V]


def checked_thread(thread: object, size: int) -> int:
    """`thread` as an index below `size`."""
    if type(thread) is not int or not 0 <= thread < size:
        raise UsageError(f"thread {shown(thread)} is not one of the {size} threads 0 .. {size - 1}")
    return thread


def known_extent(extent: object, what: str) -> int:
    """`extent` as a known integer.

    Raises:
        LayoutError: it is known at run time only.
    """
    if type(extent) is not int:
        raise LayoutError(f"{what} is known before run time, and {shown(extent)} is not")
    return extent


def checked_tensor(tensor: Tensor[V]) -> Tensor[V]:
    """`tensor` if it can be partitioned.

    Raises:
        UsageError: it is no layout and no coordinate tensor.
    """
    if not isinstance(tensor, Layout | ComposedLayout):
        raise UsageError(f"what is partitioned is a layout or a coordinate tensor, got {no_layout(tensor)}")
    return tensor


def checked_parts(parts: Tensor[V], modes: int, maker: str) -> Tensor[V]:
    """What `maker` gives of a tensor, which has so many modes.

    Raises:
        UsageError: it is no layout and no coordinate tensor, or has other modes.
    """
    held = checked_tensor(parts)
    if held.rank != modes:
        raise UsageError(f"part_of takes what {maker} gives, of {modes} modes, got {shown(parts)}")
    return held


@overload
def register_fragment(part: Seen) -> Seen: ...
@overload
def register_fragment(part: LayoutBase) -> Layout[int]: ...
def register_fragment(part: LayoutBase | Seen) -> Layout[int] | Seen:
    """Compact registers for a partition; of a tensor, new ones."""
    found: Layout[int] | Seen = through(part, _register_layout, new)
    return found


def _register_layout(part: object) -> Layout[int]:
    """A compact register layout for a partition; one of coordinates has no order of strides to keep."""
    held = part
    while isinstance(held, ComposedLayout):
        held = held.inner
    if not isinstance(held, Layout):
        raise UsageError(f"registers are of a layout or a coordinate tensor, got {no_layout(part)}")
    if any(isinstance(stride, AxisSum) for _, stride in held.flat):
        return Layout(held.shape)
    fragment: Layout[int] = make_fragment_like(held)
    return fragment
