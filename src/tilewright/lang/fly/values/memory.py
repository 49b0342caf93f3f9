"""Pointers and tensors: memory of a launch, of a block, of a thread; and tensors of coordinates."""

from __future__ import annotations

from typing import ClassVar, NoReturn, TypeAlias, cast, overload

from tilewright.dtypes import dtype
from tilewright.errors import KernelError, shown
from tilewright.ir.fly.types import MemRef
from tilewright.ir.fly.types import Pointer as PointerKind
from tilewright.lang.core.numerics.elements import ir_type
from tilewright.lang.core.numerics.number import anything
from tilewright.lang.core.numerics.numeric import DTypeOf, Numeric, NumericLike, as_numeric, class_of, numeric_type
from tilewright.lang.core.numerics.types import Boolean, Float
from tilewright.lang.core.numerics.vector import Vector, VectorShape
from tilewright.lang.fly.values.base import FlyValue, apply, expect, of_text, perform
from tilewright.lang.fly.values.enums import AddressSpace
from tilewright.lang.fly.values.int_tuple import IntTuple, IntTupleLike, int_tuple
from tilewright.lang.fly.values.layouts import AnyLayout, LayoutLike, has_none, layout_of, wide_enough

Coordinate: TypeAlias = "IntTupleLike | slice | None"
Stored: TypeAlias = "NumericLike | Vector"
SPACES = {
    "generic": AddressSpace.Generic,
    "global": AddressSpace.Global,
    "shared": AddressSpace.Shared,
    "register": AddressSpace.Register,
}


def element_class(name: str) -> type[Numeric]:
    """The class of the elements of a type's text; integers without a sign are signed."""
    return class_of(dtype(name))


class Pointer(FlyValue):
    """A typed pointer."""

    named: ClassVar[str] = "fly.ptr"
    __slots__ = ()

    @property
    def _pointer(self) -> PointerKind:
        assert isinstance(self.kind, PointerKind)
        return self.kind

    @property
    def element_type(self) -> type[Numeric]:
        """The class of the elements that it points at."""
        return element_class(self._pointer.element)

    dtype = value_type = element_type

    @property
    def address_space(self) -> AddressSpace | str:
        """Where it points."""
        return SPACES.get(self._pointer.space, self._pointer.space)

    memspace = address_space

    @property
    def alignment(self) -> int:
        """Bytes that are known to divide the address."""
        return self._pointer.align

    @property
    def llvm_ptr(self) -> FlyValue:
        """The pointer itself: there is no other here."""
        return self

    def load(self, dtype: DTypeOf | None = None) -> Numeric | Vector:
        """The element, or one of another type that lies there."""
        return load(self, dtype)

    def store(self, value: Stored) -> None:
        """Writes an element, or a vector of them."""
        store(value, self)

    def __getitem__(self, index: IntTupleLike) -> Numeric | Vector:
        return (self + index).load()

    def __setitem__(self, index: IntTupleLike, value: Stored) -> None:
        (self + index).store(value)

    def __add__(self, offset: IntTupleLike) -> Pointer:
        return expect(apply("add_offset", self, int_tuple(offset)), Pointer, "a pointer")

    __radd__ = __add__

    def __sub__(self, offset: NumericLike) -> Pointer:
        return self + as_numeric(-as_numeric(offset))

    def view(self, layout: LayoutLike) -> Tensor:
        """The memory from here on under a layout."""
        return expect(apply("make_view", self, layout_of(layout)), Tensor, "a tensor")


def load(pointer: Pointer, kind: object = None) -> Numeric | Vector:
    """What a pointer points at: an element, or what a type says that lies there."""
    wanted = pointer.element_type.ir_type if kind is None else _ir_type(kind)
    found = apply("ptr.load", pointer, result=str(wanted))
    assert isinstance(found, Numeric | Vector)
    if isinstance(kind, type) and issubclass(kind, Numeric) and isinstance(found, Numeric):
        return found if kind.element == found.element else found.bitcast(kind)
    return found


def _ir_type(kind: object) -> object:
    """The MLIR type of a class, a vector's alias, or an MLIR type."""
    made = getattr(kind, "ir_type", None)
    if made is not None:
        return made
    try:
        return numeric_type(kind).ir_type
    except KernelError:
        return kind


def store(value: Stored, pointer: Pointer) -> None:
    """Writes a value where a pointer points; Python's numbers take the element's type."""
    perform("ptr.store", fitting(value, pointer.element_type, bits_only=True), pointer)


def fitting(value: Stored, element: type[Numeric], bits_only: bool = False) -> Numeric | Vector:
    """A value as it is written into memory of an element type.

    Raises:
        KernelError: it has another type: the bits would be written, not the number. A known integer has more bits.
    """
    if isinstance(value, bool | int | float):
        return _known(value, element)
    if not isinstance(value, Numeric | Vector):
        value = as_numeric(value)
    given = value.dtype
    same = ir_type(given.element) == ir_type(element.element)
    if isinstance(value, Numeric) and value.is_static() and not same:
        return _known(value.number.value, element)
    if not same and not (bits_only and isinstance(value, Vector) and not issubclass(given, Float)):
        raise KernelError(f"memory of {element} takes no {given}; convert it with .to(fx.{element})")
    return value


