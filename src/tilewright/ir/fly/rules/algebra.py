"""What each op of the layout algebra infers: the algebra of `layout/` on its operands, in fly's own form.

A rule takes the values of the operands, and the attributes by name. It raises `LayoutError` where the algebra does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from tilewright.errors import LayoutError
from tilewright.ir.fly.leaves import is_run_time
from tilewright.ir.fly.normal_form import by_mode, canonical, innermost, modes_of, ordered, over_inner, spread, zipped
from tilewright.ir.fly.rules.memory import of_view
from tilewright.ir.fly.types import AnyLayout, Tile, View
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout import structure
from tilewright.layout.algebra.tiler import as_tiler
from tilewright.layout.arithmetic import ceil_div
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import IntTuple, as_int_tuple, leaves, modes, product, rank
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from tilewright.layout.algebra.tiler import CheckedTiler
    from tilewright.layout.inttuple import Tree

Divisor: TypeAlias = "Layout | Tile | Tree"


def composition(a: AnyLayout, b: Divisor | ComposedLayout | Swizzle) -> AnyLayout:
    """A o B, under A's swizzle; modes beyond a tile stay, tiles beyond the modes are ignored."""
    if isinstance(a, ComposedLayout):
        return a.over_inner(lambda inner: composition(inner, b))
    if isinstance(b, ComposedLayout | Swizzle):
        return canonical(algebra.composition(a, b))
    tiler = as_tiler(tiler_of(b))
    if isinstance(b, Tile) and isinstance(tiler, tuple):
        tiler = (*tiler, *(None,) * (a.rank - len(tiler)))[: a.rank]
    return canonical(algebra.composition(a, tiler))


def compose(a: AnyLayout | View | Swizzle, b: Divisor | ComposedLayout | Swizzle) -> AnyLayout | View | Swizzle:
    """A o B, also of views and swizzles."""
    return _of_swizzle(a, b) if isinstance(a, Swizzle) else of_view(composition)(a, b)


def _of_swizzle(a: Swizzle, b: Divisor | ComposedLayout | Swizzle) -> AnyLayout | Swizzle:
    if isinstance(b, Swizzle):
        return algebra.composition(a, b)
    if not isinstance(b, Layout | ComposedLayout):
        raise LayoutError("a swizzle is composed with a layout or a swizzle, not with a tile")
    return canonical(algebra.composition(a, b))


def tiler_of(value: Divisor) -> Layout | CheckedTiler | Tree:
    """A tile as the tiler of the algebra."""
    return value.tiler if isinstance(value, Tile) else value


def coalesce(layout: AnyLayout, pattern: Tree = None) -> AnyLayout:
    """A tuple of one leaf stays one; for a leaf, a pattern of modes makes one."""
    shape = innermost(layout).shape
    if isinstance(shape, tuple) and len(shape) == 1 and not isinstance(shape[0], tuple):
        return layout
    if isinstance(pattern, tuple) and pattern and not isinstance(shape, tuple):
        return over_inner(lambda x: trusted((x.shape,), (x.stride,)), coalesce(layout, pattern[0]))
    return algebra.coalesce(layout) if pattern is None else algebra.coalesce(layout, pattern)


def complement(layout: AnyLayout, cotarget: Tree | AnyLayout = None) -> Layout:
    """An empty complement of what is nowhere but at 0 prints as `1:1`."""
    found = algebra.complement(layout) if cotarget is None else algebra.complement(layout, cotarget)
    still = not any(s != 1 and d != 0 for s, d in innermost(layout).flat)
    return Layout(1, 1) if still and found == Layout(1, 0) else found


def right_inverse(layout: AnyLayout) -> AnyLayout:
    """Modes known at run time only are skipped: they stay at coordinate 0."""
    known = over_inner(lambda x: _without(x, lambda s, d: is_run_time(s) or is_run_time(d)), layout)
    return algebra.right_inverse(known)


def left_inverse(layout: AnyLayout) -> AnyLayout:
    """Run-time strides are skipped."""
    found = algebra.left_inverse(over_inner(lambda x: _without(x, lambda s, d: is_run_time(d)), layout))
    return Layout(1, 0) if not any(map(_moves, leaves(innermost(found).stride))) else found


def _moves(stride: int) -> bool:
    return stride.__class__ is not int or stride != 0


