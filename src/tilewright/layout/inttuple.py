"""Int tuples: an integer, or a tuple of int tuples. The profile is the tree without its integers.

Every function walks the tree; colexicographic order (first mode fastest) is the order of CuTe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import index
from typing import TYPE_CHECKING, NoReturn, SupportsIndex, TypeAlias, TypeGuard, TypeVar, overload

from tilewright.errors import LayoutError, TilewrightError, shown
from tilewright.layout.kinds import Kind

if TYPE_CHECKING:
    from tilewright.layout.axes import AxisSum
    from tilewright.layout.symbolic.symint import SymInt

E = TypeVar("E")

MAX_DEPTH = 64
MAX_LEAVES = 4096
MAX_INT = 2**63

# The loops over modes whose lengths are compared elsewhere, or may differ: `strict=` would double what they take.
side_by_side = zip

_TOO_MANY = f"tuple has more than {MAX_LEAVES} leaves"


def is_int_tuple(value: object) -> bool:
    """Is it an integer, run-time integer, `value@axis` sum or None, or a tuple of int tuples?

    >>> is_int_tuple((4, (2, 8))), is_int_tuple([4, 8]), is_int_tuple("4")
    (True, False, False)
    """
    try:
        return bool(as_int_tuple(value) == value)
    except TilewrightError:
        return False


if TYPE_CHECKING:
    # What comes out: a run-time integer answers to all that an int does, so `int` stands for it, as in array libraries.
    IntTuple: TypeAlias = "int | tuple[IntTuple, ...]"
    # It also stands for `value@axis` and None in what `as_int_tuple` gives: who tells them apart takes one of these.
    Element: TypeAlias = "int | AxisSum"
    Elements: TypeAlias = "Element | tuple[Elements, ...]"
    Leaf: TypeAlias = "Element | None"
    Tree: TypeAlias = "Leaf | tuple[Tree, ...]"
    # What goes in: lists too, and whatever can be an index; strides on axes, None. Without the latter two: `Ints`,
    # and without run-time integers `KnownInts`.
    IntTupleLike: TypeAlias = "Ints | AxisSum | tuple[IntTupleLike, ...] | list[IntTupleLike] | None"
    Ints: TypeAlias = "KnownInts | SymInt | tuple[Ints, ...] | list[Ints]"
    KnownInts: TypeAlias = "SupportsIndex | tuple[KnownInts, ...] | list[int] | list[KnownInts]"
else:
    IntTuple = Kind(
        "IntTuple",
        is_int_tuple,
        "An integer, `value@axis` or None, or a tuple of int tuples: shapes, strides, coordinates.\n\n"
        "    Raises:\n        LayoutError: it is called: a kind of values makes none.\n\n"
        "    >>> isinstance((4, (2, 8)), IntTuple), isinstance((4, '8'), IntTuple)\n    (True, False)\n    ",
    )


def as_int_tuple(value: object) -> IntTuple:
    """`value` with lists turned into tuples and integers into `int`; the hostile-input limits hold.

    >>> as_int_tuple([4, [2, 8]])
    (4, (2, 8))
    """
    if type(value) is int and -MAX_INT < value < MAX_INT:
        return value
    leaves = 0

    def walk(node: object, depth: int) -> Tree:
        nonlocal leaves
        if type(node) is int:
            leaves += 1
            return in_64_bits(node)
        if isinstance(node, tuple | list):
            if depth >= MAX_DEPTH:
                raise LayoutError(f"tuple is nested deeper than {MAX_DEPTH}")
            if len(node) > MAX_LEAVES or leaves > MAX_LEAVES:  # no need to look at all of them
                raise LayoutError(_TOO_MANY)
            return tuple(walk(item, depth + 1) for item in node)
        if _is_leaf(node):
            leaves += 1
            return node
        if isinstance(node, bool):
            raise LayoutError(f"expected an integer, got {node}")
        try:
            return walk(index(node), depth)  # type: ignore[arg-type]  # what is no index is a TypeError
        except TypeError:
            raise LayoutError(f"expected an integer or a tuple of integers, got {shown(node)}") from None

    found = walk(value, 0)
    if leaves > MAX_LEAVES:
        raise LayoutError(_TOO_MANY)
    return found  # type: ignore[return-value]  # `int` stands for leaves of every kind


def positions_of(path: Iterable[object], **named: object) -> list[object]:
    """Positions that are given one after the other or in lists, or by one keyword, in one list.

    Raises:
        LayoutError: they are given in two ways.

    >>> positions_of((0, [1, 2]), mode=()), positions_of((), mode=[1]), positions_of((), mode=0)
    ([0, 1, 2], [1], [0])
    """
    ways = [*([("one after the other", path)] if path else []), *((k, v) for k, v in named.items() if v != ())]
    if len(ways) > 1:
        raise LayoutError(f"positions are given in one way, got them {' and as '.join(way for way, _ in ways)}")
    return [i for _, way in ways for part in _listed(way) for i in _listed(part)]


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list | tuple) else (value,)


def in_64_bits(value: E) -> E:
    """The value; an integer, or one of a tuple or of a sum over axes, must lie in (-2^63, 2^63).

    >>> in_64_bits(2**62 + 5) - 2**62
    5
    """
    if isinstance(value, int):
        if not -MAX_INT < value < MAX_INT:
            raise LayoutError(f"integer {shown(value)} is outside (-2^63, 2^63)")
    elif isinstance(value, tuple):
        for item in value:
            in_64_bits(item)
    else:
        for _, item in getattr(value, "terms", ()):
            in_64_bits(item)
    return value


def _is_leaf(node: object) -> TypeGuard[Leaf]:
    return node is None or getattr(node, "is_layout_leaf", False)


def check_depth(value: object, levels: int = MAX_DEPTH) -> None:
    """Raises `LayoutError` when tuples or lists are nested deeper than the limit of int tuples."""
    if isinstance(value, tuple | list):
        if not levels:
            raise LayoutError(f"tuple is nested deeper than {MAX_DEPTH}")
        for item in value:
            check_depth(item, levels - 1)


@overload
def leaves(t: IntTuple) -> Iterator[int]: ...
@overload
def leaves(t: Elements) -> Iterator[Element]: ...
@overload
def leaves(t: Tree) -> Iterator[Leaf]: ...
def leaves(t: Tree) -> Iterator[Leaf]:
    """The leaves from left to right.

    >>> list(leaves((4, (2, 8))))
    [4, 2, 8]
    """
    rest: list[Tree] = [t]
    while rest:
        item = rest.pop()
        if isinstance(item, tuple):
            rest.extend(item[::-1])
        else:
            yield item


@overload
def flatten(t: IntTuple) -> tuple[int, ...]: ...
@overload
def flatten(t: Elements) -> tuple[Element, ...]: ...
@overload
def flatten(t: Tree) -> tuple[Leaf, ...]: ...
def flatten(t: Tree) -> tuple[Leaf, ...]:
    """The leaves as one flat tuple; `unflatten(flatten(t), t) == t`."""
    if isinstance(t, tuple):
        flat = [item for item in t if item.__class__ is int]
        return tuple(flat) if len(flat) == len(t) else tuple([leaf for item in t for leaf in flatten(item)])
    return (t,)


@overload
def unflatten(flat: tuple[int, ...], profile: Tree) -> IntTuple: ...
@overload
def unflatten(flat: tuple[Element, ...], profile: Tree) -> Elements: ...
@overload
def unflatten(flat: tuple[Leaf, ...], profile: Tree) -> Tree: ...
def unflatten(flat: tuple[Leaf, ...], profile: Tree) -> Tree:
    """The tree with the profile of `profile` and the leaves of `flat`.

    >>> unflatten((1, 2, 3), (0, (0, 0)))
    (1, (2, 3))
    """
    it = iter(flat)

    def walk(node: Tree) -> Tree:
        return tuple(walk(item) for item in node) if isinstance(node, tuple) else next(it)

    return walk(profile)


def _no_product(t: Tree) -> NoReturn:
    raise LayoutError(f"{to_text(t)} has no product") from None


def product(t: IntTuple) -> int:
    """The product of all leaves; 1 for the empty tuple.

    >>> product((4, (2, 8)))
    64
    """
    if t.__class__ is int or not isinstance(t, tuple):
        return t if t is not None else _no_product(t)
    total = 1
    try:
        for item in t:
            total = total * (item if item.__class__ is int else product(item))
    except TypeError:
        _no_product(t)
    if total.__class__ is int and total >= MAX_INT:
        raise LayoutError(f"the product of {to_text(t)} is {shown(total)}, beyond 2^63 - 1")
    return total


@overload
def modes(t: IntTuple) -> tuple[IntTuple, ...]: ...
@overload
def modes(t: Elements) -> tuple[Elements, ...]: ...
@overload
def modes(t: Tree) -> tuple[Tree, ...]: ...
def modes(t: Tree) -> tuple[Tree, ...]:
    """The top-level modes; a leaf is one.

    >>> modes((4, (2, 8))), modes(8)
    ((4, (2, 8)), (8,))
    """
    return t if isinstance(t, tuple) else (t,)


def rank(t: Tree) -> int:
    """The number of top-level modes; 1 for a leaf."""
    return len(t) if isinstance(t, tuple) else 1


def depth(t: Tree) -> int:
    """The nesting depth; 0 for a leaf.

    >>> depth((8, (4, 2)))
    2
    """
    return 1 + max(map(depth, t), default=0) if isinstance(t, tuple) else 0


def congruent(a: Tree, b: Tree) -> bool:
    """Equal profiles.

    >>> congruent((4, (2, 8)), (1, (16, 4))), congruent((4,), 4)
    (True, False)
    """
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(congruent, a, b))
    return not isinstance(a, tuple) and not isinstance(b, tuple)


def prefix_product(t: IntTuple, start: int = 1) -> IntTuple:
    """Compact colexicographic strides of shape `t`: each leaf the product of the leaves before it.

    >>> prefix_product((4, (2, 8)))
    (1, (4, 8))
    """
    running = start

    def walk(node: IntTuple) -> IntTuple:
        nonlocal running
        if isinstance(node, tuple):
            return tuple(walk(item) for item in node)
        stride, running = running, running * node
        return stride

    return walk(t)


def to_source(t: Tree) -> str:
    """A Python expression, over names that `tilewright` exports, that makes the tuple."""
    if isinstance(t, tuple):
        inside = ", ".join(map(to_source, t))
        return f"({inside},)" if len(t) == 1 else f"({inside})"
    source = getattr(t, "to_source", None)
    return repr(t) if source is None else str(source())


def to_text(t: object) -> str:
    """CuTe's text: no blanks, `(4)` for a tuple of one, `_` for None.

    >>> to_text((4, (2,), None))
    '(4,(2),_)'
    """
    return _text(t, MAX_DEPTH)


def _text(t: object, levels: int) -> str:
    if isinstance(t, tuple | list):
        return f"({','.join(_text(item, levels - 1) for item in t)})" if levels else ".."
    if type(t) is int and abs(t) >= MAX_INT:
        return shown(t)
    return "_" if t is None else str(t)
