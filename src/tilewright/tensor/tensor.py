"""`Tensor`: memory under a layout, to be looked at, cut and written, now; the names are those of a kernel's tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from tilewright.dtypes import dtype as element_type
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.drawn import Drawn
from tilewright.layout.indexing import keeps
from tilewright.layout.layout import Layout
from tilewright.layout.predicates import counterexample, is_injective
from tilewright.layout.query import get_stride, rank
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.view import View, changed
from tilewright.tensor.addressing import addresses, addressing, coordinate, in_order, reach, start_and_rest
from tilewright.tensor.memory import Pointer, array_of, element_strides, pointer_to
from tilewright.tensor.ranges import chosen, spread
from tilewright.tensor.stored import one, several

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import EllipsisType
    from typing import Self, TypeAlias

    import numpy
    from numpy import generic
    from numpy.typing import DTypeLike

    from tilewright.dtypes import DType
    from tilewright.dtypes import DTypeLike as ElementType
    from tilewright.layout.base import LayoutBase
    from tilewright.layout.indexing import KnownCoord
    from tilewright.layout.inttuple import IntTuple
    from tilewright.layout.view import Change
    from tilewright.tensor.addressing import Addresses
    from tilewright.tensor.memory import Elements
    from tilewright.tensor.stored import Stored

    Kept: TypeAlias = slice | EllipsisType | None
    Part: TypeAlias = KnownCoord | slice | EllipsisType

MOST_NEW = 1 << 24


class Tensor(View, Drawn):
    """An array's own memory under a layout: `t[c]` is the element at `layout(c)`, counted from the array's first.

    Args:
        array: numpy's, or one of any library that has `__array_interface__` or, in this machine's memory, `__dlpack__`.
            Of any strides: its memory reaches from its lowest element to its highest, and a layout counts from the
            array's first element.
        layout: a plain or swizzled layout whose offsets, in elements, lie in that memory. Without it, the array's own
            shape and strides.

    Raises:
        UsageError: no such array, or elements of no known type.
        LayoutError: offsets outside of the memory, run-time sizes, values that are no offsets.

    >>> import numpy
    >>> tile = Tensor(numpy.arange(128.0), Layout((8, 16), (16, 1)))
    >>> tile[2, 5].item(), tile[3, None].layout, tile.logical_divide((2, 4)).shape
    (37.0, Layout(16, 1), ((2, 4), (4, 4)))
    """

    __slots__ = ("_layout", "iter")

    iter: Pointer  # where its layout's offset 0 lies

    def __init__(self, array: object, layout: object = None) -> None:
        found = array if isinstance(array, Pointer) else pointer_to(array)
        own = _own_layout(array) if layout is None else addressing(layout)
        start, self._layout = start_and_rest(own)
        self.iter = found + start
        self.iter.check(*reach(self._layout), own)

    @property
    def layout(self) -> Addresses:
        """Coordinates to offsets from `iter`, in elements."""
        return self._layout

    @property
    def size(self) -> int:
        """The number of coordinates."""
        return int(self.layout.size)

    @property
    def rank(self) -> int:
        """The number of top-level modes."""
        return rank(self.shape)

    @property
    def stride(self) -> IntTuple:
        """The strides, in elements.

        Raises:
            LayoutError: a swizzled layout has none.
        """
        return get_stride(self.layout)

    @property
    def dtype(self) -> DType:
        """The type of its elements."""
        return self.iter.dtype

    element_type = value_type = dtype

    @property
    def placed(self) -> LayoutBase:
        """The layout, its offsets counted from the first element of the array's memory."""
        return ComposedLayout(Swizzle(0, 0, 0), self.iter.place, self.layout) if self.iter.place else self.layout

    @property
    def element_bits(self) -> int:
        """The bits of an element."""
        return self.dtype.bits

    def over_layout(self, change: Change) -> Self:
        """The same memory under what `change` makes of the layout.

        Raises:
            LayoutError: what it makes is no layout of offsets in the memory.
        """
        return type(self)(self.iter, changed(self.layout, change))

    def afresh(self, change: Change, dtype: ElementType | None = None) -> Self:
        """New memory of zeros, of the same element type or of `dtype`, under what `change` makes of the layout.

        Raises:
            LayoutError: what it makes is no layout of offsets from 0 on.
            UsageError: no element type.
        """
        kind = self.iter.memory.dtype if dtype is None else element_type(dtype).numpy()
        return type(self)(*fresh(changed(self.layout, change), kind))

    def numpy(self) -> Elements:
        """The elements as a new array, a dimension a mode: `[c0, c1, ..]` is `t[c0, c1, ..]`.

        >>> import numpy
        >>> Tensor(numpy.arange(6), Layout((2, 3), (3, 1))).numpy().tolist()
        [[0, 1, 2], [3, 4, 5]]
        """
        return self.iter.memory[self.iter.place + addresses(self.layout)]

    def load(self) -> Elements:
        """All elements one after the other, the first mode fastest.

        >>> import numpy
        >>> Tensor(numpy.arange(6), Layout((2, 3), (3, 1))).load().tolist()
        [0, 3, 1, 4, 2, 5]
        """
        return self.iter.memory[self.places()]

    def store(self, vector: Stored, where: Elements | None = None) -> None:
        """Writes all elements: one after the other as `load` gives them, or of an array of the shape of `numpy()`.

        With `where`, truth values in the order of `load`, only those for which it holds.

        Raises:
            UsageError: elements of another number or type, or memory that is only read.
            LayoutError: two of them would be written to one place.
        """
        shared = counterexample(is_injective, self.layout)
        if shared is not None:
            raise LayoutError(f"{self.layout} writes two elements to one place: {shared}")
        places, values = self.places(), several(vector, self.dtype, addresses(self.layout).shape)
        if where is not None:
            places, values = places[where], values[where]
        self._write(places, values)

    def fill(self, value: complex) -> None:
        """Writes one number into all elements."""
        self._write(self.places(), one(value, self.dtype))

    def places(self) -> Elements:
        """Where in the memory the elements lie, in the order of `load`."""
        return self.iter.place + in_order(self.layout)

    def _write(self, places: int | Elements, values: Elements) -> None:
        if not self.iter.memory.flags.writeable:
            raise UsageError("the memory of this tensor is only read; make it of a copy of the array")
        self.iter.memory[places] = values

    @overload
    def __getitem__(self, coord: Kept) -> Self: ...
    @overload
    def __getitem__(self, coord: tuple[Kept, *tuple[Part, ...]]) -> Self: ...
    @overload
    def __getitem__(self, coord: tuple[*tuple[Part, ...], Kept]) -> Self: ...
    @overload
    def __getitem__(self, coord: int | tuple[int, ...]) -> generic: ...
    @overload
    def __getitem__(self, coord: Part | tuple[Part, ...]) -> Self | generic: ...
    def __getitem__(self, coord: Part | tuple[Part, ...]) -> Self | generic:
        """The element at a coordinate; with None (or `:`) in it the tensor of the modes that are kept.

        One mode that is kept alone is the tensor's shape, as in a kernel; `slice` keeps the brackets around it. Slices
        of Python choose elements of a mode, `...` stands for the modes that are not named; of integers none is below 0,
        where an array would count from the end and a kernel looks before the first element.

        >>> import numpy
        >>> tile = Tensor(numpy.arange(128), Layout((8, 16)))
        >>> int(tile[3, 2]), tile[3, None].load()[:4].tolist()
        (19, [3, 11, 19, 27])
        >>> tile[2:6:2, -2:].numpy().tolist(), tile[..., 3].load()[:2].tolist()
        ([[114, 122], [116, 124]], [24, 25])
        """
        whole, key = chosen(self, spread(coord, self.rank))
        where = coordinate(key, whole.layout)
        if keeps(where):
            return whole._kept(where)
        found: generic = self.iter.memory[self.iter.place + self.layout(where)]
        return found

    def __setitem__(self, coord: Part | tuple[Part, ...], value: Stored | Tensor) -> None:
        whole, key = chosen(self, spread(coord, self.rank))
        where = coordinate(key, whole.layout)
        if not keeps(where):
            self._write(self.iter.place + self.layout(where), one(value, self.dtype))
        elif isinstance(value, int | float | complex):
            whole._kept(where).fill(value)
        else:
            whole._kept(where).store(value.numpy() if isinstance(value, Tensor) else value)

    def _kept(self, where: KnownCoord) -> Self:
        """The modes that a coordinate keeps; one alone is the tensor's shape."""
        kept = self.slice(where)
        return kept.get(0) if where is not None and kept.rank == 1 and isinstance(kept.shape, tuple) else kept

    def __len__(self) -> int:
        """The number of elements of a tensor of one mode, as of an array of one dimension.

        Raises:
            UsageError: several modes, of which an array would count the first and an index counts all elements.

        >>> import numpy
        >>> row = Tensor(numpy.arange(8).reshape(2, 4))[1, None]
        >>> len(row), [int(element) for element in row]
        (4, [4, 5, 6, 7])
        """
        self._require_one_mode("has a length")
        return self.size

    def __iter__(self) -> Iterator[generic]:
        self._require_one_mode("is iterated")
        return iter(self.load())

    def __bool__(self) -> bool:
        raise UsageError("a tensor is neither true nor false; t.load().any() and t.load().all() are")

    def _require_one_mode(self, what: str) -> None:
        if isinstance(self.shape, tuple) and len(self.shape) != 1:
            raise UsageError(
                f"a tensor of one mode {what}, {self!r} has {self.rank}; t.size, t.shape and t.rank tell its numbers, "
                "t.load() has its elements one after the other, t.numpy() as an array"
            )

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Elements:
        """The same as `numpy()`, for numpy's own functions."""
        if copy is False:
            raise UsageError("the elements of a tensor are gathered into a new array: copy=False cannot be")
        found = self.numpy()
        return found if dtype is None else found.astype(dtype)

    def __repr__(self) -> str:
        return f"<Tensor {self.dtype} at {self.iter.place} o {self.layout}>"

    def __str__(self) -> str:
        from numpy import array2string

        return f"{self.dtype} at {self.iter.place} o {self.layout}\n{array2string(self.numpy())}"


def fresh(layout: object, kind: numpy.dtype[Any]) -> tuple[Pointer, Addresses]:
    """New memory of zeros, as much as the layout asks for, and the layout."""
    import numpy

    own = addressing(layout)
    extent = max(0, reach(own)[1]) + 1
    if extent > MOST_NEW:
        raise LayoutError(f"{own} asks for {extent} new elements: at most {MOST_NEW}; make the array yourself")
    return Pointer(numpy.zeros(extent, kind)), own


def _own_layout(array: object) -> Layout[int]:
    if isinstance(array, Pointer):
        raise LayoutError("a pointer has no layout of its own; write Tensor(pointer, layout)")
    held = array_of(array)
    return Layout(held.shape, element_strides(held))
