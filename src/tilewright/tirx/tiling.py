"""Tiling: `tile` puts one layout inside every element of another, `direct_sum` adds them; and the way back.

Both lay the iters side by side, dimension by dimension: those of the outer (left) layout, then of the inner (right)
one. `tile` also scales the outer strides on an axis by what the inner layout spans there.

The copies of both are added as they are, as TVM does: neither an axis that only inner's copies use is scaled, nor are
outer's copies. So tiles stay apart where inner's copies keep to the axes of its shard, which are scaled by their reach
too, and outer's copies keep off these.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tilewright.errors import LayoutError
from tilewright.layout.axes import AXES, Axis
from tilewright.tirx.canonical import canonical, fuse_neighbours, tidy
from tilewright.tirx.extent import extent, span
from tilewright.tirx.group import Seps, group, try_group
from tilewright.tirx.iters import Iter, Iters, Parts, add_terms, make_iter, on_axes, terms
from tilewright.tirx.replica import replica_difference

Shape = Sequence[int]


def tile(inner: Parts, outer: Parts, outer_shape: Shape, inner_shape: Shape) -> Parts:
    """x = (o, i) -> outer(o), its strides scaled by inner's spans, + inner(i).

    Injective when both are, and inner has copies only on axes of its shard, outer only on other axes.

    Raises:
        LayoutError: shapes of different rank, or by which the layouts cannot be grouped.
    """
    outer, inner = tidy(outer), tidy(inner)
    factors = _factors(inner)
    scaled = Parts(tuple(_scale(it, factors) for it in outer.shard), outer.replica, outer.offset)
    return _interleave(scaled, inner, outer_shape, inner_shape)


def direct_sum(right: Parts, left: Parts, left_shape: Shape, right_shape: Shape) -> Parts:
    """x = (l, r) -> left(l) + right(r), dimension by dimension."""
    return _interleave(tidy(left), tidy(right), left_shape, right_shape)


def outer_factor(inner: Parts, tiled: Parts, tiled_shape: Shape, inner_shape: Shape) -> Parts | None:
    """The layout `outer` with `tile(inner, outer)` = tiled; None where there is none.

    Raises:
        LayoutError: the inner shape does not divide the tiled one.
    """
    inner, tiled = tidy(inner), tidy(tiled)
    outer_shape = divide(tiled_shape, inner_shape)
    found = _match(tiled, inner, _pairs(outer_shape, inner_shape), inner_shape, keep=0)
    factors = _factors(inner)
    # A stride that is no multiple of its factor comes out rounded, and does not tile back.
    rest = None if found is None else _without(tiled, inner, tuple(_unscale(it, factors) for it in found))
    return rest if rest and _same(tile(inner, rest, outer_shape, inner_shape), tiled) else None


def inner_factor(outer: Parts, tiled: Parts, tiled_shape: Shape, outer_shape: Shape) -> Parts | None:
    """The layout `inner` with `tile(inner, outer)` = tiled; None where there is none.

    Raises:
        LayoutError: the outer shape does not divide the tiled one.
    """
    outer, tiled = tidy(outer), tidy(tiled)
    inner_shape = divide(tiled_shape, outer_shape)
    blocks = _grouped(tiled, _pairs(outer_shape, inner_shape))
    if blocks is None or _grouped(outer, outer_shape) is None:
        return None
    for shard in _readings(tuple(it for block in blocks[1::2] for it in block)):
        rest = _without(tiled, outer, shard)
        if rest and _same(tile(rest, outer, outer_shape, inner_shape), tiled):
            return rest
    return None


def _readings(shard: Iters) -> list[Iters]:
    # A single element has no stride that would tell its axis, but the axis decides what is scaled.
    alone = all(it.extent == 1 for it in shard)
    return [shard, *(tuple(make_iter(1, 1, axis) for _ in shard) for axis in AXES.values() if alone)]


def left_summand(right: Parts, total: Parts, interleaved: Shape, right_shape: Shape) -> Parts | None:
    """The layout `left` with `direct_sum(right, left)` = total; None where there is none."""
    return _summand(right, total, interleaved, right_shape, keep=0)


def right_summand(left: Parts, total: Parts, interleaved: Shape, left_shape: Shape) -> Parts | None:
    """The layout `right` with `direct_sum(right, left)` = total; None where there is none."""
    return _summand(left, total, interleaved, left_shape, keep=1)


def _summand(known: Parts, total: Parts, interleaved: Shape, known_shape: Shape, keep: int) -> Parts | None:
    known, total = tidy(known), tidy(total)
    if len(interleaved) != 2 * len(known_shape):
        raise LayoutError(
            f"the interleaved shape {tuple(interleaved)} must have twice the rank of {tuple(known_shape)}"
        )
    shard = _match(total, known, interleaved, known_shape, keep)
    return None if shard is None else _without(total, known, shard)


def _interleave(outer: Parts, inner: Parts, outer_shape: Shape, inner_shape: Shape) -> Parts:
    if len(outer_shape) != len(inner_shape):
        raise LayoutError(f"outer shape {tuple(outer_shape)} and inner shape {tuple(inner_shape)} differ in rank")
    outers, inners = _blocks(*group(outer.shard, outer_shape)), _blocks(*group(inner.shard, inner_shape))
    shard = tuple(it for pair in zip(outers, inners, strict=True) for block in pair for it in block)
    return tidy(Parts(shard, inner.replica + outer.replica, add_terms(inner.offset, outer.offset)))


def _blocks(iters: Iters, seps: Seps) -> list[Iters]:
    return [iters[begin:end] for begin, end in itertools.pairwise(seps)]


def _grouped(parts: Parts, shape: Shape) -> list[Iters] | None:
    """The iters dimension by dimension; None where the layout has no such dimensions."""
    found = try_group(parts.shard, shape)
    return None if found is None else _blocks(*found)


def _match(whole: Parts, known: Parts, interleaved: Shape, known_shape: Shape, keep: int) -> Iters | None:
    """The iters of `whole` at the kept side (0 outer, 1 inner) if those at the other side are known's."""
    blocks, wanted = _grouped(whole, interleaved), _grouped(known, known_shape)
    if blocks is None or wanted is None:
        return None
    sides = [blocks[2 * i : 2 * i + 2] for i in range(len(wanted))]
    if any(_plain(side[1 - keep]) != _plain(want) for side, want in zip(sides, wanted, strict=True)):
        return None
    return tuple(it for side in sides for it in side[keep])


