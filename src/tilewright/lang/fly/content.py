"""The digest of a fingerprint: what a trace depends on, as another process finds it too."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache, partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import cast

import numpy as np
from xdsl.ir import Attribute

from tilewright.lang.core.lines import lines_of
from tilewright.lang.core.numerics.numeric import Numeric
from tilewright.lang.fly.fingerprint import Identity, is_others

_PLAIN = (bool, int, float, complex, str, bytes, type(None), type(Ellipsis))
_NAMED = (type, FunctionType, BuiltinFunctionType)


class _OnlyItself(Exception):  # noqa: N818  # never leaves this file
    """Something that is known by its address alone."""


def content(*parts: object) -> str | None:
    """A digest, in every process the same where the parts say the same; None where they hold what is only itself.

    Functions are told by their source and their code, classes and functions of libraries by their names and the
    library's version, this package by its files.

    >>> content("a", (1, None)) == content("a", (1, None)), content(object()) is None
    (True, True)
    """
    whole = sha256(repr(_around()).encode())
    try:
        for part in parts:
            for text in _told(part):
                whole.update(text.encode("utf-8", "surrogatepass") + b"\0")
    except (_OnlyItself, OSError, RecursionError):
        return None
    return whole.hexdigest()


@lru_cache(1)
def _around() -> tuple[object, ...]:
    """What every trace depends on: this package, xDSL and Python."""
    here = Path(__file__).parents[2]
    files = sorted(here.rglob("*.py"))
    found = [(str(file.relative_to(here)), file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    return sys.version, platform.machine(), version("xdsl"), np.__version__, found


def _told(value: object) -> Iterator[str]:
    if isinstance(value, _PLAIN):
        yield f"{type(value).__name__} {value!r}"
    elif isinstance(value, tuple | list):
        yield f"{len(value)} of"
        for item in value:
            yield from _told(item)
    elif isinstance(value, frozenset):
        yield f"set of {sorted(' '.join(_told(item)) for item in value)}"
    elif isinstance(value, CodeType):
        yield from _code(value)
    elif isinstance(value, Identity):
        yield from _object(value.held)
    elif isinstance(value, Attribute):
        yield str(value)
    else:
        yield from _object(value)


def _code(code: CodeType) -> Iterator[str]:
    yield from (code.co_filename, code.co_qualname, str(code.co_firstlineno), code.co_code.hex())
    yield from lines_of(code)
    yield from _told((code.co_names, code.co_freevars, code.co_cellvars, code.co_varnames, code.co_flags))
    for constant in code.co_consts:
        yield from _told(constant)


def _object(value: object) -> Iterator[str]:
    """An object that a fingerprint knows as itself; of users' objects it holds the contents too."""
    if isinstance(value, ModuleType):
        yield f"module {_version(value.__name__)}"
    elif isinstance(value, _NAMED):
        yield _name(value)
    elif isinstance(value, Enum):
        yield f"{_name(type(value))}.{value.name}"
    elif isinstance(value, Numeric) and value.is_static():
        yield f"{_name(type(value))} {value.value!r}"
    elif isinstance(value, np.dtype | np.generic):
        yield f"{type(value).__name__} {value!r}"
    elif is_dataclass(value) and is_others(type(value).__module__):
        yield _name(type(value))
        for field in fields(value):
            yield from _told(getattr(value, field.name))
    elif all(not is_others(kind.__module__) for kind in type(value).__mro__[:-1]) and type(value) is not object:
        yield f"object of {type(value).__qualname__}"
    else:
        raise _OnlyItself


def _name(value: type | FunctionType | BuiltinFunctionType) -> str:
    """The name of a class or function; of a library's, if that is where it is found."""
    module = value.__module__ or ""
    if is_others(module) and not (module == "builtins" and isinstance(value, type)):  # `function` has no name there
        found: object = sys.modules.get(module)
        for part in value.__qualname__.split("."):
            found = getattr(found, part, None)
        if (found.func if isinstance(found, partial) else found) is not value:
            raise _OnlyItself
    return f"{_version(module)}.{value.__qualname__}"


def _version(module: str) -> str:
    top = sys.modules.get(module.partition(".")[0])
    return f"{module} {cast(str, getattr(top, '__version__', ''))}"
