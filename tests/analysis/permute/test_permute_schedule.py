"""Permute schedules: every element moves once through one register, what is claimed is counted, bounds are bounds."""

from __future__ import annotations

import gzip
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from bank_oracle import cost, wavefronts
from hypothesis import given, settings
from hypothesis import strategies as st
from tirx_rows import build

from tilewright.analysis.permute.forms import F2Form, TableForm, rows_of
from tilewright.analysis.permute.schedule import PermuteSchedule, permute_schedule
from tilewright.dtypes import dtype
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.axes import term
from tilewright.layout.layout import Layout
from tilewright.layout.linear import f2
from tilewright.tirx.layout import R, S, TileLayout
from tilewright.variants.call import Operand
from tilewright.variants.permute_layout.align import Aligned, align, offsets

WARP = 32
WIDTHS = st.sampled_from([1, 2, 4, 8, 16])
WIDE = st.sampled_from([4, 8, 16])
VECTORS = Path(__file__).parents[2] / "data" / "permute_layout.jsonl.gz"


def checked(source: Sequence[int], destination: Sequence[int], width: int, **options: Any) -> PermuteSchedule:
    """The schedule, after everything that it claims has been counted again by enumeration."""
    schedule = permute_schedule(source, destination, element_bytes=width, **options)
    lanes = schedule.lanes
    assert sorted(element for row in schedule.rows for element in row) == list(range(schedule.registers * lanes))
    assert lanes * (schedule.registers - 1) < len(source) <= lanes * schedule.registers
    assert schedule.rows == rows_of(schedule.form, lanes, schedule.registers)
    for side, kind, claimed in ((source, "load", schedule.read), (destination, "store", schedule.write)):
        rows = [[width * side[e] if e < len(side) else None for e in row] for row in schedule.rows]
        counted = sum(wavefronts(row, width, schedule.arch, kind, merge=False) for row in rows)
        assert claimed.wavefronts == counted
        assert claimed.ideal <= claimed.lower_bound <= counted
    return schedule


def shuffled(count: int, seed: int) -> list[int]:
    order = list(range(count))
    random.Random(seed).shuffle(order)
    return order


# ---- what is always possible


@settings(max_examples=60)
@given(st.integers(1, 12 * WARP), WIDE, st.integers(0, 2**32), st.integers(0, 2**32))
def test_compact_elements_of_words_never_conflict(count: int, width: int, a: int, b: int) -> None:
    """König: a bipartite graph splits into as many matchings as its largest degree, whatever the permutation."""
    schedule = checked(shuffled(count, a), shuffled(count, b), width)
    assert schedule.conflict_free
    assert schedule.optimal


