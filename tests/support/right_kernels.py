"""The right kernels of the corpus as text on the CPU: which have it, and whether it does what the simulator does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
from corpus import Case, cases
from fault_table import CORPUS
from faults import kernels
from xdsl.dialects.builtin import ModuleOp

from tilewright.arch import get as get_arch
from tilewright.errors import TilewrightError
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.runtime.host_ways import Chosen, Wanted, chosen
from tilewright.targets.arguments import Array, bind
from tilewright.targets.host.compiler import HostKernel, literal
from tilewright.targets.host.divisions import guarded
from tilewright.targets.host.fibers import FiberKernel
from tilewright.targets.host.program import LATE, SOON, Part
from tilewright.targets.launch import kernel_of, parameters_of
from tilewright.targets.simulator.simulate import simulate
from tilewright.targets.tensor_map import TensorMap

LANES = 32  # of a warp on the machines that CUDA text is for
LATER = ("async", "tcgen05")  # words of what goes on by itself


@dataclass(frozen=True)
class Right:
    """A right kernel, how it is made, its machine, and how its arguments are made."""

    name: str
    make: Callable[[], PrimFunc]
    arch: str
    given: Callable[[], list[Any]] | None = None

    @cached_property
    def kernel(self) -> PrimFunc:
        """The kernel."""
        return self.make()

    @property
    def is_nvidia(self) -> bool:
        """Is CUDA text for its machine?"""
        return get_arch(self.arch).vendor == "nvidia"

    @property
    def lanes(self) -> int:
        """Of a warp."""
        return get_arch(self.arch).lanes

    @cached_property
    def final(self) -> ModuleOp:
        """The kernel at stage `final`."""
        return run(self.kernel.module, "final", lanes=self.lanes).module

    def arguments(self) -> list[Any]:
        """New ones: where the kernel has none of its own, numbers from 0 on, zeros in what is called F."""
        if self.given is not None:
            return self.given()
        return [
            (np.arange(p.size or 1) % 50 * (p.name[0] != "F")).astype(p.element.numpy())
            for p in parameters_of(kernel_of(self.kernel.module))
        ]

    def simulated(self, module: ModuleOp) -> list[bytes]:
        """What the arguments hold after a run of the simulator."""
        arguments = self.arguments()
        simulate(module, arguments, arch=self.arch)
        return bits(arguments)

    @cached_property
    def expected(self) -> list[bytes]:
        """The same, of the kernel at stage `final`."""
        return self.simulated(self.final)

    @cached_property
    def chosen(self) -> Chosen:
        """How the target `host` runs it."""
        return chosen(Wanted(self.final, self.lanes, "g++"))

    @cached_property
    def part(self) -> Part:
        """The text, for the CPU."""
        kernel = self.chosen.kernel
        return Part(kernel.text) if isinstance(kernel, FiberKernel) else literal(guarded(self.final))

    def run(self, made: HostKernel, when: str) -> list[bytes]:
        """What the arguments hold after a run of the text, with copies done at that time."""
        return self.ran(partial(made.run, when=when))

    def ran(self, run: Callable[[list[Array], list[TensorMap]], None]) -> list[bytes]:
        """What they hold after a run on the CPU."""
        arguments = self.arguments()
        maps = [argument for argument in arguments if isinstance(argument, TensorMap)]
        run(bind(kernel_of(self.final), arguments), maps)
        return bits(arguments)


@lru_cache(maxsize=1)
def right() -> tuple[Right, ...]:
    """All of them."""
    found = [case for case in cases(CORPUS) if case.error is None]
    own = [Right(case.name, partial(_kernel, case), case.arch) for case in found]
    return (*own, *(Right(one.name, one.kernel, one.archs[0], one.arguments) for one in kernels()[1]))


def _kernel(case: Case) -> PrimFunc:
    return case.kernel


def bits(arguments: Sequence[Any]) -> list[bytes]:
    """What arguments hold; of a tensor map, its array."""
    return [np.asarray(getattr(argument, "array", argument)).tobytes() for argument in arguments]


def whens(part: Part) -> tuple[str, ...]:
    """When copies that go on by themselves may be done; without them it is all one."""
    return (SOON, LATE) if any(word in part.text.source for word in LATER) else (SOON,)


def reason(error: TilewrightError) -> str:
    """Why a kernel stays out, without its numbers."""
    return re.sub("[0-9]+", "#", str(error).partition("\n")[0])[:100]
