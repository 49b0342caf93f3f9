"""Layouts as C++ types of CuTe, as they stand in CUTLASS's sources and in compilers' messages."""

from __future__ import annotations

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import check_depth, in_64_bits
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation.printers import is_tiler

_RUN_TIME = {32: "int", 64: "int64_t"}


def to_cpp(x: object) -> str:
    """The C++ type of CuTe, within `using namespace cute`; `parse` reads it back to the same object.

    `Int<8>` is known when C++ compiles, `int` and `int64_t` when the kernel runs: what divides such a number has no
    type in C++ and is not written. A tuple of numbers is a `Shape`, with layouts in it a `Tile`, `_` is `Underscore`.
    The swizzle of a composed layout counts elements, as everywhere here: its type has no `smem_ptr_flag_bits`.

    Raises:
        LayoutError: it has no type there: named axes, sums of several axes in one stride, objects of other views.

    >>> to_cpp(Layout((4, (2, 8)), (16, (8, 1))))
    'Layout<Shape<Int<4>,Shape<Int<2>,Int<8>>>,Stride<Int<16>,Stride<Int<8>,Int<1>>>>'
    >>> to_cpp(ComposedLayout(Swizzle(3, 3, 3), 0, Layout(8)))
    'ComposedLayout<Swizzle<3,3,3>,Int<0>,Layout<Int<8>,Int<1>>>'
    """
    check_depth(x)
    return _type(x, "Shape")


def _type(x: object, name: str) -> str:
    if isinstance(x, Layout):
        return f"Layout<{_type(x.shape, 'Shape')},{_type(x.stride, 'Stride')}>"
    if isinstance(x, ComposedLayout):
        return f"ComposedLayout<{_type(x.outer, name)},{_type(x.offset, 'Coord')},{_type(x.inner, name)}>"
    if isinstance(x, Swizzle):
        return f"Swizzle<{x.b},{x.m},{x.s}>"
    if isinstance(x, tuple):
        inside = "Tile" if is_tiler(x) else name
        return f"{inside}<{','.join(_type(item, inside) for item in x)}>"
    return _leaf(x)


def _leaf(x: object) -> str:
    if x is None:
        return "Underscore"
    if isinstance(x, SymInt):
        return _RUN_TIME[x.width]
    if type(x) is int:
        return f"Int<{in_64_bits(x)}>"
    if isinstance(x, AxisSum):
        (axis, value), *more = x.terms
        if isinstance(axis, tuple) and not more:
            return f"ScaledBasis<{_leaf(value)},{','.join(map(str, axis))}>"
    raise LayoutError(f"C++ has no type for {shown(x)}")
