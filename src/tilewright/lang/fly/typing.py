"""Types by name: `T.f32`, `T.vec(4, T.f16)`, and the builders of the dialect's types."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType, IntegerType, VectorType, bf16, f16, f32, f64
from xdsl.ir import Attribute

from tilewright.errors import KernelError, shown
from tilewright.ir.fly.dialect_types import from_text
from tilewright.lang.core.numerics.numeric import numeric_type
from tilewright.lang.fly.functions.operations import Operation
from tilewright.lang.fly.values.base import FlyValue
from tilewright.lang.fly.values.enums import AddressSpace
from tilewright.lang.fly.values.int_tuple import IntTupleLike, int_tuple
from tilewright.lang.fly.values.layouts import LayoutLike, ModeLike, layout_of, tile


class Types:
    """MLIR's types by their names."""

    index: Attribute = IndexType()
    i1: Attribute = IntegerType(1)
    i8: Attribute = IntegerType(8)
    i16: Attribute = IntegerType(16)
    i32: Attribute = IntegerType(32)
    i64: Attribute = IntegerType(64)
    i128: Attribute = IntegerType(128)
    f16: Attribute = f16
    bf16: Attribute = bf16
    f32: Attribute = f32
    f64: Attribute = f64

    @staticmethod
    def vec(n: int, elem: Attribute) -> Attribute:
        """The type of a vector."""
        return VectorType(elem, [n])

    def __getattr__(self, name: str) -> Attribute:
        """`f32x4`."""
        word, _, count = name.partition("x")
        if word in _VECTORS and count in ("2", "4", "8", "16"):
            return VectorType(getattr(self, word), [int(count)])
        raise AttributeError(f"there is no type {name}")


_VECTORS = ("i8", "i16", "i32", "i64", "f16", "bf16", "f32")
T = Types()


class SwizzleType:
    """Types of swizzles."""

    @staticmethod
    def get(mask: int, base: int, shift: int) -> Attribute:
        """That of an XOR of `mask` bits from `base` on with those `shift` above.

        >>> print(SwizzleType.get(3, 3, 3))
        !fly.swizzle<S<3,3,3>>
        """
        return from_text(f"!fly.swizzle<S<{mask},{base},{shift}>>")


class IntTupleType:
    """Types of int tuples."""

    @staticmethod
    def get(x: IntTupleLike) -> Attribute:
        """That of a known one."""
        return int_tuple(x).type


class TileType:
    """Types of tiles."""

    @staticmethod
    def get(modes: ModeLike | list[ModeLike]) -> Attribute:
        """That of these modes."""
        return tile(modes if isinstance(modes, list | tuple) else (modes,)).type


class LayoutType:
    """Types of layouts."""

    @staticmethod
    def get(shape: IntTupleLike, stride: IntTupleLike) -> Attribute:
        """That of a known shape and stride."""
        return from_text(f"!fly.layout<{int_tuple(shape).text}:{int_tuple(stride).text}>")


class ComposedLayoutType:
    """Types of composed layouts."""

    @staticmethod
    def get(inner: object, offset: IntTupleLike, outer: object) -> Attribute:
        """That of known parts, as values or as types."""
        return from_text(f"!fly.composed_layout<{_text(inner)} o {int_tuple(offset).text} o {_text(outer)}>")


def _text(part: object) -> str:
    if isinstance(part, FlyValue):
        return part.text
    text = str(part)
    if not text.startswith("!fly."):
        raise KernelError(f"expected a layout or its type, got {shown(part)}")
    return text.partition("<")[2][:-1]


def _space(space: AddressSpace | str | Attribute) -> str:
    return space.value if isinstance(space, AddressSpace) else str(space)


class PointerType:
    """Types of pointers."""

    @staticmethod
    def get(
        elem_ty: object, address_space: AddressSpace | str = AddressSpace.Global, alignment: int | None = None
    ) -> Attribute:
        """That to elements of a type in a memory, whose address a number of bytes divides."""
        align = "" if alignment is None else f", align<{alignment}>"
        return from_text(f"!fly.ptr<{numeric_type(elem_ty).ir_type}, {_space(address_space)}{align}>")


class MemRefType:
    """Types of tensors in memory."""

    @staticmethod
    def get(
        elem_ty: object,
        layout: LayoutLike | Attribute,
        address_space: AddressSpace | str = AddressSpace.Global,
        alignment: int | None = None,
    ) -> Attribute:
        """That of elements of a type, under a layout, in a memory."""
        align = "" if alignment is None else f", align<{alignment}>"
        inner = _text(layout if isinstance(layout, Attribute) else layout_of(layout))
        return from_text(f"!fly.memref<{numeric_type(elem_ty).ir_type}, {_space(address_space)}, {inner}{align}>")


class CopyAtomType:
    """Types of copy atoms."""

    @staticmethod
    def get(copy_op: Operation, val_bits: int) -> Attribute:
        """That of an operation on values of so many bits."""
        return from_text(f"!fly.copy_atom<{copy_op}, {val_bits}>")


class MmaAtomType:
    """Types of MMA atoms."""

    @staticmethod
    def get(mma_op: Operation) -> Attribute:
        """That of an operation."""
        return from_text(f"!fly.mma_atom<{mma_op}>")
