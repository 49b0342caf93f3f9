"""Where the atoms of a tile are: by the tile's function, however it is written, and forwards in equal steps."""

from __future__ import annotations

import random

import pytest

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle
from tilewright.analysis.descriptor.recognise import steps
from tilewright.layout.base import LayoutBase


def layout(text: str) -> LayoutBase:
    found = tw.parse(text)
    assert isinstance(found, LayoutBase)
    return found


def test_what_is_recognised_is_the_tile_under_any_swizzle() -> None:
    """tile(i, j) = atom(i % m, j % k) + offset + repeats(i // m, j // k), also where a swizzle moves whole atoms."""
    rng, moved, refused = random.Random(3), 0, 0
    for _ in range(300):
        rows, columns, bits = 8 * rng.choice((1, 2, 4, 8)), 16 * rng.choice((1, 2, 4)), rng.choice((16, 32))
        chunk = 128 // bits
        stride = rng.choice(((chunk, (1, chunk * rows)), (columns, (1, chunk))))
        plain = Layout((rows, (chunk, columns // chunk)), stride)
        bits_moved = rng.choice((1, 2))
        swizzle = Swizzle(bits_moved, rng.randint(2, 9), rng.choice((-1, 1)) * rng.choice((bits_moved, 3, 4)))
        tile = ComposedLayout(swizzle, rng.choice((0, 0, 64, 512)), plain)
        try:
            found = tw.recognise(tile, bits)
        except LayoutError:
            refused += 1
            continue
        m, k = (tw.size(mode) for mode in found.atom_layout.inner)
        where = found.repeats
        for i in range(rows):
            for j in range(columns):
                inside = found.atom_layout(i % m, j % k)
                assert tile(i, j) == found.offset + inside + where(i // m, j // k), (tile, i, j)
        moved += any(tile(i) != tile(0) + plain(i) for i in range(plain.size))
    assert moved > 10
    assert refused > 20


@pytest.mark.parametrize(
    ("tile", "repeats", "same"),
    [
        ("Sw<1,5,2> o 0 o (16,4):(4,1)", None, "((8,2),4):((4,32),1)"),
        ("Sw<1,5,2> o 0 o ((8,2),4):((4,128),1)", "(2,1):(160,0)", "((8,2),4):((4,160),1)"),
    ],
)
def test_a_swizzle_of_whole_atoms_is_the_layout_that_it_makes(tile: str, repeats: str | None, same: str) -> None:
    """Two spellings of a function are recognised alike."""
    found, plain = tw.recognise(layout(tile), 32), tw.recognise(layout(same), 32)
    assert found == plain
    assert repeats is None or str(found.repeats) == repeats


@pytest.mark.parametrize(
    ("tile", "why"),
    [
        ("Sw<2,5,2> o 0 o (64,4):(4,1)", "made of Layout_K_INTER_Atom, and these follow each other in no equal steps"),
        ("64 o ((8,2),4):((4,-64),1)", "made of Layout_K_INTER_Atom, and these follow .* up to 64 elements backwards"),
        ("64 o (8,(4,2)):(4,(1,-64))", "made of Layout_K_INTER_Atom, and these follow .* up to 64 elements backwards"),
        ("Sw<3,2,3> o 256 o ((8,2),32):((32,-256),1)", "made of Layout_K_SW128_Atom, .* up to 256 elements backwards"),
    ],
)
def test_atoms_that_no_descriptor_steps_through_are_refused(tile: str, why: str) -> None:
    with pytest.raises(LayoutError, match=why):
        tw.recognise(layout(tile), 32)


def test_the_largest_tile_is_what_a_descriptor_reaches() -> None:
    assert tw.recognise(layout("Sw<3,3,3> o 0 o (2048,64):(64,1)"), 16).shape == (2048, 64)
    with pytest.raises(LayoutError, match="takes 263168 bytes; a descriptor reaches 262144"):
        tw.recognise(layout("Sw<3,3,3> o 0 o (2056,64):(64,1)"), 16)


def test_steps_finds_the_layout_of_values_exactly_where_there_is_one() -> None:
    for shape in ((1,), (5,), (2, 3), (3, 2, 2), (4, 4)):
        for stride in ((1, 7, 50), (6, 1, 2), (0, 3, -4)):
            given = Layout(shape, stride[: len(shape)])
            values = [given(i) + 9 for i in range(given.size)]
            found = steps(values)
            assert found is not None
            assert [found(i) + 9 for i in range(given.size)] == values
            if len(values) > 2:
                values[-1] += 1
                assert steps(values) is None
