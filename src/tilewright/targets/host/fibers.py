"""The CUDA text as it stands, a fiber a thread: compiled once, kept on disk, run in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from tilewright.targets.arguments import Array
from tilewright.targets.c_emitter.writer import CText
from tilewright.targets.cache import kept
from tilewright.targets.host.compiler import FLAGS, HostKernel, compile_cpp, compiled_runner
from tilewright.targets.host.machine import compiled_for
from tilewright.targets.host.program import Part, host_program, runner
from tilewright.targets.launch import Launch
from tilewright.targets.tensor_map import TensorMap


@dataclass(frozen=True)
class FiberKernel:
    """A kernel as fibers: its text, how many blocks and threads it has; `build` compiles it, where that is not done."""

    text: CText
    launch: Launch
    build: Callable[[], bytes]

    def run(self, arrays: Sequence[Array], maps: Sequence[TensorMap] = ()) -> None:
        """One launch on flat arrays, one for each parameter, in place; what the kernel prints is printed.

        Raises:
            BarrierError: threads wait for what never comes. OutOfBoundsError: a coordinate leaves its dimension.
            SimulationError: another assertion does not hold, the program crashes, or does not end in time.
            CompileError: the compiler refuses the text.
        """
        HostKernel(self.text, self.build()).run(arrays, maps, grid=self.launch.grid)


def by_fibers(part: Part, compiler: str) -> FiberKernel:
    """The kernel of a CUDA text, by the compiler at this path.

    Raises:
        CompileError: the text does what the CPU cannot.
    """
    source = host_program([part])
    return FiberKernel(part.text, part.text.launch, lambda: _program(source, compiler))


@lru_cache(maxsize=64)
def _program(source: str, compiler: str) -> bytes:
    """The program of a source; neither it nor what runs its kernels is compiled where the disk has it."""
    name, key = Path(compiler).name, (*FLAGS, *compiled_for(compiler))
    return kept((source, runner(), *key), lambda: compile_cpp(source, (), name, [compiled_runner(compiler)]))
