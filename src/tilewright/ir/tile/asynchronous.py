"""Ops of the `tile` dialect whose work goes on after them: copies, the groups and mbarriers that tell when it is done,
and the fences between the generic proxy (what lanes do themselves) and the async proxy (what copy engines do).

Source: PTX ISA, "Data Movement and Conversion: Asynchronous copy", "mbarrier", "membar/fence".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, cast

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, StringAttr, i1, i64
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
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.tile.address import AddressType, check_addresses
from tilewright.ir.tile.types import GLOBAL, SHARED

CP_ASYNC_BYTES = (4, 8, 16)
BULK_BYTES = 16  # bulk copies move whole 16 bytes, from and to multiples of 16
TENSOR_ALIGNMENT = 128  # of a tensor copy's tile in shared memory
MAX_RANK = 5

# Of asynchronous work that is waited for in groups: `cp` is cp.async, `bulk` the bulk copies out of shared memory, and
# `bulk.read` their reads of it alone.
COMMITS = ("cp", "bulk")
WAITS = ("cp", "bulk", "bulk.read")
ALL = -1  # waits for what is not committed as well

# What is done to an mbarrier, and whether it takes a number: of arrivals or bytes.
MBARRIER_KINDS: Mapping[str, bool] = MappingProxyType(
    {
        "init": True,
        "inval": False,
        "arrive": True,
        "expect_tx": True,
        "arrive.expect_tx": True,
        "cp_async.arrive": False,
        "cp_async.arrive.noinc": False,
    }
)

# Fences between the proxies, by the memory whose accesses they order.
FENCES = ("proxy.async", "proxy.async.shared", "proxy.async.global", "mbarrier_init")

# Bulk copies: from and to which memory. What leaves shared memory is waited for in groups, the rest at an mbarrier.
DIRECTIONS: Mapping[str, tuple[str, str]] = MappingProxyType({"load": (GLOBAL, SHARED), "store": (SHARED, GLOBAL)})
REDUCTIONS = ("add", "min", "max", "and", "or", "xor")

_EFFECTS = (MemoryReadEffect(), MemoryWriteEffect())


def _one_of(what: str, found: str, known: Sequence[str]) -> None:
    if found not in known:
        raise VerifyException(f"{what} {found!r} is none of {', '.join(known)}")


@irdl_op_definition
class CpAsyncOp(IRDLOperation):
    """cp.async: the thread copies 4, 8 or 16 bytes from global to shared memory; done when its group is waited for.

    With a `size` only so many bytes are read, and zeros fill the rest.
    """

    name = "tile.cp_async"
    dst = operand_def(AddressType)
    src = operand_def(AddressType)
    size = opt_operand_def(IndexType())
    bytes = prop_def(IntegerAttr[I64])
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$dst `,` $src `,` $bytes (`size` $size^)? attr-dict `:` type($dst) `,` type($src)"

    def __init__(self, dst: SSAValue, src: SSAValue, count: int, size: SSAValue | None = None) -> None:
        super().__init__(operands=[dst, src, size], properties={"bytes": IntegerAttr(count, i64)})

    def verify_(self) -> None:
        """From global to shared memory, elements of one type, as many bytes as there are instructions for."""
        check_addresses((self.dst, self.src), (SHARED, GLOBAL))
        dst, src, count = cast(AddressType, self.dst.type), cast(AddressType, self.src.type), self.bytes.value.data
        if dst.element != src.element:
            raise VerifyException(f"tile.cp_async from {src} to {dst}: the elements differ")
        if count not in CP_ASYNC_BYTES or 8 * count % dst.dtype.bits:
            raise VerifyException(f"tile.cp_async of {count} bytes of {dst.dtype}; it copies 4, 8 or 16 bytes")


class _KindOp(IRDLOperation):
    """An op of the thread alone, of one of the `KINDS`, and nothing else."""

    KINDS: ClassVar[tuple[str, ...]]
    kind = prop_def(StringAttr)
    traits = traits_def(*_EFFECTS)
    assembly_format = "$kind attr-dict"

    def __init__(self, kind: str) -> None:
        super().__init__(properties={"kind": StringAttr(kind)})

    def verify_(self) -> None:
        """A known kind."""
        _one_of(f"{self.name} kind", self.kind.data, self.KINDS)


@irdl_op_definition
class AsyncCommitOp(_KindOp):
    """The thread's copies that are in no group yet become one."""

    name = "tile.async_commit"
    KINDS: ClassVar = COMMITS


