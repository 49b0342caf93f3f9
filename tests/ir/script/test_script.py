"""The script of a kernel is a kernel: read again, it is the same one."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from permutes import Permute, scale_factors, transpose
from same_ir import assert_same

from tilewright.errors import KernelError
from tilewright.ir.script.tirx import script
from tilewright.lang.primfunc import PrimFunc
from tilewright.lang.scripts import from_source
from tilewright.passes.pipeline import STAGES, run
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import ComposeLayout, S, TileLayout

HEAD = """\
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import ComposeLayout, R, S, TileLayout, laneid, warpid

"""
swizzled = ComposeLayout(3, 3, 3, TileLayout(S[8, 64]))


def everything() -> PrimFunc:
    @T.prim_func
    def everything(A: T.handle, B: T.handle, C: T.handle):
        a = T.match_buffer(A, (8, 64), "int32", layout=swizzled)
        b = T.match_buffer(B, (4, 32), "uint32")
        c = T.match_buffer(C, (64,), "float32")
        T.device_entry()
        bx = T.cta_id([3])
        tx, ty = T.thread_id([16, 4])
        tile = T.alloc_buffer((4, 32), "uint32", scope="shared", layout=TileLayout(S[(4, 32) : (1, 4)]))
        own = T.alloc_local((2,), "float32")
        for i in T.serial(0, 4):
            for j in T.unroll(0, 8):
                if tx + 16 * i < j * 3 and not bx == 1:  # noqa: SIM201
                    b[i, j] = (b[i, j] + 7) // 3 ^ (T.cast(j * i - 1, "uint32") & 255) << 2
                else:
                    a[i, tx - (ty - j) + 8] = -a[i, j] * (2 + a[i, 0]) - (a[i, 1] - (a[i, 2] - 1))
        own[0] = c[tx] / 2.5 - (c[ty] - 1e-3) * c[0]
        c[tx] = T.max(own[0], 0.0) if own[0] != own[0] or bx > 1 else T.cast(T.cast(own[0], "int32"), "float32")
        T.cuda.cta_sync()
        for s in T.serial(0, 4, step=2):
            Tx.cta.permute_layout(tile[s : s + 2, 0:32], b[s : s + 2, 0:32], dispatch="later")
            Tx.warp.permute_layout(tile[s:4, 0 : s + 1], b[s:4, 3 : s + 4])
        T.cuda.warp_sync()

    return everything


def placed() -> PrimFunc:
    @T.prim_func
    def placed(A: T.Buffer((8, 64), "float16"), n: T.int32, B: T.Buffer((8, 64), "float16"), low: T.float32):
        T.cta_id([1])
        t = T.thread_id([64])
        pool = T.SMEMPool()
        flags = pool.alloc((3,), "int8")
        tile = pool.alloc((8, 64), "float16", align=1024, layout=swizzled)
        own = T.alloc_local((4,), "float32")
        turned = T.decl_buffer((2, 2), "float32", data=own.data, layout=TileLayout(S[(2, 2) : (1, 2)]))
        pool.commit(3072)
        if t < 3:
            flags[t] = t - n
        T.cuda.cta_sync()
        turned[0, 1] = T.cast(flags[0], "float32") * low
        for i in range(n):
            rows = T.decl_buffer((4, 2, 64), "float16", data=tile.data, byte_offset=0)
            rows[i // 2, i % 2, t] = A[i, t]
            B[i, t] = tile[i, t] + T.cast(own[2], "float16")

    return placed


KERNELS = {
    "placed": placed,
    "document 000": scale_factors().kernel,
    "transpose": transpose(8).kernel,
    "offset": Permute((4, 32), TileLayout(S[(4, 32) : (32, 1)] + 3), TileLayout(S[(4, 32) : (1, 4)])).kernel,
    "everything": everything,
}


def read_again(text: str, name: str, folder: Path) -> PrimFunc:
    file = folder / "kernel.py"
    file.write_text(HEAD + text)
    kernel = runpy.run_path(str(file))[name]
    assert isinstance(kernel, PrimFunc)
    return kernel


def carrying() -> PrimFunc:
    @T.prim_func
    def carrying(A: T.Buffer((64,), "int32"), F: T.Buffer((4,), "uint32"), n: T.int32):
        T.cta_id([1])
        t = T.thread_id([64])
        best, at, below, turns = A[t], 0, False, T.uint32(3) // 2
        for i in T.serial(n):
            if A[i] > best and i < 64:
                best, at, below = A[i], i, t < i
            else:
                turns = turns + 1
        while T.ptx.ld.acquire.gpu(T.address_of(F[0])) < turns:
            turns = turns - T.cuda.atomic_add(T.address_of(F[1]), 1)
        for i in range(64):
            if i > at:
                break
            best = best - i
        while best > 64 and A[best] > 0:
            best = best // 2
        A[t] = best if below else T.ptx.atom.add.relaxed.gpu(T.address_of(A[at]), 1)

    return carrying


KERNELS["carrying"] = carrying


@pytest.mark.parametrize("name", KERNELS)
def test_the_script_of_each_stage_is_the_same_kernel(name: str) -> None:
    kernel = KERNELS[name]()
    for stage in STAGES if name != "everything" else ("tile",):  # it names no variant that there is
        module = run(kernel.module, stage).module
        again = from_source(script(module), stage)
        assert again.name == kernel.name
        assert_same(module, again.module)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(:", "the script is no Python: invalid syntax\n  at <script>:1:"),
        ("x = 1\ny = 2", "one function under @T.prim_func, got 2 statements"),
        ("def f(A: T.handle):\n    open(A)", "the name 'open' is not defined here\n  at <script>:2:5"),
        ("def f():\n    while True:\n        T.cta_id([1])", "`while True` without `break` never ends"),
    ],
)
def test_what_is_no_script_is_refused_at_its_place(text: str, message: str) -> None:
    with pytest.raises(KernelError) as caught:
        from_source(text)
    assert message in str(caught.value)


def test_a_load_that_a_store_would_change_before_one_of_its_uses_gets_a_name() -> None:
    @T.prim_func
    def twice(A: T.Buffer((64,), "float32")):
        T.cta_id([1])
        t = T.thread_id([32])
        more = A[t] + 1.0
        A[t] = more
        A[t + 32] = more

    assert "A[tx] = v + 1.0\n    A[tx + 32] = v + 1.0" in twice.script()


@pytest.mark.parametrize("dtype", ["float32", "int32", "uint32", "int8"])
def test_a_value_that_is_used_twice_is_written_once(dtype: str, tmp_path: Path) -> None:
    @T.prim_func
    def grown(A: T.Buffer((32,), dtype)):
        T.cta_id([1])
        t = T.thread_id([32])
        x1 = A[t]
        x2 = x1 * x1 - x1
        x3 = x2 * x2 - x2
        x4 = T.max(x3 * x3, x3) - x3 * x3
        x5 = x4 * x4 - x4
        x6 = x5 - x4 if x4 * x4 < x4 else x4
        A[t] = x6 * x6 - x6

    text = grown.script()
    assert max(map(len, text.splitlines())) < 400
    again = read_again(text, "grown", tmp_path)
    assert again.script() == text
    values = np.arange(32).astype(dtype)
    results = values.copy(), values.copy()
    for kernel, result in zip((grown, again), results, strict=True):
        simulate(kernel.module, [result])
    assert results[0].tobytes() == results[1].tobytes() != values.tobytes()


def test_a_load_that_a_store_would_change_gets_a_name() -> None:
    @T.prim_func
    def swap(A: T.Buffer((64,), "float32")):
        T.cta_id([1])
        t = T.thread_id([32])
        first = A[t]
        A[t] = A[t + 32]
        A[t + 32] = first

    assert swap.script().splitlines()[-3:] == ["    first = A[tx]", "    A[tx] = A[tx + 32]", "    A[tx + 32] = first"]
