"""Ops of asynchronous work: what reads back, what is refused, and which emitter takes them."""

from __future__ import annotations

from pathlib import Path

import pytest

import tilewright as tw
from tilewright.errors import CompileError, KernelError, NotationError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T

HEAD = """func.func @f(%A: memref<64xf16>, %m: !tile.tensor_map) attributes {
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 32, 1, 1>} {
  %c0 = arith.constant 0 : index
  %S = memref.alloca() : memref<64xf16, "shared">
  %B = memref.alloca() : memref<2xui64, "shared">
  %L = memref.alloca() : memref<8xf16, "local">
  %a = tile.address %A[%c0] : memref<64xf16> -> !tile.address<f16, "global">
  %s = tile.address %S[%c0] : memref<64xf16, "shared"> -> !tile.address<f16, "shared">
  %l = tile.address %L[%c0] : memref<8xf16, "local"> -> !tile.address<f16, "local">
  %b = tile.address %B[%c0] : memref<2xui64, "shared"> -> !tile.address<ui64, "shared">
"""
S, A, B = '!tile.address<f16, "shared">', '!tile.address<f16, "global">', '!tile.address<ui64, "shared">'
RIGHT = (
    f"tile.cp_async %s, %a, 16 : {S}, {A}",
    f"tile.cp_async %s, %a, 8 size %c0 : {S}, {A}",
    'tile.async_commit "bulk"',
    'tile.async_wait "cp" -1',
    'tile.async_wait "bulk.read" 1',
    f'tile.mbarrier "init" %b, %c0 : {B}',
    f'tile.mbarrier "cp_async.arrive.noinc" %b : {B}',
    f"tile.mbarrier_wait %b, %c0 : {B}",
    f"%t = tile.mbarrier_test %b, %c0 : {B}",
    'tile.fence "proxy.async.global"',
    f'tile.bulk_copy "load" %s, %a, %c0 on %b : {B} : {S}, {A}',
    f'tile.bulk_copy "store" "max" %a, %s, %c0 : {A}, {S}',
    f'tile.tensor_copy "load" %s, %m[%c0, %c0] on %b : {B} : {S}',
    f'tile.tensor_copy "store" "add" %s, %m[%c0] : {S}',
)
WRONG = {
    f"tile.cp_async %s, %a, 12 : {S}, {A}": "copies 4, 8 or 16 bytes",
    f"tile.cp_async %a, %s, 16 : {A}, {S}": "expected an address in shared memory",
    f"tile.cp_async %b, %a, 16 : {B}, {A}": "the elements differ",
    'tile.async_commit "all"': "is none of cp, bulk",
    'tile.async_wait "bulk" -1': "with -1 groups pending",
    f'tile.mbarrier "init" %b : {B}': "lacks its number",
    f'tile.mbarrier "inval" %b, %c0 : {B}': "has a number",
    f'tile.mbarrier "inval" %s : {S}': "an mbarrier is a uint64",
    'tile.fence "proxy"': "is none of",
    f'tile.bulk_copy "load" %s, %a, %c0 : {S}, {A}': "lacks its mbarrier",
    f'tile.bulk_copy "store" %a, %s, %c0 on %b : {B} : {A}, {S}': "has no mbarrier",
    f'tile.bulk_copy "store" "mul" %a, %s, %c0 : {A}, {S}': "is none of add",
    f'tile.tensor_copy "store" %s, %m[] : {S}': "0 coordinates",
    f'tile.tensor_copy "load" "add" %s, %m[%c0] on %b : {B} : {S}': "a bulk reduction is a store",
    f'tile.cp_async %l, %a, 16 : !tile.address<f16, "local">, {A}': "expected an address in shared memory",
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
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64, 8), "float32")
    bar = T.alloc_shared((2,), "uint64")
    T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
    T.ptx.mbarrier.inval.shared.b64(bar.ptr_to([0]))
    T.ptx.mbarrier.arrive.shared.b64(T.address_of(bar[1]))
    T.ptx.mbarrier.expect_tx.shared.b64(bar.ptr_to([0]), 16)
    T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([0]), T.uint32(16))
    T.ptx.mbarrier.try_wait(bar.ptr_to([0]), t % 2)
    if T.ptx.mbarrier.test_wait(bar.ptr_to([0]), 1):
        T.ptx.fence.proxy.async_.global_()
    T.ptx.cp.async_.ca.shared.global_(s.ptr_to([t, 0]), a.ptr_to([t, 0]), 16, 8)
    T.ptx.cp.async_.mbarrier.arrive.noinc.shared.b64(bar.ptr_to([0]))
    T.ptx["cp.async.commit_group"]()
    T.ptx.cp.async_.wait_group(0)
    T.ptx.cp.async_.wait_all()
    T.ptx["cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"](
        s.ptr_to([0, 0]), a.ptr_to([0, 0]), 64, bar.ptr_to([0])
    )
    T.ptx["cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32"](a.ptr_to([0, 0]), s.ptr_to([0, 0]), 64)
    T.ptx["cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes"](
        s.ptr_to([0, 0]), T.address_of(M), 0, t, bar.ptr_to([0])
    )
    T.ptx["cp.reduce.async.bulk.tensor.1d.global.shared::cta.min.bulk_group"](T.address_of(M), 0, s.ptr_to([0, 0]))
    T.ptx.fence.mbarrier_init.release.cluster()
    T.ptx.cp.async_.bulk.commit_group()
    T.ptx.cp.async_.bulk.wait_group(1)
    T.ptx.cp.async_.bulk.wait_group.read(0)


