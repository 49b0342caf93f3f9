"""Structures and unions: classes of typed fields, as arguments, in control flow, and as types of memory."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as replaced
from inspect import get_annotations
from typing import TYPE_CHECKING, TypeVar, cast, dataclass_transform, overload

from tilewright.errors import KernelError, SourceLocation, shown
from tilewright.lang.core.frames import here
from tilewright.lang.core.numerics.numeric import Numeric
from tilewright.lang.core.pytree import OF_PARTS, PARTS, Constant
from tilewright.lang.fly.annotations import is_constant, said
from tilewright.lang.fly.storage import FIELDS, UNION

__all__ = ["is_composite_type", "is_specializable_struct_type", "is_struct_type", "struct", "union"]

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Class = TypeVar("Class", bound=type)
RESERVED = ("replace", "peek", "poke")


class Composite:
    """A decorator of classes, whose annotations are fields; and `struct["x": Int32, "y": Float32]` without a class.

    Args:
        union: do all fields lie at one place?
    """

    def __init__(self, union: bool) -> None:
        self._union = union

    @overload
    def __call__(self, klass: Class, **options: object) -> Class: ...
    @overload
    def __call__(self, klass: None = None, **options: object) -> Callable[[Class], Class]: ...
    def __call__(self, klass: Class | None = None, **options: object) -> Class | Callable[[Class], Class]:
        """The class as one whose objects do not change; options have no effect."""
        return self if klass is None else _composite(klass, _annotations(klass), self._union)

    def __getitem__(self, fields: object) -> type:
        """The type of fields that are said here, by name or as `_0`, `_1`, ..."""
        annotations = dict(_inline(i, one) for i, one in enumerate(fields if isinstance(fields, tuple) else (fields,)))
        words = ", ".join(f"{name}: {getattr(kind, '__name__', kind)}" for name, kind in annotations.items())
        return _composite(type(f"{self}[{words}]", (), {"__annotations__": annotations}), annotations, self._union)

    def __repr__(self) -> str:
        return "union" if self._union else "struct"


STRUCTURES = Composite(False)

if TYPE_CHECKING:

    @dataclass_transform(frozen_default=True)
    def struct(klass: Class) -> Class:
        """To type checkers, who know decorators of dataclasses that are functions."""

    @dataclass_transform(frozen_default=True)
    def union(klass: Class) -> Class:
        """The same of a union."""

else:
    struct, union = STRUCTURES, Composite(True)


def _inline(number: int, field: object) -> tuple[str, object]:
    if not isinstance(field, slice):
        return f"_{number}", field
    if not isinstance(field.start, str) or field.stop is None:
        raise KernelError(f"a field is written 'name': type, got {shown(field.start)}: {shown(field.stop)}")
    return _named(field.start), field.stop


def _place_of(name: str) -> SourceLocation | None:
    """Where a class that is being decorated declares a field."""
    made = here()
    if made is None:
        return None
    lines = linecache.getlines(made.file)
    declared = (i for i, line in enumerate(lines[made.line :], made.line) if line.partition(":")[0].strip() == name)
    at = next(declared, None)
    if at is None:
        return made
    text = lines[at].rstrip("\n")
    return SourceLocation(made.file, at + 1, len(text) - len(text.lstrip()), text)


def _named(name: str) -> str:
    """The name of a field, if it may have it."""
    if name in RESERVED or name.startswith("_"):
        raise KernelError(f"a structure has no field {name!r}: that name is taken; choose another", _place_of(name))
    return name


def _composite(cls: Class, annotations: Mapping[str, object], union: bool) -> Class:
    made = cast("Class", dataclass(frozen=True, eq=False)(cast("type[object]", cls)))
    original: Callable[..., None] = vars(made)["__init__"]

    def __init__(self: object, *args: object, **named: object) -> None:  # noqa: N807  # that of the dataclass, and types
        original(self, *args, **named)
        for name, kind in annotations.items():
            if isinstance(kind, type) and issubclass(kind, Numeric):
                object.__setattr__(self, name, kind(getattr(self, name)))

    members = {
        FIELDS: {name: kind for name, kind in annotations.items() if not is_constant(kind)},
        UNION: union,
        PARTS: _parts(annotations),
        OF_PARTS: _of_parts(annotations),
        "replace": _replace,
        "__init__": __init__,
    }
    for name, member in members.items():
        setattr(made, name, member)
    return made


def _parts(annotations: Mapping[str, object]) -> Callable[[object], dict[str, object]]:
    """What control flow and arguments carry; what is annotated Constexpr stays known."""

    def parts(self: object) -> dict[str, object]:
        values = ((name, kind, getattr(self, name)) for name, kind in annotations.items())
        return {name: Constant(value) if is_constant(kind) else value for name, kind, value in values}

    return parts


def _of_parts(annotations: Mapping[str, object]) -> Callable[[DataclassInstance, Sequence[object]], object]:
    def of_parts(self: DataclassInstance, parts: Sequence[object]) -> object:
        values = [part.value if isinstance(part, Constant) else part for part in parts]
        return replaced(self, **dict(zip(annotations, values, strict=True)))

    return of_parts


def _annotations(cls: type) -> dict[str, object]:
    """The fields' types; of texts what they mean where the class is written."""
    around = sys._getframe(2)
    names = {**around.f_globals, **around.f_locals}
    written: dict[str, object] = dict(get_annotations(cls))
    return {_named(name): said(kind, names) if isinstance(kind, str) else kind for name, kind in written.items()}


def _replace(self: DataclassInstance, **named: object) -> DataclassInstance:
    """The structure with other values of some fields."""
    return replaced(self, **named)


def is_composite_type(obj: object) -> bool:
    """Is it a structure or a union?"""
    return hasattr(obj, FIELDS)


def is_struct_type(obj: object) -> bool:
    """Is it a structure?"""
    return hasattr(obj, FIELDS) and not getattr(obj, UNION)


def is_specializable_struct_type(tp: object) -> bool:
    """Is it a structure with a field that is known while tracing, or one that has such?"""
    if not is_struct_type(tp):
        return False
    fields: Mapping[str, object] = getattr(tp, FIELDS)
    written = get_annotations(tp) if isinstance(tp, type) else {}
    return len(fields) < len(written) or any(map(is_specializable_struct_type, fields.values()))
