"""Runs a kernel of the `final` stage on the simulator and, as CUDA text, on the host: they must agree bit for bit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tilewright.ir.text import parse_module
from tilewright.targets.arguments import bind
from tilewright.targets.host.compiler import WARNINGS, compile_host
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.simulate import simulate


def run_both(text: str, arrays: list[Any], flags: Sequence[str] = WARNINGS) -> list[Any]:
    """The arrays after the simulation; the host's are the same."""
    module = parse_module(text)
    simulated, hosted = ([array.copy() for array in arrays] for _ in range(2))
    simulate(module, simulated)
    compile_host(module, range(len(arrays)), flags).run(bind(kernel_of(module), hosted))
    for ours, theirs in zip(simulated, hosted, strict=True):
        assert ours.tobytes() == theirs.tobytes()
    return simulated
