"""`fly-gather-registers`: registers that a call of an atom takes in several runs lie in one while it is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, ModuleOp, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.walk import operations
from tilewright.ir.fly.dialect_types import FlyType, MemRefType, type_of
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.ops import FlyOp, is_fly, make
from tilewright.ir.fly.registers import REGISTER, run_of, value_type
from tilewright.ir.fly.storage import SIZES
from tilewright.ir.fly.types import MemRef, Value
from tilewright.layout.layout import Layout

_WRITES = {"copy_atom_call": (2,), "mma_atom_call": (1,)}  # which operands are written
_PLAIN = 3  # operands of a copy without a condition
_MOST = 256  # registers that one call of an atom takes


@dataclass(frozen=True)
class GatherRegisters(ModulePass):
    """A call on registers that do not lie side by side is made on others that do: what it reads is brought there
    before, what it writes brought back after."""

    name = "fly-gather-registers"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        for call in [inner for inner in operations(op) if is_fly(inner) and inner.short in _WRITES]:
            conditional = call.short == "copy_atom_call" and len(call.operands) > _PLAIN
            for number, view in enumerate(call.operands):
                runs = _runs(view.type) if isinstance(view.type, MemRefType) else []
                written = number in _WRITES[call.short]
                if runs:
                    _gather(call, number, runs, not written or conditional, written)


@lru_cache(1024)
def _runs(kind: MemRefType) -> Sequence[tuple[int, int]]:
    """The runs of registers that a view is, where they are several: the place and the length of each."""
    value = kind.value
    if value.pointer.space != REGISTER or run_time_leaves(value) or run_of(value) is not None:
        return []
    count = value.layout.size
    if not isinstance(count, int) or count > _MOST:
        return []
    places = [value.layout(i) for i in range(count)]
    found: list[tuple[int, int]] = []
    for place in places:
        assert isinstance(place, int), "of known integers"
        if found and place == sum(found[-1]):
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((place, 1))
    return found


def _gather(call: FlyOp, number: int, runs: Sequence[tuple[int, int]], read: bool, written: bool) -> None:
    before, after = Builder(InsertPoint.before(call)), Builder(InsertPoint.after(call))
    view, total = call.operands[number], sum(length for _, length in runs)
    assert isinstance(view.type, MemRefType), "it has runs"
    value = view.type.value
    size = DictionaryAttr({SIZES[0]: IntegerAttr(total, i64)})
    pointer = _typed(value.pointer)
    held = _add(before, call, "make_ptr", [], [pointer], {"dictAttrs": size})
    layout = _add(before, call, "static", [], [_typed(Layout((total, 1), (1, 0)))])
    side = MemRef(value.pointer, Layout((total, 1), (1, 0)))
    iterator = _add(before, call, "get_iter", [view])
    start = 0
    for place, length in runs:
        kind = value_type(side, length)
        for builder, source, target, at, to in (
            *([(before, iterator, held, place, start)] if read else []),
            *([(after, held, iterator, start, place)] if written else []),
        ):
            moved = _add(builder, call, "ptr.load", [_at(builder, call, source, at)], [kind])
            _add(builder, call, "ptr.store", [moved, _at(builder, call, target, to)], [])
        start += length
    call.operands[number] = _add(before, call, "make_view", [held, layout])


def _at(builder: Builder, call: FlyOp, pointer: SSAValue, place: int) -> SSAValue:
    step = _add(builder, call, "make_int_tuple", [], [_typed(place)])
    return _add(builder, call, "add_offset", [pointer, step])


def _typed(value: Value) -> FlyType[Value]:
    found = type_of(value)
    assert isinstance(found, FlyType)
    return found


def _add(
    builder: Builder,
    call: FlyOp,
    name: str,
    operands: Sequence[SSAValue],
    results: Sequence[Attribute] | None = None,
    attributes: Mapping[str, Attribute] | None = None,
) -> SSAValue:
    made = make(name, list(operands), attributes, results)
    made.location = call.location
    builder.insert(made)
    return made.results[0] if made.results else call.operands[0]
