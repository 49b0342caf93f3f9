"""A kernel function's syntax tree, where its nodes stand in the file, and the constants that it captures."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from types import CellType, FrameType, FunctionType

from tilewright.errors import KernelError, SourceLocation
from tilewright.lang.core.lines import lines_of, statement


@dataclass(frozen=True)
class KernelSource:
    """The parsed function and its surroundings."""

    tree: ast.FunctionDef
    file: str
    first_line: int
    indent: int
    lines: tuple[str, ...]
    captured: dict[str, object]
    enclosing: dict[str, object]

    def locate(self, node: ast.AST) -> SourceLocation:
        """Where the node stands in the file."""
        line = getattr(node, "lineno", 1)
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        column = len(text.encode()[: getattr(node, "col_offset", 0)].decode(errors="ignore"))
        return SourceLocation(self.file, self.first_line + line - 1, column + self.indent, " " * self.indent + text)


def read(function: Callable[..., object], frame: FrameType | None = None) -> KernelSource:
    """The source of a function that is defined in a file or in a notebook cell.

    `frame` is where the function is being defined: a name that only its annotations use is no part of its closure.

    Raises:
        KernelError: it has no readable source, or is no plain function.
    """
    if not inspect.isfunction(function):
        raise KernelError(f"a kernel is a plain function, got {function!r}")
    lines, first, tree = _parse(function)
    if not isinstance(tree, ast.FunctionDef):
        raise KernelError(f"a kernel is written with `def`, got the source {lines[0].strip()!r}")
    indent = len(lines[0]) - len(lines[0].lstrip())
    file, shown = function.__code__.co_filename, tuple(textwrap.dedent("".join(lines)).splitlines())
    return KernelSource(tree, file, first, indent, shown, _captured(function), _enclosing(function, frame))


def _parse(function: FunctionType) -> tuple[tuple[str, ...], int, ast.stmt]:
    code = inspect.unwrap(function).__code__
    try:
        lines = lines_of(code)
        return lines, code.co_firstlineno, statement(lines)
    except (OSError, SyntaxError, IndexError) as error:
        raise KernelError(f"the source of {function.__name__} cannot be read ({error}); define it in a file") from error


def _enclosing(function: FunctionType, frame: FrameType | None) -> dict[str, object]:
    if frame is None or function.__qualname__ != f"{frame.f_code.co_qualname}.<locals>.{function.__name__}":
        return {}
    return dict(frame.f_locals)


def _captured(function: FunctionType) -> dict[str, object]:
    # A closure's cell may still be empty while the function is being defined.
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {**function.__globals__, **{name: cell.cell_contents for name, cell in cells if _filled(cell)}}


def _filled(cell: CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018 - an empty cell raises
    except ValueError:
        return False
    return True
