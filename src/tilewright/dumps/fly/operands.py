"""How many operands a rule takes: an operation that is written with others is refused before the rule looks at them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeAlias, TypeVar

from tilewright.dumps.fly.values import Value
from tilewright.errors import LayoutError
from tilewright.notation.ttgir_op import Op

MANY = 1 << 20
_State = TypeVar("_State")
_Result = TypeVar("_Result")
# What an operation with these operands is, given what is known of the threads.
_Rule: TypeAlias = Callable[[Op, list[Value], _State], _Result]


def takes(least: int, most: int | None = None) -> Callable[[_Rule[_State, _Result]], _Rule[_State, _Result]]:
    """The rule, behind a check that it is given so many operands: `least` alone where there is no `most`.

    >>> @takes(1)
    ... def first(op: Op, given: list[Value], state: None) -> Value:
    ...     return given[0]
    >>> first(Op("llvm.freeze", 3), [4], None)
    4
    >>> first(Op("llvm.freeze", 3), [], None)
    Traceback (most recent call last):
        ...
    tilewright.errors.LayoutError: llvm.freeze on line 3 has 0 operands; it takes 1
    """
    limit = least if most is None else most

    def checked(rule: _Rule[_State, _Result]) -> _Rule[_State, _Result]:
        @wraps(rule)
        def of(op: Op, given: list[Value], state: _State) -> _Result:
            if not least <= len(given) <= limit:
                more = {least: "", MANY: " or more"}.get(limit, f" to {limit}")
                raise LayoutError(f"{op.name} on line {op.line} has {len(given)} operands; it takes {least}{more}")
            return rule(op, given, state)

        return of

    return checked
