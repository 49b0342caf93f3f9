"""The tab of kernels shows at each step what a replay has there, and conflicts as the kernel counts them."""

from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest
from explored import drawn

import tilewright as tw
from tilewright.analysis.banks.report import BankReport
from tilewright.arch import get
from tilewright.explorer.engine import Engine
from tilewright.explorer.trace.store import SHIPPED
from tilewright.figures.scene import Scene
from tilewright.figures.trace.accesses import cost
from tilewright.figures.trace.replay import contents, shown
from tilewright.script import tirx as T

ENGINE = Engine()


def raw(name):
    path = files("tilewright.explorer.trace").joinpath("shipped", f"{SHIPPED[name]}.json")
    return json.loads(path.read_text())


def answer(**inputs):
    return ENGINE.reply({"ask": "answer", "tab": "kernel", "inputs": inputs})


def panels(reply):
    return {panel.subject: panel for panel in Scene.from_json(reply["scenes"][0]).panels}


@pytest.mark.parametrize("name", SHIPPED)
def test_what_memory_holds_at_each_step_is_what_a_replay_has_there(name):
    trace, data = ENGINE.traces[name], raw(name)
    memory = {}
    for event, after in zip(data["events"], [*data["events"][1:], {"step": -1}], strict=True):
        op = data["ops"][event["op"]]
        if op.get("space") in ("global", "shared"):
            if op["kind"] == "store":
                memory[op["buffer"], event["element"]] = event["value"]
            for element, value in zip(event.get("elements", ()), event.get("values", ()), strict=True):
                memory[op["buffer"], element] = value
            if op["kind"] == "load":  # the loaded value is the one that replaying has
                assert memory.setdefault((op["buffer"], event["element"]), event["value"]) == event["value"]
        if after["step"] != event["step"] and event["step"] % 7 == 1:
            held = contents(trace, 0, event["step"]).items()
            found = {
                (one.buffer, at): v
                for one, known in held
                if one.space in ("shared", "global")
                for at, v in known.items()
            }
            assert found == memory


