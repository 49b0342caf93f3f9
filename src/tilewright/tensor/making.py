"""Functions that make tensors and take them apart, by the names of the kernel language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.dtypes import dtype as element_type
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.base import LayoutBase
from tilewright.layout.layout import Layout
from tilewright.tensor.tensor import Tensor, fresh

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike
    from tilewright.layout.inttuple import Ints
    from tilewright.tensor.addressing import Addresses
    from tilewright.tensor.memory import Pointer


def make_view(iterator: object, layout: LayoutBase) -> Tensor:
    """The memory from a pointer on, or that of an array, under a layout.

    Raises:
        UsageError: no pointer and no array.
        LayoutError: as of `Tensor`.

    >>> import numpy
    >>> tile = Tensor(numpy.arange(128), Layout((8, 16)))
    >>> make_view(tile.iter + 4, Layout(4, 8)).load().tolist()
    [4, 12, 20, 28]
    """
    if not isinstance(layout, LayoutBase):
        raise LayoutError(f"make_view: expected a layout, got {shown(layout)}")
    return Tensor(iterator, layout)


def make_rmem_tensor(shape_or_layout: Layout[int] | Ints, dtype: DTypeLike) -> Tensor:
    """A tensor of zeros in memory of its own, of a layout, or compact of a shape.

    Raises:
        UsageError: no element type.
        LayoutError: no layout of offsets from 0 on, or more than 2^24 of them.

    >>> make_rmem_tensor((2, 2), "f16").load().tolist()
    [0.0, 0.0, 0.0, 0.0]
    """
    layout = shape_or_layout if isinstance(shape_or_layout, LayoutBase) else Layout(shape_or_layout)
    return Tensor(*fresh(layout, element_type(dtype).numpy()))


def get_layout(tensor: Tensor) -> Addresses:
    """The layout of a tensor: coordinates to offsets, in elements.

    Raises:
        UsageError: no tensor.

    >>> import numpy
    >>> print(get_layout(Tensor(numpy.zeros((2, 4), numpy.float32))))
    (2,4):(4,1)
    """
    return _tensor("get_layout", tensor).layout


def get_iter(tensor: Tensor) -> Pointer:
    """Where the offset 0 of a tensor's layout lies.

    Raises:
        UsageError: no tensor.

    >>> import numpy
    >>> from tilewright.tensor.tensor import Tensor
    >>> get_iter(Tensor(numpy.zeros(8, numpy.float32)))
    <Pointer float32 at 0 of 8>
    """
    return _tensor("get_iter", tensor).iter


def _tensor(name: str, value: object) -> Tensor:
    if not isinstance(value, Tensor):
        raise UsageError(f"{name} is asked of a tensor, got {shown(value)}; write tw.Tensor(array, layout)")
    return value
