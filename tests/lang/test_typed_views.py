"""Views of shared memory as other types: bytes are what they share, bounds what each has for itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from translation import run_both

import tilewright as tw
from tilewright.errors import CompileError, KernelError, OutOfBoundsError, RaceError, UninitializedError
from tilewright.ir.stages import STAGES
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

BYTES, THREADS = 256, 64
TYPES = ("uint8", "int16", "float16", "bfloat16", "float32", "uint32", "int64")


def through(written: str, read: str, arena: str) -> PrimFunc:
    """Writes shared memory as one type, and reads it as another; it is declared as a third, or of two in the pool."""
    wide, narrow = (BYTES // tw.dtypes.dtype(name).bytes for name in (written, read))

    @T.prim_func
    def kernel(A: T.Buffer((wide,), written), B: T.Buffer((narrow,), read)):
        T.device_entry()
        T.cta_id([2])
        t = T.thread_id([THREADS])
        if arena == "pool":
            pool = T.SMEMPool()
            V = pool.alloc((wide,), written)
            pool.move_base_to(0)
            W = pool.alloc((narrow,), read)
        elif arena == "view":
            V = T.alloc_shared((wide,), written)
            W = V.view(read)
        else:
            S = T.alloc_buffer((2 * BYTES,), "uint8", scope=arena, align=16)
            V = T.decl_buffer((wide,), written, data=S.data, byte_offset=BYTES)
            W = T.decl_buffer((narrow,), read, data=S.data, elem_offset=narrow)
        for i in range(T.ceildiv(wide, THREADS)):
            if i * THREADS + t < wide:
                V[i * THREADS + t] = A[i * THREADS + t]
        T.cuda.cta_sync()
        for j in range(T.ceildiv(narrow, THREADS)):
            if j * THREADS + t < narrow:
                B[j * THREADS + t] = W[j * THREADS + t]

    return kernel


def given(name: str) -> Any:
    """Bytes that are numbers of every type."""
    raw = np.random.default_rng(7).integers(0, 120, BYTES).astype(np.uint8)
    return raw.view(tw.dtypes.dtype(name).numpy())


@pytest.mark.parametrize("arena", ["shared", "shared.dyn", "pool", "view"])
@pytest.mark.parametrize(("written", "read"), [*zip(TYPES, TYPES[::-1], strict=True), ("float32", "uint16")])
def test_what_is_written_as_one_type_is_read_as_another(written: str, read: str, arena: str) -> None:
    kernel = through(written, read, arena)
    for stage in STAGES:
        a, b = given(written), np.zeros(BYTES, np.uint8).view(tw.dtypes.dtype(read).numpy())
        tw.compile(kernel).simulate(a, b, stage=stage)
        assert a.tobytes() == b.tobytes(), stage


@pytest.mark.parametrize(("written", "read", "arena"), [("float32", "uint16", "shared"), ("uint8", "int64", "pool")])
def test_the_text_and_its_loops_agree(written: str, read: str, arena: str) -> None:
    text = tw.compile(through(written, read, arena)).ir("final")
    found = run_both(text, [given(written), np.zeros(BYTES, np.uint8).view(tw.dtypes.dtype(read).numpy())])
    assert found[0].tobytes() == found[1].tobytes()


def test_a_script_has_the_same_places() -> None:
    kernel = through("float32", "uint16", "shared")
    for stage in STAGES:
        text = tw.compile(kernel).script(stage)
        again = T.from_source(text, stage)
        assert tw.compile(again).script(stage) == text


# ---- each with bounds of its own; who reads, and who is late, is a matter of bytes


def at(place: int, kind: str, wait: bool, half: bool = False) -> PrimFunc:
    """Thread 0 writes 16 bits (or both halves of 32), the last thread reads an element of the type at the place."""

    @T.prim_func
    def kernel(B: T.Buffer((1,), kind)):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([THREADS])
        S = T.alloc_shared((BYTES,), "uint8")
        V = T.decl_buffer((8,), "uint16", data=S.data)
        W = T.decl_buffer((4,), kind, data=S.data)
        if t == 0:
            V[2] = T.uint16(5)
            if not half:
                V[3] = T.uint16(7)
        if wait:
            T.cuda.cta_sync()
        if t == THREADS - 1:
            B[0] = W[t - (THREADS - 1) + place]

    return kernel


def run(kernel: PrimFunc, kind: str, stage: str) -> Any:
    b = np.zeros(1, tw.dtypes.dtype(kind).numpy())
    tw.compile(kernel).simulate(b, stage=stage)
    return b[0]


@pytest.mark.parametrize("stage", STAGES)
def test_what_is_wrong_is_found_by_bytes(stage: str) -> None:
    assert run(at(1, "uint32", wait=True), "uint32", stage) == 7 << 16 | 5
    assert run(at(2, "uint16", wait=True, half=True), "uint16", stage) == 5
    with pytest.raises(RaceError, match=r"reads element 1 of W \(byte 4\), which .*thread \(0,0,0\) writes"):
        run(at(1, "uint32", wait=False), "uint32", stage)
    with pytest.raises(UninitializedError, match="element 1 of W"):
        run(at(1, "uint32", wait=True, half=True), "uint32", stage)
    with pytest.raises(UninitializedError, match="element 2 of W"):
        run(at(2, "uint32", wait=False), "uint32", stage)  # other bytes: no race
    with pytest.raises(OutOfBoundsError, match="W"):
        run(at(4, "uint16", wait=True), "uint16", stage)  # 4 elements, and memory goes on


def copying(wait: bool) -> PrimFunc:
    """A copy on its way to half words, which are read as words."""

    @T.prim_func
    def kernel(A: T.Buffer((8,), "uint16"), B: T.Buffer((4,), "uint32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        S = T.alloc_shared((8,), "uint16")
        W = S.view("uint32")
        if t == 0:
            T.ptx.cp.async_.ca.shared.global_(S.ptr_to([0]), A.ptr_to([0]), 16)
            T.ptx.cp.async_.commit_group()
            if wait:
                T.ptx.cp.async_.wait_group(0)
            for i in range(4):
                B[i] = W[i]

    return kernel


@pytest.mark.parametrize("stage", STAGES)
def test_copies_on_their_way_are_seen_in_all_views(stage: str) -> None:
    a, b = np.arange(8, dtype=np.uint16), np.zeros(4, np.uint32)
    tw.compile(copying(True)).simulate(a, b, stage=stage)
    assert a.tobytes() == b.tobytes()
    with pytest.raises(RaceError, match=r"element 0 of W .*which a copy on its way writes.*thread"):
        tw.compile(copying(False)).simulate(a, b, stage=stage)


def landing(base: str, view: str, first: int, size: int, read: int) -> PrimFunc:
    """So many bytes are on their way to an element; lanes read elements of the view from another one on."""

    @T.prim_func
    def kernel(A: T.Buffer((16,), base), B: T.Buffer((4,), view)):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        S = T.alloc_shared((16,), base)
        W = S.view(view)
        if t < 16:
            S[t] = A[t]
        T.cuda.cta_sync()
        if t == 0:
            T.ptx.cp.async_.ca.shared.global_(S.ptr_to([first]), A.ptr_to([first]), size)
        if t < 4:
            B[t] = W[read + t]

    return kernel


@pytest.mark.parametrize(
    ("case", "who", "element"),
    [
        (("uint16", "int64", 4, 4, 0), 1, 1),
        (("uint32", "uint16", 0, 16, 6), 0, 6),
        (("uint32", "uint16", 4, 16, 5), 3, 8),
    ],
)
def test_who_meets_a_copy_is_named(case: tuple[str, str, int, int, int], who: int, element: int) -> None:
    base, view, _, _, read = case
    found = (
        rf"thread \({max(who, element - read)},0,0\) reads element {element} of W .*a copy on its way.*\(0,0,0\) began"
    )
    with pytest.raises(RaceError, match=found):
        tw.compile(landing(*case))(np.zeros(16, base), np.zeros(4, view))


def test_a_view_moves_by_its_own_elements() -> None:
    @T.prim_func
    def kernel(B: T.Buffer((32,), "uint16")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        S = T.alloc_shared((16,), "uint32")
        if t < 16:
            S[t] = T.cast(t, "uint32") * T.uint32(65537)
        T.cuda.warp_sync()
        V = T.decl_buffer((2,), "uint16", data=S.data, elem_offset=t // 2 * 2)
        B[t] = V[t % 2]

    for stage in STAGES:
        b = np.zeros(32, np.uint16)
        tw.compile(kernel).simulate(b, stage=stage)
        assert (b == np.arange(32) // 2).all()


def viewed(statement: str) -> PrimFunc:
    return T.from_source(
        "@T.prim_func\n"
        'def k(A: T.Buffer((64,), "float32")):\n'
        "    T.device_entry()\n"
        "    T.cta_id([1])\n"
        "    t = T.thread_id([32])\n"
        "    S = T.alloc_shared((16, 4), 'float32')\n"
        "    R = T.alloc_local((4,), 'float32')\n"
        f"    {statement}\n",
        "tile",
    )


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("A.view('uint32')", "pass the array as that type too, or T.reinterpret each element"),
        ("R.view('uint32')", "T.reinterpret gives the bits of a register"),
        ("S.view('float16', 3)", r"is made of constant integers, got \('float16', 3\)"),
        ("S.view(5, -1)", r"shape \(16, 4\) has 64 elements, and no view of shape \(5, -1\)"),
        ("S.view('complex128x')", "complex128x"),
        ("T.decl_buffer((65,), 'uint32', data=S.data)", "the view reaches 260 bytes, the memory of S has 256"),
        ("T.decl_buffer((2,), 'int64', data=S.data, byte_offset=4)", "byte_offset=4 does not start an element of 64"),
        (
            "T.decl_buffer((4,), 'float32', data=S.data, elem_offset=t).view('int32')",
            "begins at a run-time elem_offset",
        ),
    ],
)
def test_what_is_no_view(statement: str, message: str) -> None:
    with pytest.raises(KernelError, match=message):
        viewed(statement)


def test_mbarriers_share_no_bytes() -> None:
    @T.prim_func
    def kernel(B: T.Buffer((1,), "uint32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        S = T.alloc_shared((2,), "uint64")
        W = S.view("uint32")
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(S.ptr_to([0]), 1)
            B[0] = W[0]

    with pytest.raises(CompileError, match="S holds mbarriers, whose bytes no other buffer shares"):
        tw.compile(kernel).simulate(np.zeros(1, np.uint32))


@pytest.mark.parametrize("wide_first", [True, False])
@pytest.mark.parametrize(("other", "right"), [("uint64", False), ("int32", True)])
@pytest.mark.parametrize("meets", [True, False])
def test_atomic_changes_of_two_sizes_race_unless_they_are_ordered(
    wide_first: bool, other: str, right: bool, meets: bool
) -> None:
    @T.prim_func
    def kernel(B: T.Buffer((4,), "uint32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        S = T.alloc_shared((4,), "uint32")
        W = S.view(other)
        if t < 4:
            S[t] = 0
        T.cuda.cta_sync()
        if wide_first:
            if t == 0:
                T.cuda.atomic_add(W.ptr_to([0]), 1)
            if meets:
                T.cuda.cta_sync()
            if t == 32:
                T.cuda.atomic_add(S.ptr_to([0]), 1)
        else:
            if t == 32:
                T.cuda.atomic_add(S.ptr_to([0]), 1)
            if meets:
                T.cuda.cta_sync()
            if t == 0:
                T.cuda.atomic_add(W.ptr_to([0]), 1)
        T.cuda.cta_sync()
        if t < 4:
            B[t] = S[t]

    found = np.zeros(4, np.uint32)
    if right or meets:
        tw.compile(kernel)(found)
        assert found.tolist() == [2, 0, 0, 0]
    else:
        with pytest.raises(RaceError, match=r"changes element 0 of \w \(byte 0\).* overlap as elements of two views"):
            tw.compile(kernel)(found)
