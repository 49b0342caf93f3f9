"""`return`, `break` and `continue` that leave a run-time region become flags, and what follows them asks the flags.

What a front end makes of `Clear`, `Truth` and `Ending`, which stand for that, is its own. Jumps that stay within
Python's own control flow are left alone: what is known while tracing costs nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass

from tilewright.lang.core.rewrite.names import OWN_SCOPE
from tilewright.lang.core.rewrite.nodes import (
    assign,
    call,
    clear,
    ending,
    is_plain_if,
    is_run_time_for,
    is_run_time_while,
    name,
    noted,
    truth,
)

Loop = ast.For | ast.While


def flagged(function: ast.FunctionDef, number: int) -> bool:
    """Makes flags of the jumps of a function, if one of them leaves a region; was there one?"""
    if not any(_leaves(statement, False, False) for statement in function.body):
        return False
    gives = any(isinstance(x, ast.Return) and x.value is not None for x in _own(function))
    if gives and not isinstance(function.body[-1], ast.Return):
        function.body.append(ast.copy_location(ast.Return(None), function.body[-1]))
    work = _Flags(str(number), gives)
    returns = work.new("returned"), work.new("result")
    function.body = [
        *([function.body[0]] if _is_docstring(function.body[0]) else []),
        assign(returns[0], ast.Constant(False), function),
        *work.block(function.body[_is_docstring(function.body[0]) :], _Where(returns)),
    ]
    if gives:
        last = function.body[-1]
        function.body.append(ast.copy_location(ast.Return(call("returned", [name(returns[1])], last)), last))
    return True


def without_jumps(loop: Loop) -> list[ast.stmt]:
    """A loop with flags for its jumps, named by its place, and no `else`; `return`s within stay."""
    made, _ = _Flags(f"{loop.lineno}_{loop.col_offset}", False).statement(deepcopy(loop), _Where())
    return made


def without_returns(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """The statements of a function that gives nothing, its `return`s flags, which the rest asks."""
    return _tail(deepcopy(list(statements)), _Flags("0", False))


def _tail(statements: list[ast.stmt], work: _Flags) -> list[ast.stmt]:
    """Statements at whose end the function ends."""
    anywhere = _Where((_ANY, ""))
    at = next((i for i, statement in enumerate(statements) if _flags_of(statement, anywhere)), None)
    if at is None:
        return statements
    node, rest = statements[at], statements[at + 1 :]
    if isinstance(node, ast.Return):
        return statements[:at]
    if isinstance(node, ast.If) and not rest:
        node.body = _tail(node.body, work) or [ast.copy_location(ast.Pass(), node)]
        node.orelse = _tail(node.orelse, work)
        return statements
    returned = work.new("returned")
    made, _ = work.statement(node, _Where((returned, "")))
    before = [*statements[:at], assign(returned, ast.Constant(False), node), *made]
    asks = [ast.copy_location(ast.If(clear([returned], rest[0]), _tail(rest, work), []), rest[0])] if rest else []
    return [*before, *asks]


_ANY = "returned"


def jumps_of(statements: Sequence[ast.stmt]) -> set[str]:
    """Which jumps there are to the innermost loop around the statements: "break", "continue"."""
    where = _Where(breaks="break", continues="continue")
    return {jump for statement in statements for jump in _flags_of(statement, where)}


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a function, but for those of functions within it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, OWN_SCOPE):
            yield from _own(child)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _leaves(node: ast.stmt, in_region: bool, in_loop_region: bool) -> bool:
    """Does a jump within it cross the edge of a region: of a plain `if`, or of a loop at run time?

    `in_region` is about `return`, `in_loop_region` about jumps to the innermost loop.
    """
    match node:
        case ast.Return():
            return in_region
        case ast.Break() | ast.Continue():
            return in_loop_region
        case ast.If():
            edge = is_plain_if(node)
            inner = [*node.body, *node.orelse]
            return any(_leaves(x, in_region or edge, in_loop_region or edge) for x in inner)
        case ast.For() | ast.While():
            edge = is_run_time_while(node) if isinstance(node, ast.While) else is_run_time_for(node)
            within = any(_leaves(x, in_region or edge, edge) for x in node.body)
            return within or any(_leaves(x, in_region, in_loop_region) for x in node.orelse)
        case ast.With() | ast.Try() | ast.Match():
            parts = [x for x in ast.iter_child_nodes(node) if isinstance(x, ast.stmt)]
            parts += [x for block in _inner_blocks(node) for x in block.body]
            return any(_leaves(x, in_region, in_loop_region) for x in parts)
    return False


def _inner_blocks(node: ast.stmt) -> list[ast.ExceptHandler | ast.match_case]:
    """What stands in a statement and has statements of its own."""
    return [*getattr(node, "handlers", []), *getattr(node, "cases", [])]


@dataclass(frozen=True)
class _Where:
    """The flags of jumps from here: of the function's return, and of the innermost loop."""

    returns: tuple[str, str] = ("", "")
    breaks: str = ""
    continues: str = ""


