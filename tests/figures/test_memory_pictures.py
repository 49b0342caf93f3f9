"""Bank and memory pictures say what the bank model says, and what bytes say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import pytest
from drawn import FRAGMENT
from hypothesis import given
from hypothesis import strategies as st

from tilewright.analysis.banks.conflicts import bank_conflicts, bank_conflicts_at
from tilewright.analysis.model.access import Access
from tilewright.arch import get
from tilewright.errors import UsageError, counted
from tilewright.figures.cell import Cell
from tilewright.figures.draw import draw
from tilewright.figures.phases import MOST_ROWS, telling
from tilewright.figures.scene import Panel
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.layout import S, TileLayout, laneid

TILE = Layout((8, 64), (64, 1))
SWIZZLED = ComposedLayout(Swizzle(3, 3, 3), 0, TILE)
ROWS = Layout((8, 8), (1, 8))  # lane t holds the 8 halves of row t


def labels(panel: Panel) -> dict[tuple[int, int], str]:
    return {(cell.row, cell.column): cell.label for cell in panel.cells}


@pytest.mark.parametrize("layout", [TILE, SWIZZLED])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_the_tile_shows_the_bank_of_each_element(layout: Layout | ComposedLayout, bits: int) -> None:
    (panel,) = draw(layout, kind="banks", element_bits=bits).scene.panels
    for (row, column), label in labels(panel).items():
        assert int(label) == layout(row, column) * bits // 8 // 4 % 32


@pytest.mark.parametrize(("layout", "wavefronts"), [(TILE, 8), (SWIZZLED, 1)])
def test_an_access_is_counted_by_the_bank_model(layout: Layout | ComposedLayout, wavefronts: int) -> None:
    access = Access(ROWS, instruction="ldmatrix.x1")
    tile, phases = draw(layout, kind="banks", element_bits=16, access=access).scene.panels
    report = bank_conflicts(layout, ROWS, element_bits=16, instruction="ldmatrix.x1")
    assert report.wavefronts == wavefronts
    assert f": {counted(wavefronts, 'wavefront')}, ideal 1" in phases.title
    for row, phase in enumerate(report.phases):
        wanted = {bank: str(len(words)) for bank, words in phase.by_bank.items()}
        assert {cell.column: cell.label for cell in phases.cells if cell.row == row and cell.label} == wanted
    assert {(c.row, c.column) for c in tile.cells if c.marked} == {(r, c) for r in range(8) for c in range(8)}


@pytest.mark.parametrize("arch", ["sm_90", "gfx942", "gfx950", "gfx1201"])
@pytest.mark.parametrize(("kind", "width"), [(kind, width) for kind in ("load", "store") for width in (4, 8, 16)])
def test_banks_of_phases_are_those_that_serve_the_instruction(arch: str, kind: str, width: int) -> None:
    """On gfx950 reads find 64 banks and writes 32: each cell has the lanes that want a word of its bank."""
    spec = get(arch)
    tile, lanes = Layout((spec.lanes, width), (width, 1)), Layout((spec.lanes, width), (1, spec.lanes))
    access = Access(lanes, vector_bits=8 * width, kind=kind)
    grid, panel = draw(tile, kind="banks", element_bits=8, access=access, arch=arch, whole=True).scene.panels
    rule = spec.rule(kind, width)
    assert panel.columns.count == rule.banks
    assert all(int(cell.label) == tile(cell.row, cell.column) // 4 % rule.banks for cell in grid.cells)
    words = {lane: range(lane * width // 4, (lane + 1) * width // 4) for lane in range(spec.lanes)}
    for cell in panel.cells:
        wanting = [n for n in rule.groups[cell.row] if any(word % rule.banks == cell.column for word in words[n])]
        assert sorted(owner.thread or 0 for owner in cell.key.owner) == sorted(wanting)
    alone = draw(bank_conflicts(tile, access, element_bits=8, arch=arch)).scene.panels[0]
    assert [cell.label for cell in alone.cells] == [cell.label for cell in panel.cells]


@given(st.lists(st.integers(0, 7), min_size=1, max_size=90))
def test_of_many_phases_each_kind_is_a_row(strides: list[int]) -> None:
    """Access i reads 32 words at a distance of strides[i]: the kinds are the distances that share banks alike."""
    report = bank_conflicts_at([[4 * stride * lane for lane in range(32)] for stride in strides], 4)
    rows = telling(report)
    if len(strides) <= MOST_ROWS:
        assert [row.number for row in rows] == list(range(len(strides)))
    else:
        assert sum(row.alike + 1 for row in rows) == len(strides) > len(rows)
        assert max(row.phase.wavefronts for row in rows) == max(phase.wavefronts for phase in report.phases)
    (panel,) = draw(report).scene.panels
    assert len(set(panel.rows.labels)) == len(panel.rows.labels) == len(rows)


@given(st.permutations(range(32)), st.sampled_from([8, 16, 32, 64, 128]))
def test_every_byte_of_every_element_has_its_word(order: list[int], bits: int) -> None:
    layout = Layout((4, 8), (8, 1))
    (panel,) = draw(layout, kind="memory", element_bits=bits).scene.panels
    notes = {32 * cell.row + cell.column: cell.note for cell in panel.cells}
    for index in order:
        row, column = divmod(index, 8)
        for byte in range(layout(row, column) * bits // 8, (layout(row, column) + 1) * bits // 8):
            assert f"({row},{column})" in notes[byte // 4]
    assert len(notes) == max(1, 32 * bits // 32)
    for cell in panel.cells:
        assert cell.label == f"{cell.key.elements[0] % 4},{cell.key.elements[0] // 4}"


@pytest.mark.parametrize(("shift", "wavefronts"), [(0, 16), (3, 4)])
def test_no_column_has_a_colour_twice_exactly_when_free(shift: int, wavefronts: int) -> None:
    """The write phase of the 4x32 transpose, without and with the XOR of document 000."""
    written = Layout((32, 4), (4, 1))
    plain = Layout((32, 4))
    access = ComposedLayout(Swizzle(2, shift, shift - 5), 0, plain) if shift else plain
    (panel,) = draw(written, kind="memory", element_bits=32, access=access).scene.panels
    worst = Counter((cell.column, cell.tone) for cell in panel.cells)
    assert max(worst.values()) == wavefronts // 4
    assert bank_conflicts(written, access, element_bits=32, kind="store").wavefronts == wavefronts


@pytest.mark.parametrize("kind", ["banks", "memory"])
def test_what_has_no_offsets_is_refused(kind: str) -> None:
    from tilewright.layout.axes import term

    with pytest.raises(UsageError, match="offset"):
        draw(Layout((4, 8), (term(1, "laneid"), 1)), kind=kind, element_bits=16)
    with pytest.raises(UsageError, match="too many"):
        draw(Layout((4, 8), (2**30, 1)), kind="memory", element_bits=16)
    with pytest.raises(UsageError, match="modes"):
        draw(TILE, kind="memory", element_bits=16, access=Layout(8))


@given(st.sampled_from(["laneid", "warpid", "m"]), st.sampled_from([None, "laneid", "m"]))
def test_all_copies_of_an_element_lie_where_the_layout_says_and_have_its_colour(color: str, across: str | None) -> None:
    tile, there = draw(FRAGMENT, kind="placement", shape=(8, 16), color=color, across=across).scene.panels
    found: dict[int, list[Cell]] = {}
    for cell in there.cells:
        for element in cell.key.elements:
            found.setdefault(element, []).append(cell)
    for cell in tile.cells:
        (element,) = cell.key.elements
        places = [dict(copy.key.place[0]) for copy in found[element]]
        assert sorted(map(str, places)) == sorted(str(_ordered(p, places[0])) for p in FRAGMENT.apply(element))
        assert {copy.tone for copy in found[element]} == {cell.tone}
        assert cell.key.group == dict(cell.key.place[0])[color]


def _ordered(place: Mapping[str, int], order: Iterable[str]) -> dict[str, int]:
    return {axis: place[axis] for axis in order}


def test_a_place_that_holds_several_elements_names_them() -> None:
    layout = TileLayout(S[(2, 4) : (0 @ laneid, 1 @ laneid)])
    there = draw(layout, kind="placement").scene.panels[1]
    assert [cell.key.elements for cell in there.cells] == [(i, i + 4) for i in range(4)]


@pytest.mark.parametrize("arch", ["sm_90", "gfx942", "gfx950"])
def test_rows_name_all_lanes_that_are_served_together(arch: str) -> None:
    report = bank_conflicts_at([16 * lane for lane in range(64)], 16, arch=arch)
    for label, phase in zip(draw(report).scene.panels[0].rows.labels, report.phases, strict=True):
        ends = [part.partition("-") for part in label.rpartition("lanes ")[2].split(",")]
        assert [lane for first, _, last in ends for lane in range(int(first), int(last or first) + 1)] == list(
            phase.lanes
        )
