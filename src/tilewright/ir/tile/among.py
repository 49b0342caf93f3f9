"""Ops of the `tile` dialect that some lanes of a warp execute together: those that a mask names, bit i for lane i."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import I64, AnyFloatConstr, IndexType, IntegerAttr, IntegerType, StringAttr, i1, i64
from xdsl.ir import SSAValue
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

from tilewright.ir.tile.together import BALLOTS, SHUFFLES, VOTES, segment


@irdl_op_definition
class ShuffleAmongOp(IRDLOperation):
    """As `tile.shuffle`, by the lanes that the mask names, which all come with that mask; each reads one of them.

    Source: CUDA C++ Programming Guide, warp shuffle functions.
    """

    name = "tile.shuffle_among"
    kind = prop_def(StringAttr)
    T: ClassVar = VarConstraint("T", AnyFloatConstr | base(IntegerType))
    value = operand_def(T)
    by = operand_def(IndexType())
    mask = operand_def(IntegerType)
    width = prop_def(IntegerAttr[I64])
    result = result_def(T)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $value `,` $by `,` $width `of` $mask attr-dict `:` type($value) `,` type($mask)"

    def __init__(self, kind: str, value: SSAValue, by: SSAValue, width: int, mask: SSAValue) -> None:
        properties = {"kind": StringAttr(kind), "width": IntegerAttr(width, i64)}
        super().__init__(operands=[value, by, mask], properties=properties, result_types=[value.type])

    def segment(self, warp: int) -> int:
        """The lanes of a segment.

        Raises:
            CompileError: a warp has fewer.
        """
        return segment(self, self.width.value.data or warp, warp)

    def verify_(self) -> None:
        """A known kind, a width that is a power of two, or that of the warp, and a mask."""
        width = self.width.value.data
        if self.kind.data not in SHUFFLES or width < 0 or width & (width - 1):
            raise VerifyException(f"{self.name} {self.kind.data!r} in segments of {width} lanes")
        _check_mask(self.mask, self.name)


@irdl_op_definition
class VoteAmongOp(IRDLOperation):
    """As `tile.vote`, of the lanes that the mask names, which all come with that mask; a ballot is of its type."""

    name = "tile.vote_among"
    kind = prop_def(StringAttr)
    condition = operand_def(i1)
    mask = operand_def(IntegerType)
    result = result_def(IntegerType)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $condition `of` $mask attr-dict `:` type($mask) `->` type($result)"

    def __init__(self, kind: str, condition: SSAValue, mask: SSAValue) -> None:
        result = mask.type if kind == "ballot" else i1
        super().__init__(operands=[condition, mask], properties={"kind": StringAttr(kind)}, result_types=[result])

    def verify_(self) -> None:
        """A known kind, its type, and a mask."""
        wanted = self.mask.type if self.kind.data == "ballot" else i1
        if self.kind.data not in VOTES or self.result.type != wanted:
            raise VerifyException(f"{self.name} {self.kind.data!r} gives no {self.result.type}")
        _check_mask(self.mask, self.name)


def _check_mask(mask: SSAValue, name: str) -> None:
    if mask.type not in BALLOTS.values():
        raise VerifyException(f"{name} takes a mask of 32 or 64 bits without a sign, got {mask.type}")


AMONG = (ShuffleAmongOp, VoteAmongOp)
