"""Grouping: splitting iters so that every dimension of a logical shape owns its own run of them."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from math import prod

from tilewright.errors import LayoutError
from tilewright.tirx.iters import Iter, Iters, make_iter, size_of

Seps = tuple[int, ...]


def group(shard: Iters, shape: Sequence[int]) -> tuple[Iters, Seps]:
    """The same map with iters split so that those of dimension i are `[seps[i] : seps[i + 1]]`.

    Extent-1 remainders vanish; a unit dimension gets a unit iter.

    Raises:
        LayoutError: the boundaries of the shape do not fall on divisors of the iters.

    >>> group((Iter(4, 32), Iter(32, 1)), [8, 16])
    ((Iter(4, 32, m), Iter(2, 16, m), Iter(16, 1, m)), (0, 2, 3))
    """
    found = try_group(shard, shape)
    if found is None:
        sizes = tuple(it.extent for it in shard)
        raise LayoutError(
            f"layout with shard extents {sizes} can not be grouped by shape {tuple(shape)}: "
            "each product of leading dimensions must be reached by splitting the extents into factors"
        )
    return found


def try_group(shard: Iters, shape: Sequence[int]) -> tuple[Iters, Seps] | None:
    """`group`, or None where it does not exist."""
    out: list[Iter] = []
    seps = [0]
    gathered = 1  # what the current dimension has of its extent so far
    dim = 0
    for extent, stride, axis in shard:
        gathered = gathered * extent
        while dim < len(shape) and gathered % shape[dim] == 0:
            rest = gathered // shape[dim]
            if extent % rest != 0:
                return None
            out.append(make_iter(extent // rest, stride * rest, axis))
            seps.append(len(out))
            extent = gathered = rest
            dim += 1
        if extent != 1:
            if dim == len(shape):
                return None
            out.append(make_iter(extent, stride, axis))
    return (tuple(out), tuple(seps)) if dim == len(shape) else None


def group_many(shard: Iters, shapes: Sequence[Sequence[int]]) -> tuple[Iters, tuple[Seps, ...]]:
    """The coarsest common refinement of the shard and of several shapes, with the separators of each shape.

    Raises:
        LayoutError: sizes differ, or one cumulative boundary does not divide the next.

    >>> group_many((Iter(12, 1),), [[4, 3], [2, 6]])
    ((Iter(2, 6, m), Iter(2, 3, m), Iter(3, 1, m)), ((0, 2, 3), (0, 1, 3)))
    """
    if not shapes or not all(shapes):
        raise LayoutError("group_many requires at least one shape, and none that is empty")
    size = size_of(shard)
    for shape in shapes:
        if prod(shape) != size:
            raise LayoutError(f"group_many: shape {tuple(shape)} has {prod(shape)} elements, the layout {size}")
    sequences = [_boundaries(shape) for shape in [*shapes, [it.extent for it in shard]]]
    common = _merge(sequences)
    for before, after in itertools.pairwise(common):
        if after % before:
            raise LayoutError(f"group_many has incompatible cumulative boundaries: {before} does not divide {after}")
    positions = [_positions(sequence, common) for sequence in sequences]
    own = positions.pop()
    refined = tuple(
        make_iter(common[k + 1] // common[k], it.stride * (common[end] // common[k + 1]), it.axis)
        for it, begin, end in zip(shard, own, own[1:], strict=False)
        for k in range(begin, end)
    )
    return refined, tuple(positions)


def _boundaries(shape: Sequence[int]) -> list[int]:
    out = [1]
    for extent in shape:
        out.append(out[-1] * extent)
    return out


def _merge(sequences: list[list[int]]) -> list[int]:
    # A boundary that a sequence repeats (a unit dimension) is repeated in the common sequence.
    times: Counter[int] = Counter()
    for sequence in sequences:
        times |= Counter(sequence)
    return [boundary for boundary in sorted(times) for _ in range(times[boundary])]


def _positions(sequence: list[int], common: list[int]) -> Seps:
    seen: Counter[int] = Counter()
    out = []
    for boundary in sequence:
        out.append(common.index(boundary) + seen[boundary])
        seen[boundary] += 1
    out[-1] = len(common) - 1
    return tuple(out)
