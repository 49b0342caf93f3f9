"""Products of warps with a sparse A."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from xdsl.ir import Operation

from tilewright.atoms.packing import container_of
from tilewright.atoms.sparsity import chunks_of
from tilewright.errors import SimulationError
from tilewright.ir.tile.sparse import SparseMmaOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.collective.metadata import gathered
from tilewright.targets.simulator.collective.operands import Operands
from tilewright.targets.simulator.collective.products import Matrices
from tilewright.targets.simulator.collective.sparse import pattern_of
from tilewright.targets.simulator.ops.atoms import MmaStep, Warps
from tilewright.targets.simulator.program import Compiler, Frame, Handler


@dataclass(frozen=True, eq=False)
class SparseStep(MmaStep):
    """The same, of what lanes hold of A put where their metadata say."""

    metadata: int = -1
    selector: int = 0

    @staticmethod
    def made(compiler: Compiler, op: SparseMmaOp) -> SparseStep:
        """The step of an op."""
        dense = MmaStep.of(compiler, op)
        held = {field.name: getattr(dense, field.name) for field in fields(dense)}
        return SparseStep(**held, metadata=compiler.slot(op.metadata), selector=op.selector)

    def left(self, frame: Frame, warps: Warps, held: Operands, start: int) -> Matrices:
        """A with all its elements.

        Raises:
            SimulationError: the metadata of a chunk says no places.
        """
        stored, pattern = super().left(frame, warps, held, start), pattern_of(container_of(self.atom, "A").bits)
        words = np.broadcast_to(np.asarray(frame.number(self.metadata), np.uint32), warps.lanes.shape)
        metadata = gathered(warps.gather(words[..., None])[..., 0], chunks_of(self.atom), self.selector)
        if (wrong := pattern.unsaid(metadata)) is not None:
            entry, text = wrong
            raise SimulationError(f"{warps.name(entry)} and its warp give {text}\n{where(self.op)}")
        found = pattern.where(metadata)
        return Matrices(lambda: pattern.spread(stored.made, found))


SPARSE_HANDLERS: Mapping[type[Operation], Handler] = {SparseMmaOp: SparseStep.made}
