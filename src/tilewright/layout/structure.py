"""Rearranging modes: select, take, group, append, prepend, zip, flatten; of int tuples and plain layouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.errors import LayoutError, shown
from tilewright.layout import inttuple
from tilewright.layout.base import LayoutBase
from tilewright.layout.inttuple import IntTuple, as_int_tuple, to_text
from tilewright.layout.layout import Layout, trusted


def flatten(value: Any) -> Any:
    """All leaves as modes of one tuple; a leaf stays a leaf.

    >>> flatten((4, (2, 8))), print(flatten(Layout((4, (2, 8)))))
    (4,2,8):(1,4,8)
    ((4, 2, 8), None)
    """
    return _each(value, lambda t: inttuple.flatten(t) if isinstance(t, tuple) else t)


def unflatten(value: Any, profile: Any) -> Any:
    """The leaves of a flat tuple in a profile: unflatten(flatten(x), x) == x.

    Raises:
        LayoutError: the numbers of leaves differ.

    >>> unflatten((1, 2, 3), (0, (0, 0)))
    (1, (2, 3))
    """
    profile = profile.shape if isinstance(profile, LayoutBase) else as_int_tuple(profile)

    def walk(t: IntTuple) -> IntTuple:
        flat = inttuple.flatten(t)
        if len(flat) != len(inttuple.flatten(profile)):
            raise LayoutError(f"unflatten: {to_text(t)} and {to_text(profile)} have different numbers of leaves")
        return inttuple.unflatten(flat, profile)

    return _each(value, walk)


def get(value: Any, *path: Any) -> Any:
    """The mode at a position, or at a path of positions.

    Raises:
        LayoutError: there is no such mode.

    >>> get((8, 16), 0), get((4, (2, 8)), 1, 0)
    (8, 2)
    """
    positions = [i for p in path for i in (p if isinstance(p, list | tuple) else (p,))]

    def walk(t: IntTuple) -> IntTuple:
        for position in positions:
            t = _mode(t, position)
        return t

    return _each(value, walk)


def select(value: Any, *indices: Any) -> Any:
    """The modes at the given positions, in that order, as a tuple.

    >>> select((4, 8, 16), 2, 0), select((4, 8, 16), [1])
    ((16, 4), (8,))
    """
    chosen = [i for p in indices for i in (p if isinstance(p, list | tuple) else (p,))]
    return _each(value, lambda t: tuple(_mode(t, i) for i in chosen))


def take(value: Any, begin: int, end: int | None = None) -> Any:
    """The modes in [begin, end), as a tuple.

    >>> take((4, 8, 16), 0, 2), take((4, 8, 16), 1, 2)
    ((4, 8), (8,))
    """

    def walk(t: IntTuple) -> IntTuple:
        first, last = _range("take", t, begin, end)
        return _as_tuple(t)[first:last]

    return _each(value, walk)


def group(value: Any, begin: int, end: int | None = None) -> Any:
    """The modes in [begin, end) as one nested mode; an empty range changes nothing.

    >>> group((2, 3, 4), 1, 3)
    (2, (3, 4))
    """

    def walk(t: IntTuple) -> IntTuple:
        first, last = _range("group", t, begin, end)
        t = _as_tuple(t)
        return (*t[:first], t[first:last], *t[last:]) if first < last else t

    return _each(value, walk)


group_modes = group


def append(value: Any, item: Any, rank: int | None = None) -> Any:
    """The modes with one more at the end, or with as many copies as give the rank.

    >>> append((2, 3), 4), append((2, 3), 1, 4)
    ((2, 3, 4), (2, 3, 1, 1))
    """
    return _each2(value, item, lambda t, x: _pad("append", t, x, rank, lambda a, b: a + b))


def prepend(value: Any, item: Any, rank: int | None = None) -> Any:
    """The modes with one more at the front, or with as many copies as give the rank.

    >>> prepend((2, 3), 4), prepend((2, 3), 1, 4)
    ((4, 2, 3), (1, 1, 2, 3))
    """
    return _each2(value, item, lambda t, x: _pad("prepend", t, x, rank, lambda a, b: b + a))


def replace(value: Any, mode: int, item: Any) -> Any:
    """The modes with one of them replaced.

    >>> replace((2, 3, 4), 1, (5, 6))
    (2, (5, 6), 4)
    """

    def walk(t: IntTuple, x: IntTuple) -> IntTuple:
        _mode(t, mode)
        t = _as_tuple(t)
        at = mode % len(t)
        return (*t[:at], x, *t[at + 1 :])

    return _each2(value, item, walk)


def zip_(*values: Any) -> Any:
    """Mode i holds the modes i of all values; leaves, which have no modes, become one mode together.

    Raises:
        LayoutError: the ranks differ.

    >>> zip_((2, 3), (4, 5)), zip_(2, 3)
    (((2, 4), (3, 5)), ((2, 3),))
    """
    if values and all(isinstance(v, Layout) for v in values):
        return trusted(_zip([v.shape for v in values]), _zip([v.stride for v in values]))
    return _zip([as_int_tuple(v) for v in values])


def _each(value: Any, change: Callable[[IntTuple], IntTuple]) -> Any:
    if isinstance(value, Layout):
        return trusted(change(value.shape), change(value.stride))
    return change(as_int_tuple(value))


def _each2(value: Any, item: Any, change: Callable[[IntTuple, IntTuple], IntTuple]) -> Any:
    if isinstance(value, Layout):
        if not isinstance(item, Layout):
            raise LayoutError(f"a mode of a layout is a layout, got {shown(item)}")
        return trusted(change(value.shape, item.shape), change(value.stride, item.stride))
    return change(as_int_tuple(value), as_int_tuple(item))


def _as_tuple(t: IntTuple) -> tuple[Any, ...]:
    return t if isinstance(t, tuple) else (t,)


def _mode(t: IntTuple, position: Any) -> IntTuple:
    if type(position) is not int:
        raise LayoutError(f"a position is an integer, got {shown(position)}")
    try:
        return _as_tuple(t)[position]
    except IndexError:
        raise LayoutError(f"{to_text(t)} has no mode {shown(position)}: its rank is {len(_as_tuple(t))}") from None


def _range(name: str, t: IntTuple, begin: Any, end: Any) -> tuple[int, int]:
    rank = len(_as_tuple(t))
    end = rank if end is None or (type(end) is int and end == -1) else end
    if type(begin) is not int or type(end) is not int or not 0 <= begin <= end <= rank:
        raise LayoutError(f"{name}: the range [{shown(begin)}, {shown(end)}) is not within {rank} modes: {to_text(t)}")
    if name == "take" and begin == end:
        raise LayoutError(f"take: the range [{begin}, {end}) of {to_text(t)} is empty")
    return begin, end


def _pad(name: str, t: IntTuple, item: IntTuple, rank: Any, join: Any) -> IntTuple:
    modes = _as_tuple(t)
    wanted = len(modes) + 1 if rank is None else rank
    if type(wanted) is not int or not len(modes) <= wanted <= inttuple.MAX_LEAVES:
        raise LayoutError(f"{name}: {to_text(t)} has {len(modes)} modes, and cannot be given {shown(wanted)}")
    return t if wanted == len(modes) else join(modes, (item,) * (wanted - len(modes)))


def _zip(trees: list[IntTuple]) -> IntTuple:
    if trees and not isinstance(trees[0], tuple):
        return (tuple(trees),)
    modes = [_as_tuple(t) for t in trees]
    if len(set(map(len, modes))) != 1:
        raise LayoutError(f"zip: {', '.join(map(to_text, trees))} are not tuples of one rank")
    return tuple(zip(*modes, strict=True))
