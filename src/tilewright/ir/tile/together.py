"""Ops of the `tile` dialect that lanes execute together: barriers, shuffles and votes of a warp."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    I64,
    AnyFloatConstr,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    StringAttr,
    i1,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from tilewright.errors import CompileError
from tilewright.ir.core.lanes import WARP_SIZES
from tilewright.ir.core.location import place

SYNC_SCOPES = ("warp", "cta", "cluster")
BAR_KINDS = ("arrive", "sync")
BARRIERS = 16  # of a block
SHUFFLES = ("idx", "up", "down", "xor")
REGISTERS = ("inc", "dec")
VOTES = ("any", "all", "ballot")
BLOCK_VOTES = ("and", "or", "count")
BALLOTS = {bits: IntegerType(bits, Signedness.UNSIGNED) for bits in WARP_SIZES}
WHOLE = 0  # the width of a shuffle in segments of as many lanes as the target's warps have
COUNT = IntegerType(32)


@irdl_op_definition
class SyncOp(IRDLOperation):
    """The threads of the scope (`warp`, `cta` or `cluster`) wait for each other, and see each other's writes."""

    name = "tile.sync"
    scope = prop_def(StringAttr)
    assembly_format = "$scope attr-dict"

    def __init__(self, scope: str) -> None:
        super().__init__(properties={"scope": StringAttr(scope)})

    def verify_(self) -> None:
        """The scope is one of these."""
        if self.scope.data not in SYNC_SCOPES:
            raise VerifyException(f"tile.sync scope {self.scope.data!r} is none of {', '.join(SYNC_SCOPES)}")


@irdl_op_definition
class BarOp(IRDLOperation):
    """A barrier with a number, for so many threads of the block: warps that `arrive` go on, those that `sync` wait."""

    name = "tile.bar"
    kind = prop_def(StringAttr)
    barrier = operand_def(IndexType())
    threads = prop_def(IntegerAttr[I64])
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $barrier `,` $threads attr-dict"

    def __init__(self, kind: str, barrier: SSAValue, threads: int) -> None:
        super().__init__(
            operands=[barrier], properties={"kind": StringAttr(kind), "threads": IntegerAttr(threads, i64)}
        )

    def verify_(self) -> None:
        """The kind is `arrive` or `sync`, and there are threads."""
        if self.kind.data not in BAR_KINDS:
            raise VerifyException(f"tile.bar kind {self.kind.data!r} is none of {', '.join(BAR_KINDS)}")
        if self.threads.value.data < 1:
            raise VerifyException(f"tile.bar for {self.threads.value.data} threads")


def segment(op: Operation, lanes: int, warp: int) -> int:
    """The lanes of a segment of a shuffle.

    Raises:
        CompileError: a warp has fewer.
    """
    if lanes > warp:
        words = f"a shuffle in segments of {lanes} lanes; a warp of the target has {warp}"
        raise CompileError(f"{words}\n{place(op)}".rstrip())
    return lanes


@irdl_op_definition
class ShuffleOp(IRDLOperation):
    """Each lane of a warp takes the value of another, within segments of `width` lanes, a power of two; 0: the warp.

    `idx`: of lane `by` of its segment. `up`, `down`: of the lane that is `by` lower or higher, its own where that is
    outside its segment. `xor`: of lane ^ `by`, its own where that is above its segment.

    Source: CUDA C++ Programming Guide, warp shuffle functions.
    """

    name = "tile.shuffle"
    kind = prop_def(StringAttr)
    T: ClassVar = VarConstraint("T", AnyFloatConstr | base(IntegerType))
    value = operand_def(T)
    by = operand_def(IndexType())
    width = prop_def(IntegerAttr[I64])
    result = result_def(T)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $value `,` $by `,` $width attr-dict `:` type($value)"

    def __init__(self, kind: str, value: SSAValue, by: SSAValue, width: int) -> None:
        properties = {"kind": StringAttr(kind), "width": IntegerAttr(width, i64)}
        super().__init__(operands=[value, by], properties=properties, result_types=[value.type])

    def lanes(self, warp: int) -> int:
        """Of a segment, where the target's warps have so many."""
        return self.width.value.data or warp

    def segment(self, warp: int) -> int:
        """The same.

        Raises:
            CompileError: a warp has fewer.
        """
        return segment(self, self.lanes(warp), warp)

    def verify_(self) -> None:
        """A known kind, and a width that is a power of two, or that of the warp."""
        if self.kind.data not in SHUFFLES:
            raise VerifyException(f"tile.shuffle kind {self.kind.data!r} is none of {', '.join(SHUFFLES)}")
        width = self.width.value.data
        if width < 0 or width & (width - 1):
            raise VerifyException(f"tile.shuffle in segments of {width} lanes; the width is a power of two")


