"""A number written in a kernel is the nearest of its element type: at every stage, in the script, on the host."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from on_gpu import TARGETS

from tilewright.dtypes import dtype
from tilewright.ir.text import parse_module
from tilewright.passes.pipeline import STAGES
from tilewright.runtime.compile import compile
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import simulate

INF, NAN = float("inf"), float("nan")
NUMBERS = {
    **dict.fromkeys(["float16", "bfloat16", "float32", "float64"], (0.1, -1 / 3, 7, 60000, 1e-7, -0.0)),
    "float8_e4m3fn": (0.1, -1 / 3, 448, 0.001),
    "float8_e5m2": (0.1, -1 / 3, 50000.0, 1e-5),
    "float8_e8m0fnu": (0.125, 3, 2.0**-100, 2.0**100),
    **dict.fromkeys(["int8", "uint8", "int32", "uint32", "int64"], (0, 127, 7, 1)),
    "bool": (True, False, 1, 0),
}
ENDLESS = ("float16", "bfloat16", "float32", "float64", "float8_e5m2")


def stored(kind: str, numbers: tuple[Any, ...]) -> T.PrimFunc:
    @T.prim_func
    def stored(A: T.Buffer((6,), kind)):
        T.cta_id([1])
        T.thread_id([1])
        A[0] = numbers[0]
        A[1] = numbers[1]
        A[2] = numbers[2]
        A[3] = T.cast(numbers[3], kind)

    return stored


def endless(kind: str) -> T.PrimFunc:
    @T.prim_func
    def stored(A: T.Buffer((6,), kind)):
        T.cta_id([1])
        T.thread_id([1])
        A[0] = T.cast("inf", kind)
        A[1] = -1e999
        A[2] = T.cast("nan", kind)
        A[3] = 1.0

    return stored


KERNELS = {kind: (stored(kind, numbers), numbers) for kind, numbers in NUMBERS.items()}
KERNELS |= {f"endless {kind}": (endless(kind), (INF, -INF, NAN, 1.0)) for kind in ENDLESS}


def read_again(kernel: T.PrimFunc, folder: Path) -> T.PrimFunc:
    file = folder / "kernel.py"
    file.write_text(f"from tilewright.script import tirx as T\n{kernel.script()}")
    found = runpy.run_path(str(file))["stored"]
    assert isinstance(found, T.PrimFunc)
    return found


@pytest.mark.parametrize("name", KERNELS)
def test_a_number_is_the_nearest_of_its_type(name: str, tmp_path: Path) -> None:
    kernel, numbers = KERNELS[name]
    kind = dtype(name.split()[-1]).numpy()
    expected = np.array(numbers[:4]).astype(kind)
    compiled = compile(kernel)
    for stage in STAGES:
        for module in (compiled.lowered(stage).module, parse_module(compiled.ir(stage))):
            array = np.zeros(6, kind)
            simulate(module, [array])
            assert array[:4].tobytes() == expected.tobytes()
    again = read_again(kernel, tmp_path)
    assert again.script() == kernel.script()
    for target in TARGETS:
        array = np.zeros(6, kind)
        compile(again, target=target)(array)
        assert array[:4].tobytes() == expected.tobytes()


@pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "uint32", "int64", "uint64"])
def test_inversion_turns_every_bit(kind: str) -> None:
    @T.prim_func
    def inverted(A: T.Buffer((32,), kind)):
        T.cta_id([1])
        t = T.thread_id([32])
        A[t] = ~A[t]

    array = np.arange(32).astype(kind)
    compile(inverted)(array)
    assert array.tobytes() == (~np.arange(32).astype(kind)).tobytes()


def test_a_cast_of_a_number_to_an_integer_truncates() -> None:
    @T.prim_func
    def truncated(A: T.Buffer((2,), "int32")):
        T.cta_id([1])
        T.thread_id([1])
        A[0] = T.int32(2.9)
        A[1] = T.cast(-2.9, "int32")

    array = np.zeros(2, np.int32)
    compile(truncated)(array)
    assert array.tolist() == [2, -2]
