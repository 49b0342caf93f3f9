"""The leaves of a layout as two flat lists, coalesced: the form on which the algebra works."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Any

from tilewright.layout.axes import AxisSum
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout, trusted

Modes = tuple[list[Any], list[Any]]


def coalesced(shape: IntTuple, stride: IntTuple, proved: bool = False) -> Modes:
    """Extents and strides without modes of size 1 and without mergeable neighbours.

    Run-time leaves do not merge, as in CuTe, unless merges that are only `proved` are wanted.

    >>> coalesced((2, (1, 6)), (1, (6, 2)))
    ([12], [1])
    """
    extents: list[Any] = []
    steps: list[Any] = []
    if shape.__class__ is tuple:
        _merge_into(shape, stride, extents, steps, proved)
    elif shape != 1:
        return [shape], [stride]
    return extents, steps


def extended(shape: IntTuple, stride: IntTuple) -> Modes:
    """`coalesced` for a layout that goes on beyond its domain: a last leaf of size 1 still says by which stride.

    Such a leaf stands as a mode of size 2; the size of the last mode means nothing. Never empty.

    >>> extended((4, 1), (1, 7)), extended((4, 1), (1, 4))
    (([4, 2], [1, 7]), ([8], [1]))
    """
    if shape.__class__ is not tuple:
        return [shape], [stride]
    extents: list[Any] = []
    steps: list[Any] = []
    _merge_into(shape, stride, extents, steps)
    while shape.__class__ is tuple:
        shape, stride = (shape[-1], stride[-1]) if shape else (1, 0)
    if shape == 1:
        _merge_into((2,), (stride,), extents, steps)
    return extents, steps


def from_modes(extents: list[Any], steps: list[Any]) -> Layout:
    """The layout of flat modes: `1:0` for none, a leaf for one.

    >>> print(from_modes([], []), from_modes([4], [2]), from_modes([4, 8], [2, 1]))
    1:0 4:2 (4,8):(2,1)
    """
    if len(extents) == 1:
        return trusted(extents[0], steps[0])
    return trusted(tuple(extents), tuple(steps)) if extents else trusted(1, 0)


def rebuild(shape: IntTuple, found: Iterable[Layout]) -> Layout:
    """The layout with the given layouts in place of the leaves of `shape`.

    >>> print(rebuild((0, (0, 0)), [Layout(4), Layout((2, 2)), Layout(8)]))
    (4,((2,2),8)):(1,((1,2),1))
    """
    it = iter(found)

    def walk(node: IntTuple) -> tuple[IntTuple, IntTuple]:
        if isinstance(node, tuple):
            pairs = [walk(item) for item in node]
            return tuple(p[0] for p in pairs), tuple(p[1] for p in pairs)
        leaf = next(it)
        return leaf.shape, leaf.stride

    return trusted(*walk(shape))


def by_stride(modes: Iterable[Any], strides: list[Any], only_chain: bool = False) -> list[Any]:
    """The tuples (stride, extent, ..) by increasing stride.

    Run-time strides are compared only where they must be: modes that follow from one another, each stride being the
    reach of the modes before, come first. Where another one belongs in between, the caller finds that it does not fit.
    Where `only_chain` matters the others are left out.
    """
    if sum(strides).__class__ is int:
        return sorted(modes, key=itemgetter(0))
    left, chain, reach = list(modes), [], 1
    while following := [mode for mode in left if mode[0] == reach]:
        chain.append(following[0])
        left.remove(following[0])
        reach = reach * following[0][1]
    return chain if only_chain else chain + sorted(left, key=itemgetter(0))


def is_static(value: Any) -> bool:
    """Is the leaf known: an int, or a sum of known values?"""
    return isinstance(value, int) or (isinstance(value, AxisSum) and all(isinstance(v, int) for _, v in value.terms))


def _merge_into(shape: IntTuple, stride: IntTuple, extents: list[Any], steps: list[Any], proved: bool = False) -> None:
    for s, d in zip(shape, stride):  # noqa: B905  # congruent: checked when the layout was built
        if s.__class__ is tuple:
            _merge_into(s, d, extents, steps, proved)
        elif s != 1:
            if extents and extents[-1] * steps[-1] == d and (proved or _all_static(extents[-1], s, d)):
                extents[-1] *= s
            else:
                extents.append(s)
                steps.append(d)


def _all_static(*leaves: Any) -> bool:
    return all(map(is_static, leaves))
