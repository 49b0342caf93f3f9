"""Integers that differ between blocks, lanes and iterations by sums: base[entry] + rest[lane] + step * iteration + ..

What the ops of `arith` make of them is again such a sum, or a number that is the same for all entries and iterations;
else nothing is known. Where the iterations of a loop do not all give the same kind of answer, a `DemandError` asks to
record the loop otherwise: several turns as one iteration, so that `k % 4` is a number in each of 4, or cut in two, so
that `k + 1 < n` is decided in each part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import NoReturn, TypeAlias

import numpy as np
from xdsl.dialects import arith
from xdsl.ir import Operation

from tilewright.ir.core.facts import COMPARED, INTEGER_PREDICATES, UNSIGNED, Predicate
from tilewright.targets.simulator.memory.access import (
    Array,
    Function,
    NotUniformError,
    Number,
    Operand,
    Symbolic,
    select,
)
from tilewright.targets.simulator.ops.arithmetic import COMPARISONS, PLAIN, to_i64, to_index

Whole: TypeAlias = int | Array


@dataclass(frozen=True, eq=False)
class Counter:
    """Counts the iterations of a piece of a loop, 0 to trips - 1: each is `period` turns, from turn `first` on.

    Those that are `rolled` are the turns of one iteration of another piece: barriers in all of them order the next.
    """

    loop: Operation
    trips: int
    period: int = 1
    first: int = 0
    rolled: bool = False


class DemandError(NotUniformError):
    """The counter's loop is to be recorded with so many times its period, or cut before its turn `cut`."""

    def __init__(self, counter: Counter, times: int = 1, cut: int | None = None) -> None:
        super().__init__()
        self.counter, self.times, self.cut = counter, times, cut


Steps: TypeAlias = Mapping[Counter, int]
_NO_STEPS: Steps = {}
_LIMIT = 1 << 63


