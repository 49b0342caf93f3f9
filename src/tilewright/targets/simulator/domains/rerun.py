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
from tilewright.targets.simulator.domains.larger import large, shared
from tilewright.targets.simulator.domains.origins import (
    ZERO,
    Joined,
    Names,
    Origins,
    Source,
    Writes,
    apart,
    sources_of,
)
from tilewright.targets.simulator.memory.access import Array, Element, NotUniformError
from tilewright.targets.simulator.report import SimulationReport

MOST_RUNS = 4  # that are kept


@dataclass(frozen=True, eq=False)
class Gather:
    """Elements of some sources, which lie one after the other, in an order; None: as they lie; one: it for all."""

    sources: tuple[int, ...]
    index: Names | None
    shape: tuple[int, ...]

    def __call__(self, values: Sequence[Array], element: Element, change: Callable[[Array], Array]) -> Array:
        """The elements, seen as of this type, each changed."""
        parts = [_seen(values[source], element) for source in self.sources]
        whole = change(parts[0] if len(parts) == 1 else np.concatenate(parts))
        found = whole if self.index is None else whole.take(self.index)
        return found.reshape(self.shape) if found.size > 1 else np.broadcast_to(found, self.shape)


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
    writes: Sequence[tuple[int, Names | slice, Gather]]
    report: SimulationReport

    @staticmethod
    def of(origins: Origins, writes: Writes, report: SimulationReport) -> Rerun:
        """That of a run which wrote these names: an array's number, its elements, and what they get."""
        find = _Finder(np.array([*(first for first, _ in origins.sources), origins.names]))
        made = [_made(origins, source, find) for _, source in origins.sources]
        return Rerun(made, [(number, at, find(names)) for number, at, names in writes], report)

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


Found: TypeAlias = tuple[Writes, SimulationReport]
FirstRun: TypeAlias = Callable[[Origins, Sequence[Array]], Found]


@dataclass(frozen=True, eq=False)
class Reruns:
    """The first runs of a kernel, by what they depend on beside it; None where one did not come to an end."""

    found: dict[Hashable, Rerun | None] = field(default_factory=dict)

    def run(
        self, key: Hashable, fast: bool, storage: Sequence[Array], firsts: Sequence[FirstRun]
    ) -> SimulationReport | None:
        """The report, the arrays being as the kernel leaves them; None, and nothing done, where that takes a real run.

        Of the ways to come by a first run the first that can is taken. A fault that it finds is left to the real run,
        which has numbers to describe it with.
        """
        key = key, fast, roles(storage)
        if key not in self.found:
            if len(self.found) == MOST_RUNS:
                self.found.clear()
            self.found[key] = None
            self.found[key] = _first(fast, storage, firsts)
        rerun = self.found[key]
        return None if rerun is None else rerun(apart(storage))


def _first(fast: bool, storage: Sequence[Array], firsts: Sequence[FirstRun]) -> Rerun | None:
    for first in firsts:
        try:
            origins = Origins(fast)
            return Rerun.of(origins, *first(origins, storage))
        except (NotUniformError, SimulationError):
            continue
    return None


def _made(origins: Origins, source: Source, find: _Finder) -> Made:
    return _multiply(source, origins.fast, find) if isinstance(source, Joined) else source


def _multiply(joined: Joined, quick: bool, find: _Finder) -> Multiply:
    """Where every A meets every B, one product of all rows with all columns; exact sums show less of large matrices."""
    apart = not (quick or joined.atom.dtypes[0].is_integer) or len(joined.start) == 1
    whole = None if apart else large(shared(joined))
    if whole is None:
        steps = [(find(_of(a, joined.rows)), find(_of(b, joined.columns))) for a, b in joined.steps]
        return Multiply(joined.atom, quick, steps, find(joined.start), None)
    steps = [(find(a), find(b)) for a, b in whole.product.steps]
    return Multiply(joined.atom, quick, steps, find(whole.product.start), whole.places(range(len(joined.start))))


def _of(matrices: Names, which: Sequence[int] | None) -> Names:
    return matrices if which is None else matrices[list(which)]


@dataclass(frozen=True, eq=False)
class _Finder:
    """Where names are to be found, by the first name of each source, and the first that is none."""

    firsts: Names

    def __call__(self, names: Names) -> Gather:
        """How to come by these."""
        flat = names.reshape(-1) if any(names.strides) else names.reshape(-1)[:1]
        which = sources_of(self.firsts, flat)
        used = np.array([which]) if isinstance(which, int) else np.flatnonzero(np.bincount(which))
        moved = np.zeros(len(self.firsts), np.intp)  # where a source begins among those that are used
        sizes = np.diff(self.firsts)[used]
        moved[used] = np.cumsum(sizes) - sizes - self.firsts[used]
        if len(flat) == sizes.sum() and (flat[1:] > flat[:-1]).all():  # all that they have, as it lies
            return Gather(tuple(used.tolist()), None, names.shape)
        return Gather(tuple(used.tolist()), flat + moved[which], names.shape)


def _same(values: Array) -> Array:
    return values


def _seen(values: Array, element: Element) -> Array:
    """A source as elements of a type: of its own, for what asks no data is moved as it is."""
    if values is ZERO:
        return np.zeros(1, element)
    assert values.dtype.itemsize == element.itemsize, f"{values.dtype} is no {element}"
    return values.view(element)
