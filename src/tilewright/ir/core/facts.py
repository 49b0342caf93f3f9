"""Facts about the ops of `arith`, once: a row for each op, from which whoever needs a table makes it.

The tracer looks up which op Python's sign means on a kind of element, the printer the sign of an op, ranges and
`simplify` what it does to intervals and integers, the simulator its meaning, the emitters its sign in C.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias, overload

from xdsl.dialects import arith
from xdsl.ir import Operation

from tilewright.ir.core import intervals
from tilewright.ir.core.intervals import Range
from tilewright.ir.mlir.arith import IndexCastUIOp

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    BinaryClass: TypeAlias = type[arith.SignlessIntegerBinaryOperation] | type[arith.FloatingPointLikeBinaryOperation]

# Integers, or arrays of them. The meanings of floats' rows are Python's operators, which take floats as well.
Whole: TypeAlias = "int | NDArray[int64]"
Meaning: TypeAlias = Callable[[Whole, Whole], Whole]
Rule: TypeAlias = Callable[[Range, Range], Range]

# How an op reads the bits of its integer operands; EITHER where the result's bits are the same.
UNSIGNED, SIGNED, EITHER = "uint", "int", "either"

# How tightly Python binds; what binds tighter has a higher number.
PRECEDENCE: Mapping[str, int] = MappingProxyType(
    {
        "if": 0,
        "or": 1,
        "and": 2,
        "not": 3,
        "==": 4,
        "|": 5,
        "^": 6,
        "&": 7,
        "<<": 8,
        ">>": 8,
        "+": 9,
        "-": 9,
        "*": 10,
        "/": 10,
        "//": 10,
        "%": 10,
    }
)

COMPARED: Mapping[str, Meaning] = MappingProxyType(
    {
        "==": operator.eq,
        "!=": operator.ne,
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
    }
)


@overload
def truncated_quotient(a: int, b: int) -> int: ...
@overload
def truncated_quotient(a: Whole, b: Whole) -> Whole: ...
def truncated_quotient(a: Whole, b: Whole) -> Whole:
    """a / b rounded towards 0, of integers, or of arrays of them."""
    return a // b + ((a % b != 0) & ((a < 0) ^ (b < 0)))


def truncated_remainder(a: Whole, b: Whole) -> Whole:
    """What `truncated_quotient` leaves: it has the sign of a."""
    return a - b * truncated_quotient(a, b)


def ceiling_quotient(a: Whole, b: Whole) -> Whole:
    """a / b rounded up, of integers, or of arrays of them."""
    return a // b + (a % b != 0)


@dataclass(frozen=True, eq=False)
class Binary:
    """An op of two operands of one type.

    Attributes:
        op: its class.
        sign: Python's: a sign between the operands, or the name of a function; empty where Python has none.
        meaning: the result for integers as long as need be, and elementwise for arrays; None where only floats' own
            rules tell. Of integer operands it takes the values that `reads` makes of the bits.
        reads: UNSIGNED, SIGNED or EITHER; None of floats.
        kinds: of the elements on which Python's sign means this op.
        c: the sign in C, on operands read in that way; empty where C has none.
        commutes, wraps: may the operands change places; can the result leave the bits of its type.
        partial: what the right operand must not be: `zero`, or `shift`: outside the bits of the type.
        rule, tight: the interval of the result; `tight` where proofs need a closer one than folding wants.
    """

    op: BinaryClass
    sign: str
    meaning: Meaning | None
    reads: str | None = None
    kinds: tuple[str, ...] = ()
    c: str = ""
    commutes: bool = False
    wraps: bool = False
    partial: str = ""
    rule: Rule | None = None
    tight: Rule | None = None

    @property
    def gives(self) -> str | None:
        """The sign that the result has; that of the operands where it is EITHER."""
        return self.reads

    def undefined(self, right: int, bits: int = intervals.BITS) -> bool:
        """Has the op no result for this right operand?"""
        return (self.partial == "zero" and right == 0) or (self.partial == "shift" and not 0 <= right < bits)


_INTEGERS, _LOGIC, _FLOAT, _UINT, _INT = ("int", "uint"), ("int", "uint", "bool"), ("float",), ("uint",), ("int",)
BINARY: tuple[Binary, ...] = (
    Binary(arith.AddiOp, "+", operator.add, EITHER, _INTEGERS, "+", True, True, rule=intervals.added),
    Binary(arith.SubiOp, "-", operator.sub, EITHER, _INTEGERS, "-", wraps=True, rule=intervals.subtracted),
    Binary(arith.MuliOp, "*", operator.mul, EITHER, _INTEGERS, "*", True, True, rule=intervals.multiplied),
    Binary(arith.AndIOp, "&", operator.and_, EITHER, _LOGIC, "&", True, rule=intervals.masked),
    Binary(
        arith.OrIOp,
        "|",
        operator.or_,
        EITHER,
        _LOGIC,
        "|",
        True,
        rule=intervals.natural_bits,
        tight=intervals.joined_bits,
    ),
    Binary(
        arith.XOrIOp,
        "^",
        operator.xor,
        EITHER,
        _LOGIC,
        "^",
        True,
        rule=intervals.natural_bits,
        tight=intervals.joined_bits,
    ),
    Binary(
        arith.ShLIOp,
        "<<",
        operator.lshift,
        EITHER,
        _INTEGERS,
        "<<",
        wraps=True,
        partial="shift",
        rule=intervals.shifted_left,
    ),
    Binary(
        arith.FloorDivSIOp,
        "//",
        operator.floordiv,
        SIGNED,
        _INT,
        wraps=True,
        partial="zero",
        rule=intervals.floor_divided,
    ),
    Binary(arith.DivUIOp, "//", operator.floordiv, UNSIGNED, _UINT, "/", partial="zero", rule=intervals.divided),
    Binary(arith.RemUIOp, "%", operator.mod, UNSIGNED, _UINT, "%", partial="zero", rule=intervals.remainders),
    Binary(arith.ShRSIOp, ">>", operator.rshift, SIGNED, _INT, ">>", partial="shift"),
    Binary(arith.ShRUIOp, ">>", operator.rshift, UNSIGNED, _UINT, ">>", partial="shift", rule=intervals.shifted_right),
    Binary(arith.MinSIOp, "min", min, SIGNED, ("int", "index"), commutes=True, tight=intervals.either),
    Binary(arith.MaxSIOp, "max", max, SIGNED, ("int", "index"), commutes=True, tight=intervals.either),
    Binary(arith.MinUIOp, "min", min, UNSIGNED, _UINT, commutes=True, tight=intervals.either_natural),
    Binary(arith.MaxUIOp, "max", max, UNSIGNED, _UINT, commutes=True, tight=intervals.either_natural),
    Binary(arith.DivSIOp, "", truncated_quotient, SIGNED, c="/", wraps=True, partial="zero"),
    Binary(arith.RemSIOp, "", truncated_remainder, SIGNED, c="%", wraps=True, partial="zero"),
    Binary(arith.CeilDivSIOp, "", ceiling_quotient, SIGNED, wraps=True, partial="zero"),
    Binary(arith.CeilDivUIOp, "", ceiling_quotient, UNSIGNED, partial="zero"),
    Binary(arith.AddfOp, "+", operator.add, None, _FLOAT, "+", True),
    Binary(arith.SubfOp, "-", operator.sub, None, _FLOAT, "-"),
    Binary(arith.MulfOp, "*", operator.mul, None, _FLOAT, "*", True),
    Binary(arith.DivfOp, "/", operator.truediv, None, _FLOAT, "/"),
    Binary(arith.MinimumfOp, "min", None, None, _FLOAT, commutes=True),
    Binary(arith.MaximumfOp, "max", None, None, _FLOAT, commutes=True),
    Binary(arith.MinnumfOp, "", None, commutes=True),
    Binary(arith.MaxnumfOp, "", None, commutes=True),
)
BINARY_OF: Mapping[type[Operation], Binary] = MappingProxyType({row.op: row for row in BINARY})
# What a sign means on Python's own numbers.
MEANINGS: Mapping[str, Meaning] = MappingProxyType(
    {row.sign: row.meaning for row in BINARY if row.sign in PRECEDENCE and row.meaning is not None}
)


@dataclass(frozen=True)
class Conversion:
    """An op that makes a value of one type one of another: how it reads an integer, and what sign the result has.

    `gives` is EITHER where the result keeps the operand's; None where the type of the result tells.
    """

    op: type[Operation]
    reads: str | None = None
    gives: str | None = None


CONVERSIONS: tuple[Conversion, ...] = (
    Conversion(arith.IndexCastOp),
    Conversion(IndexCastUIOp, UNSIGNED),
    Conversion(arith.SIToFPOp, SIGNED),
    Conversion(arith.UIToFPOp, UNSIGNED),
    Conversion(arith.FPToSIOp, gives=SIGNED),
    Conversion(arith.FPToUIOp, gives=UNSIGNED),
    Conversion(arith.ExtFOp),
    Conversion(arith.TruncFOp),
    Conversion(arith.ExtSIOp, SIGNED, SIGNED),
    Conversion(arith.ExtUIOp, UNSIGNED, UNSIGNED),
    Conversion(arith.TruncIOp, EITHER, EITHER),
)


@dataclass(frozen=True)
class Predicate:
    """What a comparison asks: `name` is MLIR's, `sign` Python's.

    Of integers `reads` tells how; of floats `unordered` whether it holds where one is no number.
    """

    name: str
    sign: str = ""
    reads: str = EITHER
    unordered: bool = False

    @property
    def plain(self) -> bool:
        """Is it what the sign means on floats in Python and C, where only `!=` holds of a NaN?"""
        return bool(self.sign) and self.unordered == (self.sign == "!=")


# In the order of their numbers in MLIR.
INTEGER_PREDICATES: tuple[Predicate, ...] = (
    Predicate("eq", "=="),
    Predicate("ne", "!="),
    Predicate("slt", "<", SIGNED),
    Predicate("sle", "<=", SIGNED),
    Predicate("sgt", ">", SIGNED),
    Predicate("sge", ">=", SIGNED),
    Predicate("ult", "<", UNSIGNED),
    Predicate("ule", "<=", UNSIGNED),
    Predicate("ugt", ">", UNSIGNED),
    Predicate("uge", ">=", UNSIGNED),
)
FLOAT_PREDICATES: tuple[Predicate, ...] = (
    Predicate("false"),
    Predicate("oeq", "=="),
    Predicate("ogt", ">"),
    Predicate("oge", ">="),
    Predicate("olt", "<"),
    Predicate("ole", "<="),
    Predicate("one", "!="),
    Predicate("ord"),
    Predicate("ueq", "==", unordered=True),
    Predicate("ugt", ">", unordered=True),
    Predicate("uge", ">=", unordered=True),
    Predicate("ult", "<", unordered=True),
    Predicate("ule", "<=", unordered=True),
    Predicate("une", "!=", unordered=True),
    Predicate("uno", unordered=True),
    Predicate("true", unordered=True),
)


# The number in MLIR of what a sign asks, by the kind of the numbers: as floats, or as integers with or without a sign.
PREDICATE_OF: Mapping[tuple[str, str], int] = MappingProxyType(
    {
        **{("float", row.sign): number for number, row in enumerate(FLOAT_PREDICATES) if row.plain},
        **{
            (kind, row.sign): number
            for kind in (SIGNED, UNSIGNED)
            for number, row in enumerate(INTEGER_PREDICATES)
            if row.reads in (EITHER, kind)
        },
    }
)


def predicate_of(op: arith.CmpiOp | arith.CmpfOp) -> Predicate:
    """What the comparison asks."""
    rows = INTEGER_PREDICATES if isinstance(op, arith.CmpiOp) else FLOAT_PREDICATES
    return rows[op.predicate.value.data]
