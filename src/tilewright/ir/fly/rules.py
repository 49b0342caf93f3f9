"""What each op of the layout algebra infers: the algebra of `layout/` on its operands, in fly's own form.

A rule takes the values of the operands, and the attributes by name. It raises `LayoutError` where the algebra does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilewright.errors import LayoutError
from tilewright.ir.fly import forms
from tilewright.ir.fly.coordinates import elements, is_number
from tilewright.ir.fly.forms import canonical, innermost
from tilewright.ir.fly.lattice import run_time_leaves
from tilewright.ir.fly.types import AnyLayout, Asked, Tile, Tree, Value
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout import compare, construct, query, structure
from tilewright.layout.algebra.tiler import concatenate
from tilewright.layout.arithmetic import ceil_div
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import (
    MAX_INT,
    congruent,
    flatten,
    leaves,
    modes,
    prefix_product,
    product,
    rank,
)
from tilewright.layout.layout import Layout, compact_stride, trusted
from tilewright.layout.symbolic.comparison import equals
from tilewright.layout.symbolic.conditions import Truth, all_of
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation.printers import to_fly

Rule = Callable[..., Any]

# ---- construction


def make_layout(shape: Any, stride: Any) -> Any:
    """Shape and stride have one profile."""
    if not congruent(shape, stride):
        found = ", ".join(f"!fly.int_tuple<{to_fly(x)}>" for x in (shape, stride))
        raise LayoutError(f"profile mismatch: is_profile_congruent({found}) is False")
    return algebra.make_layout(shape, stride)


def make_composed_layout(inner: Any, offset: Any, outer: Any = None) -> Any:
    """x -> inner(offset + outer(x)); without an offset that of the origin."""
    if outer is None:
        offset, outer = algebra.coprofile(innermost(offset)), offset
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


def make_tile(modes: tuple[AnyLayout | Tile | Tree, ...]) -> Tile:
    """A tiler of one mode each."""
    return Tile(construct.make_tile(*map(tiler_of, modes)))


def tiler_of(value: Any) -> Any:
    """A tile as the tiler of the algebra."""
    return value.tiler if isinstance(value, Tile) else value


def make_ordered_layout(shape: Any, order: Any) -> Any:
    """The running stride also under extents of 1."""
    return forms.ordered(shape, order)


def make_layout_like(layout: Any) -> Any:
    """Modes of stride 0 count as extents of 1."""
    layout = innermost(layout)
    strides = flatten(layout.stride)
    live = tuple(1 if d == 0 else s for s, d in zip(flatten(layout.shape), strides, strict=True))
    return trusted(layout.shape, structure.unflatten(forms.ordered(live, _order(strides)).stride, layout.shape))


def make_fragment_layout_like(layout: Any) -> Any:
    """Mode 0 compact and fastest, then the leaves of the others in the order of their strides.

    Coordinates have no order: their modes stay as they are.
    """
    layout = innermost(layout)
    if elements(layout.stride):
        layout = trusted(layout.shape, compact_stride(layout.shape))
    if not isinstance(layout.shape, tuple) or len(layout.shape) < 2:
        return trusted(layout.shape, prefix_product(layout.shape))
    first, rest = algebra.make_layout(layout.shape[0]), algebra.select(layout, list(range(1, layout.rank)))
    rest = rest[0] if layout.rank == 2 and isinstance(layout.shape[1], tuple) else rest
    starts = algebra.make_ordered_layout(rest.shape, structure.unflatten(_order(flatten(rest.stride)), rest.shape))
    return canonical(concatenate([first, *_times(starts, first.size)]))


def _order(strides: tuple[Any, ...]) -> tuple[int, ...]:
    """The strides as an order: those known at run time only come last, as they stand."""
    return tuple(MAX_INT - len(strides) + i if _dynamic(d) else d for i, d in enumerate(strides))


def _times(layout: Layout[Any], factor: int) -> Layout[Any]:
    strides = tuple(d * factor for d in flatten(layout.stride))
    return trusted(layout.shape, structure.unflatten(strides, layout.shape))


# ---- queries


def get_stride(layout: Any) -> Any:
    """The strides of a plain layout."""
    if isinstance(layout, ComposedLayout):
        raise LayoutError("GetStrideOp: unsupported ComposedLayoutType")
    return query.get_stride(layout)


def equal(a: Any, b: Any) -> Any:
    """Are both the same int tuple? Of static ones the truth itself, else an `i1`."""
    if _is_static(a, b):
        return bool(compare.equal(a, b))
    pairs = [(a.shape, b.shape), (a.stride, b.stride)] if isinstance(a, Layout) and isinstance(b, Layout) else [(a, b)]
    return Asked("i1", all_of(*(_same(x, y) for x, y in pairs)))


def _same(a: Any, b: Any) -> Truth:
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return all_of(*map(_same, a, b))
    known = isinstance(a, SymInt) or isinstance(b, SymInt)
    return equals(a, b) if known and is_number(a) and is_number(b) else bool(a == b)


def elem_less(a: Any, b: Any) -> Any:
    """Is every leaf of a below that of b? Of static ones the truth itself, else an `i1`."""
    if _is_static(a, b):
        return bool(compare.elem_less(a, b))
    return Asked("i1", _less(compare.shape_of(a), compare.shape_of(b)))


def _less(a: Any, b: Any) -> Truth:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return all_of(len(a) <= len(b), *(_less(x, y) for x, y in zip(a, b, strict=False)))
    if not is_number(a) or not is_number(b):
        raise LayoutError(f"elem_less: {to_fly(a)} and {to_fly(b)} are not ordered")
    less: Truth = a < b
    return less


def _is_static(*values: Any) -> bool:
    return not any(run_time_leaves(value) for value in values)


def coshape(layout: Any) -> Any:
    """That of the innermost layout, as with `cosize`."""
    return algebra.coshape(innermost(layout))


def cosize(layout: Any) -> Any:
    """That of the innermost layout: the memory that swizzles and offsets move about in is not counted."""
    return query.cosize(innermost(layout))


def is_static(value: Any) -> bool:
    """Are all its leaves known?"""
    return not run_time_leaves(value)


def get_leaf(value: Any, index: int) -> Any:
    """A leaf by its number, from left to right; of a layout as a layout."""
    found = [trusted(*mode) for mode in value.flat] if isinstance(value, Layout) else list(leaves(value))
    if not -len(found) <= index < len(found):
        raise LayoutError(f"get_leaf: {to_fly(value)} has {len(found)} leaves, no leaf {index}")
    return found[index]


def get(value: Any, mode: tuple[int, ...]) -> Any:
    """The mode at a path."""
    depth = query.depth(value)
    if len(mode) > depth:
        raise LayoutError(f"GetOp: mode length {len(mode)} exceeds input depth {depth}")
    return algebra.get(value, *mode)


# ---- algebra


def composition(a: Any, b: Any) -> Any:
    """A o B, under A's swizzle; modes beyond a tile stay, tiles beyond the modes are ignored."""
    if isinstance(a, ComposedLayout):
        return forms.over_inner(lambda inner: composition(inner, b), a)
    if not isinstance(b, Tile):
        return canonical(algebra.composition(a, b))
    tiler = b.tiler
    if isinstance(tiler, tuple) and isinstance(a, Layout):
        tiler = (*tiler, *(None,) * (a.rank - len(tiler)))[: a.rank]
    return canonical(algebra.composition(a, tiler))


