"""One meaning at all stages: what host functions print, what buffers read beyond their end, users' carried classes."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx

STAGES = ("fly", "lowered", "final", "flat")
SIZE = 70


@flyc.kernel
def clears(A: fx.Tensor) -> None:
    A[fx.thread_idx.x] = 0.0


@flyc.jit
def talks(A: fx.Tensor, n: fx.Int32) -> None:
    fx.printf("n={} {} {}", n, fx.make_layout((n, 4), (4, 1)), n > 3)
    for i in range(n):
        fx.printf("turn {}", i)
    clears(A).launch(grid=1, block=4)


@pytest.mark.parametrize("stage", STAGES)
def test_a_host_function_prints_when_it_runs(stage: str, capsys: pytest.CaptureFixture[str]) -> None:
    a = np.ones(4, np.float32)
    talks.simulate(stage, a, 2)
    assert capsys.readouterr().out == "n=2 (2,4):(4,1) False\nturn 0\nturn 1\n"
    assert not a.any()


@flyc.kernel
def window(A: fx.Tensor, B: fx.Tensor, by: fx.Constexpr[int]) -> None:
    a, b = (fx.rocdl.make_buffer_tensor(x, max_size=False) for x in (A, B))
    i = fx.block_idx.x * 64 + fx.thread_idx.x
    b[i] = a[i] + a[i + by]


@flyc.jit
def windows(A: fx.Tensor, B: fx.Tensor, by: fx.Constexpr[int]) -> None:
    window(A, B, by).launch(grid=2, block=64)


@pytest.mark.parametrize("by", [0, 1, 69, 500])
def test_a_buffer_reads_0_beyond_its_end_and_writes_nothing_there(by: int) -> None:
    a = np.arange(1, SIZE + 1, dtype=np.float32)
    right = a + np.pad(a[by:], (0, SIZE - len(a[by:])))
    for stage in STAGES:
        b = np.zeros(SIZE, np.float32)
        windows.simulate(stage, a, b, by)
        assert (b == right).all()
    b = np.zeros(SIZE, np.float32)
    tw.compile(windows, a, b, by, target="host")(a, b, by)
    assert (b == right).all()


@flyc.kernel
def whole_memory(A: fx.Tensor) -> None:
    a = fx.rocdl.make_buffer_tensor(A)
    A[fx.thread_idx.x] = a[fx.thread_idx.x + 8]


@flyc.jit
def all_of_memory(A: fx.Tensor) -> None:
    whole_memory(A).launch(grid=1, block=16)


def test_a_buffer_of_all_memory_is_told_how_to_be_one_of_the_tensor() -> None:
    with pytest.raises(tw.OutOfBoundsError, match=r"element 16 of A, which has 16 elements; .* max_size=False"):
        all_of_memory(np.zeros(16, np.float32))


class Complex:
    """A class by FlyDSL's protocol: its values are typed numbers."""

    def __init__(self, re: fx.Numeric, im: fx.Numeric) -> None:
        self.re, self.im = re, im

    def __extract_to_ir_values__(self) -> list[object]:
        return [fx.as_ir_value(self.re), self.im.ir_value()]

    @classmethod
    def __construct_from_ir_values__(cls, values: list[object], exemplar: object = None) -> Complex:
        return cls(fx.Float32(values[0]), fx.Float32(values[1]))

    def __mul__(self, other: Complex) -> Complex:
        return Complex(self.re * other.re - self.im * other.im, self.re * other.im + self.im * other.re)


@flyc.kernel
def powers(A: fx.Tensor, B: fx.Tensor, n: fx.Int32) -> None:
    t = fx.thread_idx.x
    z, w = Complex(A[t, 0], A[t, 1]), Complex(fx.Float32(1.0), fx.Float32(0.0))
    for i in range(n):
        if i != t:
            w = w * z
    B[t, 0], B[t, 1] = w.re, w.im


@flyc.jit
def power(A: fx.Tensor, B: fx.Tensor, n: fx.Int32) -> None:
    powers(A, B, n).launch(grid=1, block=8)


def test_users_classes_are_carried_by_what_they_split_into() -> None:
    a, b = np.random.default_rng(0).normal(size=(8, 2)).astype(np.float32), np.zeros((8, 2), np.float32)
    power(a, b, 5)
    right = (a[:, 0] + 1j * a[:, 1]) ** (5 - (np.arange(8) < 5))
    np.testing.assert_allclose(b[:, 0] + 1j * b[:, 1], right, rtol=1e-4, atol=1e-4)


def test_values_that_are_known_are_equal_where_they_say_the_same() -> None:
    texts = ["4:1", "4:2", "(4,1):(1,0)", "4:1"]
    layouts = [fx.make_layout(4, 1), fx.make_layout(4, 2), fx.make_layout((4, 1), (1, 0)), fx.make_layout(4, 1)]
    for a, x in zip(layouts, texts, strict=True):
        assert [a == b for b in layouts] == [x == y for y in texts]
        assert a != "4:1"
    assert len(set(layouts)) == 3
    assert fx.make_tile(2, None) == fx.make_tile(2, None) != fx.make_tile(2, 4)
