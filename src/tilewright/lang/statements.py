"""Handlers of statements, one for each kind of syntax node."""

from __future__ import annotations

import ast
from functools import partial

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.ir.tile.ops import StoreOp
from tilewright.lang.carrying import branch, changing, hint
from tilewright.lang.checks import hold
from tilewright.lang.expressions import as_condition
from tilewright.lang.regions import coordinate, flat_place, memory_of
from tilewright.lang.repetition import REPETITION, run_statements
from tilewright.lang.tracer import Handlers, Tracer
from tilewright.lang.values import Pointer, Scalar, Value, buffer_type, is_buffer, show
from tilewright.lang.variables import assign, fitting


def _expression(t: Tracer, node: ast.Expr) -> None:
    if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return
    if not isinstance(node.value, ast.Call):
        raise KernelError("an expression alone does nothing")
    t.visit(node.value)


def _assign(t: Tracer, node: ast.Assign) -> None:
    if len(node.targets) != 1:
        raise KernelError("one target for each assignment")
    target = node.targets[0]
    if isinstance(target, ast.Subscript):
        _store(t, target, t.visit(node.value))
    else:
        _bind(t, target, t.visit(node.value))


def _bind(t: Tracer, target: ast.expr, value: Value) -> None:
    if isinstance(target, ast.Tuple | ast.List):
        if not isinstance(value, tuple) or len(value) != len(target.elts):
            raise KernelError(f"{len(target.elts)} names for {show(value)}")
        for name, item in zip(target.elts, value, strict=True):
            _bind(t, name, item)
    elif isinstance(target, ast.Name) and (variable := t.scopes.assigned(target.id)) is not None:
        assign(t, variable, value)
    elif isinstance(target, ast.Name):
        if isinstance(value, Scalar) and value.buffer.name_hint is None:
            value.buffer.name_hint = hint(target.id)
        if isinstance(value, SSAValue) and value.name_hint is None:
            value.name_hint = hint(target.id)
        t.scopes.bind(target.id, value)
    else:
        raise KernelError("only names and elements of buffers can be assigned")


def _augment(t: Tracer, node: ast.AugAssign) -> None:
    value = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
    _assign(t, ast.copy_location(ast.Assign([node.target], value), node))


def _store(t: Tracer, target: ast.Subscript, value: Value) -> None:
    buffer = memory_of(t, target, t.visit(target.value))
    if isinstance(buffer, Pointer):
        kept = fitting(t, value, buffer_type(buffer.buffer))
        t.insert(memref.StoreOp.get(kept, *flat_place(t, buffer, target.slice)))
        return
    if not is_buffer(buffer):
        raise KernelError(f"{show(buffer)} is no buffer to store into")
    items = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    where = coordinate(t, buffer, items)
    t.insert(StoreOp(fitting(t, value, buffer_type(buffer)), buffer, where))


def _assert(t: Tracer, node: ast.Assert) -> None:
    condition = as_condition(t, t.visit(node.test))
    message = "an assertion does not hold" if node.msg is None else t.visit(node.msg)
    if not isinstance(message, str):
        raise KernelError(f"the message of an assertion is a text, got {show(message)}")
    hold(t, condition, message)


def _if(t: Tracer, node: ast.If) -> None:
    condition = as_condition(t, t.visit(node.test))
    if isinstance(condition, bool):
        return run_statements(t, node.body if condition else node.orelse)
    bodies = [node.body, node.orelse] if node.orelse else [node.body]
    names = changing(t, [*node.body, *node.orelse])
    return branch(t, condition, names, *[partial(run_statements, t, body) for body in bodies])


def _pass(t: Tracer, node: ast.Pass) -> None:
    return None


STATEMENTS: Handlers = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AugAssign: _augment,
    ast.If: _if,
    ast.Assert: _assert,
    ast.Pass: _pass,
    **REPETITION,
}
