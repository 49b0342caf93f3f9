"""`fly-int-swizzle-simplify`: what a swizzle neither reads nor moves is added behind it.

x ^ ((x & mask) >> s) reads the bits of the mask and moves them down; multiples of a power of two above them pass
through: swizzle(x + d) == swizzle(x) + d. So offsets that differ by such d share one swizzle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.dead import remove_unused
from tilewright.ir.core.ranges import constant_of


@dataclass(frozen=True)
class IntSwizzleSimplify(ModulePass):
    """Peels multiples of a swizzle's period off what is swizzled, in integers of 32 and 64 bits."""

    name = "fly-int-swizzle-simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        for inner in list(op.walk()):
            if isinstance(inner, arith.XOrIOp) and isinstance(inner.result.type, IntegerType):
                found = _swizzle(inner)
                if found is not None:
                    _peel(inner, found)


@dataclass(frozen=True)
class _Swizzle:
    offset: SSAValue
    mask: SSAValue
    shift: SSAValue

    @property
    def period(self) -> int:
        """Multiples of it pass through."""
        return 1 << (constant_of(self.mask) or 0).bit_length()


def _swizzle(op: arith.XOrIOp) -> _Swizzle | None:
    for offset, moved in ((op.lhs, op.rhs), (op.rhs, op.lhs)):
        shifted = moved.owner
        masked = shifted.lhs.owner if isinstance(shifted, arith.ShRUIOp) else None
        if not isinstance(shifted, arith.ShRUIOp) or not isinstance(masked, arith.AndIOp):
            continue
        for x, mask in (masked.operands, reversed(masked.operands)):
            if x is offset and (constant_of(mask) or 0) > 0:
                return _Swizzle(offset, mask, shifted.rhs)
    return None


def _peel(op: arith.XOrIOp, swizzle: _Swizzle) -> None:
    rest, peeled = _parted(swizzle.offset, swizzle.period)
    if not peeled:
        return
    builder = Builder(InsertPoint.before(op))
    total = _swizzled(builder, rest, swizzle) if rest else _zero(builder, op)
    for value in peeled:
        total = builder.insert(arith.AddiOp(total, value)).result
    op.result.replace_all_uses_with(total)
    remove_unused(op)


def _swizzled(builder: Builder, terms: list[SSAValue], swizzle: _Swizzle) -> SSAValue:
    x = terms[0]
    for value in terms[1:]:
        x = builder.insert(arith.AddiOp(x, value)).result
    bits = builder.insert(arith.AndIOp(x, swizzle.mask)).result
    return builder.insert(arith.XOrIOp(x, builder.insert(arith.ShRUIOp(bits, swizzle.shift)).result)).result


def _zero(builder: Builder, op: arith.XOrIOp) -> SSAValue:
    assert isinstance(op.result.type, IntegerType)
    return builder.insert(arith.ConstantOp(IntegerAttr(0, op.result.type))).result


def _parted(value: SSAValue, period: int) -> tuple[list[SSAValue], list[SSAValue]]:
    """The terms of a sum that the period does not divide, as far as is known, and those that it does."""
    terms = list(_terms(value))
    return [x for x in terms if _divisor(x) % period], [x for x in terms if not _divisor(x) % period]


def _terms(value: SSAValue) -> Iterator[SSAValue]:
    if isinstance(value.owner, arith.AddiOp):
        for operand in value.owner.operands:
            yield from _terms(operand)
    else:
        yield value


def _divisor(value: SSAValue) -> int:
    """What divides the value, as far as its op tells: 0 of the constant 0, else perhaps 1."""
    known = constant_of(value)
    if known is not None:
        return known
    op = value.owner
    if isinstance(op, arith.MuliOp):
        return _divisor(op.lhs) * _divisor(op.rhs)
    if isinstance(op, arith.ShLIOp) and (shift := constant_of(op.rhs)) is not None and 0 <= shift < 64:
        return _divisor(op.lhs) << shift
    if isinstance(op, arith.AndIOp) and (mask := constant_of(op.rhs)) is not None and mask > 0:
        return mask & -mask
    return 1
