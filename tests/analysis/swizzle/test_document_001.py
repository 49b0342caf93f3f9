"""Document 001's tables, cell for cell, and the laws of a tile staged through swizzled shared memory.

`document_001.json` holds the tables as the document prints them. Where one of our cells differs the document slips, and
the tests say which cells those are.
"""

from __future__ import annotations

import json
import runpy
from collections import Counter
from pathlib import Path

import pytest
from bank_oracle import wavefronts
from hypothesis import assume, given
from hypothesis import strategies as st

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.analysis.swizzle.half_tile import (
    Movement,
    StagedTile,
    column_major,
    movements,
    row_major,
    staged_half_tile,
)
from tilewright.analysis.swizzle.half_tile_tables import Texts, masks, numbers, owned, slips, tables, threads, xor
from tilewright.errors import LayoutError
from tilewright.figures import draw
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle

ROOT = Path(__file__).parents[3]
PRINTED: list[list[list[str]]] = json.loads((ROOT / "tests" / "data" / "document_001.json").read_text())

# (table, row, column) -> what is right there.
WRONG = {
    (2, 0, 0): "0 00000",
    (11, 14, 4): "T30,T31(31)",
    (11, 14, 5): "T28,T29(30)",
    (11, 14, 6): "T30,T31(63)",
    (11, 14, 7): "T28,T29(62)",
}

swizzles = st.tuples(st.integers(0, 2), st.integers(3, 4), st.integers(2, 4)).map(lambda bms: Swizzle(*bms))
moves = st.sampled_from(range(4))


def document() -> list[list[list[str]]]:
    """The document's tables without TeX; its table of vectors without the head that a page break repeats."""
    plain = [[[cell.translate(str.maketrans("", "", "_{}$")) for cell in row] for row in table] for table in PRINTED]
    plain = [[[cell.replace(" (", "(").replace(", T", ",T") for cell in row] for row in table] for table in plain]
    first, (head, *rest) = plain[10], plain[11]
    assert head == first[0]
    return [*plain[:10], first + rest, plain[12]]


def computed() -> list[Texts]:
    return [(table.header, *table.rows) if table.header else table.rows for table in tables()]


def test_every_cell_is_the_documents_but_for_its_slips() -> None:
    ours, theirs = computed(), document()
    assert len(ours) == len(theirs) == 12
    different = {}
    for t, (mine, printed) in enumerate(zip(ours, theirs, strict=True)):
        for r, (row, cells) in enumerate(zip(mine, printed, strict=True)):
            for c, (cell, text) in enumerate(zip(row, cells, strict=True)):
                if cell != text:
                    different[t, r, c] = cell
    assert different == WRONG


def test_the_slip_of_the_last_table_is_proved() -> None:
    """Row 56-59 is the document's own table of vectors with the threads of its own table of 64-bit accesses."""
    vectors, pairs = document()[10][14], document()[8]
    right = []
    for vector in map(int, vectors):
        tile, row, half = vector // 32, vector % 32 // 2, vector % 2
        first, second = pairs[row][4 * tile + 2 * half : 4 * tile + 2 * half + 2]
        right.append(f"{first},{second}({vector})")
    assert right == [WRONG[11, 14, column] for column in range(4, 8)]
    assert slips()[0].right == " ".join(right)
    assert slips()[0].printed == " ".join(document()[11][14][4:])


def test_the_slips_are_told_with_their_numbers() -> None:
    text = " ".join(f"{slip.printed} {slip.right} {slip.why}" for slip in slips())
    for words in ("16 x 16 = 255", "16 x 16 = 256", "0 to 8", "0 to 7", "0 000000"):
        assert words in text


# ---- laws


@given(swizzles, moves)
def test_the_four_steps_are_the_swizzled_layout(swizzle: Swizzle, which: int) -> None:
    movement = movements(swizzle)[which]
    tile = movement.tile
    stored = ComposedLayout(swizzle, 0, tile.layout)
    for instruction in range(movement.instructions):
        for step in movement.steps(instruction):
            assert step.number == tile.layout(step.i, step.j)
            assert step.byte * 8 == stored(step.i, step.j) * tile.element_bits
            assert step.byte == 128 * step.line + 16 * step.place + step.byte % 16
            assert movement.threads(step.lane_row, step.lane_col) == step.lane


@given(swizzles, moves)
def test_every_element_moves_once(swizzle: Swizzle, which: int) -> None:
    movement = movements(swizzle)[which]
    length = movement.bits // 16
    steps = [step for i in range(movement.instructions) for step in movement.steps(i)]
    for name in ("number", "swizzled"):
        placed = Counter(getattr(step, name) + k for step in steps for k in range(length))
        assert placed == Counter(range(movement.tile.layout.size))


