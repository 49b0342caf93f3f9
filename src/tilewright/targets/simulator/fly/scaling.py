"""What the text of a matrix atom says besides its layouts: scales of blocks of K, signs of integers, modifiers.

A scale is a byte, an exponent biased by 127, and 255 for NaN; where nobody says it it is 0. Of MFMA each lane has those
of the one block that it holds, bytes counted from the lowest by `opselA` and `opselB`. Of gfx1250's WMMA lane r + 16 h
has those of row r of A, or column of B, a byte a block, h being `opselA` or `opselB`. An operand beside A or B says
them for one call, else the state of the atom.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from xdsl.ir import SSAValue

from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.semantics import table
from tilewright.dtypes import DType, dtype
from tilewright.errors import CompileError
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.ops import FlyOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.bits import recast
from tilewright.targets.simulator.fly.values import held
from tilewright.targets.simulator.memory.access import Array, Number
from tilewright.targets.simulator.ops.atoms import Warps
from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.program import Compiler, Frame

WIDE = dtype("float64")  # of scaled elements, which it holds exactly
_SETTING = re.compile(r"(?P<name>[a-zA-Z]+) = (?P<value>[a-z0-9]+)")


@dataclass(frozen=True, eq=False)
class Scale:
    """The scales of one operand: where they are said, and by row and block which lane has one, from which bit on."""

    op: FlyOp
    field: str
    state: int
    operand: int | None
    lanes: Numbers
    shifts: Numbers
    block: int

    def __call__(self, frame: Frame, warps: Warps, matrices: Array) -> Array:
        """The matrices (entry, row, K), scaled."""
        if self.operand is None:
            word: Number = held(frame.values, self.state).state.get(self.field, 0)
        else:
            word = np.asarray(frame.values[self.operand])
        words = np.broadcast_to(np.asarray(word, np.int64), frame.domain.shape)
        mine = warps.gather(np.ascontiguousarray(words)[..., None])[..., 0].take(self.lanes, axis=1)
        number = mine >> self.shifts & 0xFF
        factor = np.where(number == 0xFF, np.nan, np.ldexp(1.0, number - 127))
        return np.asarray(matrices.astype(np.float64) * np.repeat(factor, self.block, axis=-1))


def _scale(
    compiler: Compiler, op: FlyOp, atom: MmaAtom, letter: str, said: dict[str, str], beside: SSAValue | None
) -> Scale:
    assert atom.scale is not None
    block, opsel = int(said.get("blockSize", atom.scale[1])), int(said.get(f"opsel{letter}", 0))
    rows, depth = atom.stored(letter)
    if atom.arch.startswith("gfx12"):
        row, number = np.indices((rows, depth // block))
        lanes, shifts = row + 16 * opsel, 8 * number
    else:
        first = table(atom.tv_layout(letter))[:, 0]
        lanes = np.zeros((rows, depth // block), np.int64)
        lanes[first % rows, first // rows // block] = np.arange(len(first))
        shifts = np.full(lanes.shape, 8 * opsel)
    operand = None if beside is None else compiler.slot(beside)
    return Scale(op, f"scale_{letter.lower()}", compiler.slot(op.operands[0]), operand, lanes, shifts, block)


@dataclass(frozen=True, eq=False)
class Factors:
    """How the elements of A and B are read: their types, D's and C's, and the scales where there are some."""

    types: tuple[DType, DType, DType, DType]
    kept: tuple[DType, DType]
    scales: tuple[Scale, Scale] | None

    @staticmethod
    def of(compiler: Compiler, op: FlyOp, atom: MmaAtom) -> Factors:
        """Those of an op.

        Raises:
            CompileError: a setting that is not simulated, or a scale for an atom that has none.
        """
        said = {found["name"]: found["value"] for found in _SETTING.finditer(_text(op))}
        if said.get("clamp") == "true" or said.get("modC", "0") != "0":
            what = "clamp" if said.get("clamp") == "true" else f"modC = {said['modC']}"
            raise CompileError(f"{op.name}: {what} of {atom.name} is not simulated\n{where(op)}")
        d, a, b, c = atom.dtypes
        groups = {letter: list(op.group(letter.lower())) for letter in "AB"}
        if any(len(group) > (2 if atom.scale else 1) for group in groups.values()):
            raise CompileError(f"{op.name}: {atom.name} takes no scales beside A and B\n{where(op)}")
        if atom.scale is None:
            read = tuple(_signed(kind, said.get(f"sign{letter}")) for letter, kind in (("A", a), ("B", b)))
            return Factors((d, read[0], read[1], c), (a, b), None)
        one, other = (
            _scale(compiler, op, atom, letter, said, group[1] if len(group) > 1 else None)
            for letter, group in groups.items()
        )
        return Factors((d, WIDE, WIDE, c), (a, b), (one, other))

    def __call__(self, frame: Frame, warps: Warps, left: Array, right: Array) -> tuple[Array, Array]:
        """A and B as they are multiplied."""
        if self.scales is not None:
            return self.scales[0](frame, warps, left), self.scales[1](frame, warps, right)
        _, a, b, _ = self.types
        return recast(left, self.kept[0], a), recast(right, self.kept[1], b)


def _text(op: FlyOp) -> str:
    kind = op.operands[0].type
    return str(kind) if isinstance(kind, FlyType) else ""


def _signed(kind: DType, said: str | None) -> DType:
    """An integer type as the atom reads it: without a sign where it says so."""
    return dtype(f"u{kind.name}") if kind.kind == "int" and said == "false" else kind
