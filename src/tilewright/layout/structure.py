"""Rearranging modes: select, take, group, append, prepend, zip, flatten; of int tuples and plain layouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout import inttuple
from tilewright.layout.base import LayoutBase, no_layout
from tilewright.layout.inttuple import IntTuple, as_int_tuple, positions_of, to_text
from tilewright.layout.layout import Layout, trusted

Modes: TypeAlias = tuple["IntTuple", ...]

if TYPE_CHECKING:
    from tilewright.layout.inttuple import IntTupleLike
    from tilewright.layout.methods import V, W
    from tilewright.layout.symbolic.symint import SymInt


@overload
def flatten(value: Layout[V]) -> Layout[V]: ...
@overload
def flatten(value: SupportsIndex | SymInt) -> int: ...
@overload
def flatten(value: Sequence[IntTupleLike]) -> tuple[int, ...]: ...
def flatten(value: Layout[V] | IntTupleLike | Sequence[IntTupleLike]) -> Layout[V] | IntTuple:
    """All leaves as modes of one tuple; a leaf stays a leaf.

    Of a layout R(i) == A(i) for every integer i, and its depth is at most 1.

    Raises:
        LayoutError: neither a layout nor an int tuple.

    >>> flatten((4, (2, 8))), print(flatten(Layout((4, (2, 8)))))
    (4,2,8):(1,4,8)
    ((4, 2, 8), None)
    """
    return _each(value, lambda t: inttuple.flatten(t) if isinstance(t, tuple) else t)


@overload
def unflatten(value: Layout[V], profile: IntTupleLike | LayoutBase) -> Layout[V]: ...
@overload
def unflatten(value: IntTupleLike, profile: IntTupleLike | LayoutBase) -> IntTuple: ...
def unflatten(value: Layout[V] | IntTupleLike, profile: IntTupleLike | LayoutBase) -> Layout[V] | IntTuple:
    """The leaves of a flat tuple in a profile: unflatten(flatten(x), x) == x.

    Raises:
        LayoutError: the numbers of leaves differ.

    >>> unflatten((1, 2, 3), (0, (0, 0)))
    (1, (2, 3))
    """
    like = profile.shape if isinstance(profile, LayoutBase) else as_int_tuple(profile)

    def walk(t: IntTuple) -> IntTuple:
        flat = inttuple.flatten(t)
        if len(flat) != len(inttuple.flatten(like)):
            raise LayoutError(f"unflatten: {to_text(t)} and {to_text(like)} have different numbers of leaves")
        return inttuple.unflatten(flat, like)

    return _each(value, walk)


@overload
def get(int_tuple: Layout[V], *path: int | Sequence[int], mode: int | Sequence[int] = ()) -> Layout[V]: ...
@overload
def get(int_tuple: Sequence[int], mode: int) -> int: ...
@overload
def get(int_tuple: IntTupleLike, *path: int | Sequence[int], mode: int | Sequence[int] = ()) -> IntTuple: ...
def get(
    int_tuple: Layout[V] | IntTupleLike | Sequence[int], *path: int | Sequence[int], mode: int | Sequence[int] = ()
) -> Layout[V] | IntTuple:
    """The mode at a position, or at a path of positions.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.

    >>> get((8, 16), 0), get((4, (2, 8)), 1, 0)
    (8, 2)
    """
    positions = positions_of(path, mode=mode)

    def walk(t: IntTuple) -> IntTuple:
        for position in positions:
            t = _mode(t, position)
        return t

    return _each(int_tuple, walk)


@overload
def select(
    int_tuple: Layout[V], *positions: int | Sequence[int], indices: Sequence[int] = (), mode: Sequence[int] = ()
) -> Layout[V]: ...
@overload
def select(
    int_tuple: Sequence[int], *positions: int | Sequence[int], indices: Sequence[int] = (), mode: Sequence[int] = ()
) -> tuple[int, ...]: ...
@overload
def select(
    int_tuple: IntTupleLike, *positions: int | Sequence[int], indices: Sequence[int] = (), mode: Sequence[int] = ()
) -> tuple[IntTuple, ...]: ...
def select(
    int_tuple: Layout[V] | IntTupleLike | Sequence[int],
    *positions: int | Sequence[int],
    indices: Sequence[int] = (),
    mode: Sequence[int] = (),
) -> Layout[V] | IntTuple:
    """The modes at the given positions, in that order, as a tuple. `indices` is FlyDSL's keyword, `mode` CuTe DSL's.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.

    >>> select((4, 8, 16), 2, 0), select((4, 8, 16), [1]), select((4, 8, 16), indices=[0, 2])
    ((16, 4), (8,), (4, 16))
    """
    chosen = positions_of(positions, indices=indices, mode=mode)
    return _each(int_tuple, lambda t: tuple(_mode(t, i) for i in chosen))


@overload
def take(int_tuple: Layout[V], begin: int, end: int | None = None) -> Layout[V]: ...
@overload
def take(int_tuple: Sequence[int], begin: int, end: int | None = None) -> tuple[int, ...]: ...
@overload
def take(int_tuple: IntTupleLike, begin: int, end: int | None = None) -> tuple[IntTuple, ...]: ...
def take(
    int_tuple: Layout[V] | IntTupleLike | Sequence[int], begin: int, end: int | None = None
) -> Layout[V] | IntTuple:
    """The modes in [begin, end), as a tuple.

    Raises:
        LayoutError: neither a layout nor an int tuple, or an empty range, or one beyond its modes.

    >>> take((4, 8, 16), 0, 2), take((4, 8, 16), 1, 2)
    ((4, 8), (8,))
    """

    def walk(t: IntTuple) -> IntTuple:
        first, last = _range("take", t, begin, end)
        return inttuple.modes(t)[first:last]

    return _each(int_tuple, walk)


@overload
def group(int_tuple: Layout[V], begin: int, end: int | None = None) -> Layout[V]: ...
@overload
def group(int_tuple: IntTupleLike, begin: int, end: int | None = None) -> tuple[IntTuple, ...]: ...
def group(int_tuple: Layout[V] | IntTupleLike, begin: int, end: int | None = None) -> Layout[V] | IntTuple:
    """The modes in [begin, end) as one nested mode; an empty range changes nothing.

    Raises:
        LayoutError: neither a layout nor an int tuple, or a range beyond its modes.

    >>> group((2, 3, 4), 1, 3)
    (2, (3, 4))
    """

    def walk(t: IntTuple) -> IntTuple:
        first, last = _range("group", t, begin, end)
        modes = inttuple.modes(t)
        return (*modes[:first], modes[first:last], *modes[last:]) if first < last else modes

    return _each(int_tuple, walk)


@overload
def append(base: Layout[V], elem: Layout[W], n: int | None = None) -> Layout[V | W]: ...
@overload
def append(base: IntTupleLike, elem: IntTupleLike, n: int | None = None) -> tuple[IntTuple, ...]: ...
def append(base: Layout[V] | IntTupleLike, elem: Layout[W] | IntTupleLike, n: int | None = None) -> Layout | IntTuple:
    """The modes with one more at the end, or with as many copies as make `n` modes.

    Raises:
        LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.

    >>> append((2, 3), 4), append((2, 3), 1, 4)
    ((2, 3, 4), (2, 3, 1, 1))
    """
    return _each2(base, elem, lambda t, x: _pad("append", t, x, n, lambda a, b: a + b))


@overload
def prepend(base: Layout[V], elem: Layout[W], n: int | None = None) -> Layout[V | W]: ...
@overload
def prepend(base: IntTupleLike, elem: IntTupleLike, n: int | None = None) -> tuple[IntTuple, ...]: ...
def prepend(base: Layout[V] | IntTupleLike, elem: Layout[W] | IntTupleLike, n: int | None = None) -> Layout | IntTuple:
    """The modes with one more at the front, or with as many copies as make `n` modes.

    Raises:
        LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.

    >>> prepend((2, 3), 4), prepend((2, 3), 1, 4)
    ((4, 2, 3), (1, 1, 2, 3))
    """
    return _each2(base, elem, lambda t, x: _pad("prepend", t, x, n, lambda a, b: b + a))


@overload
def replace(value: Layout[V], mode: int, item: Layout[W]) -> Layout[V | W]: ...
@overload
def replace(value: IntTupleLike, mode: int, item: IntTupleLike) -> tuple[IntTuple, ...]: ...
def replace(value: Layout[V] | IntTupleLike, mode: int, item: Layout[W] | IntTupleLike) -> Layout | IntTuple:
    """The modes with one of them replaced: R[mode] == item, and R[k] == value[k] for all others.

    Raises:
        LayoutError: neither a layout nor an int tuple, or no such mode.

    >>> replace((2, 3, 4), 1, (5, 6))
    (2, (5, 6), 4)
    """

    def walk(t: IntTuple, x: IntTuple) -> IntTuple:
        _mode(t, mode)
        modes = inttuple.modes(t)
        at = mode % len(modes)
        return (*modes[:at], x, *modes[at + 1 :])

    return _each2(value, item, walk)


@overload
def zip_(*values: Layout[V]) -> Layout[V]: ...
@overload
def zip_(*values: IntTupleLike) -> tuple[IntTuple, ...]: ...
def zip_(*values: Layout[V] | IntTupleLike) -> Layout[V] | IntTuple:
    """Mode i holds the modes i of all values; leaves, which have no modes, become one mode together.

    Raises:
        LayoutError: the ranks differ.

    >>> zip_((2, 3), (4, 5)), zip_(2, 3)
    (((2, 4), (3, 5)), ((2, 3),))
    """
    layouts = [v for v in values if isinstance(v, Layout)]
    if values and len(layouts) == len(values):
        return trusted(_zip([v.shape for v in layouts]), _zip([v.stride for v in layouts]))
    return _zip([as_int_tuple(v) for v in values])


def _each(
    value: Layout[V] | IntTupleLike | Sequence[IntTupleLike], change: Callable[[IntTuple], IntTuple]
) -> Layout[V] | IntTuple:
    if isinstance(value, Layout):
        return trusted(change(value.shape), change(value.stride))
    return change(as_int_tuple(value))


def _each2(
    value: Layout[V] | IntTupleLike, item: Layout[W] | IntTupleLike, change: Callable[[IntTuple, IntTuple], IntTuple]
) -> Layout | IntTuple:
    if isinstance(value, Layout):
        if not isinstance(item, Layout):
            raise LayoutError(f"a mode of a layout is a layout, got {no_layout(item)}")
        return trusted(change(value.shape, item.shape), change(value.stride, item.stride))
    return change(as_int_tuple(value), as_int_tuple(item))


def _mode(t: IntTuple, position: object) -> IntTuple:
    if type(position) is not int:
        raise LayoutError(f"a position is an integer, got {shown(position)}")
    try:
        return inttuple.modes(t)[position]
    except IndexError:
        raise LayoutError(f"{to_text(t)} has no mode {shown(position)}: its rank is {len(inttuple.modes(t))}") from None


def _range(name: str, t: IntTuple, begin: object, end: object) -> tuple[int, int]:
    rank = len(inttuple.modes(t))
    last = rank if end is None or (type(end) is int and end == -1) else end
    if type(begin) is not int or type(last) is not int or not 0 <= begin <= last <= rank:
        raise LayoutError(f"{name}: the range [{shown(begin)}, {shown(last)}) is not within {rank} modes: {to_text(t)}")
    if name == "take" and begin == last:
        raise LayoutError(f"take: the range [{begin}, {last}) of {to_text(t)} is empty")
    return begin, last


def _pad(name: str, t: IntTuple, item: IntTuple, rank: int | None, join: Callable[[Modes, Modes], Modes]) -> IntTuple:
    modes = inttuple.modes(t)
    wanted = len(modes) + 1 if rank is None else rank
    if type(wanted) is not int or not len(modes) <= wanted <= inttuple.MAX_LEAVES:
        raise LayoutError(f"{name}: {to_text(t)} has {len(modes)} modes, and cannot be given {shown(wanted)}")
    return t if wanted == len(modes) else join(modes, (item,) * (wanted - len(modes)))


def _zip(trees: list[IntTuple]) -> IntTuple:
    if trees and not isinstance(trees[0], tuple):
        return (tuple(trees),)
    modes = [inttuple.modes(t) for t in trees]
    if len(set(map(len, modes))) != 1:
        raise LayoutError(f"zip: {', '.join(map(to_text, trees))} are not tuples of one rank")
    return tuple(zip(*modes, strict=True))
