"""What annotations of parameters mean: constants while tracing, streams, types of numbers."""

from __future__ import annotations

import ast
import builtins
import operator
from collections.abc import Callable, Mapping
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar, cast

from tilewright.errors import KernelError, shown

__all__ = ["Constexpr", "Stream"]


if TYPE_CHECKING:
    Known = TypeVar("Known")
    Constexpr: TypeAlias = Annotated[Known, "known while tracing"]
else:

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
        if isinstance(kind, type) and not _is_one(value, kind) and not (kind is float and isinstance(value, int)):
            raise KernelError(f"{name} is Constexpr[{kind.__name__}], got {shown(value)}")

    def __repr__(self) -> str:
        return f"Constexpr[{getattr(self.kind, '__name__', self.kind)}]"


def _is_one(value: object, kind: type) -> bool:
    """Is it of a type? Of one that cannot be asked, such as `Any`, whatever it is."""
    try:
        return isinstance(value, kind)
    except TypeError:
        return True


class Stream:
    """A stream of launches; there is one order here, whatever it is.

    Args:
        value: None, a handle, or an object with `cuda_stream`.
    """

    def __init__(self, value: object = None) -> None:
        held: object = value.value if isinstance(value, Stream) else getattr(value, "cuda_stream", value)
        if isinstance(held, str | bytes | float | list | tuple | dict):
            raise KernelError(f"a stream is None, a handle or an object with cuda_stream, got {shown(value)}")
        self.value: object = held

    @classmethod
    def of(cls, value: object) -> Stream:
        """A stream, whatever it is given by."""
        return value if isinstance(value, Stream) else cls(value)


def is_constant(annotation: object) -> bool:
    """Is it that of a parameter that is known while tracing?"""
    return annotation is Constexpr or isinstance(annotation, ConstexprOf) or annotation is type


def resolved(annotation: object, function: FunctionType) -> object:
    """The annotation; of one that is a text, what it says in the function; None where that is not known."""
    if not isinstance(annotation, str):
        return annotation
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    names = {name: cell.cell_contents for name, cell in cells.items() if _is_filled(cell)}
    return said(annotation, {**function.__globals__, **names})


def _is_filled(cell: CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def said(text: str, names: Mapping[str, object]) -> object:
    """What the text of an annotation means: names, attributes, subscripts, tuples and whole numbers; else None.

    >>> said("Constexpr[int]", {"Constexpr": Constexpr})
    Constexpr[int]
    """
    try:
        return _meaning(ast.parse(text, mode="eval").body, names)
    except (SyntaxError, LookupError, AttributeError, TypeError):
        return None


def _meaning(node: ast.expr, names: Mapping[str, object]) -> object:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return names[node.id] if node.id in names else vars(builtins)[node.id]
        case ast.Attribute():
            return getattr(_meaning(node.value, names), node.attr)
        case ast.Subscript():
            return cast("type[list[object]]", _meaning(node.value, names))[_meaning(node.slice, names)]  # type: ignore[index]  # of any class
        case ast.Tuple():
            return tuple(_meaning(part, names) for part in node.elts)
        case ast.BinOp() if type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](_meaning(node.left, names), _meaning(node.right, names))
    raise LookupError


_OPERATORS: Mapping[type[ast.operator], Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}
