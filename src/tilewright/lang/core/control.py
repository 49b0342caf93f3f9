"""Branches at run time as functions of bodies, which carry values out of regions; loops are in `loops`.

A state is named values. A body takes them and gives them back, changed or not. What stays the same is not carried; a
constant that changes becomes a typed value; what has different types on different ways has no value behind them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.effects import is_pure
from tilewright.ir.core.facts import BINARY_OF
from tilewright.lang.core import carried
from tilewright.lang.core.numerics import operators
from tilewright.lang.core.numerics.numeric import Numeric
from tilewright.lang.core.numerics.types import Boolean
from tilewright.lang.core.pytree import Flat, flatten, write_back
from tilewright.lang.core.trace import Trace, tracing
from tilewright.lang.core.undefined import Undefined

Body: TypeAlias = "Callable[..., Sequence[object]]"
Values: TypeAlias = "tuple[object, ...]"


@dataclass(frozen=True)
class State:
    """Variables: their names and values, which of them have their attributes assigned, and which are assigned anew.

    `slots` are names that nobody looks at where they have no value.
    """

    names: tuple[str, ...]
    values: Values
    opened: frozenset[str] = frozenset()
    assigned: frozenset[str] = frozenset()
    slots: frozenset[str] = frozenset()

    def flat(self, values: Sequence[object]) -> list[Flat]:
        """The leaves of values for these names."""
        return [flatten(value, name, name in self.opened) for name, value in zip(self.names, values, strict=True)]

    def written(self, values: Sequence[object]) -> Values:
        """The values behind a region; containers keep who they are."""
        return tuple(write_back(a, b) for a, b in zip(self.values, values, strict=True))


EMPTY = State((), ())


def is_dynamic(value: object) -> bool:
    """Is it a number that run time alone knows?"""
    return isinstance(value, Numeric) and not value.is_static()


def truth(value: object) -> bool | Boolean:
    """The truth of a value, known or of run time."""
    if isinstance(value, Numeric) and not value.is_static():
        return Boolean(value)
    return bool(value)


# ---- branches


def branch(condition: object, then: Body, orelse: Body, state: State = EMPTY, flat: bool = False) -> Values:
    """One of two bodies, by the truth of a condition. A known one is Python's own `if`.

    Args:
        flat: bodies that only calculate are both worked out, and a choice made.

    Raises:
        KernelError: a variable that is used behind it has different types on the two ways.
    """
    asked = truth(condition)
    if isinstance(asked, bool):
        return tuple((then if asked else orelse)(*state.values))
    trace = tracing()
    ways = [_traced(trace, body, state) for body in (then, orelse)]
    merged = [_merge(name, a, b, state) for name, a, b in zip(state.names, ways[0][1], ways[1][1], strict=True)]
    blocks = [block for block, _ in ways]
    if flat and all(_speculative(op) for block in blocks for op in block.ops) and all(map(_is_numbers, merged)):
        return _flattened(trace, asked, blocks, merged)
    pairs = [pair for one in merged for pair in one.pairs]
    sides: list[list[SSAValue]] = []
    for side, block in enumerate(blocks):
        with trace.into(block):
            found = [value for pair in pairs for value in carried.extracted(pair[side])]
            trace.emit(scf.YieldOp(*found))
            sides.append(found)
    _require_types(pairs, sides)
    empty = not pairs and blocks[1].first_op is blocks[1].last_op
    regions = Region(blocks[0]), Region() if empty else Region(blocks[1])
    op = trace.emit(scf.IfOp(asked.number.ssa(), [value.type for value in sides[0]], *regions))
    return state.written(rebuilt([one.shape for one in merged], op.results))


def _traced(trace: Trace, body: Body, state: State) -> tuple[Block, Values]:
    block = Block()
    copies = [flat.rebuild(flat.leaves) for flat in state.flat(state.values)]
    with trace.into(block):
        return block, tuple(body(*copies))


BRANCHES = frozenset({_traced.__code__})
"""What calls the bodies of branches that run time decides on."""


@dataclass(frozen=True)
class Merged:
    """A variable behind two ways: the leaves of both where they differ, and how it is made of the region's results."""

    pairs: list[tuple[object, object]]
    shape: Rebuilder


@dataclass(frozen=True)
class Rebuilder:
    """A variable of constants and of leaves that are given new values."""

    flat: Flat
    carried: frozenset[int]

    def of(self, results: list[SSAValue]) -> object:
        """The variable; its leaves' values are taken from the front of the list."""
        leaves = [self._leaf(i, leaf, results) for i, leaf in enumerate(self.flat.leaves)]
        return self.flat.rebuild(leaves)

    def _leaf(self, i: int, leaf: object, results: list[SSAValue]) -> object:
        if i not in self.carried:
            return leaf
        count = len(carried.extracted(leaf))
        taken = results[:count]
        del results[:count]
        return carried.constructed(leaf, taken)


