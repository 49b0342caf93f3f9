"""What dispatch speaks of: a call of a tile primitive, a variant's plan for it, or its reason to decline.

These are plain values without any IR, so that plans can be asked for, compared and printed on their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from tilewright.dtypes import DType
from tilewright.ir.core.dependence import WARP as WARP  # part of what a call is described with
from tilewright.ir.memory import MemoryLayout


@dataclass(frozen=True)
class Operand:
    """A region of a buffer, as a variant sees it.

    `starts` and `extents` hold None where they are run-time values. `memory` is equal for operands that share memory.
    `varies` is the subset of lane, warp, block by which those run-time values differ.
    """

    name: str
    dtype: DType
    shape: tuple[int, ...]
    layout: MemoryLayout
    starts: tuple[int | None, ...]
    extents: tuple[int | None, ...]
    scope: str = "global"
    memory: int | str = ""
    varies: frozenset[str] = frozenset()

    @property
    def static_extents(self) -> tuple[int, ...]:
        """The extents, of a region of which none is a run-time value."""
        found = tuple(extent for extent in self.extents if extent is not None)
        assert len(found) == len(self.extents), "run-time extents are rejected first"
        return found

    @staticmethod
    def whole(name: str, dtype: DType, layout: MemoryLayout, shape: tuple[int, ...], scope: str = "global") -> Operand:
        """A whole buffer."""
        return Operand(name, dtype, shape, layout, (0,) * len(shape), shape, scope, name)


@dataclass(frozen=True)
class Call:
    """A call of a tile primitive: the threads that execute it together, its operands, and the launch around it.

    `reached_by` is the subset of lane, warp, block that decides whether a thread gets there.
    """

    primitive: str
    scope: str
    operands: tuple[Operand, ...]
    grid: tuple[int, ...] = (1, 1, 1)
    block: tuple[int, ...] = (WARP, 1, 1)
    lanes: int = WARP
    reached_by: frozenset[str] = field(default=frozenset())


@dataclass(frozen=True)
class Reject:
    """A variant declines: `code` names the rule, `message` gives the numbers."""

    code: str
    message: str


def listed(numbers: Iterable[int | None]) -> str:
    """The numbers in square brackets; `?` is a run-time value.

    >>> listed((1, None, 32))
    '[1, ?, 32]'
    """
    return f"[{', '.join('?' if number is None else str(number) for number in numbers)}]"


class Plan(Protocol):
    """What a variant is going to emit. `report` says it in a few lines."""

    @property
    def report(self) -> str:
        """The plan in a few lines of text."""
        ...


@runtime_checkable
class Variant(Protocol):
    """One way to execute a tile primitive.

    Dispatch asks the variants of a primitive in the order of falling priority; the first plan is emitted.
    Only a `Reject` means no: an exception is a mistake in the variant, and propagates.
    """

    @property
    def name(self) -> str:
        """The name that `dispatch=` asks for."""
        ...

    @property
    def primitive(self) -> str:
        """The primitive that it executes."""
        ...

    @property
    def priority(self) -> int:
        """Higher is asked first."""
        ...

    def plan(self, call: Call) -> Any:
        """A `Plan`, or a `Reject`."""
        ...

    def emit(self, plan: Any, emitter: Any) -> None:
        """Emits the plan, and nothing that the plan does not say, with an `Emitter`."""
        ...