@irdl_op_definition
class AsyncWaitOp(IRDLOperation):
    """The thread waits until at most so many of its groups, the latest, are not done; -1: for all that it has begun."""

    name = "tile.async_wait"
    kind = prop_def(StringAttr)
    pending = prop_def(IntegerAttr[I64])
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $pending attr-dict"

    def __init__(self, kind: str, pending: int) -> None:
        super().__init__(properties={"kind": StringAttr(kind), "pending": IntegerAttr(pending, i64)})

    def verify_(self) -> None:
        """A known kind, and a number of groups."""
        _one_of("tile.async_wait kind", self.kind.data, WAITS)
        count = self.pending.value.data
        if count < 0 and not (count == ALL and self.kind.data == "cp"):
            raise VerifyException(f"tile.async_wait {self.kind.data!r} with {count} groups pending")


@irdl_op_definition
class MbarrierOp(IRDLOperation):
    """Does something to an mbarrier, a 64-bit word of shared memory.

    `init` sets how many arrivals complete a phase. `arrive` takes so many off what is pending, `expect_tx` adds bytes
    that are to come; the phase completes where neither is left. `cp_async.arrive` arrives when all copies that the
    thread has begun are done, and adds that arrival to the pending ones; `.noinc` does not add it.
    """

    name = "tile.mbarrier"
    kind = prop_def(StringAttr)
    barrier = operand_def(AddressType)
    number = opt_operand_def(IndexType())
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $barrier (`,` $number^)? attr-dict `:` type($barrier)"

    def __init__(self, kind: str, barrier: SSAValue, number: SSAValue | None = None) -> None:
        super().__init__(operands=[barrier, number], properties={"kind": StringAttr(kind)})

    def verify_(self) -> None:
        """A known kind, with its number, on a word of shared memory."""
        _one_of("tile.mbarrier kind", self.kind.data, tuple(MBARRIER_KINDS))
        if (self.number is not None) != MBARRIER_KINDS[self.kind.data]:
            has = "lacks its" if self.number is None else "has a"
            raise VerifyException(f"tile.mbarrier {self.kind.data!r} {has} number")
        check_mbarrier(self.barrier)


@irdl_op_definition
class MbarrierWaitOp(IRDLOperation):
    """Lanes wait until the phase of this parity has completed: the present phase of the mbarrier is the other one."""

    name = "tile.mbarrier_wait"
    barrier = operand_def(AddressType)
    parity = operand_def(IndexType())
    traits = traits_def(*_EFFECTS)
    assembly_format = "$barrier `,` $parity attr-dict `:` type($barrier)"

    def __init__(self, barrier: SSAValue, parity: SSAValue) -> None:
        super().__init__(operands=[barrier, parity])

    def verify_(self) -> None:
        """On a word of shared memory."""
        check_mbarrier(self.barrier)


@irdl_op_definition
class MbarrierTestOp(IRDLOperation):
    """Whether the phase of this parity has completed; who learns that it has sees what was done before."""

    name = "tile.mbarrier_test"
    barrier = operand_def(AddressType)
    parity = operand_def(IndexType())
    result = result_def(i1)
    traits = traits_def(*_EFFECTS)
    assembly_format = "$barrier `,` $parity attr-dict `:` type($barrier)"

    def __init__(self, barrier: SSAValue, parity: SSAValue) -> None:
        super().__init__(operands=[barrier, parity], result_types=[i1])

    def verify_(self) -> None:
        """On a word of shared memory."""
        check_mbarrier(self.barrier)


