"""A race names where both accesses are; a deadlock each place where lanes wait; limits hold within seconds."""

from __future__ import annotations

import re
from pathlib import Path
from time import process_time

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import BarrierError, RaceError, SimulationError, UsageError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T
from tilewright.targets.simulator.limits import LANES


@T.prim_func
def crossed(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    s[t] = A[t]  # crossed: other
    B[t] = s[63 - t]  # crossed: own


@T.prim_func
def overwritten(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    s[t] = A[t]
    T.cuda.cta_sync()
    B[t] = s[63 - t]  # overwritten: other
    if t < 32:
        s[t] = 1.0  # overwritten: own


@T.prim_func
def in_turns(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    s[t] = 0.0
    for i in range(1, 4):
        T.cuda.cta_sync()
        B[t] = s[(t + i) % 64]  # in_turns: other
        s[t] = A[t]  # in_turns: own


@T.prim_func
def counted(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = T.cuda.atomic_add(A.ptr_to([0]), 1.0)  # counted: other
    if t == 3:
        B[t] = A[0]  # counted: own


@T.prim_func
def sent(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    word = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init(word.ptr_to([0]), 1)
        T.ptx.fence.proxy.async_()
    s[t] = A[t]  # sent: other
    T.cuda.cta_sync()
    if t == 0:
        T.ptx.mbarrier.arrive.expect_tx(word.ptr_to([0]), 256)
        T.ptx["cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes"](  # sent: own
            s.ptr_to([0]), A.ptr_to([0]), 256, word.ptr_to([0])
        )
    B[t] = s[t]


@T.prim_func
def counted_from_turn_to_turn(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    """Only the last turn's read is remembered; the other place has been at work but once, and not there."""
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([32])
    if b == 0:
        for i in T.serial(64):
            B[t] = A[i]  # counted_from_turn_to_turn: other
    else:
        T.cuda.atomic_add(A.ptr_to([t]), 1.0)  # counted_from_turn_to_turn: own


@T.prim_func
def reset(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    """Who has written it changes it with all others, too."""
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([32])
    if b == 0 and t == 0:
        A[0] = 0.0  # reset: other
    T.cuda.atomic_add(A.ptr_to([0]), 1.0)  # reset: own


@T.prim_func
def left_alone(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    """Only the last turn's access is remembered, and it is an earlier one: there is but one place that writes."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((128,), "float32")
    for i in range(4):
        s[(t + i * 32) % 128] = A[t]  # left_alone: own
    B[t] = s[t]


@T.prim_func
def apart(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    if t < 32:
        T.ptx.bar.sync(1, 64)  # apart: own
    else:
        T.ptx.bar.sync(2, 64)  # apart: other
    B[t] = A[t]


def told(kernel: PrimFunc) -> list[str]:
    """Which places of the kernel its error names, in order."""
    source = Path(__file__).read_text(encoding="utf-8").split("\n")
    with pytest.raises((RaceError, BarrierError)) as caught:
        tw.compile(kernel)(np.arange(64, dtype=np.float32), np.zeros(64, np.float32))
    found = re.findall(r"test_both_accesses\.py:([0-9]+):", str(caught.value))
    return [source[int(line) - 1].partition(f"# {kernel.name}: ")[2] for line in found]


@pytest.mark.parametrize(
    "kernel",
    [crossed, overwritten, in_turns, counted, counted_from_turn_to_turn, sent, reset],
    ids=lambda kernel: kernel.name,
)
def test_a_race_names_both_places(kernel: PrimFunc) -> None:
    assert told(kernel) == ["own", "other"]


def test_a_race_with_itself_names_its_place() -> None:
    assert told(left_alone) == ["own"]


def test_a_deadlock_names_each_place_where_lanes_wait() -> None:
    assert told(apart) == ["own", "other"]


# ---- limits


@T.prim_func
def endless(B: T.Buffer((512, 64), "float32"), I: T.Buffer((64,), "int32")):
    T.device_entry()
    b = T.cta_id([512])
    t = T.thread_id([64])
    x: T.int32 = 0
    while x >= 0:
        B[b, I[t]] = 1.0
        x = x % 2 + I[0]


@T.prim_func
def vast(B: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    for _i, _j, _k in T.grid(4096, 4096, 4096):
        B[t] = 1.0


@T.prim_func
def patient(B: T.Buffer((512, 64), "float32"), I: T.Buffer((64,), "int32")):
    T.device_entry()
    b = T.cta_id([512])
    t = T.thread_id([64])
    for _ in range(100):
        B[b, I[t]] = 1.0


@pytest.mark.parametrize("kernel", [endless, vast], ids=lambda kernel: kernel.name)
def test_what_takes_too_long_is_stopped_within_seconds_at_its_line(kernel: PrimFunc) -> None:
    arrays = [np.zeros((512, 64), np.float32), np.arange(64, dtype=np.int32)]
    arrays = arrays if kernel is endless else [np.zeros(64, np.float32)]
    start = process_time()
    with pytest.raises(SimulationError, match=r"(?s)raise the limit with steps=.*test_both_accesses\.py:"):
        tw.compile(kernel)(*arrays, steps=200_000)
    assert process_time() - start < 10


def test_steps_count_lanes_and_are_a_switch() -> None:
    arrays = np.zeros((512, 64), np.float32), np.arange(64, dtype=np.int32)
    kernel = tw.compile(patient)
    kernel(*arrays)
    needed = 100 * 512 * 64 // LANES
    kernel(*arrays, steps=10 * needed)
    with pytest.raises(SimulationError, match=f"more than {needed} simulated ops"):
        kernel(*arrays, steps=needed)
    for wrong in (0, -1, 1.5, True, "3"):
        with pytest.raises(UsageError, match="steps is an integer from 1"):
            tw.compile(patient, steps=wrong)  # type: ignore[arg-type]  # what is refused


def between(blocks: int, cluster: int) -> PrimFunc:
    """Lanes of so many blocks, in clusters of so many, write one element each for itself."""

    @T.prim_func
    def kernel(A: T.Buffer((4,), "int32")) -> None:
        T.device_entry()
        bx = T.cta_id([blocks])
        T.cta_id_in_cluster([cluster])
        t = T.thread_id([32])
        if t == 0:
            A[0] = bx
        if blocks == 1 and t == 1:
            A[0] = 7

    return kernel


@pytest.mark.parametrize(("blocks", "cluster"), [(1, 1), (2, 1), (2, 2), (4, 2)])
def test_a_race_of_blocks_without_a_barrier_says_what_would_order_them(blocks: int, cluster: int) -> None:
    with pytest.raises(RaceError) as caught:
        tw.compile(between(blocks, cluster), target="simulator:sm_90a")(np.zeros(4, np.int32))
    one, other = (int(x) // cluster for x in re.findall(r"block \((\d),", str(caught.value)))
    assert ("one releases and the other acquires" in str(caught.value)) == (one != other)
    assert (one != other) == (blocks > cluster)
