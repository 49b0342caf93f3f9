"""Where data comes from: a kernel that asks no data what to do next is run once on names instead of numbers.

Every element of a global array has a name, a number; so has every constant, and every element that a matrix product
gives. Moved by the very steps that move numbers, names end in the arrays: what lies there then, and what each product
multiplied, holds for all data. So do the checks and the costs of such a run.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import gpu, memref, scf
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IndexType, MemRefType, i1
from xdsl.dialects.cf import AssertOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Operation

from tilewright.atoms.mma import MmaAtom
from tilewright.ir.core.effects import is_pure
from tilewright.ir.core.walk import of_kinds
from tilewright.ir.tile.atoms import CopyAtomOp, MmaAtomOp, element_of
from tilewright.ir.tile.together import SyncOp
from tilewright.targets.simulator.collective.moves import moves_of
from tilewright.targets.simulator.collective.products import Waiting
from tilewright.targets.simulator.domains.affine import Counter
from tilewright.targets.simulator.domains.lockstep import Machine
from tilewright.targets.simulator.memory.access import Array, Element, NotUniformError
from tilewright.targets.simulator.program import Frame

MOST_NAMES = 1 << 23  # that products keep, 8 bytes each

Names: TypeAlias = NDArray[np.integer]
Step: TypeAlias = tuple[Names, Names]
NAME = np.dtype(np.int32)

_MOVES = (scf.ForOp, scf.IfOp, scf.YieldOp, memref.AllocaOp, memref.LoadOp, memref.StoreOp, ConstantOp)
_ACTS = (SyncOp, AssertOp, ReturnOp, gpu.ThreadIdOp, gpu.BlockIdOp)


def asks_no_data(func: FuncOp) -> bool:
    """Are there matrix products, and is all else moved as it is, by what depends on block, thread and counters?"""
    known = all(isinstance(kind, MemRefType) for kind in func.function_type.inputs)
    return known and bool(of_kinds(func, MmaAtomOp)) and all(map(_moves, func.body.walk()))


def _moves(op: Operation) -> bool:
    if isinstance(op, MmaAtomOp):
        return all(place.element == element_of(op.instruction, letter) for letter, place in op.fragments())
    if isinstance(op, CopyAtomOp):
        one, other = (place.element for place in op.places)
        piece = moves_of(op.instruction, op.instruction.threads).piece
        whole = one.bits % 8 == 0 and piece % one.bits == 0 and not op.instruction.widened_bits
        return one == other and whole
    if isinstance(op, memref.LoadOp):
        return not _plain(op.res.type)
    if isinstance(op, (*_MOVES, *_ACTS)):
        return True
    return is_pure(op) and all(_plain(value.type) for value in (*op.operands, *op.results))


def _plain(kind: Attribute) -> bool:
    """Is it a number that control may ask for?"""
    return isinstance(kind, IndexType) or kind == i1


@dataclass(frozen=True, eq=False)
class Joined:
    """The products of an atom that were worked out together: A and B of each step, and what is added.

    Which A and which B each product takes `rows` and `columns` say; None: each its own. All steps are taken in each of
    the `turns`.
    """

    atom: MmaAtom
    steps: Sequence[Step]
    start: Names
    rows: Sequence[int] | None = None
    columns: Sequence[int] | None = None
    turns: tuple[Counter, ...] = ()

    @property
    def sides(self) -> tuple[Sequence[int], Sequence[int]]:
        """Which A and which B each product takes."""
        each = range(len(self.start))
        return self.rows or each, self.columns or each


# For an array its number, elements that change (a slice: all), and the names that they get.
Writes: TypeAlias = Sequence[tuple[int, Names | slice, Names]]

# What has names: a constant, an array by its number, products. The first source is zero, of any type.
Source: TypeAlias = Array | int | Joined
ZERO = np.zeros(1, np.uint8)


@dataclass(eq=False)
class Origins:
    """The names that are given: the sources, each with its first name, in order."""

    fast: bool
    sources: list[tuple[int, Source]] = field(default_factory=lambda: [(0, ZERO)])
    constants: dict[Hashable, int] = field(default_factory=dict)
    names: int = 1
    kept: int = 0

    def begin(self, source: Source, count: int) -> int:
        """The first of so many names of a source."""
        first = self.names
        self.names += count
        self.sources.append((first, source))
        return first

    def named(self, source: Source, shape: tuple[int, ...]) -> Names:
        """The names of a source of this shape."""
        return np.arange(self.begin(source, prod(shape)), self.names, dtype=NAME).reshape(shape)

    def given(self, storage: Sequence[Array]) -> list[Names]:
        """Names of the elements of arrays, each a source by its number; an array that comes twice has them twice."""
        names = {id(data): self.named(number, data.shape) for number, data in enumerate(apart(storage))}
        return [names[id(data)] for data in storage]

    def changed(self, left: Sequence[Names]) -> Writes:
        """What differs from the names that were given."""
        writes: list[tuple[int, Names | slice, Names]] = []
        for number, names in enumerate(apart(left)):
            first = next(first for first, source in self.sources if source is number)
            at = np.flatnonzero(names != np.arange(first, first + len(names)))
            if len(at):
                writes.append((number, at, names[at]))
        return writes

    def constant(self, value: Array) -> Names:
        """The name of a constant: of its bits, whatever their type."""
        key = value.tobytes()
        if key not in self.constants:
            self.constants[key] = self.begin(np.array([value]), 1)
        return np.asarray(self.constants[key], NAME)

    def join(self, joined: Joined) -> int:
        """The first name of products.

        Raises:
            NotUniformError: there are too many to keep.
        """
        self.kept += joined.start.size + sum(a.size + b.size for a, b in joined.steps)
        if self.kept > MOST_NAMES:
            raise NotUniformError
        return self.begin(joined, joined.start.size)

    def products(self, joined: Joined) -> Names:
        """The names of products, as they lie."""
        first = self.join(joined)
        return np.arange(first, self.names, dtype=NAME).reshape(joined.start.shape)

    def enter(self, frame: Frame) -> None:
        """Puts names where a frame has constants that are data."""
        frame.values[:] = [
            self.constant(value) if isinstance(value, np.generic) and value.dtype != np.bool_ else value
            for value in frame.values
        ]


def sources_of(firsts: Names, names: Names) -> int | Names:
    """By the first name of each source, in order, which source each name is of; a number if it is one for all.

    >>> sources_of(np.array([0, 1, 5]), np.array([2, 7])).tolist(), sources_of(np.array([0, 1, 5]), np.array([2, 3]))
    ([1, 2], 1)
    """
    low, high = (int(np.searchsorted(firsts, end, side="right")) - 1 for end in (names.min(), names.max()))
    if high - low > 8:
        return np.searchsorted(firsts, names, side="right") - 1
    found = np.full(names.shape, low, np.min_scalar_type(high))
    for first in firsts[low + 1 : high + 1].tolist():
        found += names >= first
    return low if low == high else found


def apart(storage: Sequence[Array]) -> list[Array]:
    """Each array once, in order."""
    return list({id(data): data for data in storage}.values())


@dataclass(eq=False)
class TracedProducts(Waiting):
    """Products of names."""

    origins: Origins = field(default_factory=lambda: Origins(False))

    def apply(self, steps: Sequence[tuple[Array, Array]], total: Array) -> Array:
        """The names of the results."""
        return self.origins.products(Joined(self.atom, steps, np.asarray(total, NAME)))


@dataclass(eq=False)
class Tracing(Machine):
    """A machine whose memories hold names."""

    origins: Origins = field(default_factory=lambda: Origins(False))

    def holds(self, element: Attribute) -> Element:
        """Names, whatever the elements are."""
        return NAME

    def waiting(self, atom: MmaAtom) -> Waiting:
        """The atom's products that wait for somebody to look."""
        if atom.name not in self.products:
            self.products[atom.name] = TracedProducts(atom, self.origins.fast, origins=self.origins)
        return self.products[atom.name]
