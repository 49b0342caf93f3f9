"""Rewrites a function's syntax tree: control flow whose conditions or bounds may be of run time becomes calls."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from copy import deepcopy
from typing import cast

from tilewright.lang.core.finite import GROWING
from tilewright.lang.core.rewrite.jumps import flagged
from tilewright.lang.core.rewrite.names import Names, names_of
from tilewright.lang.core.rewrite.nodes import (
    RUNTIME,
    Clear,
    Ending,
    Truth,
    assign,
    call,
    clear,
    is_call_of,
    is_plain_if,
    is_run_time_for,
    is_run_time_while,
    name,
    noted,
    thunk,
    unparsed_call,
)

_CHAINED: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
PLAIN = frozenset(
    {
        *("super", "const_expr", "range_constexpr", "locals", "globals", "vars", "print", "len", "isinstance"),
        *("issubclass", "hasattr", "getattr", "setattr", "zip", "enumerate", "int", "float", "str", "bool"),
        *("range", "reversed", "type", "id", "repr", "map"),
    }
)
"""Functions that are called as they are."""


class Rewriter(ast.NodeTransformer):
    """One function with those within it."""

    def __init__(self) -> None:
        self._count = 0

    def _new(self, word: str) -> str:
        self._count += 1
        return f"__{word}_{self._count}"

    # ---- functions: their jumps first

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function: its body, with defaults and decorators as expressions around it."""
        self._count += 1
        flagged(node, self._count)
        _carry_yields(node, self)
        self.generic_visit(node)
        node.body = [_raised(statement) for statement in node.body]
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """Left alone."""
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """The class's own statements are Python's; its methods are rewritten where they are called."""
        return node

    # ---- regions

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """A plain `if`."""
        if not is_plain_if(node):
            return self.generic_visit(node)
        found = names_of([*node.body, *node.orelse])
        test, then, orelse = self.visit(node.test), self._block(node.body), self._block(node.orelse)
        names = found.all
        yes, no = self._new("then"), self._new("else")
        made = self._region(yes, names, then, node), self._region(no, names, orelse or [ast.Pass()], node)
        branch = call("branch", [test, name(yes), name(no), _state(found, names, node)], node)
        return _finished([*made, _results(names, branch, node)], node)

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        """`for .. in range(..)`."""
        if not is_run_time_for(node):
            self.generic_visit(node)
            node.iter = _items(node.iter)
            return node
        given = cast(ast.Call, node.iter)
        found = names_of(node.body)
        index = node.target.id if isinstance(node.target, ast.Name) else self._new("index")
        first = [] if isinstance(node.target, ast.Name) else [ast.Assign([node.target], name(index))]
        for own in [index] if not first else names_of(first).assigned:
            for group in (found.assigned, found.changed, found.opened):
                group.pop(own, None)
        names, body = found.all, self._block(node.body)
        each = self._new("body")
        region = self._region(each, names, [*first, *body], node, [index])
        words = [ast.Constant(word.arg) for word in given.keywords if word.arg]
        parts = [
            name("range"),
            ast.Tuple([self.visit(x) for x in given.args], ast.Load()),
            ast.Dict(list[ast.expr | None](words), [self.visit(word.value) for word in given.keywords if word.arg]),
            name(each),
            _state(found, names, node),
        ]
        looped = _results(names, call("loop", parts, node), node)
        lost = assign(index, call("lost", [ast.Constant(index)], node), node)
        return _finished([region, looped, lost, *self._block(node.orelse)], node)

    def visit_Ending(self, node: Ending) -> ast.AST | list[ast.stmt]:
        """A `for` that jumps leave: its other turns are empty; Python's own is left where that is known."""
        body: list[ast.stmt] = [ast.copy_location(ast.If(clear(node.flags, node), node.body, []), node)]
        if not is_run_time_for(node):
            stop = ast.If(unparsed_call("surely", [name(flag) for flag in node.flags]), [ast.Break()], [])
            body = [ast.copy_location(noted(stop, _native=True), node), *body]
        return self.visit_For(ast.copy_location(ast.For(node.target, node.iter, body, node.orelse), node))

    def visit_While(self, node: ast.While) -> ast.AST | list[ast.stmt]:
        """`while`."""
        if not is_run_time_while(node):
            return self.generic_visit(node)
        if _binds(node.test):
            return self._block(_asked_before(node, self._new("asked")))
        found = names_of(node.body)
        names = found.all
        test, each = self._new("test"), self._new("body")
        asked = ast.copy_location(ast.Return(self.visit(node.test)), node.test)
        functions = _function(test, names, [asked], node), self._region(each, names, self._block(node.body), node)
        looped = call("repeat", [name(test), name(each), _state(found, names, node)], node)
        return _finished([*functions, _results(names, looped, node), *self._block(node.orelse)], node)

    def _block(self, statements: Sequence[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for statement in statements:
            found = self.visit(statement)
            made += found if isinstance(found, list) else [found]
        return made

    def _region(
        self, word: str, names: Sequence[str], body: Sequence[ast.stmt], at: ast.AST, first: Sequence[str] = ()
    ) -> ast.FunctionDef:
        """A function of the names that gives them back."""
        back = ast.Return(ast.Tuple([name(x) for x in names], ast.Load()))
        return _function(word, [*first, *names], [*map(_raised, body), back], at)

    # ---- expressions

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """`a if c else b`."""
        self.generic_visit(node)
        if is_call_of(node.test, "const_expr") or _binds(node):
            return node
        return call("chosen", [node.test, thunk(node.body), thunk(node.orelse)], node)

    def visit_Clear(self, node: Clear) -> ast.AST:
        """Is none of the flags set?"""
        return call("clear", [name(flag) for flag in node.flags], node)

    def visit_Truth(self, node: Truth) -> ast.AST:
        """What a flag becomes."""
        return call("truth", [self.visit(node.value)], node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`and`, `or`."""
        self.generic_visit(node)
        if _binds(node):
            return node
        function = "both" if isinstance(node.op, ast.And) else "either"
        *values, found = node.values
        for value in reversed(values):
            found = call(function, [value, thunk(found)], node)
        return found

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """`not`."""
        self.generic_visit(node)
        return call("negated", [node.operand], node) if isinstance(node.op, ast.Not) else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """`a < b < c`."""
        self.generic_visit(node)
        if _binds(node) or not all(type(op) in _CHAINED for op in node.ops):
            return node
        if len(node.ops) == 1:
            return _operated(_CHAINED[type(node.ops[0])], node.left, node.comparators[0], node)
        rest = [
            ast.Tuple([ast.Constant(_CHAINED[type(op)]), thunk(value)], ast.Load())
            for op, value in zip(node.ops, node.comparators, strict=True)
        ]
        return call("chain", [node.left, *rest], node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """`a + b`, and the like."""
        self.generic_visit(node)
        return node if _binds(node) else _operated(_SIGNS[type(node.op)], node.left, node.right, node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """`value.name`."""
        self.generic_visit(node)
        return call("member", [node.value, ast.Constant(node.attr)], node) if isinstance(node.ctx, ast.Load) else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """`value[key]`."""
        self.generic_visit(node)
        plain = any(isinstance(x, ast.Slice | ast.Starred) for x in ast.walk(node.slice)) or _binds(node)
        return node if plain or not isinstance(node.ctx, ast.Load) else _operated("[]", node.value, node.slice, node)

    def visit_MatchValue(self, node: ast.MatchValue) -> ast.AST:
        """Names in patterns are Python's."""
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """`a *= b`, and the like whose result may be longer than a."""
        sign, target = _SIGNS[type(node.op)], node.target
        self.generic_visit(node)
        if sign not in GROWING or not isinstance(target, ast.Name) or _binds(node):
            return node
        made = call("in_place", [ast.Constant(sign), name(target.id), node.value], node)
        return ast.copy_location(ast.Assign([target], made), node)

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        """`for .. in ..` of a comprehension."""
        self.generic_visit(node)
        node.iter = node.iter if node.is_async else _items(node.iter)
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """`assert`."""
        self.generic_visit(node)
        message = node.msg or ast.copy_location(ast.Constant(None), node)
        return ast.copy_location(ast.Expr(call("check", [node.test, thunk(message)], node)), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A call, of whatever is called."""
        function = node.func
        if isinstance(function, ast.Attribute):
            function.value = self.visit(function.value)
            node.func = ast.Constant(None)
        self.generic_visit(node)
        node.func = function if isinstance(function, ast.Attribute) else node.func
        known = isinstance(node.func, ast.Name) and node.func.id in PLAIN
        ours = isinstance(node.func, ast.Attribute) and _base(node.func) == RUNTIME
        if not known and not ours and not isinstance(node.func, ast.Lambda):
            node.func = call("call", [node.func], node.func)
        return node


def _items(iterable: ast.expr) -> ast.expr:
    """What Python goes through itself."""
    return call("items", [iterable], iterable)


def _raised(node: ast.stmt) -> ast.stmt:
    """A `raise` of a function's or region's own: whether it is reached may be decided at run time."""
    if isinstance(node, ast.Raise) and node.exc is not None:
        node.exc = call("raised", [node.exc], node)
    return node


def _asked_before(node: ast.While, held: str) -> list[ast.stmt]:
    """`while (x := f()) > 0`, whose test assigns, as one that looks at what was asked before it and at its end."""
    again = _asked(held, deepcopy(node.test))
    loop = ast.copy_location(ast.While(name(held), [*node.body, *again], node.orelse), node)
    return [*_asked(held, node.test), ast.fix_missing_locations(loop)]


def _asked(held: str, test: ast.expr) -> list[ast.stmt]:
    """What a test is, in a variable; of `a and b`, b is asked where a is true."""
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return [assign(held, test, test)]
    first, *rest = test.values
    then = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(ast.And(), rest), test)
    inner = ast.If(name(held), _asked(held, then), [])
    return [assign(held, first, test), ast.fix_missing_locations(ast.copy_location(inner, test))]


def _operated(sign: str, left: ast.expr, right: ast.expr, at: ast.AST) -> ast.expr:
    return call("operated", [ast.Constant(sign), left, right], at)


def _base(node: ast.Attribute) -> str:
    return node.value.id if isinstance(node.value, ast.Name) else ""


def _binds(node: ast.AST) -> bool:
    return any(isinstance(x, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await) for x in ast.walk(node))


def _function(word: str, names: Sequence[str], body: Sequence[ast.stmt], at: ast.AST) -> ast.FunctionDef:
    given = ast.arguments([], [ast.arg(x) for x in names], None, [], [], None, [])
    return ast.FunctionDef(word, given, list(body), [], None, None, lineno=getattr(at, "lineno", 1))


def _state(found: Names, names: Sequence[str], at: ast.AST) -> ast.expr:
    def words(group: Sequence[str]) -> ast.expr:
        return ast.Tuple([ast.Constant(x) for x in group], ast.Load())

    getters = ast.Tuple([thunk(name(x)) for x in names], ast.Load())
    return call("state", [words(names), getters, words(list(found.opened)), words(list(found.assigned))], at)


def _results(names: Sequence[str], value: ast.expr, at: ast.AST) -> ast.stmt:
    if not names:
        return ast.copy_location(ast.Expr(value), at)
    target = ast.Tuple([ast.Name(x, ast.Store()) for x in names], ast.Store())
    return ast.copy_location(ast.Assign([target], value), at)


def _finished(statements: Sequence[ast.stmt], at: ast.AST) -> list[ast.stmt]:
    """The statements with places: what has none has that of what it stands for."""
    for statement in statements:
        ast.copy_location(statement, at)
        _place(statement, at)
    return list(statements)


def _place(node: ast.AST, at: ast.AST) -> None:
    where = node if hasattr(node, "lineno") else at
    if "lineno" in node._attributes and not hasattr(node, "lineno"):
        ast.copy_location(node, at)
    if "end_lineno" in node._attributes and getattr(node, "end_lineno", None) is None:
        ast.copy_location(node, at)
    for child in ast.iter_child_nodes(node):
        _place(child, where)


# ---- `for i, held in range(.., init=[..])` with a `yield` at the end


def _carry_yields(function: ast.FunctionDef, names: Rewriter) -> None:
    for block in _blocks(function):
        at = 0
        while at < len(block):
            statement = block[at]
            if isinstance(statement, ast.For) and is_run_time_for(statement) and _init(statement) is not None:
                made = _carried(statement, names._new("carried"))
                block[at : at + 1] = made
                at += len(made)
            else:
                at += 1


def _blocks(node: ast.AST) -> list[list[ast.stmt]]:
    found: list[list[ast.stmt]] = []
    for part in ("body", "orelse", "finalbody"):
        block = getattr(node, part, None)
        if isinstance(block, list):
            for child in block:
                if not isinstance(child, ast.FunctionDef | ast.ClassDef):
                    found += _blocks(child)
            found.append(block)
    return found


def _init(node: ast.For) -> ast.expr | None:
    given = cast(ast.Call, node.iter)
    return next((word.value for word in given.keywords if word.arg == "init"), None)


def _carried(node: ast.For, held: str) -> list[ast.stmt]:
    given = cast(ast.Call, node.iter)
    initial = _init(node)
    assert initial is not None
    given.keywords = [word for word in given.keywords if word.arg != "init"]
    before = assign(held, call("carried", [initial], node), node)
    index: ast.expr = node.target
    opened: list[ast.stmt] = []
    if isinstance(node.target, ast.Tuple) and len(node.target.elts) == 2:
        index, state = node.target.elts
        opened = [ast.copy_location(ast.Assign([state], name(held)), node)]
    behind: list[ast.stmt] = []
    last = node.body[-1]
    value = last.value if isinstance(last, ast.Expr | ast.Assign) else None
    if isinstance(value, ast.Yield):
        given_back = value.value or ast.List([], ast.Load())
        node.body[-1] = assign(held, call("carried", [given_back], last), last)
        if isinstance(last, ast.Assign):
            behind = [ast.copy_location(ast.Assign(last.targets, name(held)), last)]
    node.target = index
    node.body = [*opened, *node.body]
    return [ast.fix_missing_locations(x) for x in (before, node, *behind)]
