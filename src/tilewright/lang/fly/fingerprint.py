"""What a trace depends on beside its arguments: the code of a function and of all that it names, and constants."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from types import CodeType, FunctionType

from tilewright.lang.core.frames import is_ours

MOST = 400
PLAIN = (bool, int, float, str, bytes, type(None))


def fingerprint(function: FunctionType) -> tuple[object, ...]:
    """The code and constants that a function reaches by the names in it: where one changes, so does this."""
    seen: dict[int, None] = {}
    return tuple(_of(function, seen))


def _of(function: FunctionType, seen: dict[int, None]) -> Iterator[object]:
    if id(function) in seen or len(seen) > MOST or is_ours(function.__code__.co_filename):
        return
    seen[id(function)] = None
    yield function.__code__
    yield function.__defaults__ if _is_plain(function.__defaults__) else id(function.__defaults__)
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield from _value(function.__globals__[name], seen)
    for cell in function.__closure__ or ():
        try:
            yield from _value(cell.cell_contents, seen)
        except ValueError:
            yield None


def _value(value: object, seen: dict[int, None]) -> Iterator[object]:
    inner = getattr(value, "__wrapped__", value)
    if isinstance(inner, FunctionType):
        yield from _of(inner, seen)
    elif _is_plain(value):
        yield type(value), value
    elif isinstance(value, list):
        yield tuple(x if _is_plain(x) else id(x) for x in value)


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_plain, value))
    return isinstance(value, PLAIN)


@lru_cache(4096)
def _names(code: CodeType) -> tuple[str, ...]:
    inner = (name for constant in code.co_consts if isinstance(constant, CodeType) for name in _names(constant))
    return (*code.co_names, *inner)
