"""Functions that ask of int tuples, layouts and tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, cast

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.numeric import Numeric, as_numeric
from tilewright.lang.fly.values.base import FlyValue, apply, expect
from tilewright.lang.fly.values.int_tuple import IntTuple, IntTupleLike, int_tuple, scalar_of
from tilewright.lang.fly.values.layouts import AnyLayout, ComposedLayout, LayoutLike, layout_of, wide_enough
from tilewright.lang.fly.values.layouts import has_none as _has_none
from tilewright.lang.fly.values.memory import Pointer, Tensor

__all__ = [
    "composed_get_inner",
    "composed_get_offset",
    "composed_get_outer",
    "coprofile",
    "coshape",
    "cosize",
    "crd2idx",
    "depth",
    "elem_less",
    "equal",
    "get",
    "get_",
    "get_1d_coord",
    "get_flat_coord",
    "get_hier_coord",
    "get_iter",
    "get_layout",
    "get_leaves",
    "get_scalar",
    "get_shape",
    "get_stride",
    "has_none",
    "idx2crd",
    "rank",
    "size",
]

ShapedLike: TypeAlias = "IntTupleLike | LayoutLike | Tensor"


def shaped(value: object) -> FlyValue:
    """A layout, a tensor, or Python's nested tuple as an int tuple."""
    if isinstance(value, FlyValue):
        return value
    if isinstance(value, int | tuple | list | Numeric):
        return int_tuple(value)
    return layout_of(value)


def get_scalar(int_tuple: IntTupleLike) -> Numeric:
    """The integer that an int tuple is, as a number.

    >>> import tilewright.expr as fx
    >>> fx.get_scalar(fx.make_int_tuple(3))
    Int32(3)
    """
    return scalar_of(_tuple(int_tuple))


def _tuple(value: IntTupleLike) -> IntTuple:
    return int_tuple(value)


def get_leaves(input: IntTupleLike, dynamic_only: bool = False) -> list[Numeric]:
    """The integers of an int tuple, from the left; with `dynamic_only` those that run time alone knows.

    >>> import tilewright.expr as fx
    >>> fx.get_leaves(((2, 3), 4))
    [Int32(2), Int32(3), Int32(4)]
    """
    found = list[Numeric]()

    def walk(part: IntTuple) -> None:
        if not part.is_leaf:
            for inner in part:
                walk(inner)
        elif not (dynamic_only and part.is_static):
            found.append(scalar_of(part))

    walk(_tuple(input))
    return found


def get_shape(layout: LayoutLike | Tensor) -> IntTuple:
    """The shape of a layout or tensor.

    >>> import tilewright.expr as fx
    >>> fx.get_shape(fx.make_layout((4, 8), (8, 1)))
    IntTuple<(4,8)>
    """
    return expect(apply("get_shape", shaped(layout)), IntTuple, "a shape")


def get_stride(layout: LayoutLike | Tensor) -> IntTuple:
    """The stride of a layout or tensor.

    >>> import tilewright.expr as fx
    >>> fx.get_stride(fx.make_layout((4, 8), (8, 1)))
    IntTuple<(8,1)>
    """
    return expect(apply("get_stride", shaped(layout)), IntTuple, "a stride")


def get_layout(memref: Tensor) -> AnyLayout:
    """The layout of a tensor."""
    return expect(memref, Tensor, "memref").layout


def get_iter(memref: Tensor) -> Pointer:
    """The pointer of a tensor; of one of coordinates its first coordinate."""
    return cast("Pointer", expect(memref, Tensor, "memref").iter)


def composed_get_inner(input: ComposedLayout) -> FlyValue:
    """What a composed layout applies last."""
    return expect(input, ComposedLayout, "input").inner


def composed_get_offset(input: ComposedLayout) -> IntTuple:
    """What a composed layout adds between."""
    return expect(input, ComposedLayout, "input").offset


def composed_get_outer(input: ComposedLayout) -> AnyLayout:
    """What a composed layout applies to a coordinate."""
    return expect(input, ComposedLayout, "input").outer


def has_none(value: IntTupleLike) -> bool:
    """Is there a None in a coordinate?"""
    return _has_none(value)


def rank(int_or_tuple: ShapedLike) -> int:
    """How many modes it has.

    >>> rank((4, (8, 2)))
    2
    """
    value = shaped(int_or_tuple)
    return int(getattr(value, "rank", 1))


def depth(int_or_tuple: ShapedLike) -> int:
    """How deep its tuples nest.

    >>> depth((8, (4, 2)))
    2
    """
    value = shaped(int_or_tuple)
    shape = value.shape if isinstance(value, Tensor) else value
    return int(getattr(shape, "depth", 0))


