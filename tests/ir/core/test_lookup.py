"""`tile.lookup`: a table in a kernel is a table, in the language, in every stage and in the text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
from tilewright.errors import CompileError, KernelError, SimulationError
from tilewright.ir.core.lookup import LookupOp
from tilewright.ir.core.ranges import Ranges
from tilewright.ir.text import parse_module, print_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import STAGES
from tilewright.script import tirx as T

NUMBERS = st.one_of(*[st.integers(-low, high) for low, high in ((0, 255), (0, 65535), (9, 70000), (2**62, 2**62))])


def looked_up(table: tuple[int, ...]) -> PrimFunc:
    count = len(table)

    @T.prim_func
    def f(A: T.Buffer((32,), "int64")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        A[t] = T.cast(table[(t * 5 + 3) % count], "int64")

    return f


@settings(max_examples=10)
@given(st.lists(NUMBERS, min_size=1, max_size=40))
def test_every_stage_looks_up(numbers: list[int]) -> None:
    kernel = tw.compile(looked_up(tuple(numbers)))
    for stage in STAGES:
        found = np.zeros(32, np.int64)
        kernel.simulate(found, stage=stage)
        assert found.tolist() == [numbers[(t * 5 + 3) % len(numbers)] for t in range(32)]
        text = kernel.ir(stage)
        assert print_module(parse_module(text)) == text


@pytest.mark.parametrize(
    ("table", "ctype"),
    [
        ((0, 255), "unsigned char"),
        ((256, 3), "unsigned short"),
        ((65536, 0), "int"),
        ((-1, 1), "int"),
        ((2**40, -5), "long long"),
    ],
)
def test_the_text_holds_the_table_in_the_narrowest_type(table: tuple[int, ...], ctype: str) -> None:
    kernel = looked_up(table)
    assert f"static __device__ const {ctype} table[] = {{" in tw.compile(kernel).source
    assert tw.compile(kernel).cubin.startswith(b"\x7fELF")
    found = np.zeros(32, np.int64)
    tw.compile(kernel, target="host")(found)
    assert found.tolist() == [table[(t * 5 + 3) % 2] for t in range(32)]


def test_the_range_of_a_table_is_known() -> None:
    kernel = tw.compile(looked_up((3, 40, 7)))
    (op,) = (op for op in kernel.lowered().module.walk() if isinstance(op, LookupOp))
    assert Ranges().of(op.result) == (3, 40)


def test_a_script_reads_back(tmp_path: Path) -> None:
    text = looked_up((3, 40, 7)).script()
    assert "(3, 40, 7)[" in text


def test_an_index_outside_is_undefined() -> None:
    table = (1, 2, 3)

    @T.prim_func
    def f(A: T.Buffer((32,), "int64")):
        T.cta_id([1])
        t = T.thread_id([32])
        if t < 4:
            A[t] = T.cast(table[t], "int64")

    with pytest.raises(SimulationError, match="an index outside a table of 3 numbers"):
        tw.compile(f)(np.zeros(32, np.int64))


@pytest.mark.parametrize("table", [(), ("a", "b"), (1, 2.5)])
def test_only_a_table_of_integers_is_looked_up(table: Any) -> None:
    def make() -> PrimFunc:
        @T.prim_func
        def f(A: T.Buffer((32,), "int64")):
            T.cta_id([1])
            t = T.thread_id([32])
            A[t] = T.cast(table[t], "int64")

        return f

    with pytest.raises(KernelError, match="cannot be indexed with"):
        make()


def test_an_empty_table_is_refused_in_ir() -> None:
    text = "func.func @f(%i: index) {\n %0 = tile.lookup [][%i]\n func.return\n}"
    with pytest.raises(CompileError, match="at least one number"):
        parse_module(text)
