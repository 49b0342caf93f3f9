"""Arithmetic as C: one table for indices, one for elements.

An index is computed in 32 bits where the ranges of the operands and the result allow it. `threadIdx.x` is unsigned,
loop counters are signed: where no number can be negative the two mix freely, elsewhere the unsigned one is cast.
Elements wrap as MLIR's do: C's signed overflow is avoided by computing on the unsigned type of the same width.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IndexType, UnrealizedConversionCastOp
from xdsl.ir import Operation

from tilewright.errors import CompileError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.facts import BINARY, EITHER, Predicate, predicate_of
from tilewright.ir.core.facts import UNSIGNED as ON_BITS  # here UNSIGNED is a type of C
from tilewright.ir.core.functions import FUNCTION_OF, is_approximate
from tilewright.ir.core.intervals import Range
from tilewright.ir.core.narrow import NARROW, TF32, usual
from tilewright.ir.core.narrowing import NarrowOp
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.mlir.arith import IndexCastUIOp
from tilewright.ir.tile.bits import TABLE, BitsOp
from tilewright.ir.tile.pairs import PairOp
from tilewright.targets.c_emitter.narrow import opened, saturates
from tilewright.targets.c_emitter.values import INT, UNSIGNED, WIDE, Expr, index_type
from tilewright.targets.launch import where

Maker: TypeAlias = Callable[[Any, list[Expr], Range], Expr]

_SIGNS: Mapping[type[Operation], str] = {row.op: row.c for row in BINARY if row.c}
_SHIFTS = tuple(row.op for row in BINARY if row.partial == "shift")
_WRAPPING = tuple(row.op for row in BINARY if row.wraps and row.reads == EITHER)
_EXTREMES = tuple(row.op for row in BINARY if row.meaning in (min, max))
_ON_BITS = tuple(row.op for row in BINARY if row.reads == ON_BITS)
CALLS: Mapping[type[Operation], str] = {
    arith.FloorDivSIOp: "tw_floordiv",
    arith.CeilDivSIOp: "tw_ceildiv",
    arith.CeilDivUIOp: "tw_ceildiv",
    arith.MinSIOp: "tw_min",
    arith.MinUIOp: "tw_min",
    arith.MaxSIOp: "tw_max",
    arith.MaxUIOp: "tw_max",
    arith.MaximumfOp: "tw_maximum",
    arith.MinimumfOp: "tw_minimum",
    arith.MaxnumfOp: "tw_maxnum",
    arith.MinnumfOp: "tw_minnum",
    math.FmaOp: "fma",
}
_DIVISIONS: Mapping[type[Operation], str] = {arith.DivSIOp: "tw_quotient", arith.RemSIOp: "tw_remainder"}
_FUSED: Mapping[str, str] = {"float": "fmaf", "double": "fma"}  # others by the words of CUDA's headers

_OPPOSITES: Mapping[str, str] = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_FLOAT_COMPARISONS: Mapping[str, str] = {  # those of which no sign tells
    "false": "false",
    "one": "tw_apart<{t}>({a}, {b})",
    "ord": "tw_ordered<{t}>({a}, {b})",
    "ueq": "!tw_apart<{t}>({a}, {b})",
    "uno": "!tw_ordered<{t}>({a}, {b})",
    "true": "true",
}


def operation(op: Operation, operands: list[Expr], found: Range) -> Expr:
    """The op's result; `found` is its range where it is an index."""
    return OPERATIONS[type(op)](op, operands, found)


def joined(sign: str, left: Expr, right: Expr, ctype: str, low: int | None = None) -> Expr:
    """left sign right; a sum of sums needs no parentheses on its left.

    >>> joined("+", joined("+", Expr("a", "int"), Expr("b", "int"), "int"), Expr("c", "int"), "int").text
    'a + b + c'
    """
    first = left.text if sign == "+" and left.is_sum else left.operand
    return Expr(f"{first} {sign} {right.operand}", ctype, False, left.leaves + right.leaves, low, is_sum=sign == "+")


# ---- indices


