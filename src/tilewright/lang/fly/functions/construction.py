"""Functions that make int tuples, layouts and tiles."""

from __future__ import annotations

from tilewright.errors import KernelError
from tilewright.lang.fly.functions.algebra import composition, raked_product, right_inverse
from tilewright.lang.fly.functions.arithmetic import int_tuple_product_each
from tilewright.lang.fly.functions.queries import get_shape, size
from tilewright.lang.fly.values.base import FlyValue, apply, expect
from tilewright.lang.fly.values.int_tuple import IntTuple, IntTupleLike, int_tuple
from tilewright.lang.fly.values.layouts import (
    AnyLayout,
    ComposedLayout,
    Layout,
    LayoutLike,
    ModeLike,
    Tile,
    layout_of,
    tile,
)
from tilewright.lang.fly.values.memory import Tensor, view

__all__ = [
    "make_composed_layout",
    "make_coord",
    "make_fragment_layout_like",
    "make_identity_layout",
    "make_identity_tensor",
    "make_int_tuple",
    "make_layout",
    "make_layout_like",
    "make_layout_tv",
    "make_ordered_layout",
    "make_shape",
    "make_stride",
    "make_tile",
    "make_view",
    "static",
]


def make_int_tuple(elems: IntTupleLike) -> IntTuple:
    """An int tuple of integers, known or of run time, and None.

    >>> make_int_tuple((4, (None, 2)))
    IntTuple<(4,(*,2))>
    """
    return int_tuple(elems)


def make_shape(*shape: IntTupleLike) -> IntTuple:
    """A shape of these extents.

    >>> make_shape(9, (4, 8))
    IntTuple<(9,(4,8))>
    """
    return int_tuple(tuple(shape))


def make_stride(*stride: IntTupleLike) -> IntTuple:
    """A stride of these steps.

    >>> import tilewright.expr as fx
    >>> fx.make_stride(8, 1)
    IntTuple<(8,1)>
    """
    return int_tuple(tuple(stride))


def make_coord(*coord: IntTupleLike) -> IntTuple:
    """A coordinate of these indices; None stands for all of a mode.

    >>> import tilewright.expr as fx
    >>> fx.make_coord(1, None)
    IntTuple<(1,*)>
    """
    return int_tuple(tuple(coord))


def make_tile(*modes: ModeLike | list[ModeLike]) -> Tile:
    """A tiler: an extent, a layout or None for each mode.

    >>> make_tile(4, None)
    Tile<[4|*]>
    """
    return tile(modes[0] if len(modes) == 1 and isinstance(modes[0], list) else modes)


def make_layout(shape: IntTupleLike, stride: IntTupleLike) -> Layout:
    """The layout of a shape and a stride of its profile.

    >>> make_layout((8, 16), (1, 8))
    Layout<(8,16):(1,8)>
    """
    return expect(apply("make_layout", int_tuple(shape), int_tuple(stride)), Layout, "a layout")


def make_ordered_layout(shape: IntTupleLike, order: IntTupleLike) -> Layout:
    """The compact layout whose modes grow in the order of `order`'s numbers.

    >>> make_ordered_layout((4, 8), (1, 0))
    Layout<(4,8):(8,1)>
    """
    return expect(apply("make_ordered_layout", int_tuple(shape), int_tuple(order)), Layout, "a layout")


def make_layout_like(ref: LayoutLike) -> AnyLayout:
    """The compact layout of a layout's shape, in the order of its strides.

    >>> import tilewright.expr as fx
    >>> fx.make_layout_like(fx.make_layout((4, 8), (8, 1)))
    Layout<(4,8):(8,1)>
    """
    return layout_of(apply("make_layout_like", layout_of(ref)))


def make_identity_layout(shape: IntTupleLike) -> Layout:
    """The layout that maps a coordinate to itself.

    >>> make_identity_layout((4, 8))
    Layout<(4,8):(1E0,1E1)>
    """
    return expect(apply("make_identity_layout", int_tuple(shape)), Layout, "a layout")


def make_identity_tensor(shape: IntTupleLike) -> Tensor:
    """The tensor whose elements are their coordinates.

    >>> import tilewright.expr as fx
    >>> fx.make_identity_tensor((4, 8))
    CoordinateTensor<(0,0), (4,8):(1E0,1E1)>
    """
    return expect(apply("make_identity_tensor", int_tuple(shape)), Tensor, "a tensor")


def make_composed_layout(
    inner: FlyValue, offset_or_outer: IntTupleLike | LayoutLike, outer: LayoutLike | None = None
) -> ComposedLayout:
    """inner(offset + outer(coordinate)): `make_composed_layout(inner, [offset,] outer)`."""
    last = layout_of(offset_or_outer if outer is None else outer)
    offset = apply("coprofile", last) if outer is None else int_tuple(offset_or_outer)  # type: ignore[arg-type]  # an offset
    found = apply("make_composed_layout", expect(inner, FlyValue, "inner"), offset, last)
    return expect(found, ComposedLayout, "a composed layout")


def make_fragment_layout_like(tensor: Tensor | LayoutLike) -> AnyLayout:
    """The layout of registers for a tensor: its first mode compact, then the others in the order of their strides.

    >>> import tilewright.expr as fx
    >>> fx.make_fragment_layout_like(fx.make_layout((4, 8), (8, 1)))
    Layout<(4,8):(1,4)>
    """
    layout = tensor.layout if isinstance(tensor, Tensor) else layout_of(tensor)
    return layout_of(apply("make_fragment_layout_like", layout))


def make_layout_tv(thr_layout: Layout, val_layout: Layout) -> tuple[Tile, Layout]:
    """The tile that threads of a layout cover, each with values of another, and (thread, value) -> element of it.

    >>> make_layout_tv(make_layout((4, 64), (64, 1)), make_layout((4, 8), (8, 1)))
    (Tile<[16|512]>, Layout<((64,4),(8,4)):((128,4),(16,1))>)
    """
    both = expect(raked_product(thr_layout, val_layout), Layout, "a product")
    threads, values = size(thr_layout), size(val_layout)
    order = make_layout((threads, values), (1, threads))
    found = expect(composition(expect(right_inverse(both), Layout, "an inverse"), order), Layout, "a layout")
    extents = int_tuple_product_each(get_shape(both)).to_py_value()
    return tile(extents if isinstance(extents, tuple) else (extents,)), found


def make_view(iter: FlyValue | IntTupleLike, layout: LayoutLike) -> Tensor:
    """A tensor: a pointer, or a coordinate, under a layout."""
    return view(iter, layout)  # type: ignore[arg-type]  # what is neither is refused


def static(result_type: object) -> FlyValue:
    """The value that a type tells whole."""
    from xdsl.ir import Attribute

    from tilewright.ir.fly.dialect_types import FlyType
    from tilewright.lang.fly.values.base import is_whole, wrapped

    if not isinstance(result_type, Attribute) or not isinstance(result_type, FlyType) or not is_whole(result_type):
        raise KernelError(f"static takes a type of fly without run-time integers, got {result_type}")
    return wrapped(result_type, None)
