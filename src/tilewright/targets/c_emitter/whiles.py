"""How `scf.while` is written: `while (condition)` where the condition is one expression, else a `break` in between."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import SSAValue

from tilewright.targets.c_emitter.values import Expr
from tilewright.targets.c_emitter.writer import Handlers, Writer


def _while(out: Writer, op: scf.WhileOp) -> None:
    before, after = op.before_region.block, op.after_region.block
    last, end = before.last_op, after.last_op
    assert isinstance(last, scf.ConditionOp), "verified"
    assert isinstance(end, scf.YieldOp), "verified"
    variables = [out.variable(c, out.exprs[value]) for c, value in zip(before.args, op.arguments, strict=True)]
    kept = {result: out.variable(result, None) for result, value in _passed(op, last) if _moves(out, result, value)}
    start = len(out.lines)
    with out.braces("while (true)"):
        out.block(before)
        condition = out.exprs[last.condition]
        alone = len(out.lines) == start + 1 and not kept
        if alone:
            out.lines[start] = out.lines[start].replace("true", condition.text)
        elif kept:
            with out.braces(f"if (!{condition.operand})"):
                out.assign(list(kept.values()), [value for result, value in _passed(op, last) if result in kept])
                out.line("break;")
        else:
            out.line(f"if (!{condition.operand}) break;")
        _name_passed(out, op, last)
        out.block(after)
        out.assign(variables, end.operands)
    for result, value in _passed(op, last):
        if result not in kept:
            out.exprs[result] = out.exprs[value]


def _passed(op: scf.WhileOp, last: scf.ConditionOp) -> list[tuple[SSAValue, SSAValue]]:
    return list(zip(op.res, last.args, strict=True))


def _moves(out: Writer, result: SSAValue, value: SSAValue) -> bool:
    """Does the result need a variable of its own: used, and of a value that is known only within a turn?"""
    return result.first_use is not None and value not in out.exprs


def _name_passed(out: Writer, op: scf.WhileOp, last: scf.ConditionOp) -> None:
    for argument, value in zip(op.after_region.block.args, last.args, strict=True):
        made: Expr = out.exprs[value]
        out.exprs[argument] = made if value in op.before_region.block.args else out.settled(made, argument, 1)


WHILE: Handlers = {scf.WhileOp: _while}
