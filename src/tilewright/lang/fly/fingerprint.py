"""What a trace depends on beside the types of its arguments: code, and whatever the names in it lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache, partial
from types import CodeType, FunctionType, MethodType, ModuleType

import numpy as np

from tilewright.lang.core.frames import OTHERS
from tilewright.lang.core.helpers import is_users

MOST = 20_000
"""Parts of a fingerprint; with more of them it equals no other one, so that what it stands for is traced again."""
SMALL = 4096  # bytes of an array whose numbers are compared; of a larger one, which it is
PLAIN = (bool, int, str, bytes, type(None), float, complex)


@dataclass(frozen=True, eq=False)
class Identity:
    """An object as itself: equal to itself alone, and alive as long as this is."""

    held: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and self.held is other.held

    def __hash__(self) -> int:
        return id(self.held)


def fingerprint(*values: object) -> tuple[Hashable, ...]:
    """Equal for two states of functions and objects only if a trace cannot tell them apart.

    Followed are users' functions with their defaults, closures, decorators and the globals and members of modules that
    their code names, and the contents of lists, dicts, objects and classes; other things are themselves.

    >>> def scaled(x, factor=2): return x * factor
    >>> before = fingerprint(scaled)
    >>> before == fingerprint(scaled)
    True
    >>> scaled.__defaults__ = (3,)
    >>> before == fingerprint(scaled)
    False
    """
    walk = _Walk()
    for value in values:
        walk.value(value)
    return tuple(walk.found)


class _Walk:
    """Goes through what values consist of; each thing once."""

    def __init__(self) -> None:
        self.found: list[Hashable] = []
        self._seen: dict[int, int] = {}
        self._members: set[tuple[int, int]] = set()

    def value(self, value: object) -> None:
        """Adds what tells the value from others."""
        if isinstance(value, PLAIN):
            self.found.append(_plain(value))
        elif len(self.found) > MOST:
            self.found.append(Identity(object()))
        elif id(value) in self._seen:
            self.found.append((_Walk, self._seen[id(value)]))
        else:
            self._seen[id(value)] = len(self._seen)
            self._whole(value)

    def _whole(self, value: object) -> None:
        kind = type(value)
        for known, read in _READERS:
            if issubclass(kind, known):
                self.found.append((kind.__name__, Identity(kind)))
                read(self, value)
                return
        if is_others(kind.__module__):
            self._others(value)
        else:
            self._object(value)

    def _others(self, value: object) -> None:
        """Something of a library: itself; of this package's decorators, the function and their plain parts too."""
        function = getattr(value, "__wrapped__", None)
        own = getattr(value, "__dict__", None)
        if isinstance(function, FunctionType) and isinstance(own, dict):
            self.each(x for item in own.items() if _is_plain(item[1]) for x in item)
            self.value(function)
        elif type(value).__name__ == "SimpleNamespace":
            self._object(value)
        else:
            self.found.append(Identity(value))

    def _object(self, value: object) -> None:
        self.found.append(Identity(value))
        self.value(type(value))
        own = getattr(value, "__dict__", None)
        self.each(x for item in dict(own or {}).items() for x in item)
        slots = [name for kind in type(value).__mro__ for name in _words(kind.__dict__.get("__slots__", ()))]
        self.each(getattr(value, name, None) for name in slots)

    def each(self, values: Iterable[object]) -> None:
        """Adds values one after the other, and their number."""
        count = 0
        for value in values:
            self.value(value)
            count += 1
        self.found.append(count)

    def function(self, function: FunctionType) -> None:
        """Adds a function, unless it is a library's."""
        code = function.__code__
        if not is_users(function):
            self.found.append(Identity(function))
            return
        self.found += (code, code.co_filename)
        self.value(function.__defaults__)
        self.value(function.__kwdefaults__)
        self._annotations(function)
        self._named(function.__globals__, code)
        for cell in function.__closure__ or ():
            try:
                self.value(cell.cell_contents)
            except ValueError:
                self.found.append(Identity(cell))
        self.value(getattr(function, "__wrapped__", None))

    def _annotations(self, function: FunctionType) -> None:
        for name, said in function.__annotations__.items():
            self.found.append(name)
            self.value(said)
            if isinstance(said, str):  # which says names that the code does not
                self.each(function.__globals__.get(word) for word in _identifiers(said))

    def _named(self, scope: dict[str, object], code: CodeType) -> None:
        for name in _names(code):
            if name in scope:
                self.found.append(name)
                found = scope[name]
                self._module(found, code) if isinstance(found, ModuleType) else self.value(found)

    def _module(self, module: ModuleType, code: CodeType) -> None:
        if is_others(module.__name__) or (id(module), id(code)) in self._members:
            self.found.append(Identity(module))
            return
        self._members.add((id(module), id(code)))
        self._named(vars(module), code)


