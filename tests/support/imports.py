"""Reads the package's imports from its source, without importing it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tilewright

PACKAGE = "tilewright"
ROOT = Path(tilewright.__file__).parent


@dataclass(frozen=True)
class Import:
    """One import: of which module, where, and whether it waits inside a function."""

    module: str
    target: str
    line: int
    lazy: bool

    def __str__(self) -> str:
        return f"{self.module}:{self.line} imports {self.target}"


def module_name(path: Path) -> str:
    """`tilewright.layout.axes` of its file; a package is named as its folder."""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


def imports_of(module: str) -> Iterator[Import]:
    """Every import statement of a module, those inside functions too; not those for the type checker alone."""
    yield from _walk(ast.parse(MODULES[module].read_text()), module, lazy=False)


@cache
def imports() -> tuple[Import, ...]:
    """Those of all modules."""
    return tuple(edge for module in MODULES for edge in imports_of(module))


def _walk(node: ast.AST, module: str, lazy: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            continue  # no statement lies within
        if isinstance(child, ast.Import):
            yield from (Import(module, alias.name, child.lineno, lazy) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield from (Import(module, target, child.lineno, lazy) for target in _from(child, module))
        elif isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING"):
            yield from (part for other in child.orelse for part in _walk(other, module, lazy))
        else:
            inside = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            yield from _walk(child, module, lazy or inside)


def _from(node: ast.ImportFrom, module: str) -> Iterator[str]:
    # `from package import module` imports that module; `from module import name` imports the module.
    base = node.module or ""
    if node.level:
        is_package = MODULES[module].name == "__init__.py"
        parts = module.split(".")
        above = parts[: len(parts) - node.level + is_package]
        base = ".".join([*above, base] if base else above)
    for alias in node.names:
        full = f"{base}.{alias.name}"
        yield full if full in MODULES else base
