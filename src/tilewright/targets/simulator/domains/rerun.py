"""A kernel that asks no data what to do next, run again: what its first run found of names is done on numbers.

Products are worked out, as one of large matrices where warps share their operands; what they and the elements of arrays
were moved to is written. Nothing else is left to do.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from tilewright.atoms.mma import MmaAtom
from tilewright.errors import SimulationError
from tilewright.targets.arguments import roles
from tilewright.targets.simulator.collective.rule import fast, multiply_add, singles
from tilewright.targets.simulator.domains.origins import ZERO, Joined, Names, Origins, Source
from tilewright.targets.simulator.memory.access import Array, Element, NotUniformError
from tilewright.targets.simulator.report import SimulationReport

MOST_RUNS = 4  # that are kept


@dataclass(frozen=True, eq=False)
class Gather:
    """Elements of some sources, which lie one after the other, in an order; None: as they lie."""

    sources: tuple[int, ...]
    index: Names | None
    shape: tuple[int, ...]

    def __call__(self, values: Sequence[Array], element: Element, change: Callable[[Array], Array]) -> Array:
        """The elements, seen as of this type, each changed."""
        parts = [_seen(values[source], element) for source in self.sources]
        whole = change(parts[0] if len(parts) == 1 else np.concatenate(parts))
        return (whole if self.index is None else whole.take(self.index)).reshape(self.shape)


@dataclass(frozen=True, eq=False)
class Multiply:
    """The products of an atom: each step's A and B, what is added, and the order of the results; None: as they lie."""

    atom: MmaAtom
    quick: bool
    steps: Sequence[tuple[Gather, Gather]]
    start: Gather
    order: Names | None

    def __call__(self, values: Sequence[Array]) -> Array:
        """The results, flat."""
        types = self.atom.dtypes
        d, a, b, c = (kind.numpy() for kind in types)
        change = singles if self.quick and types[0].kind == "float" and types[0].bits <= 32 else _same
        total = self.start(values, c, _same)
        for left, right in self.steps:
            factors = left(values, a, change), right(values, b, change)
            total = (fast if self.quick else multiply_add)(*factors, total, types, self.atom.instruction)
        flat = total.astype(d, copy=False).reshape(-1)
        return flat if self.order is None else flat.take(self.order)


Made: TypeAlias = Array | int | Multiply


@dataclass(frozen=True, eq=False)
class Rerun:
    """What a first run found: the sources, for each array which of its elements end as what, and what it reported."""

    sources: Sequence[Made]
    writes: Sequence[tuple[int, Names, Gather]]
    report: SimulationReport

    @staticmethod
    def of(origins: Origins, left: Sequence[Names], report: SimulationReport) -> Rerun:
        """That of a run which left these names in its arrays, an array a source, in order.

        Raises:
            NotUniformError: it takes sources together whose types differ.
        """
        find = _Finder(np.array([*(first for first, _ in origins.sources), origins.names]))
        writes = []
        for number, names in enumerate(left):
            first = next(first for first, source in origins.sources if source is number)
            at = np.flatnonzero(names != np.arange(first, first + len(names)))
            if len(at):
                writes.append((number, at, find(names[at])))
        return Rerun([_made(origins, source, find) for _, source in origins.sources], writes, report)

    def __call__(self, arrays: Sequence[Array]) -> SimulationReport:
        """Puts into the arrays what the kernel does."""
        values: list[Array] = []
        for source in self.sources:
            if isinstance(source, Multiply):
                values.append(source(values))
            else:
                values.append(arrays[source] if isinstance(source, int) else source)
        found = [gather(values, arrays[number].dtype, _same) for number, _, gather in self.writes]
        for (number, at, _), data in zip(self.writes, found, strict=True):
            arrays[number][at] = data
        return self.report


FirstRun: TypeAlias = Callable[[Origins, list[Names]], SimulationReport]