def coalesce(layout: Any, pattern: Any = None) -> Any:
    """A tuple of one leaf stays one; for a leaf, a pattern of modes makes one."""
    shape = innermost(layout).shape
    if isinstance(shape, tuple) and len(shape) == 1 and not isinstance(shape[0], tuple):
        return layout
    if isinstance(pattern, tuple) and pattern and not isinstance(shape, tuple):
        return forms.over_inner(lambda x: trusted((x.shape,), (x.stride,)), coalesce(layout, pattern[0]))
    return algebra.coalesce(layout) if pattern is None else algebra.coalesce(layout, pattern)


def complement(layout: Any, cotarget: Any = None) -> Any:
    """An empty complement of what is nowhere but at 0 prints as `1:1`."""
    found = algebra.complement(layout) if cotarget is None else algebra.complement(layout, cotarget)
    still = not any(s != 1 and d != 0 for s, d in innermost(layout).flat)
    return Layout(1, 1) if still and found == Layout(1, 0) else found


def right_inverse(layout: Any) -> Any:
    """Modes known at run time only are skipped: they stay at coordinate 0."""
    known = forms.over_inner(lambda x: _without(x, lambda s, d: _dynamic(s) or _dynamic(d)), layout)
    return algebra.right_inverse(known)


def left_inverse(layout: Any) -> Any:
    """Run-time strides are skipped."""
    found = algebra.left_inverse(forms.over_inner(lambda x: _without(x, lambda s, d: _dynamic(d)), layout))
    return Layout(1, 0) if not any(map(_moves, leaves(innermost(found).stride))) else found


