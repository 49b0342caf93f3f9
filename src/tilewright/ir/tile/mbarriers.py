"""Mbarriers as ops: words of shared memory at which arrivals and bytes are counted, phase by phase.

Source: PTX ISA, "mbarrier".
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

from xdsl.dialects.builtin import IndexType, StringAttr, i1
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.tile.address import AddressType, check_addresses
from tilewright.ir.tile.remote import check_own
from tilewright.ir.tile.types import SHARED
from tilewright.ir.tile.words import check_one_of

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

REACHING = ("arrive", "arrive.expect_tx", "expect_tx")  # mbarriers of other blocks, too
RELAXED = "relaxed"

_EFFECTS = (MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class MbarrierOp(IRDLOperation):
    """Does something to an mbarrier, a 64-bit word of shared memory.

    `init` sets how many arrivals complete a phase. `arrive` takes so many off what is pending, `expect_tx` adds bytes
    that are to come; the phase completes where neither is left. `cp_async.arrive` arrives when all copies that the
    thread has begun are done, and adds that arrival to the pending ones; `.noinc` does not add it. `arrive` and
    `expect_tx` reach other blocks of the cluster. Who waits sees what was done before an arrival that is not `relaxed`.
    """

    name = "tile.mbarrier"
    kind = prop_def(StringAttr)
    barrier = operand_def(AddressType)
    number = opt_operand_def(IndexType())
    order = opt_prop_def(StringAttr)
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind ($order^)? $barrier (`,` $number^)? attr-dict `:` type($barrier)"

    def __init__(self, kind: str, barrier: SSAValue, number: SSAValue | None = None, order: str | None = None) -> None:
        chosen = {"order": StringAttr(order)} if order else {}
        super().__init__(operands=[barrier, number], properties={"kind": StringAttr(kind), **chosen})

    def verify_(self) -> None:
        """A known kind, with its number, on a word of shared memory."""
        check_one_of("tile.mbarrier kind", self.kind.data, tuple(MBARRIER_KINDS))
        if (self.number is not None) != MBARRIER_KINDS[self.kind.data]:
            has = "lacks its" if self.number is None else "has a"
            raise VerifyException(f"tile.mbarrier {self.kind.data!r} {has} number")
        check_mbarrier(self.barrier)
        if self.kind.data not in REACHING:
            check_own((self.barrier,), f"mbarrier {self.kind.data}")
        if self.order is not None and not (self.order.data == RELAXED and self.kind.data.startswith("arrive")):
            raise VerifyException(f"tile.mbarrier {self.kind.data!r} is not {self.order.data!r}")


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
        """On a word of the block's own shared memory."""
        check_mbarrier(self.barrier)
        check_own((self.barrier,), self.name)


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
        """On a word of the block's own shared memory."""
        check_mbarrier(self.barrier)
        check_own((self.barrier,), self.name)


def check_mbarrier(barrier: SSAValue) -> None:
    """Raises `VerifyException` unless the address is that of a 64-bit word of shared memory."""
    check_addresses((barrier,), (SHARED,))
    found = cast(AddressType, barrier.type).dtype
    if found.name not in ("uint64", "int64"):
        raise VerifyException(f"an mbarrier is a uint64 of shared memory, got one of {found}")


MBARRIER_OPS = (MbarrierOp, MbarrierWaitOp, MbarrierTestOp)
