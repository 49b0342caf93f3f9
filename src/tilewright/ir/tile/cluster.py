"""Ops of blocks that work together in a cluster: its barrier in two halves, and stores that count their bytes there.

Source: PTX ISA, "barrier.cluster", "st.async", "red.async".
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.tile.address import AddressType, check_addresses
from tilewright.ir.tile.bulk import REDUCTIONS
from tilewright.ir.tile.mbarriers import check_mbarrier
from tilewright.ir.tile.types import SHARED
from tilewright.ir.tile.words import check_one_of

ARRIVAL_ORDERS = ("release", "relaxed")
ASYNC_STORE_BITS = (32, 64)
ASYNC_STORE_COUNTS = (1, 2, 4)

_EFFECTS = (MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class ClusterArriveOp(IRDLOperation):
    """The thread comes to the barrier of its cluster, and goes on.

    Who waits there sees what it did before; where it is `relaxed`, only what it has fenced. `aligned`: by whole warps.
    """

    name = "tile.cluster_arrive"
    order = prop_def(StringAttr)
    aligned = opt_prop_def(UnitAttr)
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$order (`aligned` $aligned^)? attr-dict"

    def __init__(self, order: str, aligned: bool = False) -> None:
        chosen = {"aligned": UnitAttr()} if aligned else {}
        super().__init__(properties={"order": StringAttr(order), **chosen})

    def verify_(self) -> None:
        """A known order."""
        check_one_of("tile.cluster_arrive order", self.order.data, ARRIVAL_ORDERS)


@irdl_op_definition
class ClusterWaitOp(IRDLOperation):
    """The thread, which has come to the barrier of its cluster, waits until all have."""

    name = "tile.cluster_wait"
    aligned = opt_prop_def(UnitAttr)
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "(`aligned` $aligned^)? attr-dict"

    def __init__(self, aligned: bool = False) -> None:
        super().__init__(properties={"aligned": UnitAttr()} if aligned else {})


@irdl_op_definition
class StAsyncOp(IRDLOperation):
    """Values go to shared memory of a block of the cluster, and their bytes count on an mbarrier of that block.

    With a `reduction` the one value is added to what is there, or what else the word says.
    """

    name = "tile.st_async"
    reduction = opt_prop_def(StringAttr)
    dst = operand_def(AddressType)
    barrier = operand_def(AddressType)
    values = var_operand_def(AnyAttr())
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = (
        "($reduction^)? $dst `on` $barrier `,` $values attr-dict `:` type($dst) `,` type($barrier) `,` type($values)"
    )

    def __init__(
        self, dst: SSAValue, values: Sequence[SSAValue], barrier: SSAValue, reduction: str | None = None
    ) -> None:
        chosen = {"reduction": StringAttr(reduction)} if reduction else {}
        super().__init__(operands=[dst, barrier, values], properties=chosen)

    def verify_(self) -> None:
        """One, two or four elements of 32 or 64 bits, up to 16 bytes of shared memory; an mbarrier."""
        check_addresses((self.dst,), (SHARED,))
        check_mbarrier(self.barrier)
        kind, count = cast(AddressType, self.dst.type), len(self.values)
        if any(value.type != kind.element for value in self.values):
            raise VerifyException(f"tile.st_async of {', '.join(str(v.type) for v in self.values)} to {kind}")
        bits = kind.dtype.bits
        if bits not in ASYNC_STORE_BITS or count not in ASYNC_STORE_COUNTS or count * bits > 128:
            raise VerifyException(f"tile.st_async of {count} elements of {bits} bits")
        if self.reduction is not None:
            check_one_of("tile.st_async reduction", self.reduction.data, REDUCTIONS)
            if count != 1:
                raise VerifyException(f"tile.st_async {self.reduction.data!r} of {count} elements; it takes one")


CLUSTER_OPS = (ClusterArriveOp, ClusterWaitOp, StAsyncOp)
