"""What operations on layouts read of views, where what they give is no view: the arguments, made layouts.

Each function has the parameters of an operation and gives its arguments. A view tells the width of its elements.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dtypes import bits_of
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.base import layout_of

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike
    from tilewright.layout.base import LayoutBase
    from tilewright.layout.view import View


def one(layout: View) -> tuple[LayoutBase]:
    """The layout of a view."""
    return (layout_of(layout),)


def both(a: LayoutBase | View, b: LayoutBase | View) -> tuple[LayoutBase, LayoutBase]:
    """Two layouts, each its own or that of a view."""
    return layout_of(a), layout_of(b)


def scaled(layout: View, factor: int) -> tuple[LayoutBase, int]:
    """The layout of a view, and a factor."""
    return layout_of(layout), factor


def recast(
    layout: View,
    *type_bits: int | DTypeLike,
    old_type_bits: int | DTypeLike | None = None,
    new_type_bits: int | DTypeLike | None = None,
) -> tuple[LayoutBase, int, int | DTypeLike]:
    """The layout of a view, the width of its elements, and the new one, before which the old one may be said.

    Raises:
        LayoutError: another old width than the view's, or one that the view does not tell.
        UsageError: no new width.
    """
    own = layout.element_bits
    type_bits = (*type_bits, *(bits for bits in (old_type_bits, new_type_bits) if bits is not None))
    if len(type_bits) not in (1, 2):
        raise UsageError(f"recast_layout of a tensor takes the new width of elements, got {len(type_bits)} widths")
    old = type_bits[0] if len(type_bits) == 2 else own
    if old is None:
        raise LayoutError(f"{layout} does not tell the width of its elements: recast_layout(t, old, new)")
    if own is not None and bits_of(old) != own:
        raise LayoutError(f"the tensor has elements of {own} bits, and old_type_bits says {bits_of(old)}")
    return layout_of(layout), bits_of(old), type_bits[-1]
