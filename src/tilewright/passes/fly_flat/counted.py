"""Bits that are counted in a flat kernel: MLIR's ops on integers of any width by those on words of 32 and 64 bits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerType, Signedness
from xdsl.ir import Operation, SSAValue

from tilewright.ir.tile.bits import BitsOp
from tilewright.passes.fly_flat.bits import recast, width
from tilewright.passes.fly_flat.flat import Flat, Handlers

Count: TypeAlias = Callable[[Flat, SSAValue, int], SSAValue]
WORD = 32


def counted(count: Count) -> Callable[[Flat, Operation], None]:
    """The handler of an op that counts bits of each element."""

    def each(out: Flat, op: Operation) -> None:
        out.set(op.results[0], [_of_one(out, number, count) for number in out[op.operands[0]].numbers])

    return each


def _of_one(out: Flat, number: SSAValue, count: Count) -> SSAValue:
    kind, bits = number.type, width(number.type)
    assert isinstance(kind, IntegerType), "verified"
    wide = IntegerType(max(bits, WORD))
    found = count(out, number if kind == wide else out.insert(arith.ExtUIOp(number, wide)).result, bits)
    return found if kind == wide else out.insert(arith.TruncIOp(found, kind)).result


def _asked(out: Flat, kind: str, word: SSAValue) -> SSAValue:
    """A function of the word's bits."""
    unsigned = IntegerType(width(word.type), Signedness.UNSIGNED)
    (given,) = recast(out, [word], unsigned)
    return recast(out, [out.insert(BitsOp(kind, [given])).result], word.type)[0]


def _ones(out: Flat, word: SSAValue, bits: int) -> SSAValue:
    return _asked(out, "popc", word)


def _leading(out: Flat, word: SSAValue, bits: int) -> SSAValue:
    """Those above a narrow number are zeros too."""
    more = out.constant(width(word.type) - bits, word.type)
    return out.insert(arith.SubiOp(_asked(out, "clz", word), more)).result


def trailing(out: Flat, word: SSAValue, bits: int) -> SSAValue:
    """The zeros below the lowest bit that is set; all of so many bits where none is."""
    place, kind = _asked(out, "ffs", word), word.type
    none = out.insert(arith.CmpiOp(place, out.constant(0, kind), "eq")).result
    below = out.insert(arith.SubiOp(place, out.constant(1, kind))).result
    return out.insert(arith.SelectOp(none, out.constant(bits, kind), below)).result


COUNTED: Handlers = {
    math.CtPopOp: counted(_ones),
    math.CountLeadingZerosOp: counted(_leading),
    math.CountTrailingZerosOp: counted(trailing),
}
