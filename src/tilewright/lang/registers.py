"""Operands of PTX that are registers, one by one: `d[0], d[1], ..`; neighbours of a local buffer are one fragment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import SSAValue

from tilewright.dtypes import DType
from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.index import SUB
from tilewright.ir.memory import default_layout
from tilewright.ir.tile.ops import AllocBufferOp, LoadOp, StoreOp
from tilewright.ir.tile.types import LOCAL, BufferType
from tilewright.lang.expressions import as_element, is_element
from tilewright.lang.places import Spot, element_at
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, is_index, show


@dataclass(frozen=True)
class Fragment:
    """Neighbouring registers, from a spot on; `given` are the spots that the program names, where those are others."""

    spot: Spot
    given: tuple[Spot, ...] = ()

    def give(self, t: Tracer) -> None:
        """What was put into the registers goes to where the program wants it."""
        memory, _ = self.spot
        for number, (buffer, indices) in enumerate(self.given):
            value = t.insert(LoadOp(memory, [t.index.value(number)])).results[0]
            t.insert(StoreOp(value, buffer, indices))


def sources(t: Tracer, values: Sequence[Value], element: DType, name: str) -> Fragment:
    """The registers that hold these values: where they are, or new ones; numbers become elements of the type."""
    spots = [_local(t, value) for value in values]
    found = _neighbours(t, spots)
    if found is not None:
        return Fragment(found)
    elements = [value if is_element(value) else _number(t, value, element, name) for value in values]
    kinds = {value.type for value in elements}
    if len(kinds) > 1:
        raise KernelError(f"the registers of an operand of {name} have one type, not {len(kinds)}")
    memory = _new(t, len(elements), element_dtype(elements[0].type))
    for number, value in enumerate(elements):
        t.insert(StoreOp(value, memory, [t.index.value(number)]))
    return Fragment((memory, (t.index.value(0),)))


def targets(t: Tracer, values: Sequence[Value], name: str) -> Fragment:
    """The registers that are to be written; `give` has to follow.

    Raises:
        KernelError: an operand that is no register.
    """
    spots = [_local(t, value) for value in values]
    named = tuple(spot for spot in spots if spot is not None)
    if len(named) < len(values):
        raise KernelError(f"{name} writes registers, such as d[0] of a local buffer, got {show(values[len(named)])}")
    found = _neighbours(t, spots)
    if found is not None:
        return Fragment(found)
    kinds = {buffer_type(buffer).dtype for buffer, _ in named}
    if len(kinds) > 1:
        raise KernelError(f"the registers that {name} writes have one type, not {len(kinds)}")
    return Fragment((_new(t, len(values), kinds.pop()), (t.index.value(0),)), named)


def neighbours(t: Tracer, values: Sequence[Value], what: str) -> Spot:
    """Where these registers are, for work that goes on in them after the instruction.

    Raises:
        KernelError: they are not neighbours in one local buffer.
    """
    found = _neighbours(t, [_local(t, value) for value in values])
    if found is None:
        raise KernelError(f"{what} are registers that follow each other in one local buffer: d[0], d[1], ..")
    return found


def _number(t: Tracer, value: Value, element: DType, name: str) -> SSAValue:
    if type(value) not in (int, float) and not is_index(value):
        raise KernelError(f"an operand of {name} is a number or a register, got {show(value)}")
    return as_element(t, value, element)


def _local(t: Tracer, value: Value) -> Spot | None:
    spot = element_at(t, value)
    return spot if spot is not None and buffer_type(spot[0]).scope == LOCAL else None


def _neighbours(t: Tracer, spots: Sequence[Spot | None]) -> Spot | None:
    """The first, if the others are known to follow it one after the other."""
    first = spots[0]
    if first is None:
        return None
    kind = buffer_type(first[0])
    if kind.layout != default_layout(kind.shape):
        return first if len(spots) == 1 else None
    for number, spot in enumerate(spots):
        if spot is None or spot[0] is not first[0]:
            return None
        ahead = [t.index.binary(SUB, b, a) for a, b in zip(first[1], spot[1], strict=True)]
        if ahead != [0] * (len(ahead) - 1) + [number]:
            return None
    return first


def _new(t: Tracer, count: int, element: DType) -> SSAValue:
    made = t.insert(AllocBufferOp(BufferType.of((count,), element, LOCAL, default_layout((count,))))).results[0]
    made.name_hint = "registers"
    return made
