"""Bulk copies as ops: runs of bytes, and boxes of tensors, that one thread begins and an engine copies.

Source: PTX ISA, "Data Movement and Conversion: Asynchronous copy".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

from xdsl.dialects.builtin import IndexType, StringAttr
from xdsl.ir import ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.tile.address import AddressType, check_addresses
from tilewright.ir.tile.mbarriers import check_mbarrier
from tilewright.ir.tile.remote import check_own
from tilewright.ir.tile.types import GLOBAL, SHARED
from tilewright.ir.tile.words import check_one_of

BULK_BYTES = 16  # bulk copies move whole 16 bytes, from and to multiples of 16
TENSOR_ALIGNMENT = 128  # of a tensor copy's tile in shared memory
MAX_RANK = 5

# Bulk copies: from and to which memory. What leaves shared memory is waited for in groups, the rest at an mbarrier.
DIRECTIONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {"load": (GLOBAL, SHARED), "store": (SHARED, GLOBAL), "share": (SHARED, SHARED)}
)
TENSOR_DIRECTIONS = ("load", "store")
REDUCTIONS = ("add", "min", "max", "and", "or", "xor")

_EFFECTS = (MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class BulkCopyOp(IRDLOperation):
    """A copy of so many bytes that lie side by side; one thread begins it.

    A `load` counts its bytes on an mbarrier; with a `mask` it comes to the same place of each block of the cluster
    whose bit is set, and counts on the mbarrier at the same place there. A `share` goes to another block of the
    cluster, and counts there. A `store` is waited for by its group. Both may be reductions.
    """

    name = "tile.bulk_copy"
    kind = prop_def(StringAttr)
    reduction = opt_prop_def(StringAttr)
    dst = operand_def(AddressType)
    src = operand_def(AddressType)
    bytes = operand_def(IndexType())
    barrier = opt_operand_def(AddressType)
    mask = opt_operand_def(IndexType())
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(), AttrSizedOperandSegments(as_property=True))
    assembly_format = (
        "$kind ($reduction^)? $dst `,` $src `,` $bytes (`on` $barrier^ `:` type($barrier))? (`to` $mask^)? attr-dict "
        "`:` type($dst) `,` type($src)"
    )

    def __init__(
        self,
        kind: str,
        dst: SSAValue,
        src: SSAValue,
        count: SSAValue,
        barrier: SSAValue | None = None,
        reduction: str | None = None,
        mask: SSAValue | None = None,
    ) -> None:
        chosen = {"reduction": StringAttr(reduction)} if reduction else {}
        super().__init__(operands=[dst, src, count, barrier, mask], properties={"kind": StringAttr(kind), **chosen})

    def verify_(self) -> None:
        """Between the memories of its direction, elements of one type; what completes it is there."""
        check_one_of("tile.bulk_copy kind", self.kind.data, tuple(DIRECTIONS))
        source, target = DIRECTIONS[self.kind.data]
        check_addresses((self.dst, self.src), (target, source))
        if cast(AddressType, self.dst.type).element != cast(AddressType, self.src.type).element:
            raise VerifyException(f"tile.bulk_copy from {self.src.type} to {self.dst.type}: the elements differ")
        check_completion(self.kind.data, self.barrier, self.reduction)
        check_own((self.src,), "the source of a copy")
        check_multicast(self.kind.data, self.mask, (self.dst, self.barrier))


@irdl_attr_definition
class TensorMapType(ParametrizedAttribute, TypeAttribute):
    """`!tile.tensor_map`: a tensor in global memory and the box of it that one copy moves, told at launch."""

    name = "tile.tensor_map"


@irdl_op_definition
class TensorCopyOp(IRDLOperation):
    """A copy of a box of a tensor, which its map describes; one thread begins it.

    `coordinates` are those of the box's first element, the fastest dimension first. What of the box lies outside the
    tensor is zero when loaded, and not stored.
    """

    name = "tile.tensor_copy"
    kind = prop_def(StringAttr)
    reduction = opt_prop_def(StringAttr)
    tile = operand_def(AddressType)
    map = operand_def(TensorMapType)
    coordinates = var_operand_def(IndexType())
    barrier = opt_operand_def(AddressType)
    mask = opt_operand_def(IndexType())
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(), AttrSizedOperandSegments(as_property=True))
    assembly_format = (
        "$kind ($reduction^)? $tile `,` $map `[` $coordinates `]` (`on` $barrier^ `:` type($barrier))? "
        "(`to` $mask^)? attr-dict "
        "`:` type($tile)"
    )

    def __init__(
        self,
        kind: str,
        tile: SSAValue,
        map_: SSAValue,
        coordinates: Sequence[SSAValue],
        barrier: SSAValue | None = None,
        reduction: str | None = None,
        mask: SSAValue | None = None,
    ) -> None:
        chosen = {"reduction": StringAttr(reduction)} if reduction else {}
        super().__init__(
            operands=[tile, map_, coordinates, barrier, mask], properties={"kind": StringAttr(kind), **chosen}
        )

    def verify_(self) -> None:
        """A tile in shared memory, one to five coordinates; what completes it is there."""
        check_one_of("tile.tensor_copy kind", self.kind.data, TENSOR_DIRECTIONS)
        check_addresses((self.tile,), (SHARED,))
        if not 1 <= len(self.coordinates) <= MAX_RANK:
            raise VerifyException(f"tile.tensor_copy with {len(self.coordinates)} coordinates; a tensor has 1 to 5")
        check_completion(self.kind.data, self.barrier, self.reduction)
        if self.kind.data == "store":
            check_own((self.tile,), "the source of a copy")
        check_multicast(self.kind.data, self.mask, (self.tile, self.barrier))


def check_multicast(kind: str, mask: SSAValue | None, places: Sequence[SSAValue | None]) -> None:
    """Raises `VerifyException` where a mask is not that of a load to the same places of several blocks."""
    if mask is not None:
        if kind != "load":
            raise VerifyException(f"a bulk {kind} has no mask of blocks")
        check_own([place for place in places if place is not None], "a copy to several blocks")


def check_completion(kind: str, barrier: SSAValue | None, reduction: StringAttr | None) -> None:
    """Raises `VerifyException` unless what comes to shared memory has an mbarrier, and a reduction leaves it."""
    if (barrier is not None) != (kind != "store"):
        raise VerifyException(f"a bulk {kind} {'lacks its' if barrier is None else 'has no'} mbarrier")
    if barrier is not None:
        check_mbarrier(barrier)
    if reduction is not None:
        check_one_of("a bulk reduction", reduction.data, REDUCTIONS)
        if kind == "load":
            raise VerifyException("a bulk reduction is a store")


BULK_OPS = (BulkCopyOp, TensorCopyOp)
