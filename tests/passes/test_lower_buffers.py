"""Views that become memory: what is checked of an access, and views of another block's memory."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.context import Context

import tilewright as tw
from tilewright.errors import OutOfBoundsError
from tilewright.ir.text import parse_module, print_module
from tilewright.passes.lower_buffers import LowerBuffers
from tilewright.script import tirx as T


@T.prim_func
def beyond_its_row(A: T.Buffer((256,), "float16"), B: T.Buffer((64,), "float16")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    f = T.alloc_local((2, 8), "float16")
    T.copy_atom("BufferCopy64b", f[0, t // 63 * 8], A[t * 4])
    B[t] = f[0, 0]


def test_what_clips_global_memory_clips_no_registers() -> None:
    """A coordinate of registers that lies outside is found at every stage."""
    kernel = tw.compile(beyond_its_row, target="simulator:gfx942")
    for stage in kernel.stages:
        with pytest.raises(OutOfBoundsError):
            kernel.simulate(np.ones(256, np.float16), np.zeros(64, np.float16), stage=stage)


def test_a_view_of_another_block_goes_before_the_memory_that_it_views() -> None:
    kind = '!tile.buffer<64xf32, "shared", "S[64:1]">'
    module = parse_module(f"""func.func @f(%x: f32) attributes {{
        tile.grid = array<i64: 2, 1, 1>, tile.block = array<i64: 32, 1, 1>, tile.cluster = 2 : i64}} {{
      %c0 = arith.constant 0 : index
      %own = tile.alloc_buffer : {kind}
      %other = tile.remote %own, %c0 : {kind} -> {kind}
      tile.store %x, %other[%c0] : f32, {kind}
      func.return
    }}""")
    LowerBuffers().apply(Context(), module)
    assert print_module(module).count("tile.remote") == 1
    assert "!tile.buffer" not in print_module(module)
