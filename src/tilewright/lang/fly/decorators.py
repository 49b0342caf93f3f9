"""`@flyc.jit`, `@flyc.kernel`, `flyc.compile`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import FunctionType
from typing import overload

from tilewright.errors import UsageError, shown
from tilewright.lang.fly.jit import Jit
from tilewright.lang.fly.kernel import Kernel

__all__ = ["jit", "kernel"]


@overload
def jit(function: Callable[..., object]) -> Jit: ...
@overload
def jit(function: None = None) -> Callable[[Callable[..., object]], Jit]: ...
def jit(function: Callable[..., object] | None = None) -> Jit | Callable[[Callable[..., object]], Jit]:
    """A function that launches kernels: `@jit` or `@jit()`.

    Raises:
        UsageError: it is no function that is written with `def`.
    """
    return jit if function is None else Jit(_function(function))


@overload
def kernel(name: Callable[..., object]) -> Kernel: ...
@overload
def kernel(
    name: str | None = None, known_block_size: Sequence[int] | None = None
) -> Callable[[Callable[..., object]], Kernel]: ...
def kernel(
    name: Callable[..., object] | str | None = None, known_block_size: Sequence[int] | None = None
) -> Kernel | Callable[[Callable[..., object]], Kernel]:
    """A kernel: `@kernel`, or `@kernel(name=.., known_block_size=(256, 1, 1))`.

    Raises:
        UsageError: it is no function that is written with `def`.
    """
    if callable(name):
        return Kernel(_function(name))
    return lambda function: Kernel(_function(function), name, known_block_size)


def _function(function: object) -> FunctionType:
    if not isinstance(function, FunctionType):
        raise UsageError(f"expected a function, got {shown(function)}")
    return function


def compile(func: Jit, *args: object, **named: object) -> Callable[..., object]:
    """Traces a jit function for arguments; gives what runs it.

    Raises:
        UsageError: it is no jit function.
    """
    if not isinstance(func, Jit):
        raise UsageError(f"flyc.compile takes a function with @flyc.jit, got {shown(func)}")
    return func.compile(*args, **named)
