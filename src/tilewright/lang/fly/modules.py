"""The module that a jit function makes while it is traced."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TypeAlias

from xdsl.dialects import gpu
from xdsl.ir import SSAValue

from tilewright.errors import KernelError, SourceLocation

Called: TypeAlias = "tuple[str, SourceLocation | None]"
"""A kernel's name, and where it is called."""


@dataclass
class ModuleBeingTraced:
    """Its architecture, the kernels so far, the token of its launches, and calls that have not been launched."""

    arch: str
    lanes: int
    token: SSAValue
    kernels: list[gpu.FuncOp] = field(default_factory=list)
    waiting: list[Called] = field(default_factory=list)


_CURRENT: ContextVar[ModuleBeingTraced | None] = ContextVar("tilewright_fly_module", default=None)


def current_module() -> ModuleBeingTraced:
    """The module.

    Raises:
        KernelError: no jit function is being traced.
    """
    found = _CURRENT.get()
    if found is None:
        raise KernelError("a kernel is called and launched in a function with @flyc.jit: kernel(..).launch(..)")
    return found


@contextmanager
def entered(module: ModuleBeingTraced) -> Iterator[ModuleBeingTraced]:
    """Within it the module is the current one."""
    token = _CURRENT.set(module)
    try:
        yield module
    finally:
        _CURRENT.reset(token)
