"""What a memory asks of those who access it: who they are, which of them are active, and that somebody counts."""

from __future__ import annotations

from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np

from tilewright.errors import OutOfBoundsError
from tilewright.targets.simulator.order.clocks import Present
from tilewright.targets.simulator.sites import Site

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
# What lanes hold: one number for all, or an array that broadcasts to (blocks, threads).
Number: TypeAlias = int | float | np.generic | Array
Mask: TypeAlias = Array | None


class Lanes(Protocol):
    """Who accesses a memory: lanes of shape (blocks, threads), their names, and what is counted of them."""

    @property
    def shape(self) -> tuple[int, int]:
        """Blocks and threads."""

    @property
    def rows(self) -> Array:
        """Which copy of a shared buffer is each block's."""

    def present(self, mask: Mask) -> Present:
        """The active lanes, flat."""

    def name(self, thread: int) -> str:
        """The thread as a person names it."""

    def count(self, site: Site, index: Array, mask: Mask) -> None:
        """One access of the active lanes, each to the element at its index, which broadcasts to (blocks, threads)."""


def out_of_bounds(size: int, index: int, thread: str, site: Site) -> NoReturn:
    """Raises the error for an access outside a buffer."""
    raise OutOfBoundsError(
        f"{thread} accesses element {index} of {site.buffer}, which has {size} elements\n{site.where}"
    )
