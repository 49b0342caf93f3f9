"""Ops of the `tile` dialect whose work goes on after them: cp.async, the groups that tell when copies are done,
and the fences between the generic proxy (what lanes do themselves) and the async proxy (what copy engines do).

Source: PTX ISA, "Data Movement and Conversion: Asynchronous copy", "membar/fence".
"""

from __future__ import annotations

from typing import ClassVar, cast

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, StringAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.tile.address import AddressOp, AddressType, check_addresses
from tilewright.ir.tile.bulk import BULK_OPS
from tilewright.ir.tile.mbarriers import MBARRIER_OPS
from tilewright.ir.tile.remote import check_own
from tilewright.ir.tile.types import GLOBAL, SHARED
from tilewright.ir.tile.words import check_one_of

CP_ASYNC_BYTES = (4, 8, 16)

# Of asynchronous work that is waited for in groups: `cp` is cp.async, `bulk` the bulk copies out of shared memory, and
# `bulk.read` their reads of it alone.
COMMITS = ("cp", "bulk")
WAITS = ("cp", "bulk", "bulk.read")
ALL = -1  # waits for what is not committed as well

# Fences between the proxies, by the memory whose accesses they order.
FENCES = ("proxy.async", "proxy.async.shared", "proxy.async.global", "mbarrier_init")

_EFFECTS = (MemoryReadEffect(), MemoryWriteEffect())


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
        check_own((self.dst,), "cp.async")
        if dst.element != src.element:
            raise VerifyException(f"tile.cp_async from {src} to {dst}: the elements differ")
        if count not in CP_ASYNC_BYTES or 8 * count % dst.dtype.bits:
            raise VerifyException(f"tile.cp_async of {count} bytes of {dst.dtype}; it copies 4, 8 or 16 bytes")


def sized_copies(address: AddressOp) -> list[CpAsyncOp]:
    """The copies with a size that read from the address, where nobody else uses it: by size 0 they read nothing."""
    users = [use.operation for use in address.result.uses]
    sized = [user for user in users if isinstance(user, CpAsyncOp) and user.size and user.dst is not address.result]
    return sized if len(sized) == len(users) else []


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
        check_one_of(f"{self.name} kind", self.kind.data, self.KINDS)


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
        check_one_of("tile.async_wait kind", self.kind.data, WAITS)
        count = self.pending.value.data
        if count < 0 and not (count == ALL and self.kind.data == "cp"):
            raise VerifyException(f"tile.async_wait {self.kind.data!r} with {count} groups pending")


@irdl_op_definition
class FenceOp(_KindOp):
    """What the thread knows of is ordered for the other proxy too; `mbarrier_init`: only the mbarriers it has made."""

    name = "tile.fence"
    KINDS: ClassVar = FENCES


ASYNCHRONOUS = (CpAsyncOp, AsyncCommitOp, AsyncWaitOp, *MBARRIER_OPS, FenceOp, *BULK_OPS)
