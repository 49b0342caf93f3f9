"""Small pieces of syntax trees."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=ast.AST)

RUNTIME = "__fx__"
"""The name by which rewritten source knows what it calls; a cell of its own."""


class Clear(ast.expr):
    """Is none of the flags set?"""

    flags: Sequence[str] = ()


class Truth(ast.Starred):
    """The truth of a value; a node with a `value` already, so that those who walk trees find it."""


class Ending(ast.For):
    """A `for` whose turns are over where one of the flags is set."""

    flags: Sequence[str] = ()


def clear(flags: Iterable[str], at: ast.AST) -> Clear:
    """Is none of the flags set? Asked at a place of the source."""
    return noted(ast.copy_location(Clear(), at), flags=sorted(flags))


def truth(value: ast.expr) -> Truth:
    """The truth of what an expression gives."""
    return ast.copy_location(Truth(value, ast.Load()), value)


def ending(node: ast.For, flags: Sequence[str]) -> Ending:
    """The `for` with flags that end it."""
    return noted(ast.copy_location(Ending(node.target, node.iter, node.body, node.orelse), node), flags=flags)


def noted(node: Node, **facts: object) -> Node:
    """The node with facts for those who read it later."""
    vars(node).update(facts)
    return node


def name(word: str) -> ast.Name:
    """A name that is read."""
    return ast.Name(word, ast.Load())


def assign(word: str, value: ast.expr, at: ast.AST) -> ast.stmt:
    """`word = value`."""
    made = ast.Assign([ast.Name(word, ast.Store())], value)
    return ast.fix_missing_locations(ast.copy_location(made, at))


def unparsed_call(function: str, given: Sequence[ast.expr]) -> ast.Call:
    """`__fx__.function(..)`."""
    return ast.Call(ast.Attribute(name(RUNTIME), function, ast.Load()), list(given), [])


def call(function: str, given: Sequence[ast.expr], at: ast.AST) -> ast.Call:
    """The same at a place of the source."""
    made = unparsed_call(function, given)
    for node in (made, made.func):
        ast.copy_location(node, at)
        node.end_lineno, node.end_col_offset = node.lineno, node.col_offset  # Python looks up a method where it ends
    return made


def thunk(value: ast.expr) -> ast.Lambda:
    """`lambda: value`."""
    none = ast.arguments([], [], None, [], [], None, [])
    return ast.copy_location(ast.Lambda(none, value), value)


def last_word(node: ast.expr) -> str:
    """`c` of `a.b.c` and of `c`."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_call_of(node: ast.expr, word: str) -> bool:
    """Is it a call of a function of that name, of whatever module?"""
    return isinstance(node, ast.Call) and last_word(node.func) == word


def is_plain_if(node: ast.If) -> bool:
    """May its condition be one of run time? That of `if const_expr(..)` is not."""
    return not getattr(node, "_native", False) and not is_call_of(node.test, "const_expr")


def is_run_time_for(node: ast.For) -> bool:
    """Is it `for .. in range(..)`?"""
    return isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range"


def is_run_time_while(node: ast.While) -> bool:
    """Is it a `while` whose condition may be one of run time?"""
    return not getattr(node, "_native", False) and not is_call_of(node.test, "const_expr")
