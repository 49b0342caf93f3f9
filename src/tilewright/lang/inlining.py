"""Calls of users' own functions: a helper's statements stand where it is called, with its own names and places.

A helper is a function of a file, a method of a captured object, or a `def` or `lambda` of the kernel itself. A `return`
without a value becomes a flag, which what follows asks; one with a value, in a branch of run time, makes what follows
the other branch, and in a loop it is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from inspect import Parameter, Signature, signature
from types import FunctionType, MethodType
from typing import cast

from tilewright.errors import KernelError
from tilewright.lang.calls import called, evaluated
from tilewright.lang.carrying import changing
from tilewright.lang.choices import choose
from tilewright.lang.core.rewrite.jumps import without_returns
from tilewright.lang.core.rewrite.nodes import is_call_of
from tilewright.lang.expressions import as_condition
from tilewright.lang.names import inline
from tilewright.lang.repetition import run_statements
from tilewright.lang.scopes import Scopes
from tilewright.lang.source import KernelSource, read
from tilewright.lang.tracer import BUILTINS, Handlers, Tracer
from tilewright.lang.values import Opaque, Value, admit, is_helper


@dataclass(frozen=True, eq=False)
class Helper(Opaque):
    """A function to be inlined: its source, its statements, what it takes, and the names around it."""

    source: KernelSource
    body: Sequence[ast.stmt]
    signature: Signature
    around: Scopes


def call(t: Tracer, node: ast.Call) -> Value:
    """The value of a call, of a helper what it returns."""
    function = t.visit(node.func)
    if isinstance(function, Helper):
        return _inlined(t, function, *evaluated(t, node))
    if not is_helper(function):
        return called(t, function, node)
    positional, named = evaluated(t, node)
    if isinstance(function, MethodType):
        positional, function = [function.__self__, *positional], function.__func__
    return _inlined(t, _of_file(cast(FunctionType, function)), positional, named)


def _of_file(function: FunctionType) -> Helper:
    source = read(function)
    return Helper(source, source.tree.body, signature(function), Scopes(source.captured, BUILTINS))


def _inlined(t: Tracer, helper: Helper, positional: Sequence[Value], named: Mapping[str, Value]) -> Value:
    try:
        bound = helper.signature.bind(*positional, **named)
    except TypeError as error:
        raise KernelError(f"{helper.source.tree.name}: {error}") from None
    given, scopes = set(bound.arguments), helper.around.within()
    bound.apply_defaults()
    for name, value in bound.arguments.items():
        scopes.bind(name, value if name in given else admit(value, repr(name)))
    with t.inlining(helper.source, scopes):
        return _body(t, helper.body)


# ---- what it returns


def _body(t: Tracer, nodes: Sequence[ast.stmt]) -> Value:
    """Runs the statements of a helper; what it returns."""
    at = next((i for i, node in enumerate(nodes) if _returns(node)), None)
    if at is not None and not any(_returns(node, valued=True) for node in nodes):
        nodes, at = [*nodes[:at], *without_returns(nodes[at:])], None
    run_statements(t, nodes[:at])
    if at is None:
        return None
    with t.located(nodes[at]):
        return _return(t, nodes[at], nodes[at + 1 :])


def run_kernel(t: Tracer, nodes: Sequence[ast.stmt]) -> None:
    """Runs the statements of a kernel, in which `return` ends the thread, as do TIRx's `return 0` and `thread_return`.

    Raises:
        KernelError: it returns something.
    """
    bare = [_Bare().visit(deepcopy(node)) if any(map(_ends, ast.walk(node))) else node for node in nodes]
    for node in bare:
        if _returns(node, valued=True):
            raise KernelError("a kernel gives nothing; `return` ends the thread", t.source.locate(node))
    _body(t, bare)


def _ends(node: ast.AST) -> bool:
    """May it be what `_Bare` changes? Few kernels have any, and a copy of all others takes longer than to look."""
    return isinstance(node, ast.Return) or (isinstance(node, ast.Expr) and is_call_of(node.value, "thread_return"))


class _Bare(ast.NodeTransformer):
    """Makes `return` of what ends a thread."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node

    def visit_Return(self, node: ast.Return) -> ast.Return:
        zero = isinstance(node.value, ast.Constant) and type(node.value.value) is int and node.value.value == 0
        return ast.copy_location(ast.Return(None), node) if zero else node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        return ast.copy_location(ast.Return(None), node) if is_call_of(node.value, "thread_return") else node


def _returns(node: ast.AST, valued: bool = False) -> bool:
    """Does a `return` of the function, perhaps one with a value, stand in the statement?"""
    if isinstance(node, ast.Return):
        return not valued or node.value is not None
    inner = (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt))
    return not isinstance(node, ast.FunctionDef) and any(_returns(child, valued) for child in inner)


def _return(t: Tracer, node: ast.stmt, rest: Sequence[ast.stmt]) -> Value:
    if isinstance(node, ast.Return):
        return None if node.value is None else t.visit(node.value)
    if not isinstance(node, ast.If):
        raise KernelError(
            "`return` of a value in a loop is not part of the kernel language; set a variable, and return it behind"
        )
    condition = as_condition(t, t.visit(node.test))
    yes, no = [*node.body, *rest], [*node.orelse, *rest]
    if isinstance(condition, bool):
        return _body(t, yes if condition else no)
    return choose(t, condition, lambda: _way(t, yes), lambda: _way(t, no))


def _way(t: Tracer, statements: Sequence[ast.stmt]) -> Value:
    """What one way to the end of the function gives; names may change on it."""
    names = changing(t, statements)
    t.scopes.shadow(names, [t.scopes.look_up(name) for name in names])
    return _body(t, statements)


# ---- functions within


def _defined(t: Tracer, node: ast.FunctionDef) -> None:
    marks = [t.visit(mark.func if isinstance(mark, ast.Call) else mark) for mark in node.decorator_list]
    if any(mark != inline for mark in marks):
        raise KernelError("a function within a kernel has no decorators but T.inline")
    source = replace(t.source, tree=node)
    t.scopes.bind(node.name, Helper(source, node.body, Signature(_parameters(t, node.args)), t.scopes))


def _lambda(t: Tracer, node: ast.Lambda) -> Helper:
    body = ast.copy_location(ast.Return(node.body), node.body)
    return Helper(t.source, [body], Signature(_parameters(t, node.args)), t.scopes)


def _parameters(t: Tracer, given: ast.arguments) -> list[Parameter]:
    if given.kwarg is not None:
        raise KernelError("write the parameters out; `**` is not part of the kernel language")
    plain, none = [*given.posonlyargs, *given.args], list[ast.expr | None]()
    defaults = none + [None] * (len(plain) - len(given.defaults)) + given.defaults
    found = [_parameter(t, x, y) for x, y in zip(plain, defaults, strict=True)]
    if given.vararg is not None:
        found.append(Parameter(given.vararg.arg, Parameter.VAR_POSITIONAL))
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    return [*found, *(_parameter(t, x, y).replace(kind=Parameter.KEYWORD_ONLY) for x, y in pairs)]


def _parameter(t: Tracer, node: ast.arg, default: ast.expr | None) -> Parameter:
    value = Parameter.empty if default is None else t.visit(default)
    return Parameter(node.arg, Parameter.POSITIONAL_OR_KEYWORD, default=value)


INLINING: Handlers = {ast.Call: call, ast.FunctionDef: _defined, ast.Lambda: _lambda}
