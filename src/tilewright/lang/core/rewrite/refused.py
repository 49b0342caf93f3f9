"""What of Python a traced function cannot do, each with what does it instead."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Iterator

from tilewright.errors import KernelError, SourceLocation
from tilewright.lang.core.rewrite.names import OWN_SCOPE
from tilewright.lang.core.rewrite.nodes import is_plain_if, is_run_time_for, is_run_time_while

Found = tuple[ast.AST, str]
YIELDS = "`yield` ends the body of `for .. in range(.., init=[..])`; what a loop changes is carried without it"
UNENDED = "`for .. in range(.., init=[..])` ends with `yield [..]`: what the next turn begins with"
GLOBALS = "a kernel is traced once, and writes no global variable when it runs; return the value, or store it in memory"
AWAITED = "a kernel waits for nobody by `async` and `await`; write `def`, and call it"
DELETED = "`del` in a branch or a loop at run time; leave it out: a variable that nobody uses costs nothing"


def require_known(function: ast.FunctionDef, file: str, whole: bool) -> None:
    """Raises `KernelError` at the first statement that means nothing where it stands.

    Args:
        function: as it is written.
        file: where it is.
        whole: is it a kernel, which gives nothing by `yield`?
    """
    for node, why in _wrong(function, False, whole):
        raise KernelError(why, place_of(node, file))


def place_of(node: ast.AST, file: str) -> SourceLocation:
    """Where a node stands in a file."""
    line = getattr(node, "lineno", 1)
    text = linecache.getline(file, line).rstrip("\n")
    column = len(text.encode()[: getattr(node, "col_offset", 0)].decode(errors="ignore"))
    return SourceLocation(file, line, column, text)


def _wrong(node: ast.AST, in_region: bool, whole: bool) -> Iterator[Found]:
    """What is wrong within a node that stands in a region of run time, or in none."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Global():
                yield child, GLOBALS
            case ast.AsyncFunctionDef() | ast.AsyncFor() | ast.AsyncWith() | ast.Await():
                yield child, AWAITED
            case ast.Delete() if in_region and any(isinstance(x, ast.Name) for x in child.targets):
                yield child, DELETED
            case ast.Yield() | ast.YieldFrom() if in_region or whole:
                yield child, YIELDS
        if isinstance(child, OWN_SCOPE):
            yield from _wrong(child, False, False)
        elif isinstance(child, ast.For) and _has_init(child):
            yield from _loop(child, whole)
        else:
            yield from _wrong(child, in_region or _is_region(child), whole)


def _loop(node: ast.For, whole: bool) -> Iterator[Found]:
    *body, last = node.body
    if not isinstance(last, ast.Expr | ast.Assign) or not isinstance(last.value, ast.Yield):
        yield next((x for x in ast.walk(node) if isinstance(x, ast.Yield)), node), UNENDED
        body = node.body
    for statement in body:
        yield from _wrong(ast.Module([statement], []), True, whole)


def _is_region(node: ast.AST) -> bool:
    return (
        (isinstance(node, ast.If) and is_plain_if(node))
        or (isinstance(node, ast.For) and is_run_time_for(node))
        or (isinstance(node, ast.While) and is_run_time_while(node))
    )


def _has_init(node: ast.For) -> bool:
    words = node.iter.keywords if isinstance(node.iter, ast.Call) else []
    return is_run_time_for(node) and any(word.arg == "init" for word in words)
