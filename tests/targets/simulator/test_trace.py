"""A trace tells all that chosen lanes do: its stores, replayed, make the result, and each load finds its value."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from permutes import scale_factors, transpose

import tilewright as tw
from tilewright.errors import SimulationError, UsageError
from tilewright.passes.pipeline import STAGES
from tilewright.script import tirx as T
from tilewright.targets.simulator.observers import trace as recording
from tilewright.targets.simulator.observers.selection import Selection
from tilewright.targets.simulator.observers.trace_report import SHOWN, Event, Trace, TracedOp


@T.prim_func
def mixed(A: T.Buffer((3, 96), "int32"), B: T.Buffer((3, 96), "int32"), N: T.int32) -> None:
    """Global, shared and local memory, a loop, a branch, an atomic, a shuffle."""
    T.device_entry()
    bx = T.cta_id([3])
    t = T.thread_id([96])
    s = T.alloc_shared((96,), "int32")
    r = T.alloc_local((2,), "int32")
    r[1] = N
    for k in T.serial(2):
        r[k] = A[bx, t] + T.cast(k, "int32")
    s[95 - t] = r[0]
    T.cuda.cta_sync()
    if t % 32 < 7:
        T.cuda.atomic_add(T.address_of(s[t]), r[1])
    T.cuda.cta_sync()
    B[bx, t] = T.cuda.__shfl_xor_sync(0xFFFFFFFF, s[t], 1, 32)


def arrays() -> list[Any]:
    return [np.arange(288, dtype=np.int32).reshape(3, 96), np.zeros((3, 96), np.int32), 5]


def replayed(trace: dict[str, Any], inputs: dict[str, Any]) -> dict[str, Any]:
    """The arrays after the events, each load of which finds what it says."""
    memory: dict[tuple[Any, ...], Any] = {(n, "", i): v for n, array in inputs.items() for i, v in enumerate(array)}
    steps = [event["step"] for event in trace["events"]]
    assert steps == sorted(steps)
    for event in trace["events"]:
        op = trace["ops"][event["op"]]
        assert event["thread"] == event["warp"] * trace["lanes"] + event["lane"]
        if "element" not in event:
            continue
        assert event["address"] == op["base_bytes"] + event["element"] * op["width_bytes"]
        owner = {"global": "", "shared": event["block"], "local": (event["block"], event["thread"])}[op["space"]]
        key = (op["buffer"], owner, event["element"])
        if op["kind"] == "load":
            assert memory[key] == event["value"], event
        elif op["kind"].startswith("mbarrier ") or op["kind"] in ("copy from", "copy to"):
            assert ("bytes" in event) == op["kind"].startswith("copy")
        elif op["kind"] == "copy done":
            assert event["bytes"] == op["width_bytes"] * len(event["elements"])
            memory |= {(op["buffer"], owner, at): v for at, v in zip(event["elements"], event["values"], strict=True)}
        elif op["kind"] == "atomic add":
            memory[key] += event["value"]
        else:
            assert op["kind"] == "store"
            memory[key] = event["value"]
    found: dict[str, Any] = defaultdict(dict)
    for (name, owner, element), value in memory.items():
        if owner == "":
            found[name][element] = value
    return {name: [cells[i] for i in sorted(cells)] for name, cells in found.items()}


def barriers(events: Any) -> list[tuple[int, int]]:
    """Who comes to barriers, as often as it does."""
    return sorted((event.block, event.thread) for event in events if event.op.kind == "barrier")


@pytest.mark.parametrize("switches", [{}, {"schedule": "random", "seed": 4}], ids=["lockstep", "random"])
@pytest.mark.parametrize("stage", STAGES)
def test_a_replay_gives_the_result(stage: str, switches: Any) -> None:
    given = arrays()
    before = [array.reshape(-1).tolist() for array in given[:2]]
    trace = tw.compile(mixed).trace(*given, stage=stage, **switches)
    parsed = json.loads(trace.json())
    assert [parsed["truncated"], parsed["interrupted"]] == [False, False]
    after = replayed(parsed, dict(zip("AB", before, strict=True)))
    assert after == {name: array.reshape(-1).tolist() for name, array in zip("AB", given, strict=False)}
    assert barriers(trace.events) == barriers(ALL)
    plain = arrays()
    tw.compile(mixed)(*plain)
    assert (plain[1] == given[1]).all()


LOAD = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
STORE = "cp.async.bulk.global.shared::cta.bulk_group"


@T.prim_func
def copied(A: T.Buffer((2, 64), "int32"), B: T.Buffer((2, 64), "int32"), C: T.Buffer((2, 128), "int32")) -> None:
    """A bulk copy that an mbarrier waits for, another of a group, and cp.async."""
    T.device_entry()
    bx = T.cta_id([2])
    t = T.thread_id([32])
    s = T.alloc_shared((64,), "int32")
    c = T.alloc_shared((128,), "int32")
    full = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(full.ptr_to([0]), 1)
        T.ptx.fence.mbarrier_init.release.cluster()
    T.cuda.cta_sync()
    T.ptx["cp.async.cg.shared.global"](c.ptr_to([4 * t]), C.ptr_to([bx, 4 * t]), 16)
    T.ptx.cp.async_.commit_group()
    if t == 0:
        T.ptx.mbarrier.arrive.expect_tx.shared.b64(full.ptr_to([0]), 256)
        T.ptx[LOAD](s.ptr_to([0]), A.ptr_to([bx, 0]), 256, full.ptr_to([0]))
    T.ptx.cp.async_.wait_group(0)
    T.cuda.mbarrier_wait(full.ptr_to([0]), 0)
    s[t] = s[t] + c[4 * t + 1]
    T.ptx.fence.proxy.async_()
    T.cuda.cta_sync()
    if t == 0:
        T.ptx[STORE](B.ptr_to([bx, 0]), s.ptr_to([0]), 256)
        T.ptx.cp.async_.bulk.commit_group()
        T.ptx.cp.async_.bulk.wait_group(0)


@pytest.mark.parametrize("switches", [{}, {"schedule": "random", "seed": 4}], ids=["lockstep", "random"])
def test_copies_that_go_on_by_themselves_are_replayed_when_they_are_done(switches: Any) -> None:
    """Each begins once, at its source and its target, and is done; who waits at an mbarrier passes it later."""
    given: list[Any] = [np.arange(128).reshape(2, 64), np.zeros((2, 64)), np.arange(256).reshape(2, 128)]
    given = [array.astype(np.int32) for array in given]
    before = [array.reshape(-1).tolist() for array in given]
    trace = tw.compile(copied).trace(*given, **switches)
    after = replayed(json.loads(trace.json()), dict(zip("ABC", before, strict=True)))
    assert after == {name: array.reshape(-1).tolist() for name, array in zip("ABC", given, strict=True)}
    steps = defaultdict(list)
    for event in trace.events:
        steps[event.op.kind, event.op.line, event.block, event.thread].append(event.step)
    for (kind, line, *who), at in steps.items():
        if kind == "copy from":
            assert at == steps["copy to", line, *who]
            assert at < steps["copy done", line, *who]
        if kind == "mbarrier wait":
            assert at < steps["mbarrier pass", line, *who]
    assert sum(len(at) for (kind, *_), at in steps.items() if kind == "mbarrier pass") == 64


PRIMITIVES = {"factors": scale_factors(dtype="int32", threads=64), "transpose": transpose(16, dtype="int32")}


@pytest.mark.parametrize("case", PRIMITIVES.values(), ids=PRIMITIVES)
def test_a_primitive_is_traced_when_it_is_lowered(case: Any) -> None:
    kernel = tw.compile(case.kernel())
    source, result = case.arrays()
    expected = case.expected(source, result)
    trace = kernel.trace(source, result)
    assert (result == expected).all()
    written = {e.element: e.value for e in trace.events if e.op.kind == "store" and e.op.space == "global"}
    assert len(written) == np.prod(case.shape)
    assert all(result[element] == value for element, value in written.items())
    assert {e.op.kind for e in kernel.trace(source, result, stage="tile").events} >= {"permute_layout"}


def numbers(count: int) -> st.SearchStrategy[tuple[int, ...] | None]:
    """Some of so many, or all."""
    return st.one_of(st.none(), st.lists(st.integers(0, count - 1), max_size=3).map(tuple))


LAUNCH = tw.compile(mixed).launch


@pytest.mark.hypothesis
@given(numbers(LAUNCH.blocks), numbers(LAUNCH.warps(32)), numbers(min(32, LAUNCH.threads)), numbers(LAUNCH.threads))
def test_a_choice_takes_the_events_of_its_lanes(block: Any, warp: Any, lane: Any, thread: Any) -> None:
    def chosen(event: Any) -> bool:
        at = (event.block, event.thread // 32, event.thread % 32, event.thread)
        return all(numbers is None or n in numbers for n, numbers in zip(at, (block, warp, lane, thread), strict=True))

    kernel = tw.compile(mixed)
    some = kernel.trace(*arrays(), block=block, warp=warp, lane=lane, thread=thread).events
    assert list(some) == [event for event in ALL if chosen(event)]


ALL = tw.compile(mixed).trace(*arrays()).events


def test_choices_as_text() -> None:
    """A number that is chosen twice is chosen."""
    assert Selection.parse("block=1, lane=0-2,lane=8,lane=1-2") == Selection.of(block=1, lane=(0, 1, 2, 8))
    assert Selection.parse("warp=0,thread=5") == Selection.of(warp=[0], thread=range(5, 6))


REFUSED = ["", "lane", "lane=", "lane=x", "lane=3-1", "lane=-1", "x=1", "lane=1=2", "block=0,,", "lane=0-99999999"]


@pytest.mark.parametrize("text", [*REFUSED, "lane=²"])
def test_other_choices_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="lanes are chosen as block=0,lane=3"):
        Selection.parse(text)


@pytest.mark.parametrize("number", [-1, "3", 1.5, [True], 2**40, range(10**6), range(10**12)])
def test_other_numbers_are_refused(number: Any) -> None:
    with pytest.raises(UsageError, match="lane is a number from 0"):
        tw.compile(mixed).trace(*arrays(), lane=number)


def test_a_long_trace_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_EVENTS", 10)
    trace = tw.compile(mixed).trace(*arrays())
    assert (trace.truncated, list(trace.events)) == (True, list(ALL[:10]))


@T.prim_func
def pooled(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")) -> None:
    """What copies, in a pool; what is asked and shown besides is no access."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    pool = T.SMEMPool()
    pool.move_base_to(16)
    s = pool.alloc((32,), "int32")
    if t < 8:
        T.ptx.cp.async_.ca.shared.global_(s.ptr_to([4 * t]), A.ptr_to([4 * t]), 16)
    T.ptx.cp.async_.wait_all()
    T.cuda.cta_sync()
    assert t < 32, "there are no more"
    T.sim.inspect(s)
    B[t] = s[31 - t]


