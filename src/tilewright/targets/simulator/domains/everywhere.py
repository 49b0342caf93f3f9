"""From the names of one block to those of all: data that blocks reach by a base has a name that moves as it does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.domains.naming import Namer, Part
from tilewright.targets.simulator.domains.origins import (
    NAME,
    Joined,
    Names,
    Origins,
    Source,
    Writes,
    distinct,
    sources_of,
)
from tilewright.targets.simulator.memory.access import Array


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
            spread.shifts[number] = spread.joined(source, origins) + np.arange(blocks) * source.start.size - first
        elif isinstance(source, int):
            part = namer.parts[source]
            spread.shifts[number] = given[id(part.data)] + _moves(part, blocks) - first
        elif number:
            spread.shifts[number] = int(origins.constant(source[0])) - first
    return [
        (number, (at + _moves(part, blocks)[:, None]).reshape(-1), spread(names).reshape(-1))
        for number, part, at, names in left
        if len(at)
    ]


def _changed(namer: Namer, data: Array) -> tuple[Part, Names, Names]:
    """How an array is reached, which of its elements change, and to what."""
    part = next(part for part in namer.parts if part.data is data)
    names, first = namer.memories[id(data)], namer.known[part.key]
    at = np.flatnonzero(names != np.arange(first, first + len(names), dtype=NAME))
    return part, at, names[at]


def _moves(part: Part, blocks: int) -> Names:
    """How far the part lies in each block from where it lies in the first."""
    return np.zeros(blocks, np.int64) if part.base is None else part.base - part.base[0]


@dataclass(frozen=True, eq=False)
class _Spread:
    """By source of the first block's names, in order: its first name, and how far its names move in each block."""

    firsts: Names
    shifts: Names

    def __call__(self, names: Names, blocks: Names | slice = slice(None)) -> Names:
        """The names (block, ..) of these blocks."""
        shifts, which = self.shifts[:, blocks].astype(NAME), sources_of(self.firsts, names.reshape(-1))
        if not isinstance(which, int):
            return (names.reshape(-1) + shifts.T[:, which]).reshape(-1, *names.shape)
        found = names + shifts[which].reshape(-1, *[1] * names.ndim)
        one = found.flat[0]
        return np.broadcast_to(one, found.shape) if one == found.max() == found.min() else found

    def joined(self, one: Joined, origins: Origins) -> int:
        """The first name of products of all blocks; matrices that several blocks or warps share are there once."""
        rows, columns = (self._side([step[side] for step in one.steps]) for side in (0, 1))
        steps, start = list(zip(rows[0], columns[0], strict=True)), self(one.start).reshape(-1, *one.start.shape[1:])
        return origins.join(Joined(one.atom, steps, start, rows[1], columns[1]))

    def _side(self, matrices: Sequence[Names]) -> tuple[list[Names], list[int]]:
        """The matrices of each step, each once; and which of them each block's warps have."""
        used = distinct_values(np.concatenate([distinct_values(sources_of(self.firsts, step)) for step in matrices]))
        _, blocks, which = np.unique(self.shifts[used], axis=1, return_index=True, return_inverse=True)
        warps = distinct(matrices)
        own = [warps.index(number) for number in range(max(warps) + 1)]
        steps = [self(step[own], blocks) for step in matrices]
        numbers = (which.reshape(-1, 1) * len(own) + np.array(warps)).reshape(-1)
        return [step.reshape(-1, *step.shape[2:]) for step in steps], numbers.tolist()


def _chained(namer: Namer, left: Sequence[Names]) -> list[tuple[int, Source]]:
    """The sources; products that add to products which nobody else asks for are one source with them."""
    quick, firsts = namer.origins.fast, np.array([first for first, _ in namer.origins.sources])
    sources = [
        (first, _turned(source, namer, firsts) if isinstance(source, Joined) else source)
        for first, source in namer.origins.sources
    ]
    products = [first for first, source in sources if isinstance(source, Joined)]
    uses = np.zeros(len(sources), np.int64)
    for names in [*left, *_operands(sources)]:
        if products and names.max() >= products[0]:
            uses[distinct_values(sources_of(firsts, names))] += 1
    found: dict[int, tuple[int, Source]] = {}
    for number, (first, source) in enumerate(sources):
        if isinstance(source, Joined):
            start = int(source.start.flat[0])
            before = int(np.searchsorted(firsts, start, side="right")) - 1
            other = found[before][1] if before in found and uses[before] == 1 else None
            if isinstance(other, Joined) and _continues(source, other, start == firsts[before]):
                del found[before]
                source = replace(source, steps=[*other.steps, *source.steps], start=other.start)
        found[number] = first, source
    return [
        (first, _at_once(source) if quick and isinstance(source, Joined) else source)
        for first, source in found.values()
    ]


def _turned(product: Joined, namer: Namer, firsts: Names) -> Joined:
    """The same with the steps of all turns, one after the other."""
    steps = list(product.steps)
    for counter in product.turns[::-1]:
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
    return replace(product, steps=steps, turns=())


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
