"""Fragments: runs of neighbouring registers, taken from all lanes at once and put back at once."""

from __future__ import annotations

import numpy as np

from tilewright.targets.simulator.memory.access import Array, Lanes, Mask, out_of_bounds
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.sites import Site


def read(registers: Registers, lanes: Lanes, start: int, count: int, mask: Mask, site: Site) -> Array:
    """The registers from `start` on, as an array (blocks, threads, count); what inactive lanes hold is anything."""
    _check(registers, start, count, site)
    found = np.empty((*lanes.shape, count), registers.dtype)
    for number in range(count):
        found[:, :, number] = registers.load(lanes, start + number, mask, site)
    return found


def write(registers: Registers, lanes: Lanes, start: int, values: Array, mask: Mask, site: Site) -> None:
    """Puts values (blocks, threads, count) into the registers from `start` on; the array is not changed afterwards."""
    count = values.shape[-1]
    _check(registers, start, count, site)
    for number in range(count):
        registers.store(lanes, start + number, values[:, :, number], mask, site)


def _check(registers: Registers, start: int, count: int, site: Site) -> None:
    if start < 0 or start + count > registers.size:
        out_of_bounds(registers.size, start if start < 0 else registers.size, "a thread", site)
