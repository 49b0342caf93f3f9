"""Handlers of statements, one for each kind of syntax node."""

from __future__ import annotations

import ast
from contextlib import ExitStack
from typing import cast

from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.ops import StoreOp
from tilewright.ir.tile.types import BufferType
from tilewright.lang.calls import loop_over
from tilewright.lang.expressions import as_condition, as_element, is_element
from tilewright.lang.regions import coordinate
from tilewright.lang.tracer import Handlers, Tracer
from tilewright.lang.values import Value, buffer_type, is_buffer, is_index, show


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
    elif isinstance(target, ast.Name):
        if isinstance(value, SSAValue) and value.name_hint is None:
            value.name_hint = target.id
        t.scopes.bind(target.id, value)
    else:
        raise KernelError("only names and elements of buffers can be assigned")


def _augment(t: Tracer, node: ast.AugAssign) -> None:
    value = ast.copy_location(ast.BinOp(node.target, node.op, node.value), node)
    _assign(t, ast.copy_location(ast.Assign([node.target], value), node))


def _store(t: Tracer, target: ast.Subscript, value: Value) -> None:
    buffer = t.visit(target.value)
    if not is_buffer(buffer):
        raise KernelError(f"{show(buffer)} is no buffer to store into")
    items = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    where = coordinate(t, buffer, items)
    t.insert(StoreOp(_fitting(t, value, buffer_type(buffer)), buffer, where))


def _fitting(t: Tracer, value: Value, kind: BufferType) -> SSAValue:
    if is_element(value):
        if value.type != kind.element:
            raise KernelError(
                f"a value of type {element_dtype(value.type)} into a buffer of {kind.dtype}; "
                f"write T.cast(value, {str(kind.dtype)!r})"
            )
        return cast(SSAValue, value)
    if is_index(value) and isinstance(value, SSAValue):
        return as_element(t, value, kind.dtype)
    if type(value) in (int, float, bool):
        return t.elements.constant(value, kind.dtype)
    raise KernelError(f"cannot store {show(value)}")


def _for(t: Tracer, node: ast.For) -> None:
    if node.orelse:
        raise KernelError("`else` after a loop is not part of the kernel language")
    loop = loop_over(t, node.iter)
    targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    if not len(names) == len(targets) == len(loop.ranges):
        raise KernelError(f"this loop has {len(loop.ranges)} variables, got {ast.unparse(node.target)}")
    with ExitStack() as nest:
        for name, bounds in zip(names, loop.ranges, strict=True):
            t.scopes.bind(name, nest.enter_context(t.loop(bounds, name, loop.unroll)))
        t.statements(node.body)


def _if(t: Tracer, node: ast.If) -> None:
    condition = as_condition(t, t.visit(node.test))
    if isinstance(condition, bool):
        return t.statements(node.body if condition else node.orelse)
    yes, no = Block(), Block()
    t.insert(scf.IfOp(condition, [], Region(yes), Region(no) if node.orelse else None))
    with t.inside(yes):
        t.statements(node.body)
    if node.orelse:
        with t.inside(no):
            t.statements(node.orelse)
    return None


def _pass(t: Tracer, node: ast.Pass) -> None:
    return None


STATEMENTS: Handlers = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AugAssign: _augment,
    ast.For: _for,
    ast.If: _if,
    ast.Pass: _pass,
}
