"""What annotations of parameters mean: constants while tracing, streams, types of numbers."""

from __future__ import annotations

import builtins
from types import FunctionType

from tilewright.errors import KernelError, shown


class Constexpr:
    """The annotation of a parameter that is known while tracing; `Constexpr[int]` says its type too."""

    def __class_getitem__(cls, kind: object) -> ConstexprOf:
        return ConstexprOf(kind)


class ConstexprOf:
    """`Constexpr[kind]`."""

    def __init__(self, kind: object) -> None:
        self.kind = kind

    def check(self, value: object, name: str) -> None:
        """Raises `KernelError` for a value of another type."""
        kind = self.kind
        if isinstance(kind, type) and not isinstance(value, kind) and not (kind is float and isinstance(value, int)):
            raise KernelError(f"{name} is Constexpr[{kind.__name__}], got {shown(value)}")

    def __repr__(self) -> str:
        return f"Constexpr[{getattr(self.kind, '__name__', self.kind)}]"


class Stream:
    """A stream of launches; there is one order here, whatever it is.

    Args:
        value: None, a handle, or an object with `cuda_stream`.
    """

    def __init__(self, value: object = None) -> None:
        self.value = getattr(value, "cuda_stream", value)


def is_constant(annotation: object) -> bool:
    """Is it that of a parameter that is known while tracing?"""
    return annotation is Constexpr or isinstance(annotation, ConstexprOf) or annotation is type


def resolved(annotation: object, function: FunctionType) -> object:
    """The annotation; of one that is a text, what its name means in the function."""
    if not isinstance(annotation, str):
        return annotation
    word, _, inner = annotation.strip().partition("[")
    found = _looked_up(word, function)
    if found is Constexpr and inner:
        return ConstexprOf(_looked_up(inner.rstrip("]"), function))
    return found


def _looked_up(path: str, function: FunctionType) -> object:
    first, *rest = path.strip().split(".")
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    found: object = None
    if first in cells:
        try:
            found = cells[first].cell_contents
        except ValueError:
            return None
    else:
        found = function.__globals__.get(first, getattr(builtins, first, None))
    for word in rest:
        found = getattr(found, word, None)
    return found
