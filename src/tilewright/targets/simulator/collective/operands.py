"""Where the lanes of a warp hold the matrices of an atom: its thread-value layouts as tables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.semantics import table
from tilewright.layout.layout import Layout
from tilewright.layout.operations import complement

Array = np.ndarray[Any, np.dtype[Any]]
Numbers = NDArray[np.int64]


@cache
def lanes_of(thr_layout: Layout[int], warp: int) -> Numbers:
    """The lane of each thread of each group that the warp is made of, by (group, thread).

    >>> lanes_of(Layout((4, 2), (1, 16)), 32)[1].tolist()
    [4, 5, 6, 7, 20, 21, 22, 23]
    """
    groups = complement(thr_layout, warp)
    first, own = (np.array([x(i) for i in range(x.size)], np.int64) for x in (groups, thr_layout))
    return np.asarray(first[:, None] + own)


@dataclass(frozen=True, eq=False)
class Operand:
    """One matrix of an atom, or as many as it has blocks and a warp has groups of the atom's threads.

    `places[g, i, copy]` is where the warp holds element i (row + column * rows) of group g's matrix, counted as
    lane * values + value; `elements[lane, value]` is g * rows * columns + i.
    """

    shape: tuple[int, int]
    values: int
    places: Numbers
    elements: Numbers

    @staticmethod
    def of(layout: Layout[int], shape: tuple[int, int], thr_layout: Layout[int], warp: int, blocks: int = 1) -> Operand:
        """The operand that a (thread, value) layout spreads over the warp; each block of an atom is a matrix."""
        owners, lanes = table(layout), lanes_of(thr_layout, warp)
        size, values = shape[0] * shape[1], owners.shape[1]
        elements = np.zeros((warp, values), np.int64)
        elements[lanes] = owners + np.arange(len(lanes))[:, None, None] * size * blocks
        order = np.argsort(elements.reshape(-1), kind="stable")
        return Operand(shape, values, order.reshape(len(lanes) * blocks, size, -1), elements)

    @property
    def copies(self) -> int:
        """How often the warp holds each element."""
        return int(self.places.shape[2])

    @cached_property
    def _first(self) -> Numbers:
        """As `places`, of the first copy, in rows of the matrix."""
        rows, columns = self.shape
        return np.ascontiguousarray(self.places[:, :, 0].reshape(-1, columns, rows).swapaxes(1, 2).reshape(-1))

    @cached_property
    def _back(self) -> Numbers:
        """As `elements`, of matrices written row by row."""
        rows, columns = self.shape
        group, inside = np.divmod(self.elements, rows * columns)
        return np.asarray(group * rows * columns + inside % rows * columns + inside // rows)

    def matrices(self, fragments: Array) -> Array:
        """The matrices (warps * groups, rows, columns) that fragments (warps, lanes, values) hold."""
        flat = fragments.reshape(len(fragments), -1)
        return flat.take(self._first, axis=1).reshape(-1, *self.shape)

    def fragments(self, matrices: Array) -> Array:
        """The fragments of matrices; undoes `matrices`."""
        flat = matrices.reshape(-1, len(self.places) * self.shape[0] * self.shape[1])
        return flat.take(self._back, axis=1)

    def disagreement(self, fragments: Array) -> tuple[int, int, int] | None:
        """A warp and two of its lanes that should hold one element and do not; None where all copies agree."""
        flat = np.ascontiguousarray(fragments).reshape(len(fragments), -1)
        held = flat.view(f"u{flat.itemsize}").take(self.places, axis=1)
        wrong = held != held[..., :1]
        if not wrong.any():
            return None
        warp, group, element, copy = (int(at[0]) for at in np.nonzero(wrong))
        first, other = (int(self.places[group, element, i]) // self.values for i in (0, copy))
        return warp, first, other


@dataclass(frozen=True, eq=False)
class Operands:
    """Where a warp holds A, B, C and D of an atom, which lies as C does; of a sparse A what is stored."""

    atom: MmaAtom
    a: Operand
    b: Operand
    c: Operand


@cache
def operands_of(atom: MmaAtom, warp: int) -> Operands:
    """The operands of an atom in a warp of so many lanes, which its threads divide.

    >>> from tilewright.atoms.catalog import mma
    >>> operands_of(mma("SM80_16x8x8_F32F16F16F32_TN"), 32).b.places[0, :3, 0].tolist()
    [0, 8, 16]
    """
    a, b, c = (Operand.of(atom.stored_layout(x), atom.stored(x), atom.thr_layout, warp, atom.blocks) for x in "ABC")
    return Operands(atom, a, b, c)
