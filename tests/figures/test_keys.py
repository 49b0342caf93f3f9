"""What cells stand for: keys say what the objects answer, formulas come to it, and links find the same."""

from __future__ import annotations

from collections import Counter
from functools import reduce
from math import prod
from operator import xor

import pytest
from drawn import FRAGMENT, LAYOUTS, MMA, ROWS, SWIZZLED, TILE, figures
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.errors import UsageError
from tilewright.figures.cell import Cell
from tilewright.figures.draw import draw
from tilewright.figures.figure import Figure
from tilewright.figures.links import BY, linked
from tilewright.figures.scene import Place, Scene
from tilewright.layout.layout import Layout

FIGURES = figures()


def at(scene: Scene) -> dict[Place, Cell]:
    return {Place(n, c.row, c.column): c for n, panel in enumerate(scene.panels) for c in panel.cells}


def only(figure: Figure) -> tuple[Cell, ...]:
    (panel,) = figure.scene.panels
    return panel.cells


def value(text: str) -> int:
    """The number that sums of products, or XORs, come to."""
    if " ^ " in text:
        return reduce(xor, map(int, text.split(" ^ ")))
    return sum(prod(map(int, term.split("*"))) for term in text.split(" + "))


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_element_of_a_layout_has_one_cell_with_its_value(name: str) -> None:
    cells = only(FIGURES[name])
    assert sorted(cell.key.elements for cell in cells) == [(i,) for i in range(len(cells))]
    for cell in cells:
        told = cell.note.split(" -> ")
        assert told[0] == str(cell.key.coordinate).replace(" ", "").replace(",)", ")")
        assert (cell.key.offset is None) == (told[1] != str(cell.key.offset))
        assert cell.key.place or cell.key.offset is not None or name == "replicas alone"


@pytest.mark.parametrize("name", [n for n in LAYOUTS if all(c.key.offset is not None for c in only(FIGURES[n]))])
def test_formulas_come_to_the_offset(name: str) -> None:
    for cell in only(FIGURES[name]):
        for step in filter(None, cell.formula.split("; ")):
            if " through " not in step:
                left, _, right = step.rpartition(" = ")
                assert value(left) == int(right)
        assert not cell.formula or int(cell.formula.split(" = ")[-1]) == cell.key.offset


@given(
    st.tuples(st.integers(1, 4), st.tuples(st.integers(1, 3), st.integers(1, 4))),
    st.tuples(st.integers(-5, 20), st.tuples(st.integers(-5, 20), st.integers(-5, 20))),
)
def test_keys_and_formulas_of_any_layout(shape: tuple[int, ...], stride: tuple[int, ...]) -> None:
    layout = Layout(shape, stride)
    for cell in only(draw(layout)):
        assert cell.key.offset == layout(cell.key.coordinate) == layout(cell.key.elements[0])
        if layout.size > 1:
            left, right = cell.formula.split(" = ")
            assert value(left) == int(right) == cell.key.offset


def test_formulas_of_named_axes_come_to_the_first_place() -> None:
    for cell in only(draw(FRAGMENT, shape=(8, 16))):
        assert len(cell.key.place) == 2
        found: Counter[str] = Counter()
        for term in cell.formula.split(" = ")[0].split(" + "):
            number, _, axis = term.partition("@")
            if not number.startswith("(0..1)"):
                found[axis or "m"] += value(number)
        assert found == dict(cell.key.place[0])


def test_shared_memory_is_said_in_the_units_of_the_bank_model() -> None:
    for cell in only(FIGURES["grid of banks"]):
        offset = cell.key.offset
        assert offset is not None
        assert (cell.key.byte, cell.key.bank, cell.key.line) == (2 * offset, offset // 2 % 32, offset // 64)
        assert cell.key.group == 4 * (offset // 2 % 32 // 4)


# ---- links


def test_an_element_finds_all_its_owners_and_a_thread_its_elements() -> None:
    scene = FIGURES["mma"].scene
    cells = at(scene)
    for place, cell in cells.items():
        operand = scene.panels[place.panel].subject
        (thread, _), *_ = cell.key.owner
        elements = {"A": set[int](), "B": set[int](), "C": set[int]()}
        for there in linked(scene, place, "thread"):
            elements[scene.panels[there.panel].subject].update(cells[there].key.elements)
        for name, found in elements.items():
            layout = MMA.tv_layout(name)
            assert found == {layout(thread, v) for v in range(layout[1].size)}
        assert linked(scene, place, "element") == (place,)
        for owner in cell.key.owner:
            assert cell.key.elements == (MMA.tv_layout(operand)(*owner),)


@pytest.mark.parametrize("layout", [TILE, SWIZZLED])
def test_a_phase_finds_the_elements_it_serves_and_their_threads(layout: object) -> None:
    scene = draw(layout, kind="banks", element_bits=16, access=ROWS).scene
    cells = at(scene)
    report = bank_conflicts(layout, ROWS, element_bits=16)
    for place, cell in cells.items():
        if place.panel == 1 and cell.label:
            assert cell.key.phase is not None
            words = report.phases[cell.key.phase].by_bank[place.column]
            tile = [there for there in linked(scene, place, "element") if there.panel == 0]
            assert {cells[there].key.bank for there in tile} == {place.column}
            assert {cells[there].key.byte // 4 for there in tile} == set(words)  # type: ignore[operator]  # a cell in memory
            threads = {owner.thread for there in tile for owner in cells[there].key.owner}
            assert {owner.thread for owner in cell.key.owner} <= threads


def test_memory_and_tile_name_the_same_elements() -> None:
    """A layout's picture and the one of its lines: an element lies in the words that its bytes lie in."""
    tile = {cell.key.elements[0]: cell.key for cell in only(FIGURES["grid of banks"])}
    found = set()
    for cell in only(FIGURES["memory"]):
        assert (cell.row, cell.column) == (cell.key.line, cell.key.bank)
        for element in cell.key.elements:
            assert (tile[element].line, tile[element].bank) == (cell.row, cell.column)
            found.add(element)
        assert {ROWS(*owner) for owner in cell.key.owner} == {e for e in cell.key.elements if e < ROWS.size}
    assert found == set(tile)


@pytest.mark.parametrize("name", FIGURES)
def test_links_are_an_equivalence_of_sharing(name: str) -> None:
    scene = FIGURES[name].scene
    first, *_ = at(scene)
    for by in BY:
        for there in linked(scene, first, by)[:3]:
            assert first in linked(scene, there, by)


def test_wrong_links_are_refused() -> None:
    scene = FIGURES["rank 2"].scene
    with pytest.raises(UsageError, match="not by 'colour'"):
        linked(scene, Place(0, 0, 0), "colour")
    with pytest.raises(UsageError, match="no cell is at"):
        linked(scene, Place(0, 9, 0))


def test_colours_of_a_coordinate_are_told_as_its_position() -> None:
    assert draw(tw.make_identity_layout((4, 8))).scene.legend.title == "position 0"
    assert draw(tw.make_identity_layout((4, 8)), color="1").scene.legend.title == "position 1"
