"""Turns of a loop that were recorded one by one, but differ only in where they access, become a loop again.

Ring buffers and `k // 2 .. k % 2` make a recording take several turns as one iteration; mostly they lie in even steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tilewright.targets.simulator.domains.affine import Counter, Steps
from tilewright.targets.simulator.domains.events import Access, Barrier, Event, Forget, Product, Repeat, Shift, Traced
from tilewright.targets.simulator.memory.access import Array, Operand


def rolled(turns: Sequence[Sequence[Event]], counter: Counter) -> Repeat | None:
    """The loop of so many iterations as there are turns; None where they differ in more."""
    first, *others = turns
    moved = [_Match().events(first, other) for other in others]
    if not moved or moved[0] is None:
        return None
    steps = moved[0]
    for number, found in enumerate(moved, 1):
        if found != [number * step for step in steps]:
            return None
    return Repeat(counter, tuple(_stepping(first, counter, iter(steps))), ())


@dataclass(eq=False)
class _Match:
    """The names of data and the counters of one turn, by those of another."""

    names: dict[int, int] = field(default_factory=dict)
    counters: dict[Counter, Counter] = field(default_factory=dict)

    def events(self, ones: Sequence[Event], others: Sequence[Event]) -> list[int] | None:
        """How far each access of the others lies from that of the ones; None where something else differs."""
        if len(ones) != len(others):
            return None
        found: list[int] = []
        for one, other in zip(ones, others, strict=True):
            moved = self._event(one, other) if type(one) is type(other) else None
            if moved is None:
                return None
            found += moved
        return found

    def _event(self, one: Event, other: Event) -> list[int] | None:
        if isinstance(one, Access) and isinstance(other, Access):
            return self._access(one, other)
        if isinstance(one, Shift) and isinstance(other, Shift):
            same = one.moves is other.moves and self.names.get(one.value, one.value) == other.value
            self.names[one.result] = other.result
            return [] if same else None
        if isinstance(one, Product) and isinstance(other, Product):
            return self._product(one, other)
        if isinstance(one, Repeat) and isinstance(other, Repeat):
            return self._repeat(one, other)
        if isinstance(one, Barrier) and isinstance(other, Barrier):
            return [] if one.op is other.op else None
        if isinstance(one, Forget) and isinstance(other, Forget):
            return [] if one.memory is other.memory else None
        return None

    def _repeat(self, one: Repeat, other: Repeat) -> list[int] | None:
        mine, theirs = one.counter, other.counter
        if (mine.loop, mine.trips) != (theirs.loop, theirs.trips) or one.carried or other.carried:
            return None
        self.counters[mine] = theirs
        return self.events(one.body, other.body)

    def _product(self, one: Product, other: Product) -> list[int] | None:
        same = one.atom is other.atom and (one.start is None) == (other.start is None)
        named = [self.names.get(name, name) for name in (one.a, one.b)] == [other.a, other.b]
        found = self._access(one.target, other.target) if same and named else None
        if found is None or one.start is None or other.start is None:
            return found
        start = self._access(one.start, other.start)
        return None if start is None else start + found

    def _access(self, one: Access, other: Access) -> list[int] | None:
        places = (one.site, one.memory, one.base, one.count, one.result is None)
        theirs = (other.site, other.memory, other.base, other.count, other.result is None)
        if any(mine is not their for mine, their in zip(places, theirs, strict=True)):
            return None
        if self._steps(one.steps) != dict(other.steps) or not self._same(one.value, other.value):
            return None
        if one.result is not None and other.result is not None:
            self.names[one.result] = other.result
        if not _equal(one.lanes, other.lanes) or len(one.rest) != len(other.rest):
            return None
        moved = other.rest - one.rest
        return [int(moved[0])] if len(moved) and (moved == moved[0]).all() else None

    def _steps(self, steps: Steps) -> dict[Counter, int]:
        return {self.counters.get(counter, counter): step for counter, step in steps.items()}

    def _same(self, one: Operand | None, other: Operand | None) -> bool:
        if isinstance(one, Traced) and isinstance(other, Traced):
            return self.names.get(one.name, one.name) == other.name
        return one is other


def _equal(one: Array | None, other: Array | None) -> bool:
    return one is other or (one is not None and other is not None and np.array_equal(one, other))


def _stepping(events: Sequence[Event], counter: Counter, steps: Iterator[int]) -> Iterator[Event]:
    """The events of the first turn, whose accesses go on by these steps."""
    for event in events:
        if isinstance(event, Access):
            yield _on(event, counter, next(steps))
        elif isinstance(event, Product):
            start = None if event.start is None else _on(event.start, counter, next(steps))
            yield replace(event, start=start, target=_on(event.target, counter, next(steps)))
        elif isinstance(event, Repeat):
            yield replace(event, body=tuple(_stepping(event.body, counter, steps)))
        else:
            yield event


def _on(access: Access, counter: Counter, step: int) -> Access:
    return replace(access, steps={**access.steps, counter: step} if step else access.steps)
