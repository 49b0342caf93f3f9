"""Python's own functions and methods on what is known while a kernel is read: numbers, texts, tuples, dicts of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from types import BuiltinMethodType, MappingProxyType

from tilewright.errors import KernelError
from tilewright.lang.values import MAX_ITEMS, PYTHONS, Value, admit, is_constant, show

Function = Callable[..., object]


_VIEWS: tuple[type, ...] = (range, zip, enumerate, reversed, type({}.keys()), type({}.values()), type({}.items()))
# These ask no item what it is, which may be a value of run time.
_ARRANGING = (len, tuple, list, reversed, enumerate, zip)
_TEXT = (
    "startswith endswith upper lower strip lstrip rstrip split rsplit replace find rfind index count join removeprefix "
    "removesuffix partition rpartition isdigit isalpha zfill"
)
METHODS: Mapping[type, frozenset[str]] = MappingProxyType(
    {
        str: frozenset(_TEXT.split()),
        tuple: frozenset(["index", "count"]),
        dict: frozenset(["get", "keys", "values", "items"]),
    }
)


def method(owner: Value, name: str) -> BuiltinMethodType | None:
    """The method of that name of a text, a tuple or a dict; None where a kernel has none."""
    return getattr(owner, name) if name in METHODS.get(type(owner), ()) else None


def is_known(function: Value) -> bool:
    """Is it one of Python's functions that a kernel has, or such a method?"""
    named = isinstance(function, BuiltinMethodType) and function.__name__ in METHODS.get(type(function.__self__), ())
    return named or any(function is known for known in PYTHONS)


def on_known(function: Function, *positional: Value, **named: Value) -> Value:
    """What the function gives.

    Raises:
        KernelError: a value is known only at run time, or the function refuses.
    """
    name, given = function.__name__, (*positional, *named.values())
    arranges = any(function is known for known in _ARRANGING)
    if not all(map(is_constant if arranges else _is_known_whole, given)):
        raise KernelError(f"{name} takes constants; T.{name} takes run-time values, where it exists")
    if any(map(callable, given)):
        raise KernelError(f"{name} takes no function in a kernel, got {show(next(filter(callable, given)))}")
    try:
        found = function(*positional, **named)
    except Exception as error:  # of Python's functions, and of a user's objects
        raise KernelError(f"{name}: {error}") from error
    made = _items(found, name) if isinstance(found, _VIEWS) and isinstance(found, Iterable) else found
    return tuple(made) if arranges and isinstance(made, tuple | list) else admit(made, name)


def _is_known_whole(value: Value) -> bool:
    return all(map(_is_known_whole, value)) if isinstance(value, tuple) else is_constant(value)


def _items(found: Iterable[object], name: str) -> tuple[object, ...]:
    items = tuple(islice(found, MAX_ITEMS + 1))
    if len(items) > MAX_ITEMS:
        raise KernelError(f"{name} gives more than the {MAX_ITEMS} items that are written out")
    return items


def contained(left: Value, right: Value) -> bool | None:
    """Is it in the text or dict? None of anything else.

    Raises:
        KernelError: it is nothing that could be.
    """
    if not isinstance(right, str | dict):
        return None
    if not is_constant(left) or (isinstance(right, str) and not isinstance(left, str)):
        raise KernelError(f"whether {show(left)} is in {show(right)} nobody can say while the kernel is read")
    return left in right
