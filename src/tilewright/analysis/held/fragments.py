"""TIRx's fragments as accesses: a `TileLayout` that spreads a tile over threads and registers, turned around."""

from __future__ import annotations

from math import prod

from tilewright.analysis.held.operands import widest
from tilewright.analysis.held.question import Question
from tilewright.analysis.model.access import Access
from tilewright.errors import LayoutError
from tilewright.layout.axes import AXES, MEMORY, Axis
from tilewright.layout.construct import make_layout_right
from tilewright.layout.layout import Layout
from tilewright.layout.operations import composition, right_inverse, with_shape
from tilewright.tirx.iters import Iters, Parts, terms
from tilewright.tirx.scope import fuse_axes, get_scope
from tilewright.tirx.tile_layout import TileLayout

REGISTERS = AXES[MEMORY]


def of_fragment(fragment: TileLayout, asked: Question) -> Access:
    """The access of a tile by a fragment: each thread moves the elements that it holds, in the order of its registers.

    Raises:
        LayoutError: the fragment is on other axes than threads and registers, leaves some of them empty, or has other
            elements than the tile.
    """
    held, extents = thread_value_of(fragment, asked.spec.lanes), asked.extents
    if prod(extents) != fragment.size():
        raise LayoutError(f"{fragment} holds {fragment.size()} elements, and the tile {asked.tile} has {prod(extents)}")
    if not asked.is_row_major:
        held = composition(make_layout_right(extents[::-1]), held)
    kind = "store" if asked.side == "D" else "load"
    return widest(held, kind, "the fragment", asked)


def thread_value_of(fragment: TileLayout, lanes: int) -> Layout[int]:
    """(thread, register) -> the row-major number of the element that is there; of copies, of which each holds it.

    Raises:
        LayoutError: other axes than threads and registers, or some of them are empty.

    >>> from tilewright.tirx.layout import S, laneid
    >>> print(thread_value_of(TileLayout(S[(8, 4, 2) : (4 @ laneid, 1 @ laneid, 1)]), 32))
    (32,2):(2,1)
    """
    threads, parts = _on_threads(fragment, lanes)
    walk = [(it.extent, dict(terms(it.stride, it.axis))) for it in (*reversed(parts.shard), *parts.replica)]
    count = 1 + sum((extent - 1) * steps.get(threads, 0) for extent, steps in walk)
    extents = tuple(extent for extent, _ in walk)
    steps = tuple(found.get(threads, 0) + count * found.get(REGISTERS, 0) for _, found in walk)
    turned = right_inverse(Layout(extents, steps))
    if turned.size != prod(extents) or turned.size % count:
        raise LayoutError(f"{fragment} does not fill {count} threads with equally many registers each")
    elements = Layout((fragment.size(), prod(it.extent for it in parts.replica)), (1, 0))
    return with_shape(composition(elements, turned), (count, turned.size // count))


def _on_threads(fragment: TileLayout, lanes: int) -> tuple[Axis, Parts]:
    """The axis that counts threads, all others of threads fused into it, and the fragment on it and registers."""
    fused = fuse_axes(fragment.parts, lanes)
    axes = _axes(fused.shard) | _axes(fused.replica)
    threads = [axis for axis in axes if axis.scope]
    scope = get_scope(fused)
    if len(threads) != 1 or scope is None or scope[0] != "thread" or axes - {REGISTERS, threads[0]}:
        names = ", ".join(sorted(map(str, axes)))
        raise LayoutError(f"a fragment spreads a tile over threads and registers (m); {fragment} is on {names}")
    if dict(fused.offset).get(threads[0], 0) % lanes:
        raise LayoutError(f"{fragment} starts inside a warp of {lanes} lanes")
    return threads[0], fused


def _axes(iters: Iters) -> set[Axis]:
    return {axis for it in iters for axis, _ in terms(it.stride, it.axis)}