def _known(value: object, element: type[Numeric]) -> Numeric:
    """A known number as one of a type: of integers its bits, with either sign."""
    bits = element.element.bits
    wide = not issubclass(element, Float | Boolean) and type(value) is int and not -(1 << bits - 1) <= value < 1 << bits
    if wide:
        raise KernelError(
            f"memory of {element} takes no {shown(value)}, which has more than {bits} bits; fx.{element}(..) drops them"
        )
    return element(value)


class Tensor(FlyValue):
    """A tensor: a pointer under a layout, or coordinates under one."""

    named: ClassVar[str] = "fly.memref"
    __slots__ = ()

    @property
    def _view(self) -> MemRef:
        if not isinstance(self.kind, MemRef):
            raise KernelError(f"{self} has coordinates, not elements of memory")
        return self.kind

    @property
    def element_type(self) -> type[Numeric]:
        """The class of its elements."""
        return element_class(self._view.pointer.element)

    dtype = value_type = element_type

    @property
    def address_space(self) -> AddressSpace | str:
        """Where its memory is."""
        return SPACES.get(self._view.pointer.space, self._view.pointer.space)

    memspace = address_space

    @property
    def alignment(self) -> int:
        """Bytes that are known to divide its address."""
        return self._view.pointer.align

    @property
    def layout(self) -> AnyLayout:
        """Its layout."""
        return layout_of(apply("get_layout", self))

    @property
    def shape(self) -> IntTuple:
        """Its shape."""
        return self.layout.shape

    @property
    def stride(self) -> IntTuple:
        """Its stride."""
        return expect(apply("get_stride", self.layout), IntTuple, "a stride")

    @property
    def leading_dim(self) -> int:
        """The first mode whose stride is 1."""
        stride = self.stride.kind
        modes = stride if isinstance(stride, tuple) else (stride,)
        found = next((i for i, d in enumerate(modes) if d == 1), None)
        if found is None:
            raise KernelError(f"no mode of {self} has stride 1")
        return found

    @property
    def rank(self) -> int:
        """How many modes it has."""
        return self.layout.rank

    @property
    def iter(self) -> Pointer | IntTuple:
        """What the layout adds to: a pointer, or a coordinate."""
        found = apply("get_iter", self)
        assert isinstance(found, Pointer | IntTuple)
        return found

    def load(self) -> Vector:
        """All elements as a vector."""
        found = expect(apply("memref.load_vec", self), Vector, "a vector")
        return Vector.of(found.number, _shape(self))

    def store(self, vector: Numeric | Vector) -> None:
        """Writes all elements.

        Raises:
            KernelError: the vector has another number of elements, or another type.
        """
        given = expect(vector, Vector, "what a tensor stores")
        perform("memref.store_vec", fitting(given, self.element_type), self)

    def vector_at(self, kind: object, indices: tuple[IntTupleLike, ...]) -> Vector:
        """The vector of a type that begins at an element."""
        return expect(load(self._place(indices), kind), Vector, "a vector")

    def store_vector_at(self, vector: Vector, indices: tuple[IntTupleLike, ...]) -> None:
        """Writes a vector from an element on."""
        store(vector, self._place(indices))

    def _place(self, indices: tuple[IntTupleLike, ...]) -> Pointer:
        coord = int_tuple(indices if len(indices) != 1 else indices[0])
        at = expect(self.layout(coord), IntTuple, "an offset")
        return expect(self.iter, Pointer, "a pointer") + at

    def fill(self, value: NumericLike) -> None:
        """Writes one number into all elements."""
        count = _count(self)
        self.store(Vector.filled(count, self.element_type(value), self.element_type))

    @overload
    def __getitem__(self, coord: tuple[None, *tuple[Coordinate, ...]]) -> Tensor: ...
    @overload
    def __getitem__(self, coord: tuple[*tuple[Coordinate, ...], None]) -> Tensor: ...
    @overload
    def __getitem__(self, coord: int | Numeric | tuple[int | Numeric, ...]) -> Numeric: ...
    @overload
    def __getitem__(self, coord: Coordinate | tuple[Coordinate, ...]) -> Tensor | Numeric | IntTuple: ...
    def __getitem__(self, coord: Coordinate | tuple[Coordinate, ...]) -> Tensor | Numeric | IntTuple:
        """The element at a coordinate; with `None` in it, the tensor of the modes that are left."""
        given = wide_enough(_coordinate(coord), getattr(self.kind, "layout", None))
        if has_none(given):
            return expect(apply("slice", self, given), Tensor, "a tensor")
        found = apply("memref.load", self, _checked(self, given))
        assert isinstance(found, Numeric | IntTuple)
        return found

    def __setitem__(self, coord: Coordinate | tuple[Coordinate, ...], value: Stored) -> None:
        given = wide_enough(_coordinate(coord), getattr(self.kind, "layout", None))
        if has_none(given):
            part = expect(apply("slice", self, given), Tensor, "a tensor")
            part.store(value) if isinstance(value, Vector) else part.fill(value)
        else:
            perform("memref.store", fitting(value, self.element_type), self, _checked(self, given))

    def __iter__(self) -> NoReturn:
        raise KernelError("a tensor is not iterated; write `for i in fx.range_constexpr(n)` and index it")

    def __len__(self) -> int:
        raise KernelError("a tensor has no len; its shape is t.shape, its extent along a mode t.shape[mode]")