@irdl_op_definition
class FenceOp(_KindOp):
    """What the thread knows of is ordered for the other proxy too; `mbarrier_init`: only the mbarriers it has made."""

    name = "tile.fence"
    KINDS: ClassVar = FENCES


@irdl_op_definition
class BulkCopyOp(IRDLOperation):
    """A copy of so many bytes that lie side by side; one thread begins it.

    A `load` counts its bytes on an mbarrier; a `store`, which may be a reduction, is waited for by its group.
    """

    name = "tile.bulk_copy"
    kind = prop_def(StringAttr)
    reduction = opt_prop_def(StringAttr)
    dst = operand_def(AddressType)
    src = operand_def(AddressType)
    bytes = operand_def(IndexType())
    barrier = opt_operand_def(AddressType)
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "$kind ($reduction^)? $dst `,` $src `,` $bytes (`on` $barrier^ `:` type($barrier))? attr-dict "
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
    ) -> None:
        chosen = {"reduction": StringAttr(reduction)} if reduction else {}
        super().__init__(operands=[dst, src, count, barrier], properties={"kind": StringAttr(kind), **chosen})

    def verify_(self) -> None:
        """Between the memories of its direction, elements of one type; what completes it is there."""
        _one_of("tile.bulk_copy kind", self.kind.data, tuple(DIRECTIONS))
        source, target = DIRECTIONS[self.kind.data]
        check_addresses((self.dst, self.src), (target, source))
        if cast(AddressType, self.dst.type).element != cast(AddressType, self.src.type).element:
            raise VerifyException(f"tile.bulk_copy from {self.src.type} to {self.dst.type}: the elements differ")
        check_completion(self.kind.data, self.barrier, self.reduction)


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
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(), AttrSizedOperandSegments(as_property=True))
    assembly_format = (
        "$kind ($reduction^)? $tile `,` $map `[` $coordinates `]` (`on` $barrier^ `:` type($barrier))? attr-dict "
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
    ) -> None:
        chosen = {"reduction": StringAttr(reduction)} if reduction else {}
        super().__init__(operands=[tile, map_, coordinates, barrier], properties={"kind": StringAttr(kind), **chosen})

    def verify_(self) -> None:
        """A tile in shared memory, one to five coordinates; what completes it is there."""
        _one_of("tile.tensor_copy kind", self.kind.data, tuple(DIRECTIONS))
        check_addresses((self.tile,), (SHARED,))
        if not 1 <= len(self.coordinates) <= MAX_RANK:
            raise VerifyException(f"tile.tensor_copy with {len(self.coordinates)} coordinates; a tensor has 1 to 5")
        check_completion(self.kind.data, self.barrier, self.reduction)


def check_mbarrier(barrier: SSAValue) -> None:
    """Raises `VerifyException` unless the address is that of a 64-bit word of shared memory."""
    check_addresses((barrier,), (SHARED,))
    found = cast(AddressType, barrier.type).dtype
    if found.name not in ("uint64", "int64"):
        raise VerifyException(f"an mbarrier is a uint64 of shared memory, got one of {found}")


def check_completion(kind: str, barrier: SSAValue | None, reduction: StringAttr | None) -> None:
    """Raises `VerifyException` unless a load has an mbarrier, a store none, and a reduction is a store."""
    if (barrier is not None) != (kind == "load"):
        raise VerifyException(f"a bulk {kind} {'lacks its' if barrier is None else 'has no'} mbarrier")
    if barrier is not None:
        check_mbarrier(barrier)
    if reduction is not None:
        _one_of("a bulk reduction", reduction.data, REDUCTIONS)
        if kind != "store":
            raise VerifyException("a bulk reduction is a store")


ASYNCHRONOUS = (
    CpAsyncOp,
    AsyncCommitOp,
    AsyncWaitOp,
    MbarrierOp,
    MbarrierWaitOp,
    MbarrierTestOp,
    FenceOp,
    BulkCopyOp,
    TensorCopyOp,
)
