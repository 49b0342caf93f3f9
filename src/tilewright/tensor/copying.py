"""`copy`: what one tensor holds to the same coordinates of another, and the width of vector that may move it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError, UsageError, counted, shown
from tilewright.layout.compare import compatible
from tilewright.layout.inttuple import to_text
from tilewright.layout.operations import max_common_vector
from tilewright.tensor.tensor import Tensor

if TYPE_CHECKING:
    from tilewright.tensor.memory import Elements

WIDEST = 128  # bits that one instruction of a thread moves


@dataclass(frozen=True)
class Copied:
    """What a copy moved: so many elements, `vector` of them at a time, of so many bits each."""

    elements: int
    vector: int
    bits: int

    @property
    def vectors(self) -> int:
        """How many vectors that are."""
        return self.elements // self.vector

    def __str__(self) -> str:
        width = f"{counted(self.vector, 'element')} ({self.vector * self.bits} bits)"
        return f"{counted(self.elements, 'element')} in {counted(self.vectors, 'vector')} of {width}"


def copy(src: Tensor, dst: Tensor) -> Copied:
    """dst[c] becomes what src[c] was, for every coordinate c; all are read before any is written.

    The vector is the widest power of two, of at most `max_common_vector` elements and 128 bits, in which the elements
    lie one after the other in both, everywhere, from multiples of the vector on. Places count from the start of each
    array's memory, which is taken to be aligned.

    Raises:
        UsageError: no tensors, of two element types, or memory that is only read.
        LayoutError: shapes whose coordinates are not each other's; two elements of dst in one place.

    >>> import numpy
    >>> from tilewright.layout.layout import Layout
    >>> src = Tensor(numpy.arange(128, dtype="float32"), Layout((8, 16), (16, 1)))
    >>> dst = Tensor(numpy.zeros(160, "float32"), Layout((8, 16), (20, 1)))
    >>> print(copy(src, dst), dst[7, 15])
    128 elements in 32 vectors of 4 elements (128 bits) 127.0
    """
    for tensor in (src, dst):
        if not isinstance(tensor, Tensor):
            raise UsageError(f"copy moves a tensor to a tensor, got {shown(tensor)}; write tw.Tensor(array, layout)")
    if src.dtype != dst.dtype:
        raise UsageError(f"copy moves elements as they are: {src.dtype} is not {dst.dtype}; convert them with .astype")
    if not compatible(src.shape, dst.shape) and not compatible(dst.shape, src.shape):
        raise LayoutError(
            f"copy: the shapes {to_text(src.shape)} and {to_text(dst.shape)} have not the same coordinates"
        )
    dst.store(src.load())
    return Copied(src.size, common_vector(src, dst), src.dtype.bits)


def common_vector(src: Tensor, dst: Tensor) -> int:
    """The elements of the widest vector that moves one tensor to the other."""
    most = min(max_common_vector(src.layout, dst.layout), WIDEST // src.dtype.bits)
    widths = (1 << k for k in reversed(range(max(1, most).bit_length())))
    order = dst.places().argsort()
    sides = [tensor.places()[order] for tensor in (src, dst)]
    return next(n for n in widths if all(_in_runs(side, n) for side in sides))


def _in_runs(places: Elements, n: int) -> bool:
    """Do the places, n at a time, lie one after the other, from a multiple of n on?"""
    if places.size % n:
        return False
    runs = places.reshape(-1, n)
    return bool((runs[:, 0] % n == 0).all() and (runs[:, 1:] == runs[:, :-1] + 1).all())
