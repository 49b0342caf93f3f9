"""The bits that a swizzle moves, found again in a polynomial."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from tilewright.layout.symbolic.operators import remainder
from tilewright.layout.symbolic.polynomial import Call, Polynomial, atoms, constant, content, scale, value_of
from tilewright.layout.symbolic.quotient import floor_divide
from tilewright.layout.symbolic.ranges import bounds

LONGEST = 40  # bits of an offset that a swizzle reads


def swizzle_bits(x: Polynomial, moved: Polynomial) -> tuple[int, int] | None:
    """The mask and shift with moved == (x & mask) >> shift, of a swizzle's fields, which lie apart."""
    base = content(moved) & -content(moved)
    place = base.bit_length() - 1
    for start, bits in _fields(x, moved, base) if base else ():
        field = remainder(floor_divide(x, constant(1 << start)), constant(1 << bits))
        if start != place and scale(field, base) == moved:
            return ((1 << bits) - 1) << start, start - place
    return None


def _fields(x: Polynomial, moved: Polynomial, base: int) -> Iterator[tuple[int, int]]:
    """Which bits of x the moved ones may have been: from where on, and how many."""
    low, high = bounds(moved)
    if low is not None and high is not None and low >= 0:
        yield from ((start, (high // base).bit_length()) for start in range(LONGEST))
    quotients = (atom.args[1] for atom in atoms(moved) if isinstance(atom, Call) and atom.op == "floor")
    ends = sorted({end.bit_length() - 1 for q in quotients if (end := value_of(q) or 0).bit_count() == 1})
    zeros = (content(x) & -content(x)).bit_length() - 1  # of k*2^z the quotients are those of k
    yield from ((start + zeros, end - start) for start, end in combinations(ends, 2))
