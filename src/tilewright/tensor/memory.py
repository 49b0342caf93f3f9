"""`Pointer`: a place in the flat memory of an array, which it shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from tilewright.dtypes import DType, dtype
from tilewright.errors import LayoutError, UsageError, shown

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import CapsuleType

    Elements: TypeAlias = NDArray[Any]  # of the tensor's type

INTERFACE, DLPACK, CPU = "__array_interface__", "__dlpack__", 1


@runtime_checkable
class Exchanged(Protocol):
    """An array of another library, by DLPack."""

    def __dlpack__(self, *, stream: None = None) -> CapsuleType:
        """The capsule that shares its memory."""

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind of its device, and the number."""


@dataclass(frozen=True, eq=False)
class Pointer:
    """The element `place` of `memory`, which is flat: what a layout with value v addresses is `memory[place + v]`.

    >>> import numpy
    >>> (pointer_to(numpy.arange(6.0).reshape(2, 3)) + 4).memory[4].item()
    4.0
    """

    memory: Elements
    place: int = 0

    @property
    def dtype(self) -> DType:
        """The type of its elements."""
        return dtype(self.memory.dtype)

    def __add__(self, offset: int) -> Pointer:
        if type(offset) is not int:
            raise UsageError(f"a pointer moves by an integer number of elements, got {shown(offset)}")
        return Pointer(self.memory, self.place + offset)

    def __repr__(self) -> str:
        return f"<Pointer {self.dtype} at {self.place} of {self.memory.size}>"

    def check(self, least: int, most: int, what: object) -> None:
        """Do the values from `least` to `most` of a layout lie in the memory?

        Raises:
            LayoutError: they leave it.
        """
        low, high = self.place + least, self.place + most
        if low < 0 or high >= self.memory.size:
            reach = (
                f"elements {low} .. {high}" if self.place == 0 else f"elements {low} .. {high}, from {self.place} on,"
            )
            raise LayoutError(
                f"{what} reaches {reach} of a memory of {self.memory.size} elements, 0 .. {self.memory.size - 1}; "
                "take a smaller shape, or a larger array (a tile that does not divide its tensor reaches beyond it)"
            )


def pointer_to(value: object) -> Pointer:
    """The first element of an array, in the memory from the lowest to the highest element of the array.

    Raises:
        UsageError: no array of this machine's memory, elements of no known type, no elements, or strides that are no
            multiples of an element.
    """
    array = array_of(value)
    strides = element_strides(array)
    reach = [(n - 1) * stride for n, stride in zip(array.shape, strides, strict=True)]
    below, above = -sum(r for r in reach if r < 0), sum(r for r in reach if r > 0)
    return Pointer(_flat(array, below + above + 1), below)


def array_of(value: object) -> Elements:
    """The numpy array that shares the memory of an array of any library.

    Raises:
        UsageError: as of `pointer_to`.
    """
    import numpy

    if isinstance(value, numpy.ndarray):
        array = numpy.asarray(value)
    elif hasattr(value, INTERFACE) and not isinstance(value, type | numpy.generic):
        array = _shared(value)
    elif isinstance(value, Exchanged) and not isinstance(value, type | numpy.generic):
        array = _exchanged(value)
    else:
        raise UsageError(f"a tensor is made of an array (numpy's, or of {INTERFACE} or {DLPACK}), got {shown(value)}")
    if array.dtype.hasobject or dtype(array.dtype).numpy() != array.dtype:
        raise UsageError(
            f"a tensor has elements of a number type in this machine's order of bytes, got {array.dtype!r}"
        )
    if not array.size:
        raise UsageError(f"a tensor has at least one element, got an array of shape {array.shape}")
    return array


def element_strides(array: Elements) -> tuple[int, ...]:
    """The strides in elements.

    Raises:
        UsageError: they are no multiples of an element.
    """
    if any(stride % array.itemsize for stride in array.strides):
        raise UsageError(
            f"strides of {array.strides} bytes are no multiples of an element of {array.itemsize} bytes; "
            "copy the array first"
        )
    return tuple(stride // array.itemsize for stride in array.strides)


def _shared(value: object) -> Elements:
    import numpy

    try:
        return numpy.asarray(value)
    except (TypeError, ValueError, AttributeError, RuntimeError) as error:
        raise UsageError(f"{type(value).__name__} has an {INTERFACE} that numpy does not read: {error}") from error


def _exchanged(value: Exchanged) -> Elements:
    import numpy

    try:
        device = value.__dlpack_device__()[0]
        if device != CPU:
            raise UsageError(f"a tensor lies in this machine's memory, got one of DLPack device {shown(int(device))}")
        return numpy.from_dlpack(value)
    except (TypeError, ValueError, AttributeError, RuntimeError, BufferError, IndexError) as error:
        if isinstance(error, UsageError):
            raise
        raise UsageError(f"{type(value).__name__} cannot be shared by DLPack: {error}") from error


def _flat(array: Elements, extent: int) -> Elements:
    """The memory of an array from its lowest element on."""
    from numpy.lib.stride_tricks import as_strided

    upwards = tuple(slice(None, None, -1 if stride < 0 else 1) for stride in array.strides)
    return as_strided(
        array[upwards] if upwards else array, (extent,), (array.itemsize,), writeable=array.flags.writeable
    )
