"""What a layout answers everywhere, as columns: offsets, or of each copy of an element the positions on each axis."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import singledispatch
from itertools import accumulate
from typing import Any, TypeAlias

from tilewright.figures.cell import OnAxes
from tilewright.figures.listing import listing
from tilewright.figures.series import OnCopies, Series, picked, words
from tilewright.figures.values import SHOWN, TOLD, label, places, story
from tilewright.layout.axes import MEMORY
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx import evaluate
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.coords import CoordSet
from tilewright.tirx.iters import Terms, terms
from tilewright.tirx.tile_layout import TileLayout

Part: TypeAlias = str | Sequence[object]
Axes: TypeAlias = Mapping[str, Sequence[int]]


@dataclass(frozen=True, slots=True)
class Answers(Series[Any]):
    """Values of one kind as numbers: `offsets`, or the `copies` of an element, each a column for each axis.

    Neither says values of which each may be another kind: they are kept as they are, as `values`.
    """

    size: int
    offsets: Sequence[int] | None = None
    copies: tuple[Axes, ...] = ()
    values: Sequence[Any] = ()
    between: str = "\n"

    def item(self, at: int) -> Any:
        """The value of that number."""
        if self.offsets is not None:
            return self.offsets[at]
        if self.values:
            return self.values[at]
        found = [{axis: on[at] for axis, on in copy.items()} for copy in self.copies]
        return found[0] if len(found) == 1 else CoordSet.of_distinct(found)

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[Any]:
        return iter(self.offsets) if self.offsets is not None else map(self.item, range(self.size))

    def picked(self, numbers: Sequence[int]) -> Answers:
        """The values of these numbers, in their order."""
        kept: dict[int, Sequence[int]] = {}
        for on in (on for copy in self.copies for on in copy.values()):
            kept.setdefault(id(on), picked(on, numbers))
        copies = tuple({axis: kept[id(on)] for axis, on in copy.items()} for copy in self.copies)
        offsets = None if self.offsets is None else picked(self.offsets, numbers)
        return Answers(len(numbers), offsets, copies, picked(self.values, numbers) if self.values else (), self.between)

    def labels(self) -> Sequence[str]:
        """What cells show: the value in as few characters as tell it."""
        if self.offsets is not None:
            return words(self.size, self.offsets)
        if not self.copies:
            return [label(value, places(value)) for value in self]
        shown = [_shown([copy[axis] for copy in self.copies]) for axis in self.copies[0]]
        return words(self.size, *_joined(shown, self.between))

    def told(self) -> tuple[Part, ...]:
        """The values in words, as parts of texts."""
        if self.offsets is not None:
            return (self.offsets,)
        if not self.copies:
            return (list(map(story, self)),)
        told = [_joined([[f"{axis} ".lstrip(), on] for axis, on in copy.items()], ", ") for copy in self.copies[:TOLD]]
        return (*_joined(told, "; "), *(["; ..."] if len(self.copies) > TOLD else []))

    def places(self) -> Sequence[tuple[OnAxes, ...]]:
        """Where elements lie, if they lie at no offset."""
        if self.offsets is not None:
            return ()
        if self.copies:
            return OnCopies(self.size, self.copies)
        return [tuple(tuple(copy.items()) for copy in places(value)) for value in self]

    def on(self, axis: str) -> Sequence[int] | None:
        """Where the first copies lie on an axis, if they all do."""
        if self.copies:
            return self.copies[0].get(axis)
        found = [places(value)[0] for value in self]
        return [place[axis] for place in found] if all(axis in place for place in found) else None


def _joined(parts: Sequence[Sequence[Part]], between: str) -> list[Part]:
    return [part for i, own in enumerate(parts) for part in ([between, *own] if i else own)]


def _shown(columns: Sequence[Sequence[int]]) -> list[Part]:
    """The distinct positions on an axis, with bars between them: two copies lie alike for all elements or for none."""
    distinct = list({column[0]: column for column in columns}.values())
    if len(distinct) <= SHOWN:
        return _joined([[column] for column in distinct], "|")
    return [distinct[0], "|..|", distinct[-1]]


@singledispatch
def answers(layout: object) -> Answers:
    """What the layout answers at every index, in its own order.

    >>> from tilewright.layout.layout import Layout
    >>> answers(Layout((2, 3), (3, 1))).offsets
    [0, 3, 1, 4, 2, 5]
    """
    return gathered(listing(layout))


@answers.register
def _(swizzle: Swizzle) -> Answers:
    return gathered([swizzle(x) for x in range(1 << (swizzle.b + swizzle.m + abs(swizzle.s)))])


@answers.register
def _(layout: TileLayout) -> Answers:
    copies = _copies(layout)
    if len(copies) == 1 and not layout.parts.replica and copies[0].keys() == {MEMORY}:
        return Answers(layout.size(), copies[0][MEMORY])  # an element in memory alone lies at an offset
    return Answers(layout.size(), None, copies)


@answers.register
def _(layout: ComposeLayout) -> Answers:
    layout.check_memory()
    swizzle, tile, size = layout.swizzle.swizzle, layout.tile_layout, layout.size()
    copies = tuple([swizzle(value) for value in copy.get(MEMORY, [0] * size)] for copy in _copies(tile))
    if not tile.parts.replica:
        return Answers(size, copies[0])
    return Answers(size, None, tuple({MEMORY: column} for column in copies))


@answers.register
def _(layout: LinearLayout) -> Answers:
    flat = listing(layout)
    columns = {name: [value[name] for value in flat] for name in layout.get_out_dim_names()}
    if len(columns) == 1:
        return Answers(len(flat), next(iter(columns.values())))
    return Answers(len(flat), None, (columns,))


def gathered(values: Sequence[Any]) -> Answers:
    """Values of any kind as columns, where they are all of one.

    >>> gathered([(0, 1), (2, 3)]).copies
    ({'0': [0, 2], '1': [1, 3]},)
    """
    size = len(values)
    if set(map(type, values)) <= {int}:
        return Answers(size, values)
    found = [places(value) for value in values]
    kinds = {tuple(map(tuple, copies)) for copies in found}
    if len(kinds) != 1 or len({isinstance(value, tuple) for value in values}) != 1:
        return Answers(size, values=values)
    (copies,) = kinds
    columns = tuple({axis: [place[i][axis] for place in found] for axis in axes} for i, axes in enumerate(copies))
    return Answers(size, None, columns, values, "," if isinstance(values[0], tuple) else "\n")


def _copies(layout: TileLayout) -> tuple[Axes, ...]:
    """Of each copy the positions on each axis, at every index: the last iter is the fastest."""
    steps = [(it.extent, {axis.name: value for axis, value in terms(it.stride, it.axis)}) for it in layout.shard]
    start: dict[str, int] = {axis: 0 for _, strides in steps for axis in strides}
    for axis, value in layout.parts.offset:
        start[axis.name] = start.get(axis.name, 0) + value
    base = {
        axis: _positions(first, [(n, strides.get(axis, 0)) for n, strides in steps]) for axis, first in start.items()
    }
    return tuple(_shifted(base, copy, layout.size()) for copy in evaluate.copies(layout.parts.replica))


def _positions(first: int, steps: Sequence[tuple[int, int]]) -> Sequence[int]:
    *_, found = accumulate(steps, _stepped, initial=[first])
    return found


def _stepped(values: list[int], step: tuple[int, int]) -> list[int]:
    extent, stride = step
    digits = [digit * stride for digit in range(extent)]
    return [value + digit for value in values for digit in digits]


def _shifted(base: Axes, copy: Terms, size: int) -> Axes:
    found = dict(base)
    for axis, value in copy:
        on = found.get(axis.name, [0] * size)
        found[axis.name] = [at + value for at in on] if value else on
    return found
