"""Loops at run time: `loop` over numbers, `repeat` as long as a condition holds, carrying a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import cf, scf
from xdsl.ir import Attribute, Block, Region, SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.conversions import INDEX
from tilewright.lang.core import carried
from tilewright.lang.core.control import (
    BRANCHES,
    EMPTY,
    UNSET,
    Body,
    Rebuilder,
    State,
    Values,
    parts_of,
    rebuilt,
    truth,
)
from tilewright.lang.core.numerics import operators
from tilewright.lang.core.numerics.elements import INT32, INT64, ir_type
from tilewright.lang.core.numerics.number import Number, convert
from tilewright.lang.core.numerics.numeric import Numeric, as_numeric, scalar
from tilewright.lang.core.numerics.types import Boolean
from tilewright.lang.core.pytree import Flat, flatten
from tilewright.lang.core.trace import Trace, tracing
from tilewright.lang.core.undefined import Undefined

Settled: TypeAlias = "tuple[Block, list[Rebuilder], list[SSAValue]]"
MOST_ATTEMPTS = 40


def loop(lower: object, upper: object, step: object, body: Body, state: State = EMPTY) -> Values:
    """The body for each number from `lower` to below `upper` (above, of a negative step), at run time.

    Raises:
        KernelError: a step of 0, or bounds that are no integers.
    """
    bounds = _bounds(lower, upper, step)
    low, high, by = (x.number for x in bounds)
    trace = tracing()
    count = _count(low, high, by)
    element = low.element
    down = by.integer is not None and by.integer < 0
    if not by.known:
        positive = operators.compare(">", by, Number(element, 0)).ssa()
        trace.emit(cf.AssertOp(positive, "a range's step that run time alone knows is positive"))

    def each(block: Block, values: Values) -> Sequence[object]:
        number = Number(element, block.args[0])
        if down:
            number = operators.binary("+", low, operators.binary("*", number, by))
        return body(scalar(number), *values)

    kind = ir_type(element)
    block, variables, behind = _settled(trace, state, [kind], each, runs=bool(count))
    if down:
        steps = _steps_down(low, high, by)
        low, high, by = Number(element, 0), steps, Number(element, 1)
    op = trace.emit(scf.ForOp(low.ssa(), high.ssa(), by.ssa(), _initial(variables), Region(block)))
    return state.written(rebuilt(behind, op.results))


def _count(low: Number, high: Number, by: Number) -> int | None:
    """How many turns there are, where that is known."""
    first, last, step = low.integer, high.integer, by.integer
    return None if first is None or last is None or step is None else len(range(first, last, step))


def _steps_down(low: Number, high: Number, by: Number) -> Number:
    """How many turns a known negative step takes."""
    count, step = _count(low, high, by), by.integer
    if count is not None:
        return Number(low.element, count)
    assert step is not None, "a loop goes down where its step is known to"
    distance = operators.binary("-", low, high)
    width = Number(low.element, -step)
    rounded = operators.binary("+", distance, operators.binary("-", width, Number(low.element, 1)))
    return operators.binary("max", operators.binary("//", rounded, width), Number(low.element, 0))


def _bounds(*given: object) -> tuple[Numeric, Numeric, Numeric]:
    numbers = [as_numeric(value) for value in given]
    if any(x.element.is_float or x.element.kind == "bool" for x in numbers):
        raise KernelError(f"the bounds of a range are integers, got {', '.join(map(repr, numbers))}")
    elements = {x.element for x in numbers}
    element = INDEX if INDEX in elements else INT64 if any(x.bits > 32 for x in elements) else INT32
    low, high, by = (scalar(convert(x.number, element)) for x in numbers)
    if by.is_static() and int(by) == 0:
        raise KernelError("a range's step is not 0")
    return low, high, by


def _settled(
    trace: Trace, state: State, more: Sequence[Attribute], body: Callable[[Block, Values], Sequence[object]], runs: bool
) -> tuple[Block, list[Variable], list[Rebuilder]]:
    """The body's block, traced again until what it carries is what comes back; its variables, also behind the loop."""
    variables = _entering(state)
    for _ in range(MOST_ATTEMPTS):
        block = Block(arg_types=more)
        values = _opened(variables, block)
        with trace.into(block):
            found = tuple(body(block, values))
            changed = _changed(state, variables, found, runs)
            if not changed.again:
                pairs = zip(variables, changed.leaves, strict=True)
                trace.emit(scf.YieldOp(*(value for one, leaves in pairs for value in one.values_of(leaves))))
                behind = [Rebuilder(one.flat, one.carried) for one in changed.behind(variables)]
                return block, variables, behind
        variables = changed.variables
    raise KernelError(f"what the loop carries does not settle: {', '.join(state.names)}")


RUN_TIME = BRANCHES | {_settled.__code__}
"""What calls the bodies of branches that run time decides on, and of loops at run time."""


def _initial(variables: Sequence[Variable]) -> list[SSAValue]:
    """What a loop is given to begin with."""
    return [value for one in variables for value in one.values_of(one.flat.leaves)]


@dataclass(frozen=True)
class Variable:
    """A variable of a loop: its leaves before it, and which of them are carried."""

    flat: Flat
    carried: frozenset[int]

    def values_of(self, leaves: Sequence[object]) -> list[SSAValue]:
        """The values that are carried of such leaves."""
        return [value for i in sorted(self.carried) for value in carried.extracted(leaves[i])]


def _single(value: object, name: str = "") -> Variable:
    return Variable(Flat((name,), (value,), lambda leaves: leaves[0]), frozenset())


