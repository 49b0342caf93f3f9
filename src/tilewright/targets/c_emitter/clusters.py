"""What reaches other blocks of a cluster, as PTX: addresses there, arrivals, copies from block to block."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from tilewright.errors import CompileError
from tilewright.ir.tile.address import address_of
from tilewright.ir.tile.bulk import BulkCopyOp
from tilewright.ir.tile.mbarriers import MbarrierOp
from tilewright.ir.tile.remote import remote_of
from tilewright.targets.c_emitter.instructions import SHARED_ADDRESS
from tilewright.targets.c_emitter.writer import Writer
from tilewright.targets.launch import where

# The address in the shared memory of a cluster, of a generic one.
_ADDRESS = """{function} unsigned int tw_cluster_address(const void* at) {{
  unsigned long long found;
  asm("cvta.to.shared::cluster.u64 %0, %1;" : "=l"(found) : "l"(at));
  return static_cast<unsigned int>(found);
}}"""
# By what is done to another block's mbarrier at %0, with the number %1.
MBARRIERS: Mapping[str, str] = {
    "arrive": "mbarrier.arrive.{}.cluster.shared::cluster.b64 _, [%0], %1;",
    "expect_tx": "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;",
    "arrive.expect_tx": "mbarrier.arrive.expect_tx.{}.cluster.shared::cluster.b64 _, [%0], %1;",
}
SHARE = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"


def is_remote(address: SSAValue) -> bool:
    """Is it an address in another block?"""
    return remote_of(address_of(address).memory) is not None


def shared(out: Writer, address: SSAValue) -> str:
    """The operand that is an address in shared memory, of this block or of another."""
    text = out.exprs[address].text
    if not is_remote(address):
        return f'"r"({SHARED_ADDRESS.format(text)})'
    out.functions.setdefault("tw_cluster_address", _ADDRESS.format(function=out.table.function))
    return f'"r"(tw_cluster_address({text}))'


def arrival(op: MbarrierOp) -> str:
    """The instruction for an mbarrier of another block."""
    return MBARRIERS[op.kind.data].format("release" if op.order is None else op.order.data)


def share(op: BulkCopyOp) -> str:
    """The instruction of a copy to another block.

    Raises:
        CompileError: it is a reduction.
    """
    if op.reduction is not None:
        raise CompileError(f"CUDA text has no bulk reductions in other blocks yet\n{where(op)}")
    return SHARE
