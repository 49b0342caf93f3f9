"""Loops over threads whose assertions are asked at their ends: a run of threads without any, which are vectors then.

Where each coordinate is a sum of a thread's number, an assertion that holds of the first and of the last thread holds
of those between, and a condition on threads ends the loop. Where one of the two does not hold, or a coordinate wraps,
the loop runs as it was, and says which thread it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.ir.core.attributes import THREAD
from tilewright.ir.core.facts import predicate_of
from tilewright.ir.core.index import INDEX
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.core.rewrite import erase
from tilewright.targets.host.lane_code import Code
from tilewright.targets.host.steps import SIGNED, TOTAL, Steps

_FLIPPED = {"sgt": "slt", "sge": "sle"}


def asked_at_ends(module: ModuleOp) -> None:
    """Changes the loops over threads of a module for which that is so."""
    for op in list(module.walk()):
        if isinstance(op, scf.ForOp) and THREAD in op.attributes:
            span = Span.of(op)
            if span is not None:
                span.write()


@dataclass(frozen=True)
class Limit:
    """Threads of which `value`, which grows by 1, is below `most`, or at it, take turns; without it, all or none."""

    value: SSAValue
    most: SSAValue | None
    included: bool = False


@dataclass(frozen=True)
class Span:
    """A loop over threads, the branch that is all of its body (None: there is none), what is asked, and its limits."""

    loop: scf.ForOp
    branch: scf.IfOp | None
    claims: tuple[AssertOp, ...]
    limits: tuple[Limit, ...]
    steps: Steps
    straight: Mapping[SSAValue, int]

    @staticmethod
    def of(loop: scf.ForOp) -> Span | None:
        """That of a loop; None where its assertions are to stay."""
        if loop.iter_args or constant_of(loop.lb) != 0 or constant_of(loop.step) != 1 or constant_of(loop.ub) is None:
            return None
        claims = tuple(op for op in loop.body.walk() if isinstance(op, AssertOp))
        branch = _only_branch(loop.body.block)
        inner = loop.body.block if branch is None else branch.true_region.block
        steps = Steps(loop)
        limits = () if branch is None else _limits(branch.cond, steps)
        if not claims or limits is None or not all(op.parent is inner and steps.convex(op.arg) for op in claims):
            return None
        return Span(loop, branch, claims, limits, steps, dict(steps.exact))

    def write(self) -> None:
        """Puts the loop without assertions beside the loop, and asks which of the two it is to be."""
        code = Code.before(self.loop)
        count = constant_of(self.loop.ub)
        assert count is not None, "it is known"
        zero, last = code.number(0, INDEX), code.number(count - 1, INDEX)
        first, final = _At(self, code, zero), _At(self, code, last)
        end, fine = self._end(code, first, final)
        ending = _At(self, code, code.op(arith.SubiOp, end, code.number(1, INDEX)))
        holds = code.number(1, IntegerType(1))
        for claim in self.claims:
            for at in (first, ending):
                holds = code.op(arith.AndIOp, holds, at.value(claim.arg))
        for value, step in self.straight.items():
            below, above = (first, ending) if step > 0 else (ending, first)
            holds = code.op(arith.AndIOp, holds, code.compare("sle", below.value(value), above.value(value)))
        none = code.compare("eq", end, zero)
        fine = code.op(arith.AndIOp, fine, code.op(arith.OrIOp, none, holds))
        whole, checked = Block([self._without_claims(first, end)]), Block()
        code.builder.insert(scf.IfOp(fine, (), Region(whole), Region(checked)))
        _moved(self.loop, checked)
        for block in (whole, checked):
            block.add_op(scf.YieldOp())

    def _end(self, code: Code, first: _At, final: _At) -> tuple[SSAValue, SSAValue]:
        """How many threads take their turns, and whether that is so."""
        end, fine = self.loop.ub, code.number(1, IntegerType(1))
        zero = code.number(0, INDEX)
        for limit in self.limits:
            if limit.most is None:
                end = code.choose(first.value(limit.value), end, zero)
                continue
            low, most = first.value(limit.value), first.value(limit.most)
            below = code.compare("sle" if limit.included else "slt", low, most)
            left = code.op(arith.SubiOp, _index(code, most), _index(code, low))
            if limit.included:
                left = code.op(arith.AddiOp, left, code.number(1, INDEX))
            agreed = code.compare("eq", below, code.compare("sgt", left, zero))
            rising = code.compare("sle", first.value(limit.value), final.value(limit.value))
            fine = code.op(arith.AndIOp, fine, code.op(arith.AndIOp, agreed, rising))
            end = code.op(arith.MaxSIOp, zero, code.op(arith.MinSIOp, end, left))
        return end, fine

    def _without_claims(self, first: _At, end: SSAValue) -> scf.ForOp:
        """The loop of the first turns, with indices that are sums."""
        made = self.loop.clone()
        made.operands[1] = end
        same = dict(zip(self.loop.body.walk(), made.body.walk(), strict=True))
        counter = made.body.block.args[0]
        for old, new in same.items():
            step = self.straight.get(old.operands[0]) if isinstance(old, arith.IndexCastOp) else None
            if step is not None and isinstance(old.results[0].type, IndexType):
                here = Code.before(new)
                grown = here.op(arith.MuliOp, counter, here.number(step, INDEX)) if step != 1 else counter
                new.results[0].replace_all_uses_with(here.op(arith.AddiOp, first.value(old.results[0]), grown))
        for claim in self.claims:
            erase(same[claim])
        if self.branch is not None:
            _opened(same[self.branch])
        return made


class _At:
    """Values of a loop's body at a turn, worked out before the loop."""

    def __init__(self, span: Span, code: Code, turn: SSAValue) -> None:
        self.span, self.code = span, code
        self.known: dict[SSAValue, SSAValue] = {span.loop.body.block.args[0]: turn}

    def value(self, value: SSAValue) -> SSAValue:
        """A value there."""
        owner = value.owner
        if value in self.known or not isinstance(owner, Operation) or not self.span.loop.is_ancestor(owner):
            return self.known.get(value, value)
        for operand in owner.operands:
            self.value(operand)
        made = owner.clone(_held(self.known, owner))
        self.code.builder.insert(made)
        self.known[value] = made.results[0]
        return made.results[0]


