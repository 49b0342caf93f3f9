"""`recognise`: the canonical layout that a tile is by its function, against the definition at every coordinate."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from descriptor_cases import respelled
from strategies import Dice

import tilewright as tw
from tilewright import CanonicalTile, ComposedLayout, Layout, LayoutError, Swizzle, recognise
from tilewright.analysis.descriptor.matrix import matrix
from tilewright.atoms.shared_atoms import SHARED_ATOMS
from tilewright.tirx.hardware.shared import mma_shared_layout

BITS = (4, 8, 16, 32, 64)
NAMES = tuple(SHARED_ATOMS)


def repeated(pick: Dice, name: str, bits: int) -> tuple[ComposedLayout, Layout]:
    """A tile made of an atom, spelled at random, and the layout of its repeats; sometimes with gaps between atoms."""
    atom = tw.atoms.smem(name, bits)
    m, k = (tw.size(mode) for mode in atom.inner)
    counts = pick.integer(1, 3), pick.integer(1, 3)
    nearest, gap = pick.integer(0, 1), pick.integer(1, 2) * m * k
    steps = (gap, gap * counts[0]) if nearest == 0 else (gap * counts[1], gap)
    inner = atom.inner.stride
    modes = Layout(((m, counts[0]), (k, counts[1])), ((inner[0], steps[0]), (inner[1], steps[1])))
    return ComposedLayout(atom.outer, 0, respelled(pick, modes)), Layout(counts, steps)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("bits", BITS)
def test_every_repetition_of_every_atom_is_recognised_however_it_is_spelled(name: str, bits: int) -> None:
    for seed in range(4):
        tile, repeats = repeated(Dice(1000 * seed + bits), name, bits)
        found = recognise(tile, bits)
        assert (found.atom, found.mode, found.major) == (
            name,
            SHARED_ATOMS[name].mode.name,
            "MN" if "MN" in name else "K",
        )
        assert all(
            found.repeats(i, j) == repeats(i, j) for i in range(repeats.shape[0]) for j in range(repeats.shape[1])
        )
        assert rebuilt(found) == table(tile, found.shape)


@pytest.mark.parametrize("name", NAMES)
def test_of_a_sparse_tile_the_stored_half_decides(name: str) -> None:
    """The atom of that half, under its sparse name, and the descriptor that half has."""
    for seed, bits in enumerate((32, 64)):
        tile, _ = repeated(Dice(7 * seed), name, bits)
        rows, columns = (tw.size(mode) for mode in tile.inner)
        pairs = tw.composition(tile, Layout((rows, (2, columns)), (1, (0, rows))))
        found, half = recognise(pairs, bits), recognise(tile, bits)
        assert (found.atom, found.shape) == (name.replace("_Atom", "_SpAtom"), (rows, 2 * columns))
        assert (found.repeats, found.mode, found.stride_bytes, found.leading_bytes) == (
            half.repeats, half.mode, half.stride_bytes, half.leading_bytes,
        )  # fmt: skip
        assert rebuilt(found) == table(pairs, found.shape) == [found.layout(i) for i in range(pairs.size)]
        quads = tw.composition(tile, Layout((rows, (4, columns)), (1, (0, rows))))
        with pytest.raises(LayoutError, match="every other element along K is stored, and of these"):
            recognise(quads, bits)


def test_a_tile_is_sparse_only_where_all_neighbours_share_a_place() -> None:
    """Three share one: the first two do, the next two do not."""
    assert matrix(Layout((8, (3, 2)), (2, (0, 1)))).half is None
    assert matrix(Layout((8, (2, 3)), (3, (0, 1)))).half is not None
    assert matrix(Layout((8, 3), (1, 0))).half is None


def table(tile: Any, shape: tuple[int, int]) -> list[int]:
    return [tile(i) for i in range(shape[0] * shape[1])]


def rebuilt(found: CanonicalTile) -> list[int]:
    """tile(i, j) = atom(i % m, j % k) + repeats(i // m, j // k)."""
    atom, (rows, columns) = found.atom_layout, found.shape
    m, k = (tw.size(mode) for mode in atom.inner)
    return [atom(i % m, j % k) + found.repeats(i // m, j // k) for j in range(columns) for i in range(rows)]


def is_made_of(tile: Any, name: str, bits: int, rows: int, columns: int) -> bool:
    """The definition."""
    atom = tw.atoms.smem(name, bits)
    m, k = (tw.size(mode) for mode in atom.inner)
    grain = max(atom.outer.block, 128 // bits)
    return (
        rows % m == columns % k == 0
        and all(
            tile(i, j) == atom(i % m, j % k) + tile(i // m * m, j // k * k) for i in range(rows) for j in range(columns)
        )
        and all(tile(i, j) % grain == 0 for i in range(0, rows, m) for j in range(0, columns, k))
    )


@pytest.mark.parametrize("seed", range(60))
def test_what_is_recognised_is_what_the_definition_says(seed: int) -> None:
    """Tiles near canonical ones: another swizzle, another pitch, other steps."""
    pick, bits = Dice(seed), (8, 16, 32)[seed % 3]
    tile, _ = repeated(pick, pick.one(NAMES), bits)
    swizzle, inner = tile.outer, tile.inner
    if pick.integer(0, 1):
        b, m, s = (swizzle.b + pick.integer(-1, 1), swizzle.m + pick.integer(-1, 1), swizzle.s)
        swizzle = Swizzle(max(0, min(b, s)), max(0, m), s)
    if pick.integer(0, 1):
        chunk = 128 // bits
        flat = [(m.shape, m.stride) for m in inner]
        inner = Layout(tuple(s for s, _ in flat), tuple(_shifted(pick, d, chunk) for _, d in flat))
    rows, columns = (tw.size(mode) for mode in inner)
    changed = ComposedLayout(swizzle, 0, inner)
    expected = [name for name in NAMES if is_made_of(changed, name, bits, rows, columns)]
    try:
        found = [recognise(changed, bits).atom]
    except LayoutError:
        found = []
    assert found == expected


def _shifted(pick: Dice, stride: Any, chunk: int) -> Any:
    if isinstance(stride, tuple):
        return tuple(_shifted(pick, one, chunk) for one in stride)
    return stride + chunk if stride > chunk and pick.integer(0, 3) == 0 else stride


@pytest.mark.parametrize("dtype", ["float16", "float32", "float8_e4m3fn", "float64"])
@pytest.mark.parametrize("mode", range(4))
@pytest.mark.parametrize("rows", [8, 24, 64])
def test_tiles_of_tirx_are_the_canonical_k_major_ones(dtype: str, mode: int, rows: int) -> None:
    for columns in (128, 256):
        found = recognise(mma_shared_layout(dtype, mode, (rows, columns)), dtype, shape=(rows, columns))
        assert found.atom == ("Layout_K_INTER_Atom", *(f"Layout_K_SW{32 << i}_Atom" for i in range(3)))[mode]
        assert found.order in (("MN", "K"), ("K",), ("MN",), ())


@pytest.mark.parametrize(
    ("text", "dtype", "expected"),
    [
        # atom, SBO, LBO in bytes: CUTLASS's make_gmma_desc, with K-major 64 x 128 and MN-major 128 x 64 tiles of halves
        ("Sw<3,3,3> o 0 o (64,(64,2)):(64,(1,4096))", "f16", ("Layout_K_SW128_Atom", 1024, None)),
        ("Sw<2,3,3> o 0 o (64,(32,4)):(32,(1,2048))", "f16", ("Layout_K_SW64_Atom", 512, None)),
        ("(64,(8,16)):(8,(1,512))", "f16", ("Layout_K_INTER_Atom", 128, 1024)),
        ("Sw<3,3,3> o 0 o ((64,2),64):((1,4096),64)", "f16", ("Layout_MN_SW128_Atom", 1024, 8192)),
        ("((8,16),64):((1,512),8)", "f16", ("Layout_MN_INTER_Atom", 1024, 128)),
        ("Sw<2,3,2> o 0 o ((32,2),64):((1,2048),32)", "tf32", ("Layout_MN_SW128_32B_Atom", 512, 8192)),
    ],
)
def test_the_offsets_of_the_descriptor(text: str, dtype: str, expected: tuple[str, int, int | None]) -> None:
    found = recognise(tw.parse(text), dtype)
    assert (found.atom, found.stride_bytes, found.leading_bytes) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(8,64):(64,1)", r"places are those of Layout_K_SW128_Atom, which has the swizzle Sw<3,3,3> in elements"),
        ("Sw<2,3,3> o 0 o (64,64):(64,1)", r"those of Layout_K_SW128_Atom, which has the swizzle Sw<3,3,3>"),
        ("(60,64):(64,1)", "60 x 64 elements are not whole atoms of 8 x 8"),
        ("(64,64):(2,128)", "1 elements follow each other along K, which are no whole chunks of 16 bytes"),
        ("(64,128):(128,1)", r"128 elements follow each other along K, and no atom has more than 64 \(128 bytes\)"),
        ("(64,64):(72,1)", "its lines of 64 elements start 72 apart, and those of an atom leave no gap"),
        ("Sw<3,3,3> o 0 o (64,(64,2)):(64,(1,4104))", r"element \(1,64\) lies at 4160, and Layout_K_SW128_Atom"),
        ("(8,1048576):(8,1)", "takes 16777216 bytes; a descriptor reaches 262144"),
        ("64:1@laneid", "no static layout|memory"),
        ("S[(64,64):(64@laneid,1)]", "no map to offsets in memory"),
    ],
)
def test_a_refusal_says_which_demand_fails(text: str, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        recognise(tw.parse(text), "f16")


@pytest.mark.parametrize("bits", BITS)
def test_a_refusal_names_the_swizzle_where_that_is_wrong_and_the_offset_where_that_is(bits: int) -> None:
    expected, line = SHARED_ATOMS["Layout_K_SW128_Atom"].mode.swizzle(bits), 1024 // bits
    rows = Layout((64, line), (line, 1))
    for b, m, lines in product((0, 1, 2, 3), (expected.m, expected.m + 1), (0, 1, 8, 9)):
        tile = ComposedLayout(Swizzle(b, m, 3), lines * line, rows)
        right = tile.outer == expected, lines % 8 == 0
        if all(right):
            assert recognise(tile, bits).offset == lines * line
            continue
        with pytest.raises(LayoutError, match="those of Layout_K_SW128_Atom, which") as error:
            recognise(tile, bits)
        said = f"has the swizzle {expected}" in str(error.value), f"the offset {lines * line}" in str(error.value)
        assert said == (not right[0], not right[1]), tile


def test_a_swizzle_of_bytes_is_told_from_one_of_elements() -> None:
    with pytest.raises(LayoutError, match="Sw<3,3,3> in elements, not Sw<3,4,3>, which is the same in bytes"):
        recognise(ComposedLayout(Swizzle(3, 4, 3), 0, Layout((64, 64), (64, 1))), "f16")


@pytest.mark.parametrize(
    ("dtype", "shape", "error", "message"),
    [
        ("f17", None, tw.UsageError, "unknown element type"),
        (0, None, tw.UsageError, "1 to 128 bits"),
        ("e2m3", None, LayoutError, "no whole number of elements of 6 bits"),
        (16, (3, 4), LayoutError, "shape .* has 12 elements"),
        (16, 7, LayoutError, "two positive integers"),
    ],
)
def test_bad_arguments(dtype: Any, shape: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        recognise(Layout((8, 64), (64, 1)), dtype, shape=shape)


def test_an_atom_inside_a_chunk_is_none() -> None:
    for loose in range(1, 8):
        with pytest.raises(LayoutError, match="into a chunk of 16 bytes"):
            recognise(Layout((8, (8, 2)), (8, (1, 64 + loose))), 16)
    assert recognise(Layout((8, (8, 2)), (8, (1, 72))), 16).atom == "Layout_K_INTER_Atom"


def test_a_canonical_tile_prints_dumps_and_is_frozen() -> None:
    found = recognise(tw.parse("Sw<3,3,3> o 0 o ((8,8),(64,2)):((64,1024),(1,512))"), "bf16")
    assert "8 x 2 atoms at (8,2):(1024,512), K first: 64 x 128; align to 1024 bytes" in str(found)
    assert found.to_json()["order"] == ("K", "MN")
    assert found == recognise(tw.parse("Sw<3,3,3> o 0 o ((4,2,8),(64,2)):((64,256,1024),(1,512))"), 16)
    with pytest.raises(AttributeError):
        found.atom = "other"  # type: ignore[misc]  # it is frozen
