"""From the names of one block to those of all: data that blocks reach by a base has a name that moves as it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.domains.affine import Counter
from tilewright.targets.simulator.domains.larger import large, shared
from tilewright.targets.simulator.domains.naming import Namer, Part
from tilewright.targets.simulator.domains.origins import (
    NAME,
    Joined,
    Names,
    Origins,
    Source,
    Step,
    Writes,
    sources_of,
)
from tilewright.targets.simulator.memory.access import Array

FEW = 1 << 16  # names that are put in order at once


def everywhere(namer: Namer, origins: Origins, arrays: Sequence[Array], blocks: int) -> Writes:
    """What all blocks leave in the arrays, from what one does; their names are put into `origins`.

    Raises:
        NotUniformError: there are too many names.
    """
    given = {id(data): origins.begin(number, data.size) for number, data in enumerate(arrays)}
    left = [(number, *_changed(namer, data)) for number, data in enumerate(arrays) if id(data) in namer.memories]
    sources = _chained(namer, [names for _, _, _, names in left if len(names)])
    spread = _Spread(np.array([first for first, _ in sources]), np.zeros((len(sources), blocks), np.int64))
    for number, (first, source) in enumerate(sources):
        if isinstance(source, Joined):
            spread.join(number, source, origins)
        elif isinstance(source, int):
            part = namer.parts[source]
            spread.shifts[number] = given[id(part.data)] + _moves(part, blocks) - first
        elif number:
            spread.shifts[number] = int(origins.constant(source[0])) - first
    return [(number, *_written(part, at, names, spread)) for number, part, at, names in left if len(at)]


def _changed(namer: Namer, data: Array) -> tuple[Part, Names, Names]:
    """How an array is reached, which of its elements change, and to what."""
    part = next(part for part in namer.parts if part.data is data)
    names, low = namer.memories[id(data)], namer.lows[id(data)]
    first = namer.known[part.key] + low
    at = np.flatnonzero(names != np.arange(first, first + len(names), dtype=NAME))
    return part, at + low, names[at]


def _written(part: Part, at: Names, names: Names, spread: _Spread) -> tuple[Names | slice, Names]:
    """The elements that all blocks change, and to what; in the order of the elements where these are all: no two
    blocks write one."""
    moves = _moves(part, spread.blocks)
    if len(moves) * len(at) == len(part.data):
        ordered, few = np.full(len(part.data), -1, NAME), max(1, FEW // len(at))
        for start in range(0, len(moves), few):
            some = slice(start, start + few)
            ordered[at + moves[some, None]] = spread(names, some)
        return slice(None), ordered
    return (at + moves[:, None]).reshape(-1), spread(names).reshape(-1)


def _moves(part: Part, blocks: int) -> Names:
    """How far the part lies in each block from where it lies in the first."""
    return np.zeros(blocks, np.int64) if part.base is None else part.base - part.base[0]


@dataclass(frozen=True, eq=False)
class _Spread:
    """By source of the first block's names, in order: its first name, and how far its names move in each block.

    Those that lie otherwise in all blocks than one after the other have their `places` of the first block.
    """

    firsts: Names
    shifts: Names
    places: dict[int, Names] = field(default_factory=dict)

    @property
    def blocks(self) -> int:
        """How many there are."""
        return len(self.shifts[0])

    def __call__(self, names: Names, blocks: Names | slice = slice(None)) -> Names:
        """The names (block, ..) of these blocks."""
        shifts, which = self.shifts[:, blocks].astype(NAME), sources_of(self.firsts, names)
        if not isinstance(which, int):
            for number in self.places:
                names = np.where(which == number, self._placed(names, number), names)
            return names + shifts.T[:, which]
        moved = shifts[which].reshape(-1, *[1] * names.ndim)
        if (names != names.flat[0]).any() or (moved != moved.flat[0]).any():
            return np.asarray(self._placed(names, which) + moved)
        one = self._placed(names.flat[:1], which) + moved.flat[0]
        return np.broadcast_to(one, (len(moved), *names.shape))

    def _placed(self, names: Names, number: int) -> Names:
        """The names of a source as they lie in all blocks; whatever for those of others."""
        if number not in self.places:
            return names
        return np.asarray(self.places[number].take(names - self.firsts[number], mode="clip"))

    def join(self, number: int, one: Joined, origins: Origins) -> None:
        """Names products of all blocks; matrices that several blocks or warps share are there once.

        Where each meets each they are one product.
        """
        rows, columns = (self._side([step[side] for step in one.steps], one.sides[side]) for side in (0, 1))
        steps, start = list(zip(rows[0], columns[0], strict=True)), self(one.start).reshape(-1, *one.start.shape[1:])
        joined = Joined(one.atom, steps, start, rows[1], columns[1])
        whole = large(joined) if origins.fast or one.atom.dtypes[0].is_integer else None
        if whole is None:
            moved = np.arange(self.blocks) * one.start.size
            self.shifts[number] = origins.join(joined) + moved - self.firsts[number]
        else:  # blocks and warps number rows and columns apart, so that the tiles of each block lie as the first one's
            first, begins = origins.join(whole.product), whole.begins.reshape(-1, len(one.start))[:, 0]
            self.places[number] = whole.places(range(len(one.start))).astype(NAME) + NAME.type(first)
            self.shifts[number] = begins - begins[0]

    def _side(self, matrices: Sequence[Names], warps: Sequence[int]) -> tuple[list[Names], list[int]]:
        """The matrices of each step, each once; and which of them each block's warps have."""
        used = distinct_values(np.concatenate([distinct_values(sources_of(self.firsts, step)) for step in matrices]))
        _, blocks, which = np.unique(self.shifts[used], axis=1, return_index=True, return_inverse=True)
        steps = [self(step, blocks) for step in matrices]
        numbers = (which.reshape(-1, 1) * len(matrices[0]) + np.array(warps)).reshape(-1)
        return [step.reshape(-1, *step.shape[2:]) for step in steps], numbers.tolist()


