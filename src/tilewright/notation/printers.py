"""Objects as text: the canonical text of anything, and fly's.

The canonical text of a layout is its `str`; here are tuples and tilers too, which are plain Python values.
"""

from __future__ import annotations

from tilewright.errors import LayoutError, shown
from tilewright.layout.algebra.tiler import tiler_text
from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.inttuple import check_depth, to_text
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.cpp import ATOMS, cpp_text, is_tiler


def text(x: object) -> str:
    """The canonical text of any object of the notations; `parse` reads it back.

    >>> text((4, (2, None))), text((4, None, Layout((2, 4), (1, 8))))
    ('(4,(2,_))', '[4; _; (2,4):(1,8)]')
    """
    if isinstance(x, ATOMS):
        return cpp_text(x)
    return tiler_text(x) if is_tiler(x) else to_text(x)


def to_fly(x: object) -> str:
    """The text of FlyDSL's dialect: `*` for None, `1E1E0` for basis strides, `S<3,3,3>`, tilers `[4|*]`.

    Raises:
        LayoutError: the object has no text there: named axes, sums of basis strides, objects of other views.

    >>> to_fly(Layout((4, 8), (1, 4))), to_fly((4, None)), to_fly(ComposedLayout(Swizzle(3, 3, 3), 0, Layout(8)))
    ('(4,8):(1,4)', '(4,*)', 'S<3,3,3> o 0 o 8:1')
    """
    check_depth(x)
    return _fly(x)


def _fly(x: object) -> str:
    if isinstance(x, Layout):
        return f"{_fly_tuple(x.shape)}:{_fly_tuple(x.stride)}"
    if isinstance(x, ComposedLayout):
        inner = f"[{_fly(x.inner)}]" if isinstance(x.inner, ComposedLayout) else _fly(x.inner)
        return f"{_fly(x.outer)} o {_fly(x.offset)} o {inner}"
    if isinstance(x, Swizzle):
        return f"S<{x.b},{x.m},{x.s}>"
    if isinstance(x, CoordSwizzle):
        return str(x)
    if isinstance(x, tuple):
        return f"[{'|'.join(map(_fly, x))}]" if is_tiler(x) else _fly_tuple(x)
    return _fly_leaf(x)


def _fly_tuple(x: object) -> str:
    return f"({','.join(map(_fly_tuple, x))})" if isinstance(x, tuple) else _fly_leaf(x)


def _fly_leaf(x: object) -> str:
    if isinstance(x, AxisSum):
        (axis, value), *more = x.terms
        if more or not isinstance(axis, tuple):
            raise LayoutError(f"fly writes one coordinate position a stride, and {x} is none")
        return f"{value}{''.join(f'E{position}' for position in axis)}"
    if x is None:
        return "*"
    if isinstance(x, int) or getattr(x, "is_layout_leaf", False):
        return str(x) if not isinstance(x, int) else to_text(x)
    raise LayoutError(f"fly has no text for {shown(x)}")