def _method(walk: _Walk, method: MethodType) -> None:
    walk.value(method.__func__)
    walk.value(method.__self__)


def _partial(walk: _Walk, made: partial[object]) -> None:
    walk.each((made.func, made.args, made.keywords))


def _class(walk: _Walk, kind: type) -> None:
    walk.found.append(Identity(kind))
    if not is_others(kind.__module__):
        members = [item for item in vars(kind).items() if item[0] not in _OF_PYTHON]
        walk.each(x for item in members for x in item)
        walk.each(base for base in kind.__bases__ if base is not object)


def _mapping(walk: _Walk, found: dict[object, object]) -> None:
    walk.each(x for item in found.items() for x in item)


def _set(walk: _Walk, found: Iterable[object]) -> None:
    walk.found.append(frozenset(_plain(x) if isinstance(x, PLAIN) else Identity(x) for x in found))


def _wrapped(walk: _Walk, found: object) -> None:
    walk.value(getattr(found, "__wrapped__", None))


def _property(walk: _Walk, found: property) -> None:
    walk.each((found.fget, found.fset))


def _array(walk: _Walk, found: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> None:
    small = found.nbytes <= SMALL and not found.dtype.hasobject
    walk.found += (found.shape, found.dtype.str, found.tobytes() if small else Identity(found))


_READERS: tuple[tuple[type, Callable[[_Walk, object], None]], ...] = (  # type: ignore[assignment]  # each reads its own type
    (FunctionType, _Walk.function),
    (MethodType, _method),
    (partial, _partial),
    (staticmethod, _wrapped),
    (classmethod, _wrapped),
    (property, _property),
    (ModuleType, lambda walk, found: walk.found.append(Identity(found))),
    (type, _class),
    (list, _Walk.each),
    (tuple, _Walk.each),
    (dict, _mapping),
    (set, _set),
    (frozenset, _set),
    (np.ndarray, _array),
)
_OF_PYTHON = frozenset(("__dict__", "__weakref__", "__module__", "__doc__", "__qualname__", "__firstlineno__"))


def _plain(value: object) -> Hashable:
    """Numbers that are equal and not the same are told apart: 0.0 and -0.0, 1 and True."""
    return type(value), repr(value) if isinstance(value, float | complex) else value


def _is_plain(value: object) -> bool:
    return all(map(_is_plain, value)) if isinstance(value, tuple) else isinstance(value, PLAIN)


def _words(slots: str | Iterable[str]) -> Iterable[str]:
    return (slots,) if isinstance(slots, str) else slots


@lru_cache(4096)
def is_others(module: str | None) -> bool:
    """Is a module of that name a library's, this package among them?"""
    top = (module or "").partition(".")[0]
    return top == "tilewright" or top in OTHERS


@lru_cache(4096)
def _identifiers(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"(?<![.\w])(?![0-9])\w+", text))


@lru_cache(4096)
def _names(code: CodeType) -> tuple[str, ...]:
    inner = (name for constant in code.co_consts if isinstance(constant, CodeType) for name in _names(constant))
    return (*code.co_names, *inner)
