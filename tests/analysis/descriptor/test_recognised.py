"""Shared-memory layout atoms after `tile_to_shape`, however large and in whatever order; and what is none of them."""

from __future__ import annotations

from functools import cache
from itertools import product
from random import Random

import numpy as np
import pytest

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle, recognise
from tilewright.analysis.descriptor.matrix import matrix
from tilewright.analysis.descriptor.recognise import canonical
from tilewright.atoms.shared_atoms import SHARED_ATOMS

BITS = (4, 8, 16, 32, 64)
ORDERS = ((0, 1), (1, 0))
COUNTS = ((1, 1), (1, 4), (3, 1), (2, 3), (4, 2))


@pytest.mark.parametrize("name", SHARED_ATOMS)
def test_every_atom_is_found_after_tile_to_shape(name: str) -> None:
    """Law: `tile_to_shape(atom, (m i, k j), order)` repeats that atom i x j times, in that order."""
    for bits, counts, order in product(BITS, COUNTS, ORDERS):
        atom = tw.atoms.smem(name, bits)
        m, k = SHARED_ATOMS[name].extents(bits)
        shape = m * counts[0], k * counts[1]
        tile = tw.tile_to_shape(atom, shape, order)
        found = recognise(tile, bits)
        step = m * k
        steps = (step, step * counts[0]) if order == (0, 1) else (step * counts[1], step)
        starts = [[found.repeats(i, j) for j in range(counts[1])] for i in range(counts[0])]
        assert (found.atom, found.shape, found.offset) == (name, shape, 0)
        assert starts == [[i * steps[0] + j * steps[1] for j in range(counts[1])] for i in range(counts[0])]


def drawn(pick: Random, bits: int) -> Layout | ComposedLayout:
    """A tile of up to 32 x 64: bits of its coordinates at bits of its offsets in any order, padded, swizzled."""
    high, wide = pick.randint(3, 5), pick.randint(3, 6)
    order = [*range(wide, high + wide), *range(wide)]
    if pick.randint(0, 2):
        pick.shuffle(order)
    pad = pick.choice((0, 0, 0, 1, 128 // bits))
    steps = [(1 << at) + (pad if at >= 5 else 0) for at in order]
    plain = Layout(((2,) * high, (2,) * wide), (tuple(steps[:high]), tuple(steps[high:])))
    b, s = pick.randint(0, 3), pick.randint(3, 4)
    return ComposedLayout(Swizzle(b, pick.randint(0, 5), s), pick.choice((0, 0, 8, 24)), plain) if b else plain


def is_some_atom(tile: Layout | ComposedLayout, bits: int) -> bool:
    """The definition: every element lies where an atom has it that starts at its block's first, in whole chunks."""
    rows, columns = (tw.size(mode) for mode in (tile.inner if isinstance(tile, ComposedLayout) else tile))
    values = np.asarray(tile(np.arange(rows * columns))).reshape(columns, rows).T
    return any(_is_made_of(values, *_inside(name, bits)) for name in SHARED_ATOMS)


@cache
def _inside(name: str, bits: int) -> tuple[np.ndarray, int]:
    """Where an atom has its elements, and of how many elements its start is a multiple."""
    atom, (m, k) = tw.atoms.smem(name, bits), SHARED_ATOMS[name].extents(bits)
    return np.asarray(atom(np.arange(m * k))).reshape(k, m).T, max(atom.outer.block, 128 // bits)


def _is_made_of(values: np.ndarray, inside: np.ndarray, grain: int) -> bool:
    (rows, columns), (m, k) = values.shape, inside.shape
    if rows % m or columns % k:
        return False
    blocks = values.reshape(rows // m, m, columns // k, k).transpose(0, 2, 1, 3)
    starts = blocks[:, :, :1, :1]
    return bool((blocks == starts + inside).all() and (starts % grain == 0).all())


@pytest.mark.parametrize("part", range(4))
def test_nothing_is_said_of_what_is_none(part: int) -> None:
    """Law: of 1,000 random tiles and more that are no atom's by the definition none is recognised."""
    none, some = 0, 0
    for seed in range(265 * part, 265 * (part + 1)):
        pick, bits = Random(seed), BITS[seed % len(BITS)]
        tile = drawn(pick, bits)
        if is_some_atom(tile, bits):
            some += 1
            assert canonical(matrix(tile), bits) is not None
            continue
        none += 1
        assert canonical(matrix(tile), bits) is None, tile
        if seed % 40 == 0:
            with pytest.raises(LayoutError, match="no canonical shared-memory layout"):
                recognise(tile, bits)
    assert none >= 250
    assert some > 0
