"""Bounds on what one simulated launch may cost, so that no input hangs or swallows the machine."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation

from tilewright.errors import SimulationError
from tilewright.targets.launch import Launch, where
from tilewright.targets.simulator.options import STEPS

LANES = 2048


@dataclass(frozen=True)
class Limits:
    """At most this many threads in a launch, steps, and bytes of one shared or local buffer over all lanes.

    A step is an op that up to `LANES` lanes execute together; of more lanes it is as many steps as they are times that,
    so that any run ends within a minute or so. Lanes that release, acquire or fence are asked one after the other, a
    step for each.
    """

    threads: int = 1 << 27
    steps: int = STEPS
    bytes: int = 1 << 30

    def check(self, launch: Launch, lanes: int) -> None:
        """Raises `SimulationError` when the launch has too many threads."""
        threads = launch.blocks * launch.warps(lanes) * lanes
        if threads > self.threads:
            raise SimulationError(f"a launch of {threads} threads; the limit is {self.threads}: take fewer blocks")


class Fuel:
    """What is left of the steps."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.steps = limits.steps

    @property
    def burnt(self) -> int:
        """The steps that were begun."""
        return self.limits.steps - self.steps

    def burn(self, steps: int, op: Operation) -> None:
        """Raises `SimulationError` when the steps that the op is about to take are more than what is left."""
        self.steps -= steps
        if self.steps < 0:
            raise SimulationError(
                f"the kernel takes more than {self.limits.steps} simulated ops, each of up to {LANES} lanes; raise the "
                f"limit with steps=... if it is to take as many\n{where(op)}"
            )

    def allocate(self, count: int, op: Operation | None = None) -> None:
        """Raises `SimulationError` when one buffer, the op's, of all lanes is larger than the limit."""
        if count > self.limits.bytes:
            limit = f"the limit is {self.limits.bytes}: make it smaller, or take fewer blocks"
            raise SimulationError(f"a buffer of {count} bytes in all; {limit}" + (f"\n{where(op)}" if op else ""))
