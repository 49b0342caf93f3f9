"""The op on the bits of words: counting them, turning them round, choosing bytes, shifting two words as one.

Source: PTX ISA, "popc", "clz", "brev", "prmt", "shf", "lop3"; CUDA Math API, integer intrinsics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from xdsl.dialects.builtin import I64, IntegerAttr, IntegerType, Signedness, StringAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

WORD = IntegerType(32, Signedness.UNSIGNED)
WORDS = (WORD, IntegerType(64, Signedness.UNSIGNED))


@dataclass(frozen=True)
class BitFunction:
    """A function of words: how many, of 64 bits too or of 32 alone, what it gives, and what CUDA C++ calls it."""

    name: str
    count: int
    long: bool
    cuda: str
    effect: str

    @property
    def counts(self) -> bool:
        """Is the result a number of bits, which C++ has as an `int`?"""
        return self.name in ("popc", "clz", "ffs")


_FUNCTIONS = (
    BitFunction("popc", 1, True, "__popc", "How many bits are set?"),
    BitFunction("clz", 1, True, "__clz", "How many zeros stand before the highest bit that is set?"),
    BitFunction("ffs", 1, True, "__ffs", "The place of the lowest bit that is set, from 1; 0 where none is."),
    BitFunction("brev", 1, True, "__brev", "The bits in the other order."),
    BitFunction("prmt", 3, False, "tw_prmt", "Four bytes of two words, by the digits of the third."),
    BitFunction("shf_l", 3, False, "__funnelshift_l", "The upper word of both, the first below, shifted left."),
    BitFunction("shf_lc", 3, False, "__funnelshift_lc", "The same; by 32 where it is to be more."),
    BitFunction("shf_r", 3, False, "__funnelshift_r", "The lower word of both, the first below, shifted right."),
    BitFunction("shf_rc", 3, False, "__funnelshift_rc", "The same; by 32 where it is to be more."),
    BitFunction("lop3", 3, False, "tw_lop3", "Bit by bit, what a table of eight bits has for the three."),
)
BIT_FUNCTIONS: Mapping[str, BitFunction] = MappingProxyType({row.name: row for row in _FUNCTIONS})
TABLE = "lop3"  # the kind that has one


@irdl_op_definition
class BitsOp(IRDLOperation):
    """A function of words, `ui32` or `ui64`, which gives another.

    `table` is that of `lop3`: where its operands have the bits a, b and c, the result has its bit a * 4 + b * 2 + c.
    """

    name = "tile.bits"
    kind = prop_def(StringAttr)
    table = prop_def(IntegerAttr[I64])
    words = var_operand_def(AnyAttr())
    result = result_def(IntegerType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $table $words attr-dict `:` type($words) `->` type($result)"

    def __init__(self, kind: str, words: Sequence[SSAValue], table: int = 0) -> None:
        properties = {"kind": StringAttr(kind), "table": IntegerAttr(table, i64)}
        super().__init__(operands=[list(words)], properties=properties, result_types=[words[0].type])

    @property
    def function(self) -> BitFunction:
        """Its row."""
        return BIT_FUNCTIONS[self.kind.data]

    def verify_(self) -> None:
        """A known kind, of as many words of one type."""
        row, table = BIT_FUNCTIONS.get(self.kind.data), self.table.value.data
        if row is None:
            raise VerifyException(f"tile.bits kind {self.kind.data!r} is none of {', '.join(BIT_FUNCTIONS)}")
        types = {value.type for value in (*self.words, self.result)}
        if len(self.words) != row.count or len(types) != 1 or not types <= {*(WORDS if row.long else (WORD,))}:
            wanted = "ui32 or ui64" if row.long else "ui32"
            raise VerifyException(f"tile.bits {row.name!r} takes {row.count} of {wanted}, and gives one")
        if not 0 <= table < (256 if row.name == TABLE else 1):
            raise VerifyException(f"tile.bits {row.name!r} has no table {table}")


BITS_OPS = (BitsOp,)
