"""Loops and branches in scripts. What they carry or give is a local number, unless one expression says it all."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from tilewright.ir.core.attributes import UNROLL
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.script.choices import given, in_expression, is_choice
from tilewright.ir.script.printer import Printer
from tilewright.ir.script.syntax import NOT


def _number(out: Printer, value: SSAValue) -> str:
    """Declares a local number under the value's name, where the value is read from here on; how it is written."""
    index = isinstance(value.type, IndexType)
    name, kind = out.show.name(value), "int64" if index else str(element_dtype(value.type))
    out.emit(f'{name} = T.alloc_buffer((1,), "{kind}", scope="local")')
    out.show.write(value, f'T.cast({name}[0], "index")' if index else f"{name}[0]")
    return f"{name}[0]"


def _set(out: Printer, targets: Sequence[str], values: Sequence[SSAValue]) -> None:
    """All at once: a value may name another target."""
    pairs = [(target, out.show.of(value)) for target, value in zip(targets, values, strict=True)]
    moving = [(target, text) for target, text in pairs if text not in (target, f'T.cast({target}, "index")')]
    if len(moving) > 1:
        held = [out.show.fresh("next") for _ in moving]
        for name, (_, text) in zip(held, moving, strict=True):
            out.emit(f"{name} = {text}")
        moving = [(target, name) for name, (target, _) in zip(held, moving, strict=True)]
    for target, text in moving:
        out.emit(f"{target} = {text}")


def _carry(out: Printer, inside: Sequence[SSAValue], start: Sequence[SSAValue]) -> list[str]:
    targets = [_number(out, value) for value in inside]
    _set(out, targets, start)
    return targets


def print_for(out: Printer, op: scf.ForOp) -> None:
    """`for i in T.serial(..):`."""
    variable, *carried = op.body.block.args
    targets = _carry(out, carried, op.iter_args)
    call = "unroll" if UNROLL in op.attributes else "serial"
    bounds, step = [out.show.of(op.lb), out.show.of(op.ub)], out.show.of(op.step)
    arguments = ", ".join(bounds + ([f"step={step}"] if step != "1" else []))
    with out.show.block():
        out.emit(f"for {out.show.name(variable)} in T.{call}({arguments}):")
        out.nested(op.body.block, lambda: _set(out, targets, given(op.body.block)))
    for result, value in zip(op.res, carried, strict=True):
        out.show.write(result, out.show.of(value))


def print_if(out: Printer, op: scf.IfOp) -> None:
    """`if c:`, or the name of a choice."""
    if is_choice(op):
        if not (op.output[0].has_one_use() and _stands_in_choice(op)):
            out.define(op.output[0])
        return
    targets = [_number(out, result) for result in op.output]
    out.emit(f"if {out.show.of(op.cond)}:")
    out.nested(op.true_region.block, lambda: _set(out, targets, given(op.true_region.block)))
    if op.false_region.blocks:
        out.emit("else:")
        out.nested(op.false_region.block, lambda: _set(out, targets, given(op.false_region.block)))


def _stands_in_choice(op: scf.IfOp) -> bool:
    parent = op.parent_op()
    return parent is not None and is_choice(parent)


def print_while(out: Printer, op: scf.WhileOp) -> None:
    """`while c:`, or `while True:` with a `break` behind what the condition needs."""
    before, after = op.before_region.block, op.after_region.block
    last = before.last_op
    assert isinstance(last, scf.ConditionOp), "verified"
    targets = _carry(out, before.args, op.arguments)
    for argument, value in zip(after.args, last.args, strict=True):
        if value in before.args:
            out.show.write(argument, out.show.of(value))
    named = [argument for argument, value in zip(after.args, last.args, strict=True) if value not in before.args]
    if all(in_expression(inner) for inner in list(before.ops)[:-1]) and not named:
        out.emit(f"while {out.show.of(last.condition)}:")
        out.nested(after, lambda: _set(out, targets, given(after)))
    else:
        out.emit("while True:")
        out.nested(before, lambda: _turn(out, op, last, targets))
    for result, value in zip(op.res, last.args, strict=True):
        out.show.write(result, out.show.of(value))


def _turn(out: Printer, op: scf.WhileOp, last: scf.ConditionOp, targets: Sequence[str]) -> None:
    before, after = op.before_region.block, op.after_region.block
    out.emit(f"if not {out.show.of(last.condition, NOT - 1)}:")
    out.emit("    break")
    for argument, value in zip(after.args, last.args, strict=True):
        if value not in before.args:
            out.emit(f"{out.show.name(argument)} = {out.show.of(value)}")
    out.operations(list(after.ops))
    _set(out, targets, given(after))
