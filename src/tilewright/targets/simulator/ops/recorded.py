"""Atoms in a recording: what is loaded, how it changes lanes or is multiplied, and where that goes.

Whatever may be a fault, or differs between lanes in another way than by an index, is left to a run.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from tilewright.atoms.available import has_atom
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.targets.simulator.collective.moves import moves_of
from tilewright.targets.simulator.collective.operands import operands_of
from tilewright.targets.simulator.domains.affine import parts
from tilewright.targets.simulator.domains.events import Product, Shift
from tilewright.targets.simulator.domains.moves import MoveRecorder
from tilewright.targets.simulator.domains.record import Recorded
from tilewright.targets.simulator.memory.access import Mask, NotUniformError, Operand
from tilewright.targets.simulator.program import Frame
from tilewright.targets.simulator.sites import Site

Flags: TypeAlias = NDArray[np.bool_]


class Held(Protocol):
    """An operand of an atom: so many elements of a memory from a place on, for each lane, aligned to so many bytes."""

    @property
    def buffer(self) -> int:
        """The slot of the memory."""

    @property
    def site(self) -> Site:
        """The access."""

    @property
    def count(self) -> int:
        """The elements of a lane."""

    @property
    def alignment(self) -> int:
        """What byte addresses are multiples of."""

    def place(self, frame: Frame) -> Operand:
        """The first element of each lane."""


def record_copy(frame: Frame, recorder: MoveRecorder, atom: CopyAtom, dst: Held, src: Held) -> None:
    """Everything is read before anything is written."""
    warp = _lanes(recorder, atom, frame.mask)
    moves = moves_of(atom, warp)
    value = _memory(frame, src).take(*_place(frame, src, _some(moves.reads, frame, recorder)), count=src.count)
    if moves.taken is not None:
        moved = recorder.traced()
        recorder.record(Shift(moves, value.name, moved.name))
        value = moved
    index, mask, site = _place(frame, dst, _some(moves.writes, frame, recorder))
    _memory(frame, dst).put(index, value, mask, site, dst.count)


def record_product(
    frame: Frame, recorder: MoveRecorder, atom: MmaAtom, d: Held, a: Held, b: Held, c: Held | None
) -> None:
    """D = A B + C."""
    held = operands_of(atom, _lanes(recorder, atom, frame.mask))
    if frame.mask is not None:
        raise NotUniformError
    left, right = (_memory(frame, x).take(*_place(frame, x, None), count=x.count) for x in (a, b))
    start = (
        None if c is None else _memory(frame, c).access(*_place(frame, c, None), None, recorder.traced().name, c.count)
    )
    target = _memory(frame, d).access(*_place(frame, d, None), None, None, d.count)
    recorder.record(Product(atom, held, left.name, right.name, start, target))


def _memory(frame: Frame, held: Held) -> Recorded:
    return cast("Recorded", frame.values[held.buffer])


def _lanes(recorder: MoveRecorder, atom: MmaAtom | CopyAtom, mask: Mask) -> int:
    """The lanes of a warp that executes the atom."""
    if not has_atom(recorder.spec, atom):
        raise NotUniformError
    if atom.threads == 1:
        return 1
    if mask is not None or recorder.launch.threads % recorder.spec.lanes:
        raise NotUniformError
    return recorder.spec.lanes


def _some(flags: Flags, frame: Frame, recorder: MoveRecorder) -> Mask:
    """Of the active lanes those whose row counts."""
    if flags.all():
        return frame.mask
    return np.tile(flags, recorder.launch.threads // len(flags))[None]


def _place(frame: Frame, held: Held, mask: Mask) -> tuple[Operand, Mask, Site]:
    """Where the lanes' rows begin, which are aligned in every block and iteration; registers are the same of all."""
    index, site = held.place(frame), held.site
    found = parts(index)
    if found is None:
        raise NotUniformError
    base, rest, steps = found
    if _memory(frame, held).private and (np.asarray(rest) != np.asarray(rest).flat[0]).any():
        raise NotUniformError
    sizes = [np.asarray(rest) * site.step_bytes + site.base_bytes, *(step * site.step_bytes for step in steps.values())]
    sizes += [] if base is None else [base * site.step_bytes]
    if any((np.asarray(size) % held.alignment).any() for size in sizes):
        raise NotUniformError
    return index, mask, site
