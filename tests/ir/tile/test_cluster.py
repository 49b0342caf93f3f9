"""Ops of clusters: what reads back, what is refused, what the language says of them, and the text for CUDA."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

import tilewright as tw
from tilewright.errors import CompileError, KernelError, NotationError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T

HEAD = """func.func @f(%A: memref<64xf32>, %m: !tile.tensor_map) attributes {
    tile.grid = array<i64: 2, 1, 1>, tile.block = array<i64: 32, 1, 1>, tile.cluster = 2 : i64} {
  %c0 = arith.constant 0 : index
  %f = arith.constant 1.0 : f32
  %S = memref.alloca() : memref<64xf32, "shared">
  %B = memref.alloca() : memref<2xui64, "shared">
  %RS = tile.remote %S, %c0 : memref<64xf32, "shared"> -> memref<64xf32, "shared">
  %RB = tile.remote %B, %c0 : memref<2xui64, "shared"> -> memref<2xui64, "shared">
  %a = tile.address %A[%c0] : memref<64xf32> -> !tile.address<f32, "global">
  %s = tile.address %S[%c0] : memref<64xf32, "shared"> -> !tile.address<f32, "shared">
  %b = tile.address %B[%c0] : memref<2xui64, "shared"> -> !tile.address<ui64, "shared">
  %rs = tile.address %RS[%c0] : memref<64xf32, "shared"> -> !tile.address<f32, "shared">
  %rb = tile.address %RB[%c0] : memref<2xui64, "shared"> -> !tile.address<ui64, "shared">
"""
S, A, B = '!tile.address<f32, "shared">', '!tile.address<f32, "global">', '!tile.address<ui64, "shared">'
RIGHT = (
    'tile.cluster_arrive "release"',
    'tile.cluster_arrive "relaxed" aligned',
    "tile.cluster_wait",
    "tile.cluster_wait aligned",
    f"tile.st_async %rs on %rb, %f : {S}, {B}, f32",
    f"tile.st_async %rs on %rb, %f, %f, %f, %f : {S}, {B}, f32, f32, f32, f32",
    f'tile.st_async "add" %rs on %rb, %f : {S}, {B}, f32',
    f'tile.mbarrier "arrive" "relaxed" %rb, %c0 : {B}',
    f'tile.mbarrier "arrive.expect_tx" %rb, %c0 : {B}',
    f'tile.bulk_copy "load" %s, %a, %c0 on %b : {B} to %c0 : {S}, {A}',
    f'tile.bulk_copy "share" %rs, %s, %c0 on %rb : {B} : {S}, {S}',
    f'tile.bulk_copy "share" "max" %rs, %s, %c0 on %rb : {B} : {S}, {S}',
    f'tile.tensor_copy "load" %s, %m[%c0] on %b : {B} to %c0 : {S}',
)
WRONG = {
    'tile.cluster_arrive "acquire"': "is none of release, relaxed",
    f"tile.st_async %rs on %rb, %f, %f, %f : {S}, {B}, f32, f32, f32": "3 elements of 32 bits",
    f"tile.st_async %rs on %rb, %c0 : {S}, {B}, index": "of index",
    f'tile.st_async "add" %rs on %rb, %f, %f : {S}, {B}, f32, f32': "it takes one",
    f'tile.st_async "mul" %rs on %rb, %f : {S}, {B}, f32': "is none of add",
    f"tile.st_async %a on %rb, %f : {A}, {B}, f32": "expected an address in shared memory",
    f'tile.mbarrier "init" %rb, %c0 : {B}': "of the own block",
    f'tile.mbarrier "cp_async.arrive" %rb : {B}': "of the own block",
    f'tile.mbarrier "arrive" "acquire" %b, %c0 : {B}': "is not 'acquire'",
    f'tile.mbarrier "init" "relaxed" %b, %c0 : {B}': "is not 'relaxed'",
    f"tile.mbarrier_wait %rb, %c0 : {B}": "of the own block",
    f"%t = tile.mbarrier_test %rb, %c0 : {B}": "of the own block",
    f"tile.cp_async %rs, %a, 16 : {S}, {A}": "of the own block",
    f'tile.bulk_copy "store" %a, %rs, %c0 : {A}, {S}': "of the own block",
    f'tile.bulk_copy "share" %rs, %s, %c0 : {S}, {S}': "lacks its mbarrier",
    f'tile.bulk_copy "store" %a, %s, %c0 to %c0 : {A}, {S}': "has no mask of blocks",
    f'tile.bulk_copy "load" %rs, %a, %c0 on %b : {B} to %c0 : {S}, {A}': "of the own block",
    f'tile.tensor_copy "load" %s, %m[%c0] on %rb : {B} to %c0 : {S}': "of the own block",
    f'tile.tensor_copy "store" %rs, %m[%c0] : {S}': "of the own block",
    f'tile.tensor_copy "share" %s, %m[%c0] on %b : {B} : {S}': "is none of load, store",
}


def module(line: str) -> str:
    return f"{HEAD}{line}\nfunc.return }}"


@pytest.mark.parametrize("line", RIGHT)
def test_an_op_reads_back(line: str) -> None:
    text = print_module(parse_module(module(line)))
    assert line in text
    assert print_module(parse_module(text)) == text


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_op_is_refused(line: str) -> None:
    with pytest.raises((NotationError, CompileError), match=WRONG[line]):
        parse_module(module(line))


@T.prim_func
def everything(A: T.handle, M: T.TensorMap()) -> None:
    a = T.match_buffer(A, (64, 8), "float32")
    T.device_entry()
    T.cta_id([2])
    rank = T.cta_id_in_cluster([2])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 8), "float32")
    bar = T.alloc_shared((2,), "uint64")
    there = T.ptx.mapa(s, 1 - rank)
    T.ptx.barrier.cluster.arrive.relaxed()
    T.ptx.barrier.cluster.wait.acquire.aligned()
    T.ptx.mbarrier.arrive.relaxed.cluster.shared__cluster.b64(T.ptx.mapa(bar.ptr_to([0]), 1 - rank))
    T.ptx.mbarrier.arrive.expect_tx.release.cluster.shared__cluster.b64(T.ptx.mapa(bar.ptr_to([0]), t % 2), 16)
    T.cuda.mbarrier_wait_acquire_cluster(bar.ptr_to([0]), 0)
    T.ptx["st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32"](
        there.ptr_to([t, 0]), 1.0, 2.0, T.ptx.mapa(bar.ptr_to([1]), 1 - rank)
    )
    T.ptx["red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.f32"](
        there.ptr_to([t, 0]), 1.0, T.ptx.mapa(bar.ptr_to([1]), 1 - rank)
    )
    T.ptx["cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"](
        s.ptr_to([0, 0]), a.ptr_to([0, 0]), 64, bar.ptr_to([0]), 3
    )
    T.ptx["cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster"](
        s.ptr_to([0, 0]), T.address_of(M), 0, t, bar.ptr_to([0]), T.uint16(1)
    )
    T.ptx["cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"](
        there.ptr_to([0, 0]), s.ptr_to([0, 0]), 64, T.ptx.mapa(bar.ptr_to([1]), 1 - rank)
    )


@pytest.mark.parametrize("stage", ["tile", "dispatched", "lowered", "final"])
def test_every_stage_reads_back_and_has_a_script(stage: str) -> None:
    lowered = run(everything.module, stage, verify_each=True).module
    text = print_module(lowered)
    assert print_module(parse_module(text)) == text
    printed = script(lowered)
    words = (
        "arrive.relaxed.cluster",
        "arrive.expect_tx.shared__cluster",
        "multicast::cluster",
        "wait.acquire.aligned",
    )
    assert all(word in printed for word in words)
    assert printed.count("T.ptx.mapa") >= 3


@T.prim_func
def halves(A: T.Buffer((2, 32), "int32")) -> None:
    T.device_entry()
    b = T.cta_id([2])
    T.cta_id_in_cluster([2])
    t = T.thread_id([32])
    T.ptx.barrier.cluster.arrive.relaxed()
    A[b, t] = 1
    T.ptx.barrier.cluster.wait()
    T.ptx.barrier.cluster.arrive.aligned()
    T.ptx.barrier.cluster.wait.acquire.aligned()


def test_cuda_has_both_halves_and_loops_have_no_clusters() -> None:
    text = tw.compile(halves, target="cuda:sm_90a").source
    assert text.count("tw_cluster_wait();") == 2
    assert text.index("tw_cluster_arrive_relaxed();") < text.index("tw_cluster_wait();")
    assert 'asm volatile("barrier.cluster.arrive.release;" ::: "memory");' in text
    assert "blocks of a cluster" in tw.compile(halves, target="host").way


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("T.ptx.mbarrier.arrive.shared.b64(T.ptx.mapa(bar.ptr_to([0]), 1))", "is shared::cluster, not shared"),
        ("T.ptx.mbarrier.arrive.release.relaxed.b64(bar.ptr_to([0]))", "release or relaxed"),
        ("T.cuda.mbarrier_wait(T.ptx.mapa(bar.ptr_to([0]), 1), 0)", "of the own block"),
        ("T.ptx.mbarrier.init(T.ptx.mapa(bar.ptr_to([0]), 1), 1)", "of the own block"),
        ("T.ptx.barrier.cluster.arrive.release.relaxed()", "not both"),
        ("T.ptx.barrier.cluster.meet()", "'meet' is not one of its words|lacks"),
        ('T.ptx["st.async.mbarrier::complete_tx::bytes.v2.f32"](s.ptr_to([0]), 1.0, bar.ptr_to([0]))', "2 values"),
        ('T.ptx["red.async.mbarrier::complete_tx::bytes.f32"](s.ptr_to([0]), 1.0, bar.ptr_to([0]))', "one of add"),
    ],
)
def test_a_wrong_call_is_refused(call: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "kernel.py"
    file.write_text(
        "from tilewright.script import tirx as T\n"
        "@T.prim_func\n"
        "def f(A: T.Buffer((4,), 'int32')):\n"
        "    T.device_entry()\n"
        "    T.cta_id([2])\n"
        "    T.cta_id_in_cluster([2])\n"
        "    t = T.thread_id([32])\n"
        '    s = T.alloc_shared((64,), "float32")\n'
        '    bar = T.alloc_shared((2,), "uint64")\n'
        f"    {call}\n",
        encoding="utf-8",
    )
    spec = importlib.util.spec_from_file_location("kernel", file)
    assert spec
    assert spec.loader
    with pytest.raises((KernelError, CompileError), match=words) as found:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    assert "kernel.py:10:" in str(found.value)


@T.prim_func
def reaching(A: T.Buffer((64, 8), "float32"), N: T.Buffer((4,), "uint32")) -> None:
    T.device_entry()
    T.cta_id([2])
    rank = T.cta_id_in_cluster([2])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 8), "float32")
    n = T.alloc_shared((4,), "uint32")
    bar = T.alloc_shared((2,), "uint64")
    there = T.ptx.mapa(s, 1 - rank)
    barrier = T.ptx.mapa(bar, 1 - rank)
    T.ptx.mbarrier.arrive.b64(barrier.ptr_to([0]))
    T.ptx.mbarrier.arrive.relaxed.cluster.shared__cluster.b64(barrier.ptr_to([0]), 2)
    T.ptx.mbarrier.arrive.relaxed.cta.shared__cta.b64(bar.ptr_to([0]), 2)
    T.ptx.mbarrier.expect_tx.relaxed.cluster.shared__cluster.b64(barrier.ptr_to([0]), 16)
    T.ptx.mbarrier.arrive.expect_tx.release.cluster.shared__cluster.b64(barrier.ptr_to([0]), 16)
    T.ptx["st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.f32"](
        there.ptr_to([t, 0]), 1.0, A[t, 0], barrier.ptr_to([1])
    )
    T.ptx["red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32"](
        T.ptx.mapa(n.ptr_to([0]), 1), N[0], T.ptx.mapa(bar.ptr_to([1]), 1)
    )
    T.ptx["cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"](
        s.ptr_to([0, 0]), A.ptr_to([0, 0]), 64, bar.ptr_to([0]), 3
    )
    T.ptx["cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"](
        there.ptr_to([0, 0]), s.ptr_to([0, 0]), 64, barrier.ptr_to([1])
    )


def test_cuda_says_which_block() -> None:
    text = tw.compile(reaching, target="cuda:sm_90a").source
    for line in (
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], %1;",
        "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0], %1;",
        "mbarrier.arrive.relaxed.cta.shared.b64 state, [%0], %1;",
        "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%0], %1;",
        "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], %1;",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%2, %3}, [%1];",
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %2, [%1];",
        "mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;",
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];",
    ):
        assert line in text, line
    assert text.count('"r"(tw_cluster_address(') == 10
