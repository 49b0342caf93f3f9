"""Does a value fit the type that a field declares? `errors.typed_fields` asks so of every field of a frozen value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

Accepts: TypeAlias = Callable[[object], bool]

WORD = 1 << 63


class Rule(NamedTuple):
    """What one field takes: the class that needs no further look if it is one, a test, and the type in words."""

    name: str
    plain: type | None
    accepts: Accepts
    declared: str


@cache  # one entry a class
def rules(cls: type) -> tuple[Rule, ...]:
    """The rules of a dataclass's fields, from its annotations; these name only what its module has at run time."""
    hints = get_type_hints(cls)
    return tuple(_rule(f.name, hints[f.name], str(f.type)) for f in fields(cls) if f.init)


def _bound(parameter: TypeVar) -> object:
    return object if parameter.__bound__ is None else parameter.__bound__


def _rule(name: str, declared: object, words: str) -> Rule:
    if isinstance(declared, TypeVar):
        return _rule(name, _bound(declared), f"{words}, bound to {_bound(declared)}")
    origin = get_origin(declared) or declared
    plain = origin if isinstance(origin, type) and origin not in _FORMS and not issubclass(origin, int | list) else None
    return Rule(name, plain, accepts(declared), words)


def misfit(value: object) -> Rule | None:
    """The first field of a dataclass's value that is not of its type."""
    kind: type = type(value)
    for rule in rules(kind):
        given = getattr(value, rule.name)
        if given.__class__ is not rule.plain and not rule.accepts(given):
            return rule
    return None


def accepts(declared: object) -> Accepts:
    """The test whether a value is of a declared type.

    Integers have 64 bits, and truth values are none. Tuples, lists and mappings are looked into, other containers
    believed.

    >>> pair = accepts(tuple[int, int] | None)
    >>> pair((1, 2)), pair(None), pair((1,)), pair((1, True)), pair((1, 2**64))
    (True, True, False, False, False)
    """
    if isinstance(declared, TypeVar):
        return accepts(_bound(declared))
    origin, parts = get_origin(declared), get_args(declared)
    if origin in _FORMS:
        return _FORMS[origin](parts)
    if origin is not None and len(parts) == 2 and issubclass(origin, Mapping):
        return _mapping(accepts(parts[0]), accepts(parts[1]))
    if origin is not None:
        return _container(origin, accepts(parts[0]) if len(parts) == 1 else _anything)
    if declared in _PLAIN:
        return _PLAIN[declared]
    assert isinstance(declared, type), f"fields are of types, got {declared}"
    return lambda value: isinstance(value, declared)


def _is_integer(value: object) -> bool:
    return (type(value) is int or (isinstance(value, int) and not isinstance(value, bool))) and -WORD <= value < WORD


def _anything(_: object) -> bool:
    return True


def _union(parts: tuple[object, ...]) -> Accepts:
    tests = tuple(map(accepts, parts))
    return lambda value: any(test(value) for test in tests)


def _literal(parts: tuple[object, ...]) -> Accepts:
    return lambda value: any(type(value) is type(part) and value == part for part in parts)


def _tuple(parts: tuple[object, ...]) -> Accepts:
    if parts[-1] is Ellipsis:
        each = accepts(parts[0])
        return lambda value: isinstance(value, tuple) and all(map(each, value))
    tests = tuple(map(accepts, parts))
    return lambda value: (
        isinstance(value, tuple)
        and len(value) == len(tests)
        and all(test(item) for test, item in zip(tests, value, strict=True))
    )


def _container(kind: type, item: Accepts) -> Accepts:
    return lambda value: (
        isinstance(value, kind)
        and not isinstance(value, str | bytes)
        and (not isinstance(value, tuple | list) or all(map(item, value)))
    )


def _mapping(key: Accepts, value: Accepts) -> Accepts:
    return lambda given: isinstance(given, Mapping) and all(map(key, given)) and all(map(value, given.values()))


_FORMS: dict[object, Callable[[tuple[object, ...]], Accepts]] = {
    Union: _union,
    UnionType: _union,
    Literal: _literal,
    tuple: _tuple,
}
_PLAIN: dict[object, Accepts] = {
    int: _is_integer,
    float: lambda value: isinstance(value, float) or _is_integer(value),
    Any: _anything,
    object: _anything,
    NoneType: lambda value: value is None,
}