@dataclass(frozen=True, eq=False)
class Reruns:
    """The first runs of a kernel, by what they depend on beside it; None where one did not come to an end."""

    found: dict[Hashable, Rerun | None] = field(default_factory=dict)

    def run(self, key: Hashable, fast: bool, storage: Sequence[Array], first: FirstRun) -> SimulationReport | None:
        """The report, the arrays being as the kernel leaves them; None, and nothing done, where that takes a real run.

        A fault that the first run finds is left to the real one, which has numbers to describe it with.
        """
        key, arrays = (key, fast, roles(storage)), list({id(data): data for data in storage}.values())
        try:
            if key not in self.found:
                if len(self.found) == MOST_RUNS:
                    self.found.clear()
                self.found[key] = None
                self.found[key] = _first(Origins(fast), arrays, storage, first)
            rerun = self.found[key]
            return None if rerun is None else rerun(arrays)
        except (NotUniformError, SimulationError):
            self.found[key] = None
            return None


def _first(origins: Origins, arrays: Sequence[Array], storage: Sequence[Array], first: FirstRun) -> Rerun:
    names = {id(data): origins.named(number, data.shape) for number, data in enumerate(arrays)}
    report = first(origins, [names[id(data)] for data in storage])
    return Rerun.of(origins, list(names.values()), report)


def _made(origins: Origins, source: Source, find: _Finder) -> Made:
    return _multiply(source, origins.fast, find) if isinstance(source, Joined) else source


def _multiply(joined: Joined, quick: bool, find: _Finder) -> Multiply:
    """Where every A meets every B, one product of all rows with all columns; exact sums show less of large matrices."""
    (a, b), *_ = joined.steps
    (warps, m, _), n = a.shape, b.shape[1]
    apart = not (quick or joined.atom.dtypes[0].is_integer)
    rows, columns = ([] if apart else _distinct([step[side] for step in joined.steps]) for side in (0, 1))
    pairs = {pair: warp for warp, pair in enumerate(zip(rows, columns, strict=True))}
    across, down = max(columns, default=0) + 1, max(rows, default=0) + 1
    if not len(pairs) == across * down == warps:
        return Multiply(joined.atom, quick, [(find(a), find(b)) for a, b in joined.steps], find(joined.start), None)
    one_a, one_b = ([side.index(number) for number in range(max(side) + 1)] for side in (rows, columns))
    sides = [(a[one_a].reshape(1, down * m, -1), b[one_b].reshape(1, across * n, -1)) for a, b in joined.steps]
    steps = [(find(a), find(b)) for a, b in sides]
    tiles = np.array([[pairs[i, j] for j in range(across)] for i in range(down)])
    laid = np.arange(joined.start.size).reshape(joined.start.shape)[tiles].swapaxes(1, 2).reshape(-1)
    order = np.empty_like(laid)
    order[laid] = np.arange(len(laid))
    start = joined.start.reshape(-1)[laid].reshape(1, down * m, across * n)
    return Multiply(joined.atom, quick, steps, find(start), order)


def _distinct(sides: Sequence[Names]) -> list[int]:
    """A number for each warp, the same where warps have the same matrices in every step."""
    numbers: dict[bytes, int] = {}
    keys = [b"".join(side[warp].tobytes() for side in sides) for warp in range(len(sides[0]))]
    return [numbers.setdefault(key, len(numbers)) for key in keys]


@dataclass(frozen=True, eq=False)
class _Finder:
    """Where names are to be found, by the first name of each source, and the first that is none."""

    firsts: Names

    def __call__(self, names: Names) -> Gather:
        """How to come by these."""
        flat = names.reshape(-1)
        low, high = (int(np.searchsorted(self.firsts, x(flat), side="right")) - 1 for x in (np.min, np.max))
        which = np.searchsorted(self.firsts, flat, side="right") - 1 if low < high else np.full(1, low)
        used = np.unique(which)
        sizes = np.diff(self.firsts)[used]
        starts = np.concatenate([[0], np.cumsum(sizes[:-1])])
        index = flat - (self.firsts[used] - starts)[np.searchsorted(used, which)]
        whole = len(index) == sizes.sum() and (index == np.arange(len(index))).all()
        return Gather(tuple(used.tolist()), None if whole else index.astype(np.intp, copy=False), names.shape)


def _same(values: Array) -> Array:
    return values


def _seen(values: Array, element: Element) -> Array:
    """A source as elements of a type."""
    if values is ZERO:
        return np.zeros(1, element)
    if values.dtype.itemsize != element.itemsize:
        raise NotUniformError
    return values.view(element)
