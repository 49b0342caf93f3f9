"""Which powers of two divide a number of a flat kernel: what is known of where memory is accessed.

Integers of so many bits wrap at a power of two, which leaves what is said here as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, SSAValue

from tilewright.ir.core.ranges import Index, constant_of

MOST = 7  # 2 to it is as much as anybody asks for: 128 bytes
DEEP = 24  # ops that are followed
Rule: TypeAlias = Callable[[Operation, "Zeros"], int]


class Zeros:
    """How many of the lowest bits of a number are known to be 0, at most 7.

    Args:
        given: of numbers of which it is known.

    >>> Zeros({})(24), Zeros({})(0)
    (3, 7)
    """

    def __init__(self, given: dict[SSAValue, int]) -> None:
        self.given, self._depth = given, 0

    def __call__(self, number: Index) -> int:
        """Of a number, known or of run time."""
        if isinstance(number, int):
            return zeros_of(number)
        if number in self.given:
            return min(self.given[number], MOST)
        self._depth += 1
        found = self._of_value(number) if self._depth <= DEEP else 0
        self._depth -= 1
        return min(found, MOST)

    def _of_value(self, number: SSAValue) -> int:
        known = constant_of(number)
        if known is not None:
            return zeros_of(known)
        owner = number.owner
        if isinstance(owner, Block):
            return self._of_counter(owner, number)
        rule = _RULES.get(type(owner))
        return 0 if rule is None else rule(owner, self)

    def _of_counter(self, block: Block, number: SSAValue) -> int:
        loop = block.parent_op()
        if not isinstance(loop, scf.ForOp) or number is not block.args[0]:
            return 0
        return min(self(loop.lb), self(loop.step))


def zeros_of(number: int) -> int:
    """How many of the lowest bits of a number are 0, at most 7: those of all its multiples are, too.

    >>> [zeros_of(number) for number in (1, 12, 256, 0)]
    [0, 2, 7, 7]
    """
    return min((number & -number).bit_length() - 1, MOST) if number else MOST


def _least(op: Operation, zeros: Zeros) -> int:
    return min(map(zeros, op.operands))


def _all(op: Operation, zeros: Zeros) -> int:
    return sum(map(zeros, op.operands))


def _most(op: Operation, zeros: Zeros) -> int:
    return max(map(zeros, op.operands))


def _of_one(op: Operation, zeros: Zeros) -> int:
    return zeros(op.operands[0])


def _chosen(op: Operation, zeros: Zeros) -> int:
    return min(map(zeros, op.operands[1:]))


def _shifted(sign: int) -> Rule:
    def rule(op: Operation, zeros: Zeros) -> int:
        by = constant_of(op.operands[1])
        return 0 if by is None else max(0, zeros(op.operands[0]) + sign * by)

    return rule


def _divided(op: Operation, zeros: Zeros) -> int:
    """Of an exact quotient by a power of two; others say nothing."""
    by = constant_of(op.operands[1])
    if by is None or by <= 0 or by & (by - 1):
        return 0
    return max(0, zeros(op.operands[0]) - (by.bit_length() - 1))


_RULES: Mapping[type[Operation], Rule] = MappingProxyType(
    {
        **dict.fromkeys((arith.AddiOp, arith.SubiOp, arith.OrIOp, arith.XOrIOp), _least),
        **dict.fromkeys((arith.MinSIOp, arith.MaxSIOp, arith.MinUIOp, arith.MaxUIOp), _least),
        **dict.fromkeys((arith.RemSIOp, arith.RemUIOp), _least),
        **dict.fromkeys((arith.DivSIOp, arith.DivUIOp, arith.FloorDivSIOp), _divided),
        **dict.fromkeys((arith.IndexCastOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp), _of_one),
        arith.MuliOp: _all,
        arith.AndIOp: _most,
        arith.SelectOp: _chosen,
        arith.ShLIOp: _shifted(1),
        arith.ShRUIOp: _shifted(-1),
        arith.ShRSIOp: _shifted(-1),
    }
)
