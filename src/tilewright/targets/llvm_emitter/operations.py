"""Arithmetic as instructions: signs and readings are those of `ir/core/facts`, a row an op."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IndexType, UnrealizedConversionCastOp
from xdsl.ir import Attribute, Operation

from tilewright.errors import CompileError
from tilewright.ir.core.element_types import element_dtype, ir_type
from tilewright.ir.core.facts import predicate_of
from tilewright.ir.core.functions import FUNCTION_OF
from tilewright.ir.core.narrow import NAN_16, NarrowFloat
from tilewright.ir.core.narrow import NARROW as NARROW_FLOATS
from tilewright.ir.core.narrowing import NarrowOp
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.mlir.arith import IndexCastUIOp
from tilewright.ir.tile.bits import BitsOp
from tilewright.ir.tile.pairs import Pair, PairOp, held
from tilewright.targets.launch import where
from tilewright.targets.llvm_emitter.codes import narrowing, widening
from tilewright.targets.llvm_emitter.types import NARROW, Value, is_narrow, kind_of
from tilewright.targets.llvm_emitter.writer import Writer

Maker: TypeAlias = Callable[[Writer, Any, list[Value]], Value]

_PLAIN: Mapping[type[Operation], str] = {
    arith.AddiOp: "add",
    arith.SubiOp: "sub",
    arith.MuliOp: "mul",
    arith.AndIOp: "and",
    arith.OrIOp: "or",
    arith.XOrIOp: "xor",
    arith.ShLIOp: "shl",
    arith.ShRSIOp: "ashr",
    arith.ShRUIOp: "lshr",
    arith.DivSIOp: "sdiv",
    arith.DivUIOp: "udiv",
    arith.RemSIOp: "srem",
    arith.RemUIOp: "urem",
    arith.AddfOp: "fadd",
    arith.SubfOp: "fsub",
    arith.MulfOp: "fmul",
    arith.DivfOp: "fdiv",
}
# The first where the comparison of first and second says so.
_EXTREMES: Mapping[type[Operation], str] = {
    arith.MinSIOp: "slt",
    arith.MinUIOp: "ult",
    arith.MaxSIOp: "sgt",
    arith.MaxUIOp: "ugt",
}
# Which function gives it of numbers, a zero with a sign below that without, and whether a NaN is what is chosen.
_FLOAT_EXTREMES: Mapping[type[Operation], tuple[str, bool]] = {
    arith.MaximumfOp: ("maximum", True),
    arith.MinimumfOp: ("minimum", True),
    arith.MaxnumfOp: ("maximum", False),
    arith.MinnumfOp: ("minimum", False),
}
_SHORT: Mapping[str, str] = {"float": "f32", "double": "f64"}  # in names of LLVM's functions


def _plain(out: Writer, op: Operation, given: list[Value]) -> Value:
    left, right = given
    return out.make(left.kind, f"{_PLAIN[type(op)]} {left}, {right.text}")


def _signed(divide: Maker) -> Maker:
    """By -1 the number of other sign, where LLVM leaves the least one open: it is divided by 1."""

    def made(out: Writer, op: Operation, given: list[Value]) -> Value:
        left, right = given
        natural = isinstance(op.results[0].type, IndexType) and all(map(out.natural, op.operands))
        if natural or constant_of(op.operands[1]) not in (None, -1):
            return divide(out, op, given)
        minus = out.make("i1", f"icmp eq {right}, -1")
        found = divide(out, op, [left, out.make(right.kind, f"select {minus}, {right.kind} 1, {right}")])
        if isinstance(op, arith.RemSIOp):
            return found
        return _choose(out, minus, out.make(left.kind, f"sub {left.kind} 0, {left.text}"), found)

    return made


def _extreme(out: Writer, op: Operation, given: list[Value]) -> Value:
    left, right = given
    first = out.make("i1", f"icmp {_EXTREMES[type(op)]} {left}, {right.text}")
    return _choose(out, first, left, right)


def _float_extreme(out: Writer, op: Operation, given: list[Value]) -> Value:
    name, nan = _FLOAT_EXTREMES[type(op)]
    left, right = given
    chosen = out.call(left.kind, f"llvm.{name}.{_SHORT[left.kind]}", left, right)
    for one, other in ((right, left), (left, right)):
        lost = out.make("i1", f"fcmp uno {one}, {one.text}")
        chosen = _choose(out, lost, one if nan else other, chosen)
    return chosen


def _choose(out: Writer, condition: Value, yes: Value, no: Value) -> Value:
    return out.make(yes.kind, f"select {condition}, {yes}, {no}")


def _floor_divided(out: Writer, op: arith.FloorDivSIOp, given: list[Value]) -> Value:
    left, right = given
    if isinstance(op.result.type, IndexType) and all(map(out.natural, op.operands)):
        return out.make(left.kind, f"udiv {left}, {right.text}")
    return _adjusted(out, given, "ne", "sub")


def _ceil_divided(out: Writer, op: arith.CeilDivSIOp, given: list[Value]) -> Value:
    return _adjusted(out, given, "eq", "add")


def _adjusted(out: Writer, given: list[Value], signs: str, change: str) -> Value:
    """The quotient that is cut, moved by one where something is left and the signs are equal, or are not."""
    left, right = given
    kind = left.kind
    quotient, rest = (out.make(kind, f"{name} {left}, {right.text}") for name in ("sdiv", "srem"))
    some = out.make("i1", f"icmp ne {rest}, 0")
    one, other = (out.make("i1", f"icmp slt {value}, 0") for value in given)
    moves = out.make("i1", f"and {some}, {out.make('i1', f'icmp {signs} {one}, {other.text}').text}")
    return out.make(kind, f"{change} {quotient}, {out.make(kind, f'zext {moves} to {kind}').text}")


def _ceil_divided_bits(out: Writer, op: arith.CeilDivUIOp, given: list[Value]) -> Value:
    left, right = given
    quotient, rest = (out.make(left.kind, f"{name} {left}, {right.text}") for name in ("udiv", "urem"))
    some = out.make("i1", f"icmp ne {rest}, 0")
    return out.make(left.kind, f"add {quotient}, {out.make(left.kind, f'zext {some} to {left.kind}').text}")


def _negated(out: Writer, op: arith.NegfOp, given: list[Value]) -> Value:
    if is_narrow(op.result.type):
        return out.make(given[0].kind, f"xor {given[0]}, -32768")
    return out.make(given[0].kind, f"fneg {given[0]}")


def _fused(out: Writer, op: math.FmaOp, given: list[Value]) -> Value:
    kind = given[0].kind
    if kind in _SHORT:
        return out.call(kind, f"llvm.fma.{_SHORT[kind]}", *given)
    a, b, c = (widened(out, value, op.result.type, "double") for value in given)
    product = out.make("double", f"fmul {a}, {b.text}")
    return _rounded(out, out.call("double", "tw_odd_sum", product, c), op.result.type)


def _function(out: Writer, op: Operation, given: list[Value]) -> Value:
    """In binary64, rounded to float32, and on to a narrower type."""
    kind = op.results[0].type
    wide = [widened(out, value, kind, "double") for value in given]
    if isinstance(op, math.RsqrtOp):
        root = out.call("double", "sqrt", *wide)
        made = out.make("double", f"fdiv double 1.0, {root.text}")
    else:
        made = out.call("double", FUNCTION_OF[type(op)].c, *wide)
    return made if kind_of(kind) == "double" else _rounded(out, out.make("float", f"fptrunc {made} to float"), kind)


def _on_bits(out: Writer, op: BitsOp, given: list[Value]) -> Value:
    kind, what = given[0].kind, op.kind.data
    if what == "ffs":
        last = out.make(kind, f"call {kind} @llvm.cttz.{kind}({given[0]}, i1 false)")
        next_ = out.make(kind, f"add {last}, 1")
        some = out.make("i1", f"icmp ne {given[0]}, 0")
        out.used[f"llvm.cttz.{kind}"] = None
        return _choose(out, some, next_, given[0])
    if what == "clz":
        out.used[f"llvm.ctlz.{kind}"] = None
        return out.make(kind, f"call {kind} @llvm.ctlz.{kind}({given[0]}, i1 false)")
    if what not in _BITS:
        raise CompileError(f"the loops of llvmlite have no {op.function.cuda}\n{where(op)}")
    low, *more = given
    return out.call(kind, f"{_BITS[what]}.{kind}", *([more[0], low, more[1]] if more else [low]))


_BITS: Mapping[str, str] = {"popc": "llvm.ctpop", "brev": "llvm.bitreverse", "shf_l": "llvm.fshl", "shf_r": "llvm.fshr"}


def _compared(out: Writer, op: arith.CmpiOp, given: list[Value]) -> Value:
    left, right = given
    return out.make("i1", f"icmp {predicate_of(op).name} {left}, {right.text}")


def _compared_floats(out: Writer, op: arith.CmpfOp, given: list[Value]) -> Value:
    left, right = (widened(out, value, op.lhs.type) for value in given)
    return out.make("i1", f"fcmp {predicate_of(op).name} {left}, {right.text}")


def _selected(out: Writer, op: arith.SelectOp, given: list[Value]) -> Value:
    return _choose(out, *given)


# ---- narrow floats


def widened(out: Writer, value: Value, kind: Attribute, wanted: str = "") -> Value:
    """A float as one that the processor has; where that is wanted, as a double."""
    made = value
    if row := _row(kind):
        made = out.call("float", widening(row), value)
    elif is_narrow(kind):
        made = out.call("float", f"tw_from_{NARROW[element_dtype(kind).name]}", value)
    if wanted == "double" and made.kind == "float":
        made = out.make("double", f"fpext {made} to double")
    return made


def _row(kind: Attribute) -> NarrowFloat | None:
    return None if isinstance(kind, IndexType) else NARROW_FLOATS.get(element_dtype(kind).name)


def _rounded(out: Writer, value: Value, kind: Attribute, how: str = "") -> Value:
    """A float of the processor as one of this type, rounded once."""
    if row := _row(kind):
        near = out.call("float", "tw_odd", value) if value.kind == "double" else value
        return out.call(kind_of(kind), narrowing(row, how), near)
    if not is_narrow(kind):
        wanted = kind_of(kind)
        if value.kind == wanted:
            return value
        return out.make(wanted, f"{'fptrunc' if wanted == 'float' else 'fpext'} {value} to {wanted}")
    near = out.call("float", "tw_odd", value) if value.kind == "double" else value
    return out.call("i16", f"tw_to_{NARROW[element_dtype(kind).name]}", near)


def _narrowly(maker: Maker) -> Maker:
    """The maker, on narrow floats worked out in binary32, which rounding once more is rounding once."""

    def make(out: Writer, op: Operation, given: list[Value]) -> Value:
        kind = op.results[0].type
        if not is_narrow(kind):
            return maker(out, op, given)
        return _rounded(out, maker(out, op, [widened(out, value, kind) for value in given]), kind)

    return make


# ---- casts


def _resized(extension: str) -> Maker:
    def make(out: Writer, op: Operation, given: list[Value]) -> Value:
        return resized(out, given[0], kind_of(op.results[0].type), extension)

    return make


def resized(out: Writer, value: Value, wanted: str, extension: str) -> Value:
    """An integer with as many bits as another type."""
    have, want = int(value.kind[1:]), int(wanted[1:])
    if have == want:
        return value
    return out.make(wanted, f"{extension if have < want else 'trunc'} {value} to {wanted}")


def _to_float(name: str) -> Maker:
    def make(out: Writer, op: Operation, given: list[Value]) -> Value:
        kind = op.results[0].type
        wanted = "double" if is_narrow(kind) else kind_of(kind)
        long = is_narrow(kind) and given[0].kind == "i64"
        value = out.call("i64", f"tw_near_{name[0]}", given[0]) if long else given[0]
        return _rounded(out, out.make(wanted, f"{name} {value} to {wanted}"), kind)

    return make


_FLOATS = {"float": "f32", "double": "f64"}


def _to_integer(name: str) -> Maker:
    def make(out: Writer, op: Operation, given: list[Value]) -> Value:
        value, wanted = widened(out, given[0], op.operands[0].type), kind_of(op.results[0].type)
        if wanted == "i1":
            return out.make("i1", f"icmp ne {out.call('i32', f'llvm.fptosi.sat.i32.{_FLOATS[value.kind]}', value)}, 0")
        return out.call(wanted, f"llvm.{name}.sat.{wanted}.{_FLOATS[value.kind]}", value)

    return make


def _between_floats(out: Writer, op: Operation, given: list[Value]) -> Value:
    return _rounded(out, widened(out, given[0], op.operands[0].type), op.results[0].type)


def _cut(out: Writer, op: arith.TruncFOp, given: list[Value]) -> Value:
    row = _row(op.result.type)
    if row and not row.signed:
        raise CompileError(f"nothing rounds to the nearest {row.element}\n{where(op)}")
    return _between_floats(out, op, given)


def _narrowed(out: Writer, op: NarrowOp, given: list[Value]) -> Value:
    value = widened(out, given[0], op.value.type)
    if _row(op.result.type):
        return _rounded(out, value, op.result.type, op.how.data)
    return out.call("float", f"tw_cut_{op.how.data}", value)


def _paired(out: Writer, op: PairOp, given: list[Value]) -> Value:
    row, wide = op.row, f"i{op.row.result.bits}"
    upper, lower = (_code(out, row, _number(out, row, given, number)) for number in (0, 1))
    upper, lower = (resized(out, value, wide, "zext") for value in (upper, lower))
    return out.make(wide, f"or {out.make(wide, f'shl {upper}, {held(row.target)}')}, {lower.text}")


def _number(out: Writer, row: Pair, given: list[Value], number: int) -> Value:
    """The first of two numbers, which lies in the upper half of a word, or the second; 0 where it is less."""
    found = given[-1 if len(given) == 1 else number]
    if row.source.name != "float32":
        bits = held(row.source)
        half = out.make(found.kind, f"lshr {found}, {0 if number else bits}")
        found = widened(out, resized(out, half, f"i{row.source.bits}", "zext"), ir_type(row.source))
    if not row.relu:
        return found
    less = out.make("i1", f"fcmp ole {found}, 0.0")
    return _choose(out, less, Value("0.0", "float"), found)


def _code(out: Writer, row: Pair, number: Value) -> Value:
    found = _rounded(out, number, ir_type(row.target), row.how)
    if row.target.name in NARROW_FLOATS:
        return found
    nothing = out.make("i1", f"fcmp uno {number}, {number.text}")
    return _choose(out, nothing, Value(str(NAN_16), found.kind), found)


def _bits(out: Writer, op: Operation, given: list[Value]) -> Value:
    wanted = kind_of(op.results[0].type)
    return given[0] if given[0].kind == wanted else out.make(wanted, f"bitcast {given[0]} to {wanted}")


OPERATIONS: Mapping[type[Operation], Maker] = {
    **dict.fromkeys(_PLAIN, _narrowly(_plain)),
    **dict.fromkeys(_EXTREMES, _extreme),
    **dict.fromkeys(_FLOAT_EXTREMES, _narrowly(_float_extreme)),
    arith.DivSIOp: _signed(_plain),
    arith.RemSIOp: _signed(_plain),
    arith.FloorDivSIOp: _signed(_floor_divided),
    arith.CeilDivSIOp: _signed(_ceil_divided),
    arith.CeilDivUIOp: _ceil_divided_bits,
    arith.NegfOp: _negated,
    math.FmaOp: _fused,
    **dict.fromkeys(FUNCTION_OF, _function),
    BitsOp: _on_bits,
    arith.CmpiOp: _compared,
    arith.CmpfOp: _compared_floats,
    arith.SelectOp: _selected,
    arith.IndexCastOp: _resized("sext"),
    IndexCastUIOp: _resized("zext"),
    arith.ExtSIOp: _resized("sext"),
    arith.ExtUIOp: _resized("zext"),
    arith.TruncIOp: _resized("sext"),
    arith.SIToFPOp: _to_float("sitofp"),
    arith.UIToFPOp: _to_float("uitofp"),
    arith.FPToSIOp: _to_integer("fptosi"),
    arith.FPToUIOp: _to_integer("fptoui"),
    arith.ExtFOp: _between_floats,
    arith.TruncFOp: _cut,
    NarrowOp: _narrowed,
    PairOp: _paired,
    arith.BitcastOp: _bits,
    UnrealizedConversionCastOp: _bits,
}