@pytest.mark.parametrize("stage", ["tile", "dispatched", "lowered", "final"])
def test_every_stage_reads_back_and_has_a_script(stage: str) -> None:
    lowered = run(everything.module, stage, verify_each=True).module
    text = print_module(lowered)
    assert print_module(parse_module(text)) == text
    printed = script(lowered)
    assert printed.count("mbarrier") == script(everything.module).count("mbarrier")
    assert "T.TensorMap()" in printed


@T.prim_func
def without_a_map(A: T.handle) -> None:
    a = T.match_buffer(A, (64,), "float32")
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((128,), "float32")
    T.ptx.cp.async_.ca.shared.global_(s.ptr_to([t]), a.ptr_to([t]), 4)


def test_loops_take_no_mbarriers_and_cuda_all() -> None:
    assert "tile.mbarrier works asynchronously" in tw.compile(everything, target="host").way
    assert "cp.async.ca.shared.global" in tw.compile(without_a_map, target="cuda:sm_90a").source
    text = tw.compile(everything, target="cuda:sm_90a").source
    assert "cp.async.bulk.tensor.2d.shared::cluster.global" in text
    assert "mbarrier.arrive.expect_tx.shared.b64" in text


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("T.ptx.mbarrier.init.shared.b32(bar.ptr_to([0]), 1)", "'b32' is not one of its words"),
        ("T.ptx.mbarrier.arrive(bar, 1)", "bar is an address"),
        ("T.ptx.cp.async_.cg.shared.global_(s.ptr_to([0]), a.ptr_to([0]), 8)", "copies 16 bytes"),
        ("T.ptx.cp.async_.wait_group(t)", "a constant of at least 0"),
        ("T.ptx.fence.proxy()", "no instruction"),
        ('T.ptx["cp.reduce.async.bulk.global.bulk_group"](a.ptr_to([0]), s.ptr_to([0]), 16)', "a reduction is one of"),
        ("T.cuda.mbarrier_wait(bar.ptr_to([0]), 0.5)", "phase is an integer"),
        ("T.ptx.mbarrier.init(bar.ptr_to([0, 0]), 1)", "2 indices into bar"),
    ],
)
def test_a_wrong_call_is_refused(call: str, words: str, tmp_path: Path) -> None:
    file = tmp_path / "kernel.py"
    file.write_text(
        "from tilewright.script import tirx as T\n"
        "@T.prim_func\n"
        "def f(A: T.handle):\n"
        '    a = T.match_buffer(A, (64,), "float32")\n'
        "    T.device_entry()\n"
        "    T.cta_id([1])\n"
        "    t = T.thread_id([32])\n"
        '    s = T.alloc_shared((64,), "float32")\n'
        '    bar = T.alloc_shared((2,), "uint64")\n'
        f"    {call}\n",
        encoding="utf-8",
    )
    import importlib.util

    spec = importlib.util.spec_from_file_location("kernel", file)
    assert spec
    assert spec.loader
    with pytest.raises(KernelError, match=words) as found:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    assert "kernel.py:10:" in str(found.value)
