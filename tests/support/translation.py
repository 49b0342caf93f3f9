"""Runs a kernel of the `final` stage on the simulator and, as CUDA text, on the host and the GPU: they must agree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from on_gpu import check_on_gpu

from tilewright.ir.text import parse_module
from tilewright.targets.arguments import bind
from tilewright.targets.host.compiler import WARNINGS, compile_host
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.simulate import simulate


def run_both(text: str, arrays: list[Any], flags: Sequence[str] = WARNINGS) -> list[Any]:
    """The arrays after the simulation; the host's are the same, and those of a GPU where there is one."""
    module = parse_module(text)
    simulated, hosted = ([array.copy() for array in arrays] for _ in range(2))
    simulate(module, simulated)
    compile_host(module, range(len(arrays)), flags).run(bind(kernel_of(module), hosted))
    for ours, theirs in zip(simulated, hosted, strict=True):
        assert ours.tobytes() == theirs.tobytes()
    check_on_gpu(module, arrays, simulated)
    return simulated
