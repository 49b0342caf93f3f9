"""What ops that make layouts and tiles infer."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tilewright.errors import LayoutError
from tilewright.ir.fly.leaves import is_run_time
from tilewright.ir.fly.normal_form import canonical, innermost, ordered, unwrapped
from tilewright.ir.fly.rules.coordinates import elements, presented
from tilewright.ir.fly.types import AnyLayout, Tile, Value
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout import structure
from tilewright.layout.algebra.tiler import as_tiler
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.construct import ordered_layout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.inttuple import MAX_INT, congruent, flatten, leaves, prefix_product
from tilewright.layout.layout import Layout, compact_stride, concatenate, trusted
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.printers import to_fly

if TYPE_CHECKING:
    from tilewright.layout.inttuple import IntTuple, Tree

Profiled: TypeAlias = "Tree | AnyLayout"


def make_layout(shape: IntTuple, stride: Tree) -> Layout:
    """Shape and stride have one profile."""
    if not congruent(shape, stride):
        found = ", ".join(f"!fly.int_tuple<{to_fly(x)}>" for x in (shape, stride))
        words = f"profile mismatch: is_profile_congruent({found}) is False"
        raise LayoutError(f"MakeLayoutOp: expected shape/stride profiles to match for result layout\n{words}")
    return algebra.make_layout(shape, stride)


def make_composed_layout(
    inner: AnyLayout | Swizzle | CoordSwizzle, offset: Profiled, outer: AnyLayout | None = None
) -> ComposedLayout:
    """x -> inner(offset + outer(x)); without an offset that of the origin."""
    if outer is None and isinstance(offset, Layout | ComposedLayout):
        return ComposedLayout(inner, presented(algebra.coprofile(innermost(offset))), offset)
    if outer is None or isinstance(offset, Layout | ComposedLayout):
        raise LayoutError("make_composed_layout takes a function, perhaps an offset, and a layout")
    if None in leaves(offset):
        raise LayoutError(f"`*` is no offset of a composed layout, got {to_fly(offset)}")
    return ComposedLayout(inner, offset, outer)


def composed_get_inner(layout: ComposedLayout) -> Value:
    """The function that is applied last, which FlyDSL calls the inner one."""
    return layout.outer


def composed_get_offset(layout: ComposedLayout) -> Tree:
    """What is added between the two."""
    return layout.offset


def composed_get_outer(layout: ComposedLayout) -> AnyLayout:
    """The layout that is applied first, which FlyDSL calls the outer one."""
    return layout.inner


def make_tile(modes: tuple[Layout | Tile | Tree, ...]) -> Tile:
    """A tiler of one mode each."""
    return Tile(as_tiler(tuple(mode.tiler if isinstance(mode, Tile) else mode for mode in modes)))


def make_layout_like(layout: AnyLayout) -> Layout:
    """Modes of stride 0 count as extents of 1."""
    layout = innermost(layout)
    strides = flatten(layout.stride)
    live = tuple(1 if d == 0 else s for s, d in zip(flatten(layout.shape), strides, strict=True))
    return trusted(layout.shape, structure.unflatten(ordered(live, _order(strides)).stride, layout.shape))


def make_fragment_layout_like(like: AnyLayout) -> Layout:
    """Mode 0 compact and fastest, then the leaves of the others in the order of their strides.

    Coordinates have no order: their modes stay as they are.
    """
    layout = innermost(like)
    if elements(layout.stride):
        layout = trusted(layout.shape, compact_stride(layout.shape))
    if not isinstance(layout.shape, tuple) or len(layout.shape) < 2:
        return trusted(layout.shape, prefix_product(layout.shape))
    first, rest = algebra.make_layout(layout.shape[0]), unwrapped(algebra.select(layout, *range(1, layout.rank)))
    starts = ordered_layout(rest.shape, structure.unflatten(_order(flatten(rest.stride)), rest.shape))
    return canonical(concatenate([first, *_times(starts, first.size)]))


def _order(strides: tuple[int, ...]) -> tuple[int, ...]:
    """The strides as an order: those known at run time only come last, as they stand."""
    return tuple(MAX_INT - len(strides) + i if is_run_time(d) else d for i, d in enumerate(strides))


def _times(layout: Layout, factor: int) -> Layout:
    strides = tuple(d * factor for d in flatten(layout.stride))
    return trusted(layout.shape, structure.unflatten(strides, layout.shape))
