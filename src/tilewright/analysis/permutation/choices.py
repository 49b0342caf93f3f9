"""Which permutation of a tile's mode to take: what follows from R, for every R, with its costs.

F atoms lie along a mode of `block` elements. The only free number is R, how many neighbours each atom takes at a
time: F R elements make one period, block / (F R) periods repeat, and the permutation is the layout (F,R):(R,1).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.analysis.global_memory.sectors import CoalescingReport, coalescing
from tilewright.arch import get as get_arch
from tilewright.dtypes import bits_of
from tilewright.errors import UsageError, counted, shown
from tilewright.layout.layout import Layout

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

MAX_BLOCK = 1 << 16


@dataclass(frozen=True)
class PermutationChoice:
    """One R: what every thread along the mode gets, and what a row of it costs in global memory.

    Attributes:
        atoms: F, the atoms (threads) along the mode.
        group: R, neighbours that one atom takes at a time.
        vector_bits: the widest vector that a group fills.
        report: sectors of writing one row of the block with such vectors.
    """

    atoms: int
    group: int
    block: int
    element_bits: int
    vector_bits: int
    report: CoalescingReport

    @property
    def period(self) -> int:
        """F R: elements after which the pattern repeats."""
        return self.atoms * self.group

    @property
    def repetitions(self) -> int:
        """How often the period repeats in the block."""
        return self.block // self.period

    @property
    def shape(self) -> tuple[int, int]:
        """(R, repetitions): one thread's elements along the mode."""
        return self.group, self.repetitions

    @property
    def permutation(self) -> Layout[int]:
        """The layout to give as the mode's permutation."""
        return Layout((self.atoms, self.group), (self.group, 1))

    @property
    def thread_value(self) -> Layout[int]:
        """(thread along the mode, value) -> element of the block."""
        return Layout((self.atoms, self.shape), (self.group, (1, self.period)))

    @property
    def instructions(self) -> int:
        """Vector stores that one thread issues for its elements along the mode."""
        return self.group * self.repetitions * self.element_bits // self.vector_bits

    def elements(self, thread: int = 0) -> tuple[tuple[int, ...], ...]:
        """One thread's elements along the mode, group by group.

        >>> permutation_choices(16, 128, 32)[2].elements(0)
        ((0, 1, 2, 3), (64, 65, 66, 67))
        """
        if type(thread) is not int or not 0 <= thread < self.atoms:
            raise UsageError(f"thread {shown(thread)} is not one of the {self.atoms} along the mode")
        starts = range(self.group * thread, self.block, self.period)
        return tuple(tuple(range(start, start + self.group)) for start in starts)

    def to_json(self) -> dict[str, object]:
        """The choice as plain values."""
        names = ("atoms", "group", "period", "repetitions", "block", "element_bits", "vector_bits", "instructions")
        more = {"permutation": str(self.permutation), "shape": list(self.shape), "efficiency": self.report.efficiency}
        return {name: getattr(self, name) for name in names} | more | {"elements": list(map(list, self.elements()))}


@dataclass(frozen=True)
class PermutationChoices:
    """Every valid R in rising order, and the one to take."""

    choices: tuple[PermutationChoice, ...]

    @property
    def best(self) -> PermutationChoice:
        """The widest vectors; among them the fewest sectors, then the smallest R."""
        return min(self.choices, key=lambda c: (-c.vector_bits, c.report.sectors, c.group))

    @property
    def reason(self) -> str:
        """Why `best` is best, with the numbers."""
        best, first = self.best, self.choices[0]
        sentence = (
            f"R = {best.group}: {best.group} x {best.element_bits} bits fill a {best.vector_bits}-bit vector,"
            f" {counted(best.instructions, 'store')} a thread instead of {first.instructions} with R = 1"
        )
        wider = [c for c in self.choices if c.group > best.group]
        if not wider:
            return sentence
        used, after = (f"{100 * c.report.efficiency:.0f} %" for c in (best, wider[0]))
        return f"{sentence}; each store uses {used} of its sectors, with R = {wider[0].group} {after}"

    def __iter__(self) -> Iterator[PermutationChoice]:
        return iter(self.choices)

    def __len__(self) -> int:
        return len(self.choices)

    def __getitem__(self, index: int) -> PermutationChoice:
        return self.choices[index]

    def to_json(self) -> dict[str, object]:
        """All choices as plain values."""
        return {"choices": [c.to_json() for c in self.choices], "best": self.best.group, "reason": self.reason}

    def __str__(self) -> str:
        head = "   R  period  reps  vector  stores  sectors used  elements of thread 0"
        rows = [
            f"{c.group:>4} {c.period:>7} {c.repetitions:>5} {c.vector_bits:>7} {c.instructions:>7}"
            f" {100 * c.report.efficiency:>11.0f} %  {_groups(c.elements())}"
            for c in self.choices
        ]
        return "\n".join([head, *rows, self.reason])


def permutation_choices(
    atoms_in_mode: int, block: int, element_bits: int | DTypeLike, *, arch: str = "sm_90", kind: str = "store"
) -> PermutationChoices:
    """Every R for F atoms along a mode of `block` contiguous elements, and which to take.

    Args:
        atoms_in_mode: F.
        block: extent of the block along the mode; F must divide it, and R must divide block / F.
        element_bits: bits of one element in global memory.

    Raises:
        UsageError: numbers below 1, or a block that F does not divide.

    Source: "Permutation: the bridge between atom and tile"; `slips` tells where it is wrong.

    >>> choices = permutation_choices(16, 128, 32)
    >>> [c.group for c in choices], choices.best.group, permutation_choices(16, 128, 16).best.group
    ([1, 2, 4, 8], 4, 8)
    """
    bits = bits_of(element_bits)
    for name, value in (("atoms_in_mode", atoms_in_mode), ("block", block), ("element_bits", bits)):
        if type(value) is not int or not 1 <= value <= MAX_BLOCK:
            raise UsageError(f"{name} must be an integer from 1 to {MAX_BLOCK}, got {shown(value)}")
    if block % atoms_in_mode:
        raise UsageError(f"{atoms_in_mode} atoms do not divide a block of {block} elements")
    share = block // atoms_in_mode
    groups = [r for r in range(1, share + 1) if share % r == 0]
    return PermutationChoices(tuple(_choice(atoms_in_mode, r, block, bits, arch, kind) for r in groups))


def _choice(atoms: int, group: int, block: int, bits: int, arch: str, kind: str) -> PermutationChoice:
    vector = _vector_bits(group * bits, bits, 8 * get_arch(arch).vector_bytes)
    tv = Layout((atoms, (group, block // (atoms * group))), (group, (1, atoms * group)))
    report = coalescing(Layout(block), tv, element_bits=bits, vector_bits=vector, kind=kind, arch=arch)
    return PermutationChoice(atoms, group, block, bits, vector, report)


def _vector_bits(run: int, bits: int, limit: int) -> int:
    """The widest power-of-two multiple of the element that divides a run of neighbours."""
    width = bits
    while 2 * width <= limit and run % (2 * width) == 0:
        width *= 2
    return width


def _groups(groups: tuple[tuple[int, ...], ...]) -> str:
    shown = [f"{g[0]}-{g[-1]}" if len(g) > 1 else str(g[0]) for g in groups[:8]]
    return " ".join(shown) + (" .." if len(groups) > 8 else "")
