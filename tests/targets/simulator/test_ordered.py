"""Blocks that tell each other something by flags: what each stage and target computes, and what is wrong."""

from __future__ import annotations

from pathlib import Path

import control_programs as programs
import numpy as np
import pytest
from numpy.typing import NDArray
from translation import literally

import tilewright as tw
from tilewright.errors import BarrierError, KernelError, RaceError, SimulationError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T
from tilewright.targets.cuda.nvrtc import compile_cubin


def told(give: str, take: str) -> str:
    """Block 0 writes A and gives, block 1 takes and reads it."""
    return f"""from tilewright.script import tirx as T

@T.prim_func
def k(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), F: T.Buffer((4,), "uint32")):
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([64])
    if b == 0:
        A[t] = T.cast(t, "float32")
        {give}
    else:
        {take}
        B[t] = A[63 - t]
"""


SYNC = "T.cuda.cta_sync()"
RELEASE = f"{SYNC}\n        if t == 0:\n            T.ptx.st.release.gpu.global_.u32(F.ptr_to([0]), 1)"
PLAIN = RELEASE.replace("T.ptx.st.release.gpu.global_.u32(F.ptr_to([0]), 1)", "F[0] = 1")
RELAXED = RELEASE.replace("release", "relaxed")
ADD = f"{SYNC}\n        if t == 0:\n            T.cuda.thread_fence()\n            T.cuda.atomic_add(F.ptr_to([0]), 1)"
FENCED = f"T.cuda.thread_fence()\n        {SYNC}\n        if t == 0:\n            T.cuda.atomic_add(F.ptr_to([0]), 1)"
RED = f"{SYNC}\n        if t == 0:\n            T.ptx.red.release.gpu.global_.add.u32(F.ptr_to([0]), 1)"
SPIN = """if t == 0:
            f: T.uint32 = 0
            while f == 0:
                T.ptx.ld.ORDER.gpu.global_.u32(f, F.ptr_to([0]))
        """
ACQUIRE = SPIN.replace("ORDER", "acquire") + SYNC
THEN_FENCE = SPIN.replace("ORDER", "relaxed") + f"    T.cuda.thread_fence()\n        {SYNC}"
LATE_FENCE = SPIN.replace("ORDER", "relaxed") + f"{SYNC}\n        T.cuda.thread_fence()"
PARTLY = """if t == 0:
            T.cuda.thread_fence()
        else:
            T.cuda.thread_fence_block()
        """
