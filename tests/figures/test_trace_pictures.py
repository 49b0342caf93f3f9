"""Pictures of traces show the moments that are asked for, and what these cost."""

from __future__ import annotations

from typing import Any

import pytest

from tilewright.analysis.banks.report import BankReport
from tilewright.arch import get
from tilewright.errors import UsageError, counted
from tilewright.explorer.trace.store import SHIPPED, Traces
from tilewright.figures.draw import draw
from tilewright.figures.trace.accesses import reports
from tilewright.figures.trace.model import Event, Op, Trace

PLAIN = Traces()["transpose, plain tile"]


@pytest.mark.parametrize("name", SHIPPED)
def test_each_access_of_shared_memory_is_shown_once_with_its_source(name: str) -> None:
    trace = Traces()[name]
    titles = [panel.title for panel in draw(trace).scene.panels if panel.title.startswith("step ")]
    assert 1 <= len(titles) <= 6
    moments = {moment.step: moment for moment in trace.moments(0)}
    for title in titles:
        ops = moments[int(title.split(",")[0].removeprefix("step "))].ops
        assert f", line {ops[0].line}: {ops[0].source.strip()}" in title
        assert any(op.space == "shared" for op in ops) or all(event.op.space != "shared" for event in trace.events)


@pytest.mark.parametrize("step", [2, 18])
def test_a_moment_has_its_threads_words_and_wavefronts(step: int) -> None:
    (moment,) = (one for one in PLAIN.moments(0) if one.step == step)
    ((_, report),) = ((op, found) for op, found in reports(moment, get("sm_90")) if isinstance(found, BankReport))
    lanes, words, banks = draw(PLAIN, steps=step).scene.panels
    assert [cell.key.elements for cell in lanes.cells] == [(thread,) for thread in moment.threads]
    assert sorted(cell.key.elements[0] for cell in words.cells) == sorted(
        e.address // 4 for e in moment.events if e.address is not None
    )
    assert any(cell.marked for cell in words.cells) == (not report.conflict_free)
    assert f"{counted(report.wavefronts, 'wavefront')}, ideal {report.ideal}" in banks.title


def test_without_shared_memory_each_access_to_global_memory_is_shown_once() -> None:
    titles = [panel.title for panel in draw(Traces()["permute in registers"]).scene.panels]
    assert [title.split(",")[0] for title in titles if title.startswith("step")] == ["step 1", "step 11"]


def test_two_accesses_of_one_line_are_two_moments() -> None:
    ops = [Op("load", "memref.load", "k.py", 3, "s[t] + u[t]", buffer, "shared", 4) for buffer in "su"]
    events = tuple(Event(step, op, 0, 0, (0,), 0, 0, 1.0) for step, op in enumerate((*ops, *ops)))
    titles = [panel.title for panel in draw(Trace("k", 1, 32, 32, events)).scene.panels]
    assert [title.split(",")[0] for title in titles if title.startswith("step")] == ["step 0", "step 1"]


def test_moments_stand_in_the_order_asked_for() -> None:
    titles = [panel.title for panel in draw(PLAIN, steps=(18, 2)).scene.panels]
    assert [title.split(",")[0] for title in titles if title.startswith("step")] == ["step 18", "step 2"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"steps": 9999}, "no step 9999 of this block is in the trace, it has 1 to"),
        ({"steps": []}, "1 to 32 steps"),
        ({"steps": "2"}, "no step '2'"),
        ({"block": 7}, "no event of block 7"),
        ({"arch": "gfx942"}, "warps of 32 lanes, gfx942 of 64"),
    ],
)
def test_what_is_not_in_the_trace_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        draw(PLAIN, **options)
    with pytest.raises(UsageError, match=r"what kernel\.trace gives"):
        draw(3, kind="trace")


class Other:
    """Something that is recorded, but no trace."""

    selection = None

    def __init__(self, said: object) -> None:
        self.said = said

    def json(self) -> object:
        return self.said


@pytest.mark.parametrize("said", [3, "{}", "[", None])
def test_what_only_looks_like_a_trace_is_refused(said: object) -> None:
    with pytest.raises(UsageError, match=r"trace"):
        draw(Other(said))


def test_an_empty_trace_is_refused() -> None:
    with pytest.raises(UsageError, match="without events"):
        draw(Trace("k", 1, 32, 32, ()))
