"""Values as C expressions with their types, and the ranges that choose 32 or 64 bits for an index."""

from __future__ import annotations

from dataclasses import dataclass
from math import copysign, isfinite, isnan

from tilewright.dtypes import DType, dtype
from tilewright.errors import CompileError
from tilewright.ir.core.intervals import Range
from tilewright.numerals import is_digits

UNSIGNED, INT, WIDE = "unsigned int", "int", "long long"
_INT_MAX, _WIDE_MAX = 2**31 - 1, 2**63 - 1


@dataclass(frozen=True)
class Expr:
    """A C expression. `atom`: it needs no parentheses as an operand; `leaves` measures its length.

    `low` tells of an index whether it can be negative: it cannot where `low` is at least 0.
    """

    text: str
    ctype: str
    atom: bool = True
    leaves: int = 1
    low: int | None = None
    constant: bool = False
    is_sum: bool = False
    of: Expr | None = None  # the same bits with another sign, which this is a cast of

    @property
    def operand(self) -> str:
        """The text as an operand of something tighter."""
        return self.text if self.atom else f"({self.text})"

    @property
    def natural(self) -> bool:
        """Is it certain to be at least 0?"""
        return self.low is not None and self.low >= 0

    def cast(self, ctype: str) -> Expr:
        """The expression converted to another C type."""
        if ctype == self.ctype:
            return self
        if self.of is not None and self.of.ctype == ctype:
            return self.of
        if ctype == UNSIGNED and is_digits(self.text):
            return Expr(f"{self.text}u", UNSIGNED, low=self.low, constant=self.constant)
        same = self if {ctype, self.ctype} == {INT, UNSIGNED} else None
        return Expr(f"({ctype}){self.operand}", ctype, True, self.leaves, self.low, of=same)


def index_type(found: Range) -> str:
    """The C type that holds every index of the range: 32 bits where that is certain, else 64.

    Raises:
        CompileError: 64 bits do not suffice.

    >>> index_type((0, 255)), index_type((0, 2**31)), index_type((None, None))
    ('int', 'long long', 'long long')
    """
    low, high = found
    if low is None or high is None:
        return WIDE
    if low < -_WIDE_MAX - 1 or high > _WIDE_MAX:
        raise CompileError(f"an index can lie anywhere in {low}..{high}, which 64 bits do not hold")
    return INT if low >= -_INT_MAX - 1 and high <= _INT_MAX else WIDE


def index_constant(value: int) -> Expr:
    """An index constant."""
    ctype = index_type((value, value))
    text = f"{value}LL" if ctype == WIDE else str(value)
    return Expr(text, ctype, value >= 0, 1, value, True)


def number(value: float | int, element: DType) -> Expr:
    """A constant of an element type."""
    if element.kind == "bool":
        return Expr("true" if value else "false", "bool")
    if element.kind == "float":
        return _float(value, element)
    text = f"{value}LL" if element.bits == 64 else str(value)
    if value == -(2 ** (element.bits - 1)):
        text = f"({value + 1}{'LL' if element.bits == 64 else ''} - 1)"
    plain = Expr(text, INT if element.bits < 64 else element.c_name, text.isalnum() or text[0] == "(")
    return plain.cast(element.c_name)


def bit_pattern(value: float, element: DType) -> Expr:
    """A number of an element type that is only moved: its bits."""
    import numpy as np

    whole = dtype(f"uint{max(8, element.bits)}")
    bits = np.array(value).astype(element.numpy()).view(whole.numpy()).item()
    return Expr(f"tw_bits<{element.c_name}>(({whole.c_name}){bits:#x})", element.c_name)


_SPECIAL = {"float": ("0x7f800000", "0x7fc00000"), "double": ("0x7ff0000000000000LL", "0x7ff8000000000000LL")}


def _float(value: float, element: DType) -> Expr:
    ctype = "double" if element.name == "float64" else "float"
    if isfinite(value):
        text = repr(abs(value)) + "f" * (ctype == "float")
    else:
        text = f"tw_bits<{ctype}>({_SPECIAL[ctype][isnan(value)]})"
    positive = Expr(text, ctype)
    return (Expr(f"-{text}", ctype, False) if copysign(1, value) < 0 else positive).cast(element.c_name)
