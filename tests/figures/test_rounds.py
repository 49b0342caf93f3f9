"""Pictures of permutes, round by round, say what the bank model counts of schedules and what traces hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.analysis.permute.schedule import PermuteSchedule, permute_schedule
from tilewright.arch import get
from tilewright.errors import UsageError
from tilewright.explorer.trace.store import Traces
from tilewright.figures.draw import draw
from tilewright.figures.rounds import MOST_ROUNDS, schedule_touches, turns, wavefronts
from tilewright.figures.scene import Panel
from tilewright.figures.trace.rounds import rounds


@st.composite
def schedules(draw_: st.DrawFn) -> PermuteSchedule:
    count = 32 * draw_(st.sampled_from([1, 2, 4])) + draw_(st.sampled_from([0, 0, 5]))
    places = draw_(st.permutations(range(count)))
    width, arch = draw_(st.sampled_from([1, 2, 4, 8])), draw_(st.sampled_from(["sm_90", "gfx942"]))
    return permute_schedule(range(count), places, element_bytes=width, arch=arch, in_order=draw_(st.booleans()))


@given(schedules())
def test_turns_cost_what_the_bank_model_counts(schedule: PermuteSchedule) -> None:
    for side, cost in ((schedule.source, schedule.read), (schedule.destination, schedule.write)):
        every = turns(schedule_touches(schedule, side), side.rule)
        assert sum(wavefronts(turn, side.width, side.slots) for turn in every) == cost.wavefronts


@given(schedules())
def test_each_element_is_read_and_written_once_where_it_lies(schedule: PermuteSchedule) -> None:
    registers, read, write = draw(schedule, plain=False).scene.panels
    held = sorted((cell.key.elements[0], cell.key.owner[0]) for cell in registers.cells)
    assert [element for element, _ in held] == list(range(len(schedule.source.offsets)))
    for panel, side in ((read, schedule.source), (write, schedule.destination)):
        assert sorted(_moves(panel)) == held
        for cell in panel.cells:
            banks = {side.cells[element] % side.slots * max(1, side.width // 4) for element in cell.key.elements}
            assert banks == {cell.key.bank}
            assert cell.marked == (len({side.cells[element] for element in cell.key.elements}) > 1)


def _moves(panel: Panel) -> list[tuple[int, object]]:
    return [pair for cell in panel.cells for pair in zip(cell.key.elements, cell.key.owner, strict=True)]


def test_a_schedule_is_drawn_beside_the_order_that_it_mends() -> None:
    columns = [4 * (i % 32) + i // 32 for i in range(128)]
    titles = [panel.title for panel in draw(permute_schedule(range(128), columns, element_bytes=4)).scene.panels]
    assert [title for title in titles if title.startswith("write")] == [
        "write in order: 16 wavefronts, ideal 4",
        "write: 4 wavefronts, ideal 4",
    ]
    in_order = draw(permute_schedule(range(128), range(128), element_bytes=4))
    assert len(in_order.scene.panels) == 3
    with pytest.raises(UsageError, match="what permute_schedule gives"):
        draw(3, kind="permute")


def test_rounds_beyond_those_that_are_drawn_are_counted() -> None:
    count = 32 * (MOST_ROUNDS + 2)
    scene = draw(permute_schedule(range(count), range(count), element_bytes=4)).scene
    assert "left out: 2 more rounds" in scene.notes
    for panel in scene.panels:
        assert {owner.value for cell in panel.cells for owner in cell.key.owner} == set(range(MOST_ROUNDS))
        assert panel.rows.count == MOST_ROUNDS


def test_the_rounds_of_a_trace_are_those_of_the_schedule() -> None:
    trace = Traces()["permute in registers"]
    moments = trace.moments(0)
    columns = [4 * (i % 32) + i // 32 for i in range(128)]
    expected = draw(permute_schedule(range(128), columns, element_bytes=4), plain=False).scene.panels[1:]
    for stage, at in enumerate((0, len(moments) - 1)):
        scene = rounds(moments, moments[at], get("sm_90"))
        assert scene
        assert [min(cell.key.byte or 0 for cell in panel.cells) for panel in scene.panels] == [512 * stage] * 2
        for panel, schedule in zip(scene.panels, expected, strict=True):
            assert sorted(_moves(panel)) == sorted(_moves(schedule))
            assert [(c.row, c.column, c.label) for c in panel.cells] == [
                (c.row, c.column, c.label) for c in schedule.cells
            ]


def test_what_is_no_permute_has_no_rounds() -> None:
    moments = Traces()["transpose, plain tile"].moments(0)
    assert rounds(moments, moments[0], get("sm_90")) is None
