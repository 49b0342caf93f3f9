"""The `tile` dialect: buffers with layouts, regions of them, tile primitives, synchronisation.

A primitive takes regions, so that a second one (`copy`, `gemm`) is one more small class below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    DenseArrayBase,
    IndexType,
    IntegerAttr,
    MemRefType,
    StringAttr,
    i64,
)
from xdsl.dialects.utils.dynamic_index_list import (
    get_dynamic_index_list,
    parse_dynamic_index_list_without_types,
    print_dynamic_index_list,
    split_dynamic_index_list,
)
from xdsl.ir import Attribute, Dialect, SSAValue
from xdsl.irdl import (
    AnyAttr,
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryAllocEffect, MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.core.attributes import OFFSET
from tilewright.ir.core.lanes import WarpSizeOp
from tilewright.ir.core.lookup import LookupOp
from tilewright.ir.core.narrowing import NarrowOp
from tilewright.ir.memory import storage_elements
from tilewright.ir.tile.address import AddressOp, AddressType
from tilewright.ir.tile.among import AMONG
from tilewright.ir.tile.asynchronous import ASYNCHRONOUS
from tilewright.ir.tile.atomic_vectors import VECTORS
from tilewright.ir.tile.atoms import ATOM_OPS
from tilewright.ir.tile.bits import BITS_OPS
from tilewright.ir.tile.bulk import TensorMapType
from tilewright.ir.tile.cluster import CLUSTER_OPS
from tilewright.ir.tile.descriptors import MatrixDescriptorOp
from tilewright.ir.tile.ordered import ORDERED, ORDERS
from tilewright.ir.tile.ordered import SCOPES as ORDER_SCOPES
from tilewright.ir.tile.pairs import PairOp
from tilewright.ir.tile.printing import PRINTING
from tilewright.ir.tile.remote import RemoteOp
from tilewright.ir.tile.scaled import ScaledMmaOp
from tilewright.ir.tile.sparse import SPARSE_OPS
from tilewright.ir.tile.tcgen05 import TCGEN05_OPS
from tilewright.ir.tile.tmem import TMEM_OPS
from tilewright.ir.tile.together import TOGETHER
from tilewright.ir.tile.types import LOCAL, BufferType, RegionType
from tilewright.ir.tile.wgmma import WGMMA_OPS

ATOMICS = ("add", "min", "max", "and", "or", "xor", "exch")
# Beside these: of integers without a sign in memory that has them with one; of floats, where a NaN is passed over.
ATOMIC_KINDS = (*ATOMICS, "umin", "umax", "fmin", "fmax")


@irdl_op_definition
class MatchBufferOp(IRDLOperation):
    """Views flat memory, an argument or the storage of another buffer, as a buffer with a shape and a layout.

    With an `offset` it begins so many elements further on.
    """

    name = "tile.match_buffer"
    source = operand_def(MemRefType)
    offset = opt_operand_def(IndexType())
    result = result_def(BufferType)
    traits = traits_def(Pure())
    assembly_format = "$source (`at` $offset^)? attr-dict `:` type($source) `->` type($result)"

    def __init__(self, source: SSAValue, buffer: BufferType, offset: SSAValue | None = None) -> None:
        super().__init__(operands=[source, offset], result_types=[buffer])

    def verify_(self) -> None:
        """The memory holds at least every element that the layout reaches; only memory of several lanes is shifted."""
        if self.offset is not None and self.result.type.scope == LOCAL:
            raise VerifyException("a view of registers begins at a constant offset")
        _check_storage(self.result.type, cast("MemRefType[Attribute]", self.source.type))


@irdl_op_definition
class AllocBufferOp(IRDLOperation):
    """Allocates a buffer: `shared` once a block, `local` once a thread.

    One with the attribute `tile.offset` has its place in the block's pool, see `ir.tile.shared`.
    """

    name = "tile.alloc_buffer"
    result = result_def(BufferType)
    traits = traits_def(MemoryAllocEffect())
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, buffer: BufferType, offset: int | None = None) -> None:
        placed = {} if offset is None else {OFFSET: IntegerAttr(offset, i64)}
        super().__init__(result_types=[buffer], attributes=placed)


@irdl_op_definition
class StorageOp(IRDLOperation):
    """The flat memory of a buffer: element i of it is the element at offset i of the layout."""

    name = "tile.storage"
    buffer = operand_def(BufferType)
    result = result_def(MemRefType)
    traits = traits_def(Pure())
    assembly_format = "$buffer attr-dict `:` type($buffer) `->` type($result)"

    def __init__(self, buffer: SSAValue) -> None:
        super().__init__(operands=[buffer], result_types=[storage_type(buffer)])

    def verify_(self) -> None:
        """The memref has the buffer's element type and space, and is large enough."""
        _check_storage(cast(BufferType, self.buffer.type), self.result.type)


