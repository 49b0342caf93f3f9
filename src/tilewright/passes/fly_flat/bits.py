"""Numbers as runs of bits: the same bits as numbers of another type, more or fewer of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, Signedness, UnrealizedConversionCastOp
from xdsl.ir import Attribute, SSAValue

from tilewright.ir.core.element_types import element_dtype
from tilewright.passes.fly_flat.flat import Flat

BOOL = 8  # bits that one takes in memory


def width(kind: Attribute) -> int:
    """The bits that a number of a type takes in memory."""
    element = element_dtype(kind)
    return BOOL if element.kind == "bool" else element.bits


def recast(out: Flat, numbers: Sequence[SSAValue], kind: Attribute) -> list[SSAValue]:
    """The bits of numbers, in their order, as numbers of a type."""
    if not numbers or numbers[0].type == kind:
        return list(numbers)
    before, after = width(numbers[0].type), width(kind)
    words = [_word(out, number) for number in numbers]
    piece = gcd(before, after)
    pieces = [part for word in words for part in _cut(out, word, before, piece)]
    several = after // piece
    joined = [_joined(out, pieces[i : i + several], piece) for i in range(0, len(pieces), several)]
    return [_of_word(out, word, kind) for word in joined]


def _word(out: Flat, number: SSAValue) -> SSAValue:
    """A number's bits as an integer without a sign of its own."""
    kind = number.type
    bits = IntegerType(width(kind))
    if kind == bits:
        return number
    if isinstance(kind, IntegerType):
        if kind.signedness.data != Signedness.SIGNLESS:
            return _signed_anew(out, number, bits)
        return out.insert(arith.ExtUIOp(number, bits)).result
    return _bitcast(out, number, bits)


def _of_word(out: Flat, word: SSAValue, kind: Attribute) -> SSAValue:
    if word.type == kind:
        return word
    if isinstance(kind, IntegerType):
        if kind.signedness.data != Signedness.SIGNLESS:
            return _signed_anew(out, word, kind)
        return out.insert(arith.TruncIOp(word, kind)).result
    return _bitcast(out, word, kind)


def _signed_anew(out: Flat, number: SSAValue, kind: Attribute) -> SSAValue:
    made: SSAValue = out.insert(UnrealizedConversionCastOp.get([number], [kind])).results[0]
    return made


def _bitcast(out: Flat, number: SSAValue, kind: Attribute) -> SSAValue:
    made: SSAValue = out.insert(arith.BitcastOp(number, kind)).results[0]
    return made


def _cut(out: Flat, word: SSAValue, bits: int, piece: int) -> list[SSAValue]:
    """The pieces of a word, the lowest first."""
    if bits == piece:
        return [word]
    found: list[SSAValue] = []
    for start in range(0, bits, piece):
        moved = out.insert(arith.ShRUIOp(word, out.constant(start, word.type))).result if start else word
        found.append(out.insert(arith.TruncIOp(moved, IntegerType(piece))).result)
    return found


def _joined(out: Flat, pieces: Sequence[SSAValue], bits: int) -> SSAValue:
    """One word of pieces, the lowest first."""
    first, *rest = pieces
    if not rest:
        return first
    kind = IntegerType(bits * len(pieces))
    made: SSAValue = out.insert(arith.ExtUIOp(first, kind)).result
    for number, piece in enumerate(rest, 1):
        wide = out.insert(arith.ExtUIOp(piece, kind)).result
        moved = out.insert(arith.ShLIOp(wide, out.constant(number * bits, kind))).result
        made = out.insert(arith.OrIOp(made, moved)).result
    return made
