"""What the language accepts: document 000's program, and every spelling of the same."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from tilewright.ir.script.tirx import script
from tilewright.ir.text import print_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.script import tirx
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import S, TileLayout

DOCUMENT_000 = """
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import TileLayout, S

pipe, blk, dtype = 2, 128, "float32"; high = 1
shape = (pipe, high, 4, 32)
pre  = TileLayout(S[shape : (blk, 128, 32, 1)])   # source
post = TileLayout(S[shape : (blk, 128, 1, 4)])    # destination (4↔32 transposed)

@T.prim_func
def f(A: T.handle, B: T.handle):
    A_buf = T.match_buffer(A, shape, dtype, layout=pre)
    B_buf = T.match_buffer(B, shape, dtype, layout=post)
    T.device_entry(); T.cta_id([1]); T.thread_id([32])
    for s in T.serial(0, pipe):
        Tx.warp.permute_layout(B_buf[s, 0:1, 0:4, 0:32], A_buf[s, 0:1, 0:4, 0:32])
"""

# "Generated TIRx IR" of the document, with its loops.
GENERATED = """\
    for s in T.serial(0, 2):
        regs = T.alloc_buffer((4,), "float32", scope="local")
        for r in T.unroll(0, 4):
            regs[r] = A_buf[s * 128 + (r ^ ((tx >> 3) & 3)) % 4 * 32 + tx]
        T.cuda.warp_sync()
        for r in T.unroll(0, 4):
            B_buf[s * 128 + tx * 4 + (r ^ ((tx >> 3) & 3)) % 4] = regs[r]
        T.cuda.warp_sync()""".splitlines()

shape = (2, 1, 4, 32)
post = TileLayout(S[shape : (128, 128, 1, 4)])
stages = shape[0]


def document(tmp_path: Path) -> PrimFunc:
    file = tmp_path / "program.py"
    file.write_text(DOCUMENT_000)
    kernel = runpy.run_path(str(file))["f"]
    assert isinstance(kernel, PrimFunc)
    return kernel


def final(kernel: PrimFunc) -> str:
    return print_module(run(kernel.module).module)


def test_the_program_of_the_document(tmp_path: Path) -> None:
    kernel = document(tmp_path)
    assert (kernel.name, kernel.params) == ("f", ("A", "B"))
    assert script(run(kernel.module, "dispatched").module).splitlines()[-8:] == GENERATED


def spelled_with_namespaces() -> PrimFunc:
    @T.prim_func
    def f(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, shape, "float32")
        B_buf = T.match_buffer(B, shape, "float32", layout=post)
        T.cta_id([1])
        T.thread_id([32])
        for s in T.serial(0, stages):
            T.tile.warp.permute_layout(dst=B_buf[s], src=A_buf[s], dispatch="warp_xor_swizzle")

    return f


def spelled_with_buffers() -> PrimFunc:
    own = TileLayout(S[shape : (128, 128, 1, 4)])

    @T.prim_func(private=True)
    def f(A_buf: T.Buffer((stages, 1, 4, 32), np.float32), B_buf: T.Buffer(shape, "f32", layout=own)):
        """Annotations see the names around the kernel."""
        T.device_entry()
        T.cta_id(1)
        _tx = T.thread_id([stages * 16])
        for s in range(A_buf.shape[0]):
            first, last = s + 1 - 1, s + 1
            T.warp.permute_layout(B_buf[first:last, :, :4, 0:], A_buf[s, :])

    return f


def spelled_with_everything_inside() -> PrimFunc:
    @tirx.prim_func
    def f(A: tirx.handle, B: T.handle):
        size = (*shape[:2], 4, max(16, 32))
        A_buf = T.match_buffer(A, shape=size, dtype=T.meta_var("fp32"))
        layout = T.TileLayout(T.S[size : (2**7 if len(size) < 5 else 0, 128, 1, len(size))])
        B_buf = T.match_buffer(B, A_buf.shape, A_buf.dtype, layout)
        T.cta_id([1])
        T.thread_id([32])
        for s in T.grid(2):
            if size[3] == 32 and not False:
                Tx.tile.warp.permute_layout(B_buf[s, 0, 0:4], A_buf[s, 0, 0:4])
            else:
                Tx.warp.permute_layout(A_buf, B_buf)

    return f


@pytest.mark.parametrize("spelled", [spelled_with_namespaces, spelled_with_buffers, spelled_with_everything_inside])
def test_every_spelling_is_the_same_kernel(spelled, tmp_path: Path) -> None:
    assert final(spelled()) == final(document(tmp_path))


def of(stages: int) -> PrimFunc:  # the module has something else of this name
    @T.prim_func
    def kernel(A: T.Buffer((stages,), "int32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        A[t] = 1

    return kernel


def test_a_name_that_only_an_annotation_uses_is_the_innermost_one() -> None:
    assert "memref<64xi32>" in print_module(of(64).module)
