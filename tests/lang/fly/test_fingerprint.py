"""Whatever a trace depends on may change between two calls: the second call does what its source then says."""

from __future__ import annotations

import functools
import os
import sys
from array import array
from collections import ChainMap, UserDict, deque
from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from types import MappingProxyType, ModuleType, SimpleNamespace
from typing import Any
from weakref import ref

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.lang.fly.content import content
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


helpers.add, helpers.by = add_of_module, 1.0
sys.modules["users_helpers"] = helpers


def imported_there():
    from users_helpers import by

    return by


class Listed(list):
    by = 0.0


class Counted(int):
    by = 0.0


class Slotted:
    __slots__ = ("__by",)

    def __init__(self):
        self.__by = 1.0

    def get(self):
        return self.__by


class Meta(type):
    by = 1.0


class Made(metaclass=Meta):
    pass


with_default.step = 1.0
LISTED, COUNTED, SLOTTED = Listed(), Counted(3), Slotted()
LISTED.by = COUNTED.by = 1.0
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
    "function's attribute": lambda x: x + with_default.step,
    "import in the function": lambda x: x + imported_there(),
    "member by its name": lambda x: x + getattr(helpers, "by"),  # noqa: B009  # what is shown
    "global by its name": lambda x: x + globals()["NUMBER"],
    "environment": lambda x: x + float(os.environ.get("TILEWRIGHT_OF_A_TEST", "1")),
    "list's attribute": lambda x: x + LISTED.by,
    "number's attribute": lambda x: x + COUNTED.by,
    "private slot": lambda x: x + SLOTTED.get(),
    "metaclass": lambda x: x + Made.by,
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
    "function's attribute": lambda m: m.setattr(with_default, "step", 2.0),
    "import in the function": lambda m: m.setattr(helpers, "by", 2.0),
    "member by its name": lambda m: m.setattr(helpers, "by", 2.0),
    "global by its name": lambda m: m.setattr(HERE, "NUMBER", 2.0),
    "environment": lambda m: m.setenv("TILEWRIGHT_OF_A_TEST", "2"),
    "list's attribute": lambda m: m.setattr(LISTED, "by", 2.0),
    "number's attribute": lambda m: m.setattr(COUNTED, "by", 2.0),
    "private slot": lambda m: m.setattr(SLOTTED, "_Slotted__by", 2.0),
    "metaclass": lambda m: m.setattr(Meta, "by", 2.0),
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


UNDER, REFERRED = {"a": 1}, Config()
CHANGED: dict[str, tuple[object, Callable[[Any], object]]] = {
    "deque": (deque([1]), lambda x: x.append(2)),
    "chain": (ChainMap({"a": 1}), lambda x: x.update(a=2)),
    "user's dict": (UserDict(a=1), lambda x: x.update(a=2)),
    "view of a dict": (MappingProxyType(UNDER), lambda x: UNDER.update(a=2)),
    "bytes": (bytearray(b"a"), lambda x: x.append(1)),
    "view of bytes": (memoryview(bytearray(b"a")), lambda x: x.__setitem__(0, 1)),
    "array": (array("i", [1]), lambda x: x.append(1)),
    "large array": (np.zeros(5000), lambda x: x.__setitem__(0, 1)),
    "array of objects": (np.array([[1]], dtype=object), lambda x: x.__setitem__((0, 0), 2)),
    "exception": (ValueError(1), lambda x: setattr(x, "args", (2,))),
    "variable of the context": (ContextVar[int]("of_a_test", default=1), lambda x: x.set(2)),
    "reference": (ref(REFERRED), lambda x: setattr(REFERRED, "by", 2.0)),
}


@pytest.mark.parametrize("name", CHANGED)
def test_a_container_that_changes_in_place_is_another(name: str) -> None:
    value, change = CHANGED[name]
    before = fingerprint(value)
    assert before == fingerprint(value)
    change(value)
    assert before != fingerprint(value)


def test_a_function_whose_import_is_not_loaded_is_not_kept_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    assert content(*fingerprint(imported_there)) is not None
    monkeypatch.delitem(sys.modules, "users_helpers")
    assert fingerprint(imported_there) == fingerprint(imported_there)
    assert content(*fingerprint(imported_there)) is None


@pytest.mark.parametrize("pair", [(0.0, -0.0), (1, True), (1, 1.0), ([1, [2]], [[1], 2]), ((), [])])
def test_what_python_holds_equal_is_told_apart(pair: tuple[object, object]) -> None:
    assert fingerprint(pair[0]) != fingerprint(pair[1])


def test_circles_end_and_too_much_is_never_the_same() -> None:
    circle: list[object] = [1]
    circle.append(circle)
    assert fingerprint(circle) == fingerprint(circle)
    much = [(i,) for i in range(30_000)]
    assert fingerprint(much) != fingerprint(much)


@pytest.mark.parametrize(
    ("base", "pair"), [(int, (4, 8)), (float, (0.0, -0.0)), (str, ("a", "b")), (bytes, (b"a", b"b"))]
)
def test_numbers_and_texts_of_derived_classes_are_told_apart_whatever_these_say(
    base: type, pair: tuple[object, object]
) -> None:
    said = {"__repr__": lambda _: "same", "__eq__": lambda *_: True, "__hash__": lambda _: 1}
    kind = type("Derived", (base,), said)
    one, other, again = (fingerprint(kind(x)) for x in (*pair, pair[0]))
    assert one == again != other
    assert content(*one) == content(*again)
    assert content(*one) != content(*other)
