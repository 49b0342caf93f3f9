"""fly's own form of the algebra's results: where it drops one-tuples, and which strides it writes for extents of 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, overload

from tilewright.errors import LayoutError
from tilewright.ir.fly.types import AnyLayout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.construct import ordered_stride
from tilewright.layout.inttuple import IntTuple, modes, prefix_product, to_text
from tilewright.layout.layout import Layout, concatenate, trusted

if TYPE_CHECKING:
    from tilewright.layout.algebra.tiler import CheckedTiler
    from tilewright.layout.inttuple import Tree

Change: TypeAlias = Callable[[Layout], Layout]


@overload
def canonical(layout: Layout) -> Layout: ...
@overload
def canonical(layout: ComposedLayout) -> ComposedLayout: ...
def canonical(layout: AnyLayout) -> AnyLayout:
    """Tuples of one mode as that mode, and stride 0 under every extent of 1.

    >>> print(canonical(Layout(((4,), (1, 2)), ((1,), (7, 4)))))
    (4,(1,2)):(1,(0,4))
    """
    return over_inner(lambda plain: trusted(*_canonical(plain.shape, plain.stride)), layout)


def _canonical(shape: IntTuple, stride: IntTuple) -> tuple[IntTuple, IntTuple]:
    if not isinstance(shape, tuple) or not isinstance(stride, tuple):
        return shape, 0 if shape.__class__ is int and shape == 1 else stride
    parts = [_canonical(s, d) for s, d in zip(shape, stride, strict=True)]
    if len(parts) == 1:
        return parts[0]
    return tuple(s for s, _ in parts), tuple(d for _, d in parts)


@overload
def over_inner(change: Change, layout: Layout) -> Layout: ...
@overload
def over_inner(change: Change, layout: ComposedLayout) -> ComposedLayout: ...
def over_inner(change: Change, layout: AnyLayout) -> AnyLayout:
    """The change made to the layout itself, under every swizzle and offset."""
    return layout.over_inner(lambda x: over_inner(change, x)) if isinstance(layout, ComposedLayout) else change(layout)


def innermost(layout: AnyLayout) -> Layout:
    """The layout itself, under every swizzle and offset."""
    while isinstance(layout, ComposedLayout):
        layout = layout.inner
    return layout


@overload
def unwrapped(value: Layout) -> Layout: ...
@overload
def unwrapped(value: ComposedLayout) -> ComposedLayout: ...
@overload
def unwrapped(value: Tree) -> Tree: ...
def unwrapped(value: Tree | AnyLayout) -> Tree | AnyLayout:
    """The value without a tuple of one mode around it, once.

    >>> unwrapped(((2, 3),)), print(unwrapped(Layout((8,), (2,))))
    8:2
    ((2, 3), None)
    """
    if isinstance(value, tuple):
        return value[0] if len(value) == 1 else value
    if isinstance(value, Layout | ComposedLayout):
        return over_inner(lambda x: x[0] if isinstance(x.shape, tuple) and len(x.shape) == 1 else x, value)
    return value


@overload
def bare(value: Layout) -> Layout: ...
@overload
def bare(value: ComposedLayout) -> ComposedLayout: ...
@overload
def bare(value: Tree) -> Tree: ...
def bare(value: Tree | AnyLayout) -> Tree | AnyLayout:
    """The value without any tuple of one mode around it.

    >>> bare((((2, 3),),))
    (2, 3)
    """
    once = unwrapped(value)
    return value if once == value else bare(once)


def ordered(shape: IntTuple, order: IntTuple) -> Layout:
    """The compact layout of an order, with the running stride also under extents of 1.

    >>> print(ordered((1, 2), (1, 0)), ordered((4, 8), (0, 0)))
    (1,2):(2,1) (4,8):(1,1)
    """
    extents = Layout(shape).shape
    return trusted(extents, ordered_stride(extents, order, prefix_product))


@overload
def zipped(divided: Layout, tiler: tuple[CheckedTiler, ...]) -> Layout: ...
@overload
def zipped(divided: ComposedLayout, tiler: tuple[CheckedTiler, ...]) -> ComposedLayout: ...
def zipped(divided: AnyLayout, tiler: tuple[CheckedTiler, ...]) -> AnyLayout:
    """`divided`, ((tiles), (rests)) of a division by mode, with each divided part in canonical form."""

    def change(layout: Layout) -> Layout:
        tiles, rests = layout
        kept = [part is None for part in tiler]
        return concatenate([_parts(tiles, kept), _parts(rests, kept + [True] * (rests.rank - len(kept)))])

    return over_inner(change, divided)


@overload
def by_mode(divided: Layout, tiler: tuple[CheckedTiler, ...]) -> Layout: ...
@overload
def by_mode(divided: ComposedLayout, tiler: tuple[CheckedTiler, ...]) -> ComposedLayout: ...
def by_mode(divided: AnyLayout, tiler: tuple[CheckedTiler, ...]) -> AnyLayout:
    """`divided`, the modes of a division by mode, with each divided mode in canonical form."""

    def change(layout: Layout) -> Layout:
        kept = [part is None for part in tiler]
        layout = layout if isinstance(layout.shape, tuple) else concatenate([layout])
        return _parts(layout, kept + [True] * (layout.rank - len(kept)))

    return over_inner(change, divided)


def _parts(layout: Layout, kept: list[bool]) -> Layout:
    return concatenate([mode if keep else canonical(mode) for mode, keep in zip(layout, kept, strict=False)])


@overload
def spread(layout: Layout, first: bool) -> Layout: ...
@overload
def spread(layout: ComposedLayout, first: bool) -> ComposedLayout: ...
def spread(layout: AnyLayout, first: bool) -> AnyLayout:
    """A pair of modes with those of the second, and perhaps those of the first, side by side.

    Raises:
        LayoutError: there are more modes, or fewer.

    >>> print(spread(Layout((4, (2, 3))), first=True))
    (4,2,3):(1,4,8)
    """

    def change(x: Layout) -> Layout:
        if x.rank != 2:
            raise LayoutError(f"expected a tile and a rest, got {to_text(x.shape)}")
        left, right = x
        return concatenate([*(modes_of(left) if first else [left]), *modes_of(right)])

    return over_inner(change, layout)


def modes_of(layout: Layout) -> list[Layout]:
    """The modes of a layout; a leaf is one."""
    return [trusted(s, d) for s, d in zip(modes(layout.shape), modes(layout.stride), strict=True)]
