"""Pictures of what analyses answer say what the answers say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright import Access, ComposedLayout, Layout, Swizzle, composition, draw, explain
from tilewright.analysis.permutation.choices import permutation_choices
from tilewright.analysis.permutation.explained import PermutationExplanation, explain_permutation
from tilewright.analysis.permutation.slips import cases
from tilewright.errors import UsageError
from tilewright.figures.scene import Panel

TILE = Layout((8, 64), (64, 1))


@given(st.integers(1, 64), st.sampled_from([8, 16, 32, 64]), st.integers(1, 4))
def test_a_sector_has_the_bytes_that_the_lanes_ask_of_it(stride: int, bits: int, values: int) -> None:
    access = Layout((32, values), (stride, 32 * stride))
    report = tw.coalescing(Layout(32 * stride * values), access, element_bits=bits)
    rows: dict[int, dict[int, set[int]]] = {}
    for value in range(values):
        for lane in range(32):
            first = access(lane, value) * bits // 8
            for byte in range(first, first + bits // 8):
                rows.setdefault(value, {}).setdefault(byte // 32, set()).add(byte)
    found = {row.instruction: dict(row.bytes) for row in report.touched}
    assert found == {
        value: {sector: len(bytes_) for sector, bytes_ in sectors.items()} for value, sectors in rows.items()
    }
    assert sum(map(len, found.values())) == report.sectors
    (panel,) = draw(report).scene.panels
    shown = {(cell.row, cell.key.elements[0]): int(cell.label) for cell in panel.cells}
    columns = {sector for row in found.values() for sector in row}
    assert shown == {
        (row, sector): count
        for row, sectors in found.items()
        for sector, count in sectors.items()
        if sector in sorted(columns)[:64]
    }


@pytest.mark.parametrize(("atoms", "block"), [(16, 128), (8, 24), (1, 12)])
def test_the_picture_of_a_choice_has_every_thread_at_its_elements(atoms: int, block: int) -> None:
    choices = permutation_choices(atoms, block, 32)
    for choice, panel in zip(choices, draw(choices).scene.panels, strict=True):
        assert draw(choice).scene.panels == (panel,)
        held: dict[int, list[int]] = {}
        for cell in panel.cells:
            assert cell.key.elements == (int(panel.rows.labels[cell.row]) + cell.column,)
            held.setdefault(cell.key.owner[0].thread or 0, []).append(cell.key.elements[0])
        assert panel.columns.count <= 64
        assert held == {t: [e for group in choice.elements(t) for e in group] for t in range(atoms)}


@pytest.mark.parametrize("permutation", [(32, 32, 16), (Layout((16, 2), (2, 1)), None, None)])
def test_the_picture_of_a_tile_has_every_thread_at_its_elements(permutation: tuple[object, ...]) -> None:
    atom = tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN")
    found = explain_permutation(tw.make_tiled_mma(atom, Layout((2, 2, 1)), permutation), (64, 32, 32))
    (panel,) = draw(found, kind="permutation").scene.panels
    held: dict[int, set[tuple[int, int]]] = {}
    for cell in panel.cells:
        for owner in cell.key.owner:
            held.setdefault(owner.thread or 0, set()).add((cell.row, cell.column))
    assert held == {thread: set(found.elements(thread)) for thread in range(128)}


WIDE = explain_permutation(cases().tensor.tiled_mma, (64, 128, 32))


@pytest.mark.parametrize("found", [*cases(), WIDE], ids=["scalar", "tensor", "grouped", "wide"])
def test_a_walk_comes_from_the_atom_to_one_thread_s_registers(found: PermutationExplanation) -> None:
    thread = 37
    atom, *modes, steps, part = draw(found, thread=thread).scene.panels
    tile = found.tiled_mma.atom.tv_layout_C
    assert len(atom.cells) == tile.size
    for panel, mode in zip(modes, found.modes, strict=True):
        assert {cell.key.elements[0]: cell.key.group for cell in panel.cells} == dict(enumerate(mode.owners))
    assert {(cell.row, cell.column): int(cell.label) for cell in steps.cells} == {
        (row, column): row * found.steps[1] + column
        for row in range(found.steps[0])
        for column in range(found.steps[1])
    }
    assert (steps.rows.count, steps.columns.count) == found.steps
    registers = {cell.key.coordinate: int(cell.label) for cell in part.cells}
    assert registers == {at: register for register, at in enumerate(found.elements(thread))}
    places = [(int(part.rows.labels[cell.row]), int(part.columns.labels[cell.column])) for cell in part.cells]
    assert places == [cell.key.coordinate for cell in part.cells]


def test_a_large_tile_shows_its_first_step() -> None:
    atom = tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN")
    found = explain_permutation(tw.make_tiled_mma(atom, Layout((2, 2, 1)), (32, 32, 16)), (128, 128, 32))
    (panel,) = draw(found, kind="permutation").scene.panels
    assert (panel.rows.count, panel.columns.count) == (32, 32)
    assert panel.title == "C of the first step; 4 x 4 of them make the tile"


def test_advice_is_drawn_before_and_after() -> None:
    access = Access(Layout((8, 8), (1, 8)), vector_bits=128)
    best = tw.suggest_swizzle(TILE, [access], element_bits=16)[0]
    tiles = draw(best).scene.panels[::2]
    for panel, layout in zip(tiles, (TILE, best.layout), strict=True):
        banks = {(cell.row, cell.column): int(cell.label) for cell in panel.cells}
        assert banks == {(row, column): layout(row, column) // 2 % 32 for row in range(8) for column in range(64)}
    before, after = draw(best).scene.panels[1::2]
    assert "8-way conflict" in before.title
    assert "conflict-free" in after.title


BLOCK, GRID = Layout((2, 5), (5, 1)), Layout((3, 4))


@pytest.mark.parametrize(("outer", "inner"), [(Layout((4, 8), (8, 1)), Layout((2, 4), (1, 2))), (Layout(12), GRID)])
def test_of_a_composition_b_has_the_colours_of_what_a_makes_of_it(outer: Layout, inner: Layout) -> None:
    scene = draw(explain(composition, outer, inner)).scene
    a, b, result = (tones(panel) for panel in scene.panels)
    assert [b[i] for i in range(inner.size)] == [a[inner(i)] for i in range(inner.size)]
    assert b == result


@pytest.mark.parametrize("name", ["logical_divide", "zipped_divide", "tiled_divide", "flat_divide"])
def test_of_a_divide_each_tile_has_one_colour_in_operand_and_result(name: str) -> None:
    whole = Layout((4, 8), (8, 1))
    derivation = explain(getattr(tw, name), whole, (2, 4))
    a, result = (tones(panel) for panel in draw(derivation).scene.panels)
    tiles = tw.zipped_divide(whole, (2, 4))
    colour_of = {tiles(i): i // 8 for i in range(tiles.size)}
    assert a == {i: colour_of[whole(i)] for i in range(32)}
    assert isinstance(derivation.result, Layout)
    assert result == {i: colour_of[derivation.result(i)] for i in range(32)}


@pytest.mark.parametrize("name", ["logical_product", "blocked_product", "raked_product", "zipped_product"])
def test_of_a_product_each_copy_has_the_colour_of_its_place_in_b(name: str) -> None:
    derivation = explain(getattr(tw, name), BLOCK, GRID)
    a, b, result = (tones(panel) for panel in draw(derivation).scene.panels)
    copies = tw.zipped_product(BLOCK, GRID)
    copy_of = {copies(i): i // BLOCK.size for i in range(copies.size)}
    assert set(a.values()) == {0}
    assert b == {i: i % 8 for i in range(GRID.size)}
    assert isinstance(derivation.result, Layout)
    assert result == {i: copy_of[derivation.result(i)] % 8 for i in range(copies.size)}


def test_copies_that_share_values_have_the_colours_of_these() -> None:
    scene = draw(explain(tw.logical_product, Layout((2, 2), (0, 1)), Layout(3))).scene
    assert scene.legend.title == "value"


def test_of_an_inverse_an_index_has_the_colour_of_the_value_that_it_takes_back() -> None:
    layout = Layout((4, 8), (8, 1))
    a, result = (tones(panel) for panel in draw(explain(tw.right_inverse, layout)).scene.panels)
    assert a == {i: result[layout(i)] for i in range(32)}


def test_a_complement_is_drawn_with_what_both_cover() -> None:
    layout = Layout((2, 2), (1, 6))
    scene = draw(explain(tw.complement, layout, 24)).scene
    *_, both = scene.panels
    assert sorted(int(cell.label) for cell in both.cells) == list(range(24))
    result = tones(scene.panels[1])
    assert tones(both) == {i: result[i // 4] for i in range(24)}


def test_what_no_rule_links_has_the_colours_of_its_values_and_its_steps_below() -> None:
    derivation = explain(tw.coalesce, Layout((2, (1, 6)), (1, (6, 2))))
    scene = draw(derivation).scene
    colours = {cell.label: cell.tone for panel in scene.panels for cell in panel.cells}
    assert all(colours[cell.label] == cell.tone for panel in scene.panels for cell in panel.cells)
    assert scene.notes[1:] == tuple(str(derivation).splitlines())


def tones(panel: Panel) -> dict[int, int | None]:
    """The colour of each index."""
    return {cell.key.elements[0]: cell.tone for cell in panel.cells}


def test_where_a_number_lies_is_framed() -> None:
    scene = draw(tw.explain(tw.crd2idx, (1, 2), Layout((4, 8), (8, 1)))).scene
    assert [(cell.row, cell.column) for cell in scene.panels[0].cells if cell.marked] == [(1, 2)]
    assert scene.notes[1] == "framed: 10"
    with pytest.raises(UsageError, match="no operand is a layout"):
        draw(tw.explain(tw.crd2idx, (1, 2), (4, 8), (8, 1)))


@given(st.integers(0, 3), st.integers(0, 3), st.sampled_from([2, 3]))
def test_layouts_that_are_compared_are_framed_where_they_differ(b: int, m: int, s: int) -> None:
    one = Layout((8, 8), (8, 1))
    other = ComposedLayout(Swizzle(min(b, s), m, s), 0, one)
    scene = draw(one, kind="compare", to=other).scene
    differ = {(r, c) for r in range(8) for c in range(8) if one(r, c) != other(r, c)}
    for panel in scene.panels:
        assert {(cell.row, cell.column) for cell in panel.cells if cell.marked} == differ
    assert f"differ in {len(differ)} of 64 cells" in scene.notes[1] or (
        not differ and "agree in all 64" in scene.notes[1]
    )


def test_layouts_of_other_sizes_are_compared_where_both_are() -> None:
    scene = draw(Layout((2, 3), (3, 1)), kind="compare", to=Layout((3, 2), (2, 1))).scene
    assert scene.notes[1:] == (
        "framed: they differ in 2 of 4 cells, first at (1,0): 3 and 2; 4 cells are in one of them only",
    )
    with pytest.raises(UsageError, match="as to="):
        draw(Layout((2, 3)), kind="compare")
