"""Scale factors in tensor memory, by which rows of A and columns of B are multiplied."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import DType
from tilewright.errors import AlignmentError, SimulationError
from tilewright.ir.tile.tcgen05 import Tcgen05MmaOp
from tilewright.ir.tile.tmem import ID_BIT
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.transfers import Side
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.memory.tensor import LANE_BITS
from tilewright.targets.simulator.ops.tensor.issue import Issued
from tilewright.targets.simulator.ops.tensor.tile import Tile
from tilewright.targets.simulator.ops.tensor.warps import QUARTER, SUBPARTITIONS
from tilewright.targets.simulator.sites import Site

_UNSIGNED = 0x7F  # bits of a UE4M3, which has no sign


@dataclass(frozen=True)
class Factors:
    """So many factors of each of so many rows: 32 rows on 32 lanes, the next ones in the next column.

    Rows lie in `parts` of the lanes, one after the other; the quarters of a part have the same. `first` is the byte of
    a word that has a row's first factor.
    """

    letter: str
    rows: int
    count: int
    first: int
    kind: DType
    parts: int

    def read(self, op: Tcgen05MmaOp, issued: Issued, cta: int, address: int, site: Site) -> tuple[Array, Side]:
        """The factors (entry, row, number) in that CTA, and what is read for them.

        Raises:
            AlignmentError: they do not begin at lane 0.
            SimulationError: the quarters have different ones.
        """
        who = f"{issued.name} gives scale factors of {self.letter}"
        lane, column = divmod(address & (1 << ID_BIT) - 1, 1 << LANE_BITS)
        if lane:
            raise AlignmentError(f"{who} from lane {lane} of tensor memory on; they begin at lane 0\n{where(op)}")
        rows, copies = self.rows // self.parts, SUBPARTITIONS // self.parts
        used = min(rows, QUARTER)
        lanes = (np.arange(SUBPARTITIONS)[:, None] * QUARTER + np.arange(used)).reshape(-1)
        tile = Tile(lanes, column, -(-rows // QUARTER))
        tile.check(issued, cta, site)
        cells = tile.cells(issued.rows(cta))
        issued.tensor.follow(issued.actor, cells, issued.active.lanes, site)
        words = np.ascontiguousarray(issued.tensor.words[tile.at(issued.rows(cta))])
        bytes_ = words.view(np.uint8).reshape(len(words), self.parts, copies, used, tile.count, -1)
        bytes_ = bytes_[..., self.first : self.first + self.count]
        wrong = (bytes_ != bytes_[:, :, :1]).any(axis=-1)
        if wrong.any():
            _, part, copy, row, off = (int(x[0]) for x in np.nonzero(wrong))
            first = part * copies * QUARTER + row
            lanes_ = f"lanes {first} and {first + copy * QUARTER} have different ones in column {column + off}"
            raise SimulationError(f"{who} of which {lanes_}; these quarters of the lanes have the same\n{where(op)}")
        found = bytes_[:, :, 0].swapaxes(2, 3).reshape(len(words), self.parts, -1, self.count)[:, :, :rows]
        found = found.reshape(len(words), self.rows, self.count)
        return decoded(found, self.kind), Side(issued.tensor.cells, cells, site)


def decoded(codes: Array, kind: DType) -> Array:
    """The factors that bytes are, in binary64; those of e4m3 have no sign."""
    whole = np.ascontiguousarray(codes if kind.name == "float8_e8m0fnu" else codes & _UNSIGNED)
    return whole.view(kind.numpy()).astype(np.float64)


def scaled(matrices: Array, factors: Array) -> Array:
    """The rows of matrices (entry, row, K), each equal part of K times its factor.

    >>> scaled(np.ones((1, 1, 4)), np.array([[[2.0, 3.0]]])).tolist()
    [[[2.0, 2.0, 3.0, 3.0]]]
    """
    parts = matrices.astype(np.float64).reshape(*factors.shape, -1)
    return np.asarray((parts * factors[..., None]).reshape(matrices.shape))


@cache
def of_scaled(atom: MmaAtom) -> MmaAtom:
    """The atom as a product of operands that have been scaled, which are exact in binary64, as their products are."""
    d, _, _, c = atom.types
    return replace(atom, types=(d, "float32", "float32", c), name=f"{atom.name} of scaled operands")
