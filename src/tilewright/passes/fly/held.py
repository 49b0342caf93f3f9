"""What a value of a fly type is while it is lowered: its type, the integers of its run-time leaves, where it points."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from xdsl.ir import Attribute, SSAValue

from tilewright.ir.fly.dialect_types import FlyType, PointerType, is_fly_type, type_of
from tilewright.ir.fly.leaves import mapped, run_time_leaves
from tilewright.ir.fly.types import CoordTensor, MemRef, Value
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.expression import as_polynomial
from tilewright.layout.symbolic.symint import Integer


@dataclass(frozen=True, slots=True)
class Place:
    """Where a pointer points: a value; or so many elements behind another place, whose type is `type`."""

    value: SSAValue | None = None
    base: Place | None = None
    by: Held | None = None
    type: Attribute | None = None

    @property
    def moves(self) -> int:
        """How often a pointer moves from a value to here."""
        return 0 if self.base is None else 1 + self.base.moves


@dataclass(frozen=True, slots=True)
class Held:
    """A value of a fly type: `numbers` are the integers of its run-time leaves, from left to right."""

    type: FlyType[Value]
    numbers: tuple[Integer, ...] = ()
    place: Place | None = None

    @property
    def value(self) -> Value:
        """What the type says, with the numbers for its run-time leaves."""
        rest = iter(self.numbers)
        return mapped(self.type.value, lambda _: next(rest)) if self.numbers else self.type.value

    @property
    def key(self) -> Hashable:
        """By which values that are the same are known."""
        return self.type, tuple(map(as_polynomial, self.numbers)), self.place

    @property
    def parts(self) -> tuple[Held, ...]:
        """What it is built of: a layout of shape and stride, a composed layout of three parts, a view of two."""
        return tuple(self._cut())

    def _cut(self) -> Iterator[Held]:
        start = 0
        for kind, count in _parts_of(self.type):
            place = self.place if isinstance(kind, PointerType) else None
            yield Held(kind, self.numbers[start : start + count], place)
            start += count


def fly_type(value: SSAValue) -> FlyType[Value]:
    """The type of a value of the dialect."""
    assert is_fly_type(value.type)
    return value.type


@lru_cache(4096)
def _parts_of(kind: FlyType[Value]) -> tuple[tuple[FlyType[Value], int], ...]:
    """The types of the parts, and how many run-time leaves each has."""
    found = []
    for part in _parts(kind.value):
        of_part = type_of(part)
        assert isinstance(of_part, FlyType)
        found.append((of_part, len(run_time_leaves(part))))
    return tuple(found)


def _parts(value: Value) -> tuple[Value, ...]:
    match value:
        case Layout():
            return value.shape, value.stride
        case ComposedLayout():
            return value.outer, value.offset, value.inner
        case MemRef():
            return value.pointer, value.layout
        case CoordTensor():
            return value.base, value.layout
    return ()
