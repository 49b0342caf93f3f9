"""Views that begin at a run-time `elem_offset`: what they access, at every stage; their bounds are their own."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import tilewright as tw
from tilewright.errors import KernelError, OutOfBoundsError, RaceError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import S, TileLayout

STAGES = ("tile", "dispatched", "lowered", "final")


def windows(fault: str = "", swapped: bool = False) -> PrimFunc:
    """Each warp has its rows of shared memory by a view that begins where a loop says, and a view of that."""
    layout = TileLayout(S[(4, 8) : (1, 4)]) if swapped else None
    beyond = 1 if fault == "beyond the memory" else 0

    @T.prim_func
    def kernel(A: T.Buffer((256,), "int32"), B: T.Buffer((256,), "int32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((256,), "int32")
        for k in T.serial(4):
            mine = T.decl_buffer((64,), "int32", data=s.data, elem_offset=k * 64 + beyond)  # here: beyond the memory
            mine[t] = A[64 * k + t]
        if fault != "race":
            T.cuda.cta_sync()
        w = t // 32
        n: T.int32 = 0
        while n < 4:
            rows = T.decl_buffer((4, 8), "int32", data=s.data, elem_offset=n * 64 + 32 * w, layout=layout)
            part = T.decl_buffer((8,), "int32", data=rows.data, elem_offset=t % 4 * 8)
            shift = 2 if fault == "beyond the view" else 0
            B[64 * n + t] = rows[t % 4, t % 32 // 4 + shift] + part[t % 8]  # here: race, beyond the view
            n = n + 1

    return kernel


def expected(a: NDArray[np.int32], swapped: bool) -> NDArray[np.int32]:
    found = np.zeros_like(a)
    for n in range(4):
        for t in range(64):
            start, i, j = 64 * n + t // 32 * 32, t % 4, t % 32 // 4
            place = i + 4 * j if swapped else 8 * i + j
            found[64 * n + t] = a[start + place] + a[start + 8 * (t % 4) + t % 8]
    return found


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_finds_the_elements(stage: str, swapped: bool) -> None:
    module = run(windows(swapped=swapped).module, stage, verify_each=True).module
    a, b = np.arange(256, dtype=np.int32) * 7, np.zeros(256, np.int32)
    simulate(module, [a, b])
    assert (b == expected(a, swapped)).all()
    text = print_module(module)
    assert print_module(parse_module(text)) == text


def test_the_host_and_the_script_have_them() -> None:
    kernel = windows()
    a, b = np.arange(256, dtype=np.int32) * 7, np.zeros(256, np.int32)
    tw.compile(kernel, target="host")(a, b)
    assert (b == expected(a, False)).all()
    assert script(kernel.module).count("elem_offset=") == 3


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        ("beyond the memory", OutOfBoundsError, "193 in the places of s where the view may begin, which are 193"),
        ("beyond the view", OutOfBoundsError, "dimension 1 of rows, which has extent 8"),
        ("race", RaceError, "element .* of s|writes with no barrier"),
    ],
)
def test_bounds_are_those_of_the_view(fault: str, error: type[Exception], words: str, stage: str) -> None:
    a, b = np.arange(256, dtype=np.int32), np.zeros(256, np.int32)
    with pytest.raises(error, match=words) as found:
        simulate(run(windows(fault).module, stage).module, [a, b])
    with open(__file__, encoding="utf-8") as file:
        lines = [n for n, line in enumerate(file, 1) if "# here" in line and fault in line.partition("# here")[2]]
    assert f"test_moving_views.py:{lines[0]}:" in str(found.value)


def test_registers_and_primitives_have_constant_ones() -> None:
    with pytest.raises(KernelError, match="a view of registers begins at a constant"):

        @T.prim_func
        def local(A: T.Buffer((4,), "int32")) -> None:
            T.device_entry()
            T.cta_id([1])
            t = T.thread_id([4])
            r = T.alloc_local((4,), "int32")
            v = T.decl_buffer((1,), "int32", data=r.data, elem_offset=t)
            A[t] = v[0]

    with pytest.raises(KernelError, match="elem_offset is an integer"):

        @T.prim_func
        def real(A: T.Buffer((4,), "float32")) -> None:
            T.device_entry()
            T.cta_id([1])
            t = T.thread_id([4])
            v = T.decl_buffer((1,), "float32", data=A.data, elem_offset=A[0])
            A[t] = v[0]
