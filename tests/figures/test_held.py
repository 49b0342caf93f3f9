"""Pictures of what users hold beside layouts and atoms: operands, sides, accesses, counterexamples."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright import Access, Layout
from tilewright.errors import UsageError
from tilewright.figures.draw import draw
from tilewright.figures.scene import Panel
from tilewright.layout.witness import Counterexample

ATOM = tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN")
TILED = tw.make_tiled_mma(ATOM, Layout((2, 2, 1)))
MMAS = [ATOM, TILED, tw.atoms.mma("SM90_64x8x16_F32F16F16_SS")]
LDSM = tw.make_copy_atom("SM75_U32x4_LDSM_N", 16)
COPIES = [LDSM, tw.make_tiled_copy_A(LDSM, TILED)]


def cells(panel: Panel) -> dict[tuple[int, int], tuple[str, bool]]:
    return {(cell.row, cell.column): (cell.label, cell.marked) for cell in panel.cells}


@pytest.mark.parametrize("mma", MMAS, ids=str)
def test_an_operand_is_its_panel_of_the_whole(mma: Any) -> None:
    whole = {panel.subject: panel for panel in draw(mma).scene.panels}
    for letter in "ABC":
        (alone,) = draw((mma, letter)).scene.panels
        assert (alone.title, cells(alone)) == (whole[letter].title, cells(whole[letter]))
        assert [panel.subject for panel in draw(mma, operands="C" + letter).scene.panels] == sorted({"C", letter})


def test_of_a_thread_its_part_of_the_operand_is_coloured() -> None:
    part = TILED.get_slice(5).partition("A", tw.make_identity_tensor(TILED.tile("A")))
    (panel,) = draw((TILED.get_slice(5), "A")).scene.panels
    assert {(c.row, c.column) for c in panel.cells if c.tone is not None} == {part(i) for i in range(part.size)}


@pytest.mark.parametrize("copied", COPIES, ids=str)
def test_a_side_is_its_panel_of_both(copied: Any) -> None:
    both = draw(copied).scene.panels
    for letter, panel in zip("SD", both, strict=True):
        (alone,) = draw((copied, letter)).scene.panels
        assert (alone.title, cells(alone)) == (panel.title, cells(panel))


@given(st.permutations(range(16)), st.sampled_from([1, 2, 4, 8]), st.sampled_from(["load", "store"]))
def test_an_access_shows_who_has_which_element(order: list[int], threads: int, kind: str) -> None:
    layout = Layout((threads, 16 // threads), (16 // threads, 1))
    access = Access(layout, vector_bits=32, kind=kind, name="mine", notes=("a note",))
    scene = draw(access, tile=(4, 4)).scene
    found = cells(scene.panels[0])
    for thread in range(threads):
        for value in range(16 // threads):
            at = layout(thread, value)
            assert found[at % 4, at // 4][0] == f"T{thread}\nV{value}"
    assert scene.title == f"mine: {layout}"
    assert scene.notes[-2:] == (f"a {kind}, 32 bits of a thread at a time", "a note")
    one = draw(access, tile=(4, 4), highlight=[0]).scene.panels[0]
    assert sum(cell.tone is not None for cell in one.cells) == 16 // threads


MODES = st.tuples(st.integers(1, 4), st.integers(1, 4))
STRIDES = st.tuples(st.integers(0, 9), st.integers(0, 9))
LAYOUTS = st.builds(Layout, MODES, STRIDES)


@given(
    LAYOUTS, LAYOUTS, st.sampled_from([tw.is_injective, tw.is_contiguous, tw.is_surjective, tw.equivalent, tw.overlaps])
)
def test_a_counterexample_is_framed_in_its_layouts(a: Layout[int], b: Layout[int], predicate: Any) -> None:
    asked = (a, b) if predicate in (tw.equivalent, tw.overlaps) else (a,)
    found = tw.counterexample(predicate, *asked)
    if found is None:
        return
    scene = draw(found).scene
    assert scene.title == str(found)
    own = [found.elements] * len(asked) if predicate is not tw.overlaps else [(i,) for i in found.elements]
    for panel, layout, elements in zip(scene.panels, asked, own, strict=True):
        marked = {(cell.row, cell.column) for cell in panel.cells if cell.marked}
        assert marked == {(i % layout[0].size, i // layout[0].size) for i in elements}
    if predicate is tw.is_injective:
        assert len({cell.label for cell in scene.panels[0].cells if cell.marked}) == 1


def test_of_a_tensor_its_layout_is_drawn() -> None:
    layout = Layout((4, 2), (1, 2))
    found = tw.counterexample(tw.is_injective, tw.Tensor(numpy.zeros(8), layout))
    assert found == tw.counterexample(tw.is_injective, layout)
    assert found is not None
    assert found.layouts == (layout,)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ((MMAS[0], "Z"), "operands of an MMA are A, B and C, got 'Z'"),
        ((MMAS[0], 3), "operands of an MMA are A, B and C, got 3"),
        ((MMAS[0], ""), "operands of an MMA are A, B and C"),
        ((COPIES[1], "A"), "sides of a copy are S and D, got 'A'"),
        ((COPIES[1], ["S"]), "sides of a copy are S and D"),
        (Access(instruction="tma"), "reaches a tile through a descriptor"),
        (Counterexample("none", (), ()), "is drawn in its layouts"),
    ],
)
def test_what_cannot_be_drawn_says_why(given: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        draw(given)


def test_a_pair_and_an_option_do_not_both_say_it() -> None:
    with pytest.raises(UsageError, match="the pair says operands='A', and so does the option: 'B'"):
        draw((ATOM, "A"), operands="B")


@pytest.mark.parametrize("kind", ["access", "counterexample"])
def test_another_object_is_none(kind: str) -> None:
    with pytest.raises(UsageError, match=f"as an? {kind}"):
        draw(Layout(4), kind=kind)