@dataclass(frozen=True, eq=False)
class Affine(Symbolic):
    """base[entry] + rest[lane] + step * iteration + ..; `rest` is a number or of (1, lanes), a base None is 0."""

    base: Array | None
    rest: Whole
    steps: Steps

    @cached_property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest of its values."""
        lows, highs = zip(*map(_ends, (0 if self.base is None else self.base, self.rest)), strict=True)
        moves = [step * (counter.trips - 1) for counter, step in self.steps.items()]
        return sum(lows) + sum(min(0, move) for move in moves), sum(highs) + sum(max(0, move) for move in moves)

    def resolve(self) -> NoReturn:
        """Demands that each iteration is recorded for itself, if that makes it a number."""
        for counter in self.steps if self.base is None else ():
            raise DemandError(counter, counter.trips)
        raise NotUniformError


def affine(base: Array | None, rest: Whole, steps: Steps = _NO_STEPS) -> Operand:
    """The sum, a number where it is the same for all entries and iterations."""
    steps = {counter: step for counter, step in steps.items() if step}
    if base is not None and (base == base[0]).all():
        rest, base = rest + int(base[0]), None
    return rest if base is None and not steps else Affine(base, rest, steps)


def parts(value: Operand) -> tuple[Array | None, Whole, Steps] | None:
    """Base, rest and steps of an integer; None where they are not known, or wrap at less than 64 bits."""
    if isinstance(value, Affine):
        return value.base, value.rest, value.steps
    if isinstance(value, Symbolic) or not (isinstance(value, int) or value.dtype == np.int64):
        return None
    return None, value, _NO_STEPS


def bounds(value: Operand) -> tuple[int, int]:
    """The least and the greatest value of an integer that has parts."""
    return value.bounds if isinstance(value, Affine) else _ends(np.asarray(value))


def evaluated(value: Affine, entries: slice, iterations: Mapping[Counter, int]) -> Array:
    """Its values for some entries, at an iteration of each loop."""
    rest = np.asarray(value.rest, np.int64) + sum(step * iterations[counter] for counter, step in value.steps.items())
    return np.asarray(rest if value.base is None else value.base[entries, None] + rest)


def combined(function: Function, values: tuple[Operand, ...]) -> Operand | None:
    """The function of values of which one is symbolic; None where it can only be data."""
    rule = _RULES.get(function)
    found = None if rule is None else rule(*values)
    return _of_entries(function, values) if found is None else found


def added(a: Operand, b: Operand) -> Operand | None:
    """The sum."""
    mine, theirs = parts(a), parts(b)
    if mine is None or theirs is None:
        return None
    (base, rest, steps), (other_base, other_rest, other_steps) = mine, theirs
    both = base if other_base is None else other_base if base is None else base + other_base
    return affine(
        both, rest + other_rest, {c: steps.get(c, 0) + other_steps.get(c, 0) for c in {**steps, **other_steps}}
    )


def difference(a: Operand, b: Operand) -> Operand | None:
    """a - b."""
    negative = scaled(b, -1)
    return None if negative is None else added(a, negative)


def scaled(a: Operand, by: Operand) -> Operand | None:
    """a * by, where one of them is an integer."""
    if isinstance(a, int):
        a, by = by, a
    found = parts(a)
    if found is None or not isinstance(by, int):
        return None
    base, rest, steps = found
    return affine(None if base is None else base * by, rest * by, {c: step * by for c, step in steps.items()})


def divided(value: Operand, by: int) -> tuple[Operand, Operand] | None:
    """Quotient, rounded down, and remainder, by 0 < by < 2^63; None where blocks differ in what they carry."""
    found = parts(value)
    if found is None or not 0 < by < 1 << 63:
        return None
    base, rest, steps = found
    if base is not None and (base % by == base[0] % by).all():
        shift = int(base[0] % by)
        base, rest = base - shift, rest + shift
    low_base, low_rest, low = None if base is None else base % by, rest % by, {c: s % by for c, s in steps.items()}
    remainder = affine(low_base, low_rest, low)
    if bounds(remainder)[1] >= by:
        for counter, step in low.items():
            if step:
                raise DemandError(counter, by // gcd(step, by))
        return None
    return affine(None if base is None else base // by, rest // by, {c: s // by for c, s in steps.items()}), remainder


def _ends(values: Whole) -> tuple[int, int]:
    return (values, values) if isinstance(values, int) else (int(values.min()), int(values.max()))


def _of_entries(function: Function, values: tuple[Operand, ...]) -> Operand | None:
    """The result where the values depend on the entry alone."""
    found: list[Number] = []
    for value in values:
        if isinstance(value, Affine) and not value.steps and isinstance(value.rest, int) and value.base is not None:
            found.append(value.base + value.rest)
        elif isinstance(value, Symbolic) or np.ndim(value):
            return None
        else:
            found.append(value)
    result = function(*found)
    return affine(result, 0) if isinstance(result, np.ndarray) and result.ndim else result


# ---- rules: what ops make of sums


def _shifted_left(a: Operand, by: Operand) -> Operand | None:
    return scaled(a, 1 << by) if isinstance(by, int) and 0 <= by < 63 else None


def _division(of: int, natural: bool, power: bool = False) -> Callable[[Operand, Operand], Operand | None]:
    """The rule of a quotient (0) or remainder (1) by an integer, or by a power of 2; of a `natural` value only."""

    def rule(a: Operand, by: Operand) -> Operand | None:
        if parts(a) is None or not isinstance(by, int) or (power and not 0 <= by < 63):
            return None
        if natural and bounds(a)[0] < 0:
            return None
        found = divided(a, 1 << by if power else by)
        return None if found is None else found[of]

    return rule


def _bitwise(function: Function, keeps: bool) -> Callable[[Operand, Operand], Operand | None]:
    """The rule of an op of bits with a natural number that is the same for all: it changes the bits below its size.

    `keeps`: are those above as they were, or 0?
    """

    def rule(a: Operand, b: Operand) -> Operand | None:
        if not isinstance(a, Affine):
            a, b = b, a
        if not isinstance(a, Affine) or isinstance(b, Symbolic) or parts(b) is None or bounds(b)[0] < 0:
            return None
        found = divided(a, 1 << bounds(b)[1].bit_length())
        if found is None or isinstance(found[1], Symbolic):
            return _masked(found, b) if not keeps else None
        changed = function(found[1], b)
        return changed if not keeps else added(a, changed - found[1])

    return rule


def _masked(found: tuple[Operand, Operand] | None, mask: Number) -> Operand | None:
    """The remainder, if the mask has all bits."""
    return found[1] if found is not None and isinstance(mask, int) and mask & (mask + 1) == 0 else None


def _comparison(predicate: Predicate) -> Callable[[Operand, Operand], Operand | None]:
    compare = COMPARED[predicate.sign]

    def rule(a: Operand, b: Operand) -> Operand | None:
        apart = difference(a, b) if _are_near(a, b) else None
        if apart is None or (predicate.reads == UNSIGNED and min(bounds(a)[0], bounds(b)[0]) < 0):
            return None
        if not isinstance(apart, Affine):
            return None if isinstance(apart, Symbolic) else compare(apart, 0)
        low, high = apart.bounds
        ends = {bool(compare(end, 0)) for end in (low, high)}
        if len(ends) == 1 and (low > 0 or high < 0 or predicate.sign not in ("==", "!=")):
            return ends.pop()
        if apart.base is None:
            raise _cut(apart)
        return None

    return rule


def _are_near(a: Operand, b: Operand) -> bool:
    """Do 64 bits hold the difference of all their values?"""
    if parts(a) is None or parts(b) is None:
        return False
    (low, high), (other_low, other_high) = bounds(a), bounds(b)
    return low - other_high >= -_LIMIT and high - other_low < _LIMIT


def _cut(value: Affine) -> DemandError:
    """Asks to cut a loop where the value, which is 0 at some iterations or lanes, changes its sign."""
    counter, step = max(value.steps.items(), key=lambda item: abs(item[1]) * (item[0].trips - 1))
    low, high = value.bounds
    reach = step * (counter.trips - 1)
    low, high = low - min(0, reach), high - max(0, reach)
    zeros = (-high // step, -low // step) if step > 0 else (-low // step, -high // step)
    places = [at for zero in zeros for at in (zero, zero + 1) if 0 < at < counter.trips]
    return DemandError(counter, cut=counter.first + counter.period * min(places, default=1))


def _selected(condition: Operand, yes: Operand, no: Operand) -> Operand | None:
    if isinstance(condition, Symbolic):
        return None
    if np.ndim(condition) == 0:
        return yes if condition else no
    mine, theirs = parts(yes), parts(no)
    if mine is None or theirs is None or mine[2] != theirs[2]:
        return None
    if mine[0] is not theirs[0] and (mine[0] is None or theirs[0] is None or (mine[0] != theirs[0]).any()):
        return None
    return affine(mine[0], select(condition, mine[1], theirs[1]), mine[2])


def _extreme(sign: str) -> Callable[[Operand, Operand], Operand | None]:
    less = _comparison(Predicate("", sign))

    def rule(a: Operand, b: Operand) -> Operand | None:
        chosen = less(a, b)
        return None if chosen is None else _selected(chosen, a, b)

    return rule


def _same(value: Operand) -> Operand:
    return value


_RULES: Mapping[Function, Callable[..., Operand | None]] = {
    to_index: _same,
    to_i64: _same,
    PLAIN[arith.AddiOp]: added,
    PLAIN[arith.SubiOp]: difference,
    PLAIN[arith.MuliOp]: scaled,
    PLAIN[arith.ShLIOp]: _shifted_left,
    PLAIN[arith.FloorDivSIOp]: _division(0, natural=False),
    PLAIN[arith.DivSIOp]: _division(0, natural=True),
    PLAIN[arith.DivUIOp]: _division(0, natural=True),
    PLAIN[arith.RemSIOp]: _division(1, natural=True),
    PLAIN[arith.RemUIOp]: _division(1, natural=True),
    PLAIN[arith.ShRSIOp]: _division(0, natural=False, power=True),
    PLAIN[arith.ShRUIOp]: _division(0, natural=True, power=True),
    PLAIN[arith.AndIOp]: _bitwise(PLAIN[arith.AndIOp], keeps=False),
    PLAIN[arith.OrIOp]: _bitwise(PLAIN[arith.OrIOp], keeps=True),
    PLAIN[arith.XOrIOp]: _bitwise(PLAIN[arith.XOrIOp], keeps=True),
    PLAIN[arith.MinSIOp]: _extreme("<"),
    PLAIN[arith.MaxSIOp]: _extreme(">"),
    PLAIN[arith.SelectOp]: _selected,
    **{function: _comparison(row) for function, row in zip(COMPARISONS, INTEGER_PREDICATES, strict=True)},
}
