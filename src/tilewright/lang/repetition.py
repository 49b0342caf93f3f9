"""Loops, and leaving them: `for`, `while`, `break`, `continue`.

A loop that is left has flags, in registers: `going` falls at `break`, `here` at both, and rises with the next turn.
What follows in a turn is executed where the flag is up.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TypeAlias

from xdsl.dialects import scf
from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block, Region, SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.attributes import UNROLL
from tilewright.ir.core.elements import BOOL
from tilewright.ir.core.index import INDEX
from tilewright.ir.core.ranges import Index
from tilewright.ir.tile.ops import LoadOp, StoreOp
from tilewright.ir.tile.types import LOCAL
from tilewright.lang.buffers import alloc_buffer
from tilewright.lang.calls import loop_over
from tilewright.lang.carrying import Carried, branch, changing
from tilewright.lang.choices import both
from tilewright.lang.expressions import as_condition
from tilewright.lang.tracer import Flags, Handlers, Tracer
from tilewright.lang.values import Value

Bounds: TypeAlias = tuple[Index, Index, Index]
LEAVING = (ast.Break, ast.Continue)


def leaves(nodes: Sequence[ast.stmt], kinds: tuple[type[ast.stmt], ...] = LEAVING) -> bool:
    """Is there a statement of these kinds among the nodes that belongs to the loop around them?"""
    return any(isinstance(node, kinds) or leaves(_inner(node), kinds) for node in nodes)


def _inner(node: ast.stmt) -> list[ast.stmt]:
    return [*node.body, *node.orelse] if isinstance(node, ast.If) else []


def run_statements(t: Tracer, nodes: Sequence[ast.stmt]) -> None:
    """Every statement in turn; those behind one that may leave the loop only where nobody has left."""
    for at, node in enumerate(nodes):
        t.visit(node)
        if isinstance(node, ast.If) and leaves([node]) and at + 1 < len(nodes):
            return _guarded(t, nodes[at + 1 :])
        if isinstance(node, LEAVING) and at + 1 < len(nodes):
            raise KernelError("nothing after `break` or `continue` is reached", t.source.locate(nodes[at + 1]))
    return None


def _guarded(t: Tracer, nodes: Sequence[ast.stmt]) -> None:
    flag = t.loops[-1].follows
    assert flag is not None, "the loop is left"
    branch(t, _load(t, flag), changing(t, nodes), lambda: run_statements(t, nodes))


def _flag(t: Tracer, name: str, body: Sequence[ast.stmt], *kinds: type[ast.stmt]) -> SSAValue | None:
    if not leaves(body, kinds):
        return None
    flag = alloc_buffer(t, (1,), BOOL, LOCAL)
    flag.name_hint = name
    return flag


def _load(t: Tracer, flag: SSAValue) -> SSAValue:
    return t.insert(LoadOp(flag, [t.index.value(0)])).results[0]


def _set(t: Tracer, flag: SSAValue | None, value: bool) -> None:
    if flag is not None:
        t.insert(StoreOp(t.elements.constant(value, BOOL), flag, [t.index.value(0)]))


@contextmanager
def _loop(t: Tracer, body: Sequence[ast.stmt]) -> Iterator[Flags]:
    """The flags of the loop whose body is built within."""
    flags = Flags(_flag(t, "going", body, ast.Break), _flag(t, "here", body, ast.Continue))
    _set(t, flags.going, True)
    t.loops.append(flags)
    yield flags
    t.loops.pop()


def _body(t: Tracer, flags: Flags, nodes: Sequence[ast.stmt], going: bool = False) -> None:
    """A turn; `going`: only where nobody has left the loop, which goes through all its turns."""
    if going and flags.going is not None:
        return branch(t, _load(t, flags.going), changing(t, nodes), lambda: _body(t, flags, nodes))
    _set(t, flags.here, True)
    return run_statements(t, nodes)


def _for(t: Tracer, node: ast.For) -> None:
    if node.orelse:
        raise KernelError("`else` after a loop is not part of the kernel language")
    loop = loop_over(t, node.iter)
    targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    if not len(names) == len(targets) == len(loop.ranges):
        raise KernelError(f"this loop has {len(loop.ranges)} variables, got {ast.unparse(node.target)}")
    carried = changing(t, node.body)
    with _loop(t, node.body) as flags, ExitStack() as nest:
        if flags.going is not None and len(names) > 1:
            raise KernelError("`break` leaves one loop; write T.grid(..) as loops within each other")
        for name, bounds in zip(names, loop.ranges, strict=True):
            turns = _turns if flags.going is None or loop.unroll else _counted
            t.scopes.bind(name, nest.enter_context(turns(t, bounds, name, Carried.of(t, carried), loop.unroll)))
        _body(t, flags, node.body, going=loop.unroll)


@contextmanager
def _turns(t: Tracer, bounds: Bounds, name: str, carried: Carried, unroll: bool) -> Iterator[SSAValue]:
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
def _counted(t: Tracer, bounds: Bounds, name: str, carried: Carried, _: bool) -> Iterator[SSAValue]:
    """A `scf.while` that counts as long as the loop is `going`."""
    lower, upper, step = bounds
    types, going = [INDEX, *carried.types], t.loops[-1].going
    assert going is not None, "the loop is left"
    before, after = Block(arg_types=types), Block(arg_types=types)
    start, stop = t.index.value(lower), t.index.value(upper)
    op = scf.WhileOp([start, *carried.start], types, Region(before), Region(after))
    t.insert(op)
    counter, variable = before.args[0], after.args[0]
    counter.name_hint = variable.name_hint = name
    with carried.within(t, before):
        condition = t.elements.binary("&", t.elements.compare("<", counter, stop), _load(t, going))
        t.builder.insert(scf.ConditionOp(condition, *before.args))
    with carried.within(t, after):
        yield variable
        following = t.index.value(t.index.add(variable, step))
        t.builder.insert(scf.YieldOp(following, *carried.ends(t)))
    carried.leave(t, op.results[1:])


def _while(t: Tracer, node: ast.While) -> None:
    if node.orelse:
        raise KernelError("`else` after a loop is not part of the kernel language")
    carried = Carried.of(t, changing(t, node.body))
    cut = _cut(node) if t.shown else None
    if cut is not None:
        head, (until, *rest) = node.body[: cut[0]], (cut[1], *node.body[cut[0] + 1 :])
        return _repeated(t, carried, lambda: _asked(t, head, until), lambda: run_statements(t, rest))
    with _loop(t, node.body) as flags:
        _repeated(t, carried, lambda: _condition(t, node, flags), lambda: _body(t, flags, node.body))
    return None


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
    leaving = [at for at, inner in enumerate(node.body) if leaves([inner])]
    match (node.test, [node.body[at] for at in leaving]):
        case ast.Constant(True), [ast.If(ast.UnaryOp(ast.Not(), until), [ast.Break()], [])]:
            return leaving[0], until
    return None


def _asked(t: Tracer, head: Sequence[ast.stmt], until: ast.expr) -> SSAValue:
    """What is worked out before each turn, and whether it is made."""
    run_statements(t, head)
    return _made(t, as_condition(t, t.visit(until)))


def _made(t: Tracer, condition: Value) -> SSAValue:
    return t.elements.constant(condition, BOOL) if isinstance(condition, bool) else condition


def _condition(t: Tracer, node: ast.While, flags: Flags) -> SSAValue:
    going: Value = True if flags.going is None else _load(t, flags.going)
    found = both(t, going, lambda: as_condition(t, t.visit(node.test)))
    if found is True:
        raise KernelError("`while True` without `break` never ends")
    return _made(t, found)


def _leave(t: Tracer, node: ast.Break | ast.Continue) -> None:
    if not t.loops:
        raise KernelError(f"`{type(node).__name__.lower()}` stands in a loop")
    flags = t.loops[-1]
    _set(t, flags.here, False)
    if isinstance(node, ast.Break):
        _set(t, flags.going, False)


REPETITION: Handlers = {ast.For: _for, ast.While: _while, ast.Break: _leave, ast.Continue: _leave}