@given(swizzles, moves)
def test_reports_are_those_of_layouts_and_of_the_oracle(swizzle: Swizzle, which: int) -> None:
    movement = movements(swizzle)[which]
    report = movement.report()
    rows = [[step.byte for step in movement.steps(i)] for i in range(movement.instructions)]
    counted = tuple(wavefronts(row, movement.bits // 8, "sm_90", movement.kind, merge=False) for row in rows)
    assert report.by_instruction == counted
    stored = ComposedLayout(swizzle, 0, movement.tile.layout)
    options = {"vector_bits": movement.bits, "kind": movement.kind, "merge": False}
    assert bank_conflicts(stored, movement.thread_value, element_bits=16, **options).by_instruction == counted


@given(swizzles, st.integers(1, 2))
def test_what_lies_in_the_lines_is_what_was_put_there(swizzle: Swizzle, tiles: int) -> None:
    tile = staged_half_tile(tiles, swizzle)
    where = {vector: 8 * r + c for r, row in enumerate(tile.contents(tile.lines)) for c, vector in enumerate(row)}
    for number in range(0, tile.layout.size, 8):
        assert where[number // 8] == swizzle(number) // 8


def test_lanes_fill_lines() -> None:
    """Of each group 8 lanes write all places, 16 lanes fill one line from registers, 8 lanes read one line."""
    columns, rows, store, load = movements()
    for movement in (columns, rows, load):
        for instruction in range(movement.instructions):
            steps = list(movement.steps(instruction))
            assert all({s.place for s in steps[i : i + 8]} == set(range(8)) for i in range(0, 32, 8))
    for movement, lanes in ((store, 16), (load, 8)):
        for instruction in range(movement.instructions):
            steps = list(movement.steps(instruction))
            for i in range(0, 32, lanes):
                lines = {s.byte // 128 for s in steps[i : i + lanes]}
                touched = {s.byte + k for s in steps[i : i + lanes] for k in range(movement.bits // 8)}
                assert len(lines) == 1
                assert len(touched) == 128


def test_the_swizzle_is_needed_where_a_warp_writes_columns_of_vectors() -> None:
    plain = [movement.without_swizzle().report().ways for movement in movements()]
    assert plain == [2, 1, 1, 1]
    assert all(movement.report().conflict_free for movement in movements())


@given(st.integers(0, 4), st.integers(0, 4), st.integers(-5, 5))
def test_fields_and_numbers_of_any_swizzle(b: int, m: int, s: int) -> None:
    assume(abs(s) >= b)
    swizzle = Swizzle(b, m, s)
    changed, read = (int("".join(row).replace("-", "0").replace("x", "1") or "0", 2) for row in masks(swizzle))
    assert (changed, read) == (swizzle.zzz_mask, swizzle.yyy_mask)
    for decimal, _, binary in (cell.partition(" ") for row in numbers(swizzle) for cell in row):
        assert int(decimal) == int(binary or "0", 2)
    for row in xor(b):
        assert [int(row[0] or "0", 2) ^ c for c in range(1 << b)] == [int(cell or "0", 2) for cell in row[1:]]


def test_tables_of_other_tiles() -> None:
    """A (32,32) tile of words, four lanes a row: the tables and steps follow from the layouts."""
    tile = StagedTile(Layout((32, 32), (32, 1)), Swizzle(3, 2, 3), element_bits=32)
    movement = Movement("words", tile, row_major(4, 8), 128, "store")
    assert movement.instructions == 8
    assert movement.report().conflict_free
    assert [cell for row in threads(movement)[:4] for cell in row] == [f"T{t}" for t in range(32)]
    assert owned(movement, tile.lines, tile.moved)[1] == tuple(f"T{8 + (c ^ 1)}({8 + (c ^ 1)})" for c in range(8))


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(LayoutError, match="takes vectors of 8 elements apart"):
        staged_half_tile(1, Swizzle(2, 2, 3)).moved
    with pytest.raises(LayoutError, match="do not cover 16 x 2 vectors"):
        Movement("odd", staged_half_tile(), column_major(5, 2), 128, "store").report()


# ---- pictures and the example


def test_the_picture_of_a_movement_shows_the_tables() -> None:
    columns = movements()[0]
    tile, plain, stored = draw(columns, plain=True).scene.panels
    for panel, title in ((tile, 4), (stored, 5)):
        labels = {(cell.row, cell.column): cell.label.replace(" ", "") for cell in panel.cells}
        assert labels == {(r, c): text for r, row in enumerate(computed()[title]) for c, text in enumerate(row)}
    assert "8 wavefronts, ideal 4, 2-way conflicts" in plain.title
    assert "4 wavefronts, ideal 4, conflict-free" in stored.title


@pytest.mark.parametrize("which", range(4))
def test_no_column_has_a_colour_twice_exactly_when_free(which: int) -> None:
    movement = movements()[which]
    for how in (movement, movement.without_swizzle()):
        _, lines = draw(how).scene.panels
        twice = max(Counter((cell.column, cell.tone) for cell in lines.cells).values())
        assert twice == how.report().ways


@given(st.integers(0, 3), st.integers(0, 3), st.integers(-4, 4))
def test_the_picture_of_a_swizzle(b: int, m: int, s: int) -> None:
    assume(abs(s) >= b)
    swizzle = Swizzle(b, m, s)
    bits, order, stored = draw(swizzle, kind="swizzle").scene.panels
    row = {cell.column: cell.label for cell in bits.cells if cell.row == 2}
    changed = sum("^" in label for label in row.values())
    assert changed == b
    for before, after in zip(order.cells, stored.cells, strict=True):
        assert int(after.label) << m == swizzle(int(before.label) << m)


def test_the_example_shows_every_table(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = (ROOT / "examples").glob("half_tile.py")
    runpy.run_path(str(example), run_name="__main__")
    printed = capsys.readouterr().out
    for table in computed():
        for row in table:
            assert "  ".join(row) in printed
    assert all(slip.right in printed for slip in slips())
