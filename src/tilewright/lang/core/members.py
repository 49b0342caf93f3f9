"""What Python calls by itself of users' classes while tracing: operators, properties, `__init__`, `__call__`.

Rewritten source asks for it here, so that control flow in them is rewritten for run time too.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from types import FunctionType, MappingProxyType, MethodType, ModuleType
from typing import cast

from tilewright.lang.core import finite, helpers

Binary = Callable[[object, object], object]
_FUNCTIONS = cast("Mapping[str, Binary]", vars(operator))
OPERATORS: Mapping[str, tuple[Binary, str, str]] = MappingProxyType(
    {
        **{
            sign: (_FUNCTIONS[f"__{name}__"], f"__{name}__", f"__r{name}__")
            for sign, name in (
                ("+", "add"),
                ("-", "sub"),
                ("/", "truediv"),
                ("//", "floordiv"),
                ("%", "mod"),
                ("@", "matmul"),
                ("&", "and"),
                ("|", "or"),
                ("^", "xor"),
                (">>", "rshift"),
            )
        },
        "*": (finite.times, "__mul__", "__rmul__"),
        "**": (finite.power, "__pow__", "__rpow__"),
        "<<": (finite.shifted, "__lshift__", "__rlshift__"),
        "<": (_FUNCTIONS["lt"], "__lt__", "__gt__"),
        "<=": (_FUNCTIONS["le"], "__le__", "__ge__"),
        ">": (_FUNCTIONS["gt"], "__gt__", "__lt__"),
        ">=": (_FUNCTIONS["ge"], "__ge__", "__le__"),
        "==": (_FUNCTIONS["eq"], "__eq__", "__eq__"),
        "!=": (_FUNCTIONS["ne"], "__ne__", "__ne__"),
        "[]": (_FUNCTIONS["getitem"], "__getitem__", ""),
    }
)


def operated(sign: str, a: object, b: object, runtime: ModuleType) -> object:
    """The result of an operator between two values, as Python finds it."""
    function, name, reflected = OPERATORS[sign]
    left, right = users(_class(a), name), users(_class(b), reflected)
    if left is None and right is None:
        return function(a, b)
    ways = [(left, a, b), (right, b, a)]
    if type(b) is not type(a) and issubclass(type(b), type(a)):
        ways.reverse()
    for method, one, other in ways:
        if method is not None:
            found = _rewritten(method, runtime)(one, other)
            if found is not NotImplemented:
                return found
    return function(a, b)


def member(value: object, name: str, runtime: ModuleType) -> object:
    """An attribute of a value; of a property of a user's class what its function gives."""
    getter = _property(_class(value), name)
    return getattr(value, name) if getter is None else _rewritten(getter, runtime)(value)


def called(function: object, runtime: ModuleType) -> object:
    """What is called, with users' own functions rewritten: a function, a method, a class, an object with `__call__`."""
    if isinstance(function, FunctionType | MethodType):
        return helpers.rewritten_for_call(function, runtime)
    if isinstance(function, type):
        init = _constructor(function)
        return function if init is None else partial(_made, function, _rewritten(init, runtime))
    method = users(_class(function), "__call__")
    return function if method is None else MethodType(_rewritten(method, runtime), function)


def _class(value: object) -> type:
    return type(value)


def _made(cls: type, init: Callable[..., object], /, *args: object, **named: object) -> object:
    made: object = object.__new__(cls)
    init(made, *args, **named)
    return made


def _rewritten(function: FunctionType, runtime: ModuleType) -> Callable[..., object]:
    return cast("Callable[..., object]", helpers.rewritten_for_call(function, runtime))


@lru_cache(4096)
def users(kind: type, name: str) -> FunctionType | None:
    """The method of a class by its name, if a user wrote it."""
    found = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    return found if isinstance(found, FunctionType) and helpers.is_users(found) else None


@lru_cache(4096)
def _property(kind: type, name: str) -> FunctionType | None:
    found = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    getter = found.fget if isinstance(found, property) else None
    return getter if isinstance(getter, FunctionType) and helpers.is_users(getter) else None


@lru_cache(1024)
def _constructor(cls: type) -> FunctionType | None:
    """`__init__` of a class whose objects are made as usual."""
    usual = type(cls) is type and getattr(cls, "__new__") is object.__new__  # noqa: B009  # whatever class it is
    return users(cls, "__init__") if usual else None
