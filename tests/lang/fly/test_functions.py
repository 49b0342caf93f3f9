"""Functions of numbers: known and of run time alike; arguments of every kind; host functions that branch."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.lang.fly.functions.math import FUNCTIONS

POINTS = np.array([0.1, 0.25, 0.5, 0.75, 0.9], np.float32)
ABOVE_ONE = {"acosh"}


@flyc.kernel
def unary_kernel(A: fx.Tensor, R: fx.Tensor, names: fx.Constexpr):
    tid = fx.thread_idx.x
    for i in fx.range_constexpr(len(names)):
        x = A[tid] + (1.0 if names[i] in ABOVE_ONE else 0.0)
        R[i, tid] = getattr(fx.math, names[i])(x)


@flyc.jit
def unary(A: fx.Tensor, R: fx.Tensor, names: fx.Constexpr):
    unary_kernel(A, R, names).launch(grid=1, block=len(POINTS))


def test_functions_known_and_of_run_time() -> None:
    names = (*FUNCTIONS, "round", "erfc", "isnan", "isfinite")
    reals = tuple(name for name in names if not name.startswith("is"))
    found = np.zeros((len(reals), len(POINTS)), np.float32)
    unary(POINTS, found, reals)
    for name, row in zip(reals, found.tolist(), strict=True):
        for x, got in zip(POINTS.tolist(), row, strict=True):
            given = fx.Float32(x) + (1.0 if name in ABOVE_ONE else 0.0)
            assert getattr(fx.math, name)(given).value == got, f"{name}({x})"
    assert fx.math.exp2(fx.Float32(3.0)).value == 8
    assert fx.math.fma(fx.Float32(2.0), 3.0, 4.0).value == 10
    assert fx.math.clampf(fx.Float32(9.0), 0.0, 1.0).value == 1


@flyc.kernel
def scalars_kernel(R: fx.Tensor, i: fx.Int32, n: fx.Int64, u: fx.Uint32, x: fx.Float32, h: fx.Float16, yes: fx.Boolean):
    R[0] = i.to(fx.Float64)
    R[1] = n.to(fx.Float64)
    R[2] = u.to(fx.Float64)
    R[3] = x.to(fx.Float64)
    R[4] = h.to(fx.Float64)
    R[5] = yes.select(1.0, 2.0).to(fx.Float64)


@flyc.jit
def scalars(R: fx.Tensor, i: fx.Int32, n: fx.Int64, u: fx.Uint32, x: fx.Float32, h: fx.Float16, yes: fx.Boolean):
    scalars_kernel(R, i, n, u, x, h, yes).launch(grid=1, block=1)


def test_numbers_as_arguments() -> None:
    found = np.zeros(6, np.float64)
    scalars(found, -7, 1 << 40, (1 << 32) - 1, 0.5, 0.1, True)
    assert found.tolist() == [-7, 1 << 40, (1 << 32) - 1, 0.5, float(np.float16(0.1)), 1]
    scalars(found, 8, -1, 0, np.float32(2.5), 1.5, False)
    assert found.tolist() == [8, -1, 0, 2.5, 1.5, 2]


@flyc.kernel
def scale_kernel(A: fx.Tensor, by: fx.Constexpr[int]):
    at = fx.block_idx.x * 32 + fx.thread_idx.x
    A[at] = A[at] * by


@flyc.jit
def host(A: fx.Tensor, n: fx.Int32):
    blocks = fx.ceildiv(n, 32)
    if n > 32:
        scale_kernel(A, 2).launch(grid=blocks, block=32)
    else:
        scale_kernel(A, 3).launch(grid=blocks, block=32)
    for _ in range(n // 64):
        scale_kernel(A, 5).launch(grid=1, block=32)


@pytest.mark.parametrize(("n", "factors"), [(32, [3]), (64, [10, 2]), (128, [50, 2, 2, 2])])
def test_host_functions_branch_and_loop(n: int, factors: list[int]) -> None:
    a = np.arange(n, dtype=np.int32)
    host(a, n)
    assert a.tolist() == [i * factors[i // 32] for i in range(n)]


FACTOR = 2


@flyc.kernel
def captured_kernel(A: fx.Tensor):
    A[fx.thread_idx.x] = fx.Float32(FACTOR)


@flyc.jit
def captured(A: fx.Tensor):
    captured_kernel(A).launch(grid=1, block=4)


def test_a_changed_global_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    a = np.zeros(4, np.float32)
    captured(a)
    monkeypatch.setitem(globals(), "FACTOR", 7)
    captured(a)
    assert a.tolist() == [7] * 4


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float8_e4m3fn", "int8", "uint8", "int64", "bool"])
def test_arrays_of_every_type(dtype: str) -> None:
    from tilewright.dtypes import dtype as find

    a = np.arange(16).astype(find(dtype).numpy())
    b = np.zeros_like(a)
    copied(a, b)
    assert a.tobytes() == b.tobytes()


@flyc.kernel
def copied_kernel(A: fx.Tensor, B: fx.Tensor):
    B[fx.thread_idx.x] = A[fx.thread_idx.x]


@flyc.jit
def copied(A: fx.Tensor, B: fx.Tensor):
    copied_kernel(A, B).launch(grid=1, block=16)


class Lent:
    """What has `__dlpack__` and nothing else of an array's."""

    def __init__(self, array: np.ndarray) -> None:
        self._array = array

    def __dlpack__(self, **given: object) -> object:
        return self._array.__dlpack__(**given)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()


def test_arrays_that_are_lent() -> None:
    a, b = np.arange(16, dtype=np.float32), np.zeros(16, np.float32)
    copied(Lent(a), Lent(b))
    assert a.tolist() == b.tolist()
