"""Loops, and leaving them: `for`, `while`, `break`, `continue`.

The jumps of a loop become flags that it carries (`core/rewrite/jumps`); what follows in a turn
is executed where they are clear.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import TypeAlias

from xdsl.dialects import scf
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block, Region, SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.attributes import UNROLL
from tilewright.ir.core.elements import BOOL
from tilewright.ir.core.index import INDEX
from tilewright.ir.core.ranges import Index
from tilewright.lang.calls import loop_over
from tilewright.lang.carrying import Carried, branch, changing
from tilewright.lang.core.rewrite.jumps import jumps_of, without_jumps
from tilewright.lang.core.rewrite.nodes import Clear, Ending, Truth, clear
from tilewright.lang.expressions import Condition, as_condition, logic, negated
from tilewright.lang.tracer import Handlers, Tracer

Bounds: TypeAlias = tuple[Index, Index, Index]


def run_statements(t: Tracer, nodes: Sequence[ast.stmt]) -> None:
    """Every statement in turn."""
    for node in nodes:
        t.visit(node)


def _clear(t: Tracer, node: Clear) -> Condition:
    found: Condition = False
    for flag in node.flags:
        found = logic(t, found, as_condition(t, t.scopes.look_up(flag)), "|")
    return negated(t, found)


def _truth(t: Tracer, node: Truth) -> Condition:
    return as_condition(t, t.visit(node.value))


def _for(t: Tracer, node: ast.For) -> None:
    if node.orelse or jumps_of(node.body):
        return run_statements(t, without_jumps(node))
    loop = loop_over(t, node.iter)
    targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    if not len(names) == len(targets) == len(loop.ranges):
        raise KernelError(f"this loop has {len(loop.ranges)} variables, got {ast.unparse(node.target)}")
    going = clear(node.flags, node) if isinstance(node, Ending) else None
    if going is not None and len(names) > 1:
        raise KernelError("`break` leaves one loop; write T.grid(..) as loops within each other")
    turns = partial(_counted, t, going) if going and not loop.unroll else partial(_turns, t, loop.unroll)
    carried = changing(t, node.body)
    with ExitStack() as nest:
        for name, bounds in zip(names, loop.ranges, strict=True):
            t.scopes.bind(name, nest.enter_context(turns(bounds, name, Carried.of(t, carried))))
        if going is None or not loop.unroll:
            return run_statements(t, node.body)
        return branch(t, _made(t, _clear(t, going)), changing(t, node.body), lambda: run_statements(t, node.body))


@contextmanager
def _turns(t: Tracer, unroll: bool, bounds: Bounds, name: str, carried: Carried) -> Iterator[SSAValue]:
    """A `scf.for` over the bounds; yields its variable."""
    lower, upper, step = map(t.index.value, bounds)
    block = Block(arg_types=[INDEX, *carried.types])
    block.args[0].name_hint = name
    op = scf.ForOp(lower, upper, step, carried.start, block)
    t.insert(op)
    if unroll:
        op.attributes[UNROLL] = UnitAttr()
    with carried.within(t, block):
        yield block.args[0]
        t.builder.insert(scf.YieldOp(*carried.ends(t)))
    carried.leave(t, op.results)


@contextmanager
def _counted(t: Tracer, going: Clear, bounds: Bounds, name: str, carried: Carried) -> Iterator[SSAValue]:
    """A `scf.while` that counts as long as the loop is `going`."""
    lower, upper, step = bounds
    types = [INDEX, *carried.types]
    before, after = Block(arg_types=types), Block(arg_types=types)
    start, stop = t.index.value(lower), t.index.value(upper)
    op = scf.WhileOp([start, *carried.start], types, Region(before), Region(after))
    t.insert(op)
    counter, variable = before.args[0], after.args[0]
    counter.name_hint = variable.name_hint = name
    with carried.within(t, before):
        condition = t.elements.binary("&", t.elements.compare("<", counter, stop), _made(t, _clear(t, going)))
        t.builder.insert(scf.ConditionOp(condition, *before.args))
    with carried.within(t, after):
        yield variable
        following = t.index.value(t.index.add(variable, step))
        t.builder.insert(scf.YieldOp(following, *carried.ends(t)))
    carried.leave(t, op.results[1:])


def _while(t: Tracer, node: ast.While) -> None:
    cut = _cut(node) if t.shown else None
    if cut is None and (node.orelse or jumps_of(node.body)):
        return run_statements(t, without_jumps(node))
    carried = Carried.of(t, changing(t, node.body))
    if cut is not None:
        head, (until, *rest) = node.body[: cut[0]], (cut[1], *node.body[cut[0] + 1 :])
        return _repeated(t, carried, lambda: _asked(t, head, until), lambda: run_statements(t, rest))
    return _repeated(t, carried, lambda: _condition(t, node), lambda: run_statements(t, node.body))


def _repeated(t: Tracer, carried: Carried, condition: Callable[[], SSAValue], body: Callable[[], None]) -> None:
    """A `scf.while`."""
    before, after = Block(arg_types=carried.types), Block(arg_types=carried.types)
    op = scf.WhileOp(carried.start, carried.types, Region(before), Region(after))
    t.insert(op)
    with carried.within(t, before):
        t.builder.insert(scf.ConditionOp(condition(), *before.args))
    with carried.within(t, after):
        body()
        t.builder.insert(scf.YieldOp(*carried.ends(t)))
    carried.leave(t, op.results)


def _cut(node: ast.While) -> tuple[int, ast.expr] | None:
    """Of `while True:` where its one `if not c: break` stands, and c."""
    leaving = [at for at, inner in enumerate(node.body) if jumps_of([inner])]
    match (node.test, [node.body[at] for at in leaving]):
        case ast.Constant(True), [ast.If(ast.UnaryOp(ast.Not(), until), [ast.Break()], [])]:
            return leaving[0], until
    return None


def _asked(t: Tracer, head: Sequence[ast.stmt], until: ast.expr) -> SSAValue:
    """What is worked out before each turn, and whether it is made."""
    run_statements(t, head)
    return _made(t, as_condition(t, t.visit(until)))


def _made(t: Tracer, condition: Condition) -> SSAValue:
    return t.elements.constant(condition, BOOL) if isinstance(condition, bool) else condition


def _condition(t: Tracer, node: ast.While) -> SSAValue:
    found = as_condition(t, t.visit(node.test))
    if found is True:
        raise KernelError("`while True` without `break` never ends")
    return _made(t, found)


def _leave(t: Tracer, node: ast.Break | ast.Continue) -> None:
    raise KernelError(f"`{type(node).__name__.lower()}` stands in a loop")


REPETITION: Handlers = {
    ast.For: _for,
    Ending: _for,
    ast.While: _while,
    ast.Break: _leave,
    ast.Continue: _leave,
    Clear: _clear,
    Truth: _truth,
}