FIRST = "if t == 0:\n            T.ptx.st.release.gpu.global_.u32(F.ptr_to([1]), 1)\n        "
EARLY = (
    "\n        " + SPIN.replace("ORDER", "acquire").replace("[0]", "[1]").replace("if t == 0:", "if t >= 0:").rstrip()
)
OVER = RELEASE.removeprefix(SYNC).replace("release", "relaxed") + "\n            T.cuda.thread_fence()\n        "
RIGHT = {
    "release and acquire": (RELEASE, ACQUIRE),
    "a fence before a change": (ADD, ACQUIRE),
    "a fence before the barrier": (FENCED, ACQUIRE),
    "a change that releases": (RED, ACQUIRE),
    "a fence behind a relaxed read": (RELEASE, THEN_FENCE),
    "fences alone": (ADD, THEN_FENCE),
    "a fence behind the barrier behind a relaxed read": (RELEASE, LATE_FENCE),
    "fences on the far sides of barriers": (FENCED, LATE_FENCE),
    "a change that releases and acquires": (
        RED.replace("red.release", "red.acq_rel"),
        ACQUIRE.replace(
            "ld.acquire.gpu.global_.u32(f, F.ptr_to([0]))", "atom.acq_rel.gpu.global_.add.u32(f, F.ptr_to([0]), 0)"
        ),
    ),
    "one lane of each warp asks": (
        RELEASE,
        ACQUIRE.replace("if t == 0:", "if t % 32 == 0:").replace(SYNC, "T.cuda.warp_sync()"),
    ),
    "what came first is asked for last": (FIRST + RELEASE, ACQUIRE + EARLY),
    "the giver looks for its own block": (
        f"{RELEASE}\n        f: T.uint32 = 0\n        T.ptx.ld.relaxed.cta.global_.u32(f, F.ptr_to([0]))",
        ACQUIRE,
    ),
    "every lane asks": (RELEASE, ACQUIRE.replace("if t == 0:", "if t >= 0:").replace(SYNC, "")),
}
WRONG = {
    "nothing released": (RELAXED, ACQUIRE),
    "nothing acquired": (RELEASE, SPIN.replace("ORDER", "relaxed") + SYNC),
    "the others do not wait": (RELEASE, ACQUIRE.replace(SYNC, "")),
    "the others were not waited for": (RELEASE.replace(SYNC, ""), ACQUIRE),
    "fenced for its own block": (ADD.replace("thread_fence()", "thread_fence_block()"), ACQUIRE),
    "released to its own block": (RELEASE.replace(".gpu", ".cta"), ACQUIRE),
    "acquired from its own block": (RELEASE, ACQUIRE.replace(".gpu", ".cta")),
    "fenced before the barrier for its own block": (FENCED.replace("thread_fence()", "thread_fence_block()"), ACQUIRE),
    "fenced by one lane for all, by others for their block": (PARTLY + FENCED.partition("\n        ")[2], ACQUIRE),
    "fenced behind the barrier for its own block": (
        RELEASE,
        LATE_FENCE.replace("thread_fence()", "thread_fence_block()"),
    ),
    "fenced by others before the barrier": (
        RELEASE,
        SPIN.replace("ORDER", "relaxed") + f"if t > 0:\n            T.cuda.thread_fence()\n        {SYNC}",
    ),
    "a plain write of the flag": (PLAIN, ACQUIRE),
    "a store instead of a question": (RELEASE, OVER + SYNC),
    "written after the release": (f"{RELEASE}\n        A[t] = 2.0", ACQUIRE),
    "written after the fence": (ADD.replace("T.cuda.atomic_add", "A[0] = 2.0\n            T.cuda.atomic_add"), ACQUIRE),
}


def arrays() -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.uint32]]:
    return np.zeros(64, np.float32), np.zeros(64, np.float32), np.zeros(4, np.uint32)


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_told_is_seen(name: str, tmp_path: Path) -> None:
    give, take = RIGHT[name]
    kernel = tw.compile(programs.written(told(give, take), tmp_path))
    for stage in ("tile", "final"):
        a, b, f = arrays()
        kernel.simulate(a, b, f, stage=stage)
        assert (b == np.arange(64)[::-1]).all()
        assert f[0] == 1
    a, b, f = arrays()
    kernel.simulate(a, b, f, schedule="random", seed=3)
    assert (b == np.arange(64)[::-1]).all()


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_told_is_a_race(name: str, tmp_path: Path) -> None:
    give, take = WRONG[name]
    kernel = tw.compile(programs.written(told(give, take), tmp_path))
    for stage in ("tile", "final"):
        with pytest.raises(RaceError, match="with no barrier between"):
            kernel.simulate(*arrays(), stage=stage)


