"""What containers of Python consist of, for whoever compares two of their states."""

from __future__ import annotations

from array import array
from collections import ChainMap, UserDict, UserList, UserString, deque
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from functools import lru_cache, partial
from hashlib import sha256
from types import MappingProxyType, MethodType, SimpleNamespace
from typing import TypeAlias, TypeVar, cast
from weakref import ref

import numpy as np

Kind = TypeVar("Kind")
Found = TypeVar("Found")
Parts: TypeAlias = Callable[[object], Iterable[object]]
SMALL = 4096  # bytes that are compared as they are


def of_kind(kind: type[Kind], told: Callable[[Kind], Found]) -> tuple[type, Callable[[object], Found]]:
    """A row of a table of types, each with a function of values of that type alone."""
    return kind, cast("Callable[[object], Found]", told)


def _items(found: Mapping[Kind, object]) -> Iterable[object]:
    return (x for item in found.items() for x in item)


def _raw(found: bytearray | array[int]) -> Iterable[object]:
    return (digest_of(np.frombuffer(found, np.uint8)),)


PARTS: tuple[tuple[type, Parts], ...] = (
    of_kind(MethodType, lambda x: (x.__func__, x.__self__)),
    of_kind(partial, lambda x: (x.func, x.args, x.keywords)),
    of_kind(staticmethod, lambda x: (x.__wrapped__,)),
    of_kind(classmethod, lambda x: (x.__wrapped__,)),
    of_kind(property, lambda x: (x.fget, x.fset)),
    of_kind(list, list.__iter__),
    of_kind(tuple, tuple.__iter__),
    of_kind(dict, _items),
    of_kind(SimpleNamespace, lambda x: _items(vars(x))),
    of_kind(MappingProxyType, _items),
    of_kind(ChainMap, lambda x: x.maps),
    of_kind(UserDict, lambda x: (x.data,)),
    of_kind(UserList, lambda x: (x.data,)),
    of_kind(UserString, lambda x: (x.data,)),
    of_kind(deque, lambda x: (x.maxlen, *x)),
    of_kind(bytearray, _raw),
    of_kind(memoryview, lambda x: (x.format, x.shape, digest_of(np.frombuffer(x.tobytes(), np.uint8)))),
    of_kind(array, lambda x: (x.typecode, *_raw(x))),
    of_kind(BaseException, lambda x: x.args),
    of_kind(ref, lambda x: (x(),)),
    of_kind(ContextVar, lambda x: (x.get(None),)),
)


@lru_cache(1024)
def parts_of(kind: type) -> Parts | None:
    """What tells the parts of a value of this type; None where only the object itself is known.

    >>> list(parts_of(dict)({"a": 1})), parts_of(object) is None
    (['a', 1], True)
    """
    return next((parts for known, parts in PARTS if issubclass(kind, known)), None)


def digest_of(values: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> bytes:
    """Equal for equal bytes only: few as they are, many by their digest.

    >>> len(digest_of(np.zeros(3, np.int8))), len(digest_of(np.zeros(5000, np.int8)))
    (3, 32)
    """
    told = values.tobytes()
    return told if len(told) <= SMALL else sha256(told).digest()
