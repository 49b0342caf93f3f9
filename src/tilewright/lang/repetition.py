"""Loops, and leaving them: `for`, `while`, `break`, `continue`.

A loop that is left has flags, in registers: `going` falls at `break`, `here` at both, and rises with the next turn.
What follows in a turn is executed where the flag is up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.elements import BOOL
from tilewright.ir.core.index import INDEX
from tilewright.ir.core.ranges import Index
from tilewright.ir.tile.ops import LoadOp, StoreOp
from tilewright.ir.tile.types import LOCAL
from tilewright.lang.buffers import alloc_buffer
from tilewright.lang.calls import loop_over
from tilewright.lang.choices import both
from tilewright.lang.expressions import as_condition
from tilewright.lang.loops import Loop
from tilewright.lang.tracer import Flags, Handlers, Tracer
from tilewright.lang.values import Value

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
    block = Block()
    t.insert(scf.IfOp(_load(t, flag), [], Region(block)))
    with t.at(block, own_names=False):
        run_statements(t, nodes)
        t.builder.insert(scf.YieldOp())


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


def _body(t: Tracer, flags: Flags, nodes: Sequence[ast.stmt]) -> None:
    _set(t, flags.here, True)
    run_statements(t, nodes)


def _for(t: Tracer, node: ast.For) -> None:
    if node.orelse:
        raise KernelError("`else` after a loop is not part of the kernel language")
    loop = loop_over(t, node.iter)
    targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    if not len(names) == len(targets) == len(loop.ranges):
        raise KernelError(f"this loop has {len(loop.ranges)} variables, got {ast.unparse(node.target)}")
    with _loop(t, node.body) as flags, ExitStack() as nest:
        if flags.going is not None and len(names) > 1:
            raise KernelError("`break` leaves one loop; write T.grid(..) as loops within each other")
        for name, bounds in zip(names, loop.ranges, strict=True):
            t.scopes.bind(name, nest.enter_context(_turns(t, bounds, name, loop, flags)))
        _body(t, flags, node.body)


@contextmanager
def _turns(t: Tracer, bounds: tuple[Index, Index, Index], name: str, loop: Loop, flags: Flags) -> Iterator[SSAValue]:
    """The loop over the bounds; yields its variable."""
    if flags.going is None:
        with t.loop(bounds, name, loop.unroll) as variable:
            yield variable
    elif loop.unroll:
        with t.loop(bounds, name, True) as variable:
            block = Block()
            t.insert(scf.IfOp(_load(t, flags.going), [], Region(block)))
            with t.inside(block):
                yield variable
    else:
        with _counted(t, bounds, name, flags.going) as variable:
            yield variable


@contextmanager
def _counted(t: Tracer, bounds: tuple[Index, Index, Index], name: str, going: SSAValue) -> Iterator[SSAValue]:
    """A `scf.while` that counts as long as it is `going`."""
    lower, upper, step = bounds
    before, after = Block(arg_types=[INDEX]), Block(arg_types=[INDEX])
    start, stop = t.index.value(lower), t.index.value(upper)
    t.insert(scf.WhileOp([start], [INDEX], Region(before), Region(after)))
    counter, variable = before.args[0], after.args[0]
    counter.name_hint = variable.name_hint = name
    with t.at(before):
        condition = t.elements.binary("&", t.elements.compare("<", counter, stop), _load(t, going))
        t.builder.insert(scf.ConditionOp(condition, counter))
    with t.at(after):
        yield variable
        t.builder.insert(scf.YieldOp(t.index.value(t.index.add(variable, step))))


def _while(t: Tracer, node: ast.While) -> None:
    if node.orelse:
        raise KernelError("`else` after a loop is not part of the kernel language")
    with _loop(t, node.body) as flags:
        before, after = Block(), Block()
        t.insert(scf.WhileOp([], [], Region(before), Region(after)))
        with t.at(before):
            t.builder.insert(scf.ConditionOp(_condition(t, node, flags)))
        with t.inside(after):
            _body(t, flags, node.body)


def _condition(t: Tracer, node: ast.While, flags: Flags) -> SSAValue:
    going: Value = True if flags.going is None else _load(t, flags.going)
    found = both(t, going, lambda: as_condition(t, t.visit(node.test)))
    if found is True:
        raise KernelError("`while True` without `break` never ends")
    return t.elements.constant(False, BOOL) if found is False else found


def _leave(t: Tracer, node: ast.Break | ast.Continue) -> None:
    if not t.loops:
        raise KernelError(f"`{type(node).__name__.lower()}` stands in a loop")
    flags = t.loops[-1]
    _set(t, flags.here, False)
    if isinstance(node, ast.Break):
        _set(t, flags.going, False)


REPETITION: Handlers = {ast.For: _for, ast.While: _while, ast.Break: _leave, ast.Continue: _leave}