class Voting(IRDLOperation):
    """Lanes tell each other whether a condition holds; the kind COUNTED gives one of the NUMBERS, types."""

    KINDS: ClassVar[tuple[str, ...]]
    COUNTED: ClassVar[str]
    NUMBERS: ClassVar[tuple[IntegerType, ...]]
    kind = prop_def(StringAttr)
    condition = operand_def(i1)
    result = result_def(IntegerType)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $condition attr-dict `:` type($result)"

    def __init__(self, kind: str, condition: SSAValue, number: IntegerType | None = None) -> None:
        result = (number or self.NUMBERS[0]) if kind == self.COUNTED else i1
        super().__init__(operands=[condition], properties={"kind": StringAttr(kind)}, result_types=[result])

    def verify_(self) -> None:
        """A known kind, and its type."""
        if self.kind.data not in self.KINDS:
            raise VerifyException(f"{self.name} kind {self.kind.data!r} is none of {', '.join(self.KINDS)}")
        if self.result.type not in (self.NUMBERS if self.kind.data == self.COUNTED else (i1,)):
            raise VerifyException(f"{self.name} {self.kind.data!r} gives no {self.result.type}")


@irdl_op_definition
class VoteOp(Voting):
    """Whether a condition holds in `any` or `all` lanes of the warp, or in which (`ballot`: bit i for lane i,
    as many bits as lanes or more)."""

    name = "tile.vote"
    KINDS: ClassVar[tuple[str, ...]] = VOTES
    COUNTED: ClassVar[str] = "ballot"
    NUMBERS: ClassVar[tuple[IntegerType, ...]] = tuple(BALLOTS.values())


@irdl_op_definition
class BlockVoteOp(Voting):
    """All threads of the block meet as at a barrier; whether a condition holds in all (`and`), in any (`or`), or in how
    many (`count`) of them."""

    name = "tile.block_vote"
    KINDS: ClassVar[tuple[str, ...]] = BLOCK_VOTES
    COUNTED: ClassVar[str] = "count"
    NUMBERS: ClassVar[tuple[IntegerType, ...]] = (COUNT,)


@irdl_op_definition
class ActiveMaskOp(IRDLOperation):
    """Which lanes of the warp execute this together: bit i for lane i."""

    name = "tile.active_mask"
    result = result_def(IntegerType)
    assembly_format = "attr-dict `:` type($result)"

    def __init__(self, bits: int = 32) -> None:
        super().__init__(result_types=[BALLOTS[bits]])

    def verify_(self) -> None:
        """It gives a number of bits."""
        if self.result.type not in BALLOTS.values():
            raise VerifyException(f"tile.active_mask gives no {self.result.type}")


@irdl_op_definition
class RegistersOp(IRDLOperation):
    """How many registers each lane of the warps may have from here on: more (`inc`), or fewer (`dec`)."""

    name = "tile.registers"
    kind = prop_def(StringAttr)
    count = prop_def(IntegerAttr[I64])
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $count attr-dict"

    def __init__(self, kind: str, count: int) -> None:
        super().__init__(properties={"kind": StringAttr(kind), "count": IntegerAttr(count, i64)})

    def verify_(self) -> None:
        """A known kind, and a number that there is."""
        if self.kind.data not in REGISTERS:
            raise VerifyException(f"tile.registers kind {self.kind.data!r} is none of {', '.join(REGISTERS)}")
        if self.count.value.data % 8 or not 24 <= self.count.value.data <= 256:
            raise VerifyException(f"tile.registers of {self.count.value.data}; it is a multiple of 8 from 24 to 256")


@irdl_op_definition
class SleepOp(IRDLOperation):
    """The thread does nothing for about so many nanoseconds; no value depends on it."""

    name = "tile.sleep"
    time = operand_def(IndexType())
    assembly_format = "$time attr-dict"

    def __init__(self, time: SSAValue) -> None:
        super().__init__(operands=[time])


@irdl_op_definition
class RequireOp(IRDLOperation):
    """The kernel has an instruction that other ops stand for: which one, and the first machines that have it."""

    name = "tile.require"
    instruction = prop_def(StringAttr)
    archs = prop_def(StringAttr)
    assembly_format = "$instruction $archs attr-dict"

    def __init__(self, instruction: str, archs: str) -> None:
        super().__init__(properties={"instruction": StringAttr(instruction), "archs": StringAttr(archs)})


TOGETHER = (SyncOp, BarOp, ShuffleOp, VoteOp, BlockVoteOp, ActiveMaskOp, RegistersOp, SleepOp, RequireOp)