def _index(op: Operation, operands: list[Expr], found: Range) -> Expr:
    left, right = operands
    if isinstance(op, _ON_BITS) and not (left.natural and right.natural):
        plain = _index_on_bits(op, left, right)
        return plain.cast(WIDE)
    if type(op) in CALLS and left.natural and right.natural and isinstance(op, arith.FloorDivSIOp):
        return _index_joined("/", False, left, right, found)
    if type(op) in CALLS:
        ctype = _widest(left, right) if isinstance(op, _EXTREMES) else WIDE
        return _called(CALLS[type(op)], [left.cast(ctype), right.cast(ctype)], ctype, found[0])
    if _has_no_opposite(op, left, right):
        return _called(_DIVISIONS[type(op)], [left.cast(WIDE), right.cast(WIDE)], WIDE, found[0])
    return _index_joined(_SIGNS[type(op)], isinstance(op, _SHIFTS), left, right, found)


def _index_joined(sign: str, shift: bool, left: Expr, right: Expr, found: Range) -> Expr:
    low = found[0]
    if WIDE in (index_type(found), left.ctype) or (right.ctype == WIDE and not shift):
        # One wide operand makes C compute in 64 bits; of a shift it must be the left one.
        if left.ctype != WIDE and (shift or right.ctype != WIDE):
            left = left.cast(WIDE)
        return joined(sign, left, right, WIDE, low)
    if low is None or low < 0 or not (left.natural and right.natural):
        left, right = (e.cast(INT) if e.ctype == UNSIGNED else e for e in (left, right))
    ctype = UNSIGNED if UNSIGNED in ((left.ctype,) if shift else (left.ctype, right.ctype)) else INT
    return joined(sign, left, right, ctype, low)


def _index_on_bits(op: Operation, left: Expr, right: Expr) -> Expr:
    wide = f"unsigned {WIDE}"
    left, right = left.cast(WIDE).cast(wide), right.cast(WIDE).cast(wide)
    if type(op) in CALLS:
        return _called(CALLS[type(op)], [left, right], wide, None)
    return joined(_SIGNS[type(op)], left, right, wide)


def _has_no_opposite(op: Operation, left: Expr, right: Expr) -> bool:
    """Does it perhaps divide the least number by -1, which C leaves open?"""
    known = left.natural or right.natural or constant_of(op.operands[1]) not in (None, -1)
    return type(op) in _DIVISIONS and not known


def _widest(left: Expr, right: Expr) -> str:
    return WIDE if WIDE in (left.ctype, right.ctype) else INT


def matched(left: Expr, right: Expr) -> tuple[Expr, Expr]:
    """Two indices as one C type, so that comparing them compares their values."""
    if WIDE in (left.ctype, right.ctype):
        return left.cast(WIDE), right.cast(WIDE)
    if left.ctype == right.ctype or (left.natural and right.natural and (left.constant or right.constant)):
        return left, right
    return left.cast(INT), right.cast(INT)


# ---- elements


def _element(op: Operation, operands: list[Expr], found: Range) -> Expr:
    ctype = element_dtype(op.results[0].type).c_name
    if isinstance(op, _ON_BITS + _WRAPPING):
        bits = _unsigned(ctype)
        operands = [e.cast(bits) for e in operands]
    if type(op) in CALLS:
        return _called(CALLS[type(op)], operands, operands[0].ctype, None).cast(ctype)
    left, right = operands
    if _promoted(left.ctype) == left.ctype and _has_no_opposite(op, left, right):
        return _called(_DIVISIONS[type(op)], operands, left.ctype, None)
    if isinstance(op, arith.XOrIOp) and (right.text, ctype) == ("true", "bool"):
        return Expr(f"!{left.operand}", ctype, False, left.leaves)
    # Arithmetic on types narrower than int is done in int.
    return joined(_SIGNS[type(op)], left, right, _promoted(left.ctype)).cast(ctype)


def _promoted(ctype: str) -> str:
    return INT if ctype in ("bool", "signed char", "unsigned char", "short", "unsigned short") else ctype


def _unsigned(ctype: str) -> str:
    return {"signed char": "unsigned char", "bool": "bool"}.get(ctype, f"unsigned {ctype.removeprefix('unsigned ')}")


def _negated(op: arith.NegfOp, operands: list[Expr], found: Range) -> Expr:
    return Expr(f"-{operands[0].operand}", operands[0].ctype, False, operands[0].leaves)