@T.prim_func
def through(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32"), F: T.Buffer((4,), "uint32")):
    T.device_entry()
    b = T.cta_id([3])
    T.thread_id([1])
    f: T.uint32 = 0
    if b == 0:
        A[0] = 1.0
        T.ptx.st.release.gpu.global_.u32(F.ptr_to([0]), 1)
    elif b == 1:
        T.cuda.thread_fence()
        while f == 0:
            T.ptx.ld.relaxed.gpu.global_.u32(f, F.ptr_to([0]))
        T.cuda.atomic_add(F.ptr_to([0]), 1)
        T.ptx.st.relaxed.gpu.global_.u32(F.ptr_to([1]), 1)
    else:
        while f == 0:
            T.ptx.ld.acquire.gpu.global_.u32(f, F.ptr_to([1]))
        B[0] = A[0]


@T.prim_func
def overwritten(A: T.Buffer((1,), "float32"), B: T.Buffer((1,), "float32"), F: T.Buffer((4,), "uint32")):
    T.device_entry()
    b = T.cta_id([3])
    T.thread_id([1])
    f: T.uint32 = 0
    if b == 0:
        A[0] = 1.0
        T.ptx.st.release.gpu.global_.u32(F.ptr_to([0]), 1)
    elif b == 1:
        while f == 0:
            T.ptx.ld.relaxed.gpu.global_.u32(f, F.ptr_to([0]))
        T.ptx.st.relaxed.gpu.global_.u32(F.ptr_to([0]), 2)
        T.ptx.st.relaxed.gpu.global_.u32(F.ptr_to([1]), 1)
    else:
        while f == 0:
            T.ptx.ld.relaxed.gpu.global_.u32(f, F.ptr_to([1]))
        T.ptx.ld.acquire.gpu.global_.u32(f, F.ptr_to([0]))
        B[0] = A[0]


@pytest.mark.parametrize("kernel", [through, overwritten], ids=lambda kernel: kernel.name)
def test_a_relaxed_write_hands_on_what_was_fenced_before_it_and_no_more(kernel: PrimFunc) -> None:
    """Not what its lane saw since, and nothing of who wrote the element before."""
    arrays = np.zeros(1, np.float32), np.zeros(1, np.float32), np.zeros(4, np.uint32)
    with pytest.raises(RaceError, match="with no barrier between"):
        tw.compile(kernel).simulate(*arrays)


@T.prim_func
def halves(B: T.Buffer((2, 64), "int32"), F: T.Buffer((4,), "uint32")):
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([64])
    S = T.alloc_shared((64,), "int32")
    f: T.uint32 = 0
    if t >= 32 and b == 1:
        while f == 0:
            T.ptx.ld.acquire.gpu.global_.u32(f, F.ptr_to([0]))
    S[t] = t
    T.cuda.cta_sync()
    B[b, t] = S[63 - t]
    if b == 0 and t == 0:
        T.ptx.st.release.gpu.global_.u32(F.ptr_to([0]), 1)


def test_each_block_waits_for_its_own_lanes() -> None:
    """Lanes of a block that has met go on, those of the other that came with them do not."""
    b = np.zeros((2, 64), np.int32)
    tw.compile(halves).simulate(b, np.zeros(4, np.uint32))
    assert (b == np.arange(64)[::-1]).all()


def test_the_script_reads_back_and_nvrtc_and_the_host_take_it(tmp_path: Path) -> None:
    give, take = RIGHT["fences alone"]
    kernel = programs.written(told(give, take), tmp_path)
    script = tw.compile(kernel).script("final")
    again = programs.written(f"from tilewright.script import tirx as T\n{script}", tmp_path)
    for one in (kernel, again):
        a, b, f = arrays()
        tw.compile(one)(a, b, f)
        assert (b == np.arange(64)[::-1]).all()
    a, b, f = arrays()
    literally(kernel, a, b, f)
    assert (b == np.arange(64)[::-1]).all()
    assert len(compile_cubin(tw.compile(kernel, target="cuda:sm_90a").source, "sm_90a")) > 1000


@T.prim_func
def locked(A: T.Buffer((2,), "int32"), F: T.Buffer((4,), "uint32")):
    T.device_entry()
    T.cta_id([4])
    t = T.thread_id([64])
    if t % 32 == 0:
        old: T.uint32 = 1
        while old != 0:
            T.ptx.atom.acquire.gpu.global_.cas.b32(old, F.ptr_to([0]), 0, 1)
        A[0] = A[0] + 1
        T.ptx.st.release.gpu.global_.u32(F.ptr_to([0]), 0)


@T.prim_func
def lone(A: T.Buffer((2,), "int32"), F: T.Buffer((4,), "uint32")):
    T.device_entry()
    T.cta_id([2])
    T.thread_id([64])
    f: T.uint32 = 0
    while f == 0:
        T.ptx.ld.acquire.gpu.global_.u32(f, F.ptr_to([0]))
    A[0] = 1


@T.prim_func
def tried(A: T.Buffer((2,), "int32"), F: T.Buffer((4,), "uint32")):
    T.device_entry()
    T.cta_id([2])
    T.thread_id([64])
    f: T.uint32 = 0
    tries: T.int32 = 0
    while f == 0 and tries < 100:
        T.ptx.ld.acquire.gpu.global_.u32(f, F.ptr_to([0]))
        tries = tries + 1
    A[0] = 1


def test_a_lock_keeps_warps_of_all_blocks_apart() -> None:
    kernel = tw.compile(locked)
    for stage in ("tile", "final"):
        a = np.zeros(2, np.int32)
        kernel.simulate(a, np.zeros(4, np.uint32), stage=stage)
        assert a[0] == 8
    assert len(compile_cubin(tw.compile(locked, target="cuda:sm_90a").source, "sm_90a")) > 1000


def test_who_asks_for_ever_is_named() -> None:
    kernel: PrimFunc = lone
    with pytest.raises(BarrierError, match="go round in a loop for what nobody") as caught:
        tw.compile(kernel)(np.zeros(2, np.int32), np.zeros(4, np.uint32))
    assert "block (0,0,0) thread (0,0,0) and 127 other threads" in str(caught.value)
    assert "while f == 0:" in str(caught.value)
    with pytest.raises(BarrierError, match="go round in a loop for what nobody"):
        literally(kernel, np.zeros(2, np.int32), np.zeros(4, np.uint32))
    with pytest.raises(BarrierError, match="go round in a loop for what nobody"):
        tw.compile(kernel, target="host")(np.zeros(2, np.int32), np.zeros(4, np.uint32))


def test_who_gives_up_is_not_stopped() -> None:
    a = np.zeros(2, np.int32)
    tw.compile(tried)(a, np.zeros(4, np.uint32))
    assert a[0] == 1


def test_a_loop_that_changes_what_it_asks_for_is_stopped_in_time() -> None:
    @T.prim_func
    def rivals(F: T.Buffer((4,), "uint32")):
        T.device_entry()
        T.cta_id([2])
        T.thread_id([32])
        old: T.uint32 = 0
        while old != 7:
            T.ptx.atom.relaxed.gpu.global_.exch.b32(old, F.ptr_to([0]), 1)

    with pytest.raises(SimulationError, match=r"go round in a loop|more than"):
        tw.compile(rivals)(np.zeros(4, np.uint32))


def test_words_are_checked() -> None:
    with pytest.raises(KernelError, match="says shared, F lies in global memory"):

        @T.prim_func
        def space(F: T.Buffer((4,), "uint32")):
            T.device_entry()
            T.cta_id([1])
            T.thread_id([32])
            T.ptx.st.release.gpu.shared.u32(F.ptr_to([0]), 1)

    with pytest.raises(KernelError, match="says u64, an element of F is a uint32"):

        @T.prim_func
        def width(F: T.Buffer((4,), "uint32")):
            T.device_entry()
            T.cta_id([1])
            T.thread_id([32])
            T.ptx.st.release.gpu.u64(F.ptr_to([0]), 1)

    with pytest.raises(KernelError, match="the first operand of ld is the register that it sets"):

        @T.prim_func
        def register(F: T.Buffer((4,), "uint32")):
            T.device_entry()
            T.cta_id([1])
            T.thread_id([32])
            T.ptx.ld.acquire.gpu.u32(F[0], F.ptr_to([0]))