def _plain(block: Iters) -> Iters:
    return fuse_neighbours(tuple(it for it in block if it.extent != 1))


def _without(whole: Parts, known: Parts, shard: Iters) -> Parts | None:
    """The rest of `whole` beside `known`: its replica and offset, with the given shard."""
    found = replica_difference(whole.replica, known.replica)
    if found is None:
        return None
    replica, shift = found
    negative = tuple((axis, -value) for axis, value in known.offset)
    return Parts(shard, replica, add_terms(whole.offset, negative, shift))


def _same(first: Parts, second: Parts) -> bool:
    return canonical(first) == canonical(second)


def _factors(inner: Parts) -> dict[Axis, int]:
    axes = dict.fromkeys(axis for it in inner.shard for axis, _ in terms(it.stride, it.axis))
    return {axis: max(span(inner, axis), extent(inner, axis)) for axis in axes}


def _scale(it: Iter, factors: dict[Axis, int]) -> Iter:
    return make_iter(it.extent, *on_axes((a, v * factors.get(a, 1)) for a, v in terms(it.stride, it.axis)))


def _unscale(it: Iter, factors: dict[Axis, int]) -> Iter:
    if it.extent == 1:
        return it
    return make_iter(it.extent, *on_axes((a, v // factors.get(a, 1)) for a, v in terms(it.stride, it.axis)))


def divide(whole: Shape, part: Shape) -> tuple[int, ...]:
    """How often `part` fits into `whole`, dimension by dimension.

    Raises:
        LayoutError: it does not, or the ranks differ.
    """
    if len(whole) != len(part):
        raise LayoutError(f"the shapes {tuple(whole)} and {tuple(part)} differ in rank")
    if any(w % p for w, p in zip(whole, part, strict=True)):
        raise LayoutError(f"shape {tuple(whole)} is not divisible by {tuple(part)}, dimension by dimension")
    return tuple(w // p for w, p in zip(whole, part, strict=True))


def _pairs(outer: Shape, inner: Shape) -> tuple[int, ...]:
    return tuple(extent for pair in zip(outer, inner, strict=True) for extent in pair)