def get(int_tuple: ShapedLike, mode: int | Sequence[int]) -> FlyValue | Numeric:
    """A mode; of an int tuple an integer as a number.

    >>> get((8, 16), 0)
    Int32(8)
    """
    found = get_(int_tuple, mode)
    return scalar_of(found) if isinstance(found, IntTuple) and found.is_leaf else found


def get_(int_tuple: ShapedLike, mode: int | Sequence[int]) -> FlyValue:
    """A mode, or one within one, by its path.

    >>> import tilewright.expr as fx
    >>> fx.get_(fx.make_layout((4, 8), (8, 1)), 1)
    Layout<8:1>
    """
    path = tuple(mode) if isinstance(mode, list | tuple) else (mode,)
    if not all(isinstance(step, int) for step in path):
        raise KernelError(f"a mode is a number, or a path of numbers, got {mode}")
    return expect(apply("get", shaped(int_tuple), mode=path), FlyValue, "a mode")


def size(int_tuple: ShapedLike) -> IntTuple:
    """The product of all extents.

    >>> size((4, (8, 2)))
    IntTuple<64>
    """
    return expect(apply("size", shaped(int_tuple)), IntTuple, "a size")


def cosize(layout: LayoutLike | Tensor) -> IntTuple:
    """One more than the largest index of a layout.

    >>> import tilewright.expr as fx
    >>> fx.cosize(fx.make_layout((4, 8), (8, 1)))
    IntTuple<32>
    """
    return expect(apply("cosize", shaped(layout)), IntTuple, "a cosize")


def coshape(layout: LayoutLike | Tensor) -> IntTuple:
    """One more than the largest coordinate of a layout's codomain, along each of its modes.

    >>> import tilewright.expr as fx
    >>> fx.coshape(fx.make_layout((4, 8), (8, 1)))
    IntTuple<32>
    """
    return expect(apply("coshape", shaped(layout)), IntTuple, "a coshape")


def coprofile(layout: LayoutLike | Tensor) -> IntTuple:
    """Zeros in the profile of a layout's codomain.

    >>> import tilewright.expr as fx
    >>> fx.coprofile(fx.make_layout((4, 8), (8, 1)))
    IntTuple<0>
    """
    return expect(apply("coprofile", shaped(layout)), IntTuple, "a coprofile")


def crd2idx(crd: IntTupleLike, layout: FlyValue | LayoutLike) -> IntTuple:
    """The index of a coordinate.

    >>> from tilewright.lang.fly.values.base import of_text
    >>> crd2idx((3, 5), of_text("!fly.layout<(8,16):(1,8)>"))
    IntTuple<43>
    """
    value = shaped(layout)
    return expect(apply("crd2idx", wide_enough(int_tuple(crd), value.kind), value), IntTuple, "an index")


def idx2crd(index: IntTupleLike, layout: ShapedLike) -> IntTuple:
    """The coordinate of an index.

    >>> import tilewright.expr as fx
    >>> fx.idx2crd(10, fx.make_layout((4, 8), (8, 1)))
    IntTuple<(1,2)>
    """
    return expect(apply("idx2crd", int_tuple(index), shaped(layout)), IntTuple, "a coordinate")


def get_flat_coord(index: IntTupleLike, layout: LayoutLike) -> IntTuple:
    """The coordinate of an index, an integer for each mode."""
    return expect(apply("get_flat_coord", int_tuple(index), layout_of(layout)), IntTuple, "a coordinate")


def get_hier_coord(index: IntTupleLike, layout: LayoutLike) -> IntTuple:
    """The coordinate of an index, nested as the shape is."""
    return expect(apply("get_hier_coord", int_tuple(index), layout_of(layout)), IntTuple, "a coordinate")


def get_1d_coord(index: IntTupleLike, layout: LayoutLike) -> IntTuple:
    """The coordinate of an index as one integer."""
    return expect(apply("get_1d_coord", int_tuple(index), layout_of(layout)), IntTuple, "a coordinate")


def elem_less(lhs: IntTupleLike, rhs: IntTupleLike) -> Numeric:
    """Is every integer less than the other's?

    >>> import tilewright.expr as fx
    >>> fx.elem_less((1, 2), (2, 3))
    Boolean(True)
    """
    return as_numeric(apply("elem_less", shaped(lhs), shaped(rhs)))


def equal(lhs: ShapedLike, rhs: ShapedLike) -> Numeric:
    """Are they the same?"""
    return as_numeric(apply("equal", shaped(lhs), shaped(rhs)))
