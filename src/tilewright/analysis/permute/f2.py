"""Permute schedules in closed bit form, for layouts whose cells are XOR-linear in the bits of the element's number.

Let K and K' be the numbers that leave the slot in the banks unchanged on either side. The lanes of a group are free of
conflicts when the subspace L of the elements that they move meets K and K' in 0 only (or, for elements narrower than a
word, in numbers that stay within one word). Two subspaces of equal dimension always have a common complement, and it
has a basis of unit vectors and sums of two of them: where neither K nor K' is everything, a unit vector outside of
both does, or the sum of one outside of K and one outside of K'.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, combinations

from tilewright.analysis.banks.rank import xor_columns
from tilewright.analysis.permute.forms import F2Form
from tilewright.analysis.permute.side import Side
from tilewright.arch.spec import Groups
from tilewright.layout.linear import f2

Basis = tuple[int, ...]


def f2_forms(source: Side, destination: Side) -> Iterator[F2Form]:
    """Schedules that are as good as F2 allows, best guesses first; none where a side is not XOR-linear."""
    columns = [xor_columns(side.cells) for side in (source, destination)]
    spaces = [lane_space(side.groups) for side in (source, destination)]
    if None in columns or None in spaces:
        return
    of, to = (c for c in columns if c is not None)
    read, written = (space for space in spaces if space is not None)
    lanes = _lane_basis(read, written, source.lanes)
    kept = [f2.kernel(column & (side.slots - 1) for column in c) for c, side in ((of, source), (to, destination))]
    common = len(f2.intersection(read, written))
    for first in _shared_words(f2.kernel(of), f2.kernel(to)):
        if len(first) <= common:
            images = _images(lanes, first, (read, written), kept, len(of))
            lane_columns = f2.multiply(images, f2.inverse(lanes) or ())
            yield F2Form(lane_columns, f2.complement_basis(images, len(of)))


def lane_space(groups: Groups) -> Basis | None:
    """A basis of the lane numbers by which lanes of one group differ; None when they form no subspace.

    >>> lane_space(((0, 1, 2, 3), (4, 5, 6, 7))), lane_space(((0, 1, 6, 7), (2, 3, 4, 5))), lane_space(((0, 1, 3),))
    ((1, 2), (1, 6), None)
    """
    differences = {frozenset(lane ^ group[0] for lane in group) for group in groups}
    basis = f2.span_basis(groups[0][0] ^ lane for lane in groups[0])
    spans = len(differences) == 1 and 1 << len(basis) == len(groups[0])
    return basis if spans else None


def _lane_basis(read: Basis, written: Basis, lanes: int) -> Basis:
    """A basis of all lane numbers: those of both spaces first, then those of one, then the rest."""
    every = tuple(1 << bit for bit in range(lanes.bit_length() - 1))
    basis: Basis = ()
    for vector in chain(f2.intersection(read, written), read, written, every):
        if not f2.in_span(basis, vector):
            basis += (vector,)
    return basis


def _shared_words(of: Basis, to: Basis) -> Iterator[Basis]:
    """Element numbers that lanes of a group may differ by within a word, of either side: none, then ever more."""
    pairs = [f2.span_basis((*a, *b)) for a in _subspaces(of) for b in _subspaces(to)]
    return iter(sorted(set(pairs), key=lambda basis: (len(basis), basis)))


def _subspaces(basis: Basis) -> list[Basis]:
    """All subspaces of a space of at most two dimensions (a word has at most four elements)."""
    return [(), *((v,) for v in basis), *([basis, (basis[0] ^ basis[1],)] if len(basis) == 2 else [])]


def _images(lanes: Basis, first: Basis, spaces: Sequence[Basis], kept: Sequence[Basis], bits: int) -> Basis:
    """The elements by which neighbours along each vector of `lanes` differ: a common complement of `kept`.

    The images of one group's lanes avoid the kept space of their side as long as that is possible.
    """
    images = first
    avoided = [(*space, *first) for space in kept]
    for vector in lanes[len(first) :]:
        served = [side for side in (0, 1) if f2.in_span(spaces[side], vector)]
        proper = [avoided[side] for side in served if f2.rank(avoided[side]) < bits]
        image = _outside([*proper, images] if len(proper) < 2 else proper, bits)
        images += (image,)
        for side in served:
            avoided[side] = (*avoided[side], image)
    return images


def _outside(spaces: Iterable[Basis], bits: int) -> int:
    """A vector outside of two proper subspaces: a unit vector or the sum of two."""
    echelons = [f2.eliminate(space)[0] for space in spaces]
    units = [1 << bit for bit in range(bits)]
    candidates = chain(units, (a ^ b for a, b in combinations(units, 2)))
    return next(v for v in candidates if all(f2.reduce(echelon, v)[0] for echelon in echelons))