@irdl_op_definition
class RegionOp(IRDLOperation):
    """A box of a buffer: starts and extents, one for each dimension, constants or values.

    Its text: `tile.region %A[%s, 0] [1, %n] : !tile.buffer<...>`.
    """

    name = "tile.region"
    buffer = operand_def(BufferType)
    dynamic_starts = var_operand_def(IndexType())
    dynamic_extents = var_operand_def(IndexType())
    static_starts = prop_def(DenseArrayBase.constr(i64))
    result = result_def(RegionType)
    traits = traits_def(Pure())
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(self, buffer: SSAValue, starts: Sequence[SSAValue | int], extents: Sequence[SSAValue | int]) -> None:
        static, dynamic = split_dynamic_index_list(starts, DYNAMIC_INDEX)
        shape = [extent if isinstance(extent, int) else None for extent in extents]
        super().__init__(
            operands=[buffer, dynamic, [extent for extent in extents if not isinstance(extent, int)]],
            result_types=[RegionType.of(shape, cast(BufferType, buffer.type).element)],
            properties={"static_starts": DenseArrayBase.from_list(i64, static)},
        )

    @property
    def buffer_type(self) -> BufferType:
        """The type of the buffer."""
        return cast(BufferType, self.buffer.type)

    @property
    def starts(self) -> tuple[SSAValue | int, ...]:
        """The first coordinate in each dimension."""
        return tuple(get_dynamic_index_list(self.static_starts.get_values(), self.dynamic_starts, DYNAMIC_INDEX))

    @property
    def extents(self) -> tuple[SSAValue | int, ...]:
        """The extent in each dimension."""
        dynamic = iter(self.dynamic_extents)
        return tuple(next(dynamic) if extent is None else extent for extent in self.result.type.shape)

    def verify_(self) -> None:
        """Constant parts lie within the buffer; every run-time extent has its value."""
        shape, extents = self.buffer_type.shape, self.result.type.shape
        if extents.count(None) != len(self.dynamic_extents):
            raise VerifyException(f"{len(self.dynamic_extents)} values for the run-time extents of {self.result.type}")
        if not len(self.starts) == len(extents) == len(shape):
            raise VerifyException(f"region of rank {len(extents)} with {len(self.starts)} starts in a buffer {shape}")
        for axis, (start, extent, size) in enumerate(zip(self.starts, extents, shape, strict=True)):
            low = start if isinstance(start, int) else 0
            high = low + (0 if extent is None else extent)
            if low < 0 or high > size:
                raise VerifyException(f"region {low}:{high} leaves dimension {axis} of extent {size}")

    def print(self, printer: Printer) -> None:
        """As `parse` reads it."""
        printer.print_string(" ")
        printer.print_operand(self.buffer)
        print_dynamic_index_list(printer, DYNAMIC_INDEX, self.dynamic_starts, self.static_starts.get_values())
        printer.print_string(" ")
        static, dynamic = split_dynamic_index_list(self.extents, DYNAMIC_INDEX)
        print_dynamic_index_list(printer, DYNAMIC_INDEX, dynamic, static)
        printer.print_string(" : ")
        printer.print_attribute(self.buffer.type)

    @classmethod
    def parse(cls, parser: Parser) -> RegionOp:
        """`%buffer[starts] [extents] : type`."""
        buffer = parser.parse_unresolved_operand()
        starts, extents = _parse_indices(parser), _parse_indices(parser)
        parser.parse_punctuation(":")
        return cls(parser.resolve_operand(buffer, parser.parse_type()), starts, extents)


