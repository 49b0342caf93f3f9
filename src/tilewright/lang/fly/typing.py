"""Types by name: `T.f32`, `T.vec(4, T.f16)`, and the builders of the dialect's types."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, IntegerType, VectorType, bf16, f16, f32, f64
from xdsl.ir import Attribute

from tilewright.errors import KernelError, shown
from tilewright.ir.fly.dialect_types import from_text
from tilewright.lang.core.numerics.numeric import DTypeOf, numeric_type
from tilewright.lang.fly.functions.operations import Operation, UniversalAtomic, UniversalCopy, UniversalFMA
from tilewright.lang.fly.values.base import FlyValue
from tilewright.lang.fly.values.enums import AddressSpace, AtomicOp
from tilewright.lang.fly.values.int_tuple import IntTupleLike, int_tuple
from tilewright.lang.fly.values.layouts import LayoutLike, ModeLike, layout_of, tile

__all__ = [
    "BasisType",
    "ComposedLayoutType",
    "CoordSwizzleType",
    "CoordTensorType",
    "CopyAtomType",
    "CopyOpUniversalAtomicType",
    "CopyOpUniversalCopyType",
    "IntTupleType",
    "LayoutType",
    "MemRefType",
    "MmaAtomType",
    "MmaOpUniversalFMAType",
    "PointerType",
    "SwizzleType",
    "T",
    "TileType",
    "TiledCopyType",
    "TiledMmaType",
    "Types",
]


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


def _space(space: AddressSpace | str | int | Attribute) -> str:
    if isinstance(space, int) and not 0 <= space < len(AddressSpace):
        raise KernelError(f"an address space is one of fx.AddressSpace, got {space}")
    found = list(AddressSpace)[space] if isinstance(space, int) else space
    return found.value if isinstance(found, AddressSpace) else str(found)


class PointerType:
    """Types of pointers."""

    @staticmethod
    def get(
        elem_ty: object, address_space: AddressSpace | str | int = AddressSpace.Global, alignment: int | None = None
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
        address_space: AddressSpace | str | int = AddressSpace.Global,
        alignment: int | None = None,
    ) -> Attribute:
        """That of elements of a type, under a layout, in a memory."""
        align = "" if alignment is None else f", align<{alignment}>"
        inner = _text(layout if isinstance(layout, Attribute) else layout_of(layout))
        return from_text(f"!fly.memref<{numeric_type(elem_ty).ir_type}, {_space(address_space)}, {inner}{align}>")


class BasisType:
    """Types of elements of the module of strides."""


class CoordSwizzleType:
    """Types of swizzles of coordinates."""

    @staticmethod
    def get(mask: int, base_row: int, mode_row: Sequence[int], base_col: int, mode_col: Sequence[int]) -> Attribute:
        """That of an XOR of `mask` bits of one mode, from `base_row` on, into another one from `base_col` on.

        >>> print(CoordSwizzleType.get(3, 0, [1], 0, [2]))
        !fly.coord_swizzle<CS<3,0,[1],0,[2]>>
        """
        row, column = (",".join(map(str, mode)) for mode in (mode_row, mode_col))
        return from_text(f"!fly.coord_swizzle<CS<{mask},{base_row},[{row}],{base_col},[{column}]>>")


class CoordTensorType:
    """Types of tensors of coordinates."""

    @staticmethod
    def get(base: IntTupleLike, layout: LayoutLike | Attribute) -> Attribute:
        """That of a coordinate under a layout."""
        inner = _text(layout if isinstance(layout, Attribute) else layout_of(layout))
        return from_text(f"!fly.coord_tensor<{int_tuple(base).text}, {inner}>")


class TiledCopyType:
    """Types of tiled copies."""


class TiledMmaType:
    """Types of tiled MMAs."""


class CopyOpUniversalCopyType:
    """What copies do that every target has."""

    @staticmethod
    def get(bit_size: int) -> Operation:
        """A copy of so many bits."""
        return UniversalCopy(bit_size)


class CopyOpUniversalAtomicType:
    """What atomic copies do that every target has."""

    @staticmethod
    def get(atomic_op: AtomicOp | str, val_type: DTypeOf, syncscope: str = "") -> Operation:
        """An atomic operation."""
        return UniversalAtomic(atomic_op, val_type, syncscope)


class MmaOpUniversalFMAType:
    """What matrix atoms do that every target has."""

    @staticmethod
    def get(ty: DTypeOf) -> Operation:
        """A product of single numbers."""
        return UniversalFMA(ty)


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
