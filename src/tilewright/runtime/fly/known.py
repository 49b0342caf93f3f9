"""What a host function knows while it runs: numbers, values of the dialect, and memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
from xdsl.dialects.builtin import i1
from xdsl.ir import Attribute

from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.types import MemRef, Pointer, Value
from tilewright.ir.fly.worked import in_form
from tilewright.targets.arguments import Array
from tilewright.targets.device_arrays import require_here
from tilewright.targets.simulator.fly.printing import bare, number
from tilewright.targets.simulator.fly.values import filled


@dataclass(frozen=True)
class Memory:
    """What a host function knows of memory: its elements one after the other, and the value of its type."""

    array: Array
    value: Value

    @staticmethod
    def of(array: Array, kind: Attribute, leaves: Sequence[int]) -> Memory:
        """Memory that is given for a parameter, with the integers of its run-time leaves."""
        assert isinstance(kind, FlyType)
        return Memory(array, filled(kind.value, leaves))

    @property
    def distance(self) -> int:
        """The element that the pointer points at."""
        pointer = self.value.pointer if isinstance(self.value, MemRef) else self.value
        assert isinstance(pointer, Pointer)
        return int(pointer.distance)  # type: ignore[arg-type]  # known


Known: TypeAlias = "Memory | Value | int | float | bool | np.generic | Array | None"


def require_memory_here(arguments: Sequence[Known], what: str) -> None:
    """Raises `UsageError` for memory of a device."""
    for one in arguments:
        require_here(one.array if isinstance(one, Memory) else None, what)


def text_of(value: Known, kind: Attribute) -> str:
    """A value as it is printed: of one of the dialect what stands in its type."""
    if isinstance(kind, FlyType):
        return bare(value.value if isinstance(value, Memory) else cast("Value", value))
    return number(bool(value) if kind == i1 else np.asarray(value).item())


def numbers_of(value: Known, kind: Attribute) -> tuple[int, ...]:
    """The integers that a type leaves open, of a value of it, in the order of the type's text."""
    held = value.value if isinstance(value, Memory) else value
    if not isinstance(kind, FlyType) or isinstance(held, Pointer):
        return ()
    return tuple(int(x) for x in in_form(held, kind.value)[0])  # type: ignore[arg-type]  # known
