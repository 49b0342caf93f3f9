"""What FlyDSL's release gets wrong without a word: right here, or refused."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import TilewrightError

LANES = 8


@flyc.kernel
def returns_kernel(A: fx.Tensor):
    tid = fx.thread_idx.x

    def inner(x):
        if x > 5:
            return x * 10
        return x

    A[tid] = inner(A[tid])
    for i in range(3):
        if tid == i:
            break
    else:
        A[tid] = A[tid] + 1000
    if tid < 2:
        return
    A[tid] = A[tid] + 1


@flyc.jit
def returns(A: fx.Tensor):
    returns_kernel(A).launch(grid=1, block=LANES)


def test_returns_and_else_of_loops_are_pythons() -> None:
    a = np.arange(LANES, dtype=np.int32)
    returns(a)
    wanted = [(10 * x if x > 5 else x) + (1000 if x > 2 else 0) + (x >= 2) for x in range(LANES)]
    assert a.tolist() == wanted


def literal(A):
    A[fx.thread_idx.x] = 3


def other_type(A):
    A[fx.thread_idx.x] = fx.thread_idx.x


def other_vector(A):
    fx.make_rmem_tensor(4, fx.Float32).store(fx.Vector.filled(4, 1, fx.Int32))


def other_length(A):
    fx.make_rmem_tensor(4, fx.Float32).store(fx.Vector.filled(3, 1.0, fx.Float32))


def float_into_ints(A):
    fx.make_rmem_tensor(4, fx.Int32)[0] = A[0]


def sizes(A):
    atom = fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32)
    fx.copy(atom, fx.make_rmem_tensor(4, fx.Float32), fx.make_rmem_tensor(8, fx.Float32))


def state(A):
    atom = fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32)
    held = fx.make_rmem_tensor(1, fx.Float32)
    fx.copy(atom, held, held, soffset=4)


def negative(A):
    A[0] = A[-1]


def negative_at_run_time(A):
    A[0] = A[fx.thread_idx.x - 1]


def iterated(A):
    for _ in A:
        pass


def ellipsis_(A):
    A[...]


def shape_of_float(A):
    fx.make_shape(1.5)


def empty(A):
    fx.make_layout((), ())


def sliced(A):
    A[0:2]


def behind(A):
    A[0] = fx.make_rmem_tensor(4, fx.Float32)[4]


def no_step(A):
    for _ in range(0, 4, fx.Int32(0)):
        A[0] = 1.0


def no_step_at_run_time(A):
    for _ in range(0, 4, fx.thread_idx.x):
        A[fx.thread_idx.x] = 1.0


def wide_shift(A):
    A[fx.thread_idx.x] = (fx.Int32(1) << (fx.thread_idx.x + 32)).to(fx.Float32)


def narrow_floats(A):
    x = A[0].to(fx.Float8E4M3FN)
    A[0] = (x * x).to(fx.Float32)


def exp_of_int(A):
    A[0] = fx.exp(fx.thread_idx.x)


REFUSED = [other_type, other_vector, other_length, float_into_ints, sizes, state, negative, negative_at_run_time,
           iterated, ellipsis_, shape_of_float, empty, sliced, behind, no_step, no_step_at_run_time, wide_shift,
           narrow_floats, exp_of_int]  # fmt: skip


@flyc.kernel
def body_kernel(A: fx.Tensor, body: fx.Constexpr):
    body(A)


@flyc.jit
def run(A: fx.Tensor, body: fx.Constexpr):
    body_kernel(A, body).launch(grid=1, block=LANES)


def test_a_store_converts_what_is_known() -> None:
    a = np.zeros(LANES, np.float32)
    run(a, literal)
    assert a.tolist() == [3.0] * LANES


@pytest.mark.parametrize("body", REFUSED, ids=lambda body: body.__name__)
def test_what_is_not_meant_is_refused_at_its_line(body: object) -> None:
    with pytest.raises(TilewrightError, match=r"test_release_faults\.py:[1-9]") as found:
        run(np.zeros(LANES, np.float32), body)
    first = body.__code__.co_firstlineno
    assert any(f"test_release_faults.py:{line}" in str(found.value) for line in range(first, first + 5))


def test_a_loop_may_count_down() -> None:
    a = np.zeros(LANES, np.float32)
    run(a, down)
    assert a.tolist() == [5 + 3 + 1] * LANES


def down(A):
    total = fx.Int32(0)
    for i in range(5, 0, -2):
        total += i
    A[fx.thread_idx.x] = total.to(fx.Float32)