def _parse_indices(parser: Parser) -> list[SSAValue | int]:
    dynamic, static = parse_dynamic_index_list_without_types(parser, DYNAMIC_INDEX)
    values = [parser.resolve_operand(value, IndexType()) for value in dynamic]
    return get_dynamic_index_list(static, values, DYNAMIC_INDEX)


class PrimitiveOp(IRDLOperation):
    """Base of the tile primitives: ops on regions that the threads of `scope` execute together."""

    scope = prop_def(StringAttr)
    variant = opt_prop_def(StringAttr)
    irdl_options = (ParsePropInAttrDict(),)

    @property
    def regions_used(self) -> tuple[RegionOp, ...]:
        """The regions, in the order of the operands."""
        return tuple(cast(RegionOp, operand.owner) for operand in self.operands)

    @property
    def primitive(self) -> str:
        """Its name in scripts."""
        return self.name.partition(".")[2]

    def verify_(self) -> None:
        """Every operand comes from a `tile.region`."""
        if not all(isinstance(operand.owner, RegionOp) for operand in self.operands):
            raise VerifyException(f"the operands of {self.name} must be results of tile.region")


@irdl_op_definition
class PermuteLayoutOp(PrimitiveOp):
    """dst[i] = src[i] for every logical coordinate i of the regions, whatever the two layouts."""

    name = "tile.permute_layout"
    dst = operand_def(RegionType)
    src = operand_def(RegionType)
    assembly_format = "$scope $dst `,` $src attr-dict `:` type($dst) `,` type($src)"

    def __init__(self, scope: str, dst: SSAValue, src: SSAValue, variant: str | None = None) -> None:
        chosen = {"variant": StringAttr(variant)} if variant else {}
        super().__init__(operands=[dst, src], properties={"scope": StringAttr(scope), **chosen})


@irdl_op_definition
class LoadOp(IRDLOperation):
    """The element at a logical coordinate."""

    name = "tile.load"
    buffer = operand_def(BufferType)
    indices = var_operand_def(IndexType())
    result = result_def(AnyAttr())
    traits = traits_def(MemoryReadEffect())
    assembly_format = "$buffer `[` $indices `]` attr-dict `:` type($buffer) `->` type($result)"

    def __init__(self, buffer: SSAValue, indices: Sequence[SSAValue]) -> None:
        super().__init__(operands=[buffer, indices], result_types=[cast(BufferType, buffer.type).element])

    def verify_(self) -> None:
        """One index for each dimension, and the element's type."""
        _check_element(cast(BufferType, self.buffer.type), len(self.indices), self.result.type)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes the element at a logical coordinate."""

    name = "tile.store"
    value = operand_def(AnyAttr())
    buffer = operand_def(BufferType)
    indices = var_operand_def(IndexType())
    traits = traits_def(MemoryWriteEffect())
    assembly_format = "$value `,` $buffer `[` $indices `]` attr-dict `:` type($value) `,` type($buffer)"

    def __init__(self, value: SSAValue, buffer: SSAValue, indices: Sequence[SSAValue]) -> None:
        super().__init__(operands=[value, buffer, indices])

    def verify_(self) -> None:
        """One index for each dimension, and the element's type."""
        _check_element(cast(BufferType, self.buffer.type), len(self.indices), self.value.type)


