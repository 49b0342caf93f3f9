"""D = A B + C of one lane: its elements of D from rows and columns that the warp has shown.

By the simulator's rule products are exact, and so is their sum with C, rounded to binary64 and then to the accumulator.
The errors of a plain sum tell whether anything was lost; only then the terms are distilled, until each is the rounded
sum of those below it.

Source: T. Ogita, S. Rump, S. Oishi, "Accurate sum and dot product", 2005.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    Float32Type,
    Float64Type,
    IntegerType,
    MemRefType,
    UnrealizedConversionCastOp,
    f64,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, SSAValue

from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.packing import is_held
from tilewright.dtypes import DType
from tilewright.ir.core.element_types import element_dtype, ir_type
from tilewright.ir.core.ranges import Index
from tilewright.targets.host.lane_code import Code

TF32_BITS = -(1 << 13)  # of a float32 those that a tf32 has
# Floats whose products binary64 holds, with sums far from its limits.
SUMMED = frozenset({"float16", "bfloat16", "tfloat32", "float32", "float8_e4m3fn", "float8_e5m2"})
WHOLE = frozenset({"int8", "uint8"})


def is_summed(atom: MmaAtom) -> bool:
    """Is it a product that lanes can work out?"""
    d, a, b, _ = atom.dtypes
    floats = {a.name, b.name} <= SUMMED and d.name in ("float16", "bfloat16", "float32")
    return floats or ({a.name, b.name} <= WHOLE and d.name == "int32")


@dataclass(frozen=True)
class Registers:
    """Elements in registers from a place on: one each, or several packed into a word."""

    memory: SSAValue
    start: Index
    element: DType

    @property
    def word(self) -> Attribute:
        """The registers' type."""
        kind = self.memory.type
        assert isinstance(kind, MemRefType), "flat memory"
        element: Attribute = kind.element_type
        return element

    @property
    def packed(self) -> int:
        """Elements of a register."""
        held = element_dtype(self.word)
        return 1 if is_held(held, self.element) else held.bits // self.element.bits

    def load(self, code: Code, number: Index) -> SSAValue:
        """An element, as it lies."""
        index = code.index
        if self.packed == 1:
            return code.load(self.memory, index.add(self.start, number))
        word = signless(code, code.load(self.memory, index.add(self.start, index.div(number, self.packed))))
        shift = code.cast(arith.IndexCastOp, self._shift(code, number), word.type)
        narrow = IntegerType(self.element.bits)
        bits = code.cast(arith.TruncIOp, code.op(arith.ShRUIOp, word, shift), narrow)
        return bits if self.element.is_integer else code.cast(arith.BitcastOp, bits, ir_type(self.element))

    def store(self, code: Code, number: Index, value: SSAValue) -> None:
        """Puts an element there; its word keeps the others."""
        index = code.index
        if self.packed == 1:
            code.store(value, self.memory, index.add(self.start, number))
            return
        at = index.value(index.add(self.start, index.div(number, self.packed)))
        before = signless(code, code.load(self.memory, at))
        shift = code.cast(arith.IndexCastOp, self._shift(code, number), before.type)
        narrow = IntegerType(self.element.bits)
        bits = value if value.type == narrow else code.cast(arith.BitcastOp, value, narrow)
        moved = code.op(arith.ShLIOp, code.cast(arith.ExtUIOp, bits, before.type), shift)
        ones = code.op(arith.ShLIOp, code.number((1 << self.element.bits) - 1, before.type), shift)
        kept = code.op(arith.AndIOp, before, code.op(arith.XOrIOp, ones, code.number(-1, before.type)))
        code.store(signed_as(code, code.op(arith.OrIOp, kept, moved), self.word), self.memory, at)

    def _shift(self, code: Code, number: Index) -> SSAValue:
        index = code.index
        return index.value(index.mul(index.mod(number, self.packed), self.element.bits))


def signless(code: Code, value: SSAValue) -> SSAValue:
    """An integer as arithmetic has it."""
    kind = value.type
    assert isinstance(kind, IntegerType), "words are integers"
    return signed_as(code, value, IntegerType(kind.width.data))


def signed_as(code: Code, value: SSAValue, wanted: Attribute) -> SSAValue:
    """The same bits as another type."""
    if value.type == wanted:
        return value
    result: SSAValue = code.builder.insert(UnrealizedConversionCastOp.get([value], [wanted])).results[0]
    return result


def shown(code: Code, value: SSAValue, element: DType) -> SSAValue:
    """A factor as what products are worked out in: binary64, or an integer of 64 bits."""
    if element.is_integer:
        whole = signless(code, value)
        return code.cast(arith.ExtUIOp if element.kind == "uint" else arith.ExtSIOp, whole, i64)
    if element.name == "tfloat32":
        bits = code.op(arith.AndIOp, code.cast(arith.BitcastOp, value, i32), code.number(TF32_BITS, i32))
        value = code.cast(arith.BitcastOp, bits, Float32Type())
    return code.cast(arith.ExtFOp, value, f64)


