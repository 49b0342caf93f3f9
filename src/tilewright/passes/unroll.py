"""`unroll`: loops whose bounds are constants become their iterations, one after another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tilewright.errors import CompileError, UsageError
from tilewright.ir.core.attributes import UNROLL
from tilewright.ir.core.location import place
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.core.rewrite import erase

MOST = 1 << 16  # ops that one loop may become


@dataclass(frozen=True)
class Unroll(ModulePass):
    """Loops with the unit attribute `tile.unroll`, inner ones first; a loop with other bounds stays.

    A marked loop that stays, and loops of which none is marked, are remarked on.

    Attributes:
        all: every loop with constant bounds, marked or not.
        factor: as many iterations as one; those left over follow. 0 is all iterations.

    Raises:
        CompileError: a loop would become more than 65,536 ops.
    """

    name = "unroll"
    all: bool = False
    factor: int = 0

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        if self.factor < 0:
            raise UsageError(f"unroll: the factor is 0 for all iterations, or positive, got {self.factor}")
        for loop in reversed([inner for inner in op.walk() if isinstance(inner, scf.ForOp)]):
            if self.all or UNROLL in loop.attributes:
                self._unroll(loop)

    def remarks(self, op: ModuleOp) -> Iterator[str]:
        """What was asked for and is left as it is, each with its place: looked at before the pass runs."""
        loops = [inner for inner in op.walk() if isinstance(inner, scf.ForOp)]
        marked = [loop for loop in loops if UNROLL in loop.attributes]
        for loop in marked:
            if _trips(loop) is None:
                yield f"'{loop.name}' op is marked `{UNROLL}`, but its bounds are no constants; it stays\n{place(loop)}"
        if loops and not marked and not self.all:
            words = f"no loop is marked `{UNROLL}`, so that all stay; --unroll=all=true takes those of constant bounds"
            yield f"{words}\n{place(loops[0])}"

    def _unroll(self, loop: scf.ForOp) -> None:
        trips = _trips(loop)
        if trips is None or self.factor == 1:
            return
        together = min(self.factor, len(trips)) if self.factor else len(trips)
        _check_size(loop, together)
        carried: list[SSAValue] = list(loop.iter_args)
        builder, done = Builder(InsertPoint.before(loop)), len(trips) - len(trips) % max(together, 1)
        if done > together:
            carried = _fewer_rounds(builder, loop, together, trips[:done])
            trips = trips[done:]
        for i in trips:
            carried = _round(builder, loop, _constant(builder, loop, i), carried)
        for old, new in zip(loop.results, carried, strict=True):
            old.replace_all_uses_with(new)
        erase(loop)


def _trips(loop: scf.ForOp) -> range | None:
    """The numbers of its iterations, where they are known."""
    first, last, step = (constant_of(bound) for bound in (loop.lb, loop.ub, loop.step))
    return None if first is None or last is None or step is None or step < 1 else range(first, last, step)


def _check_size(loop: scf.ForOp, together: int) -> None:
    count = together * sum(1 for _ in loop.body.walk())
    if count > MOST:
        words = f"'{loop.name}' op would become {count} ops, more than {MOST}; unroll it by a factor"
        raise CompileError(f"{words}\n{place(loop)}".rstrip())


def _constant(builder: Builder, loop: scf.ForOp, value: int) -> SSAValue:
    kind = loop.lb.type
    assert isinstance(kind, IndexType | IntegerType)
    return builder.insert(arith.ConstantOp(IntegerAttr(value, kind))).result


def _round(builder: Builder, loop: scf.ForOp, at: SSAValue, carried: Sequence[SSAValue]) -> list[SSAValue]:
    """One iteration; what it gives to the next."""
    values: dict[SSAValue, SSAValue] = dict(zip(loop.body.block.args, (at, *carried), strict=True))
    *work, last = loop.body.block.ops
    for op in work:
        builder.insert(op.clone(values))
    return [values.get(given, given) for given in last.operands]


def _fewer_rounds(builder: Builder, loop: scf.ForOp, together: int, trips: range) -> list[SSAValue]:
    """A loop whose rounds are several of the loop's; what it gives."""
    end, by = _constant(builder, loop, trips.stop), _constant(builder, loop, trips.step * together)
    block = Block(arg_types=[argument.type for argument in loop.body.block.args])
    inside = Builder(InsertPoint.at_end(block))
    first, carried = block.args[0], list[SSAValue](block.args[1:])
    for n in range(together):
        at: SSAValue = first
        if n:
            at = inside.insert(arith.AddiOp(first, _constant(inside, loop, n * trips.step))).result
        carried = _round(inside, loop, at, carried)
    inside.insert(scf.YieldOp(*carried))
    made: Operation = builder.insert(scf.ForOp(loop.lb, end, by, list(loop.iter_args), block))
    made.attributes.update({name: value for name, value in loop.attributes.items() if name != UNROLL})
    made.location = loop.location
    return list(made.results)
