"""Shorter layouts with the same function: coalesce, filter, simplify."""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum
from tilewright.layout.inttuple import IntTuple, as_int_tuple, leaves, to_text
from tilewright.layout.layout import Layout, trusted

Modes = tuple[list[Any], list[Any]]


def coalesce(layout: Any, profile: Any = None) -> Any:
    """The layout with the fewest modes that has the same size and the same function of an integer.

    Modes of size 1 go, neighbours with s0 * d0 == d1 merge. With a profile, each of its leaves is coalesced on its own,
    and modes beyond it stay. Run-time leaves are left alone, see `simplify`.

    Raises:
        LayoutError: the profile has more modes than the layout.

    Source: CuTe's `coalesce`.

    >>> print(coalesce(Layout((2, (1, 6)), (1, (6, 2)))), coalesce(Layout((2, (1, 6)), (1, (6, 2))), (1, 1)))
    12:1 (2,6):(1,2)
    """
    if not isinstance(layout, Layout):
        return layout.over_inner(lambda inner: coalesce(inner, profile))
    profile = as_int_tuple(profile) if profile is not None else 0
    return _by_profile(layout, profile) if isinstance(profile, tuple) else _coalesced(layout)


def filter_zeros(layout: Any) -> Any:
    """The layout with every mode of stride 0 replaced by a mode of size 1.

    >>> print(filter_zeros(Layout((4, 8), (0, 1))))
    (1,8):(0,1)
    """
    if not isinstance(layout, Layout):
        return layout.over_inner(filter_zeros)
    return trusted(_shape_without_zeros(layout.shape, layout.stride), layout.stride)


def filter_(layout: Any, profile: Any = None) -> Any:
    """The image in a shorter layout: modes of stride 0 and of size 1 are gone, the rest is coalesced.

    >>> print(filter_(Layout((4, (2, 1)), (0, (1, 7)))))
    2:1
    """
    return coalesce(filter_zeros(layout), profile)


def simplify(layout: Any) -> Any:
    """`coalesce` that also merges run-time modes wherever the merge is proved.

    >>> print(simplify(Layout((2, (1, 6)), (1, (6, 2)))))
    12:1
    """
    if not isinstance(layout, Layout):
        return layout.over_inner(simplify)
    return from_modes(*merge(leaves(layout.shape), leaves(layout.stride), same=_proved_equal))


def merge(shape: Any, stride: Any, same: Any = None) -> Modes:
    """The coalesced leaves of flat shapes and strides; empty for a layout of size 1."""
    same = same or static_equal
    shapes: list[Any] = []
    strides: list[Any] = []
    for s, d in zip(shape, stride, strict=True):
        if type(s) is int and s == 1:
            continue
        if shapes and same(shapes[-1] * strides[-1], d, shapes[-1]):
            shapes[-1] = shapes[-1] * s
        else:
            shapes.append(s)
            strides.append(d)
    return shapes, strides


def from_modes(shapes: list[Any], strides: list[Any]) -> Layout:
    """The layout of flat modes: `1:0` for none, a leaf for one."""
    if len(shapes) == 1:
        return trusted(shapes[0], strides[0])
    return trusted(tuple(shapes), tuple(strides)) if shapes else trusted(1, 0)


def is_static(value: Any) -> bool:
    """Is the leaf known: an int, or a sum of known values?"""
    return type(value) is int or (isinstance(value, AxisSum) and all(type(v) is int for _, v in value.terms))


def static_equal(reach: Any, stride: Any, extent: Any) -> bool:
    """Are two known leaves equal? Run-time leaves never are."""
    return type(extent) is int and is_static(reach) and is_static(stride) and bool(reach == stride)


def _proved_equal(reach: Any, stride: Any, extent: Any) -> bool:
    return bool(reach == stride)


def _coalesced(layout: Layout) -> Layout:
    if not isinstance(layout.shape, tuple):
        return trusted(1, 0) if layout.shape == 1 else layout
    return from_modes(*merge(leaves(layout.shape), leaves(layout.stride)))


def _by_profile(layout: Layout, profile: IntTuple) -> Layout:
    if len(profile) > layout.rank or not isinstance(layout.shape, tuple):
        raise LayoutError(f"coalesce: the profile {to_text(profile)} has more modes than {layout}")
    parts = [
        _by_profile(mode, p) if isinstance(p, tuple) else _coalesced(mode)
        for mode, p in zip(layout, profile, strict=False)
    ]
    done = len(parts)
    return trusted(
        (*(p.shape for p in parts), *layout.shape[done:]), (*(p.stride for p in parts), *layout.stride[done:])
    )


def _shape_without_zeros(shape: IntTuple, stride: IntTuple) -> IntTuple:
    if isinstance(shape, tuple):
        return tuple(map(_shape_without_zeros, shape, stride))
    return 1 if type(stride) is int and stride == 0 else shape
