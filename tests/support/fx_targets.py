"""Functions of fx by the literal CUDA text of their kernels, a fiber a thread: another program for the same modules."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from headers import ready

from tilewright.arch.target import Target
from tilewright.errors import CompileError
from tilewright.ir.tile.together import ActiveMaskOp, ShuffleOp, VoteOp
from tilewright.passes.fly.pipeline import STAGES
from tilewright.runtime.fly.flat import FlatKernels
from tilewright.runtime.fly.known import Known, Memory
from tilewright.runtime.fly.on_host import HostProgram
from tilewright.runtime.fly.programs import Program
from tilewright.runtime.on_fly import FlyModule
from tilewright.targets.arguments import Array, lie_apart
from tilewright.targets.host.compiler import HostKernel, compile_together, literal
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.options import SimOptions

Run = Callable[..., None]
WARP = 32
TOGETHER = (ShuffleOp, VoteOp, ActiveMaskOp)


@dataclass(frozen=True)
class FiberProgram:
    """Each kernel is a program of its own, for blocks of a size."""

    kernels: FlatKernels
    made: dict[tuple[object, ...], HostKernel] = field(default_factory=dict)

    @staticmethod
    def of(module: FlyModule, target: Target) -> FiberProgram:
        kernels = FlatKernels(module)
        if target.arch.lanes != WARP and any(isinstance(op, TOGETHER) for one in kernels.all() for op in one.walk()):
            raise CompileError(f"waves of {target.arch.lanes} lanes do something together, and CUDA's have {WARP}")
        return FiberProgram(kernels)

    def run(self, arguments: Sequence[Known], options: SimOptions) -> None:
        self.kernels.flat.host(arguments, self.launch)

    def launch(self, name: str, arguments: Sequence[Known], launch: Launch, shared: int | None, /) -> None:
        given = self.kernels.given(name, arguments)
        key = name, launch.block, shared, lie_apart(given)
        if key not in self.made:
            part = literal(self.kernels.kernel(name, launch.block, shared), lie_apart(given))
            (self.made[key],) = compile_together([part], ready(("-O0",)))
        self.made[key].run(given, grid=launch.grid)


# ---- every program on other targets too, where the environment asks for it

ASKED = "TILEWRIGHT_FX_TARGETS"  # such as host,text
KINDS: Mapping[str, Callable[[FlyModule, Target], Program]] = {
    "host": lambda module, target: HostProgram.of(module, Target(f"host:{target.arch.name}")),
    "text": FiberProgram.of,
}


def asked() -> list[str]:
    """The targets on which each run of a function is repeated."""
    return [kind for kind in os.environ.get(ASKED, "").split(",") if kind]


def repeated(run: Callable[[FlyModule, Sequence[Known], SimOptions], None]) -> Callable[..., None]:
    """As `run`, and then on the targets that are asked for, whose arrays must hold the same bytes; told in a file."""

    def everywhere(self: FlyModule, arguments: Sequence[Known], options: SimOptions) -> None:
        arrays = [x.array for x in arguments if isinstance(x, Memory)]
        before = [array.copy() for array in arrays]
        run(self, arguments, options)
        after = [array.copy() for array in arrays]
        for kind in asked() if self.stage == STAGES[0] else ():
            _fill(arrays, before)
            said = _outcome(kind, self, arguments, after, arrays)
            with Path(os.environ.get(f"{ASKED}_TOLD", os.devnull)).open("a") as told:
                told.write(f"{kind}\t{','.join(self.kernels)}\t{os.environ.get('PYTEST_CURRENT_TEST')}\t{said}\n")
            _fill(arrays, after)
            assert said != "differs", kind

    return everywhere


def _fill(arrays: Sequence[Array], held: Sequence[Array]) -> None:
    for array, content in zip(arrays, held, strict=True):
        np.copyto(array, content)


def _outcome(kind: str, module: FlyModule, arguments: Sequence[Known], wanted: list[Array], arrays: list[Array]) -> str:
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            KINDS[kind](module, module.target).run(arguments, SimOptions())
    except CompileError as error:
        return f"refused: {str(error).splitlines()[0]}"
    same = all(a.tobytes() == b.tobytes() for a, b in zip(arrays, wanted, strict=True))
    return "same" if same else "differs"
