"""What control flow carries: any value as the leaves that it splits into, and put together again from others.

Lists, tuples, dicts, `SimpleNamespace`s, dataclasses and structs are made of their parts; a leaf has the methods
`__extract_to_ir_values__` and `__construct_from_ir_values__`; all else is a constant.
"""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace
from typing import ClassVar, TypeAlias, TypeVar

EXTRACT, CONSTRUCT = "__extract_to_ir_values__", "__construct_from_ir_values__"
PARTS, OF_PARTS = "__parts__", "__of_parts__"
WHOLE = "__is_whole__"
"""The attribute of classes whose objects are not looked into."""
Container = TypeVar("Container")
Rebuild: TypeAlias = "Callable[[Sequence[object]], object]"


@dataclass(frozen=True)
class Constant:
    """A part that is known while tracing, and stays so."""

    __is_whole__: ClassVar[bool] = True
    value: object


@dataclass(frozen=True)
class Split:
    """A value as parts, by the path from the value to each, and how it is made of others."""

    names: tuple[str, ...]
    parts: tuple[object, ...]
    rebuild: Rebuild


def split(value: object, opened: bool = False) -> Split | None:
    """The parts of a value that has any.

    Args:
        opened: any object with attributes has them as parts: it is one whose attributes are assigned.
    """
    if hasattr(type(value), WHOLE):
        return None
    if isinstance(value, list):
        return _derived(value, list, _numbered(value), tuple(value), _filled_list)
    if isinstance(value, tuple):
        make: Rebuild = getattr(value, "_make", partial(tuple.__new__, type(value)))  # the first of a named tuple
        return Split(_numbered(value), tuple(value), make)
    if isinstance(value, dict):
        keys = list(value)
        names = tuple(f"[{key!r}]" for key in keys)
        return _derived(value, dict, names, tuple(value.values()), partial(_filled_dict, keys))
    if hasattr(type(value), PARTS):
        return _of_protocol(value)
    if isinstance(value, SimpleNamespace) or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
        return _of_attributes(value)
    if opened and hasattr(value, "__dict__") and not isinstance(value, type) and not is_leaf(value):
        return _of_attributes(value)
    return None


def _derived(
    value: Container,
    kind: type,
    names: tuple[str, ...],
    parts: tuple[object, ...],
    filled: Callable[[Container, Sequence[object]], None],
) -> Split:
    """A list or dict, or an object of a class derived from them, which has its attributes as parts too."""
    own = {} if type(value) is kind else getattr(value, "__dict__", {})

    def rebuild(given: Sequence[object]) -> object:
        made = copy.copy(value)
        filled(made, given[: len(parts)])
        if own:
            vars(made).update(zip(own, given[len(parts) :], strict=True))
        return made

    return Split((*names, *(f".{name}" for name in own)), (*parts, *own.values()), rebuild)


def _filled_list(made: list[object], parts: Sequence[object]) -> None:
    list.__setitem__(made, slice(None), parts)


def _filled_dict(keys: Sequence[object], made: dict[object, object], parts: Sequence[object]) -> None:
    dict.update(made, zip(keys, parts, strict=True))


def _numbered(value: Sequence[object]) -> tuple[str, ...]:
    return tuple(f"[{i}]" for i in range(len(value)))


def _of_protocol(value: object) -> Split:
    parts: dict[str, object] = getattr(value, PARTS)()
    return Split(tuple(f".{name}" for name in parts), tuple(parts.values()), getattr(value, OF_PARTS))


def _of_attributes(value: object) -> Split:
    names = list(vars(value))

    def rebuild(parts: Sequence[object]) -> object:
        made = copy.copy(value)
        vars(made).update(zip(names, parts, strict=True))
        return made

    return Split(tuple(f".{name}" for name in names), tuple(vars(value).values()), rebuild)


def is_leaf(value: object) -> bool:
    """Does it split into values of the IR?"""
    return hasattr(type(value), EXTRACT) and hasattr(type(value), CONSTRUCT)


@dataclass(frozen=True)
class Flat:
    """The leaves and constants of a value, each with its name, and how it is made of others."""

    names: tuple[str, ...]
    leaves: tuple[object, ...]
    rebuild: Rebuild

    def same(self, leaves: Sequence[object]) -> bool:
        """Are they the leaves that it has?"""
        return len(leaves) == len(self.leaves) and all(a is b for a, b in zip(leaves, self.leaves, strict=True))


def flatten(value: object, name: str, opened: bool = False) -> Flat:
    """All leaves and constants of a value, from the left."""
    found = split(value, opened)
    if found is None:
        return Flat((name,), (value,), lambda leaves: leaves[0])
    inner = [flatten(part, name + path) for path, part in zip(found.names, found.parts, strict=True)]
    counts = [len(part.leaves) for part in inner]

    def rebuild(leaves: Sequence[object]) -> object:
        parts, at = [], 0
        for part, count in zip(inner, counts, strict=True):
            parts.append(part.rebuild(leaves[at : at + count]))
            at += count
        return found.rebuild(parts)

    return Flat(
        tuple(n for part in inner for n in part.names), tuple(x for part in inner for x in part.leaves), rebuild
    )


def write_back(original: object, result: object) -> object:
    """The result in the place of the original: a list, a dict or an object that others may know is changed itself."""
    if type(original) is not type(result) or original is result or isinstance(original, tuple):
        return result
    if isinstance(original, list) and isinstance(result, list):
        changed = [write_back(a, b) for a, b in zip(original, result, strict=False)] + result[len(original) :]
        list.__setitem__(original, slice(None), changed)
        return _with_attributes(original, result)
    if isinstance(original, dict) and isinstance(result, dict):
        written = {key: write_back(dict.get(original, key), value) for key, value in result.items()}
        dict.clear(original)
        dict.update(original, written)
        return _with_attributes(original, result)
    frozen = getattr(getattr(type(original), "__dataclass_params__", None), "frozen", False)
    if hasattr(original, "__dict__") and not isinstance(original, type) and not is_leaf(original) and not frozen:
        if hasattr(type(original), PARTS):
            return result
        return _with_attributes(original, result)
    return result


def _with_attributes(original: object, result: object) -> object:
    for key, value in getattr(result, "__dict__", {}).items():
        vars(original)[key] = write_back(vars(original).get(key), value)
    return original
