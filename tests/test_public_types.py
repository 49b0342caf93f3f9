"""No `Any` in a public signature: what users call by a name of a front door has parameters and results with types."""

from __future__ import annotations

import importlib
import inspect
import re
import typing
from collections.abc import Iterator
from types import FunctionType

from tilewright.layout.operation_table import TABLE

DOORS = ("tilewright", "tilewright.tirx.layout", "tilewright.atoms", "tilewright.notation", "tilewright.figures")
ANY = re.compile(r"(?<!integer\[)(?<!dtype\[)\bAny\b")  # an array's own parameter is not ours


def public() -> Iterator[FunctionType]:
    """The functions and methods behind the names of the front doors."""
    for op in TABLE:
        yield from (inspect.unwrap(f) for f in (op.plain, op.composed) if f is not None)
    names = {op.public for op in TABLE}
    for door in map(importlib.import_module, DOORS):
        for name in door.__all__:
            value = getattr(door, name)
            if inspect.isclass(value):
                yield from _methods(value)
            elif callable(value) and name not in names and isinstance(inspect.unwrap(value), FunctionType):
                yield inspect.unwrap(value)


def _methods(cls: type) -> Iterator[FunctionType]:
    for base in cls.__mro__:
        for name, member in vars(base).items():
            function = getattr(member, "fget", None) or getattr(member, "__func__", member)
            is_ours = base.__module__.startswith("tilewright") and (name[0] != "_" or name == "__call__")
            if is_ours and isinstance(function, FunctionType):
                yield inspect.unwrap(function)


def says_any(function: FunctionType) -> bool:
    overloads = typing.get_overloads(function) or [function]
    return any(ANY.search(str(said)) for one in overloads for said in one.__annotations__.values())


def test_public_signatures_are_typed() -> None:
    assert {f"{f.__module__}.{f.__qualname__}" for f in public() if says_any(f)} == set()
