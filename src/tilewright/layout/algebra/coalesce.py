"""Shorter layouts with the same function: coalesce, simplify, filter."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.algebra.modes import coalesced, from_modes
from tilewright.layout.arithmetic import is_equal
from tilewright.layout.inttuple import IntTuple, as_int_tuple, flatten, modes, to_text
from tilewright.layout.layout import Layout, concatenate, modes_alone, trusted
from tilewright.layout.steps import LOG, Derivation, record

if TYPE_CHECKING:
    from tilewright.layout.inttuple import IntTupleLike
    from tilewright.layout.methods import V


def coalesce(layout: Layout[V], pattern: IntTupleLike = None) -> Layout[V]:
    """The layout with the fewest modes that has the same size and the same function of an integer.

    Modes of size 1 go, neighbours with s0 * d0 == d1 merge. With a pattern, each of its leaves is coalesced on its own,
    and modes beyond it stay. Run-time leaves are left alone, see `simplify`.

    Raises:
        LayoutError: the pattern has more modes than the layout.

    Source: CuTe's `coalesce`.

    >>> print(coalesce(Layout((2, (1, 6)), (1, (6, 2)))), coalesce(Layout((2, (1, 6)), (1, (6, 2))), (1, 1)))
    12:1 (2,6):(1,2)
    """
    if pattern is None:
        found = from_modes(*coalesced(layout.shape, layout.stride))
        if LOG.get() is not None:
            record("coalesce", (layout,), found, _moves(layout))
        return found
    return _by_profile(coalesce, layout, as_int_tuple(pattern))


def _moves(layout: Layout) -> tuple[Derivation, ...]:
    """For a derivation: what each further mode makes of the modes before it."""
    shapes, strides = flatten(layout.shape), flatten(layout.stride)
    prefixes = [from_modes(*coalesced(shapes[: k + 1], strides[: k + 1])) for k in range(len(shapes))]
    texts = (f"{s}:{d}" for s, d in zip(shapes, strides, strict=True))
    return tuple(Derivation("with mode", (text,), prefix) for text, prefix in zip(texts, prefixes, strict=True))


def simplify(layout: Layout[V]) -> Layout[V]:
    """`coalesce` that also merges run-time modes wherever the merge is proved.

    R(i) == A(i) for every integer i below the size, whatever the run-time integers are; no mode is added.

    Raises:
        LayoutError: no layout.

    >>> print(simplify(Layout((2, (1, 6)), (1, (6, 2)))))
    12:1
    """
    return from_modes(*coalesced(layout.shape, layout.stride, proved=True))


def filter_zeros(layout: Layout[V]) -> Layout[V]:
    """The layout with every mode of stride 0 replaced by a mode of size 1.

    R(c) == A(c) for every coordinate c of R, whose profile is that of A: each value at as many coordinates as the other
    strides give it.

    Raises:
        LayoutError: no layout.

    >>> print(filter_zeros(Layout((4, 8), (0, 1))))
    (1,8):(0,1)
    """
    return trusted(without_zeros(layout.shape, layout.stride), layout.stride)


def filter_(layout: Layout[V], pattern: IntTupleLike = None) -> Layout[V]:
    """The image in a shorter layout: modes of stride 0 and of size 1 are gone, the rest is coalesced.

    With a pattern, each of its leaves is filtered on its own, and modes beyond it stay.

    Raises:
        LayoutError: no layout, or a pattern with more modes than it.

    >>> print(filter_(Layout((4, (2, 1)), (0, (1, 7)))))
    2:1
    """
    if pattern is not None:
        return _by_profile(filter_, layout, as_int_tuple(pattern))
    return coalesce(filter_zeros(layout))


def without_zeros(shape: IntTuple, stride: IntTuple) -> IntTuple:
    """The shape with 1 in place of every extent whose stride is 0.

    >>> without_zeros((4, (2, 8)), (0, (1, 0)))
    (1, (2, 1))
    """
    if isinstance(shape, tuple) or isinstance(stride, tuple):
        return tuple(map(without_zeros, modes(shape), modes(stride)))
    return 1 if is_equal(stride, 0) else shape


def _by_profile(change: Callable[[Layout], Layout], layout: Layout, profile: IntTuple) -> Layout:
    if not isinstance(profile, tuple):
        return change(layout)
    if not isinstance(layout.shape, tuple) or len(profile) > layout.rank:
        raise LayoutError(f"the pattern {to_text(profile)} has more modes than {layout}")
    parts = [_by_profile(change, mode, part) for mode, part in zip(modes_alone(layout), profile, strict=False)]
    return concatenate([*parts, *modes_alone(layout)[len(parts) :]])
