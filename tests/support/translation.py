"""Runs a kernel of the `final` stage on the simulator and, as text, on the host and the GPU: they must agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from headers import ready
from on_gpu import check_on_gpu

from tilewright.arch.target import Target
from tilewright.ir.text import parse_module
from tilewright.runtime.compile import KernelSource, compile
from tilewright.runtime.on_host import HostExecutor
from tilewright.targets.arguments import bind, roles
from tilewright.targets.host.compiler import WARNINGS, compile_host
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import simulate


def run_both(text: str, arrays: list[Any], flags: Sequence[str] = WARNINGS) -> list[Any]:
    """The arrays after the simulation.

    The literal text gives the same, the loops of C and of LLVM's text too, and a GPU where there is one.
    """
    module = parse_module(text)
    simulated, hosted, looped, jitted = ([array.copy() for array in arrays] for _ in range(4))
    simulate(module, simulated)
    compile_host(module, range(len(arrays)), ready(flags)).run(bind(kernel_of(module), hosted))
    HostExecutor.of(module, Target("host"))(looped, SimOptions())
    HostExecutor.of(module, Target("host -compiler=llvmlite"))(jitted, SimOptions())
    for ours, *theirs in zip(simulated, hosted, looped, jitted, strict=True):
        assert [ours.tobytes()] * 3 == [array.tobytes() for array in theirs]
    check_on_gpu(module, arrays, simulated)
    return simulated


def literally(kernel: KernelSource, *arrays: Any) -> None:
    """Runs the CUDA text of a kernel as it stands, a fiber a thread: also what waits in ways that no loops have."""
    module = compile(kernel).lowered().module
    bound = bind(kernel_of(module), arrays)
    compile_host(module, roles(bound), ready(WARNINGS)).run(bound)
