"""What lies in memory as one piece: arrays, numbers, structures; how large they are, and where their parts lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeAlias, TypeVar, cast

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import DTypeOf, Numeric, NumericMeta, numeric_type
from tilewright.lang.fly.values.base import expect
from tilewright.lang.fly.values.int_tuple import IntTupleLike
from tilewright.lang.fly.values.layouts import LayoutLike
from tilewright.lang.fly.values.memory import Pointer, Stored, Tensor, recast

__all__ = ["Align", "Array", "Empty", "Storage"]

Piece = TypeVar("Piece")
Lying = TypeVar("Lying", covariant=True)
FIELDS, UNION = "__fx_fields__", "__fx_union__"
SIZE, ALIGN, PEEK, POKE = "__dsl_size_of__", "__dsl_align_of__", "__peek_from_ptr__", "__poke_into_ptr__"
"""The methods of users' own classes that have a place in memory."""


class ArrayType:
    """`Array[element, count, alignment]`."""

    def __init__(self, element: type[Numeric], count: int, align: int | None) -> None:
        if count < 1:
            raise KernelError(f"an array has at least one element, got {count}")
        if element.element.kind == "bool" or element.width < 8:
            raise KernelError(f"{element} has no place of its own in memory; store fx.Int8")
        self.element, self.size = element, count
        self.align = align if align is not None else element.width // 8

    @property
    def bytes(self) -> int:
        """Of all elements."""
        return self.size * self.element.width // 8

    def __repr__(self) -> str:
        return f"Array[{self.element}, {self.size}, {self.align}]"


class _Arrays(type):
    """To type checkers, for whom a subscript of no types is none, the type of an array is `Array`."""

    def __getitem__(cls: type[Piece], given: tuple[DTypeOf, int] | tuple[DTypeOf, int, int]) -> type[Piece]:
        element, count, *align = given
        made = ArrayType(numeric_type(element), int(count), int(align[0]) if align else None)
        return cast("type[Piece]", made)


class Array(metaclass=_Arrays):
    """An array in memory: `[i]`, `[i] = v`, `.ptr`, `.view(layout)`; the type is `Array[element, count, alignment]`."""

    def __init__(self, pointer: Pointer, kind: ArrayType) -> None:
        self.ptr, self.element, self.size, self.align = pointer, kind.element, kind.size, kind.align

    def __getitem__(self, index: IntTupleLike) -> Numeric:
        return expect((self.ptr + index).load(self.element), Numeric, "an element")

    def __setitem__(self, index: IntTupleLike, value: Stored) -> None:
        self.ptr[index] = value

    def view(self, layout: LayoutLike) -> Tensor:
        """The array under a layout."""
        return self.ptr.view(layout)


