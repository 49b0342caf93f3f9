"""Block-scaled products: each lane's elements of A and B times a power of two that the state of the atom says.

A lane holds the elements of one block of K; its scale is a byte of its `scale_a` or `scale_b`, an exponent biased by
127, and 255 for NaN. The bytes are numbered from the lowest on, and `opselA` and `opselB` say which one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import DType, dtype
from tilewright.errors import CompileError, SimulationError
from tilewright.ir.fly.ops import FlyOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.values import held
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.program import Compiler, Frame

WIDE = dtype("float64")  # of scaled elements, which it holds exactly
_BYTE = re.compile(r"opsel(?P<operand>[AB]) = (?P<byte>[0-3])")


@dataclass(frozen=True, eq=False)
class Scales:
    """Which bytes of the state of an atom scale A and B."""

    op: FlyOp
    slot: int
    bytes: tuple[int, int]

    @staticmethod
    def of(compiler: Compiler, op: FlyOp, atom: MmaAtom) -> Scales | None:
        """Those of an atom; None for one that does not scale.

        Raises:
            CompileError: its lanes hold elements of several blocks.
        """
        if atom.scale is None:
            return None
        if any(int(atom.tv_layout(letter)[1].size) != atom.scale[1] for letter in "AB"):
            text = f"{op.name}: lanes of {atom.name} hold several blocks of scaled elements; it is not simulated"
            raise CompileError(f"{text}\n{where(op)}")
        said = {found["operand"]: int(found["byte"]) for found in _BYTE.finditer(str(op.operands[0].type))}
        return Scales(op, compiler.slot(op.operands[0]), (said.get("A", 0), said.get("B", 0)))

    def __call__(self, frame: Frame, a: Array, b: Array) -> tuple[Array, Array]:
        """The elements of both, scaled."""
        return self._scaled(frame, a, "scale_a", self.bytes[0]), self._scaled(frame, b, "scale_b", self.bytes[1])

    def _scaled(self, frame: Frame, rows: Array, field: str, byte: int) -> Array:
        state = held(frame.values, self.slot).state
        if field not in state:
            raise SimulationError(f"{self.op.name}: nothing has set {field} of its atom\n{where(self.op)}")
        number = np.asarray(state[field]) >> 8 * byte & 0xFF
        factor = np.where(number == 0xFF, np.nan, np.ldexp(1.0, number - 127))
        return np.asarray(rows.astype(np.float64) * np.broadcast_to(factor, rows.shape[:-1])[..., None])


def types_of(atom: MmaAtom) -> tuple[DType, DType, DType, DType]:
    """The types of D, A, B and C that are multiplied."""
    d, a, b, c = atom.dtypes
    return (d, a, b, c) if atom.scale is None else (d, WIDE, WIDE, c)