def rebuilt(shapes: Sequence[Rebuilder], results: Sequence[SSAValue]) -> Values:
    """The variables behind a region, of its results."""
    rest = list(results)
    return tuple(shape.of(rest) for shape in shapes)


def _constant(value: object) -> Merged:
    return Merged([], Rebuilder(Flat(("",), (value,), lambda leaves: leaves[0]), frozenset()))


def _merge(name: str, a: object, b: object, state: State) -> Merged:
    if a is b:
        return _constant(a)
    if isinstance(a, Undefined) or isinstance(b, Undefined):
        return _half(name, a, b, state)
    opened = name in state.opened or type(a) is type(b)
    one, two = (flatten(value, name, opened) for value in (a, b))
    if one.names != two.names or (type(a) is not type(b) and len(one.leaves) != 1):
        ways = f"{parts_of(one)} on one way of a branch and {parts_of(two)} on the other"
        return _constant(Undefined(f"{name} has {ways}"))
    pairs, leaves, places = [], list[object](), set()
    for i, (x, y, path) in enumerate(zip(one.leaves, two.leaves, one.names, strict=True)):
        if carried.same(x, y):
            leaves.append(x)
            continue
        both = carried.met(x, y)
        if both is None:
            return _constant(Undefined(str(carried.refusal(path, x, y, "on one way of a branch, and on the other"))))
        pairs.append(both)
        leaves.append(both[0])
        places.add(i)
    return Merged(pairs, Rebuilder(Flat(one.names, tuple(leaves), one.rebuild), frozenset(places)))


def _half(name: str, a: object, b: object, state: State) -> Merged:
    value = b if isinstance(a, Undefined) else a
    if isinstance(value, Undefined):
        return _constant(value)
    filler = _blank(value, name) if name in state.slots else None
    if filler is None:
        return _constant(Undefined(f"{name} has a value on one way of a branch only; give it one before the branch"))
    return _merge(name, *((filler, value) if isinstance(a, Undefined) else (value, filler)), state)


def _blank(value: object, name: str) -> object | None:
    """A value of the same kind that nobody will look at: constants stay."""
    flat = flatten(value, name, opened=True)
    leaves = [carried.blank(typed) if (typed := carried.typed(leaf)) is not None else leaf for leaf in flat.leaves]
    lost = any(a is None and b is not None for a, b in zip(leaves, flat.leaves, strict=True))
    return None if lost else flat.rebuild(leaves)


def parts_of(flat: Flat) -> str:
    """How many parts a variable has, or its type."""
    if len(flat.leaves) == 1:
        return carried.kind_of(flat.leaves[0]) if flat.names[0].isidentifier() else "1 part"
    return f"{len(flat.leaves)} parts"


def _require_types(pairs: Sequence[tuple[object, object]], sides: Sequence[Sequence[SSAValue]]) -> None:
    for x, y in zip(*sides, strict=True):
        if x.type != y.type:
            raise KernelError(f"a value is {x.type} on one way of a branch and {y.type} on the other")


def _speculative(op: Operation) -> bool:
    row = BINARY_OF.get(type(op))
    return is_pure(op) and not op.regions and (row is None or not row.partial)


def _is_numbers(merged: Merged) -> bool:
    return all(isinstance(x, Numeric) for pair in merged.pairs for x in pair)


def _flattened(trace: Trace, asked: Boolean, blocks: Sequence[Block], merged: Sequence[Merged]) -> Values:
    for block in blocks:
        for op in list(block.ops):
            op.detach()  # type: ignore[no-untyped-call]  # xDSL's
            location = op.location
            trace.emit(op).location = location
    results: list[SSAValue] = []
    for one in merged:
        for yes, no in one.pairs:
            assert isinstance(yes, Numeric)
            assert isinstance(no, Numeric)
            results.append(operators.select(asked.number, yes.number, no.number).ssa())
    return rebuilt([one.shape for one in merged], results)


def chosen(condition: object, then: Callable[[], object], orelse: Callable[[], object]) -> object:
    """`a if condition else b`: of a condition that run time alone knows, the value of the way that is gone."""
    nothing = State(("the value of `if else`",), (Undefined("a choice without a value"),))
    (found,) = branch(condition, lambda _: (then(),), lambda _: (orelse(),), nothing, flat=True)
    if isinstance(found, Undefined):
        raise KernelError(found.reason)
    return found


UNSET = "no value has been given to "


def unset(name: str) -> Undefined:
    """A variable before it is assigned."""
    return Undefined(f"{UNSET}{name} here")
