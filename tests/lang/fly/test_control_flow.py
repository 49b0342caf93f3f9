"""Control flow: what is traced computes what Python computes, for every thread."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fx_programs import Program, traced_and_plain

import tilewright.compiler as flyc
import tilewright.expr as fx


@pytest.mark.parametrize("seed", range(14))
def test_random_programs(tmp_path: Path, seed: int) -> None:
    found, wanted = traced_and_plain(tmp_path / f"program{seed}.py", Program(seed).text, seed)
    assert found == wanted


@flyc.kernel
def shares_kernel(A: fx.Tensor, n: fx.Int32):
    tid = fx.thread_idx.x
    A[tid] = 100 // (tid - n) if tid != n else 7


@flyc.jit
def shares(A: fx.Tensor, n: fx.Int32):
    shares_kernel(A, n).launch(grid=1, block=8)


def test_a_choice_does_not_work_out_what_is_undefined() -> None:
    """The way that is not taken divides by 0."""
    a = np.zeros(8, np.int32)
    shares(a, 3)
    assert a.tolist() == [7 if i == 3 else 100 // (i - 3) for i in range(8)]


@flyc.kernel
def ranges_kernel(R: fx.Tensor, step: fx.Constexpr[int], far: fx.Int64):
    tid = fx.thread_idx.x
    low, high = tid % 7 - 3, tid // 7 - 3
    total, count, wide = fx.Int32(0), fx.Int32(0), fx.Int64(0)
    for i in range(low, high, step):
        total, count = total * 3 + i, count + 1
    for i in range(far + low, far + high, step):
        wide = wide + i
    R[tid, 0], R[tid, 1], R[tid, 2] = total.to(fx.Int64), count.to(fx.Int64), wide


@flyc.jit
def ranges(R: fx.Tensor, step: fx.Constexpr[int], far: fx.Int64):
    ranges_kernel(R, step, far).launch(grid=1, block=49)


@pytest.mark.parametrize("step", [-3, -2, -1, 1, 2, 3])
def test_ranges_of_run_time_are_those_of_python(step: int) -> None:
    """Up and down, of 32 and of 64 bits."""
    r, far = np.zeros((49, 3), np.int64), 1 << 40
    ranges(r, step, far)
    for tid, row in enumerate(r.tolist()):
        turns = range(tid % 7 - 3, tid // 7 - 3, step)
        total = 0
        for i in turns:
            total = total * 3 + i
        assert row == [total, len(turns), sum(far + i for i in turns)]


@flyc.kernel
def aliases_kernel(A: fx.Tensor, n: fx.Int32):
    tid = fx.thread_idx.x
    held = [tid, tid]
    same = held
    for i in range(n):
        held[0] += i
    if tid > 3:
        same[1] = held[0]
    nested = ([tid, tid + 1], tid + 2)
    if tid > 3:
        nested = ([tid + 5, tid + 6], tid + 7)
    A[tid] = same[0] * 100 + held[1]
    A[8 + tid] = nested[0][0] * 10000 + nested[0][1] * 100 + nested[1]


@flyc.jit
def aliases(A: fx.Tensor, n: fx.Int32):
    aliases_kernel(A, n).launch(grid=1, block=8)


def test_two_names_of_a_list_see_what_loops_and_branches_write() -> None:
    a = np.zeros(16, np.int32)
    aliases(a, 4)
    assert a[:8].tolist() == [(i + 6) * 100 + (i + 6 if i > 3 else i) for i in range(8)]
    assert a[8:].tolist() == [(i + 5 * (i > 3)) * 10101 + 102 for i in range(8)]


@flyc.kernel
def changes_kernel(A: fx.Tensor):
    tid = fx.thread_idx.x
    row, table, caught = [tid, tid + 1, tid + 2], {"a": tid}, 0
    if tid > 3:
        row.reverse()
        table.update(a=tid + 7)
        last = row.pop()
        row.append(last * 2)
        try:
            caught = {}["a"]
        except KeyError as error:
            caught = len(error.args)
    A[tid] = row[0] * 1000 + row[2] * 100 + table["a"] * 10 + caught


@flyc.jit
def changes(A: fx.Tensor):
    changes_kernel(A).launch(grid=1, block=8)


def test_branches_change_lists_and_dicts_by_their_methods() -> None:
    a = np.zeros(8, np.int32)
    changes(a)
    for i, found in enumerate(a.tolist()):
        row, known, caught = ([i + 2, i + 1, i * 2], i + 7, 1) if i > 3 else ([i, i + 1, i + 2], i, 0)
        assert found == row[0] * 1000 + row[2] * 100 + known * 10 + caught
