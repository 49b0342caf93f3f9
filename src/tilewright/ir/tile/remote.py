"""Shared memory of another block of the cluster."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType, MemRefType, StringAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import AnyAttr, IRDLOperation, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.tile.address import address_of
from tilewright.ir.tile.types import SHARED, BufferType


@irdl_op_definition
class RemoteOp(IRDLOperation):
    """What an array or buffer in shared memory is in the cluster's block of that number."""

    name = "tile.remote"
    memory = operand_def(AnyAttr())
    rank = operand_def(IndexType())
    result = result_def(AnyAttr())
    traits = traits_def(Pure())
    assembly_format = "$memory `,` $rank attr-dict `:` type($memory) `->` type($result)"

    def __init__(self, memory: SSAValue, rank: SSAValue) -> None:
        super().__init__(operands=[memory, rank], result_types=[memory.type])

    def verify_(self) -> None:
        """Of shared memory, and of the same type."""
        kind = self.memory.type
        shared = kind.scope == SHARED if isinstance(kind, BufferType) else _is_shared(self.memory)
        if not shared or kind != self.result.type:
            raise VerifyException(f"tile.remote gives shared memory of another block as it is here, not {kind}")


def remote_of(memory: SSAValue) -> RemoteOp | None:
    """What puts a buffer, or a view of one, into another block; None where it is the block's own."""
    while isinstance(owner := memory.owner, Operation) and owner.operands:  # the first operand of a view is its source
        if isinstance(owner, RemoteOp):
            return owner
        memory = owner.operands[0]
    return None


def check_own(addresses: Sequence[SSAValue], what: str) -> None:
    """Raises `VerifyException` unless these addresses lie in the block's own memory."""
    for address in addresses:
        if remote_of(address_of(address).memory) is not None:
            raise VerifyException(f"{what} is for shared memory of the own block, not that of another in the cluster")


def _is_shared(memory: SSAValue) -> bool:
    kind = memory.type
    return isinstance(kind, MemRefType) and kind.memory_space == StringAttr(SHARED)
