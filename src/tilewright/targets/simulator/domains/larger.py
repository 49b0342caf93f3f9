"""Products of many warps as one of large matrices: of what several warps share there is one, where all meet all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tilewright.targets.simulator.domains.origins import Joined, Names


@dataclass(frozen=True, eq=False)
class Large:
    """One product of all rows with all columns; where the tile of each warp begins in it, and what lies where there."""

    product: Joined
    begins: Names
    within: Names

    def places(self, warps: range) -> Names:
        """Where each element of the tiles of these warps lies, as they count them."""
        return (self.begins[warps.start : warps.stop, None] + self.within).reshape(-1)


def large(joined: Joined) -> Large | None:
    """The same as one product of large matrices; None where not every A meets every B."""
    warps, m, n = joined.start.shape
    rows, columns = joined.sides
    pairs = {pair: warp for warp, pair in enumerate(zip(rows, columns, strict=True))}
    down, across = max(rows) + 1, max(columns) + 1
    if not len(pairs) == across * down == warps:
        return None
    width = across * n
    steps = [(a.reshape(1, down * m, -1), b.reshape(1, width, -1)) for a, b in joined.steps]
    tiles = np.array([[pairs[i, j] for j in range(across)] for i in range(down)])
    start = _tiled(joined.start, tiles, (1, down * m, width))
    begins = np.array(rows) * (m * width) + np.array(columns) * n
    within = (np.arange(m)[:, None] * width + np.arange(n)).reshape(-1)
    return Large(Joined(joined.atom, steps, start), begins, within)


def shared(joined: Joined) -> Joined:
    """The same products, of each A and each B once."""
    if joined.rows is not None or len(joined.start) == 1:
        return joined
    (one_a, rows), (one_b, columns) = (alike([step[side] for step in joined.steps]) for side in (0, 1))
    steps = [(a[one_a], b[one_b]) for a, b in joined.steps]
    return replace(joined, steps=steps, rows=rows, columns=columns)


def alike(sides: Sequence[Names]) -> tuple[list[int], list[int]]:
    """The first warps of those with the same matrices in every step, and for each warp which of these it is like.

    >>> alike([np.array([[[7]], [[8]], [[7]]])])
    ([0, 1], [0, 1, 0])
    """
    numbers: dict[bytes, int] = {}
    keys = [b"".join(side[warp].tobytes() for side in sides) for warp in range(len(sides[0]))]
    which = [numbers.setdefault(key, len(numbers)) for key in keys]
    return [which.index(number) for number in range(len(numbers))], which


def _tiled(start: Names, tiles: Names, shape: tuple[int, ...]) -> Names:
    """Tiles (tile, row, column) laid together as these numbers lie; one name for all stays one."""
    if not any(start.strides):
        return np.broadcast_to(start[:1, :1, :1], shape)
    return start[tiles].swapaxes(1, 2).reshape(shape)
