"""Values of fly types that no lowered op makes: arguments, results of calls and of ops that stay."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.errors import CompileError
from tilewright.ir.core.ranges import Ranges, TightRanges, constant_of
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.ops import FlyOp, make
from tilewright.ir.fly.types import CoordTensor, MemRef, Pointer
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.polynomial import Nameless, Variable
from tilewright.layout.symbolic.symint import Integer, SymInt
from tilewright.passes.fly.held import Held, Place


class Roots:
    """The variables that stand for integers of the function, and what is known of them."""

    def __init__(self) -> None:
        self.places: dict[Variable, SSAValue] = {}
        self._known: dict[tuple[SSAValue, int], Integer] = {}
        self._ranges: Ranges = TightRanges()

    def of(self, value: SSAValue, step: int = 1) -> Integer:
        """The integer, which is taken to be a multiple of `step`."""
        found = self._known.get((value, step))
        if found is None:
            found = self._known[value, step] = self._made(value, step)
        return found

    def note(self, value: SSAValue, number: Integer) -> None:
        """Says which integer the value is."""
        self._known.setdefault((value, 1), number)

    def _made(self, value: SSAValue, step: int) -> Integer:
        known = constant_of(value)
        if known is not None:
            return known
        assert isinstance(value.type, IntegerType)
        width = value.type.width.data
        top = 1 << width - 1
        low, high = self._ranges.of(value)
        if low is None or high is None or low < -top or high >= top:
            low, high = -top, top - 1
        variable = Variable(Nameless(value.name_hint or _number(value)), width, step, low, high)
        self.places[variable] = value
        return SymInt.of_variable(variable)


def _number(value: SSAValue) -> str:
    return f"argument {value.index}" if isinstance(value, BlockArgument) else "?"


def opened(value: SSAValue, roots: Roots) -> Held:
    """The value by its leaves, which ops right behind it read.

    Raises:
        CompileError: the leaves of a value of this type cannot be read.
    """
    kind = value.type
    assert isinstance(kind, FlyType)
    said = kind.value
    if isinstance(said, Pointer):
        return Held(kind, (), Place(value))
    builder = Builder(_behind(value))
    if isinstance(said, MemRef):
        numbers = _leaves(builder, _read(builder, "get_layout", value), roots) if run_time_leaves(said) else ()
        return Held(kind, numbers, Place(_read(builder, "get_iter", value)))
    return Held(kind, _leaves(builder, value, roots))


def _behind(value: SSAValue) -> InsertPoint:
    owner = value.owner
    return InsertPoint.after(owner) if isinstance(owner, Operation) else InsertPoint.at_start(owner)


def _leaves(builder: Builder, value: SSAValue, roots: Roots) -> tuple[Integer, ...]:
    assert isinstance(value.type, FlyType)
    said = value.type.value
    leaves = run_time_leaves(said)
    if not leaves:
        return ()
    for kind, readers in _READERS:
        if isinstance(said, kind):
            parts = [_leaves(builder, _read(builder, name, value), roots) for name in readers]
            return tuple(number for part in parts for number in part)
    if not isinstance(said, tuple | SymInt):
        raise CompileError(f"the run-time leaves of a value of type {value.type} cannot be read")
    types = [IntegerType(leaf.width) for leaf in leaves]
    read = builder.insert(make("get_leaves", [value], {"dynamicOnly": True}, types))
    return tuple(roots.of(x, leaf.div) for x, leaf in zip(read.results, leaves, strict=True))


_READERS: Sequence[tuple[type, tuple[str, ...]]] = (
    (Layout, ("get_shape", "get_stride")),
    (ComposedLayout, ("composed_get_inner", "composed_get_offset", "composed_get_outer")),
    (CoordTensor, ("get_iter", "get_layout")),
)


def _read(builder: Builder, name: str, value: SSAValue) -> SSAValue:
    made: FlyOp = make(name, [value])
    return builder.insert(made).results[0]
