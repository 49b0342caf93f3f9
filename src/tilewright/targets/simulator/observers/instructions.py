"""What a launch executes: ops of each kind, by the line of the source, and the floating-point operations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, VectorType
from xdsl.ir import Operation

from tilewright.atoms.instruction_descriptors import InstructionDescriptor
from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import dtype
from tilewright.ir.core.effects import is_pure
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.atoms import MmaAtomOp
from tilewright.ir.tile.scaled import ScaledMmaOp
from tilewright.ir.tile.sparse import SparseMmaOp
from tilewright.ir.tile.tcgen05 import Tcgen05MmaOp
from tilewright.ir.tile.types import BufferType, space_of
from tilewright.ir.tile.wgmma import WgmmaOp
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.observers.acts import Act
from tilewright.targets.simulator.observers.trace import accessed
from tilewright.targets.simulator.observers.watch import After
from tilewright.targets.simulator.program import Compiler, Frame
from tilewright.targets.simulator.sites import Line

MATRIX = (MmaAtomOp, SparseMmaOp, ScaledMmaOp, WgmmaOp)
MOST_USES = 1000  # one after the other
_ONE = (arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp)


@dataclass(frozen=True)
class Instructions:
    """Ops of a stage, executed by warps: of each kind, and of each line. A compiler makes machine code of them.

    `flops` are additions, multiplications and divisions of floating-point numbers by their type, those of a matrix
    instruction by `mma` and the type of A, as `arch.units.Chip.peak` names what computes them.
    """

    kinds: Mapping[str, int]
    lines: Mapping[Line, int]
    flops: Mapping[str, int]

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.kinds.values())


@dataclass
class InstructionCounter:
    """Counts; `lanes` are those of a warp."""

    lanes: int
    kinds: Counter[str] = field(default_factory=Counter)
    lines: Counter[Line] = field(default_factory=Counter)
    flops: Counter[str] = field(default_factory=Counter)

    @property
    def counted(self) -> Instructions:
        """What was counted until now."""
        return Instructions(dict(self.kinds), dict(self.lines), dict(self.flops))

    def of(self, compiler: Compiler, op: Operation) -> After | None:
        """Counts the warps with an active lane, and what these lanes compute."""
        kind, place, (unit, each) = kind_of(op), line_of(op), _flops(op)
        if kind is None:
            return None
        told = compiler.slot(op.told) if isinstance(op, Tcgen05MmaOp) else None

        heard = op.name.startswith("fly.") and kind in _HEARD

        def after(frame: Frame) -> None:
            warps, lanes = self.active(frame)
            hearing = cast(Lockstep, frame.domain).machine.hearing
            entries = list(hearing.of(op)) if heard and hearing else []
            for entry in entries:
                self.kinds[f"{entry.site.kind} {entry.site.space}"] += warps
                self.lines[place] += warps
            if entries or heard:
                return
            self.kinds[kind] += warps
            self.lines[place] += warps
            if each:
                self.flops[unit] += int(each * lanes)
            if told is not None:
                for number, count in _told(frame, told):
                    found, product = described(op, number)
                    self.flops[found] += product * count

        return after

    def told(self, acts: Sequence[Act]) -> None:
        """Their ops have been counted."""

    def active(self, frame: Frame) -> tuple[int, int]:
        """The warps with an active lane, and the active lanes."""
        lanes = cast(Lockstep, frame.domain)
        starts = np.flatnonzero(np.diff(lanes.threads // self.lanes, prepend=-1))
        if frame.mask is None:
            return len(starts) * lanes.shape[0], prod(lanes.shape)
        mask = np.broadcast_to(frame.mask, lanes.shape)
        return int(np.logical_or.reduceat(mask, starts, axis=1).sum()), int(mask.sum())


# Ops of `fly` whose accesses are counted one by one; registers that they only move are no instructions.
_HEARD = frozenset({"copy", "copy_atom_call", "copy_atom_call_ssa", "load", "store", "load_vec", "store_vec"})


def line_of(op: Operation) -> Line:
    """The op's line; that of the first that uses its result where it has none of its own."""
    for _ in range(MOST_USES):
        found = Line.of(op)
        uses = [use.operation for result in op.results for use in result.uses]
        if found.line or not uses:
            return found
        op = uses[0]
    return Line()


def kind_of(op: Operation) -> str | None:
    """What a person calls the op: `load shared`, `barrier`, `float`, `integer`; None where it is no instruction."""
    access = accessed(op)
    if access is not None and access.memory is not None:
        kind = access.memory.type
        return f"{access.kind} {kind.scope if isinstance(kind, BufferType) else space_of(access.memory)}"
    if access is not None:
        return "mma" if isinstance(op, (*MATRIX, Tcgen05MmaOp)) else access.kind
    if not op.name.startswith(("arith.", "math.")) or not is_pure(op):
        return None
    return "float" if isinstance(op.results[0].type, AnyFloat) else "integer"


def _told(frame: Frame, slot: int) -> Iterator[tuple[int, int]]:
    """The instruction descriptors that active lanes give, and how many give each."""
    lanes = cast(Lockstep, frame.domain)
    full = np.broadcast_to(np.asarray(frame.number(slot)), lanes.shape)
    numbers, counts = np.unique(full if frame.mask is None else full[frame.mask], return_counts=True)
    return zip(numbers.tolist(), counts.tolist(), strict=True)


def described(op: Operation, told: int) -> tuple[str, int]:
    """The unit that computes a product in tensor memory, and its operations; of a sparse A those of what is stored.

    Where types of 8, 6 and 4 bits may differ, all go at the rate of 8.
    """
    assert isinstance(op, Tcgen05MmaOp), "only these have instruction descriptors"
    atom = InstructionDescriptor.decode(told, op.kind.data).atom(op.source, op.ctas, op.factors, op.ws)
    unit = "mma float8" if op.kind.data.endswith("f8f6f4") else matrix_unit(atom)
    return unit, 2 * prod(atom.shape_mnk) // atom.sparsity


def _flops(op: Operation) -> tuple[str, float]:
    """The unit that computes it, and the operations of one lane."""
    if isinstance(op, MATRIX):
        atom = op.instruction
        return matrix_unit(atom), 2 * prod(atom.shape_mnk) * atom.blocks / (atom.sparsity * int(atom.thr_layout.size))
    if isinstance(op, _ONE) or op.name == "math.fma":
        kind, each = op.results[0].type, 2 if op.name == "math.fma" else 1
        if isinstance(kind, VectorType):
            return str(element_dtype(kind.element_type)), each * kind.element_count()
        return str(element_dtype(kind)), each
    return "", 0


def matrix_unit(atom: MmaAtom) -> str:
    """The unit of the atom's multiply-adds, as `arch.units.Chip.peak` names it."""
    result, a = atom.types[:2]
    if not atom.instruction or atom.instruction.startswith("fma"):
        return a
    narrow = a.partition("_")[0].removeprefix("b").removeprefix("u")
    return f"mma {narrow}" + " half" * (dtype(result).bits == 16)
