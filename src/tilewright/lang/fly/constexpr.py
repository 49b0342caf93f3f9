"""What is known while tracing: `const_expr` and `range_constexpr`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from tilewright.errors import KernelError
from tilewright.lang.core.control import is_dynamic

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
        KernelError: a bound that run time alone knows.

    >>> list(range_constexpr(2, 8, 3))
    [2, 5]
    """
    if any(map(is_dynamic, args)):
        raise KernelError("range_constexpr of a bound that only run time knows; write `for .. in range(..)`")
    return range(*map(int, args))