class CoordinateTensor(Tensor):
    """A tensor of coordinates."""

    named: ClassVar[str] = "fly.coord_tensor"
    __slots__ = ()


def _shape(tensor: Tensor) -> VectorShape:
    """The shape of a tensor's vector: known extents, nested as they are."""
    _count(tensor)
    return cast("VectorShape", tensor.shape.to_py_value())


def leave_undefined(tensor: Tensor) -> None:
    """Writes into all elements what is not to be stored: they may be worked with, as nothing tells what they hold."""
    count = _count(tensor)
    tensor.store(Vector.of(anything(tensor.element_type.element, (count,)), count))


def _count(tensor: Tensor) -> int:
    from math import prod

    from tilewright.layout.inttuple import leaves

    found = [x for x in leaves(tensor.layout.shape.kind) if isinstance(x, int)]  # type: ignore[arg-type]  # an int tuple
    if not tensor.layout.shape.is_static:
        raise KernelError(f"{tensor} has extents that only run time knows; a vector has a known number of elements")
    return prod(found)


def _coordinate(coord: object) -> IntTuple:
    given = coord if isinstance(coord, tuple) else (coord,)
    if any(x is Ellipsis or isinstance(x, slice) for x in given):
        raise KernelError("a tensor is sliced by None in a coordinate: t[None, j]; there are no ranges of indices")
    return int_tuple(coord)  # type: ignore[arg-type]  # what is none is refused


def _checked(tensor: Tensor, coord: IntTuple) -> IntTuple:
    """The coordinate; a known one lies within the tensor's known extents."""
    shape = tensor.shape.kind
    kind = coord.kind
    pairs = zip(kind, shape, strict=False) if isinstance(kind, tuple) and isinstance(shape, tuple) else ((kind, shape),)
    for at, extent in pairs:
        if isinstance(at, int) and (at < 0 or (isinstance(extent, int) and at >= extent)):
            raise KernelError(
                f"coordinate {shown(at)} is outside of a tensor of shape {tensor.shape.text}; coordinates begin at 0"
            )
    return coord


def view(iterator: Pointer | IntTupleLike, layout: LayoutLike) -> Tensor:
    """A pointer, or a coordinate, under a layout."""
    start = iterator if isinstance(iterator, Pointer) else int_tuple(iterator)
    return expect(apply("make_view", start, layout_of(layout)), Tensor, "a tensor")


def pointer_text(element: type[Numeric], space: str, align: int | None = None) -> str:
    """The text of a pointer's type."""
    name = str(element.ir_type)
    return f"!fly.ptr<{name}, {space}{'' if align is None else f', align<{align}>'}>"


def recast(pointer: Pointer, element: type[Numeric]) -> Pointer:
    """The same address as a pointer to other elements."""
    kind = pointer._pointer
    bytes_ = max(1, element.width // 8)
    align = max(kind.align, 1)
    swizzle = f", {of_swizzle(kind)}" if kind.swizzle is not None else ""
    if align % bytes_:
        raise KernelError(
            f"elements of {element} lie at multiples of {bytes_} bytes, and this pointer promises {align}; "
            f"flyc.from_dlpack(x, assumed_align={bytes_}) promises more, and so does fx.PointerType.get(..)"
        )
    natural = f", align<{align}>" if align != bytes_ else ""
    text = f"!fly.ptr<{element.ir_type}, {kind.space}{natural}{swizzle}>"
    if of_text_type(text) == pointer.type:
        return pointer
    return expect(apply("recast_iter", pointer, result=text), Pointer, "a pointer")


def of_swizzle(kind: PointerKind) -> str:
    """The text of a pointer's swizzle."""
    from tilewright.notation.printers import to_fly

    return to_fly(kind.swizzle)


def of_text_type(text: str) -> object:
    """The type of a text."""
    from tilewright.ir.fly.dialect_types import from_text

    return from_text(text)


__all__ = ["CoordinateTensor", "Pointer", "Tensor", "fitting", "load", "of_text", "recast", "store", "view"]
