"""`@flyc.jit`, `@flyc.kernel`, `flyc.compile`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import overload

from tilewright.errors import UsageError, shown
from tilewright.lang.fly.compiled import CompiledFunction
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


HINTS = (
    "fast_fp_math", "fastmath", "ktrace", "ktrace_blocks", "llvm_options", "unsafe_fp_math", "waves_per_eu",
)  # fmt: skip
"""Hints to FlyDSL's compiler, which change no result here."""


class Compile:
    """`flyc.compile(func, *args)`, and `flyc.compile[{"waves_per_eu": 2}](func)`."""

    def __call__(self, func: Jit, *args: object, **named: object) -> CompiledFunction:
        """The function compiled for arguments of the types of these; call it with such arguments.

        Raises:
            UsageError: it is no jit function, or arguments that it cannot be given. KernelError: its source is wrong.
        """
        return _jit(func).compile(*args, **named)

    def __getitem__(self, hints: Mapping[str, object]) -> Callable[[Jit], Jit]:
        """What takes the function and gives it back; the hints have no effect here.

        Raises:
            UsageError: no such hint, or `maxnreg`, which a machine's compiler alone could keep.
        """
        for name in hints:
            if name not in HINTS:
                raise UsageError(f"there is no compile hint {shown(name)}; known: {', '.join(HINTS)}")
        return _jit


def _jit(func: Jit) -> Jit:
    if not isinstance(func, Jit):
        raise UsageError(f"flyc.compile takes a function with @flyc.jit, got {shown(func)}")
    return func


compile = Compile()
