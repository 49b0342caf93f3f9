"""One mode of a permuted tile: what the atoms cover, and which of them owns each element."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.atoms.tiled_mma import TiledMma
from tilewright.layout.layout import Layout
from tilewright.layout.operations import filter as filter_


@dataclass(frozen=True)
class ModeSummary:
    """One of M, N, K: who owns what along it.

    Attributes:
        covered: elements that the atoms cover at once.
        size: elements of the permuted tile; size / covered is the expansion.
        owners: for every element of the tile, which atom along the mode owns it.
    """

    name: str
    atom: int
    atoms: int
    size: int
    tile: int
    permutation: str
    owners: tuple[int, ...]

    @property
    def covered(self) -> int:
        """Elements that the atoms cover at once."""
        return self.atom * self.atoms

    @property
    def expansion(self) -> int:
        """How often the atoms are repeated within the permuted tile."""
        return self.size // self.covered

    @property
    def steps(self) -> int:
        """How often the permuted tile is repeated in the whole tile."""
        return self.tile // self.size

    def runs(self, atom: int = 0) -> tuple[tuple[int, int], ...]:
        """The stretches [begin, end) of the mode that one atom owns."""
        found: list[tuple[int, int]] = []
        for i, owner in enumerate(self.owners):
            if owner != atom:
                continue
            if found and found[-1][1] == i:
                found[-1] = (found[-1][0], i + 1)
            else:
                found.append((i, i + 1))
        return tuple(found)


def mode_summary(tiled: TiledMma, mode: int, tile: tuple[int, int, int]) -> ModeSummary:
    """Who owns what along mode 0, 1 or 2, which are M, N and K."""
    own = tiled.permutation_mnk[mode]
    given = tiled.permutation[mode]
    return ModeSummary(
        "MNK"[mode],
        tiled.atom.shape_mnk[mode],
        int(tiled.atom_layout[mode].size),
        own.size if isinstance(own, Layout) else own,
        tile[mode],
        "_" if given is None else str(given),
        _owners(tiled, mode, tile),
    )


def _owners(tiled: TiledMma, mode: int, tile: tuple[int, int, int]) -> tuple[int, ...]:
    """Which atom along the mode owns each of its elements."""
    operand = "A" if mode == 2 else "C"
    which = 0 if mode == 0 else 1
    # Only this mode counts: along the other one the tensor has stride 0.
    other = tiled.tile_size_mnk[1 if mode == 0 else 0]
    shape = (tile[mode], other) if which == 0 else (other, tile[mode])
    frag = tiled.thrfrg(operand, Layout(shape, (1, 0) if which == 0 else (0, 1)))
    atoms, lanes, values = frag[0][1][which], filter_(frag[0][0]), filter_(frag[1])
    reached = {lanes(t) + values(v) for t in range(lanes.size) for v in range(values.size)}
    owners = {atoms(a) + e: a for a in range(atoms.size) for e in reached}
    return tuple(owners[e] for e in range(tile[mode]))