def integers(code: Code, atom: MmaAtom, terms: Terms, start: SSAValue) -> SSAValue:
    """The sum, wrapped, or held at the limits of 32 bits."""
    with code.turns(terms.count, [code.cast(arith.ExtSIOp, start, i64)]) as loop:
        loop.values = [loop.code.op(arith.AddiOp, loop.values[0], terms.at(loop.code, loop.counter))]
    (total,) = loop.values
    if ".satfinite" in atom.instruction:
        total = code.op(arith.MinSIOp, total, code.number((1 << 31) - 1, i64))
        total = code.op(arith.MaxSIOp, total, code.number(-(1 << 31), i64))
    return code.cast(arith.TruncIOp, total, i32)


@dataclass(frozen=True)
class Terms:
    """The products of a row and a column: where their factors begin in what the warp has shown, and how far apart."""

    rows: SSAValue
    row: Index
    row_step: int
    columns: SSAValue
    column: Index
    column_step: int
    count: int

    def at(self, code: Code, k: Index) -> SSAValue:
        """One product."""
        index = code.index
        a = code.load(self.rows, index.add(self.row, index.mul(k, self.row_step)))
        b = code.load(self.columns, index.add(self.column, index.mul(k, self.column_step)))
        return code.op(arith.MulfOp if isinstance(a.type, Float64Type) else arith.MuliOp, a, b)


def floats(code: Code, terms: Terms, start: SSAValue, kept: SSAValue, wanted: Attribute) -> SSAValue:
    """The sum, rounded twice; `kept` is room for all terms."""
    first = start if start.type == f64 else code.cast(arith.ExtFOp, start, f64)
    with code.turns(terms.count, [first, code.number(0, i1)]) as loop:
        here, (total, lost) = loop.code, loop.values
        bigger, error = two_sum(here, total, terms.at(here, loop.counter))
        more = here.compare("une", error, here.number(0.0, f64))
        loop.values = [bigger, here.op(arith.OrIOp, lost, more)]
    total, lost = loop.values
    finite = code.compare("oeq", code.op(arith.SubfOp, total, total), code.number(0.0, f64))
    yes, no = Code.apart(), Code.apart()
    exact = distilled(yes, terms, first, kept)
    (total,) = code.either(code.op(arith.AndIOp, lost, finite), yes, no, [(exact, total)])
    positive = code.op(arith.AddfOp, total, code.number(0.0, f64))  # no negative zero
    narrow = code.cast(arith.TruncFOp, positive, wanted)
    return code.choose(code.compare("uno", positive, positive), code.number(nan, wanted), narrow)


def two_sum(code: Code, a: SSAValue, b: SSAValue) -> tuple[SSAValue, SSAValue]:
    """The rounded sum, and what it has lost."""
    total = code.op(arith.AddfOp, a, b)
    back = code.op(arith.SubfOp, total, a)
    mine = code.op(arith.SubfOp, a, code.op(arith.SubfOp, total, back))
    return total, code.op(arith.AddfOp, mine, code.op(arith.SubfOp, b, back))


def distilled(code: Code, terms: Terms, start: SSAValue, kept: SSAValue) -> SSAValue:
    """The exact sum, rounded once: so many passes as there are terms leave it on top, and its rest in order below."""
    code.store(start, kept, 0)
    with code.turns(terms.count) as loop:
        loop.code.store(terms.at(loop.code, loop.counter), kept, loop.code.index.add(loop.counter, 1))
    with code.turns(terms.count + 1) as passes, passes.code.turns(terms.count) as steps:
        here = steps.code
        above = here.index.add(steps.counter, 1)
        total, error = two_sum(here, here.load(kept, above), here.load(kept, steps.counter))
        here.store(total, kept, above)
        here.store(error, kept, steps.counter)
    high, low, rest = (code.load(kept, terms.count - i) for i in range(3))
    # Half a unit below the sum, and more beneath it of the same sign: the sum is not the nearest.
    twice = code.op(arith.AddfOp, low, low)
    next_ = code.op(arith.AddfOp, high, twice)
    half = code.compare("oeq", code.op(arith.SubfOp, next_, high), twice)
    beyond = code.compare("ogt", code.op(arith.MulfOp, sign(code, low), sign(code, rest)), code.number(0.0, f64))
    return code.choose(code.op(arith.AndIOp, half, beyond), next_, high)


def sign(code: Code, value: SSAValue) -> SSAValue:
    """1, 0 or -1: a product of two small numbers would be 0."""
    zero, one, other = (code.number(number, f64) for number in (0.0, 1.0, -1.0))
    below = code.choose(code.compare("olt", value, zero), other, zero)
    return code.choose(code.compare("ogt", value, zero), one, below)