@settings(max_examples=30)
@given(st.integers(1, 3), st.sampled_from([1, 2]), st.integers(0, 2**32))
def test_compact_narrow_elements_that_fill_the_banks_never_conflict(times: int, width: int, seed: int) -> None:
    count = WARP * (4 // width) * times
    assert checked(range(count), shuffled(count, seed), width).conflict_free


def linear_bijection(bits: int, seed: int, gap: int = 0) -> list[int]:
    """A random XOR-affine map of `bits` bits, its value's bits spread over `gap` more."""
    rng = random.Random(seed)
    columns: tuple[int, ...] = ()
    while len(columns) < bits:
        column = rng.randrange(1, 1 << bits)
        columns += (column,) if not f2.in_span(columns, column) else ()
    places = tuple(1 << place for place in sorted(rng.sample(range(bits + gap), bits)))
    constant = rng.randrange(1 << bits + gap)
    return [f2.apply(places, f2.apply(columns, x)) ^ constant for x in range(1 << bits)]


@settings(max_examples=60)
@given(st.integers(5, 9), st.integers(0, 2**32), st.integers(0, 2**32), WIDE)
def test_linear_permutations_have_a_closed_bit_form(bits: int, a: int, b: int, width: int) -> None:
    """A common complement of two subspaces of equal dimension exists, with a basis of at most two bits a vector."""
    schedule = checked(linear_bijection(bits, a), linear_bijection(bits, b), width)
    assert schedule.kind in ("xor", "f2")
    assert schedule.conflict_free
    if isinstance(schedule.form, F2Form):
        assert all(column.bit_count() <= 2 for column in schedule.form.lane)
        assert all(column.bit_count() == 1 for column in schedule.form.register)
        assert "F2" in schedule.proof


@settings(max_examples=60)
@given(st.integers(5, 8), st.integers(0, 3), st.integers(0, 3), st.integers(0, 2**32), WIDE)
def test_linear_permutations_with_gaps_are_optimal(bits: int, a: int, b: int, seed: int, width: int) -> None:
    """Strided sides fill the banks unequally; on either side as many slot bits are told apart as there are."""
    schedule = checked(linear_bijection(bits, seed, a), linear_bijection(bits, seed + 1, b), width)
    assert schedule.optimal
    assert schedule.kind in ("xor", "f2")


@pytest.mark.parametrize("arch", ["sm_80", "sm_100a", "gfx942", "gfx950"])
@pytest.mark.parametrize("width", [4, 8, 16])
@pytest.mark.parametrize("rows", [2, 8, 16])
def test_transposes_are_free_on_every_architecture(arch: str, width: int, rows: int) -> None:
    """On AMD the groups of lanes that read together are not those that write together."""
    lanes = 64 if arch.startswith("gfx") else 32
    source = [lanes * row + lane for row in range(rows) for lane in range(lanes)]
    destination = [row + rows * lane for row in range(rows) for lane in range(lanes)]
    schedule = checked(source, destination, width, arch=arch)
    assert schedule.conflict_free
    assert schedule.kind != "table"


@settings(max_examples=60)
@given(st.integers(1, 200), st.sampled_from([1, 2, 4, 8, 16]), st.integers(0, 2**32), st.integers(1, 3))
def test_any_number_of_elements_in_any_width(count: int, width: int, seed: int, spread: int) -> None:
    """Also where they leave lanes idle, and with gaps."""
    sides = [random.Random(seed + i).sample(range(count * spread), count) for i in range(2)]
    schedule = checked(*sides, width)
    assert schedule.read.ideal == -(-count // len(schedule.source.groups[0]))


# ---- document 000


@pytest.mark.parametrize(
    ("width", "shift", "mask", "ideal"), [(1, 5, 0, 1), (2, 3, 3, 1), (4, 3, 3, 1), (8, 2, 3, 2), (16, 1, 3, 4)]
)
def test_the_transpose_of_document_000_in_every_width(width: int, shift: int, mask: int, ideal: int) -> None:
    rows, columns = TileLayout(S[(4, 32) : (32, 1)]), TileLayout(S[(4, 32) : (1, 4)])
    schedule = permute_schedule(rows, columns, element_bytes=width)
    assert schedule.form.to_json() == {"kind": "xor", "shift": shift, "mask": mask}
    for cost_ in (schedule.read, schedule.write):
        assert (cost_.wavefronts, cost_.ideal) == (4 * ideal, 4 * ideal)
    checked([rows.base(i)["m"] for i in range(128)], [columns.base(i)["m"] for i in range(128)], width)


def operand(row: dict[str, Any], side: str) -> Operand:
    starts, _ = zip(*row["region"], strict=True)
    extents = tuple(stop - start for start, stop in row["region"])
    return Operand(side, dtype(row["dtype"]), tuple(row["shape"]), build(row[side]), starts, extents, memory=side)


def recorded() -> list[tuple[Aligned, int]]:
    """The recorded permutations that a warp can move: aligned layouts and the bytes of an element."""
    with gzip.open(VECTORS, "rt", encoding="utf-8") as file:
        rows = [row for row in map(json.loads, file) if row["op"] == "permute_layout"]
    plain = [row for row in rows if row["src"]["t"] == row["dst"]["t"] == "tile"]
    spaces = [(align(operand(row, "dst"), operand(row, "src")), dtype(row["dtype"]).bytes) for row in plain]
    return [(space, width) for space, width in spaces if isinstance(space, Aligned) and _is_permutation(space)]


def _is_permutation(space: Aligned) -> bool:
    sides = [offsets(space.extent, strides) for strides in (space.src_strides, space.dst_strides)]
    return space.volume % WARP == 0 and all(len(set(side)) == space.volume for side in sides)


def test_recorded_permutations() -> None:
    """Every bank-regular one of 4 bytes is free of conflicts, with a proof; so are all of the other widths."""
    kinds: Counter[tuple[int, str]] = Counter()
    unequal = 0
    for space, width in recorded():
        sides = [offsets(space.extent, strides) for strides in (space.src_strides, space.dst_strides)]
        schedule = checked(*sides, width)
        regular = all(set(Counter(o % 32 for o in side).values()) == {space.volume // 32} for side in sides)
        assert schedule.conflict_free or (width == 4 and not regular)
        assert schedule.optimal
        assert schedule.proof.endswith(".")
        kinds[width, schedule.kind] += 1
        unequal += not schedule.conflict_free
    assert {width for width, _ in kinds} == {1, 2, 4, 8}
    assert sum(count for (width, _), count in kinds.items() if width == 4) >= 200
    assert {kind for _, kind in kinds} == {"xor", "f2", "table"}
    assert unequal < 10


# ---- banks that hold unequally many


def test_elements_that_fill_the_banks_unequally() -> None:
    """Document 000's tile without its upper rows: its elements lie in half of the banks of the destination."""
    source = [32 * row + column for row in range(2) for column in range(32)]
    destination = [row + 4 * column for row in range(2) for column in range(32)]
    schedule = checked(source, destination, 4)
    assert (schedule.read.wavefronts, schedule.write.wavefronts) == (2, 4)
    assert schedule.optimal
    assert not schedule.conflict_free
    assert "no write takes fewer than 4" in schedule.proof


def test_bytes_of_a_ragged_tile_share_words() -> None:
    """192 bytes in 48 words fill the banks unequally, and still every group of lanes takes one wavefront."""
    source = [3 * row + column for row in range(64) for column in range(3)]
    destination = [row + 64 * column for row in range(64) for column in range(3)]
    schedule = checked(source, destination, 1)
    assert schedule.kind == "table"
    assert schedule.conflict_free


# ---- what it says


@given(st.lists(st.integers(0, 255), min_size=5, max_size=5), st.lists(st.integers(0, 255), max_size=3))
def test_the_expression_of_a_bit_form_is_the_form(lane: list[int], register: list[int]) -> None:
    form = F2Form(tuple(lane), tuple(register))
    terms = str(form).split(" ^ ")
    for values in ({"lane": 19, "r": 5}, {"lane": 31, "r": 2}, {"lane": 6, "r": 7}):
        values["r"] %= 1 << len(register)
        found = 0
        for text in terms:
            found ^= _evaluated(text, values)
        assert found == form.element(values["lane"], values["r"])


def _evaluated(text: str, values: dict[str, int]) -> int:
    """A term such as `(lane & 24) << 2`, read from left to right."""
    words = text.replace("(", "").replace(")", "").split()
    number = values[words[0]] if words[0] in values else int(words[0])
    for sign, operand_text in zip(words[1::2], words[2::2], strict=True):
        amount = int(operand_text)
        number = number & amount if sign == "&" else number << amount if sign == "<<" else number >> amount
    return number


def test_a_schedule_tells_itself() -> None:
    schedule = permute_schedule(range(64), [33 * (i % 2) + i // 2 for i in range(64)], element_bytes=4)
    data = json.loads(json.dumps(schedule.to_json()))
    assert data["kind"] == data["form"]["kind"] == schedule.kind
    assert (data["lanes"], data["registers"], data["element_bytes"]) == (32, 2, 4)
    assert data["read"] == {"wavefronts": 2, "ideal": 2, "lower_bound": 2}
    assert data["proof"] in str(schedule)
    table = TableForm(tuple(map(tuple, rows_of(schedule.form, 32, 2))))
    assert all(table.element(lane, r) == schedule.element(lane, r) for lane in range(32) for r in range(2))


def test_equal_questions_have_equal_answers() -> None:
    sides = shuffled(192, 1), [2 * o for o in shuffled(192, 2)]
    assert permute_schedule(*sides, element_bytes=2).rows == permute_schedule(*sides, element_bytes=2).rows


@pytest.mark.parametrize(
    ("source", "destination", "width", "error", "words"),
    [
        (range(32), range(64), 4, UsageError, "the source has 32 elements, the destination 64"),
        ([], [], 4, UsageError, "at least one element"),
        (range(32), range(32), 3, UsageError, "element_bytes is one of 1, 2, 4, 8, 16, got 3"),
        (range(32), range(32), True, UsageError, "got True"),
        ([0] * 32, range(32), 4, LayoutError, "the source puts elements 0 and 1 at one offset, 0"),
        (range(32), range(-1, 31), 4, LayoutError, "the destination puts element 0 at offset -1"),
        (["a"] * 32, range(32), 4, UsageError, "integers"),
        (range(32), range(2**18), 4, UsageError, "at most 131072"),
        (Layout(2**40), range(32), 4, UsageError, "at most 131072"),
        (Layout(32, term(1, "laneid")), range(32), 4, LayoutError, "not an integer"),
        (TileLayout(S[32] + R[2:32]), range(32), 4, LayoutError, "replicas"),
        (3, range(32), 4, LayoutError, "layout"),
    ],
)
def test_what_is_no_permutation_is_refused(
    source: Any, destination: Any, width: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words.replace("(", r"\(")):
        permute_schedule(source, destination, element_bytes=width)


def test_the_oracle_knows_conflicts() -> None:
    assert cost([0, 128], [0, 1], 4, 32) == 2
