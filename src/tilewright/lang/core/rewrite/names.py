"""Which names statements assign, change, or have their attributes assigned; nested functions are not looked into."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tilewright.lang.core.rewrite.nodes import RUNTIME

CHANGING = frozenset(
    ("append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault", "sort", "reverse")
)
OWN_SCOPE = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass
class Names:
    """Names in the order in which they appear."""

    assigned: dict[str, None] = field(default_factory=dict)
    changed: dict[str, None] = field(default_factory=dict)
    opened: dict[str, None] = field(default_factory=dict)

    @property
    def all(self) -> list[str]:
        """Each once."""
        return list({**self.assigned, **self.changed, **self.opened})


def names_of(statements: Iterable[ast.stmt]) -> Names:
    """What the statements may give another value."""
    found = Names()
    for statement in statements:
        for node in _within(statement):
            _note(node, found)
    return found


def _within(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if isinstance(node, OWN_SCOPE):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(node, COMPREHENSIONS) and isinstance(child, ast.comprehension):
            yield from _within(child.iter)
            continue
        yield from _within(child)


def _note(node: ast.AST, found: Names) -> None:
    match node:
        case ast.Name(id=name, ctx=ast.Store()):
            found.assigned[name] = None
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            found.assigned[name] = None
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            for alias in aliases:
                found.assigned[(alias.asname or alias.name).partition(".")[0]] = None
        case ast.Subscript(value=inner, ctx=ast.Store()):
            _note_base(inner, found.changed, found)
        case ast.Attribute(value=inner, ctx=ast.Store()):
            _note_base(inner, found.opened, found)
        case ast.Call(func=ast.Attribute(value=inner, attr=method)) if method in CHANGING:
            _note_base(inner, found.changed, found)


def _note_base(node: ast.expr, into: dict[str, None], found: Names) -> None:
    """`a` of `a.b[i].c = ..`: whose parts are changed."""
    if isinstance(node, ast.Name):
        into |= {node.id: None} if node.id != RUNTIME else {}
    elif isinstance(node, ast.Attribute):
        _note_base(node.value, found.opened, found)
    elif isinstance(node, ast.Subscript):
        _note_base(node.value, into, found)
