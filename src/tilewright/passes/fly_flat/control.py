"""Loops, branches and assertions of a flat kernel: what they carry is numbers."""

from __future__ import annotations

from xdsl.dialects import gpu, scf
from xdsl.dialects.builtin import IndexType
from xdsl.dialects.cf import AssertOp
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Block, Operation, Region

from tilewright.passes.fly_flat.flat import Flat, Handlers
from tilewright.passes.fly_flat.held import Held, types_of


def _for(out: Flat, op: scf.ForOp) -> None:
    induction, *carried = op.body.block.args
    body = Block(arg_types=[IndexType()])
    body.args[0].name_hint = induction.name_hint
    with out.within(body):
        counter = out.as_type(body.args[0], induction.type)
    given = [Held((counter,)), *out.entered(carried, body, op)]
    low, high, by = (out.as_index(out.one(value)) for value in (op.lb, op.ub, op.step))
    made = scf.ForOp(low, high, by, out.spread(op.iter_args), Region(body))
    made.attributes.update(op.attributes)
    out.insert(made)
    out.block(op.body.block, body, given)
    out.results(op, made.results)


def _if(out: Flat, op: scf.IfOp) -> None:
    kinds = [kind for result in op.results for kind in types_of(result.type)]
    blocks = [Block(), Block()]
    made = out.insert(scf.IfOp(out.one(op.cond), kinds, Region(blocks[0]), Region(blocks[1])))
    for region, block in zip(op.regions, blocks, strict=True):
        if region.blocks:
            out.block(region.block, block)
        if not block.ops or not isinstance(block.last_op, scf.YieldOp):
            block.add_op(scf.YieldOp())
    out.results(op, made.results)


def _while(out: Flat, op: scf.WhileOp) -> None:
    before, after = Block(), Block()
    asked = out.entered(op.before_region.block.args, before, op)
    done = out.entered(op.after_region.block.args, after, op)
    kinds = [kind for result in op.results for kind in types_of(result.type)]
    made = out.insert(scf.WhileOp(out.spread(op.arguments), kinds, Region(before), Region(after)))
    out.block(op.before_region.block, before, asked)
    out.block(op.after_region.block, after, done)
    out.results(op, made.results)


def _yield(out: Flat, op: scf.YieldOp) -> None:
    out.insert(scf.YieldOp(*out.spread(op.operands)))


def _condition(out: Flat, op: scf.ConditionOp) -> None:
    out.insert(scf.ConditionOp(out.one(op.operands[0]), *out.spread(op.operands[1:])))


def _assert(out: Flat, op: AssertOp) -> None:
    made = out.insert(AssertOp(out.one(op.arg), op.msg))
    made.attributes.update(op.attributes)


def _return(out: Flat, op: Operation) -> None:
    out.insert(gpu.ReturnOp([]))


CONTROL: Handlers = {
    scf.ForOp: _for,
    scf.IfOp: _if,
    scf.WhileOp: _while,
    scf.YieldOp: _yield,
    scf.ConditionOp: _condition,
    AssertOp: _assert,
    ReturnOp: _return,
}
