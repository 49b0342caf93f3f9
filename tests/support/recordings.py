"""Random recordings that move data: loops of loads and stores of a few lanes, in a few memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

from tilewright.targets.simulator.domains.affine import Counter, Steps
from tilewright.targets.simulator.domains.at_once import at_once
from tilewright.targets.simulator.domains.events import Access, Event, Forget, Repeat, Stretch, Traced
from tilewright.targets.simulator.domains.naming import Namer
from tilewright.targets.simulator.domains.origins import Origins
from tilewright.targets.simulator.sites import Site

LANES, SIZE = 4, 256
KIND = np.dtype(np.int32)


@dataclass(frozen=True)
class Place:
    """An element of a memory for each lane: `first` + `lane` * lanes + a step for each loop around."""

    memory: str
    first: int
    lane: int
    steps: tuple[int, ...]


@dataclass(frozen=True)
class Move:
    """What lies at one place goes to another."""

    source: Place
    target: Place


@dataclass(frozen=True)
class Turns:
    """A loop."""

    trips: int
    body: tuple[Move | Turns | str, ...]


places = st.builds(
    Place,
    st.sampled_from(("array", "result", "shared", "registers")),
    st.integers(0, 5),
    st.sampled_from((0, 1, 1, 2)),
    st.tuples(*[st.sampled_from((0, 0, 1, 4, 8, 16))] * 3),
)
moves = st.builds(Move, places, places.filter(lambda place: place.memory != "array"))


def loops(depth: int) -> st.SearchStrategy[Turns]:
    """Loops in loops."""
    inner = [moves, st.just("registers")] + ([loops(depth - 1)] if depth else [])
    return st.builds(Turns, st.integers(2, 4), st.lists(st.one_of(*inner), min_size=1, max_size=4).map(tuple))


recordings = st.lists(st.one_of(moves, loops(2)), min_size=1, max_size=4)


class World:
    """The memories, and the events of statements."""

    def __init__(self) -> None:
        self.memories = {
            "array": Stretch(SIZE, KIND, np.zeros(SIZE, KIND)),
            "result": Stretch(SIZE, KIND, np.zeros(SIZE, KIND)),
            "shared": Stretch(SIZE, KIND),
            "registers": Stretch(SIZE, KIND, None, LANES),
        }
        op = ModuleOp([])
        self.op, self.site, self.names = op, Site(op, "load", op.body.block, "", "", 4), count()  # type: ignore[arg-type]  # of no value

    def events(self, statements: Sequence[Move | Turns | str], around: tuple[Counter, ...] = ()) -> list[Event]:
        """The events of statements in these loops."""
        found: list[Event] = []
        for one in statements:
            if isinstance(one, Turns):
                counter = Counter(self.op, one.trips)
                found.append(Repeat(counter, tuple(self.events(one.body, (*around, counter))), ()))
            elif isinstance(one, str):
                found.append(Forget(self.memories[one]))
            else:
                name = next(self.names)
                found.append(self.access(one.source, around, None, name))
                found.append(self.access(one.target, around, Traced(name), None))
        return found

    def access(self, place: Place, around: tuple[Counter, ...], value: Traced | None, result: int | None) -> Access:
        """A load or store there."""
        memory, lanes = self.memories[place.memory], np.arange(LANES)
        rest, own = place.first + place.lane * lanes, max(memory.lanes, 1)
        steps: Steps = {counter: step * own for counter, step in zip(around, place.steps, strict=False) if step}
        rest = rest * own + (lanes if memory.private else 0)
        return Access(self.site, memory, None, rest, steps, None, value, result)

    def left(self, events: Sequence[Event], together: bool) -> dict[str, list[tuple[int, int]]]:
        """What is in the memories then: which array's element; (0, 0) where nothing was written."""
        namer = Namer(LANES, at_once(events) if together else {}, 0, Origins(False))
        namer.run(events)
        firsts = np.array([first for first, _ in namer.origins.sources])
        numbers = {id(memory.data): number for number, memory in enumerate(self.memories.values(), 1)}

        def origin(name: int) -> tuple[int, int]:
            first, source = namer.origins.sources[int(np.searchsorted(firsts, name, side="right")) - 1]
            if not isinstance(source, int):
                return 0, 0
            assert not namer.parts[source].steps, "loops have ended"
            return numbers[id(namer.parts[source].data)], name - first

        return {
            name: [origin(one) for one in namer.memories[id(memory.storage)].tolist()]
            for name, memory in self.memories.items()
            if id(memory.storage) in namer.memories and name != "registers"
        }
