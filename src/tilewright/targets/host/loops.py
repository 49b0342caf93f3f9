"""The fast path: a kernel whose threads are loops, compiled to a library that runs in this process."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Protocol

from tilewright.errors import BarrierError, SimulationError
from tilewright.ir.core.bounds import PARTED, Claim
from tilewright.targets.arguments import Array
from tilewright.targets.c_emitter.writer import CText
from tilewright.targets.cache import kept_as
from tilewright.targets.host.compiler import FLAGS, LIBRARY, compile_cpp, compiler_here, private_folder
from tilewright.targets.host.llvm import jitted
from tilewright.targets.host.machine import compiled_for
from tilewright.targets.host.program import loops_library
from tilewright.targets.launch import Launch
from tilewright.targets.llvm_emitter.emit import LText
from tilewright.targets.tensor_map import TensorMap

PATIENCE = 0.02  # seconds that a call into the library may take before the calls stop growing: Ctrl-C waits for its end
GROWTH = 8
INTERRUPTED = 2  # what a library says that Ctrl-C ended


class _Report(ctypes.Structure):
    _fields_ = (
        ("number", ctypes.c_longlong),
        ("value", ctypes.c_longlong),
        ("block", ctypes.c_longlong),
        ("thread", ctypes.c_longlong),
        ("text", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
        ("stops", ctypes.c_bool),
        ("grid", ctypes.c_longlong * 3),
    )


class KernelText(Protocol):
    """The text of a kernel, in whatever language."""

    @property
    def source(self) -> str:
        """The text."""

    @property
    def assertions(self) -> tuple[tuple[Claim, str], ...]:
        """What it asserts, by the numbers there, with places in the source."""


class Functions(Protocol):
    """Those of a kernel, as C calls them."""

    @property
    def tw_launch(self) -> Callable[..., int]:
        """Runs some of the blocks."""

    @property
    def tw_free(self) -> Callable[..., None]:
        """Frees what was printed."""


@dataclass(frozen=True)
class Compiled:
    """The functions of a kernel, from a library."""

    tw_launch: Callable[..., int]
    tw_free: Callable[..., None]


def by_compiler(text: CText, launch: Launch, compiler: str = "") -> LoopKernel:
    """The kernel of a C text, by the first C++ compiler that is there, or by this one."""
    return LoopKernel(text, launch, lru_cache(1)(lambda: _functions(library_of(loops_library([text]), compiler), 0)))


def loops_together(kernels: Sequence[LoopKernel], flags: Sequence[str] = LIBRARY) -> list[LoopKernel]:
    """The kernels of C texts as those of one library, which is compiled once."""
    texts = [kernel.text for kernel in kernels if isinstance(kernel.text, CText)]
    library = lru_cache(1)(lambda: library_of(loops_library(texts), flags=tuple(flags)))
    return [replace(kernel, build=partial(_nth, library, number)) for number, kernel in enumerate(kernels)]


def _nth(library: Callable[[], ctypes.CDLL], number: int) -> Compiled:
    return _functions(library(), number)


def _functions(library: ctypes.CDLL, number: int) -> Compiled:
    return Compiled(library[f"tw_launch_{number}"], library.tw_free)


def by_llvm(text: LText, launch: Launch) -> LoopKernel:
    """The kernel of LLVM's text."""
    return LoopKernel(text, launch, lambda: jitted(text.source))


@dataclass(frozen=True)
class LoopKernel:
    """A kernel as loops: `text` is that of blocks of one thread, `launch` says how many threads each was of.

    `build` compiles it, where that has not been done.

    It runs in this process, block after block, in place. Nothing is looked at but the assertions that the text has.
    """

    text: KernelText
    launch: Launch
    build: Callable[[], Functions]

    def run(self, arrays: Sequence[Array], maps: Sequence[TensorMap] = ()) -> None:
        """One launch on flat arrays, one for each parameter; what the kernel prints is printed. It has no maps.

        Raises:
            BarrierError: the threads of a block part at a barrier.
            OutOfBoundsError: a coordinate leaves its dimension, where the kernel has an assertion for it.
            SimulationError: another assertion does not hold.
            CompileError: there is no compiler, or it refuses the text.
        """
        library = self.build()
        memory = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        first, count = 0, 1
        while first < self.launch.blocks:
            last = min(self.launch.blocks, first + count)
            start = time.perf_counter()
            self._blocks(library, memory, first, last)
            count = count * GROWTH if time.perf_counter() - start < PATIENCE else count
            first = last

    def _blocks(self, library: Functions, memory: ctypes.Array[ctypes.c_void_p], first: int, last: int) -> None:
        grid = (ctypes.c_longlong * 3)(*self.launch.grid)
        report = _Report(stops=threading.current_thread() is threading.main_thread(), grid=grid)
        status = library.tw_launch(memory, ctypes.c_longlong(first), ctypes.c_longlong(last), ctypes.byref(report))
        if report.text:
            said = ctypes.string_at(report.text, report.size)
            library.tw_free(ctypes.c_void_p(report.text))
            print(said.decode(errors="replace"), end="")
        if status == INTERRUPTED:
            signal.raise_signal(signal.SIGINT)  # to whoever would have had it
            raise KeyboardInterrupt
        if status:
            raise self._failure(report)

    def _failure(self, report: _Report) -> SimulationError:
        claim, where = self.text.assertions[int(report.number)]
        names = (_coordinates(report.block, self.launch.grid), _coordinates(report.thread, self.launch.block))
        who = "block {} thread {}".format(*names)
        if claim.message == PARTED:
            return BarrierError(f"block {names[0]}: {PARTED}\n{where}".rstrip())
        return claim.error(int(report.value), who, where)


def _coordinates(number: int, extents: tuple[int, int, int]) -> str:
    """The place of a block or thread by its number.

    >>> _coordinates(7, (2, 2, 2))
    '(1,1,1)'
    """
    x, y, _ = extents
    return f"({number % x},{number // x % y},{number // (x * y)})"


@lru_cache(maxsize=256)
def library_of(source: str, compiler: str = "", flags: tuple[str, ...] = LIBRARY) -> ctypes.CDLL:
    """The library of a C++ source, compiled where neither this process nor the disk has it.

    Raises:
        CompileError: there is no compiler, or it refuses the source.
    """
    machine = compiled_for(compiler_here(compiler))
    return kept_as((source, *FLAGS, *flags, *machine), lambda: compile_cpp(source, flags, compiler), opened)


def opened(binary: bytes) -> ctypes.CDLL:
    """The library of its bytes, loaded.

    Raises:
        OSError: they are none.
    """
    with private_folder() as folder:
        path = folder / "kernel.so"
        path.write_bytes(binary)
        return ctypes.CDLL(str(path))  # stays mapped when the file is gone