def _fused(op: math.FmaOp, operands: list[Expr], found: Range) -> Expr:
    ctype = operands[0].ctype
    text = f"{_FUSED.get(ctype, '__hfma')}({', '.join(e.text for e in operands)})"
    return Expr(text, ctype, True, sum(e.leaves for e in operands))


def _function(op: Operation, operands: list[Expr], found: Range) -> Expr:
    row, ctype = FUNCTION_OF[type(op)], operands[0].ctype
    wide = ctype if ctype == "double" else "float"
    fast = row.fast if is_approximate(op) and ctype == "float" else ""
    name = row.c if wide == "double" else fast or f"{row.c}f"
    text = f"{name}({', '.join(e.cast(wide).text for e in operands)})"
    return Expr(text, wide, True, sum(e.leaves for e in operands)).cast(ctype)


def _on_bits(op: BitsOp, operands: list[Expr], found: Range) -> Expr:
    ctype = element_dtype(op.result.type).c_name
    long = "ll" if element_dtype(op.result.type).bits == 64 else ""
    table = f"<{op.table.value.data}>" if op.kind.data == TABLE else ""
    text = f"{op.function.cuda}{long}{table}({', '.join(e.cast(ctype).text for e in operands)})"
    given = INT if op.function.counts else ctype
    return Expr(text, given, True, sum(e.leaves for e in operands)).cast(ctype)


def _compared(op: arith.CmpiOp, operands: list[Expr], found: Range) -> Expr:
    left, right, predicate = *operands, predicate_of(op)
    if isinstance(op.lhs.type, IndexType):
        if predicate.reads != ON_BITS or (left.natural and right.natural):
            left, right = matched(left, right)
        else:
            left, right = (e.cast(WIDE).cast(f"unsigned {WIDE}") for e in operands)
    elif predicate.reads == ON_BITS:
        left, right = (e.cast(_unsigned(e.ctype)) for e in operands)
    return joined(predicate.sign, left, right, "bool")


def _compared_floats(op: arith.CmpfOp, operands: list[Expr], found: Range) -> Expr:
    a, b = operands
    form = _comparison(predicate_of(op))
    return Expr(form.format(a=a.operand, b=b.operand, t=a.ctype), "bool", False, a.leaves + b.leaves)


def _comparison(predicate: Predicate) -> str:
    if predicate.name in _FLOAT_COMPARISONS:
        return _FLOAT_COMPARISONS[predicate.name]
    return f"{{a}} {predicate.sign} {{b}}" if predicate.plain else f"!({{a}} {_OPPOSITES[predicate.sign]} {{b}})"


def _selected(op: arith.SelectOp, operands: list[Expr], found: Range) -> Expr:
    condition, yes, no = operands
    if isinstance(op.result.type, IndexType):
        yes, no = matched(yes, no)
    ctype = yes.ctype if not yes.constant else no.ctype
    text = f"{condition.operand} ? {yes.operand} : {no.operand}"
    return Expr(text, ctype, False, condition.leaves + yes.leaves + no.leaves, found[0])


def _called(name: str, operands: list[Expr], ctype: str, low: int | None) -> Expr:
    text = f"{name}<{ctype}>({', '.join(e.text for e in operands)})"
    return Expr(text, ctype, True, sum(e.leaves for e in operands), low)


# ---- casts


def _index_cast(op: arith.IndexCastOp, operands: list[Expr], found: Range) -> Expr:
    return _resized(op, _signed(operands[0]), found)


def _index_cast_of_bits(op: IndexCastUIOp, operands: list[Expr], found: Range) -> Expr:
    value = operands[0]
    return _resized(op, value if isinstance(op.input.type, IndexType) else value.cast(_unsigned(value.ctype)), found)


def _resized(op: Operation, value: Expr, found: Range) -> Expr:
    kind = op.results[0].type
    if isinstance(kind, IndexType):
        made = value.cast(index_type(found))
        return Expr(made.text, made.ctype, made.atom, made.leaves, found[0])
    return _low_bit(value) if element_dtype(kind).kind == "bool" else value.cast(element_dtype(kind).c_name)


def _cast(op: Operation, operands: list[Expr], found: Range) -> Expr:
    return operands[0].cast(element_dtype(op.results[0].type).c_name)


def _extended(op: arith.ExtSIOp | arith.SIToFPOp, operands: list[Expr], found: Range) -> Expr:
    return _cast(op, [_signed(operands[0])], found)