def _without(layout: Layout, skip: Callable[[int, int], bool]) -> Layout:
    if layout.is_static:
        return layout
    flat = [(s, 0 if skip(s, d) else d) for s, d in layout.flat]
    return trusted(layout.shape, structure.unflatten(tuple(d for _, d in flat), layout.shape))


def recast_layout(layout: AnyLayout, old: int, new: int) -> AnyLayout:
    """Counting in wider elements forgets the divisors of extents, as every division does."""
    found = algebra.recast_layout(layout, old, new)
    return over_inner(_forget, found) if new > old else found


def _forget(layout: Layout) -> Layout:
    flat = [s // 1 if is_run_time(s) and not is_run_time(d) else s for s, d in layout.flat]
    return trusted(as_int_tuple(structure.unflatten(tuple(flat), layout.shape)), layout.stride)


# ---- divides and products


def logical_divide(layout: AnyLayout, divisor: Divisor) -> AnyLayout:
    """Divided modes in canonical form; modes that the tile keeps as they are."""
    tiler = _tiler(layout, divisor)
    found = algebra.logical_divide(layout, tiler)
    return by_mode(found, tiler) if isinstance(tiler, tuple) else canonical(found)


def zipped_divide(layout: AnyLayout, divisor: Divisor) -> AnyLayout:
    """((tiles), (rests)), of at most a tile for each mode; of a layout as divisor the logical divide."""
    tiler, given = _tiler(layout, divisor), tiler_of(divisor)
    if isinstance(given, tuple) and len(given) > layout.rank:
        words = f"the tile has {len(given)} modes, the layout {layout.rank}"
        raise LayoutError(f"ZippedDivideOp: divisor tile rank exceeds layout rank\n{words}")
    if not isinstance(tiler, tuple):
        return logical_divide(layout, divisor)
    return zipped(algebra.zipped_divide(layout, tiler), tiler)


def tiled_divide(layout: AnyLayout, divisor: Divisor) -> AnyLayout:
    """((tiles), rest, rest, ..)."""
    return spread(zipped_divide(layout, divisor), first=False)


def flat_divide(layout: AnyLayout, divisor: Divisor) -> AnyLayout:
    """(tile, tile, .., rest, rest, ..)."""
    return spread(zipped_divide(layout, divisor), first=True)


def _tiler(layout: AnyLayout, divisor: Divisor) -> CheckedTiler:
    tiler = as_tiler(tiler_of(divisor))
    return tiler[: layout.rank] if isinstance(tiler, tuple) else tiler


def logical_product(block: AnyLayout, tiler: Divisor) -> AnyLayout:
    """(A, repetitions)."""
    return canonical(algebra.logical_product(block, _tiler(block, tiler)))


def tiled_product(block: AnyLayout, tiler: Divisor) -> AnyLayout:
    """(A, repetition, repetition, ..)."""
    if isinstance(tiler, Tile):
        return canonical(algebra.tiled_product(block, _tiler(block, tiler)))
    return spread(logical_product(block, tiler), first=False)


def flat_product(block: AnyLayout, tiler: Divisor) -> AnyLayout:
    """(mode of A, .., repetition, ..)."""
    if isinstance(tiler, Tile):
        return canonical(algebra.flat_product(block, _tiler(block, tiler)))
    return spread(logical_product(block, tiler), first=True)


def blocked_product(block: AnyLayout, tiler: Layout | IntTuple) -> AnyLayout:
    """Blocks stay whole."""
    return canonical(algebra.blocked_product(block, tiler))


def raked_product(block: AnyLayout, tiler: Layout | IntTuple) -> AnyLayout:
    """Blocks are spread."""
    return canonical(algebra.raked_product(block, tiler))


def tile_to_shape(block: AnyLayout, shape: IntTuple, order: IntTuple) -> AnyLayout:
    """The block repeated until it covers the shape; an integer as order repeats it along its modes in turn."""
    if shape == ():
        raise LayoutError("tile_to_shape: there is no tile of the shape ()")
    count = max(rank(block.shape), rank(shape))
    padded = algebra.append(block, Layout(1, 0), count)
    extents = [mode.size for mode in modes_of(innermost(padded))]
    repeats = tuple(ceil_div(product(s), extent) for s, extent in zip(modes(shape), extents, strict=False))
    whole = isinstance(order, tuple) or len(repeats) > 1
    return blocked_product(padded, ordered(repeats if whole else repeats[0], order))
