"""Whatever a trace depends on may change between two calls: the second call does what its source then says."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.lang.fly.fingerprint import fingerprint


def inner(x):
    return x + 1.0


def doubled(x):
    return x + 2.0


def outer(x):
    return inner(x)


def with_default(x, by=1.0):
    return x + by


def with_keyword(x, *, by=1.0):
    return x + by


def decorated(function):
    @functools.wraps(function)
    def call(x):
        return function(x) + EXTRA[0]

    return call


@decorated
def wrapped(x):
    return x + 1.0


class Adder:
    step = 1.0

    def __init__(self):
        self.held = {"by": [1.0]}

    def __call__(self, x):
        return x + self.held["by"][0] * self.step

    def other(self, x):
        return x + 2.0


@dataclass
class Config:
    by: float = 1.0


helpers = ModuleType("users_helpers")


def add_of_module(x):
    return x + 1.0


helpers.add = add_of_module
EXTRA, NUMBER, NESTED, SPACE, CONFIG = [0.0], 1.0, {"a": [(1.0,)]}, SimpleNamespace(by=1.0), Config()
ARRAY, ADDER, PARTIAL = np.array([1.0, 5.0]), Adder(), functools.partial(with_default, by=1.0)

USES: dict[str, Callable[[object], object]] = {
    "helper": lambda x: inner(x),
    "helper of a helper": lambda x: outer(x),
    "default": lambda x: with_default(x),
    "keyword default": lambda x: with_keyword(x),
    "decorator's global": lambda x: wrapped(x),
    "number": lambda x: x + NUMBER,
    "nested containers": lambda x: x + NESTED["a"][0][0],
    "namespace": lambda x: x + SPACE.by,
    "dataclass": lambda x: x + CONFIG.by,
    "array": lambda x: x + float(ARRAY[0]),
    "object's content": lambda x: ADDER(x),
    "class's attribute": lambda x: ADDER(x),
    "class's method": lambda x: ADDER(x),
    "partial": lambda x: PARTIAL(x),
    "module's function": lambda x: helpers.add(x),
}
HERE = sys.modules[__name__]
EDITS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "helper": lambda m: m.setattr(HERE, "inner", doubled),
    "helper of a helper": lambda m: m.setattr(HERE, "inner", doubled),
    "default": lambda m: m.setattr(with_default, "__defaults__", (2.0,)),
    "keyword default": lambda m: m.setitem(with_keyword.__kwdefaults__, "by", 2.0),
    "decorator's global": lambda m: m.setattr(HERE, "EXTRA", [1.0]),
    "number": lambda m: m.setattr(HERE, "NUMBER", 2.0),
    "nested containers": lambda m: m.setitem(NESTED, "a", [(2.0,)]),
    "namespace": lambda m: m.setattr(SPACE, "by", 2.0),
    "dataclass": lambda m: m.setattr(CONFIG, "by", 2.0),
    "array": lambda m: m.setattr(HERE, "ARRAY", np.array([2.0, 5.0])),
    "object's content": lambda m: m.setitem(ADDER.held, "by", [2.0]),
    "class's attribute": lambda m: m.setattr(Adder, "step", 2.0),
    "class's method": lambda m: m.setattr(Adder, "__call__", Adder.other),
    "partial": lambda m: m.setattr(HERE, "PARTIAL", functools.partial(with_default, by=2.0)),
    "module's function": lambda m: m.setattr(helpers, "add", doubled),
}


def built(use: Callable[[object], object]) -> flyc.Jit:
    """A jit function that captures what it does."""

    @flyc.kernel
    def kernel(A: fx.Tensor):
        A[fx.thread_idx.x] = use(A[fx.thread_idx.x])

    @flyc.jit
    def run(A: fx.Tensor):
        kernel(A).launch(grid=1, block=4)

    return run


@pytest.mark.parametrize("name", EDITS)
def test_no_call_runs_older_code(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run, a = built(USES[name]), np.zeros(4, np.float32)
    run(a)
    assert a.tolist() == [1.0] * 4
    EDITS[name](monkeypatch)
    run(a)
    assert a.tolist() == [3.0] * 4


def test_what_is_the_same_is_traced_once() -> None:
    for use in USES.values():
        run, a = built(use), np.zeros(4, np.float32)
        run(a)
        run(a)
        assert len(run._compiled) == 1


def test_an_array_that_changes_in_place_is_another() -> None:
    before = fingerprint(ARRAY)
    ARRAY[0] += 1
    try:
        assert fingerprint(ARRAY) != before
    finally:
        ARRAY[0] -= 1


@pytest.mark.parametrize("pair", [(0.0, -0.0), (1, True), (1, 1.0), ([1, [2]], [[1], 2]), ((), [])])
def test_what_python_holds_equal_is_told_apart(pair: tuple[object, object]) -> None:
    assert fingerprint(pair[0]) != fingerprint(pair[1])


def test_circles_end_and_too_much_is_never_the_same() -> None:
    circle: list[object] = [1]
    circle.append(circle)
    assert fingerprint(circle) == fingerprint(circle)
    much = [(i,) for i in range(30_000)]
    assert fingerprint(much) != fingerprint(much)