@irdl_op_definition
class AtomicOp(IRDLOperation):
    """Changes one element in a single step, which no other access parts; gives what it held before.

    The memory is a buffer, or flat: then there is one index. Its order and scope are those of `ir.tile.ordered`;
    without them it is relaxed, for all lanes of the device.
    """

    name = "tile.atomic"
    kind = prop_def(StringAttr)
    value = operand_def(AnyAttr())
    memory = operand_def(AnyAttr())
    indices = var_operand_def(IndexType())
    result = result_def(AnyAttr())
    order = opt_prop_def(StringAttr)
    scope = opt_prop_def(StringAttr)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$kind $value `,` $memory `[` $indices `]` attr-dict `:` type($value) `,` type($memory) `->` type($result)"
    )

    def __init__(
        self,
        kind: str,
        value: SSAValue,
        memory: SSAValue,
        indices: Sequence[SSAValue],
        words: tuple[str, str] | None = None,
    ) -> None:
        ordered = {} if words is None else {"order": StringAttr(words[0]), "scope": StringAttr(words[1])}
        super().__init__(
            operands=[value, memory, indices],
            properties={"kind": StringAttr(kind), **ordered},
            result_types=[value.type],
        )

    @property
    def words(self) -> tuple[str, str] | None:
        """Its order and scope."""
        return (self.order.data, self.scope.data) if self.order is not None and self.scope is not None else None

    def verify_(self) -> None:
        """A known kind, one index for each dimension, and the element's type."""
        if self.kind.data not in ATOMIC_KINDS:
            raise VerifyException(f"tile.atomic kind {self.kind.data!r} is none of {', '.join(ATOMIC_KINDS)}")
        if self.words is not None and not (self.words[0] in ORDERS and self.words[1] in ORDER_SCOPES):
            raise VerifyException(f"tile.atomic has no order {' '.join(self.words)}")
        kind = self.memory.type
        if not isinstance(kind, BufferType | MemRefType):
            raise VerifyException(f"tile.atomic changes memory, got {kind}")
        element = kind.element if isinstance(kind, BufferType) else kind.element_type
        rank = len(kind.shape) if isinstance(kind, BufferType) else len(kind.get_shape())
        if len(self.indices) != rank or not self.value.type == self.result.type == element:
            raise VerifyException(f"tile.atomic of {self.value.type} at {len(self.indices)} indices of {kind}")


TILE = Dialect(
    "tile",
    [
        MatchBufferOp,
        AllocBufferOp,
        StorageOp,
        RegionOp,
        PermuteLayoutOp,
        LoadOp,
        StoreOp,
        LookupOp,
        AtomicOp,
        AddressOp,
        *ATOM_OPS,
        *BITS_OPS,
        *(NarrowOp, PairOp),
        *VECTORS,
        *TOGETHER,
        *AMONG,
        *PRINTING,
        *ASYNCHRONOUS,
        *ORDERED,
        *CLUSTER_OPS,
        WarpSizeOp,
        RemoteOp,
        MatrixDescriptorOp,
        ScaledMmaOp,
        *SPARSE_OPS,
        *WGMMA_OPS,
        *TMEM_OPS,
        *TCGEN05_OPS,
    ],
    [BufferType, RegionType, AddressType, TensorMapType],
)


# The tile primitives by the name that scripts call them by.
PRIMITIVES: Mapping[str, Callable[..., PrimitiveOp]] = {"permute_layout": PermuteLayoutOp}


def storage_type(buffer: SSAValue) -> MemRefType[Attribute]:
    """The flat memref of a buffer value: as much of its memory as the layout reaches."""
    kind = cast(BufferType, buffer.type)
    return kind.storage_type(storage_elements(kind.layout))


def root(buffer: SSAValue) -> SSAValue:
    """The value that stands for a buffer's memory: a parameter, or what an allocation gives."""
    while isinstance(buffer.owner, MatchBufferOp | StorageOp | RemoteOp):
        buffer = buffer.owner.operands[0]
    return buffer


def offsets(buffer: SSAValue) -> list[SSAValue]:
    """How much further on than its layout says a buffer begins: the sum of these."""
    found: list[SSAValue] = []
    while isinstance(owner := buffer.owner, MatchBufferOp | StorageOp | RemoteOp):
        if isinstance(owner, MatchBufferOp) and owner.offset is not None:
            found.append(owner.offset)
        buffer = owner.operands[0]
    return found


def _check_storage(buffer: BufferType, memory: MemRefType[Attribute]) -> None:
    if len(memory.get_shape()) != 1:
        raise VerifyException(f"the storage of a buffer is flat, got {memory}")
    (elements,), needed = memory.get_shape(), storage_elements(buffer.layout)
    if elements < needed:
        raise VerifyException(f"the layout {buffer.layout} needs {needed} elements, the memory has {elements}")
    if memory != buffer.storage_type(elements):
        raise VerifyException(f"{memory} cannot store {buffer}")


def _check_element(buffer: BufferType, indices: int, element: Attribute) -> None:
    if indices != len(buffer.shape):
        raise VerifyException(f"{indices} indices into a buffer of shape {buffer.shape}")
    if element != buffer.element:
        raise VerifyException(f"an element of type {element} in a buffer of {buffer.element}")
