"""g++ at work: fresh private folders, argument lists, time limits."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from tilewright.errors import BarrierError, CompileError, SimulationError
from tilewright.targets.arguments import Array, memories
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.tables import LITERAL
from tilewright.targets.c_emitter.writer import CText
from tilewright.targets.cache import kept
from tilewright.targets.host.machine import compiled_for
from tilewright.targets.host.program import ENDLESS, FAILED, PARTED, SOON, SPINNING, Part, host_program, runner
from tilewright.targets.host.stuck import described
from tilewright.targets.host.tensor_maps import encoded
from tilewright.targets.launch import Extents
from tilewright.targets.tensor_map import TensorMap

COMPILERS = ("g++", "clang++")
# No fused multiply-add and no assumption on overflow or aliasing: the text means what it says.
FLAGS = ("-std=c++17", "-O2", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing")
# A library that is as fast as these rules allow, on this machine's own instructions.
LIBRARY = ("-shared", "-fPIC", "-O3", "-march=native", "-fno-trapping-math")
# What is read before it is written is found by the simulator; g++ guesses, and cannot see that a condition still holds,
# or that a product adds to registers only where it is told so. Kernels may ask what always holds, and nothing that is
# linked here was made by another compiler.
UNSURE = ("maybe-uninitialized", "uninitialized", "type-limits", "psabi")
WARNINGS = ("-Wall", "-Wextra", "-Werror", *(f"-Wno-{name}" for name in UNSURE))
COMPILE_SECONDS, RUN_SECONDS = 60, 60
PROCESSOR_SECONDS = 20  # of a run
MAX_LOG = 4000
STUCK = {PARTED: BarrierError, SPINNING: BarrierError, ENDLESS: SimulationError}


@dataclass(frozen=True)
class HostKernel:
    """A kernel in an executable program, its number there; `run` starts it in a process of its own.

    A process, because a kernel may write anywhere or never end: then it is the child that dies, and says so here.
    """

    text: CText
    binary: bytes
    number: int = 0

    def run(
        self, arrays: Sequence[Array], maps: Sequence[TensorMap] = (), when: str = SOON, grid: Extents | None = None
    ) -> None:
        """Runs the kernel in place on flat arrays.

        Args:
            arrays: one for each parameter, as `bind` makes them; they may overlap.
            maps: the tensor maps among the arguments, in order.
            when: are copies that go on by themselves done `SOON`, or as `LATE` as they may be?
            grid: of blocks; None: as the text says.

        Raises:
            BarrierError: the threads of a block part at a barrier.
            OutOfBoundsError: a coordinate leaves its dimension, where the kernel has an assertion for it.
            SimulationError: the program crashes or takes more than a minute.
        """
        held, places = memories(arrays)
        with private_folder() as folder:
            program = folder / "kernel"
            program.write_bytes(self.binary)
            program.chmod(0o700)
            names = [folder / f"memory{i}" for i in range(len(held))]
            for name, memory in zip(names, held, strict=True):
                name.write_bytes(memory.tobytes())
            told = [folder / f"map{i}" for i in range(len(maps))]
            for name, given in zip(told, maps, strict=True):
                name.write_bytes(encoded(given))
            numbers = (
                PROCESSOR_SECONDS,
                *(grid or self.text.launch.grid),
                *(number for place in places for number in place),
            )
            self._start([str(program), str(self.number), when, *map(str, (*numbers, *names, *told))])
            for name, memory in zip(names, held, strict=True):
                memory[...] = np.fromfile(name, memory.dtype)

    def _start(self, command: list[str]) -> None:
        try:
            done = subprocess.run(command, capture_output=True, timeout=RUN_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise SimulationError(f"{self.text.name} did not end within {RUN_SECONDS} s on the host") from None
        except OSError as error:
            raise SimulationError(f"{self.text.name} cannot be started on the host: {error}") from error
        print(done.stdout.decode(errors="replace"), end="")
        if done.returncode in STUCK:
            endless = f" has not ended within {PROCESSOR_SECONDS} s of the processor" * (done.returncode == ENDLESS)
            raise STUCK[done.returncode](f"{self.text.name}{endless}: {described(self.text, done.stderr, endless)}")
        if done.returncode == FAILED:
            raise self._failed(done.stderr)
        if done.returncode:
            raise SimulationError(
                f"{self.text.name} crashed on the host (status {done.returncode}); "
                "the simulator names the access that is wrong"
            )

    def _failed(self, report: bytes) -> SimulationError:
        number, value, *at = map(int, report.split())
        claim, where = self.text.assertions[number]
        block, thread = (f"({x},{y},{z})" for x, y, z in (at[:3], at[3:]))
        return claim.error(value, f"block {block} thread {thread}", where)


def compile_host(module: ModuleOp, roles: Sequence[int], flags: Sequence[str] = ()) -> HostKernel:
    """The kernel of a module at stage `final` as a host program.

    Args:
        module: the module. roles: the number of the memory that each parameter is. flags: more flags for g++.

    Raises:
        CompileError: g++ is missing, or refuses the text; the kernel does what the CPU cannot.
    """
    (made,) = compile_together([literal(module, len(set(roles)) == len(roles))], flags)
    return made


def compile_together(parts: Sequence[Part], flags: Sequence[str] = ()) -> list[HostKernel]:
    """The kernels of one program, which is compiled once.

    Raises:
        CompileError: as `compile_host`.
    """
    binary = compile_cpp(host_program(parts), flags, objects=[compiled_runner(compiler_here())])
    return [HostKernel(part.text, binary, number) for number, part in enumerate(parts)]


@lru_cache(maxsize=2)
def compiled_runner(compiler: str) -> bytes:
    """What runs the kernels of any program, by the compiler at this path: it takes longer than a small kernel.

    Raises:
        CompileError: as `compile_cpp`.
    """
    key, name = (runner(), *FLAGS, *compiled_for(compiler)), Path(compiler).name
    return kept(key, lambda: compile_cpp(runner(), ("-c",), name))


def literal(module: ModuleOp, apart: bool = True) -> Part:
    """The CUDA text of a module at stage `final`, as the CPU takes it; `apart`: for arrays that do not overlap.

    Raises:
        CompileError: there is none.
    """
    return Part(emit(module, LITERAL, restrict=apart))


def compile_cpp(source: str, flags: Sequence[str] = (), name: str = "", objects: Sequence[bytes] = ()) -> bytes:
    """The program of a C++ source and of objects, or with the flags `LIBRARY` the library, with `-c` the object.

    Raises:
        CompileError: there is no compiler, or it refuses the source, or takes more than a minute.
    """
    compiler = compiler_here(name)
    with private_folder() as folder:
        (folder / "kernel.cpp").write_text(source, encoding="utf-8")
        paths = [folder / "kernel.cpp", *(folder / f"object{i}.o" for i in range(len(objects)))]
        for path, made in zip(paths[1:], objects, strict=True):
            path.write_bytes(made)
        command = [compiler, *FLAGS, *flags, "-o", str(folder / "kernel"), *map(str, paths)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=COMPILE_SECONDS, check=False)
        except subprocess.TimeoutExpired:
            raise CompileError(f"{Path(compiler).name} did not end within {COMPILE_SECONDS} s") from None
        if done.returncode:
            raise CompileError(f"{Path(compiler).name} refuses the kernel\n{done.stderr[:MAX_LOG]}")
        return (folder / "kernel").read_bytes()


def compiler_here(name: str = "") -> str:
    """The path of the first C++ compiler that there is; of the one with this name.

    Raises:
        CompileError: there is none.
    """
    found = found_compiler(name)
    if found is None:
        raise CompileError(
            f"the target 'host' needs {name or 'g++ or clang++'}; install one with: apt-get install "
            f"{(name or 'g++').replace('clang++', 'clang')}, or let llvmlite compile: pip install 'tilewright[jit]'"
        )
    return found


def found_compiler(name: str = "") -> str | None:
    """The same; None where there is none."""
    return next(filter(None, map(shutil.which, (name,) if name else COMPILERS)), None)


@contextmanager
def private_folder() -> Iterator[Path]:
    """A fresh folder that only this user can open (mode 0700)."""
    with tempfile.TemporaryDirectory(prefix="tilewright-") as name:
        yield Path(name)
