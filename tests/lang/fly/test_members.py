"""Control flow of run time in what Python calls by itself: operators, properties, `__init__`, `__call__`, `[..]`."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from typing import NamedTuple

import numpy as np
import pytest

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


class Listed(list):
    def total(self):
        return sum(self)


class Named(dict):
    def __getattr__(self, name):
        return self[name]

    def __setattr__(self, name, value):
        self[name] = value


class Pair(NamedTuple):
    a: object
    b: object


class Summed(Pair):
    def total(self):
        return self.a + self.b


class Plain(tuple):
    def total(self):
        return self[0] + self[1]


def list_of_users(x):
    found, same = Listed([x, x]), []
    found.tag, same = x, found
    if x > 3:
        found[0] = x * 10
        found.tag = x * 100
    return same.total() + same.tag + (1 if same is found else 0)


def dict_of_users(x):
    found = Named(a=x, b=x)
    for i in range(x):
        found.a = found.a + i
    return found.a * found.b


def dict_with_defaults(x):
    found = defaultdict(lambda: x, a=x)
    if x > 3:
        found["a"] = x * 10
    return found["a"] + found["none"]


def ordered(x):
    found = OrderedDict(a=x, b=x + 1)
    if x > 3:
        found["a"] = x * 10
    found.move_to_end("a")
    return next(iter(found.values())) + found["a"] * 2


def tuples_of_users(x):
    named, plain = Summed(x, x), Plain((x, x))
    if x > 3:
        named, plain = Summed(x, x * 10), Plain((x * 5, x))
    return named.total() + plain.total() * 1000


DERIVED = {f.__name__: f for f in (list_of_users, dict_of_users, dict_with_defaults, ordered, tuples_of_users)}


@flyc.kernel
def derived_kernel(A: fx.Tensor, B: fx.Tensor, name: fx.Constexpr[str]):
    B[fx.thread_idx.x] = DERIVED[name](A[fx.thread_idx.x])


@flyc.jit
def derived(A: fx.Tensor, B: fx.Tensor, name: fx.Constexpr[str]):
    derived_kernel(A, B, name).launch(grid=1, block=8)


@pytest.mark.parametrize("name", DERIVED)
def test_objects_of_classes_derived_from_containers_stay_what_they_are(name: str) -> None:
    a, b = np.arange(8, dtype=np.int32), np.zeros(8, np.int32)
    derived(a, b, name)
    assert b.tolist() == [DERIVED[name](int(x)) for x in a]
