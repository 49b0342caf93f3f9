"""What the values of a function hold, and what an op gives of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.fly.dialect_types import FlyType, type_of
from tilewright.ir.fly.leaves import is_run_time
from tilewright.ir.fly.ops import FlyOp, text_of
from tilewright.ir.fly.remembered import Numbers
from tilewright.ir.fly.types import MemRef, Pointer, Value
from tilewright.ir.fly.worked import Worked, in_form, worked
from tilewright.layout.symbolic.expression import as_polynomial
from tilewright.layout.symbolic.operators import as_int
from tilewright.passes.fly.emission import Emission, divided_by
from tilewright.passes.fly.held import Held, Place, fly_type
from tilewright.passes.fly.opened import Roots, opened
from tilewright.passes.fly.repeated import Noted, numbers_of
from tilewright.passes.fly.repeated import Numbers as Given

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
    done = worked(name, _texts(operands), attributes)
    return done, _asserted(done, _given(operands), emission)


def result(op: FlyOp, operands: Sequence[Held], emission: Emission) -> Held:
    """What the op's result holds; a pointer points where that of an operand does, or so much further."""
    to, given = _towards(op.short, _texts(operands), op.parameters, fly_type(op.results[0])), _given(operands)
    found = numbers_of(to, given, emission, lambda noted: _numbers(to, given, noted))
    if to.pointer is None:
        return Held(to.type, found)
    place = next(operand.place for operand in operands if operand.place is not None)
    if to.by is None:
        return Held(to.type, found, place)
    if place.moves == MOVES:
        place = Place(emission.pointer(place))
    moved = is_run_time(to.distance)
    by = Held(to.by, found[-1:] if moved else ())
    return Held(to.type, found[:-1] if moved else found, Place(base=place, by=by, type=to.pointer))


@dataclass(frozen=True, slots=True, eq=False)
class _Towards:
    """What an op on operands of certain types comes to, whatever they hold.

    Args:
        done: what it gives. type: of its result.
        pointer: the type of the pointer that the result is, or has. distance: how far it has moved.
        by: the type of that distance; None where it has not moved.
    """

    done: Worked
    type: FlyType[Value]
    pointer: Attribute | None = None
    distance: int = 0
    by: FlyType[Value] | None = None


@lru_cache(4096)
def _towards(name: str, operands: tuple[str, ...], attributes: tuple[object, ...], type: FlyType[Value]) -> _Towards:
    done = worked(name, operands, attributes)
    pointer = done.value.pointer if isinstance(done.value, MemRef) else done.value
    if not isinstance(pointer, Pointer):
        return _Towards(done, type)
    distance = as_int(pointer.distance)
    stays = isinstance(distance, int) and distance == 0
    return _Towards(done, type, type_of(pointer), distance, None if stays else _type_of(distance))


def _numbers(of: _Towards, given: Given, to: Emission | Noted) -> Given:
    """The integers of the result; behind them, how far its pointer has moved, if run time tells."""
    numbers = _asserted(of.done, given, to)
    found, told = in_form(numbers.value(of.done.value), of.type.value)
    to.note_divisors(q for number in found for q in divided_by(as_polynomial(number)))
    for truth in told:
        to.claim(truth)
    moved = (numbers.of(of.distance.polynomial),) if is_run_time(of.distance) else ()
    return tuple(map(to.within_reach, (*found, *moved)))


def _asserted(done: Worked, given: Given, to: Emission | Noted) -> Numbers:
    numbers = done.at(given, to.within_reach)
    for condition in done.conditions:
        to.claim(numbers.truth(condition))
    return numbers


def _texts(operands: Sequence[Held]) -> tuple[str, ...]:
    return tuple([text_of(operand.type) for operand in operands])


def _given(operands: Sequence[Held]) -> Given:
    return tuple([number for operand in operands for number in operand.numbers])


def moved_by(offset: Value, numbers: Numbers) -> Held:
    """The int tuple of an offset."""
    return Held(_type_of(offset), (numbers.of(offset.polynomial),) if is_run_time(offset) else ())


def _type_of(offset: Value) -> FlyType[Value]:
    kind = type_of(offset)
    assert isinstance(kind, FlyType)
    return kind
