"""What the values of a function hold, and what an op gives of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from xdsl.ir import Operation, SSAValue

from tilewright.ir.fly.dialect_types import FlyType, type_of
from tilewright.ir.fly.leaves import is_run_time
from tilewright.ir.fly.ops import text_of
from tilewright.ir.fly.remembered import Numbers
from tilewright.ir.fly.types import MemRef, Pointer, Value
from tilewright.ir.fly.worked import Worked, in_form, worked
from tilewright.layout.symbolic.operators import as_int
from tilewright.passes.fly.emission import Emission
from tilewright.passes.fly.held import Held, Place
from tilewright.passes.fly.opened import Roots, opened

MOVES = 16  # of a pointer that nobody takes, one after the other, before it is made


class Function:
    """What the values of the functions of a module hold, as far as it has been lowered.

    Args:
        is_lowered: does the op take what its operands hold, and not the operands themselves?
    """

    def __init__(self, is_lowered: Callable[[Operation], bool]) -> None:
        self.roots = Roots()
        self._held: dict[SSAValue, Held] = {}
        self._is_lowered = is_lowered

    def of(self, value: SSAValue) -> Held:
        """What the value holds."""
        found = self._held.get(value)
        if found is None:
            found = self._held[value] = opened(value, self.roots)
        return found

    def put(self, value: SSAValue, held: Held, emission: Emission) -> None:
        """Says what the value holds, and builds it if an op that stays takes it."""
        held = replace(held, numbers=tuple(map(emission.within_reach, held.numbers)))
        self._held[value] = held
        if all(self._is_lowered(use.operation) for use in value.uses):
            return
        built = emission.built(held)
        self._held[built] = held
        value.replace_all_uses_with(built)

    def note(self, value: SSAValue, held: Held) -> None:
        """Says what the value holds, which stays."""
        self._held[value] = held


def worked_out(
    name: str, operands: Sequence[Held], emission: Emission, attributes: tuple[object, ...] = ()
) -> tuple[Worked, Numbers]:
    """What the op gives of what its operands hold, of which is asserted what the op demands."""
    done = worked(name, tuple(text_of(operand.type) for operand in operands), attributes)
    numbers = done.at([number for operand in operands for number in operand.numbers], emission.within_reach)
    for condition in done.conditions:
        emission.claim(numbers.truth(condition))
    return done, numbers


def result(kind: FlyType[Value], done: Worked, numbers: Numbers, operands: Sequence[Held], emission: Emission) -> Held:
    """What a result of that type holds; a pointer points where that of an operand does, or so much further."""
    found, told = in_form(numbers.value(done.value), kind.value)
    emission.note_divisors(found)
    for truth in told:
        emission.claim(truth)
    pointer = done.value.pointer if isinstance(done.value, MemRef) else done.value
    if not isinstance(pointer, Pointer):
        return Held(kind, found)
    place = next(operand.place for operand in operands if operand.place is not None)
    if isinstance(pointer.distance, int) and pointer.distance == 0:
        return Held(kind, found, place)
    if place.moves == MOVES:
        place = Place(emission.pointer(place))
    return Held(kind, found, Place(base=place, by=moved_by(as_int(pointer.distance), numbers), type=type_of(pointer)))


def moved_by(offset: Value, numbers: Numbers) -> Held:
    """The int tuple of an offset."""
    kind = type_of(offset)
    assert isinstance(kind, FlyType)
    return Held(kind, (numbers.of(offset.polynomial),) if is_run_time(offset) else ())
