"""Atomic changes of neighbours: what scalar ones leave, with the alignment of the whole, on every target."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import tilewright as tw
from tilewright.dtypes import dtype
from tilewright.errors import KernelError, MisalignedError, OutOfBoundsError, RaceError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.runtime.kernel import CompiledKernel
from tilewright.script import tirx as T

Arrays = list[NDArray[np.generic]]


@T.prim_func
def sums(A: T.Buffer((64, 4), "float32"), B: T.Buffer((32,), "float32"), C: T.Buffer((64, 2), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    T.ptx.red.global_.add.v4.f32(B.ptr_to([t % 4 * 4]), A[t, 0], A[t, 1], A[t, 2], A[t, 3])
    x: T.float32 = 0.0
    y: T.float32 = 0.0
    T.ptx.atom.relaxed.gpu.global_.add.v2.f32(x, y, B.ptr_to([16 + t % 8 * 2]), A[t, 0], A[t, 1])
    C[t, 0] = x
    C[t, 1] = y


@T.prim_func
def one_by_one(A: T.Buffer((64, 4), "float32"), B: T.Buffer((32,), "float32"), C: T.Buffer((64, 2), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    for i in T.serial(4):
        T.cuda.atomic_add(B.ptr_to([t % 4 * 4 + i]), A[t, i])
    C[t, 0] = T.cuda.atomic_add(B.ptr_to([16 + t % 8 * 2]), A[t, 0])
    C[t, 1] = T.cuda.atomic_add(B.ptr_to([17 + t % 8 * 2]), A[t, 1])


@T.prim_func
def packed(U: T.Buffer((64,), "uint32"), H: T.Buffer((32,), "float16"), G: T.Buffer((32,), "bfloat16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    x: T.uint32 = 0
    T.ptx.atom.global_.add.noftz.f16x2(x, H.ptr_to([t % 8 * 2]), U[t])
    U[t] = x
    T.ptx.red.global_.max.v2.f16x2(H.ptr_to([16 + t % 4 * 4]), U[t], U[t])
    T.ptx.red.global_.min.v4.bf16(G.ptr_to([t % 8 * 4]), 1.0, -2.0, 0.5, T.bfloat16(3.0))


def arguments(kernel: PrimFunc) -> Arrays:
    rng = np.random.default_rng(5)
    if kernel is packed:
        words = rng.standard_normal(128).astype(np.float16).view(np.uint32)
        return [words, rng.standard_normal(32).astype(np.float16), np.ones(32, dtype("bfloat16").numpy())]
    a = rng.integers(-9, 9, (64, 4)).astype(np.float32)
    return [a, np.zeros(32, np.float32), np.zeros((64, 2), np.float32)]


def test_vectors_leave_what_single_changes_do() -> None:
    ours, theirs = arguments(sums), arguments(one_by_one)
    tw.compile(sums)(*ours)
    tw.compile(one_by_one)(*theirs)
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.tobytes() == other.tobytes()
    a = arguments(sums)[0]
    assert ours[1][:4].tolist() == a[::4].sum(axis=0).tolist()


def test_halves_are_packed_with_the_first_below() -> None:
    words, halves, brains = arguments(packed)
    given = words.view(np.float16).reshape(64, 2).copy()
    start = halves.copy()
    before = np.zeros((64, 2), np.float16)
    for lane in range(64):
        place = lane % 8 * 2
        before[lane] = start[place : place + 2]
        start[place : place + 2] += given[lane]
    for lane in range(64):
        place = 16 + lane % 4 * 4
        start[place : place + 4] = np.maximum(start[place : place + 4], np.tile(before[lane], 2))
    tw.compile(packed)(words, halves, brains)
    assert words.tobytes() == before.tobytes()
    assert halves.tobytes() == start.tobytes()
    assert brains[:4].astype(float).tolist() == [1, -2, 0.5, 1]


@pytest.mark.parametrize("kernel", [sums, packed], ids=lambda kernel: kernel.name)
def test_every_stage_script_and_target_agree(kernel: PrimFunc) -> None:
    if kernel is packed:
        kernel = summed_halves
    compiled, found = tw.compile(kernel), []
    for stage in compiled.stages:
        arrays = arguments(packed if kernel is summed_halves else kernel)
        compiled.simulate(*arrays, stage=stage)
        found.append([array.tobytes() for array in arrays])
        assert script(parse_module(compiled.ir(stage))) == compiled.script(stage)
    arrays = arguments(packed if kernel is summed_halves else kernel)
    tw.compile(kernel, target="host")(*arrays)
    found.append([array.tobytes() for array in arrays])
    assert found == [found[0]] * len(found)
    on_cuda = tw.compile(kernel, target="cuda:sm_90a")
    assert isinstance(on_cuda, CompiledKernel)
    assert on_cuda.cubin.startswith(b"\x7fELF")
    assert "atom.relaxed.gpu.global.add" in on_cuda.source


@T.prim_func
def summed_halves(U: T.Buffer((64,), "uint32"), H: T.Buffer((32,), "float16"), G: T.Buffer((32,), "bfloat16")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    T.ptx.red.global_.add.noftz.f16x2(H.ptr_to([t % 8 * 2]), U[t])
    T.ptx.red.global_.min.v4.bf16(G.ptr_to([t % 8 * 4]), 1.0, -2.0, 0.5, 3.0)


def test_the_whole_is_aligned_and_inside_and_counted_once() -> None:
    report = tw.compile(sums).profile(*arguments(sums))
    first, second = report.select(kind="atomic")
    assert (first.accesses, first.width_bytes, first.bytes, first.distinct_bytes) == (2, 16, 64 * 16, 2 * 4 * 16)
    assert (second.accesses, second.width_bytes, second.bytes, second.distinct_bytes) == (2, 8, 64 * 8, 2 * 8 * 8)


@T.prim_func
def askew(B: T.Buffer((32,), "float32"), N: T.int32):
    T.device_entry()
    T.cta_id([1])
    T.thread_id([32])
    T.ptx.red.global_.add.v4.f32(B.ptr_to([N]), 1.0, 2.0, 3.0, 4.0)


@T.prim_func
def read_beside(B: T.Buffer((32,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    T.ptx.red.global_.add.v2.f32(B.ptr_to([0]), 1.0, 2.0)
    if t == 3:
        B[1] = 5.0


def test_faults() -> None:
    out = np.zeros(32, np.float32)
    tw.compile(askew)(out, 28)
    assert out[28:].tolist() == [32, 64, 96, 128]
    with pytest.raises(MisalignedError, match="at byte 8, which is no multiple of 16"):
        tw.compile(askew)(out, 2)
    with pytest.raises(OutOfBoundsError):
        tw.compile(askew)(out, 32)
    with pytest.raises(RaceError, match=r"writes element 1 of B \(byte 4\), which .* changes"):
        tw.compile(read_beside)(out)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("T.ptx.red.add.v8.f32(B.ptr_to([0]), *[B[i] for i in range(8)])", r"changes \(2, 4\) of float32"),
        ("T.ptx.red.global_.add.v4.f32(B.ptr_to([0]), 1.0)", "takes 4 operands, got 1"),
        ("T.ptx.red.global_.max.v2.f32(B.ptr_to([0]), 1.0, 1.0)", "no max of float32"),
        ("T.ptx.red.add.v2.f32(s.ptr_to([0]), 1.0, 1.0)", "changes global memory, not shared"),
        ("T.ptx.red.global_.add.v2.f16(B.ptr_to([0]), 1.0, 1.0)", "takes the address of a float16"),
        ("T.ptx.atom.global_.add.v2.f32(B[0], B[1], B.ptr_to([0]), 1.0, 1.0)", "is the register that it sets"),
    ],
)
def test_refusals(text: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "kernel.py"
    file.write_text(
        "from tilewright.script import tirx as T\n\n@T.prim_func\ndef k(B: T.Buffer((32,), 'float32')):\n"
        "    T.device_entry()\n    T.cta_id([1])\n    t = T.thread_id([32])\n    s = T.alloc_shared((32,))\n"
        f"    {text}\n"
    )
    with pytest.raises(KernelError, match=message):
        runpy.run_path(str(file))


# ---- atomic copies by the atom's name


@T.prim_func
def by_atom(A: T.Buffer((64,), "int32"), B: T.Buffer((4,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    r = T.alloc_local((1,), "int32")
    r[0] = A[t]
    T.copy_atom("UniversalAtomicAdd32b", B[0], r[0])
    T.copy_atom("UniversalAtomicMax32b", B.ptr_to([1]), r)
    T.copy_atom("UniversalAtomicMin32b", B[2], r[0])
    T.copy_atom("UniversalAtomicOr32b", B[3], r[0])


def test_atomic_copies_change_what_is_there() -> None:
    a = np.random.default_rng(1).integers(-50, 50, 64).astype(np.int32)
    for target in ("simulator", "host"):
        b = np.array([5, -100, 100, 0], np.int32)
        tw.compile(by_atom, target=target)(a, b)
        assert b.tolist() == [5 + a.sum(), a.max(), a.min(), np.bitwise_or.reduce(a)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("T.copy_atom('UniversalAtomicInc32b', B[0], r[0])", "kernels have atomic add, .*, not inc"),
        ("T.copy_atom('UniversalAtomicAdd64b', B[0], r[0])", "a register of 64 bits changes"),
        ("T.copy_atom('UniversalAtomicAdd32b', r[0], B[0])", "got float32 in global and float32 in local memory"),
        ("T.copy_atom('UniversalAtomicAdd31b', B[0], r[0])", "UniversalAtomicAdd31b"),
    ],
)
def test_atomic_copies_that_are_none(text: str, message: str, tmp_path: Path) -> None:
    test_refusals(f"r = T.alloc_local((1,))\n    {text}", message, tmp_path)
