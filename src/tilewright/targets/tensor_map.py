"""`TensorMap`: what a tensor copy is told at launch of the tensor in global memory, and of the box that it moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from tilewright.dtypes import DType, dtype
from tilewright.errors import TilewrightError, UsageError, shown

if TYPE_CHECKING:
    from tilewright.atoms.shared_modes import SharedMode
    from tilewright.atoms.tensor_maps import TensorMapArguments

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

MAX_RANK, MAX_BOX, GRAIN = 5, 256, 16
TILE_ALIGNMENT = 128  # of what a box is copied to


@dataclass(frozen=True, eq=False)
class TensorMap:
    """A tensor, which a kernel's parameter with the annotation `T.TensorMap()` takes, and the box of one copy.

    `array` is the tensor itself; its memory is read and written in place, and strides are those of the array. `box` has
    an extent for each dimension, in the array's order; the kernel gives coordinates fastest dimension first, as PTX
    does. In shared memory the box is row-major, then swizzled by `swizzle`, a mode of `tilewright.atoms.smem`: "none",
    "32B", "64B", "128B", "128B_ATOM_32B" and so on. What of a box lies outside the tensor is zero, and is not stored.

    Raises:
        UsageError: what the hardware does not take: strides that are no multiples of 16 bytes, a box above 256 in a
            dimension or with rows of no whole 16 bytes, rows wider than the swizzle's.

    Source: CUDA driver API, cuTensorMapEncodeTiled.

    >>> a = np.zeros((64, 128), np.float16)
    >>> TensorMap(a, (8, 64), "128B").bytes
    1024
    """

    array: Array
    box: tuple[int, ...]
    swizzle: str = "none"

    def __init__(self, array: Array, box: Sequence[int], swizzle: str = "none") -> None:
        plain = isinstance(array, np.ndarray) and not masked(array)
        if not plain or not 1 <= array.ndim <= MAX_RANK or not array.size:
            raise UsageError(f"a tensor map takes a numpy array of 1 to {MAX_RANK} dimensions, got {shown(array)}")
        _mode(swizzle)
        extents = tuple(box) if isinstance(box, Sequence) else ()
        if len(extents) != array.ndim or not all(type(e) is int and 1 <= e <= MAX_BOX for e in extents):
            raise UsageError(f"a box of {array.ndim} extents from 1 to {MAX_BOX}, got {shown(box)}")
        for name, value in (("array", array), ("box", extents), ("swizzle", swizzle)):
            object.__setattr__(self, name, value)
        self._check()

    def _check(self) -> None:
        *outer, inner = self.array.strides
        if inner != self.array.itemsize or any(stride < 0 or stride % GRAIN for stride in outer):
            raise UsageError(
                f"elements lie side by side along the last dimension, and other strides are multiples of {GRAIN} "
                f"bytes; got strides of {self.array.strides} bytes for elements of {self.array.itemsize}"
            )
        row = self.box[-1] * self.array.itemsize
        if row % GRAIN:
            raise UsageError(f"rows of a box are multiples of {GRAIN} bytes, got {row} ({self.box[-1]} elements)")
        if self.mode.swizzled and row > self.mode.span:
            raise UsageError(f"rows of {row} bytes; under swizzle {self.swizzle} a box has {self.mode.span} at most")
        if not self.array.flags.writeable:
            raise UsageError("the array of a tensor map is read-only; pass a copy")

    @property
    def element(self) -> DType:
        """The element type."""
        try:
            return dtype(self.array.dtype)
        except TilewrightError as error:
            raise UsageError(f"a tensor of {self.array.dtype}: {error}") from None

    @property
    def mode(self) -> SharedMode:
        """How the box is swizzled."""
        return _mode(self.swizzle)

    @property
    def bytes(self) -> int:
        """The bytes of a box, which it counts on an mbarrier whether they lie in the tensor or not."""
        return int(np.prod(self.box)) * self.array.itemsize

    @property
    def alignment(self) -> int:
        """The bytes to which a tile in shared memory is aligned."""
        return max(TILE_ALIGNMENT, self.mode.alignment)

    def flat(self) -> Array:
        """The memory from the first element to the last."""
        reach = sum((extent - 1) * stride for extent, stride in zip(self.array.shape, self._strides, strict=True))
        return np.lib.stride_tricks.as_strided(self.array, (reach + 1,), (self.array.itemsize,))

    def positions(self, coordinates: Sequence[Array]) -> tuple[Array, Array]:
        """Of boxes whose first elements lie there (fastest dimension first): positions in `flat`, and which are inside.

        Both by (box, element), elements row-major; positions outside are 0.

        Raises:
            UsageError: no vector of integers for each dimension.
        """
        if not isinstance(coordinates, Sequence) or not all(map(_is_vector, coordinates)):
            raise UsageError(f"coordinates of boxes are vectors of integers, got {shown(coordinates)}")
        if len(coordinates) != len(self.box):
            raise UsageError(f"{len(coordinates)} coordinates for a tensor of {len(self.box)} dimensions")
        at, inside = np.zeros(1, np.int64), np.ones(1, bool)
        grid = np.indices(self.box).reshape(len(self.box), -1)
        for axis, (start, offset) in enumerate(zip(reversed(coordinates), grid, strict=True)):
            index = start[:, None] + offset
            at = at + index * self._strides[axis]
            inside = inside & (index >= 0) & (index < self.array.shape[axis])
        return np.where(inside, at, 0), inside

    def places(self) -> Array:
        """Where the elements of a box, row-major, lie in its tile, in elements."""
        from tilewright.atoms.tensor_maps import tile_of  # as in `_mode`

        order = np.arange(int(np.prod(self.box)), dtype=np.int64)
        return np.asarray(tile_of(self.box[::-1], self.mode, self.element.bits)(order))

    @property
    def arguments(self) -> TensorMapArguments:
        """What the driver is told of it, beside the tensor's address.

        >>> print(TensorMap(np.zeros((64, 128), np.float16), (8, 64), "128B").arguments.tile)
        Sw<3,3,3> o 0 o (64,8):(1,64)
        """
        from tilewright.atoms.tensor_maps import TensorMapArguments  # as in `_mode`

        strides = tuple(reversed(self.array.strides[:-1]))
        return TensorMapArguments(self.element.name, self.array.shape[::-1], strides, self.box[::-1], self.swizzle)

    @property
    def _strides(self) -> tuple[int, ...]:
        return tuple(stride // self.array.itemsize for stride in self.array.strides)


def masked(value: object) -> bool:
    """Is it an array with a mask, which no kernel knows?

    >>> masked(np.ma.masked_array([1, 2], [0, 1])), masked(np.arange(2)), masked(3)
    (True, False, False)
    """
    # numpy.ma takes longer to load than a small kernel to run: a plain array is none of its, and does not ask
    return isinstance(value, np.ndarray) and type(value) is not np.ndarray and isinstance(value, np.ma.MaskedArray)


def _is_vector(value: object) -> bool:
    return isinstance(value, np.ndarray) and value.ndim == 1 and value.dtype.kind in "iu"


def _mode(name: object) -> SharedMode:
    from tilewright.atoms.shared_modes import shared_mode  # the catalog beside it takes time to load

    return shared_mode(name)
