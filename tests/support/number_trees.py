"""Random run-time integers, and the ops that `Emitter` makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, SSAValue

from tilewright.errors import LayoutError
from tilewright.ir.core.emit import Emitter
from tilewright.ir.core.evaluate import evaluated
from tilewright.ir.core.rewrite import AtEnd
from tilewright.layout.arithmetic import quotient, remainder
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.expression import as_polynomial, width_of
from tilewright.layout.symbolic.operators import maximum, minimum
from tilewright.layout.symbolic.polynomial import Variable, variables
from tilewright.layout.symbolic.symint import SymInt

VARIABLES = (
    SymInt("c", lower=-1000, upper=1000),
    SymInt("d", lower=0, upper=1023),
    SymInt("e", div=8, lower=-4096, upper=4096),
    SymInt("n", lower=1, upper=40),
    SymInt("w", width=64, lower=1, upper=100),
)
SWIZZLES = (Swizzle(2, 1, 3), Swizzle(3, 3, 3), Swizzle(2, 3, -3))


def number(random: Random, size: int) -> Any:
    """An integer or SymInt of about `size` operations, divided by positive numbers only."""
    if size < 1:
        return random.choice([*VARIABLES, *VARIABLES, random.randint(-8, 8)])
    left = random.randrange(size)
    a, b = number(random, left), number(random, size - 1 - left)
    divisor: Any = random.choice([2, 3, 4, 5, 8, 16, 24, VARIABLES[3], VARIABLES[4], VARIABLES[3] + 1])
    return random.choice(
        [
            lambda: a + b,
            lambda: a - b,
            lambda: a * random.choice([2, 3, 4, 8, VARIABLES[3]]),
            lambda: minimum(a, b),
            lambda: maximum(a, b),
            lambda: a // divisor,
            lambda: a % divisor,
            lambda: quotient(a, divisor),
            lambda: remainder(a, divisor),
            lambda: random.choice(SWIZZLES)(a),
        ]
    )()


def numbers(random: Random, count: int) -> list[Any]:
    """That many run-time integers of up to seven operations."""
    found: list[Any] = []
    while len(found) < count:
        try:
            made = number(random, random.randrange(1, 8))
        except LayoutError:  # more terms, or calls within calls, than an expression may have
            continue
        found += [made] if isinstance(made, SymInt) else []
    return found


def point(random: Random) -> dict[str, int]:
    """A value for each variable."""
    found = {}
    for variable in VARIABLES:
        (v,) = variables(variable.polynomial)
        found[str(v)] = v.step * random.randint(-(-v.lower // v.step), v.upper // v.step)
    return found


def emitted(number: SymInt) -> tuple[Block, Mapping[Variable, SSAValue], SSAValue]:
    """A block that computes the number of its arguments."""
    used = sorted(variables(number.polynomial))
    block = Block(arg_types=[IntegerType(v.width) for v in used])
    places = dict(zip(used, block.args, strict=True))
    emitter = Emitter(AtEnd(block), places, {})
    return block, places, emitter.number(as_polynomial(number), max(64, width_of(number)))


def computed(block: Block, given: Mapping[SSAValue, int], result: SSAValue) -> int:
    """The result of the block's ops."""
    known = dict(given)
    for op in block.ops:
        known[op.results[0]] = evaluated(op, [known[operand] for operand in op.operands])
    return known[result]
