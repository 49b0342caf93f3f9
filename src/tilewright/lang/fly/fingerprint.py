"""What a trace depends on beside the types of its arguments: code, and whatever the names in it lead to."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FunctionType, ModuleType

import numpy as np

from tilewright.lang.core.frames import OTHERS
from tilewright.lang.core.helpers import is_users
from tilewright.lang.fly.looked_up import ENVIRONMENT, SCOPE, WHOLE, imports_of, names_of
from tilewright.lang.fly.parts import digest_of, of_kind, parts_of

MOST = 20_000
"""Parts of a fingerprint; with more of them it equals no other one, so that what it stands for is traced again."""
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

    Followed are users' functions with their defaults, attributes, closures, decorators, the globals and members of
    modules that their code names and the modules that it imports, and the contents of containers, arrays, objects and
    classes; other things are themselves.

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
        if type(value) in PLAIN:
            self.found.append(_plain(value))
        elif len(self.found) > MOST:
            self.found.append(Identity(object()))
        elif id(value) in self._seen:
            self.found.append((_Walk, self._seen[id(value)]))
        else:
            self._seen[id(value)] = len(self._seen)
            self._whole(value)

    def _whole(self, value: object) -> None:
        kind: type = type(value)
        if isinstance(value, FunctionType):
            self.function(value)
        elif isinstance(value, type):
            self._class(value)
        elif isinstance(value, ModuleType):
            self.found.append(Identity(value))
        elif isinstance(value, (*PLAIN, set, frozenset, np.ndarray)) or parts_of(kind) is not None:
            self._known(value)
        elif is_others(kind.__module__):
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
        else:
            self.found.append(Identity(value))

    def _known(self, value: object) -> None:
        """Something of a type whose contents we know; of a user's type derived from it also what that adds."""
        kind: type = type(value)
        self.found.append((kind.__name__, Identity(kind)))
        if isinstance(value, PLAIN):
            self.found.append(_plain(next(exact(value) for base, exact in _EXACT if isinstance(value, base))))
        elif isinstance(value, set | frozenset):
            self.found.append(frozenset(_plain(x) if type(x) in PLAIN else Identity(x) for x in value))
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            self.found += (value.shape, value.dtype.str, digest_of(value))
        else:
            parts = parts_of(kind) or _elements
            self.each(parts(value))
        if not is_others(kind.__module__):
            self._members_of(value)

    def _object(self, value: object) -> None:
        self.found.append(Identity(value))
        self._members_of(value)

    def _members_of(self, value: object) -> None:
        """Adds the class, the attributes and the slots."""
        self.value(type(value))
        own = getattr(value, "__dict__", None)
        self.each(x for item in dict(own or {}).items() for x in item)
        self.each(getattr(value, name, None) for kind in type(value).__mro__ for name in _slots(kind))

    def each(self, values: Iterable[object]) -> None:
        """Adds values one after the other, and their number."""
        count = 0
        for value in values:
            self.value(value)
            count += 1
        self.found.append(count)

    def function(self, function: FunctionType) -> None:
        """Adds a function; a library's as itself."""
        code = function.__code__
        if not is_users(function):
            self.found.append(Identity(function))
            return
        self.found += (code, code.co_filename)
        self.value(function.__defaults__)
        self.value(function.__kwdefaults__)
        self._annotations(function)
        self.each(x for item in function.__dict__.items() for x in item)
        self._named(function.__globals__, code, SCOPE)
        self._imported(function)
        for cell in function.__closure__ or ():
            try:
                self.value(cell.cell_contents)
            except ValueError:
                self.found.append(Identity(cell))

    def _annotations(self, function: FunctionType) -> None:
        for name, said in function.__annotations__.items():
            self.found.append(name)
            self.value(said)
            if isinstance(said, str):  # which says names that the code does not
                self.each(function.__globals__.get(word) for word in _identifiers(said))

    def _named(self, scope: dict[str, object], code: CodeType, all_for: frozenset[str]) -> None:
        """Adds what the code's names stand for there; all that is there if it uses one of the names `all_for`."""
        names = names_of(code)
        for name in scope if all_for & set(names) else names:
            if name in scope and not name.startswith("__"):
                self.found.append(name)
                found = scope[name]
                self._module(found, code) if isinstance(found, ModuleType) else self.value(found)
        if ENVIRONMENT & set(names):
            self.found.append(tuple(sorted(os.environ.items())))

    def _module(self, module: ModuleType, code: CodeType) -> None:
        if is_others(module.__name__) or (id(module), id(code)) in self._members:
            self.found.append(Identity(module))
            return
        self._members.add((id(module), id(code)))
        self._named(vars(module), code, WHOLE)

    def _imported(self, function: FunctionType) -> None:
        """Adds the modules that the code itself imports; with one that is not loaded yet nothing is kept on disk."""
        package = str(function.__globals__.get("__package__") or "")
        for name in imports_of(function.__code__, package):
            if not is_others(name):
                found = sys.modules.get(name)
                self.found.append(_UNLOADED) if found is None else self._module(found, function.__code__)

    def _class(self, kind: type) -> None:
        self.found += (kind.__name__, Identity(kind))
        if not is_others(kind.__module__):
            members = [item for item in vars(kind).items() if item[0] not in _OF_PYTHON]
            self.each(x for item in members for x in item)
            self.each(base for base in (*kind.__bases__, type(kind)) if base not in (object, type))


_UNLOADED = Identity(object())
_OF_PYTHON = frozenset(("__dict__", "__weakref__", "__module__", "__doc__", "__qualname__", "__firstlineno__"))


def _elements(value: object) -> Iterable[object]:
    assert isinstance(value, np.ndarray)
    return (value.shape, value.dtype.str, value.tolist())


# Python's own number or text of one of a derived class, whatever that class says that it equals and is written as.
_EXACT: tuple[tuple[type, Callable[[object], object]], ...] = (
    of_kind(int, int.__pos__),
    of_kind(float, float.__pos__),
    of_kind(complex, complex.__pos__),
    of_kind(str, str.__str__),
    of_kind(bytes, lambda value: bytes.__add__(value, b"")),
)


def _plain(value: object) -> Hashable:
    """Numbers that are equal and not the same are told apart: 0.0 and -0.0, 1 and True."""
    return type(value), repr(value) if isinstance(value, float | complex) else value


def _is_plain(value: object) -> bool:
    return all(map(_is_plain, value)) if isinstance(value, tuple) else isinstance(value, PLAIN)


def _slots(kind: type) -> list[str]:
    """The names of a class's slots, those of private ones as Python writes them."""
    said = kind.__dict__.get("__slots__", ())
    private = f"_{kind.__name__.lstrip('_')}"
    names = (said,) if isinstance(said, str) else said
    return [private + x if x.startswith("__") and not x.endswith("__") else x for x in names]


@lru_cache(4096)
def is_others(module: str | None) -> bool:
    """Is a module of that name a library's, this package among them?"""
    top = (module or "").partition(".")[0]
    return top == "tilewright" or top in OTHERS


@lru_cache(4096)
def _identifiers(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"(?<![.\w])(?![0-9])\w+", text))
