"""Control flow of run time in what Python calls by itself: operators, properties, `__init__`, `__call__`, `[..]`."""

from __future__ import annotations

import numpy as np

import tilewright.compiler as flyc
import tilewright.expr as fx


class Saturated:
    """Numbers that stay within 0 and 100."""

    def __init__(self, value):
        self.value = value
        if value > 100:
            self.value = value * 0 + 100
        elif value < 0:
            self.value = value * 0

    def __add__(self, other):
        if isinstance(other, int):
            other = Saturated(other)
        total = self.value + other.value
        if total > 100:
            return Saturated(total * 0 + 100)
        return Saturated(total)

    def __radd__(self, other):
        return self + other

    def __lt__(self, other):
        if self.value < other.value:
            return self.value * 0 == 0
        return self.value * 0 == 1

    @property
    def half(self):
        if self.value % 2 == 0:
            return self.value // 2
        return self.value // 2 + 1

    def __call__(self, by):
        if self.value > by:
            return by
        return self.value

    def __getitem__(self, bit):
        if (self.value >> bit) & 1 == 1:
            return self.value * 0 + 1
        return self.value * 0


class Doubled(Saturated):
    """Its own way of being added from the right comes first."""

    def __radd__(self, other):
        if self.value > 3:
            return Saturated(other.value + 2 * self.value)
        return Saturated(other.value)


def worked_out(x):
    own = Saturated(x)
    found = [own.value, (own + 60).value, (60 + own).value, own.half, own(20), own[1]]
    total = own + Doubled(x % 7)
    smaller = own < Saturated(50)
    return [*found, total.value, smaller]


@flyc.kernel
def kernel(A: fx.Tensor, B: fx.Tensor):
    tid = fx.thread_idx.x
    found = worked_out(A[tid])
    for i in fx.range_constexpr(len(found)):
        B[i, tid] = found[i].to(fx.Int32)


@flyc.jit
def run(A: fx.Tensor, B: fx.Tensor):
    kernel(A, B).launch(grid=1, block=64)


def test_users_classes_branch_at_run_time() -> None:
    a = np.random.default_rng(0).integers(-50, 150, 64).astype(np.int32)
    b = np.zeros((8, 64), np.int32)
    run(a, b)
    plain = np.array([[int(x) for x in worked_out(int(value))] for value in a.clip(0)]).T
    assert (b[:6] == plain[:6]).all()
    inside = a >= 0
    assert (b[:, inside] == plain[:, inside]).all()