def test_a_copy_tells_both_its_sides_and_a_pool_gives_each_buffer_its_place() -> None:
    trace = tw.compile(pooled).trace(np.arange(32, dtype=np.int32), np.zeros(32, np.int32))
    copies = [e for e in trace.events if "cp_async" in e.op.text]
    assert {e.op.kind for e in copies} == {"copy from", "copy to", "copy done"}
    base = {"s": 16, "A": 0, "B": 0}
    assert [e.address for e in copies] == [base[e.op.buffer] + 16 * e.thread for e in copies]
    assert len(copies) == 3 * 8
    accesses = [e for e in trace.events if e.element is not None]
    assert {(e.op.buffer, e.op.base_bytes) for e in accesses} == set(base.items())
    assert all(e.address == e.op.base_bytes + 4 * (e.element or 0) for e in accesses)
    others = {e.op.kind for e in trace.events} - {e.op.kind for e in copies}
    assert others == {"load", "store", "barrier", "async_wait"}


def made(events: int) -> Trace:
    op = TracedOp("vote", "")
    return Trace("k", LAUNCH, 64, Selection(), tuple(Event(i, op, 0, 100) for i in range(events)))


def test_the_text_says_what_it_leaves_out_and_the_json_who_a_lane_of_64_is() -> None:
    assert " more; " not in str(made(SHOWN))
    assert str(made(SHOWN + 1)).endswith(".. and 1 more; the JSON has all")
    (event,) = json.loads(made(1).json())["events"]
    assert (event["warp"], event["lane"]) == (1, 36)


