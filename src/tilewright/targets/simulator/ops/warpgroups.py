"""The warpgroups that execute an instruction together: all 128 lanes of each, or none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation

from tilewright.atoms import catalog
from tilewright.atoms.available import has_atom
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import BarrierError, SimulationError
from tilewright.ir.tile.wgmma import WARPGROUP
from tilewright.targets.launch import where
from tilewright.targets.simulator.collective.operands import Operand
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array, Mask, Number
from tilewright.targets.simulator.ops.atoms import Warps, real
from tilewright.targets.simulator.order.clocks import Flags, Numbers
from tilewright.targets.simulator.program import Frame

_LIKE = "SM90_64x8x16_F32F16F16_SS"  # who has this has the others


@dataclass(frozen=True, eq=False)
class Warpgroups(Warps):
    """An entry each: the row among the lanes, the number in its block, and where its lanes are among the columns."""

    row: Numbers
    group: Numbers
    columns: Numbers

    @staticmethod
    def all_of(frame: Frame, op: Operation, atom: MmaAtom | None = None) -> Warpgroups:
        """Those of a frame.

        Raises:
            SimulationError: the architecture has no such instruction.
            BarrierError: lanes of a warpgroup are missing.
        """
        lanes = real(frame)
        known = lanes.machine.admitted
        if op not in known:
            spec, wanted = lanes.machine.tally.spec, atom or catalog.mma(_LIKE)
            if not has_atom(spec, wanted):
                hint = f'compile for target="simulator:{wanted.arch}"'
                raise SimulationError(
                    f"wgmma is an instruction of {wanted.arch}, not of {spec.name}; {hint}\n{where(op)}"
                )
            known.add(op)
        some = _whole(lanes, frame.mask, op)
        row, group = np.nonzero(some)
        columns = np.searchsorted(lanes.threads, group[:, None] * WARPGROUP + np.arange(WARPGROUP))
        plain = frame.mask is None and some.size * WARPGROUP == lanes.shape[0] * lanes.shape[1]
        return Warpgroups(op, lanes, WARPGROUP, None if plain else some, row, group, columns)

    @property
    def rows(self) -> Numbers:
        """Their rows in the machine."""
        return np.asarray(self.lanes.rows[self.row])

    def gather(self, values: Array) -> Array:
        """What they hold, by (warpgroup, lane, value)."""
        if self.active is None:
            return values.reshape(-1, WARPGROUP, values.shape[-1])
        return np.asarray(values[self.row[:, None], self.columns])

    def spread(self, found: Array) -> Array:
        """By (block, thread, value) what they are to hold; undoes `gather`."""
        if self.active is None:
            return found.reshape(*self.lanes.shape, -1)
        full = np.zeros((*self.lanes.shape, found.shape[-1]), found.dtype)
        full[self.row[:, None], self.columns] = found
        return full

    def zeros(self, operand: Operand, atom: MmaAtom) -> Array:
        """Matrices of zeros."""
        return np.zeros((len(self.row), *operand.shape), atom.dtypes[3].numpy())

    def agreed(self, values: Number, what: str) -> Array:
        """The number on which the lanes of each agree.

        Raises:
            SimulationError: two of them do not.
        """
        full = np.broadcast_to(np.asarray(values), self.lanes.shape)[self.row[:, None], self.columns]
        wrong = full != full[:, :1]
        if wrong.any():
            at, lane = (int(x[0]) for x in np.nonzero(wrong))
            first, other = (self.name(at, i) for i in (0, lane))
            numbers = f"{full[at, 0]} and {full[at, lane]}"
            raise SimulationError(f"{first} and {other} of a warpgroup give {numbers} for {what}\n{where(self.op)}")
        return np.asarray(full[:, 0])

    def name(self, entry: int, lane: int = 0) -> str:
        """A lane of one of them as a person names it."""
        return self.lanes.name(int(self.lanes.actor[self.row[entry], self.columns[entry, lane]]))

    def by_lane(self, numbers: Array) -> Number:
        """A number of each warpgroup as one of its lanes; 0 elsewhere. One number where all are the same."""
        if self.active is None and (numbers == numbers[:1]).all():
            return int(numbers[0])
        full = np.zeros(self.lanes.shape, numbers.dtype)
        full[self.row[:, None], self.columns] = numbers[:, None]
        return full


def _whole(lanes: Lockstep, mask: Mask, op: Operation) -> Flags:
    """Which warpgroups of (rows, warpgroups) take part: with all their lanes."""
    threads = lanes.launch.threads
    active = np.zeros((len(lanes.rows), -(-threads // WARPGROUP) * WARPGROUP), bool)
    active[:, lanes.threads] = True if mask is None else mask
    grouped = active.reshape(len(active), -1, WARPGROUP)
    some, every = grouped.any(axis=2), grouped.all(axis=2)
    torn = some & ~every
    if torn.any():
        row, group = (int(x[0]) for x in np.nonzero(torn))
        start, there = group * WARPGROUP, np.flatnonzero(grouped[row, group])
        base = int(lanes.blocks[row]) * lanes.machine.clocks.width + start
        present, missing = lanes.name(base + int(there[0])), int(np.argmin(grouped[row, group]))
        who = f"thread {start + missing} does not" if start + missing < threads else f"the block ends at {threads}"
        raise BarrierError(
            f"{present} and {len(there) - 1} more lanes come to an instruction of the warpgroup {start} to "
            f"{start + WARPGROUP - 1}, which all 128 execute together; {who}\n{where(op)}"
        )
    return np.asarray(every)
