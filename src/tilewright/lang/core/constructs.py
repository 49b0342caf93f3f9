"""What rewritten source calls in the place of Python's own `if`, `for`, `while`, `and`, `or`, `not` and `assert`."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from types import CodeType, FrameType
from typing import TypeAlias, cast

from xdsl.dialects import cf

from tilewright.errors import KernelError
from tilewright.lang.core import control, finite, loops, members
from tilewright.lang.core.control import State, is_dynamic, unset
from tilewright.lang.core.numerics import operators
from tilewright.lang.core.numerics.numeric import as_numeric, scalar
from tilewright.lang.core.numerics.types import Boolean
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.core.trace import current, tracing
from tilewright.lang.core.undefined import Undefined

Getter: TypeAlias = "Callable[[], object]"
Body: TypeAlias = "Callable[..., Sequence[object]]"


def state(names: Sequence[str], getters: Sequence[Getter], opened: Sequence[str], assigned: Sequence[str]) -> State:
    """The variables of a region as they are."""
    values = tuple(_value(name, getter) for name, getter in zip(names, getters, strict=True))
    slots = frozenset(name for name in names if name.startswith("__"))
    return State(tuple(names), values, frozenset(opened), frozenset(assigned), slots)


def _value(name: str, getter: Getter) -> object:
    try:
        return getter()
    except NameError:
        return unset(name)


RAISED = (
    "`raise` where run time decides whether it is reached: nothing is raised in a kernel that runs; write "
    '`assert condition, "message"`, which stops the kernel, or ask for what is known while tracing'
)
branch = control.branch
items = finite.finite
in_place = finite.in_place
chosen = control.chosen
truth = control.truth


def repeat(condition: Callable[..., object], body: Body, held: State) -> Sequence[object]:
    """`while`: at run time; where nothing is traced, Python's own."""
    if current() is not None:
        return loops.repeat(condition, body, held)
    values: Sequence[object] = held.values
    while condition(*values):
        values = body(*values)
    return values


def loop(
    function: object, given: Sequence[object], named: dict[str, object], body: Body, held: State
) -> Sequence[object]:
    """`for .. in range(..)`: at run time; where `range` is another function, or nothing is traced, Python's own."""
    if current() is None or function is not builtins.range:
        if not callable(function):
            raise KernelError("range is no function here")
        return _unrolled(function(*given, **named), body, held)
    unknown = named.keys() - {"unroll", "unroll_full"}
    if unknown or not 1 <= len(given) <= 3:
        got = ", ".join(sorted(unknown)) or len(given)
        raise KernelError(f"range takes one to three numbers, init=, unroll= and unroll_full=, got {got}")
    lower, upper, step = (0, given[0], 1) if len(given) == 1 else (*given, 1)[:3]
    return loops.loop(lower, upper, step, body, held)


def _unrolled(given: Iterable[object], body: Body, held: State) -> Sequence[object]:
    values: Sequence[object] = held.values
    for item in given:
        values = body(item, *values)
    return values


def clear(*flags: object) -> object:
    """Is none of the flags set?"""
    return negated(any_of(*flags))


def any_of(*flags: object) -> object:
    """Is one of the flags set?"""
    found: object = False
    for flag in flags:
        if flag is True or found is True:
            return True
        if is_dynamic(flag):
            found = flag if found is False else as_numeric(found) | as_numeric(flag)
    return found


def surely(*flags: object) -> bool:
    """Is one of the flags known to be set?"""
    return any(flag is True for flag in flags)


def negated(value: object) -> object:
    """`not value`."""
    asked = control.truth(value)
    return scalar(operators.inverted(asked.number)) if isinstance(asked, Boolean) else not asked


def both(left: object, right: Getter) -> object:
    """`left and right`."""
    if not is_dynamic(left):
        return right() if left else left
    return control.chosen(left, lambda: _truth(right()), lambda: Boolean(False))


