"""Law 70: the swizzle suggested first is the smallest that is free of conflicts; known tiles get known answers."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import pytest
from bank_oracle import wavefronts

import tilewright as tw
from tilewright import Access, ComposedLayout, Layout, Swizzle, suggest_swizzle
from tilewright.analysis.swizzle.space import in_unit, mode_swizzle
from tilewright.atoms.shared_modes import mode_of
from tilewright.tirx.layout import ComposeLayout, S, TileLayout

TILES = 120


def rows_of_16_bytes(rows: int, columns: int, bits: int) -> Access:
    """ldmatrix of a row-major tile: lanes take rows, a thread's vectors follow in its row."""
    chunk = 128 // bits
    return Access(Layout((rows, (chunk, columns // chunk)), (1, (rows, rows * chunk))), instruction="ldmatrix")


def row_stores(rows: int, columns: int, bits: int) -> Access:
    """Stores of 16 bytes, neighbouring lanes side by side in a row."""
    chunk = 128 // bits
    tv = Layout(((columns // chunk, rows), chunk), ((rows * chunk, 1), rows))
    return Access(tv, 128, "store")


@pytest.mark.parametrize(
    ("bits", "columns", "expected", "mode"),
    [
        (16, 64, (3, 3, 3), "128B"),
        (8, 128, (3, 4, 3), "128B"),
        (32, 32, (3, 2, 3), "128B"),
        (64, 16, (3, 1, 3), "128B"),
        (4, 256, (3, 5, 3), "128B"),
        (16, 32, (2, 3, 3), "64B"),
        (8, 64, (2, 4, 3), "64B"),
        (32, 16, (2, 2, 3), "64B"),
        (16, 16, (1, 3, 3), "32B"),
        (8, 32, (1, 4, 3), "32B"),
        (32, 8, (1, 2, 3), "32B"),
        (16, 8, (0, 3, 3), "none"),
    ],
)
@pytest.mark.parametrize("rows", [8, 64])
@pytest.mark.parametrize("transposed", [False, True])
def test_the_modes_of_the_hardware_are_found(
    bits: int, columns: int, expected: tuple[int, int, int], mode: str, rows: int, transposed: bool
) -> None:
    accesses = [rows_of_16_bytes(rows, columns, bits), row_stores(rows, columns, bits)]
    tile = Layout((rows, columns), (columns, 1))
    if transposed:  # MN-major: the contiguous mode comes first
        tile = Layout((columns, rows), (1, columns))
        accesses = [
            Access(transpose(a.thread_value, rows, columns), a.vector_bits, a.kind, a.instruction) for a in accesses
        ]
    best = suggest_swizzle(tile, accesses, element_bits=bits)[0]
    assert best.swizzle == Swizzle(*expected)
    assert (best.mode, best.conflict_free, best.proof.method) == (mode, True, "F2 rank")
    assert best.proof.needed_bits == expected[0]


def transpose(tv: Layout, rows: int, columns: int) -> ComposedLayout:
    """The thread-value layout of the same accesses when the tile's modes are exchanged."""
    return ComposedLayout(Layout((rows, columns), (columns, 1)), 0, tv)


def test_the_too_weak_swizzle_ranks_below_the_right_one() -> None:
    tile, access = Layout((8, 64), (64, 1)), rows_of_16_bytes(8, 64, 16)
    ranking = suggest_swizzle(tile, [access], element_bits=16)
    order = [advice.swizzle for advice in ranking]
    assert order[0] == Swizzle(3, 3, 3)
    assert order.index(Swizzle(1, 3, 3)) > order.index(Swizzle(2, 3, 3)) > 0
    by_swizzle = {advice.swizzle: advice for advice in ranking}
    assert [by_swizzle[Swizzle(b, 3, 3)].reports[0].ways for b in range(4)] == [8, 4, 2, 1]


def test_the_ranking_is_ascending_and_its_figures_are_those_of_the_reports() -> None:
    accesses = [rows_of_16_bytes(16, 64, 16), row_stores(16, 64, 16)]
    ranking = suggest_swizzle(Layout((16, 64), (64, 1)), accesses, element_bits=16)
    assert [a.excess for a in ranking] == sorted(a.excess for a in ranking)
    assert all(
        bits == sorted(bits) for bits in ([a.swizzle.b for a in g] for _, g in groupby(ranking, lambda a: a.excess))
    )
    for advice in ranking:
        assert advice.wavefronts == sum(report.wavefronts for report in advice.reports)
        assert advice.ideal == sum(report.ideal for report in advice.reports)


def brute(tile: Layout, access: Access, swizzle: Swizzle | None, bits: int) -> int | None:
    """Excess wavefronts by enumeration; None when the swizzle cuts a vector."""
    tv, chunk = access.thread_value, max(1, (access.vector_bits or bits) // bits)
    threads, values = tw.size(tv[0]), tw.size(tv[1])
    move = swizzle or (lambda x: x)
    total = 0
    for v in range(0, values, chunk):
        found = [[move(tile(tv(t, v + k))) for k in range(chunk)] for t in range(threads)]
        if any(cells != list(range(cells[0], cells[0] + chunk)) or cells[0] % chunk for cells in found):
            return None
        row = [cells[0] * bits // 8 for cells in found]
        for start in range(0, threads, 32):
            warp: list[int | None] = [*row[start : start + 32]]
            warp += [None] * (32 - len(warp))
            width = chunk * bits // 8
            group = min(32, 128 // width)
            ideal = sum(any(a is not None for a in warp[i : i + group]) for i in range(0, 32, group))
            total += wavefronts(warp, width, merge=False) - ideal
    return total


def all_swizzles(top: int) -> Iterator[Swizzle]:
    """Every swizzle of a small space, with both signs of the shift."""
    for b in range(1, 6):
        for m in range(top):
            for s in range(b, top - m - b + 1):
                yield Swizzle(b, m, s)
                yield Swizzle(b, m, -s)


def random_tile(rng: random.Random) -> tuple[Layout, Access, int]:
    bits = rng.choice([8, 16, 32])
    rows, columns = rng.choice([4, 8, 16, 32]), 1 << rng.randrange(3, 6)
    pitch = columns * rng.choice([1, 1, 2, 4]) + rng.choice([0, 0, 0, 8])
    chunk = rng.choice([n for n in (1, 2, 4, 8) if n * bits <= 128])
    lanes = Layout((rows, (chunk, columns // chunk)), (1, (rows, rows * chunk)))
    return Layout((rows, columns), (pitch, 1)), Access(lanes, chunk * bits), bits


def test_the_first_of_the_ranking_is_minimal() -> None:
    """Against every swizzle, negative shifts and low bases too: none with fewer bits is free, none leaves less."""
    rng = random.Random(70)
    methods = set()
    for _ in range(TILES):
        tile, access, bits = random_tile(rng)
        ranking = suggest_swizzle(tile, [access], element_bits=bits)
        best = ranking[0]
        assert brute(tile, access, best.swizzle, bits) == best.excess
        top = (tw.cosize(tile) - 1).bit_length()
        others = [(s, brute(tile, access, s, bits)) for s in rng.sample(list(all_swizzles(top)), 12)]
        assert all(excess is None or excess >= best.excess for _, excess in others)
        assert all(s.b >= best.swizzle.b for s, excess in others if excess == best.excess)
        methods.add(best.proof.method)
    assert methods == {"F2 rank", "exhaustive search"}


def test_ranks_and_counts_agree_on_every_swizzle_tried() -> None:
    rng = random.Random(71)
    for _ in range(10):
        tile, access, bits = random_tile(rng)
        for advice in suggest_swizzle(tile, [access], element_bits=bits):
            assert brute(tile, access, advice.swizzle, bits) == advice.excess


def test_a_transpose_by_scalars_needs_five_bits_or_one_element_of_padding() -> None:
    tile = Layout((32, 32), (32, 1))
    rows, columns = Access(Layout((32, 32), (32, 1))), Access(Layout((32, 32), (1, 32)), kind="store")
    best = suggest_swizzle(tile, [rows, columns], element_bits=32)[0]
    assert (best.swizzle, best.mode, best.conflict_free) == (Swizzle(5, 0, 5), None, True)
    assert best.padding is not None
    assert (best.padding.row, best.padding.pad, best.padding.layout) == (32, 1, Layout((32, 32), (33, 1)))


def test_where_nothing_works_the_ranks_say_why() -> None:
    tile = Layout((32, 32), (32, 1))
    columns = Access(Layout((32, 32), (1, 32)), kind="store", name="columns")
    best = suggest_swizzle(tile, [row_stores(32, 32, 32), columns], element_bits=32)[0]
    assert (best.swizzle, best.excess) == (Swizzle(3, 2, 3), 96)
    assert best.proof.text.startswith("By rank over F2, columns needs at least 5 swizzle bits")
    assert "no swizzle is free of conflicts" in best.proof.text


def test_rows_that_share_elements_are_not_padded() -> None:
    """Coordinates (32, j) and (0, j + 1) are one element, which longer rows would tear into two."""
    lanes = Access(Layout(8, 33))
    assert suggest_swizzle(Layout((33, 8), (1, 32)), lanes, element_bits=32)[0].padding is None
    assert suggest_swizzle(Layout((32, 8), (1, 32)), Access(Layout(8, 32)), element_bits=32)[0].padding is not None


def test_padding_is_free_of_conflicts_and_the_least() -> None:
    tile, access = Layout((16, 64), (64, 1)), rows_of_16_bytes(16, 64, 16)
    padding = suggest_swizzle(tile, [access], element_bits=16)[0].padding
    assert padding is not None
    report = tw.bank_conflicts(padding.layout, access.thread_value, element_bits=16, instruction="ldmatrix")
    assert report.conflict_free
    for pad in range(8, padding.pad, 8):
        worse = Layout((16, 64), (64 + pad, 1))
        assert not tw.bank_conflicts(worse, access.thread_value, element_bits=16, instruction="ldmatrix").conflict_free


def test_a_swizzle_around_the_tile_is_replaced() -> None:
    tile, access = Layout((8, 64), (64, 1)), rows_of_16_bytes(8, 64, 16)
    weak = ComposedLayout(Swizzle(1, 3, 3), 0, tile)
    assert suggest_swizzle(weak, [access], element_bits=16) == suggest_swizzle(tile, [access], element_bits=16)


def test_tiles_of_tirx() -> None:
    tile = TileLayout(S[(8, 64) : (64, 1)])
    access = Access(Layout((8, 8), (64, 1)), instruction="ldmatrix")
    for layout in (tile, ComposeLayout(3, 1, 3, tile)):
        assert suggest_swizzle(layout, [access], element_bits=16)[0].swizzle == Swizzle(3, 3, 3)


def test_amd_reads_get_their_own_answer() -> None:
    tile = Layout((64, 64), (64, 1))
    access = Access(Layout((64, (8, 8)), (1, (64, 512))), instruction="ds_read_b128")
    for arch, banks in (("gfx942", 32), ("gfx950", 64)):
        best = suggest_swizzle(tile, [access], element_bits=16, arch=arch)[0]
        assert best.conflict_free
        assert best.reports[0].phases[0].banks == banks


@pytest.mark.parametrize("bits", [4, 8, 16, 32, 64, 128])
def test_the_three_units_name_one_permutation(bits: int) -> None:
    for b in (1, 2, 3):
        swizzle = mode_swizzle(b, bits)
        in_bytes, in_bits = in_unit(swizzle, bits, 8), in_unit(swizzle, bits, 1)
        assert (in_bytes, in_bits) == (Swizzle(b, 4, 3), Swizzle(b, 7, 3))
        assert mode_of(swizzle, bits) == {1: "32B", 2: "64B", 3: "128B"}[b]
        for offset in range(0, 4096, 37):
            assert in_bits(offset * bits) == swizzle(offset) * bits


def test_advice_prints_and_dumps() -> None:
    ranking = suggest_swizzle(Layout((8, 64), (64, 1)), [rows_of_16_bytes(8, 64, 16)], element_bits=16)
    text = str(ranking)
    assert "Sw<3,3,3> in elements of 16 bits, Sw<3,4,3> in bytes, Sw<3,7,3> in bits" in text
    assert all(len(line) < 140 for line in text.splitlines())
    plain = json.loads(json.dumps(ranking.to_json()))
    assert plain[0]["swizzle"] == {"elements": [3, 3, 3], "bytes": [3, 4, 3], "bits": [3, 7, 3]}
    assert plain[0]["layout"] == "Sw<3,3,3> o 0 o (8,64):(64,1)"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda a: suggest_swizzle(Layout(64), [], element_bits=16), "at least one access"),
        (lambda a: suggest_swizzle(Layout((8, 64), (64, 1)), [a], element_bits=6), "elements of 6 bits"),
        (lambda a: suggest_swizzle(Layout((8, 64), (60, 1)), [a], element_bits=16), "not a multiple of 8"),
        (lambda a: suggest_swizzle(Layout(8), [a], element_bits=16), "has the indices 0 to 7"),
        (lambda a: suggest_swizzle(Layout((8, 64), (64, 1)), [None], element_bits=16), "an access is a thread"),
    ],
)
def test_refusals_carry_the_numbers(call: Any, message: str) -> None:
    with pytest.raises((tw.LayoutError, tw.UsageError), match=message):
        call(rows_of_16_bytes(8, 64, 16))