@pytest.mark.parametrize("name", SHIPPED)
def test_cells_have_the_threads_and_values_of_the_events(name):
    data = raw(name)
    for step in sorted({event["step"] for event in data["events"]})[::3]:
        events = [event for event in data["events"] if event["step"] == step]
        reply = answer(trace=name, step=str(step))
        drawn = panels(reply)
        assert {cell.key.elements[0] for cell in drawn["thread"].cells if cell.label} == {e["thread"] for e in events}
        for cell in drawn["thread"].cells:
            values = [shown(e["value"]) for e in events if e["thread"] == cell.key.elements[0] and "value" in e]
            assert not values or cell.label == values[0]
        for event in events:
            op = data["ops"][event["op"]]
            if op.get("space") not in ("shared", "global"):
                continue
            name_, size = ("word", 4) if op["space"] == "shared" else ("sector", 32)
            cells = {cell.key.elements[0]: cell for cell in drawn[f"{name_} of {op['buffer']}"].cells}
            assert event["thread"] in [who.thread for who in cells[event["address"] // size].key.owner]


@T.prim_func
def skewed(A: T.Buffer((32, 4), "float32"), B: T.Buffer((32, 4), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((33, 4), "float32")
    for i in T.serial(4):
        s[t, i] = A[t, i]
    T.cuda.cta_sync()
    for i in T.serial(4):
        if t % 3 < 2:
            B[t, i] = s[t, 3 - i]


def test_conflicts_and_sectors_are_those_that_the_kernel_reports():
    compiled = tw.compile(skewed)
    arrays = np.zeros((32, 4), np.float32), np.zeros((32, 4), np.float32)
    name = ENGINE.traces.drop(compiled.trace(*arrays).json().encode())
    found = {}
    for moment in ENGINE.traces[name].moments(0):
        for op in moment.ops:
            report = cost(op, moment, get("sm_90"))
            if report:
                count = report.wavefronts if isinstance(report, BankReport) else report.sectors
                found.setdefault((op.kind, op.space, op.buffer), []).append(count)
    reported = {
        (one.kind, one.space, one.buffer): one.wavefronts if one.space == "shared" else one.sectors
        for one in compiled.profile(*arrays).accesses
        if one.space in ("shared", "global")
    }
    assert {key: sum(counts) for key, counts in found.items()} == reported
    assert found["store", "shared", "s"] == [4, 4, 4, 4]


def test_words_of_one_bank_are_framed_where_they_are_wanted_together():
    plain, swizzled = answer(step="2"), answer(step="2", trace="transpose, swizzled tile")
    framed = [cell for cell in panels(plain)["word of s"].cells if cell.marked]
    assert {cell.key.bank for cell in framed} == {0, 8, 16, 24}
    assert len(framed) == 32
    assert not any(cell.marked for cell in panels(swizzled)["word of s"].cells)
    assert "8 wavefronts, ideal 1, 8-way conflict" in dict(plain["facts"])["does"]
    assert "1 wavefront, ideal 1" in dict(swizzled["facts"])["does"]


def test_a_copy_of_bytes_concerns_all_of_its_words():
    cells = panels(answer(trace="pipeline of cp.async", step="4"))["word of s"].cells
    owners = {cell.key.elements[0]: {who.thread for who in cell.key.owner} for cell in cells if cell.key.owner}
    assert owners == {128 + word: {word // 4} for word in range(128)}


def test_a_step_that_is_too_much_is_told_and_others_are_few():
    data = raw("transpose, plain tile")
    busy = [dict(data["events"][32], step=2, thread=i % 32) for i in range(1 << 15)]
    name = ENGINE.traces.drop(json.dumps(data | {"events": [data["events"][0], *busy]}).encode())
    assert len(answer(trace=name)["frames"]) == 1
    (problem,) = answer(trace=name, step="2")["problems"]
    assert problem["field"] == "warps"


def test_frames_mark_what_their_own_step_shows():
    reply = answer(step="3")
    for frame in reply["frames"][:12]:
        own = answer(**frame["apply"])
        for scene, panel, cells in frame["marks"]:
            subject = reply["scenes"][scene]["panels"][panel]["subject"]
            here = {drawn(reply, scene)[panel].cells.elements[cell][0] for cell in cells}
            there = {cell.key.elements[0] for cell in panels(own)[subject].cells if cell.key.owner and cell.tone != 7}
            assert here == there


def test_a_step_of_the_table_is_shown_by_a_click():
    reply = answer(step="2")
    for row in reply["tables"][0]["rows"][::5]:
        if row["apply"]:
            assert f"step {row['cells'][0]}:" in answer(**row["apply"])["scenes"][0]["title"]


def test_the_permute_takes_four_rounds_of_each():
    rows = answer(trace="permute in registers", step="9")["tables"][0]["rows"][:17]
    assert [row["cells"][1] for row in rows[:8]] == ["load A_buf", "store regs"] * 4
    assert rows[8]["cells"][1] == "barrier"
    assert [row["cells"][1] for row in rows[9:17]] == ["load regs", "store B_buf"] * 4


RACE = "reversed, a barrier missing: a race"


def test_a_race_is_shown_with_both_accesses_and_where_they_were_made():
    reply, data = answer(trace=RACE, step="3"), raw(RACE)
    fault, (reads, writes) = data["fault"], data["events"][-2:]
    assert dict(reply["facts"])["ended by"] == f"race, at step {fault['step']}"
    assert reply["steps"][0]["text"].endswith(fault["text"].split("\n")[0])
    word = panels(reply)["word of s"].cells
    (marked,) = [cell for cell in word if cell.marked]
    assert {who.thread for who in marked.key.owner} == {reads["thread"], writes["thread"]}
    assert marked.key.byte == reads["address"] == writes["address"]
    rows = reply["tables"][0]["rows"]
    assert [row["cells"][1] for row in rows] == [str(reads["thread"]), str(writes["thread"])]
    earlier = answer(trace=RACE, **rows[1]["apply"])  # the step at which it was written
    assert "store s" in earlier["scenes"][0]["title"]
    store = [cell for cell in panels(earlier)["word of s"].cells if cell.key.byte == writes["address"]]
    assert [who.thread for who in store[0].key.owner] == [writes["thread"]]
    assert rows[0]["apply"] == {"step": str(fault["step"])}


def test_a_trace_that_ends_before_its_first_event_says_why():
    name = ENGINE.traces.drop(json.dumps(raw(RACE) | {"events": [], "ops": []}).encode())
    (problem,) = answer(trace=name)["problems"]
    assert "which block (0,0,0) thread (63,0,0) writes" in problem["message"]


@pytest.mark.parametrize(
    ("field", "text"),
    [
        *(("trace", "x"), ("step", "99999"), ("step", "x"), ("step", "-1"), ("block", "1"), ("block", "x")),
        *(("warps", "1"), ("warps", "x"), ("warps", "-1"), ("arch", "gfx942"), ("arch", "x")),
    ],
)
def test_what_is_wrong_is_told_at_its_field(field, text):
    (problem,) = answer(**{field: text})["problems"]
    assert problem["field"] == field


@pytest.mark.parametrize(("step", "stage"), [("3", 0), ("13", 0), ("20", 1)])
def test_the_rounds_of_a_permute_are_a_picture_of_their_own(step, stage):
    moments = [event for event in raw("permute in registers")["events"] if event.get("address") is not None]
    scene = Scene.from_json(answer(trace="permute in registers", step=step)["scenes"][1])
    reads, writes = scene.panels
    assert (reads.title, writes.title) == ("load A_buf: 4 wavefronts, ideal 4", "store B_buf: 4 wavefronts, ideal 4")
    ops = raw("permute in registers")["ops"]
    for panel, buffer in ((reads, "A_buf"), (writes, "B_buf")):
        own = [e for e in moments if ops[e["op"]]["buffer"] == buffer and e["address"] // 512 == stage]
        assert sorted(cell.key.byte for cell in panel.cells) == sorted(e["address"] for e in own)
    assert len(answer(step="2")["scenes"]) == 1
