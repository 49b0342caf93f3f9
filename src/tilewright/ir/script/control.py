"""Loops and branches in scripts. What they carry or give is a name that changes there."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from tilewright.ir.core.attributes import UNROLL
from tilewright.ir.script.choices import given, is_choice, says_all
from tilewright.ir.script.printer import Printer
from tilewright.ir.script.syntax import NOT


def _set(out: Printer, targets: Sequence[SSAValue], values: Sequence[SSAValue]) -> None:
    """The names of the targets become the values, all at once."""
    if targets:
        names, texts = map(out.show.name, targets), map(out.show.typed, values)
        out.emit(f"{', '.join(names)} = {', '.join(texts)}")


def print_for(out: Printer, op: scf.ForOp) -> None:
    """`for i in T.serial(..):`."""
    variable, *carried = op.body.block.args
    _set(out, carried, op.iter_args)
    call = "unroll" if UNROLL in op.attributes else "serial"
    bounds, step = [out.show.of(op.lb), out.show.of(op.ub)], out.show.of(op.step)
    arguments = ", ".join(bounds + ([f"step={step}"] if step != "1" else []))
    with out.show.block():
        out.emit(f"for {out.show.name(variable)} in T.{call}({arguments}):")
        out.nested(op.body.block, lambda: _set(out, carried, given(op.body.block)))
    _hand_on(out, op.res, carried)


def _hand_on(out: Printer, results: Sequence[SSAValue], carried: Sequence[SSAValue]) -> None:
    """Behind a loop its results are the names that it carried."""
    for result, value in zip(results, carried, strict=True):
        out.show.write(result, out.show.name(value))


def print_if(out: Printer, op: scf.IfOp) -> None:
    """`if c:`, or the name of a choice."""
    if is_choice(op):
        if not (op.output[0].has_one_use() and _stands_in_choice(op)):
            out.define(op.output[0])
        return
    for result in op.output:
        out.emit(f"{out.show.name(result)} = {_nothing(result)}")
    out.emit(f"if {out.show.of(op.cond)}:")
    out.nested(op.true_region.block, lambda: _set(out, op.output, given(op.true_region.block)))
    if op.false_region.blocks:
        out.emit("else:")
        out.nested(op.false_region.block, lambda: _set(out, op.output, given(op.false_region.block)))


def _nothing(result: SSAValue) -> str:
    """A number for a name that both sides of a branch set."""
    return "False" if result.type == i1 else "0"


def _stands_in_choice(op: scf.IfOp) -> bool:
    parent = op.parent_op()
    return parent is not None and is_choice(parent)


def print_while(out: Printer, op: scf.WhileOp) -> None:
    """`while c:`, or `while True:` with a `break` behind what the condition needs."""
    before, after = op.before_region.block, op.after_region.block
    last = before.last_op
    assert isinstance(last, scf.ConditionOp), "verified"
    _set(out, before.args, op.arguments)
    for argument, value in zip(after.args, last.args, strict=True):
        if value in before.args:
            out.show.write(argument, out.show.name(value))
    named = [argument for argument, value in zip(after.args, last.args, strict=True) if value not in before.args]
    if says_all(before, last.condition, out.show.writes) and not named:
        out.emit(f"while {out.show.of(last.condition)}:")
        out.nested(after, lambda: _set(out, before.args, given(after)))
    else:
        out.emit("while True:")
        out.nested(before, lambda: _turn(out, op, last))
    for result, value in zip(op.res, last.args, strict=True):
        out.show.write(result, out.show.of(value))


def _turn(out: Printer, op: scf.WhileOp, last: scf.ConditionOp) -> None:
    before, after = op.before_region.block, op.after_region.block
    out.emit(f"if not {out.show.of(last.condition, NOT - 1)}:")
    out.emit("    break")
    for argument, value in zip(after.args, last.args, strict=True):
        if value not in before.args:
            out.emit(f"{out.show.name(argument)} = {out.show.of(value)}")
    out.operations(list(after.ops))
    _set(out, before.args, given(after))
