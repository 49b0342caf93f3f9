"""What a value of a kernel of `fly` is once it is flat: the numbers that it consists of, by its type alone."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.dialects.builtin import IndexType, IntegerType, VectorType
from xdsl.ir import Attribute, SSAValue

from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.type_reader import BUFFER
from tilewright.ir.fly.types import MemRef, Pointer, Value

INDEX = IndexType()
WINDOW = 2  # numbers of a buffer beside its place: where it begins, and its elements


@dataclass(frozen=True)
class Held:
    """The numbers of a value: its own, a vector's elements, a layout's run-time leaves; a pointer's place is first.

    `memory` is what a pointer or view points into: flat memory, of which its place counts cells of its own type.
    """

    numbers: tuple[SSAValue, ...]
    memory: SSAValue | None = None

    @property
    def one(self) -> SSAValue:
        """The number of a value that has one."""
        (number,) = self.numbers
        return number


def types_of(kind: Attribute) -> tuple[Attribute, ...]:
    """The types of the numbers that a value of a type consists of."""
    if isinstance(kind, VectorType):
        return (kind.element_type,) * prod(kind.get_shape())
    if isinstance(kind, FlyType):
        return _of_fly(kind.value)
    return (kind,)


def _of_fly(value: Value) -> tuple[Attribute, ...]:
    leaves = tuple(IntegerType(leaf.width) for leaf in run_time_leaves(value))
    pointer = value.pointer if isinstance(value, MemRef) else value
    return (*((INDEX,) * places(pointer) if isinstance(pointer, Pointer) else ()), *leaves)


def places(pointer: Pointer) -> int:
    """How many numbers say where a pointer points: one, of a buffer its window too."""
    return 1 + WINDOW * (pointer.space == BUFFER)
