"""Which element a thread of a tiled copy has: from the atom's bits and the thread-value layout, without a division."""

from __future__ import annotations

import random
from typing import TypeAlias

import pytest

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.copy_universal import universal_copy
from tilewright.atoms.tiled_copy import TiledCopy, make_tiled_copy, make_tiled_copy_A
from tilewright.atoms.tiled_mma import make_tiled_mma
from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout

Table: TypeAlias = list[list[int]]
NAMES = (
    "UniversalCopy16b", "UniversalCopy64b", "SM75_U32x1_LDSM_N", "SM75_U32x4_LDSM_N", "SM75_U16x4_LDSM_T",
    "SM90_U32x2_STSM_N", "SM75_U32x1_MOVM_T", "SM50_Shuffle_U32_2x2Trans_XOR1", "LDSReadTrans16_64b",
)  # fmt: skip
ATOMS = [catalog.copy(name).with_element(16) for name in NAMES]


def in_elements(atom: CopyAtom, side: Layout[int]) -> Table:
    """Which element of the atom's data each (thread, value) is, by the first bit of it."""
    threads, bits = side[0].size, side[1].size
    return [[side(t, b) // atom.val_bits for b in range(0, bits, atom.val_bits)] for t in range(threads)]


def owned(tiled: TiledCopy, side: Layout[int]) -> Table:
    """The coordinate in the tile of each (thread, value): that of whoever has the same data where registers are."""
    atom, tv = tiled.atom, tiled.layout_tv
    ref, own = in_elements(atom, atom.ref_bits), in_elements(atom, side)
    holder = {data: (t, v) for t, row in reversed(list(enumerate(ref))) for v, data in enumerate(row)}
    threads, values, found = len(ref), len(ref[0]), []
    for thread in range(tv[0].size):
        group, first = thread // threads * threads, []
        for run in range(0, tv[1].size, values):
            held = (holder[data] for data in own[thread % threads])
            first += [tv(group + t, run + v) for t, v in held]
        found.append(first)
    return found


def table(layout: Layout[int]) -> Table:
    return [[layout(t, v) for v in range(layout[1].size)] for t in range(layout[0].size)]


def tiles(rng: random.Random, atom: CopyAtom) -> tuple[Layout[int], tuple[int, int]]:
    """A one-to-one (thread, value) layout of whole atoms, its leaves in any order, and a tile that it fills."""
    sizes = [mode.size * rng.choice((1, 2, 3)) for mode in atom.tv_layout_ref]
    leaves: list[tuple[int, int]] = []
    for mode, size in enumerate(sizes):
        while size > 1:
            part = rng.choice([n for n in range(2, size + 1) if size % n == 0])
            leaves.append((mode, part))
            size //= part
    steps, running = {}, 1
    for at in rng.sample(range(len(leaves)), len(leaves)):
        steps[at], running = running, running * leaves[at][1]
    modes = [[at for at, leaf in enumerate(leaves) if leaf[0] == mode] for mode in (0, 1)]
    shape = tuple(tuple(leaves[at][1] for at in mode) or (1,) for mode in modes)
    stride = tuple(tuple(steps[at] for at in mode) or (0,) for mode in modes)
    rows = rng.choice([n for n in range(1, running + 1) if running % n == 0])
    return Layout(shape, stride), (rows, running // rows)


def test_a_tiled_copy_owns_what_its_layout_says_or_is_refused() -> None:
    rng, answered, refused = random.Random(7), 0, 0
    for _ in range(150):
        layout, tile = tiles(rng, rng.choice(ATOMS))
        sizes = [(layout[0].size % a.tv_layout_ref[0].size, layout[1].size % a.tv_layout_ref[1].size) for a in ATOMS]
        atom = rng.choice([a for a, rest in zip(ATOMS, sizes, strict=True) if rest == (0, 0)])
        tiled = make_tiled_copy(atom, layout, tile)
        tensor = Layout((tile[0] * 2, tile[1]), (tile[1], 1))
        thread = rng.randrange(tiled.size)
        for side, name in ((atom.src_bits, "S"), (atom.dst_bits, "D")):
            try:
                found = getattr(tiled, f"tiled_tv_layout_{name}")
                part = getattr(tiled.get_slice(thread), f"partition_{name}")(tensor)
            except LayoutError:
                refused += 1
                continue
            expected = owned(tiled, side)
            assert table(found) == expected, (atom.name, layout, tile)
            own = side[1].size // atom.val_bits
            assert [mode.size for mode in found[1]] == [own, len(expected[0]) // own]
            mine = [tensor(x % tile[0], x // tile[0]) for x in expected[thread]]
            assert [part(i) for i in range(part.size)] == mine + [x + tile[0] * tile[1] for x in mine]
            answered += 1
    assert answered > 100 < answered + refused


@pytest.mark.parametrize("layout", [Layout((1, (3, 2)), (0, (2, 1))), Layout((2, (6, 2)), (12, (2, 1)))])
def test_values_that_a_vector_takes_from_two_modes_are_refused(layout: Layout[int]) -> None:
    """A division would round the modes up, and name elements that the thread does not have."""
    vector = universal_copy(16 * layout[1].size // 3).with_element(16)
    tiled = make_tiled_copy(vector, layout, (layout.size,))
    with pytest.raises(LayoutError, match=f"{vector.name} does not take .* in equal parts: composition"):
        tiled.get_slice(0).partition_S(Layout(layout.size))


@pytest.mark.parametrize("rows", [Layout(4, 2), Layout((2, 2), (2, 1)), Layout((2, 2), (1, 4)), 4])
@pytest.mark.parametrize("columns", [Layout(8, 3), Layout((4, 2), (2, 1)), 8])
def test_a_tile_of_layouts_gathers_and_its_coordinates_count_what_is_gathered(
    rows: Layout[int] | int, columns: Layout[int] | int
) -> None:
    layout, tensor = Layout((4, 8), (8, 1)), Layout((8, 48), (1, 100))
    tiled = make_tiled_copy(universal_copy(16).with_element(16), layout, (rows, columns))
    assert table(tiled.tiled_tv_layout_S) == table(tiled.tiled_tv_layout_D) == table(layout)
    for thread in range(4):
        part = tiled.get_slice(thread).partition_S(tensor)
        at = [divmod(layout(thread, value), 4) for value in range(8)]
        gathered = [(_at(rows, row), _at(columns, column)) for column, row in at]
        assert [part(i) for i in range(8)] == [tensor(*where) for where in gathered]


def _at(mode: Layout[int] | int, i: int) -> int:
    return mode(i) if isinstance(mode, Layout) else i


@pytest.mark.parametrize("count", [1, 2, 4])
def test_a_retiled_fragment_has_the_values_of_one_atom_first(count: int) -> None:
    mma = make_tiled_mma(catalog.mma("SM80_16x8x16_F32F16F16F32_TN"))
    tiled = make_tiled_copy_A(catalog.copy(f"SM75_U32x{count}_LDSM_N").with_element(16), mma)
    fragment = tiled.retile(mma.partition_fragment("A", (32, 32)))
    assert [mode.size for mode in fragment[0]] == [2 * count, 4 // count]
    assert [mode.size for mode in fragment] == [8, 2, 2]


def test_a_tile_says_every_extent() -> None:
    with pytest.raises(LayoutError, match="says the extent of every mode, and one of them is None"):
        make_tiled_copy(universal_copy(16).with_element(16), Layout((4, 8)), (32, None))
