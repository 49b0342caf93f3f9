"""Divisions whose tiles need not fit: CuTe's walk rounds every mode up. Here is when that loses no element."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import TYPE_CHECKING

from tilewright.layout.algebra.by_axis import modes_by_axis
from tilewright.layout.algebra.modes import Modes, extended
from tilewright.layout.algebra.walk import OutsideError, Pair, walk_tree
from tilewright.layout.arithmetic import is_equal
from tilewright.layout.axes import components, term
from tilewright.layout.inttuple import IntTuple, leaves, modes
from tilewright.layout.layout import Layout, trusted

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element, Elements


def divide_raggedly(layout: Layout, tile: Layout, rest: Layout) -> Layout | None:
    """(A o tile, the origins of the tiles), where the tiles may go beyond the modes of A; None if that is not lawful.

    In every mode of A the digits that tile and rest take must count 0, 1, 2, .. up to the extent at least. Then each
    element of A is met exactly once, and what else is met lies beyond an extent of A, where predicates catch it.
    """
    extents, steps = extended(layout.shape, layout.stride)
    if any(type(n) is not int for n in (*extents, *leaves(tile.shape), *leaves(rest.shape))):
        return None
    positions = [term(1, (k,)) for k in range(len(extents))]
    inner = extents[:-1]
    used = [0] * len(inner)
    try:
        inside = walk_tree(tile.shape, tile.stride, inner, positions, used)
        if any(reach >= extent for reach, extent in zip(used, inner, strict=True)):
            return None
        outside = _rounded_up(rest.shape, rest.stride, inner, positions)
    except OutsideError:
        return None
    extents[-1] = layout.size // prod(inner)
    shape, stride = (inside[0], outside[0]), (inside[1], outside[1])
    digits = modes_by_axis(list(leaves(shape)), list(leaves(stride)))
    none: Modes = ([], [])
    if any(not counts(s, zip(*digits.get((k,), none), strict=True)) for k, s in enumerate(extents)):
        return None
    return trusted(shape, _at(stride, steps))


def counts(extent: int, modes: Iterable[tuple[int, int]]) -> bool:
    """Do the modes (extent, step), by their steps, count 0, 1, 2, .. without gap or repetition, up to `extent`?

    Steps that come after these are not looked at: the caller knows that they lie beyond.

    >>> counts(8, [(4, 2), (2, 1)]), counts(8, [(4, 1), (2, 5)]), counts(7, [(4, 2), (2, 1)])
    (True, False, True)
    """
    reach = 1
    for step, count in sorted((step, count) for count, step in modes if step):
        if reach < extent and not is_equal(step, reach):
            return False
        reach *= count
    return reach >= extent


def _rounded_up(shape: IntTuple, stride: IntTuple, inner: list[int], steps: list[Element]) -> Pair:
    if isinstance(shape, tuple) or isinstance(stride, tuple):
        found = [_rounded_up(s, d, inner, steps) for s, d in zip(modes(shape), modes(stride), strict=True)]
        return tuple(f[0] for f in found), tuple(f[1] for f in found)
    return _rounded_up_leaf(shape, stride, inner, steps)


def _rounded_up_leaf(extent: int, step: int, inner: list[int], steps: list[Element]) -> Pair:
    if step == 0:
        return extent, 0
    out: list[tuple[int, Element]] = []
    for k, s in enumerate(inner):
        if step >= s:
            if step % s:
                raise OutsideError(f"step {step} does not pass mode {s}")
            step //= s
            continue
        take = min(-(-s // step), extent)
        if extent % take:
            raise OutsideError(f"{extent}:{step} does not divide mode {s}")
        out.append((take, step * steps[k]))
        extent, step = extent // take, 1
        if extent == 1:
            break
    else:
        out.append((extent, step * steps[-1]))
    return out[0] if len(out) == 1 else (tuple(s for s, _ in out), tuple(d for _, d in out))


def _at(stride: Elements, steps: list[int]) -> IntTuple:
    """Positions of modes turned into the strides of these modes."""
    if isinstance(stride, tuple):
        return tuple(_at(d, steps) for d in stride)
    return sum(value * steps[path[0]] for path, value in components(stride) if isinstance(path, tuple))