def _index(code: Code, value: SSAValue) -> SSAValue:
    return value if isinstance(value.type, IndexType) else code.cast(arith.IndexCastOp, value, INDEX)


def _held(known: Mapping[SSAValue, SSAValue], op: Operation) -> dict[SSAValue, SSAValue]:
    return {x: known[x] for x in op.operands if x in known}


def _only_branch(body: Block) -> scf.IfOp | None:
    """The branch that is all that a body does, beside pure numbers."""
    ops = [op for op in body.ops if not isinstance(op, (*TOTAL, scf.YieldOp))]
    if len(ops) != 1 or not isinstance(ops[0], scf.IfOp) or ops[0].results:
        return None
    other = ops[0].false_region.blocks
    return ops[0] if not other or all(isinstance(op, scf.YieldOp) for op in other[0].ops) else None


def _limits(condition: SSAValue, steps: Steps) -> tuple[Limit, ...] | None:
    """The limits that a condition on threads is; None where it is something else."""
    op = condition.owner
    if steps.of(condition) == 0:
        return (Limit(condition, None),)
    if isinstance(op, arith.AndIOp):
        found = _limits(op.lhs, steps), _limits(op.rhs, steps)
        return None if None in found else tuple(limit for side in found for limit in side or ())
    if not isinstance(op, arith.CmpiOp) or predicate_of(op).name not in SIGNED:
        return None
    name, value, most = predicate_of(op).name, op.lhs, op.rhs
    if name in _FLIPPED:
        name, value, most = _FLIPPED[name], most, value
    if (steps.of(value), steps.of(most)) != (1, 0):
        return None
    return (Limit(value, most, name == "sle"),)


def _moved(op: Operation, block: Block) -> None:
    assert op.parent is not None, "it stands in a block"
    op.parent.detach_op(op)
    block.add_op(op)


def _opened(branch: Operation) -> None:
    """What a branch does in its place."""
    assert isinstance(branch, scf.IfOp), "it is one"
    parent = branch.parent
    assert parent is not None, "it stands in a loop"
    for op in list(branch.true_region.block.ops):
        if not isinstance(op, scf.YieldOp):
            branch.true_region.block.detach_op(op)
            parent.insert_op_before(op, branch)
    erase(branch)