def _moves(stride: Any) -> bool:
    return stride.__class__ is not int or stride != 0


def _without(layout: Layout[Any], skip: Callable[[Any, Any], bool]) -> Layout[Any]:
    if layout.is_static:
        return layout
    flat = [(s, 0 if skip(s, d) else d) for s, d in layout.flat]
    return trusted(layout.shape, structure.unflatten(tuple(d for _, d in flat), layout.shape))


def _dynamic(leaf: Any) -> bool:
    return isinstance(leaf, SymInt)


def recast_layout(layout: Any, old: int, new: int) -> Any:
    """Counting in wider elements forgets the divisors of extents, as every division does."""
    found = algebra.recast_layout(layout, old, new)
    return forms.over_inner(_forget, found) if new > old else found


def _forget(layout: Layout[Any]) -> Layout[Any]:
    flat = [s // 1 if _dynamic(s) and not _dynamic(d) else s for s, d in layout.flat]
    return trusted(structure.unflatten(tuple(flat), layout.shape), layout.stride)


# ---- divides and products


def logical_divide(layout: Any, divisor: Any) -> Any:
    """Divided modes in canonical form; modes that the tile keeps as they are."""
    tiler = _tiler(layout, divisor)
    found = algebra.logical_divide(layout, tiler)
    return forms.by_mode(found, tiler) if isinstance(tiler, tuple) else canonical(found)


def zipped_divide(layout: Any, divisor: Any) -> Any:
    """((tiles), (rests)), of at most a tile for each mode; of a layout as divisor the logical divide."""
    tiler, given = _tiler(layout, divisor), tiler_of(divisor)
    if isinstance(given, tuple) and len(given) > layout.rank:
        words = f"the tile has {len(given)} modes, the layout {layout.rank}"
        raise LayoutError(f"ZippedDivideOp: divisor tile rank exceeds layout rank\n{words}")
    if not isinstance(tiler, tuple):
        return logical_divide(layout, divisor)
    return forms.zipped(algebra.zipped_divide(layout, tiler), tiler)


def tiled_divide(layout: Any, divisor: Any) -> Any:
    """((tiles), rest, rest, ..)."""
    return forms.spread(zipped_divide(layout, divisor), first=False)


def flat_divide(layout: Any, divisor: Any) -> Any:
    """(tile, tile, .., rest, rest, ..)."""
    return forms.spread(zipped_divide(layout, divisor), first=True)


def _tiler(layout: Any, divisor: Any) -> Any:
    tiler = tiler_of(divisor)
    return tiler[: layout.rank] if isinstance(tiler, tuple) else tiler


def logical_product(block: Any, tiler: Any) -> Any:
    """(A, repetitions)."""
    return canonical(algebra.logical_product(block, _tiler(block, tiler)))


def tiled_product(block: Any, tiler: Any) -> Any:
    """(A, repetition, repetition, ..)."""
    if isinstance(tiler, Tile):
        return canonical(algebra.tiled_product(block, _tiler(block, tiler)))
    return forms.spread(logical_product(block, tiler), first=False)


def flat_product(block: Any, tiler: Any) -> Any:
    """(mode of A, .., repetition, ..)."""
    if isinstance(tiler, Tile):
        return canonical(algebra.flat_product(block, _tiler(block, tiler)))
    return forms.spread(logical_product(block, tiler), first=True)


def blocked_product(block: Any, tiler: Any) -> Any:
    """Blocks stay whole."""
    return canonical(algebra.blocked_product(block, tiler))


def raked_product(block: Any, tiler: Any) -> Any:
    """Blocks are spread."""
    return canonical(algebra.raked_product(block, tiler))


def tile_to_shape(block: Any, shape: Any, order: Any) -> Any:
    """The block repeated until it covers the shape; an integer as order repeats it along its modes in turn."""
    if shape == ():
        raise LayoutError("tile_to_shape: there is no tile of the shape ()")
    count = max(rank(block.shape), rank(shape))
    one = Layout(1, 0)
    padded = algebra.append(block, one, count)
    repeats = tuple(ceil_div(product(s), mode.size) for s, mode in zip(modes(shape), _modes(padded), strict=False))
    whole = isinstance(order, tuple) or len(repeats) > 1
    return blocked_product(padded, forms.ordered(repeats if whole else repeats[0], order))


def _modes(layout: Any) -> list[Any]:
    return list(layout) if isinstance(layout.shape, tuple) else [layout]
