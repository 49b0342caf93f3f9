"""`tilewright.testing.check_kernel`: right kernels pass, wrong ones are told at their smallest size."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import UsageError
from tilewright.script import tirx as T
from tilewright.testing import check_kernel


@flyc.kernel
def add_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, late: fx.Constexpr[int]):
    i = fx.block_idx.x * 32 + fx.thread_idx.x
    if i < A.shape[0]:
        C[i] = A[i] + B[i] if i < late else A[i]


@flyc.jit
def add(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor):
    add_kernel(A, B, C, 1 << 20).launch(grid=(A.shape[0] + 31) // 32, block=32)


@flyc.jit
def wrong_from_5_on(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor):
    add_kernel(A, B, C, 5).launch(grid=(A.shape[0] + 31) // 32, block=32)


@flyc.jit
def too_few_blocks(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor):
    add_kernel(A, B, C, 1 << 20).launch(grid=1, block=32)


@flyc.kernel
def beyond_kernel(A: fx.Tensor, C: fx.Tensor):
    C[fx.thread_idx.x] = A[fx.thread_idx.x]


@flyc.jit
def beyond(A: fx.Tensor, C: fx.Tensor):
    beyond_kernel(A, C).launch(grid=1, block=8)


def doubling(size, dtype):
    """A kernel of known shapes."""
    (n,) = size

    @T.prim_func
    def double(A: T.Buffer((n,), dtype), B: T.Buffer((n,), dtype)):
        bx = T.cta_id([n])
        T.thread_id([1])
        B[bx] = A[bx] + A[bx]

    return double


def test_right_kernels_pass() -> None:
    check_kernel(add, np.add, [1, 31, 100], ["float32", "int32", "float16"], [0, 1], arguments=_two)
    check_kernel(doubling, lambda a: a + a, [1, 7], ["float32", "int32"])


def _two(size, name, rng):
    return [rng.integers(-4, 5, size).astype(name) for _ in range(2)]


def test_a_wrong_number_is_told_at_the_smallest_size_with_its_writer() -> None:
    with pytest.raises(AssertionError) as told:
        check_kernel(wrong_from_5_on, lambda a, b: a + b, [3, 100], seeds=[1, 2])
    words = str(told.value)
    smallest = int(words.partition("size (")[2].partition(",")[0])
    a, b = _two((smallest,), "float32", np.random.default_rng(1))
    assert smallest < 10
    assert "(first at size (100,))" in words
    at = next(i for i in range(5, smallest) if b[i])
    assert at == smallest - 1
    assert f"differs at ({at},): {a[at]} instead of {a[at] + b[at]}; 1 of {smallest} elements" in words
    assert f"C[{at}] was written last by thread {at} of block 0, {__file__}" in words
    assert "C[i] = A[i] + B[i] if i < late else A[i]" in words


def test_an_element_that_nobody_writes_is_told_so() -> None:
    with pytest.raises(AssertionError, match=r"size \(\d+,\).*\n.*nothing wrote element 3\d"):
        check_kernel(too_few_blocks, lambda a, b: a + b, [200])


def test_what_is_undefined_is_a_failure_and_told() -> None:
    with pytest.raises(
        AssertionError, match=r"size \(1,\), dtype float32, seed 0 \(first at size \(6,\)\): OutOfBounds"
    ):
        check_kernel(beyond, lambda a: a.copy(), [8, 6])


@pytest.mark.parametrize(
    "given",
    [(add, np.add, []), (add, np.add, [0]), (add, np.add, [True]), (add, np.add, [()]), (3, lambda a: a, [1])],
)
def test_what_is_no_case_or_no_kernel_is_refused(given: tuple[object, ...]) -> None:
    with pytest.raises(UsageError):
        check_kernel(*given)


@flyc.kernel
def four_kernel(A: fx.Tensor, C: fx.Tensor):
    for i in range(A.shape[0] - 3):
        C[i + 3] = A[i + 3]
    A[3]


@flyc.jit
def four(A: fx.Tensor, C: fx.Tensor):
    four_kernel(A, C).launch(grid=1, block=1)


def test_smaller_sizes_that_fail_otherwise_are_not_taken() -> None:
    """Below four elements the kernel reads beyond its array; the failure is that it leaves three elements out."""
    with pytest.raises(AssertionError, match=r"size \(4,\).*output 0 differs at \([012],\): 0"):
        check_kernel(four, lambda a: a.copy(), [32], seeds=[1])
