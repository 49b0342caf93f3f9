"""Bounds on what one simulated launch may cost, so that no input hangs or swallows the machine."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from tilewright.errors import SimulationError
from tilewright.targets.launch import Launch, where


@dataclass(frozen=True)
class Limits:
    """At most this many threads in a launch, executed ops, and bytes of one shared or local buffer over all lanes."""

    threads: int = 1 << 27
    steps: int = 2_000_000
    bytes: int = 1 << 30

    def check(self, launch: Launch, lanes: int) -> None:
        """Raises `SimulationError` when the launch has too many threads."""
        threads = launch.blocks * launch.warps(lanes) * lanes
        if threads > self.threads:
            raise SimulationError(
                f"a launch of {threads} threads; the limit is {self.threads}, see Limits(threads=...)"
            )


class Fuel:
    """What is left of the steps."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.steps = limits.steps

    def burn(self, steps: int, op: Operation) -> None:
        """Raises `SimulationError` when the steps that the op is about to take are more than what is left."""
        self.steps -= steps
        if self.steps < 0:
            raise SimulationError(
                f"the kernel takes more than {self.limits.steps} simulated ops; raise the limit with Limits(steps=...) "
                f"if it is to take as many\n{where(op)}"
            )

    def allocate(self, count: int) -> None:
        """Raises `SimulationError` when one buffer of all lanes is larger than the limit."""
        if count > self.limits.bytes:
            raise SimulationError(f"a buffer of {count} bytes; the limit is {self.limits.bytes}, see Limits(bytes=...)")