class Empty:
    """What takes no memory: `allocate(Empty)` gives what peeks as `Empty()`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Empty()"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Empty)

    def __hash__(self) -> int:
        return hash(Empty)


class AlignType:
    """`Align[T, n]`: T at an address that n bytes divide."""

    def __init__(self, kind: object, align: int) -> None:
        self.kind, self.align = kind, align


class Align:
    """`Align[T, n]`: T at an address that n bytes divide."""

    def __class_getitem__(cls, given: tuple[object, int]) -> AlignType:
        kind, align = given
        return AlignType(kind, align)


Storable: TypeAlias = "ArrayType | AlignType | NumericMeta | type"


@dataclass(frozen=True)
class Extent:
    """Bytes, and the bytes that divide the address."""

    size: int
    align: int


def extent(kind: object) -> Extent:
    """How large a type is in memory.

    Raises:
        KernelError: it has no place in memory.
    """
    if isinstance(kind, ArrayType):
        return Extent(kind.bytes, kind.align)
    if kind is Empty:
        return Extent(0, 1)
    if hasattr(kind, SIZE) and hasattr(kind, ALIGN):
        return Extent(int(getattr(kind, SIZE)()), int(getattr(kind, ALIGN)()))
    if isinstance(kind, AlignType):
        inner = extent(kind.kind)
        return Extent(up(inner.size, kind.align), max(inner.align, kind.align))
    if isinstance(kind, NumericMeta) and kind.width >= 8:
        return Extent(kind.width // 8, kind.width // 8)
    places = getattr(kind, FIELDS, None)
    if places is None:
        raise KernelError(f"{shown(kind)} has no place in memory; there are Array, Align, numbers, structs and unions")
    align = max((extent(field).align for field in places.values()), default=1)
    size = max((at + extent(places[name]).size for name, at in offsets(kind).items()), default=0)
    return Extent(up(size, align), align)


def offsets(kind: object) -> dict[str, int]:
    """Where the fields of a structure lie, in bytes; those of a union all at 0."""
    found, at = dict[str, int](), 0
    for name, field in getattr(kind, FIELDS).items():
        one = extent(field)
        at = up(at, one.align)
        found[name] = 0 if getattr(kind, UNION, False) else at
        at += one.size
    return found


def up(value: int, to: int) -> int:
    """The next multiple."""
    return -(-value // to) * to


class Storage(Generic[Lying]):
    """Memory of a type at a pointer to bytes; `Storage[T](pointer)` says the type first.

    Args:
        pointer: to bytes; None where the type takes none.
        kind: what lies there.
    """

    def __init__(self, pointer: Pointer | None, kind: object) -> None:
        self._pointer, self.kind = pointer, kind

    def __class_getitem__(cls, kind: object) -> Callable[[Pointer], Storage[object]]:
        """What makes memory of that type of a pointer."""
        return partial(cast("type[Storage[object]]", cls), kind=kind)

    @property
    def pointer(self) -> Pointer:
        """To its bytes.

        Raises:
            KernelError: it takes none.
        """
        if self._pointer is None:
            raise KernelError(f"{self.kind} takes no memory")
        return self._pointer

    def peek(self) -> Lying:
        """What lies there: an array, a number, or a structure of such."""
        return cast("Lying", Empty() if self.kind is Empty else _peeked(self.pointer, self.kind))

    def poke(self, value: object) -> None:
        """Writes a number, or a structure of them."""
        if self.kind is not Empty:
            _poked(self.pointer, self.kind, value)

    def __getattr__(self, name: str) -> Storage[object]:
        kind = self.__dict__["kind"]
        places = getattr(kind, FIELDS, {})
        if name not in places:
            raise AttributeError(f"{kind} has no field {name}; its fields: {', '.join(places) or 'none'}")
        return Storage(self.pointer + offsets(kind)[name], places[name])


class View:
    """A structure in memory: its fields as they lie there."""

    def __init__(self, pointer: Pointer, kind: object) -> None:
        self._pointer, self._kind = pointer, kind

    def __getattr__(self, name: str) -> object:
        kind = self.__dict__["_kind"]
        places = getattr(kind, FIELDS)
        if name not in places:
            raise AttributeError(f"{kind.__name__} has no field {name}; its fields: {', '.join(places)}")
        return _peeked(self._pointer + offsets(kind)[name], places[name])


def _peeked(pointer: Pointer, kind: object) -> object:
    if kind is Empty:
        return Empty()
    if hasattr(kind, PEEK):
        found: object = getattr(kind, PEEK)(pointer)
        return found
    if isinstance(kind, AlignType):
        return _peeked(pointer, kind.kind)
    if isinstance(kind, ArrayType):
        return Array(recast(pointer, kind.element), kind)
    if isinstance(kind, type) and issubclass(kind, Numeric):
        return recast(pointer, kind).load(kind)
    extent(kind)
    return View(pointer, kind)


def _poked(pointer: Pointer, kind: object, value: object) -> None:
    if kind is Empty:
        return
    if hasattr(kind, POKE):
        getattr(kind, POKE)(pointer, value)
        return
    if isinstance(kind, AlignType):
        _poked(pointer, kind.kind, value)
    elif isinstance(kind, type) and issubclass(kind, Numeric):
        recast(pointer, kind).store(cast("Stored", value))  # which says what it takes
    elif getattr(kind, FIELDS, None) is not None and not getattr(kind, UNION, False):
        for name, at in offsets(kind).items():
            _poked(pointer + at, getattr(kind, FIELDS)[name], getattr(value, name))
    else:
        raise KernelError(f"{shown(kind)} is written part by part")
