"""What is known of memory, what an access costs and what is shown of it, of traces made for the purpose."""

from __future__ import annotations

from tilewright.analysis.banks.report import BankReport
from tilewright.arch import get
from tilewright.figures.trace.accesses import Memory, reports
from tilewright.figures.trace.film import Film
from tilewright.figures.trace.model import Event, Moment, Op, Trace
from tilewright.figures.trace.moment import MOST_ROWS, scene
from tilewright.figures.trace.replay import contents

SPEC = get("sm_90")
SHARED = Memory("shared", "s")


def op(kind: str, space: str = "shared") -> Op:
    return Op(kind, f"memref.{kind}", buffer="s", space=space, width_bytes=4)


def event(step: int, what: Op, thread: int, word: int, block: int = 0) -> Event:
    return Event(step, what, block, thread, element=word, address=4 * word, value=float(step))


def test_neighbouring_words_are_one_access_and_others_one_after_the_other() -> None:
    load = op("load")
    for apart, width, wavefronts in ((1, 8, 2), (64, 4, 4)):
        events = [event(1, load, lane, 2 * lane + apart * word) for lane in range(32) for word in (0, 1)]
        ((_, report),) = reports(Moment(1, tuple(events)), SPEC)
        assert isinstance(report, BankReport)
        assert (report.width_bytes, report.wavefronts) == (width, wavefronts)


def test_an_element_that_an_atomic_changed_is_unknown_until_it_is_loaded() -> None:
    ops = (op("store"), op("atomic_add"), op("load"))
    trace = Trace("f", 1, 32, 32, tuple(event(step, one, 0, 7) for step, one in enumerate(ops, 1)))
    assert [dict(contents(trace, 0, step)[SHARED]) for step in (1, 2, 3)] == [{7: 1.0}, {}, {7: 3.0}]


def test_blocks_see_what_others_store_in_global_memory_alone() -> None:
    for space, found in (("global", {3: 1.0}), ("shared", {})):
        trace = Trace("f", 2, 32, 32, (event(1, op("store", space), 0, 3, block=1), event(2, op("load"), 0, 9)))
        assert contents(trace, 0, 2).get(Memory(space, "s"), {}) in (found, {**found, 9: 2.0})


def test_the_rows_of_the_moment_are_shown_before_others() -> None:
    many = Moment(1, tuple(event(1, op("store"), line % 32, 32 * line) for line in range(2 * MOST_ROWS)))
    last = Moment(2, (event(2, op("load"), 0, 32 * 2 * MOST_ROWS),))
    trace = Trace("f", 1, 32, 32, (*many.events, *last.events))
    costs = {one.step: reports(one, SPEC) for one in (many, last)}
    panel = scene(Film(trace, (many, last), last, contents(trace, 0, 2), costs, SPEC)).panels[1]
    assert panel.rows.count == MOST_ROWS
    assert panel.rows.labels[-1] == str(2 * MOST_ROWS)
