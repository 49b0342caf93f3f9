"""Block-scaled products of warps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields

import numpy as np
from xdsl.ir import Operation

from tilewright.atoms.scaling import ScaleSelect, factors_of
from tilewright.dtypes import dtype
from tilewright.ir.tile.scaled import ScaledMmaOp
from tilewright.targets.simulator.collective.products import Matrices
from tilewright.targets.simulator.domains.moves import MoveRecorder
from tilewright.targets.simulator.memory.access import Array, NotUniformError
from tilewright.targets.simulator.ops.atoms import MmaStep, Warps
from tilewright.targets.simulator.ops.tensor.factors import decoded, of_scaled, scaled
from tilewright.targets.simulator.program import Compiler, Frame, Handler


@dataclass(frozen=True, eq=False)
class ScaledStep(MmaStep):
    """The same, rows of A and columns of B times the factors that lanes give."""

    scale_a: int = -1
    scale_b: int = -1
    select: ScaleSelect = field(default_factory=ScaleSelect)

    @staticmethod
    def made(compiler: Compiler, op: ScaledMmaOp) -> ScaledStep:
        """The step of an op."""
        dense = MmaStep.of(compiler, op)
        held = {one.name: getattr(dense, one.name) for one in fields(dense)}
        slots = (compiler.slot(op.scale_a), compiler.slot(op.scale_b))
        return ScaledStep(**held, scale_a=slots[0], scale_b=slots[1], select=op.select)

    def __call__(self, frame: Frame) -> None:
        """One product of each warp; a recording leaves it to a run."""
        if isinstance(frame.domain, MoveRecorder):
            raise NotUniformError
        super().__call__(frame)

    def _multiply(self, frame: Frame, d: int, a: int, b: int, *c: int) -> None:
        warps, held = self._warps(frame)
        left, right = self.left(frame, warps, held, a).made, warps.matrices(frame, self.b, held.b, b).made
        factors = [self._factors(frame, warps, "A", self.scale_a), self._factors(frame, warps, "B", self.scale_b)]
        rows, columns = (scaled(x, factor) for x, factor in zip((left, right), factors, strict=True))
        waiting = warps.lanes.machine.waiting(of_scaled(self.atom))
        product = waiting.add(Matrices(lambda: rows), Matrices(lambda: columns), self._added(frame, warps, held, c))
        self._put(frame, warps, held, d, product)

    def _factors(self, frame: Frame, warps: Warps, letter: str, slot: int) -> Array:
        """The factors (warp, row, number) of A, or of B."""
        words = np.broadcast_to(np.asarray(frame.number(slot), np.uint32), warps.lanes.shape)
        rows = self.atom.shape_mnk[0 if letter == "A" else 1]
        found = warps.gather(words[..., None])[:, self.select.lanes(letter, rows), 0]
        first, count = self.select.byte(letter), factors_of(self.atom)
        shifts = 8 * np.arange(first, first + count, dtype=np.uint32)
        assert self.atom.scale is not None, "verified"
        return decoded((found[..., None] >> shifts & 0xFF).astype(np.uint8), dtype(self.atom.scale[0]))


SCALED_HANDLERS: Mapping[type[Operation], Handler] = {ScaledMmaOp: ScaledStep.made}