@T.prim_func
def odd(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "bfloat16"), C: T.Buffer((4,), "complex64")) -> None:
    T.device_entry()
    bx = T.cta_id([1])
    t = T.thread_id([4])
    r = T.alloc_local((2,), "bfloat16")
    A[t] = A[t + bx] / 0.0
    r[0] = B[t]
    B[t] = r[0]
    C[t] = C[t]


def test_values_that_json_does_not_have_are_texts() -> None:
    trace = tw.compile(odd).trace(
        np.array([1, -1, 0, 2], np.float32), np.array([1, 2, 3, 4], ml_dtypes.bfloat16), np.ones(4, np.complex64)
    )
    values = [event["value"] for event in json.loads(trace.json())["events"]]
    assert {"inf", "-inf", "nan", 4.0, "(1+0j)"} <= set(values)
    assert "inf" in str(trace)


@T.prim_func
def reversing(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    s[t] = A[t]
    B[t] = s[63 - t]


@T.prim_func
def partly(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    if t < 63:
        s[t] = A[t]
    T.cuda.cta_sync()
    B[t] = s[63 - t]


@T.prim_func
def beyond(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    r = T.alloc_local((2,), "float32")
    r[t // 63] = A[t]
    r[t // 31] = A[t]
    B[t] = r[0]


@pytest.mark.parametrize(
    ("kernel", "error", "kind", "sides"),
    [
        (reversing, tw.RaceError, "race", [("reads", 0, "s", 63), ("writes", 63, "s", 63)]),
        (partly, tw.UninitializedError, "uninitialised", [("reads", 0, "s", 63)]),
        (beyond, tw.OutOfBoundsError, "out of bounds", None),
    ],
)
def test_the_trace_of_a_refused_kernel_ends_with_what_it_is_about(
    kernel: Any, error: type[SimulationError], kind: str, sides: list[Any] | None
) -> None:
    compiled = tw.compile(kernel)
    given = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    with pytest.raises(error) as caught:
        compiled.trace(*given, lane=1)
    trace = caught.value.trace
    assert isinstance(trace, Trace)
    assert trace.fault is not None
    assert (trace.fault.kind, trace.fault.text) == (kind, str(caught.value))
    ends = [event for event in trace.events if event.op.kind.startswith(f"{kind}: ")]
    assert trace.events[-len(ends) or len(trace.events) :] == tuple(ends)
    if sides is not None:  # accesses to registers are refused before they are traced by their names in the source
        told = [(one.op.kind.partition(": ")[2], one.thread, one.op.buffer, one.element) for one in ends]
        assert told == sides
        assert {one.step for one in ends} == {trace.fault.step}
        unchecked = compiled.trace(*given, lane=1, check="off").events  # what the lanes did is the same until then
        assert trace.events[: -len(ends)] == unchecked[: len(trace.events) - len(ends)]
    assert json.loads(trace.json())["fault"] == {"kind": kind, "text": str(caught.value), "step": trace.fault.step}
    assert str(trace).endswith(f"{kind}: {caught.value}")
