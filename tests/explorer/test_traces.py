"""Traces are read as they were written, refused with the place of what is wrong, and kept within bounds."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.errors import UsageError
from tilewright.explorer.engine import Engine
from tilewright.explorer.tabs.kernel import AROUND, MOST_PIECES
from tilewright.explorer.trace.store import KEPT, SHIPPED, Traces
from tilewright.figures.trace.read import MOST_BYTES, MOST_EVENTS, MOST_THREADS, read

SMALL = {
    "schema": "tilewright.trace",
    "version": 2,
    "kernel": "f",
    "grid": [2, 1, 1],
    "block": [64, 1, 1],
    "lanes": 32,
    "ops": [
        {"kind": "store", "text": "memref.store", "line": 3, "buffer": "s", "space": "shared", "width_bytes": 4},
    ],
    "events": [
        {"step": 1, "op": 0, "block": 1, "thread": 33, "element": 2, "address": 8, "value": 0.5},
        {"step": 4, "op": 0, "block": 1, "thread": 1, "element": 1, "address": 4, "value": "nan"},
    ],
}
WRONG = (
    ("version", 3, "trace.version must be 1 or 2"),
    ("schema", "x", "trace.schema"),
    ("grid", [1, 1], "trace.grid"),
    ("grid", [0, 1, 1], "trace.grid"),
    ("block", [1 << 20, 1, 1], "trace.block"),
    ("lanes", 0, "trace.lanes"),
    ("lanes", True, "trace.lanes"),
    ("kernel", 4, "trace.kernel"),
    ("kernel", "\ud800", "trace.kernel must be a text of whole characters"),
    ("truncated", 1, "trace.truncated"),
    ("ops", {}, "trace.ops"),
    ("ops", [], r"trace.events\[0\]"),
    ("ops", [{}], r"trace.ops\[0\].kind"),
    ("ops", [{"kind": "load", "buffer": "s"}], r"trace.ops\[0\].width_bytes"),
    ("events", 3, "trace.events"),
    ("events", [3], r"trace.events\[0\] must be an object"),
)
WRONG_OF_AN_EVENT = (
    ("op", 1),
    ("op", -1),
    ("step", None),
    ("step", 0.5),
    ("block", 2),
    ("thread", 64),
    ("address", -4),
    ("element", 1 << 70),
    ("value", []),
    ("value", "\udfff"),
    ("coordinate", [[1]]),
    ("elements", "x"),
    ("values", [{}]),
)


def changed(data, name, value):
    return json.dumps(data | {name: value})


def test_what_is_written_is_read():
    first, second = read(json.dumps(SMALL)).events
    assert (first.step, first.block, first.thread, first.element, first.address) == (1, 1, 33, 2, 8)
    assert (first.value, second.value) == (0.5, "nan")
    assert first.op is second.op
    assert [moment.step for moment in read(json.dumps(SMALL)).moments(1, [1])] == [1]


@pytest.mark.parametrize(("name", "value", "told"), WRONG)
def test_what_is_wrong_is_told_with_its_place(name, value, told):
    with pytest.raises(UsageError, match=told):
        read(changed(SMALL, name, value))


@pytest.mark.parametrize(("name", "value"), WRONG_OF_AN_EVENT)
def test_what_is_wrong_of_an_event_is_told_with_its_number_and_field(name, value):
    events = [SMALL["events"][0], SMALL["events"][1] | {name: value}]
    with pytest.raises(UsageError, match=rf"trace.events\[1\] .*{name}"):
        read(changed(SMALL, "events", events))


def test_a_block_has_so_many_threads_at_most():
    assert read(changed(SMALL, "block", [MOST_THREADS // 2, 2, 1])).threads == MOST_THREADS
    with pytest.raises(UsageError, match="at most 1024 threads"):
        read(changed(SMALL, "block", [MOST_THREADS, 2, 1]))


def test_a_trace_has_so_many_events_at_most():
    with pytest.raises(UsageError, match="1000001 events are too many"):
        read(changed(SMALL, "events", [0] * (MOST_EVENTS + 1)))


def shown_of(moments, elements):
    """The moments that are shown around the one in the middle, each a copy of so many elements."""
    copied = {"op": 0, "block": 0, "thread": 0, "elements": [*range(elements)], "values": [0] * elements}
    engine = Engine()
    name = engine.traces.drop(changed(SMALL, "events", [{**copied, "step": step} for step in range(moments)]).encode())
    reply = engine.reply({"ask": "answer", "tab": "kernel", "inputs": {"trace": name, "step": str(moments // 2)}})
    return [int(row["cells"][0]) for row in reply["tables"][0]["rows"]]


def test_as_many_moments_are_shown_around_one_as_are_not_too_much_to_draw():
    assert shown_of(60, 1) == [*range(30 - AROUND, 30 + AROUND + 1)]
    few = shown_of(8, 5000)
    assert few == [*range(4 - len(few) // 2, 4 + len(few) // 2 + 1)]
    assert len(few) * 5001 <= MOST_PIECES < (len(few) + 2) * 5001


def test_the_last_warp_may_be_a_part():
    engine = Engine()
    name = engine.traces.drop(changed(SMALL, "block", [40, 1, 1]).encode())
    for warp, told in (("1", "threads 33"), ("2", "warps are numbers from 0 to 1")):
        asked = {"trace": name, "block": "1", "warps": warp}
        assert told in json.dumps(engine.reply({"ask": "answer", "tab": "kernel", "inputs": asked}))


def test_steps_ascend():
    with pytest.raises(UsageError, match=r"trace.events\[1\].step must be at least 4"):
        read(changed(SMALL, "events", SMALL["events"][::-1]))


NONSENSE = [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000, b"x" * (1 << 20), b"9" * (1 << 20), b"1e999"]


@pytest.mark.parametrize("data", [*NONSENSE, b" " * (MOST_BYTES + 1)], ids=range(len(NONSENSE) + 1))
def test_nonsense_is_refused(data):
    with pytest.raises(UsageError):
        read(data)


def test_a_trace_that_ends_too_soon_is_refused():
    whole = json.dumps(SMALL)
    for end in range(len(whole)):
        with pytest.raises(UsageError):
            read(whole[:end])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["op", "step", "kind"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from([*SMALL]), JSON)
def test_any_value_anywhere_is_read_and_shown_or_refused(name, value):
    engine = Engine()
    reply = json.loads(engine.drop(json.dumps(SMALL | {name: value}).encode()))
    if "trace" in reply:
        reply = engine.reply({"ask": "answer", "tab": "kernel", "inputs": {"trace": reply["trace"]}})
        assert "scenes" in reply or reply["problems"]
    else:
        assert reply["problems"][0]["field"] == "trace"


def test_the_last_four_are_kept_and_the_longest_unasked_goes():
    traces = Traces()
    texts = [changed(SMALL, "kernel", str(number)).encode() for number in range(KEPT + 1)]
    names = [traces.drop(text) for text in texts[:KEPT]]
    assert [traces[name].kernel for name in names] == ["0", "1", "2", "3"]
    assert traces.drop(texts[0]) == names[0]  # one content has one name
    assert traces[names[1]].kernel == "1"  # so that the third was asked for longest ago
    names.append(traces.drop(texts[KEPT]))
    with pytest.raises(UsageError, match="drop its file again"):
        traces[names[2]]
    assert [traces[name].kernel for name in (names[3], names[4], names[0], names[1])] == ["3", "4", "0", "1"]


def test_drops_at_once_stay_within_the_bounds():
    traces = Traces()
    texts = [changed(SMALL, "kernel", str(number)).encode() for number in range(32)]
    threads = [Thread(target=traces.drop, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(traces._kept) == KEPT


def test_a_trace_that_is_gone_is_told_at_its_field():
    reply = Engine().reply({"ask": "answer", "tab": "kernel", "inputs": {"trace": "drop:gone"}})
    assert reply["problems"][0]["field"] == "trace"
    assert "drop its file again" in reply["problems"][0]["message"]


def test_what_ships_is_what_the_simulator_writes():
    script = runpy.run_path(str(Path(__file__).parents[2] / "scripts/traces.py"))
    written = script["traces"]()
    assert written.keys() == set(SHIPPED.values())
    for name, text in written.items():
        assert (script["SHIPPED"] / f"{name}.json").read_text() == text
