"""What is known while tracing: `const_expr` and `range_constexpr`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tilewright.errors import KernelError
from tilewright.lang.core.control import is_dynamic
from tilewright.lang.core.trace import MOST_TURNS

__all__ = ["const_expr", "range_constexpr"]

Value = TypeVar("Value")


def const_expr(x: Value) -> Value:
    """The value, which is known while tracing: `if const_expr(..)` is Python's own `if`.

    Raises:
        KernelError: run time alone knows it.
    """
    if is_dynamic(x):
        raise KernelError("const_expr of a number that only run time knows; write a plain `if`")
    return x


def range_constexpr(*args: int) -> Sequence[int]:
    """`range` while tracing: the loop is unrolled.

    Raises:
        KernelError: a bound that run time alone knows, a step of 0, more than 2**20 turns.

    >>> list(range_constexpr(2, 8, 3))
    [2, 5]
    """
    if any(map(is_dynamic, args)):
        raise KernelError("range_constexpr of a bound that only run time knows; write `for .. in range(..)`")
    try:
        found = range(*map(int, args))
    except (TypeError, ValueError) as error:
        raise KernelError(f"range_constexpr: {error}") from error
    if found[MOST_TURNS:]:
        raise KernelError(
            f"range_constexpr unrolls at most {MOST_TURNS} turns, got {found}; write `for .. in range(..)`"
        )
    return found