def _signed(value: Expr) -> Expr:
    """A truth value is a number of one bit, which is its sign."""
    return Expr(f"-{value.cast(INT).text}", INT, False) if value.ctype == "bool" else value


def _from_bits(op: Operation, operands: list[Expr], found: Range) -> Expr:
    return _cast(op, [operands[0].cast(_unsigned(operands[0].ctype))], found)


def _truncated(op: arith.TruncIOp, operands: list[Expr], found: Range) -> Expr:
    return _low_bit(operands[0]) if element_dtype(op.result.type).kind == "bool" else _cast(op, operands, found)


def _low_bit(value: Expr) -> Expr:
    return Expr(f"({value.operand} & 1) != 0", "bool", False, value.leaves)


def _whole(op: arith.FPToSIOp | arith.FPToUIOp, operands: list[Expr], found: Range) -> Expr:
    """By a function that saturates, which C's casts leave undefined."""
    made, ctype = operands[0], element_dtype(op.result.type).c_name
    value = made if made.ctype in _FUSED else made.cast("float")
    target = INT if ctype == "bool" else _unsigned(ctype) if isinstance(op, arith.FPToUIOp) else ctype
    text = f"tw_whole<{target}>({value.text})"
    if ctype == "bool":
        return Expr(f"{text} != 0", "bool", False, made.leaves)
    return Expr(text, target, True, made.leaves).cast(ctype)


def _narrowed(op: NarrowOp, operands: list[Expr], found: Range) -> Expr:
    element, (value,) = element_dtype(op.result.type), operands
    if element.name == TF32:
        return Expr(f"tw_tf32_{op.how.data}({value.text})", value.ctype, True, value.leaves)
    if op.how.data != usual(element):
        raise CompileError(f"no type of C rounds to {element} by {op.how.data}\n{where(op)}")
    return value.cast(element.c_name)


def _paired(op: PairOp, operands: list[Expr], found: Range) -> Expr:
    given = ", ".join(e.text for e in operands)
    return Expr(f"{op.row.function}({given})", op.row.result.c_name, True, sum(e.leaves for e in operands))


def _cut(op: arith.TruncFOp, operands: list[Expr], found: Range) -> Expr:
    """CUDA's narrow types saturate; this op does not."""
    element, (value,) = element_dtype(op.result.type), operands
    row = NARROW.get(element.name)
    if row is None or saturates(row):
        return _cast(op, operands, found)
    if not row.signed:
        raise CompileError(f"no type of C rounds to the nearest {element}\n{where(op)}")
    return Expr(opened(element, value.text), element.c_name, True, value.leaves)


def _bits(op: arith.BitcastOp, operands: list[Expr], found: Range) -> Expr:
    ctype = element_dtype(op.result.type).c_name
    if ctype == operands[0].ctype:
        return operands[0]
    return Expr(f"tw_bits<{ctype}>({operands[0].text})", ctype, True, operands[0].leaves)


def _either(op: Operation, operands: list[Expr], found: Range) -> Expr:
    return (_index if isinstance(op.results[0].type, IndexType) else _element)(op, operands, found)


OPERATIONS: Mapping[type[Operation], Maker] = {
    **dict.fromkeys((*_SIGNS, *_EXTREMES, *CALLS), _either),
    arith.NegfOp: _negated,
    math.FmaOp: _fused,
    **dict.fromkeys(FUNCTION_OF, _function),
    BitsOp: _on_bits,
    arith.CmpiOp: _compared,
    arith.CmpfOp: _compared_floats,
    arith.SelectOp: _selected,
    arith.IndexCastOp: _index_cast,
    IndexCastUIOp: _index_cast_of_bits,
    arith.ExtSIOp: _extended,
    arith.SIToFPOp: _extended,
    arith.ExtUIOp: _from_bits,
    arith.UIToFPOp: _from_bits,
    arith.TruncIOp: _truncated,
    arith.FPToSIOp: _whole,
    arith.FPToUIOp: _whole,
    arith.ExtFOp: _cast,
    arith.TruncFOp: _cut,
    NarrowOp: _narrowed,
    PairOp: _paired,
    arith.BitcastOp: _bits,
    UnrealizedConversionCastOp: _cast,
}
