"""Who did what where, of an access that a memory refuses: what a trace tells of it beside the message."""

from __future__ import annotations

from typing import NamedTuple, TypeVar

from tilewright.errors import SimulationError
from tilewright.targets.simulator.order.clocks import Clocks
from tilewright.targets.simulator.sites import Site

Refusal = TypeVar("Refusal", bound=SimulationError)


class Side(NamedTuple):
    """A lane accesses an element at a site of the kernel; block and thread are None where an engine does it for one."""

    does: str
    site: Site
    element: int
    block: int | None = None
    thread: int | None = None

    @staticmethod
    def of(does: str, site: Site, element: int, actor: int, clocks: Clocks) -> Side:
        """That of an actor of the clocks."""
        block, inside = divmod(actor, clocks.width)
        return Side(does, site, element, block, inside if inside < clocks.warps * clocks.lanes else None)


def told_of(error: Refusal, *sides: Side) -> Refusal:
    """The error, which knows its sides."""
    error.sides = sides
    return error
