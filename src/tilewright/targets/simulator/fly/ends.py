"""The sides of copies that are views: which values a call moves, and which calls are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from xdsl.ir import SSAValue

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.errors import CompileError
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.memories import cell_bits
from tilewright.ir.fly.ops import FlyOp
from tilewright.ir.fly.rules.atoms import atom_of
from tilewright.ir.fly.type_reader import BUFFER
from tilewright.ir.fly.types import Atom, MemRef, TiledCopy
from tilewright.layout.inttuple import product
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.access import Access
from tilewright.targets.simulator.fly.bits import Bytes
from tilewright.targets.simulator.fly.values import Held, held, integer, place_in
from tilewright.targets.simulator.fly.views import count_of, extents_of, offsets, view_of
from tilewright.targets.simulator.memory.access import Array, Mask
from tilewright.targets.simulator.ops.control import both
from tilewright.targets.simulator.program import Compiler, Frame

MOST_CALLS = 1 << 14
_BANKED: Mapping[str, str] = MappingProxyType({name: name for name in ("ldmatrix", "stmatrix")})


def copy_atom(op: FlyOp) -> CopyAtom:
    """The atom of a copy.

    Raises:
        CompileError: no table here has its layouts.
    """
    kind = op.operands[0].type
    value = kind.value if isinstance(kind, FlyType) else None
    atom = value.atom if isinstance(value, TiledCopy) else value
    found = atom_of(atom) if isinstance(atom, Atom) else None
    if not isinstance(found, CopyAtom):
        raise CompileError(f"{op.name}: no table here says what {kind} moves; it is not simulated\n{where(op)}")
    return found


def changes(atom: CopyAtom) -> bool:
    """Does the atom change memory atomically?"""
    return "atomic" in atom.instruction


@dataclass(frozen=True, eq=False)
class End:
    """A side of copies that is a view: of each call so many values, in one run where they lie side by side."""

    op: FlyOp
    view: MemRef
    slot: int
    state: int
    values: int
    count: int
    whole: Access
    single: Access | None

    @staticmethod
    def of(compiler: Compiler, op: FlyOp, value: SSAValue, kind: str, calls: int | None = None) -> End:
        """The side of a view: of so many calls, or of as many as it has room for.

        Raises:
            CompileError: it has no room for whole calls.
        """
        view, atom = view_of(value, op), copy_atom(op)
        bits = cell_bits(view.pointer)
        moved = int((atom.src_bits if kind == "load" else atom.dst_bits)[1].size)
        values, rest = divmod(moved, bits)
        if rest or not values:
            raise CompileError(
                f"{atom.name} moves {atom.bits_per_thread} bits, no whole {view.pointer.element}\n{where(op)}"
            )
        kind = "atomic" if kind == "store" and changes(atom) else kind
        name = _BANKED.get(atom.instruction.partition(".")[0], "")
        count = values * (_calls(op, view, values) if calls is None else calls)
        runs, apart = _known(view, values, count)
        whole = Access.of(compiler, op, value, kind, values * bits, max(atom.alignment, 1), name, counted=runs)
        single = Access.of(compiler, op, value, kind, bits, counted=apart) if values > 1 and bits >= 8 else None
        return End(op, view, compiler.slot(value), compiler.slot(op.operands[0]), values, count, whole, single)

    @property
    def calls(self) -> int:
        """How many calls move it."""
        return self.count // self.values

    def starts(self, frame: Frame) -> Array:
        """How many bits behind the pointer the elements lie: (call, value, blocks, threads)."""
        found = offsets(self.view, held(frame.values, self.slot), self.count) * cell_bits(self.view.pointer)
        if self.view.pointer.space == BUFFER:
            offset = integer(held(frame.values, self.state).state.get("soffset", 0))
            found = found + cell_bits(self.view.pointer) * offset
        return found.reshape(-1, self.values, *found.shape[1:])

    def read(self, frame: Frame, starts: Array, mask: Mask) -> Bytes:
        """The bytes (blocks, threads, byte) of one call."""
        place = place_in(frame.values, self.slot, self.op)
        if not self._apart(starts):
            found: Bytes = self.whole.read(frame, place, starts[:1], mask)[0]
            return found
        assert self.single is not None
        data = self.single.read(frame, place, starts, mask)
        return np.moveaxis(data, 0, -2).reshape(*data.shape[1:-1], -1)

    def anything(self, frame: Frame, starts: Array) -> Array | None:
        """Which registers of one call hold what a machine leaves undefined; None: none."""
        place = place_in(frame.values, self.slot, self.op)
        if not self._apart(starts):
            return self.whole.anything(frame, place, starts[:1])
        assert self.single is not None
        return self.single.anything(frame, place, starts)

    def write(self, frame: Frame, starts: Array, data: Bytes, mask: Mask) -> None:
        """Puts the bytes of one call there."""
        place = place_in(frame.values, self.slot, self.op)
        if not self._apart(starts):
            self.whole.write(frame, place, starts[:1], data[None], mask)
            return
        assert self.single is not None
        split = data.reshape(*data.shape[:-1], self.values, -1)
        self.single.write(frame, place, starts, np.moveaxis(split, -2, 0), mask)

    def together(self, starts: Array) -> bool:
        """Do the values of a call lie side by side?

        Raises:
            CompileError: they do not, and cannot be moved one by one.
        """
        return not self._apart(starts)

    def _apart(self, starts: Array) -> bool:
        bits = cell_bits(self.view.pointer)
        steps = np.arange(self.values).reshape(-1, *[1] * (starts.ndim - 1)) * bits
        if not (starts - starts[:1] != steps).any():
            return False
        if self.single is None:
            raise CompileError(f"{self.op.name} moves elements of {bits} bits that lie apart\n{where(self.op)}")
        return True


def _known(view: MemRef, values: int, count: int) -> tuple[bool, bool]:
    """May calls find their values side by side, and may they find them apart?"""
    if run_time_leaves(view):
        return True, True
    found = offsets(view, Held(), count).reshape(-1, values)
    together = (found - found[:, :1] == np.arange(values)).all(axis=1)
    return bool(together.any()), not bool(together.all())


def _calls(op: FlyOp, view: MemRef, values: int) -> int:
    """How many calls a copy of the whole view is.

    Raises:
        CompileError: mode 0 does not hold the values of whole calls.
    """
    total, first = count_of(view, op), extents_of(view)[0]
    own = product(first[0]) if isinstance(first, tuple) else product(first)
    if values not in (total, product(first), own):
        text = f"{op.name} moves {values} values with each call, mode 0 of the view has {own} side by side"
        cut = f"fx.logical_divide(view, fx.make_layout({values}, 1)) has mode 0 hold those of one call"
        raise CompileError(f"{text}; {cut}\n{where(op)}")
    if total // values > MOST_CALLS:
        raise CompileError(
            f"{op.name} is {total // values} calls; at most {MOST_CALLS}, copy tiles in a loop\n{where(op)}"
        )
    return total // values


@dataclass(frozen=True, eq=False)
class Predicate:
    """Which calls are made: an element for each call, for each along the modes behind the first, or one for all."""

    op: FlyOp
    view: MemRef
    slot: int
    access: Access
    count: int
    repeat: int

    @staticmethod
    def of(compiler: Compiler, op: FlyOp, value: SSAValue, calls: int, rest: int) -> Predicate:
        """The predicate of so many calls, of which the modes behind the first have `rest`."""
        view = view_of(value, op)
        count = count_of(view, op)
        if count not in (1, calls, rest):
            raise CompileError(f"{op.name} makes {calls} calls, for which {count} conditions do not tell\n{where(op)}")
        access = Access.of(compiler, op, value, "load", cell_bits(view.pointer))
        return Predicate(op, view, compiler.slot(value), access, count, -(-calls // count))

    def active(self, frame: Frame, call: int) -> Mask:
        """The active lanes for which it holds."""
        number = 0 if self.count == 1 else call // self.repeat
        at = offsets(self.view, held(frame.values, self.slot), self.count)[number]
        starts = at[None] * cell_bits(self.view.pointer)
        data = self.access.read(frame, place_in(frame.values, self.slot, self.op), starts, frame.mask)
        return both(data[0].any(axis=-1), frame.mask, frame.domain.shape)
