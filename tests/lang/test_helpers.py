"""Functions and objects of one's own in a kernel compute what Python computes; errors in them name the callers."""

from __future__ import annotations

import ast
import enum
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import NamedTuple, cast

import numpy as np
import pytest
from xdsl.ir import Operation

from tilewright.errors import KernelError
from tilewright.ir.core.location import source
from tilewright.lang.core.lines import lines_of, statement
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import STAGES, run
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import simulate

LANES = 32


class Mode(enum.Enum):
    DOUBLE = 2
    KEEP = 1


class Pair(NamedTuple):
    low: float
    high: float


@dataclass
class Settings:
    mode: Mode
    limits: Pair
    table: dict[str, int]

    def bounded(self, x):
        if x < self.limits.low:
            return self.limits.low
        if x > self.limits.high:
            return self.limits.high
        return x


SETTINGS = Settings(Mode.DOUBLE, Pair(4.0, 40.0), {"shift": 3})
WEIGHTS = np.array([2.0, 0.5], np.float32)


def scaled(x, by=1.0, *more):
    total = x * by
    if len(more) > 0:
        return total + more[0]
    return total


def put(B, i, value):
    if i == 7:
        return
    B[i] = value


def power(x, n):
    if n == 0:
        return T.float32(1)
    return x * power(x, n - 1)


def endless(x):
    return endless(x)


def outside(B, i):
    return B[i + LANES]


def row(B, i):
    return B[i, 0]


def through(B, i):
    return row(B, i)


def in_a_loop(x, n):
    for _i in range(n):
        return x
    return x


def plain() -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((LANES,), "float32"), B: T.Buffer((LANES,), "float32")):
        T.cta_id([1])
        t = T.thread_id([LANES])
        B[t] = SETTINGS.bounded(scaled(A[t], 2.0, SETTINGS.table["shift"]))

    return kernel


def within_branches_and_loops() -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((LANES,), "float32"), B: T.Buffer((LANES,), "float32")):
        T.cta_id([1])
        t = T.thread_id([LANES])
        total: T.float32 = 0.0

        def weighed(x, weight=WEIGHTS[1]):
            total = x * weight  # a name of its own
            return total + 0.0

        for i in range(t % 3):
            if SETTINGS.mode == Mode.DOUBLE:
                total = total + weighed(A[t]) + T.cast(i, "float32")
        put(B, t, total)
        if t == 7:
            B[t] = (lambda x: power(x, 3))(A[t])
        else:
            put(B, t, scaled(total, by=WEIGHTS[0]))

    return kernel


def _plain(a: np.ndarray) -> np.ndarray:
    return np.clip(a * 2 + 3, 4, 40)


def _within(a: np.ndarray) -> np.ndarray:
    turns = np.arange(LANES) % 3
    total = turns * a * 0.5 + np.where(turns == 2, 1, 0)
    found = np.asarray(total * 2, np.float32)
    found[7] = 7.0**3
    return found


KERNELS: dict[str, tuple[Callable[[], PrimFunc], Callable[[np.ndarray], np.ndarray]]] = {
    "plain": (plain, _plain),
    "branches and loops": (within_branches_and_loops, _within),
}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", KERNELS)
def test_helpers_compute_what_python_computes(name: str, stage: str) -> None:
    make, reference = KERNELS[name]
    a, b = np.arange(LANES, dtype=np.float32), np.zeros(LANES, np.float32)
    simulate(run(make().module, stage).module, [a, b])
    assert (b == reference(a)).all()


def test_ops_of_a_helper_know_their_line_there_and_who_called_it() -> None:
    (store,) = [op for op in plain().module.walk() if op.name == "tile.store"]
    at = source(store.location)
    assert at is not None
    assert at.line.data == _line("B[t] = SETTINGS.bounded")
    sums = [op for op in plain().module.walk() if op.name == "arith.mulf"]
    assert [_line_of(op) for op in sums] == [_line("total = x * by")]


def _line_of(op: Operation) -> int:
    at = source(op.location)
    assert at is not None
    return at.line.data


def _line(text: str) -> int:
    lines = Path(__file__).read_text().splitlines()
    return next(i for i, line in enumerate(lines, 1) if text in line)


def refused(kernel: Callable[..., object]) -> KernelError:
    with pytest.raises(KernelError) as caught:
        T.prim_func(kernel)
    return caught.value


def test_an_error_in_a_helper_stands_at_its_line_and_names_all_callers() -> None:
    def kernel(A: T.Buffer((LANES,), "float32")):
        T.cta_id([1])
        t = T.thread_id([LANES])
        if t < 3:
            A[t] = through(A, t)

    error = refused(kernel)
    assert error.location is not None
    assert error.location.line == _line("return B[i, 0]")
    assert error.location.text[error.location.column :] == "B[i, 0]"
    first, *_, one, two = str(error).splitlines()
    assert first == "2 indices into A, a buffer of shape (32,)"
    assert one == f"  called by through at {__file__}:{_line('return row(B, i)')}:12"
    assert two == f"  called by kernel at {__file__}:{_line('A[t] = through(A, t)')}:20"


def test_what_a_helper_cannot_do_is_said() -> None:
    def without_end(A: T.Buffer((LANES,), "float32")):
        A[0] = endless(A[1])

    def returned_from_a_loop(A: T.Buffer((LANES,), "float32")):
        A[0] = in_a_loop(A[1], 3)

    def too_few(A: T.Buffer((LANES,), "float32")):
        A[0] = scaled()

    def one_way_only(A: T.Buffer((LANES,), "float32")):
        A[0] = put(A, T.thread_id([LANES]), 1.0)

    def no_attribute(A: T.Buffer((LANES,), "float32")):
        A[0] = SETTINGS.nothing

    def no_number(A: T.Buffer((LANES,), "float32")):
        A[0] = SETTINGS

    cases = {
        without_end: "helpers call each other 32 deep",
        returned_from_a_loop: "`return` of a value in a loop",
        too_few: "scaled: missing a required argument: 'x'",
        one_way_only: "cannot store None",
        no_attribute: "SETTINGS.nothing cannot be read: AttributeError",
        no_number: "cannot store Settings(",
    }
    for kernel, message in cases.items():
        assert message in str(refused(kernel)), message


def test_a_helper_is_parsed_once_and_again_where_its_file_says_something_else(tmp_path: Path) -> None:
    file = tmp_path / "helper.py"
    given: dict[str, object] = {}
    for by in (2, 3):
        file.write_text(f"def helper(x):\n    return x * {by}\n")
        exec(compile(file.read_text(), str(file), "exec"), given)
        os.utime(file, (by, by))
        code = cast(FunctionType, given["helper"]).__code__
        assert statement(lines_of(code)) is statement(lines_of(code))
        assert f"* {by}" in ast.unparse(statement(lines_of(code)))
