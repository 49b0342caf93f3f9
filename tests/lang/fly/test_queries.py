"""Comparisons of coordinates are the same known and at run time, at every stage, from 0 on and below it."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx

pytestmark = pytest.mark.usefixtures("every_stage")
ASKED = (
    lambda t: fx.elem_less(t, 3),
    lambda t: fx.elem_less((t, t), (3, 5)),
    lambda t: fx.elem_less((t, 0), (4, 5)),
    lambda t: fx.elem_less((t - 2, t), (t, 5)),
    lambda t: fx.elem_less(t, 5 - t),
    lambda t: fx.equal((t, 2), (2, t)),
    lambda t: fx.equal(t - 3, -t),
)


@flyc.kernel
def asked_kernel(A: fx.Tensor):
    for i in fx.range_constexpr(len(ASKED)):
        A[i, fx.thread_idx.x] = ASKED[i](fx.thread_idx.x).select(1, 0)


@flyc.jit
def asked(A: fx.Tensor):
    asked_kernel(A).launch(grid=1, block=8)


def test_coordinates_are_compared() -> None:
    a = np.zeros((len(ASKED), 8), np.int32)
    asked(a)
    assert a.tolist() == [[int(bool(ask(fx.Int32(t)))) for t in range(8)] for ask in ASKED]
