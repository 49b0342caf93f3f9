"""The leaves of a layout as two flat lists, coalesced: the form on which the algebra works."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import eq, itemgetter
from typing import TypeAlias, TypeVar

from tilewright.errors import LayoutError
from tilewright.layout.arithmetic import is_equal
from tilewright.layout.axes import AxisSum
from tilewright.layout.inttuple import IntTuple, side_by_side
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.symbolic.conditions import Truth

# Extents and strides; as in a layout's own stride, `int` stands for `value@axis` too, until modes are sorted by axis.
Modes: TypeAlias = tuple[list[int], list[int]]
Follows: TypeAlias = Callable[[int, int], Truth]
M = TypeVar("M", bound=tuple[int, ...])  # (stride, extent, ..)

STRIDE = itemgetter(0)


def coalesced(shape: IntTuple, stride: IntTuple, proved: bool = False) -> Modes:
    """Extents and strides without modes of size 1 and without mergeable neighbours.

    Run-time leaves do not merge, as in CuTe, unless merges that are only `proved` are wanted.

    >>> coalesced((2, (1, 6)), (1, (6, 2)))
    ([12], [1])
    """
    extents: list[int] = []
    steps: list[int] = []
    if shape.__class__ is tuple and stride.__class__ is tuple:
        _merge_into(shape, stride, extents, steps, proved)
    elif shape != 1:
        return _single(shape, stride)
    return extents, steps


def extended(shape: IntTuple, stride: IntTuple, proved: bool = False) -> Modes:
    """`coalesced` for a layout that goes on beyond its domain: a last leaf of size 1 still says by which stride.

    Such a leaf stands as a mode of size 2; the size of the last mode means nothing. Never empty.

    >>> extended((4, 1), (1, 7)), extended((4, 1), (1, 4))
    (([4, 2], [1, 7]), ([8], [1]))
    """
    if shape.__class__ is not tuple or stride.__class__ is not tuple:
        return _single(shape, stride)
    extents: list[int] = []
    steps: list[int] = []
    _merge_into(shape, stride, extents, steps, proved)
    while shape.__class__ is tuple and stride.__class__ is tuple:
        shape, stride = (shape[-1], stride[-1]) if shape else (1, 0)
    if shape == 1:
        _merge_into((2,), (stride,), extents, steps, proved)
    return extents, steps


def _single(extent: IntTuple, step: IntTuple) -> Modes:
    assert not isinstance(extent, tuple)
    assert not isinstance(step, tuple)
    return [extent], [step]


def extended_at(layout: Layout, path: tuple[int, ...]) -> Modes:
    """`extended` of the mode at a path of positions.

    Raises:
        LayoutError: there is no such mode.
    """
    shape, stride = layout.shape, layout.stride
    for position in path:
        if isinstance(shape, tuple) and isinstance(stride, tuple) and position < len(shape):
            shape, stride = shape[position], stride[position]
        elif isinstance(shape, tuple) or position:
            raise LayoutError(f"{layout} has no mode at position {path}")
    return extended(shape, stride)


def from_modes(extents: list[int], steps: list[int]) -> Layout:
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


def by_stride(modes: Iterable[M], strides: list[int]) -> list[M]:
    """The tuples (stride, extent, ..) by increasing stride.

    Run-time strides are compared only where they must be: modes that follow from one another come first. Where another
    one belongs in between, the caller finds that it does not fit.
    """
    if sum(strides).__class__ is int:
        return sorted(modes, key=STRIDE)
    listed = list(modes)
    first = _chained(listed, eq)
    rest = (mode for k, mode in enumerate(listed) if k not in first)
    return [listed[k] for k in first] + sorted(rest, key=STRIDE)


def chain(modes: list[M], follows: Follows) -> list[M]:
    """The tuples (stride, extent, ..) that follow from one another: each stride is the reach of those before, 1 first.

    `follows(stride, reach)` decides: `eq` for what is proved, `is_equal` for what is so at run time. Of several modes
    the one behind the last one taken comes first, as if it were merged with it.

    >>> chain([(8, 2), (1, 4), (4, 2), (3, 5)], eq)
    [(1, 4), (4, 2), (8, 2)]
    """
    for mode in modes:
        if mode[0].__class__ is not int or mode[1].__class__ is not int:
            return [modes[k] for k in _chained(modes, follows)]
    found: list[M] = []
    reach = 1
    for mode in sorted(modes, key=STRIDE):
        if mode[0] == reach:
            found.append(mode)
            reach *= mode[1]
    return found


def settled(modes: Modes) -> Modes:
    """The modes as they coalesce at run time: whether an extent is 1, and whether neighbours merge, is asked."""
    extents: list[int] = []
    steps: list[int] = []
    for extent, step in zip(*modes, strict=True):
        if is_equal(extent, 1):
            continue
        if extents and is_equal(extents[-1] * steps[-1], step):
            extents[-1] = extents[-1] * extent
        else:
            extents.append(extent)
            steps.append(step)
    return extents, steps


def is_static(value: object) -> bool:
    """Is the leaf known: an int, or a sum of known values?"""
    return isinstance(value, int) or (isinstance(value, AxisSum) and all(isinstance(v, int) for _, v in value.terms))


def is_known(layout: Layout) -> bool:
    """Are all leaves known?"""
    return all(is_static(extent) and is_static(stride) for extent, stride in layout.flat)


def _chained(modes: list[M], follows: Follows) -> list[int]:
    # The positions of `chain`.
    found: list[int] = []
    left, at, reach = list(range(len(modes))), 0, 1
    while (k := _next(modes, left, at, reach, follows)) is not None:
        left.remove(k)
        found.append(k)
        at, reach = k + 1, reach * modes[k][1]
    return found


def _next(modes: list[M], left: list[int], at: int, reach: int, follows: Follows) -> int | None:
    # Beside one that follows for sure, those that lie beyond it are not asked: they can follow only if its extent is 1.
    ordered = [at, *(k for k in left if k != at)] if at in left else left
    sure = next((k for k in ordered if modes[k][0] == reach), None)
    beyond = None if sure is None else reach * modes[sure][1]
    for k in ordered:
        if k == sure or ((beyond is None or (modes[k][0] >= beyond) is not True) and follows(modes[k][0], reach)):
            return k
    return None


def _merge_into(
    shape: tuple[IntTuple, ...], stride: tuple[IntTuple, ...], extents: list[int], steps: list[int], proved: bool
) -> None:
    for s, d in side_by_side(shape, stride):  # congruent: checked when the layout was built
        if s.__class__ is tuple and d.__class__ is tuple:
            _merge_into(s, d, extents, steps, proved)
        elif s != 1:
            if (
                extents
                and (last := extents[-1]) * steps[-1] == d
                and (last.__class__ is s.__class__ is d.__class__ is int or _may_merge(last, s, d, proved))
            ):
                extents[-1] = last * s  # type: ignore[assignment]  # a leaf
            else:
                extents.append(s)  # type: ignore[arg-type]  # a leaf
                steps.append(d)  # type: ignore[arg-type]  # a leaf


def _may_merge(one: int, other: IntTuple, step: IntTuple, proved: bool) -> bool:
    # A type's run-time extents stay apart, whatever is proved of them.
    leaves = (one, other, step)
    return all(map(is_static, leaves)) or (proved and not any(getattr(x, "stays_apart", False) for x in leaves))
