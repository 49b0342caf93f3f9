"""`bank_conflicts` on layouts: the value table of the field, and equality with the raw addresses behind it."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from bank_oracle import wavefronts
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright import ComposedLayout, Layout, Swizzle, bank_conflicts, bank_conflicts_at
from tilewright.analysis.banks.raw import active_mask
from tilewright.arch import get
from tilewright.errors import UsageError
from tilewright.notation.bridges import to_cute
from tilewright.tirx.layout import ComposeLayout, R, S, TileLayout, laneid

HALF_ROWS = Layout((8, 64), (64, 1))
TILE = Layout((128, 64), (64, 1))
BY_ROW = Layout((8, 8), (1, 8))
WHOLE_TILE = Layout((32, (8, 8, 4)), (1, (128, 1024, 32)))
ALL_CHUNKS = Layout((8, (8, 8)), (1, (8, 64)))


def swizzled(layout: Layout, bits: int = 3) -> ComposedLayout:
    return ComposedLayout(Swizzle(bits, 3, 3), 0, layout)


def counts(layout: Any, thread_value: Any, bits: int, **options: Any) -> tuple[int, int]:
    report = bank_conflicts(layout, thread_value, element_bits=bits, **options)
    return report.wavefronts, report.ideal


def identity(size: int) -> Layout:
    return Layout(size)


# name, memory layout, thread-value layout, element bits, options, (wavefronts, ideal)
VALUES: list[tuple[str, Any, Any, int, dict[str, Any], tuple[int, int]]] = [
    ("4 B stride 1", identity(32), Layout(32), 32, {}, (1, 1)),
    ("4 B stride 2", identity(64), Layout(32, 2), 32, {}, (2, 1)),
    ("4 B stride 32", identity(1024), Layout(32, 32), 32, {}, (32, 1)),
    ("one word", identity(1), Layout(32, 0), 32, {}, (1, 1)),
    ("1 B stride 1", identity(32), Layout(32), 8, {}, (1, 1)),
    ("2 B stride 1", identity(32), Layout(32), 16, {}, (1, 1)),
    ("2 B column", Layout((32, 64), (64, 1)), Layout(32), 16, {}, (32, 1)),
    ("2 B column swizzled", swizzled(Layout((32, 64), (64, 1))), Layout(32), 16, {}, (4, 1)),
    ("16 B contiguous", identity(256), Layout((32, 8), (8, 1)), 16, {"vector_bits": 128}, (4, 4)),
    ("16 B padded", identity(2304), Layout((32, 8), (72, 1)), 16, {"vector_bits": 128}, (4, 4)),
    ("16 B one set of banks", identity(2048), Layout((32, 8), (64, 1)), 16, {"vector_bits": 128}, (32, 4)),
    ("ldmatrix.x1", HALF_ROWS, BY_ROW, 16, {"instruction": "ldmatrix.x1"}, (8, 1)),
    ("ldmatrix.x1 swizzled", swizzled(HALF_ROWS), BY_ROW, 16, {"instruction": "ldmatrix.x1"}, (1, 1)),
    ("ldmatrix.x4", identity(512), Layout(((8, 4), 8), ((64, 8), 1)), 16, {"instruction": "ldmatrix.x4"}, (32, 4)),
    (
        "ldmatrix.x4, too weak a swizzle, chunks 0 2 4 6",
        ComposedLayout(Swizzle(1, 3, 3), 0, identity(512)),
        Layout(((8, 4), 8), ((64, 16), 1)),
        16,
        {"instruction": "ldmatrix.x4"},
        (16, 4),
    ),
    ("two scalar loads", identity(64), Layout((32, 2), (1, 32)), 32, {}, (2, 2)),
    ("whole tile", swizzled(TILE), WHOLE_TILE, 16, {"instruction": "ldmatrix.x4"}, (128, 128)),
    ("wave64 4 B", identity(64), Layout(64), 32, {"arch": "gfx942"}, (2, 2)),
    ("gfx942 b128", identity(256), Layout((64, 4), (4, 1)), 32, {"arch": "gfx942", "vector_bits": 128}, (8, 8)),
    ("gfx950 b128", identity(256), Layout((64, 4), (4, 1)), 32, {"arch": "gfx950", "vector_bits": 128}, (4, 4)),
    (
        "gfx950 b64 write",
        identity(128),
        Layout((64, 2), (2, 1)),
        32,
        {"arch": "gfx950", "instruction": "ds_write_b64"},
        (4, 4),
    ),
    (
        "gfx950 b64 read",
        identity(128),
        Layout((64, 2), (2, 1)),
        32,
        {"arch": "gfx950", "instruction": "ds_read_b64"},
        (2, 2),
    ),
    ("gfx942 b64", identity(128), Layout((64, 2), (2, 1)), 32, {"arch": "gfx942", "vector_bits": 64}, (4, 4)),
]


@pytest.mark.parametrize(("name", "layout", "tv", "bits", "options", "expected"), VALUES, ids=lambda v: str(v)[:24])
def test_values_that_follow_from_the_rules(
    name: str, layout: Any, tv: Any, bits: int, options: dict[str, Any], expected: tuple[int, int]
) -> None:
    assert counts(layout, tv, bits, **options) == expected, name


@pytest.mark.parametrize(
    ("size", "shift", "mask", "ideal"), [(1, 0, 0, 1), (2, 3, 3, 1), (4, 3, 3, 1), (8, 2, 3, 2), (16, 1, 3, 4)]
)
def test_the_permute_of_document_000_is_free_of_conflicts_in_all_widths(
    size: int, shift: int, mask: int, ideal: int
) -> None:
    def register(t: int, r: int) -> int:
        return r ^ ((t >> shift) & mask)

    reads = [[(register(t, r) * 32 + t) * size for t in range(32)] for r in range(4)]
    writes = [[(t * 4 + register(t, r)) * size for t in range(32)] for r in range(4)]
    for kind, rows in (("load", reads), ("store", writes)):
        report = bank_conflicts_at(rows, size, kind=kind, merge=False)
        assert report.by_instruction == (ideal,) * 4
        assert report.conflict_free


def test_phases_say_which_lanes_want_which_words() -> None:
    report = bank_conflicts(HALF_ROWS, ALL_CHUNKS, element_bits=16, instruction="ldmatrix.x1")
    phase = report.phases[1]
    assert (phase.instruction, phase.warp, phase.lanes, phase.wavefronts) == (1, 0, tuple(range(8)), 8)
    assert phase.words == tuple(tuple(range(32 * row + 4, 32 * row + 8)) for row in range(8))
    assert phase.by_bank[4] == tuple(range(4, 256, 32))
    assert phase.worst_bank == 4
    assert report.phases[-1] == report.phases[7]
    assert sum(p.wavefronts for p in report.phases) == report.wavefronts
    assert max(p.wavefronts for p in report.phases) == report.ways


def test_inactive_lanes_cost_nothing() -> None:
    assert bank_conflicts_at([0] + [128 * t for t in range(1, 32)], 4, active=[0]).wavefronts == 1
    none = bank_conflicts_at([0] * 32, 4, active=[False] * 32)
    assert (none.wavefronts, none.ideal, len(none.phases)) == (0, 0, 0)
    assert none.conflict_free


@pytest.mark.parametrize("threads", [1, 2, 3, 4, 5])
def test_active_threads_by_mask_by_number_and_by_bits_are_the_same(threads: int) -> None:
    """Integers in a row as long as the threads are a mask, unless there are so few that they may well be numbers."""
    for mask in product((False, True), repeat=threads):
        numbers = [t for t, on in enumerate(mask) if on]
        expected = [int(on) for on in mask]
        assert active_mask(mask, threads) == active_mask(sum(1 << t for t in numbers), threads) == expected
        if threads > 2:
            assert active_mask(expected, threads) == expected
        if len(numbers) < threads or threads <= 2:
            assert active_mask(numbers, threads) == expected
    with pytest.raises(tw.UsageError, match="beyond"):
        active_mask(1 << threads, threads)


def test_matrices_beyond_the_count_are_ignored() -> None:
    tv = Layout(((8, 4), 8), ((1, 64), 8))
    for count, phases in ((1, 1), (2, 2), (4, 4)):
        report = bank_conflicts(HALF_ROWS, tv, element_bits=16, instruction=f"ldmatrix.x{count}.trans")
        assert (len(report.phases), report.ideal) == (phases, phases)


def test_threads_beyond_a_warp_are_more_warps() -> None:
    report = bank_conflicts(identity(80), Layout(80), element_bits=32)
    assert [(phase.warp, len(phase.lanes)) for phase in report.phases] == [(0, 32), (1, 32), (2, 16)]


def test_merging_is_reported_both_ways() -> None:
    pairs = [8 * (t // 2) for t in range(32)]
    load, store = bank_conflicts_at(pairs, 8), bank_conflicts_at(pairs, 8, kind="store")
    assert (load.wavefronts, load.unmerged, load.merged) == (1, 2, 1)
    assert (store.wavefronts, store.unmerged, store.merged) == (2, 2, 1)
    assert bank_conflicts_at(pairs, 8, merge=False).wavefronts == 2
    assert any("unverified" in note for note in load.notes)
    assert bank_conflicts_at(pairs, 8, arch="sm_80").notes == ()


@pytest.mark.parametrize(
    ("width", "kind", "doubtful"), [(1, "store", True), (2, "store", True), (4, "store", False), (2, "load", False)]
)
def test_stores_to_parts_of_a_word_are_marked(width: int, kind: str, doubtful: bool) -> None:
    found = bank_conflicts_at([width * lane for lane in range(32)], width, kind=kind)
    doubt = get("sm_90").rule(kind, width).doubt
    assert ("unverified" in doubt) == doubtful
    assert found.notes == (doubt,) * doubtful


def test_counts_that_are_lower_bounds_say_so() -> None:
    wide = [128 * t for t in range(64)]
    assert any("lower bound" in note for note in bank_conflicts_at(wide, 16, arch="gfx942").notes)
    assert not bank_conflicts_at(wide, 4, arch="gfx942").notes


def test_elements_below_a_byte_share_words() -> None:
    assert counts(identity(256), Layout((32, 8), (8, 1)), 4, vector_bits=32) == (1, 1)
    assert counts(identity(32), Layout(32), 4) == (1, 1)
    assert counts(Layout((32, 256), (256, 1)), Layout(32), 4) == (32, 1)


def test_the_base_address_moves_words_between_banks() -> None:
    spread = [0, *(4 * (32 + t) for t in range(1, 32))]
    at_zero = bank_conflicts_at(spread, 4)
    moved = bank_conflicts_at(spread, 4, base_bytes=64)
    assert at_zero.wavefronts == moved.wavefronts == 1
    assert moved.phases[0].words[0] == (16,)


def test_layouts_of_tirx_are_indexed_by_their_own_number() -> None:
    tile = TileLayout(S[(8, 64) : (64, 1)])
    rows = Layout((8, 8), (64, 1))
    for layout in (tile, ComposeLayout(3, 3, 3, tile), TileLayout(S[(8, 64) : (64, 1)] + 64)):
        got = counts(layout, rows, 16, instruction="ldmatrix.x1")
        assert got == counts(to_cute(layout), rows, 16, instruction="ldmatrix.x1")
    for layout in (TileLayout(S[(8, 4) : (4 @ laneid, 1)]), TileLayout(S[8:1] + R[2:8])):
        with pytest.raises(tw.LayoutError, match="no map to offsets in memory"):
            bank_conflicts(layout, Layout(8), element_bits=16)


@st.composite
def tiles(draw: st.DrawFn) -> tuple[Any, Layout, int]:
    """A random memory layout, a random thread-value layout into it, and the bits of an element."""
    rows, columns = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    layout: Any = Layout((rows, columns), (draw(st.integers(0, 40)), draw(st.integers(0, 40))))
    if draw(st.booleans()):
        layout = ComposedLayout(Swizzle(draw(st.integers(0, 2)), draw(st.integers(0, 3)), 2), 0, layout)
    threads = draw(st.integers(1, rows * columns))
    values = draw(st.integers(1, max(1, (rows * columns) // threads)))
    return layout, Layout((threads, values), (1, threads)), draw(st.sampled_from([8, 16, 32, 64, 128]))


@given(tiles(), st.sampled_from(["sm_80", "sm_90", "gfx942", "gfx950"]), st.sampled_from(["load", "store"]))
def test_a_pair_of_layouts_costs_what_its_addresses_cost(tile: tuple[Any, Layout, int], arch: str, kind: str) -> None:
    layout, tv, bits = tile
    threads, values = tv.shape
    rows = [[layout(tv(t, v)) * bits // 8 for t in range(threads)] for v in range(values)]
    report = bank_conflicts(layout, tv, element_bits=bits, kind=kind, arch=arch)
    assert report == bank_conflicts_at(rows, bits // 8, kind=kind, arch=arch)
    lanes = 64 if arch.startswith("gfx") else 32
    warps = [(row + [None] * lanes)[: -len(row) % lanes + len(row)] for row in rows]
    whole = [warp[i : i + lanes] for warp in warps for i in range(0, len(warp), lanes)]
    merging = kind == "load"
    assert report.wavefronts == sum(wavefronts(row, bits // 8, arch, kind, merging) for row in whole)


@given(tiles())
def test_reports_are_plain_values_and_short_tables(tile: tuple[Any, Layout, int]) -> None:
    layout, tv, bits = tile
    report = bank_conflicts(layout, tv, element_bits=bits)
    plain = json.loads(json.dumps(report.to_json()))
    assert plain["excess"] == report.wavefronts - report.ideal
    assert len(plain["phases"]) == len(report.phases)
    assert all(len(line) < 160 for line in str(report).splitlines() if not line.startswith("note:"))
    assert len(str(report).splitlines()) < 16


REFUSED: list[tuple[str, Any, type[Exception]]] = [
    ("kind is 'load' or 'store', got 'x'", lambda: counts(TILE, WHOLE_TILE, 16, kind="x"), tw.UsageError),
    ("lie at elements 0, 64", lambda: counts(TILE, Layout((32, 8), (8, 1)), 16, vector_bits=128), tw.LayoutError),
    ("has the indices 0 to 8191", lambda: counts(TILE, Layout(32, 512), 16), tw.LayoutError),
    (
        "unknown instruction 'ldmatrix.x3'",
        lambda: counts(TILE, WHOLE_TILE, 16, instruction="ldmatrix.x3"),
        tw.UsageError,
    ),
    ("instruction of amd; sm_90", lambda: counts(TILE, WHOLE_TILE, 16, instruction="ds_read_b128"), tw.UsageError),
    (
        "asks for byte 8, which is not a multiple of 16",
        lambda: counts(TILE, WHOLE_TILE, 16, instruction="ldmatrix", base_bytes=8),
        tw.LayoutError,
    ),
    (
        "is a load, but kind='store'",
        lambda: counts(TILE, WHOLE_TILE, 16, instruction="ldmatrix", kind="store"),
        tw.UsageError,
    ),
    (
        "no whole number of vectors of 8",
        lambda: counts(TILE, Layout((32, 4), (1, 128)), 16, vector_bits=128),
        tw.UsageError,
    ),
    (
        "moves 128 bits per thread",
        lambda: counts(TILE, WHOLE_TILE, 16, vector_bits=64, instruction="ldmatrix"),
        tw.UsageError,
    ),
    ("1, 2, 4, 8 or 16 bytes per lane, not 32", lambda: counts(TILE, WHOLE_TILE, 16, vector_bits=256), tw.UsageError),
    ("element_bits is an integer from 1 to 128", lambda: counts(TILE, WHOLE_TILE, 0), tw.UsageError),
    ("layout is a layout, got None", lambda: counts(None, WHOLE_TILE, 16), tw.LayoutError),
    ("an access is a thread-value layout", lambda: counts(TILE, 3, 16), tw.LayoutError),
    ("base_bytes is an integer from 0", lambda: counts(TILE, WHOLE_TILE, 16, base_bytes=-4), tw.UsageError),
    ("names threads beyond the 32", lambda: counts(TILE, WHOLE_TILE, 16, active=1 << 40), tw.UsageError),
    ("there are 32 threads", lambda: counts(TILE, WHOLE_TILE, 16, active=[99]), tw.UsageError),
    ("merge is True, False or 'auto'", lambda: counts(TILE, WHOLE_TILE, 16, merge="yes"), tw.UsageError),
    ("did you mean sm_90", lambda: counts(TILE, WHOLE_TILE, 16, arch="sm_9"), tw.UsageError),
    ("the limit is 16777216", lambda: counts(identity(1), Layout((32, 1 << 20), (0, 0)), 16), tw.UsageError),
    ("expected integers of 64 bits", lambda: bank_conflicts_at([1.5], 4), tw.UsageError),
    ("expected integers of 64 bits", lambda: bank_conflicts_at([1 << 70], 4), tw.UsageError),
    *(
        (
            f"ldmatrix.x1 moves 16 bytes per lane, not {width}",
            lambda width=width: bank_conflicts_at([0], width, instruction="ldmatrix.x1"),
            tw.UsageError,
        )
        for width in (8, 32)
    ),
    ("sequence of integers, got 'abc'", lambda: bank_conflicts_at("abc", 4), tw.UsageError),
    ("its shape is ()", lambda: bank_conflicts_at([], 4), tw.UsageError),
    ("different lengths", lambda: bank_conflicts_at([[1, 2], [3]], 1), tw.UsageError),
    ("must not be negative, got -5", lambda: bank_conflicts_at([-5], 1), tw.UsageError),
    ("reaches element -31", lambda: counts(Layout(32, -1), Layout(32), 32), tw.LayoutError),
    ("the limit is 2^48", lambda: counts(Layout(32, 1 << 57), Layout(32), 32), tw.LayoutError),
    ("the limit is 2^48", lambda: counts(swizzled(Layout(32, 1 << 50)), Layout(32), 32), tw.LayoutError),
    ("gives (0, 0), not an integer", lambda: counts(tw.make_identity_layout((4, 8)), Layout(32), 32), tw.LayoutError),
    ("width_bytes is an integer from 1", lambda: bank_conflicts_at([0], "4"), tw.UsageError),
    ("numbers of threads, got [3.5]", lambda: bank_conflicts_at([0], 4, active=3.5), tw.UsageError),
    ("lane 1 asks for byte 6", lambda: bank_conflicts_at([4, 6], 4), tw.LayoutError),
]


@pytest.mark.parametrize(("message", "call", "kind"), REFUSED, ids=[str(row[0])[:30] for row in REFUSED])
def test_refusals_carry_the_numbers(message: str, call: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert message in str(caught.value)


def test_phases_of_warps_that_merge_and_of_warps_that_do_not() -> None:
    """Each warp is served in its own groups, each of which costs what its own words do."""
    pairs = [16 * (lane // 8 * 2 + lane % 8 // 2 % 2) for lane in range(32)]
    apart = [16 * lane for lane in range(32)]
    for addresses, sizes in ((pairs + apart, (16, 16, 8, 8, 8, 8)), (apart + pairs, (8, 8, 8, 8, 16, 16))):
        report = bank_conflicts_at(addresses, 16, arch="sm_80")
        assert tuple(len(phase.lanes) for phase in report.phases) == sizes
        assert sum(phase.wavefronts for phase in report.phases) == report.wavefronts
        for phase in report.phases:
            assert phase.wavefronts == max(map(len, phase.by_bank.values()))


@given(st.sampled_from(["ld.shared", "st.shared"]), st.sampled_from([2, 4, 8]), st.sampled_from([16, 32, 64]))
def test_a_vector_instruction_says_its_type_and_moves_that_much(name: str, count: int, bits: int) -> None:
    tile, rows = tw.Layout((32, 64), (64, 1)), tw.Layout((32, 64), (1, 32))
    kind = "load" if name.startswith("ld") else "store"
    with pytest.raises(UsageError, match=rf"write its type, too: {name}.v{count}.b32"):
        tw.bank_conflicts(tile, rows, element_bits=bits, instruction=f"{name}.v{count}", kind=kind)
    if count * bits <= 128:
        told = f"{name}.v{count}.b{bits}"
        report = tw.bank_conflicts(tile, rows, element_bits=bits, instruction=told, kind=kind)
        plain = tw.bank_conflicts(tile, rows, element_bits=bits, vector_bits=count * bits, kind=kind)
        assert (report.wavefronts, report.ideal, report.width_bytes) == (
            plain.wavefronts,
            plain.ideal,
            count * bits // 8,
        )