def either(left: object, right: Getter) -> object:
    """`left or right`."""
    if not is_dynamic(left):
        return left if left else right()
    return control.chosen(left, lambda: Boolean(True), lambda: _truth(right()))


def _truth(value: object) -> Boolean:
    asked = control.truth(value)
    return Boolean(asked) if isinstance(asked, bool) else asked


def chain(first: object, *rest: tuple[str, Getter]) -> object:
    """`a < b < c`, each worked out once."""
    (sign, getter), *others = rest
    second = getter()
    found = operated(sign, first, second)
    return both(found, lambda: chain(second, *others)) if others else found


def check(condition: object, message: Getter) -> None:
    """`assert`: of a condition that run time alone knows, an op that stops the kernel."""
    asked = control.truth(condition)
    if isinstance(asked, Boolean):
        tracing().emit(cf.AssertOp(asked.number.ssa(), str(message() or "an assertion of the kernel")))
    elif not asked:
        raise AssertionError(message())


def raised(error: object) -> object:
    """What `raise` raises where it is known that it is reached.

    Raises:
        KernelError: run time decides whether it is, in its function or in one that calls it.
    """
    callers = _callers(sys._getframe(1)) if current() is not None else ()
    if next((code for code in callers if code in _KNOWN | loops.RUN_TIME), None) in loops.RUN_TIME:
        raise KernelError(RAISED)
    return error


def _callers(frame: FrameType | None) -> Iterator[CodeType]:
    while frame is not None:
        yield frame.f_code
        frame = frame.f_back


def call(function: object) -> object:
    """The function to call: of a user's own one that has control flow, the one rewritten for run time."""
    if current() is None:
        return function
    if function is builtins.min or function is builtins.max:
        word = "min" if function is builtins.min else "max"
        return partial(_extreme, word, cast("Callable[..., object]", function))
    return members.called(finite.bounded(function), sys.modules[__name__])


def member(value: object, name: str) -> object:
    """`value.name`."""
    return getattr(value, name) if current() is None else members.member(value, name, sys.modules[__name__])


def operated(sign: str, a: object, b: object) -> object:
    """`a + b`, and the like."""
    return members.operated(sign, a, b, sys.modules[__name__])


def _extreme(sign: str, function: Callable[..., object], *given: object, **named: object) -> object:
    first = finite.finite(given[0]) if len(given) == 1 else given
    if not isinstance(first, Iterable):
        return function(*given, **named)
    values = list(first)
    if named or not any(is_dynamic(x) or isinstance(x, Vector) for x in values):
        return function(values, **named)
    found = values[0]
    for item in values[1:]:
        found = joined(sign, found, item)
    return found


def joined(sign: str, a: object, b: object) -> object:
    """The smaller or larger of two numbers or vectors."""
    if isinstance(a, Vector) or isinstance(b, Vector):
        one, other = (a, b) if isinstance(a, Vector) else (b, a)
        assert isinstance(one, Vector)
        return one._binary(sign, other)
    return scalar(operators.binary(sign, as_numeric(a).number, as_numeric(b).number))


def returned(value: object) -> object:
    """What a function returns that has `return` in branches.

    Raises:
        KernelError: it returns different things on different ways.
    """
    if isinstance(value, Undefined):
        raise KernelError(value.reason.replace(value.reason.split(" ")[0], "what the function returns", 1))
    return value


def lost(name: str) -> Undefined:
    """The variable of a loop, behind it."""
    return Undefined(f"{name} counts a run-time loop, and has no value behind it; assign it to another variable")


def carried(initial: Iterable[object]) -> list[object]:
    """What `init=` gives a loop to carry, as a list."""
    return [as_numeric(x) if isinstance(x, bool | int | float) else x for x in initial]


_KNOWN = frozenset(function.__code__ for function in (branch, repeat, _unrolled))
"""What calls regions whose way is known; `loops.RUN_TIME` calls the others."""