def _chained(namer: Namer, left: Sequence[Names]) -> list[tuple[int, Source]]:
    """The sources; products that add to products which nobody else asks for are one source with them."""
    sources, firsts = namer.origins.sources, np.array([first for first, _ in namer.origins.sources])
    products = [first for first, source in sources if isinstance(source, Joined)]
    uses = np.zeros(len(sources), np.int64)
    for names in [*left, *_operands(sources)]:
        if products and names.max() >= products[0]:
            uses[distinct_values(sources_of(firsts, names))] += 1
    chains: dict[int, list[Joined]] = {}
    for number, (_, source) in enumerate(sources):
        if isinstance(source, Joined):
            start = int(source.start.flat[0])
            before = int(np.searchsorted(firsts, start, side="right")) - 1
            goes_on = uses[before] == 1 and before in chains
            goes_on = goes_on and _continues(source, chains[before][0], start == firsts[before])
            chains[number] = [*(chains.pop(before) if goes_on else ()), source]
    return [
        (first, _one(chains[number], namer, firsts) if isinstance(source, Joined) else source)
        for number, (first, source) in enumerate(sources)
        if number in chains or not isinstance(source, Joined)
    ]


def _one(chain: Sequence[Joined], namer: Namer, firsts: Names) -> Joined:
    """Products that go on with one another as one, with the steps of all turns, one after the other."""
    whole = shared(replace(chain[0], steps=[step for product in chain for step in product.steps], turns=()))
    steps = iter(whole.steps)
    turned = [_turned([next(steps) for _ in product.steps], product.turns, namer, firsts) for product in chain]
    whole = replace(whole, steps=[step for part in turned for step in part])
    return _at_once(whole) if namer.origins.fast else whole


def _turned(steps: Sequence[Step], turns: Sequence[Counter], namer: Namer, firsts: Names) -> Sequence[Step]:
    """The steps of all turns, one after the other."""
    for counter in turns[::-1]:
        moved = np.zeros(len(firsts), NAME)
        for number, (_, source) in enumerate(namer.origins.sources):
            if isinstance(source, int):
                moved[number] = namer.parts[source].steps.get(counter, 0)
        by = [[moved[sources_of(firsts, side)] for side in step] for step in steps]
        steps = [
            (a + x * turn, b + y * turn)
            for turn in range(counter.trips)
            for (a, b), (x, y) in zip(steps, by, strict=True)
        ]
    return steps


def _operands(sources: Sequence[tuple[int, Source]]) -> Iterator[Names]:
    for _, source in sources:
        if isinstance(source, Joined):
            yield source.start
            for step in source.steps:
                yield from step


def _continues(product: Joined, other: Joined, begins: bool) -> bool:
    """Does it add to all that the other gives, each to its own?"""
    if not begins or product.atom is not other.atom or product.start.shape != other.start.shape:
        return False
    start = product.start.reshape(-1)
    return bool((start == np.arange(start[0], start[0] + len(start))).all())


def _at_once(product: Joined) -> Joined:
    """One step of all K, where the order of the terms has no say."""
    if product.atom.dtypes[0].is_integer or len({step[0].shape[:2] for step in product.steps}) > 1:
        return product
    a, b = (np.concatenate([step[side] for step in product.steps], axis=2) for side in (0, 1))
    return replace(product, steps=[(a, b)])
