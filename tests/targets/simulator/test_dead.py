"""What nobody uses is executed at every stage, and its faults are found there; CUDA text is without it."""

from __future__ import annotations

import numpy as np
import pytest

from tilewright import compile
from tilewright.errors import SimulationError
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import STAGES, run
from tilewright.runtime.kernel import CompiledKernel
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import simulate

# Each with what is reported of it.
DEAD = {
    "read of nothing": "reads element 0 of s .byte 0., which nothing has written",
    "read outside": "thread .63,0,0. [a-z]+ coordinate 64 in dimension 0 of A",
    "store outside": "thread .63,0,0. [a-z]+ coordinate 64 in dimension 0 of s",
    "two writes": "writes element 0 of s .byte 0., which .* writes with no barrier between",
    "read of another's": "reads element 63 of s .byte 252., which .* writes with no barrier between",
    "in a loop": "reads element 0 of s .byte 0., which nothing has written",
    "quotient": "block .0,0,0. thread .0,0,0.: division by zero",
    "index": "block .0,0,0. thread .0,0,0.: division by zero",
    "shift": "block .0,0,0. thread .32,0,0.: a shift by a number outside",
}


def _kernel(fault: str) -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((64,), "int32")
        if fault == "read of nothing":
            _x0: T.int32 = s[t]
        if fault == "read outside":
            _x1: T.int32 = A[t + 1]
        if fault == "store outside":
            s[t + 1] = A[t]
        if fault == "two writes":
            s[t // 2] = A[t]
        if fault == "read of another's":
            s[t] = A[t]
            _x2: T.int32 = s[63 - t]
        if fault == "in a loop":
            for _ in T.serial(4):
                _x3: T.int32 = s[t]
        if fault == "quotient":
            _x4: T.int32 = 5 // A[t]
        if fault == "index":
            _x5 = t // (t % 4)
        if fault == "shift":
            _x6: T.int32 = 5 << A[t]
        B[t] = 7

    return kernel


@pytest.mark.parametrize("fault", DEAD)
def test_every_stage_finds_the_fault_of_what_nobody_uses(fault: str) -> None:
    kernel = _kernel(fault)
    for stage in STAGES:
        with pytest.raises(SimulationError, match=DEAD[fault]):
            simulate(run(kernel.module, stage).module, [np.arange(64, dtype=np.int32), np.zeros(64, np.int32)])
    assert _body(compile(kernel)) == _body(compile(_kernel("")))


def _body(kernel: CompiledKernel) -> str:
    return kernel.source.partition("{")[2]