def _entering(state: State) -> list[Variable]:
    """At first what is assigned anew and has a type of run time is carried."""
    found = []
    for name, flat in zip(state.names, state.flat(state.values), strict=True):
        sure = name in state.assigned
        taken = {i for i, leaf in enumerate(flat.leaves) if sure and isinstance(leaf, Numeric)}
        found.append(Variable(flat, frozenset(taken)))
    return found


def _opened(variables: Sequence[Variable], block: Block) -> Values:
    values = []
    for one in variables:
        leaves = list(one.flat.leaves)
        for i in sorted(one.carried):
            kinds = [value.type for value in carried.extracted(leaves[i])]
            leaves[i] = carried.constructed(leaves[i], [block.insert_arg(kind, len(block.args)) for kind in kinds])
        values.append(one.flat.rebuild(leaves))
    return tuple(values)


@dataclass(frozen=True)
class Change:
    """What an attempt found: variables to try next, or the leaves that come back where nothing changed."""

    variables: list[Variable]
    leaves: list[tuple[object, ...]]
    again: bool
    local: dict[int, Undefined]

    def behind(self, variables: Sequence[Variable]) -> list[Variable]:
        """The variables behind the loop."""
        return [_single(self.local[i]) if i in self.local else one for i, one in enumerate(variables)]


def _changed(state: State, variables: Sequence[Variable], found: Values, runs: bool) -> Change:
    following, leaves, again, local = [], list[tuple[object, ...]](), False, dict[int, Undefined]()
    for i, (name, one, value) in enumerate(zip(state.names, variables, found, strict=True)):
        new, back, why = _variable(name, one, value, runs or name in state.slots, name in state.opened)
        if why is not None:
            local[i] = why
        following.append(new)
        leaves.append(back)
        again = again or new is not one
    return Change(following, leaves, again, local)


def _variable(
    name: str, one: Variable, value: object, fills: bool, opened: bool
) -> tuple[Variable, tuple[object, ...], Undefined | None]:
    """The variable as it is to be next, its leaves at the end of the body, and why it has no value behind the loop."""
    before = one.flat.leaves[0] if len(one.flat.leaves) == 1 else None
    if isinstance(before, Undefined):
        return _unset(name, one, before, value, fills, opened)
    flat = flatten(value, name, opened)
    if flat.names != one.flat.names:
        reason = (
            f"{carried.told(name)} has {parts_of(one.flat)} before the loop and {parts_of(flat)} at the end of its body"
        )
        return _single(Undefined(f"{reason}; what a loop carries keeps its parts"), name), (), None
    back: list[object] = []
    taken = set(one.carried)
    entering = list(one.flat.leaves)
    for i, (x, y, path) in enumerate(zip(one.flat.leaves, flat.leaves, flat.names, strict=True)):
        if i in one.carried:
            come = carried.like(y, x)
            if come is None:
                why = carried.refusal(path, x, y, "before the loop, and at the end of its body")
                return _single(Undefined(str(why)), name), (), None
            back.append(come)
            continue
        back.append(y)
        if carried.same(x, y):
            continue
        both = carried.met(x, y)
        if both is None:
            why = carried.refusal(path, x, y, "before the loop, and at the end of its body")
            return _single(Undefined(str(why)), name), (), None
        entering[i] = both[0]
        taken.add(i)
    if taken == one.carried:
        return one, tuple(back), None
    return Variable(Flat(one.flat.names, tuple(entering), one.flat.rebuild), frozenset(taken)), tuple(back), None


def _unset(
    name: str, one: Variable, before: Undefined, value: object, fills: bool, opened: bool
) -> tuple[Variable, tuple[object, ...], Undefined | None]:
    if isinstance(value, Undefined):
        return one, (value,), before
    flat = flatten(value, name, opened)
    fills = fills and before.reason.startswith(UNSET)
    blanks = [carried.blank(carried.typed(leaf)) if fills else None for leaf in flat.leaves]
    if all(leaf is not None for leaf in blanks):
        return Variable(Flat(flat.names, tuple(blanks), flat.rebuild), frozenset(range(len(blanks)))), (), None
    if not before.reason.startswith(UNSET):
        return one, (before,), before
    return one, (before,), Undefined(f"{name} has a value within the loop only; give it one before the loop")


# ---- as long as


def repeat(condition: Callable[..., object], body: Body, state: State = EMPTY) -> Values:
    """The body as long as the condition holds, both functions of the state, at run time.

    Raises:
        KernelError: a condition that holds for ever.
    """
    if not _may_hold(condition, state):
        return state.values
    trace = tracing()
    block, variables, behind = _settled(trace, state, (), lambda _, values: body(*values), runs=False)
    test = Block()
    values = _opened(variables, test)
    with trace.into(test):
        asked = truth(condition(*values))
        if asked is True:
            raise KernelError("the loop's condition is always true: nothing that it asks changes in its body")
        held = asked.number if isinstance(asked, Boolean) else as_numeric(asked).number
        trace.emit(scf.ConditionOp(held.ssa(), *test.args))
    initial = _initial(variables)
    op = trace.emit(scf.WhileOp(initial, [value.type for value in initial], Region(test), Region(block)))
    return state.written(rebuilt(behind, op.results))


def _may_hold(condition: Callable[..., object], state: State) -> bool:
    """False where the condition is known to be false at once, in which case it leaves no op behind."""
    block = Block()
    with tracing().into(block):
        copies = [flat.rebuild(flat.leaves) for flat in state.flat(state.values)]
        asked = truth(condition(*copies))
    return asked is not False
