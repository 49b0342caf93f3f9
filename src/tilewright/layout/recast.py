"""Recasts: the same bits seen as wider or narrower elements."""

from __future__ import annotations

from math import gcd
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.inttuple import IntTuple, as_int_tuple
from tilewright.layout.layout import Layout, trusted


def upcast(layout: Any, factor: int) -> Any:
    """The layout in elements `factor` times as wide: the same bits, each wide element once.

    Raises:
        LayoutError: a wide element would be cut.

    Source: CuTe's `upcast`.

    >>> print(upcast(Layout((16, 8), (1, 16)), 4))
    (4,8):(1,4)
    """
    factor = _factor(factor)
    if not isinstance(layout, Layout):
        return layout.recast(factor, up=True)
    return trusted(*_walk(_up, layout.shape, layout.stride, factor, layout))


def downcast(layout: Any, factor: int) -> Any:
    """The layout in elements `factor` times as narrow: the same bits.

    Raises:
        LayoutError: no mode of stride 1 that could hold the narrow elements.

    Source: CuTe's `downcast`.

    >>> print(downcast(Layout((4, 8), (1, 4)), 4))
    (16,8):(1,16)
    """
    factor = _factor(factor)
    if not isinstance(layout, Layout):
        return layout.recast(factor, up=False)
    return trusted(*_walk(_down, layout.shape, layout.stride, factor, layout))


def recast_layout(layout: Any, old_bits: int, new_bits: int) -> Any:
    """The layout of elements of `old_bits` bits seen in elements of `new_bits` bits.

    Raises:
        LayoutError: a new element would be cut.

    >>> print(recast_layout(Layout((8, 16), (16, 1)), 16, 8))
    (8,32):(32,1)
    """
    old_bits, new_bits = _factor(old_bits), _factor(new_bits)
    common = gcd(old_bits, new_bits)
    return downcast(upcast(layout, new_bits // common), old_bits // common)


def _factor(value: Any) -> int:
    factor = as_int_tuple(value)
    if type(factor) is not int or factor < 1:
        raise LayoutError(f"a recast needs positive widths, got {value!r}")
    return factor


def _walk(leaf: Any, shape: IntTuple, stride: IntTuple, factor: int, layout: Layout) -> tuple[IntTuple, IntTuple]:
    if isinstance(shape, tuple):
        parts = [_walk(leaf, s, d, factor, layout) for s, d in zip(shape, stride, strict=True)]
        return tuple(p[0] for p in parts), tuple(p[1] for p in parts)
    return (shape, 0) if type(stride) is int and stride == 0 else leaf(shape, stride, factor, layout)


def _up(s: int, d: int, factor: int, layout: Layout) -> tuple[int, int]:
    step = abs(d)
    if step % factor and factor % step:
        raise LayoutError(f"upcast by {factor}: stride {d} of {layout} neither divides the factor nor is divided by it")
    sign = -1 if d < 0 else 1
    wide = -(-factor // step)
    return -(-s // wide), sign * -(-step // factor)


def _down(s: int, d: int, factor: int, layout: Layout) -> tuple[int, int]:
    return (s * factor, d) if abs(d) == 1 else (s, d * factor)
