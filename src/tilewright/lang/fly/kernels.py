"""The kernel that is being traced: its block, its target's lanes, and the shared memory that it has asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from tilewright.arch import get
from tilewright.errors import KernelError
from tilewright.lang.core.frames import here
from tilewright.lang.core.trace import current


@dataclass
class KernelBeingTraced:
    """What functions ask about the kernel around them.

    Attributes:
        block: the threads of a block, where the launch says them while tracing.
        lanes: of a warp.
        shared: bytes of the launch's shared memory that are allocated so far; None before there is an allocator.
    """

    name: str
    block: tuple[int, int, int] | None
    lanes: int
    arch: str
    shared: int | None = None


_CURRENT: ContextVar[KernelBeingTraced | None] = ContextVar("tilewright_kernel", default=None)


def current_kernel() -> KernelBeingTraced:
    """The kernel.

    Raises:
        KernelError: none is being traced.
    """
    found = _CURRENT.get()
    if found is None:
        raise KernelError("this belongs into a kernel: call it within @flyc.kernel", None if current() else here())
    return found


def require_room(size: int, kernel: KernelBeingTraced) -> None:
    """Raises `KernelError` for more bytes of shared memory than a block may ask the architecture for."""
    most = get(kernel.arch).shared_per_block
    if size > most:
        raise KernelError(f"{size} bytes of shared memory; on {kernel.arch} a block has up to {most}")


def is_in_kernel() -> bool:
    """Is one being traced?"""
    return _CURRENT.get() is not None


@contextmanager
def entered(kernel: KernelBeingTraced) -> Iterator[KernelBeingTraced]:
    """Within it the kernel is the current one."""
    token = _CURRENT.set(kernel)
    try:
        yield kernel
    finally:
        _CURRENT.reset(token)