@dataclass
class _Flags:
    owner: str
    gives: bool
    count: int = 0

    def new(self, word: str) -> str:
        """A name of its own."""
        self.count += 1
        return f"__{word}_{self.owner}_{self.count}"

    def block(self, statements: Sequence[ast.stmt], where: _Where) -> list[ast.stmt]:
        """The statements; behind one that may jump, the rest asks whether it has."""
        made: list[ast.stmt] = []
        for i, statement in enumerate(statements):
            found, flags = self.statement(statement, where)
            made += found
            rest = statements[i + 1 :]
            if flags and rest:
                inner = ast.If(clear(flags, rest[0]), self.block(rest, where), [])
                return [*made, ast.copy_location(inner, rest[0])]
        return made

    def statement(self, node: ast.stmt, where: _Where) -> tuple[list[ast.stmt], set[str]]:
        """The statement with flags for jumps, and the flags that it may set."""
        match node:
            case ast.Return() if where.returns[0]:
                value = ast.Constant(None) if node.value is None and self.gives else node.value
                set_value = [assign(where.returns[1], value, node)] if value is not None else []
                return [*set_value, assign(where.returns[0], ast.Constant(True), node)], {where.returns[0]}
            case ast.Break() if where.breaks:
                return [assign(where.breaks, ast.Constant(True), node)], {where.breaks}
            case ast.Continue() if where.continues:
                return [assign(where.continues, ast.Constant(True), node)], {where.continues}
            case ast.If():
                flag = self.only_jump(node, where)
                if flag:
                    return [assign(flag, truth(node.test), node)], {flag}
                then, orelse = (self.parts(part, where) for part in (node.body, node.orelse))
                node.body, node.orelse = then[0], orelse[0]
                return [node], then[1] | orelse[1]
            case ast.For() | ast.While():
                return self.loop(node, where)
            case ast.With() | ast.Try() | ast.Match():
                return [node], self.within(node, where)
        return [node], set()

    def only_jump(self, node: ast.If, where: _Where) -> str:
        """The flag of an `if` that jumps and does nothing else; else nothing."""
        match node:
            case ast.If(body=[ast.Return(value=None) | ast.Break() | ast.Continue() as jump], orelse=[]):
                alone = not (self.gives and isinstance(jump, ast.Return))
                return "".join(_flags_of(jump, where)) if alone else ""
        return ""

    def parts(self, statements: Sequence[ast.stmt], where: _Where) -> tuple[list[ast.stmt], set[str]]:
        """A block, and the flags that it may set."""
        flags = {flag for statement in statements for flag in _flags_of(statement, where)}
        return self.block(statements, where), flags

    def within(self, node: ast.With | ast.Try | ast.Match, where: _Where) -> set[str]:
        """A statement with blocks."""
        flags: set[str] = set()
        blocks: list[ast.AST] = [node, *_inner_blocks(node)]
        for block in blocks:
            for part in ("body", "orelse", "finalbody"):
                if getattr(block, part, None):
                    made, set_ = self.parts(getattr(block, part), where)
                    setattr(block, part, made)
                    flags |= set_
        return flags

    def loop(self, node: Loop, where: _Where) -> tuple[list[ast.stmt], set[str]]:
        """A loop with flags of its own."""
        own = _Where(where.returns, self.new("broken"), self.new("continued"))
        set_by_body = {flag for statement in node.body for flag in _flags_of(statement, own)}
        ends = sorted(set_by_body & {own.breaks, where.returns[0]})
        body = self.block(node.body, own)
        if own.continues in set_by_body:
            body = [assign(own.continues, ast.Constant(False), node), *body]
        if ends and isinstance(node, ast.While):
            test = ast.copy_location(ast.BoolOp(ast.And(), [clear(ends, node.test), node.test]), node.test)
            noted(node, _native=not is_run_time_while(node)).test = test
        elif ends and isinstance(node, ast.For):
            node = ending(node, ends)
        node.body = body
        outer = set_by_body & {where.returns[0]}
        before: list[ast.stmt] = [assign(own.breaks, ast.Constant(False), node)] if own.breaks in set_by_body else []
        behind: list[ast.stmt] = []
        if node.orelse:
            made, more = self.parts(node.orelse, where)
            node.orelse, outer = [], outer | more
            behind = [ast.copy_location(ast.If(clear(ends, made[0]), made, []), made[0])] if ends else made
        return [*before, node, *behind], outer


def _flags_of(node: ast.stmt, where: _Where) -> set[str]:
    match node:
        case ast.Return():
            return {where.returns[0]} - {""}
        case ast.Break():
            return {where.breaks} - {""}
        case ast.Continue():
            return {where.continues} - {""}
    if isinstance(node, OWN_SCOPE):
        return set()
    inner = where if not isinstance(node, ast.For | ast.While) else _Where(where.returns)
    found: set[str] = set()
    for child in ast.iter_child_nodes(node):
        within = where if isinstance(node, ast.For | ast.While) and child in node.orelse else inner
        if isinstance(child, ast.stmt):
            found |= _flags_of(child, within)
        elif isinstance(child, ast.ExceptHandler | ast.match_case):
            found |= {flag for statement in child.body for flag in _flags_of(statement, within)}
    return found
