"""Thread axes: the chain of levels that they span, and fusing or splitting them along it.

An axis counts its subscope within its scope: `warpid` counts warps within a cta. Where the axes of a layout form a
chain, the ones within a cta can be fused into the one that counts the smallest level within the largest (`tx` counts
threads within a cta), each weighted by the number of these that its own unit holds; and back again.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tilewright.errors import LayoutError
from tilewright.layout.axes import AXES, Axis, Scope
from tilewright.tirx.iters import Iter, Iters, Parts, Terms, add_terms, make_iter, on_axes, terms

# From the smallest level to the largest. `world` holds the GPUs of a mesh.
LEVELS = ("thread", "warp", "warpgroup", "cta", "cluster", "grid", "gpu", "world")
FUSED = ("thread", "warp", "warpgroup", "cta")
WARPS_PER_GROUP = 4

ScopePair = tuple[Scope, Scope]


def get_scope(parts: Parts) -> ScopePair | None:
    """The (smallest, largest) level of the thread axes; None where the shard has none.

    Raises:
        LayoutError: two scopes for one level, or levels that form no chain.
    """
    if not any(axis.scope for it in parts.shard for axis, _ in terms(it.stride, it.axis)):
        return None
    return _chain(frozenset(axis for axis in _axes(parts) if axis.scope))


def fuse_axes(parts: Parts, lanes: int) -> Parts:
    """The thread axes within a cta fused into one; `lanes` is the number of threads of a warp.

    >>> fuse_axes(Parts((Iter(4, 1, "warpid"), Iter(32, 1, "laneid"))), 32).shard
    (Iter(4, 32, tx), Iter(32, 1, tx))
    """
    if get_scope(parts) is None:
        return parts
    inside = frozenset(axis for axis in _axes(parts) if axis.scope in FUSED)
    return parts if len(inside) < 2 else _rename(parts, _fusion(inside, lanes))


@lru_cache(maxsize=256)
def _fusion(inside: frozenset[Axis], lanes: int) -> dict[Axis, tuple[int, Axis]]:
    """Axis -> (factor, the axis that it is fused into)."""
    low, high = _chain(inside)
    fused = axis_between(low, high)
    return {axis: (_units(axis, lanes) // _threads(low, lanes), fused) for axis in inside}


def _rename(parts: Parts, table: dict[Axis, tuple[int, Axis]]) -> Parts:
    def moved(items: Terms) -> list[tuple[Axis, int]]:
        return [(table[a][1], v * table[a][0]) if a in table else (a, v) for a, v in items]

    def walk(iters: Iters) -> Iters:
        return tuple(make_iter(it.extent, *on_axes(moved(terms(it.stride, it.axis)))) for it in iters)

    return Parts(walk(parts.shard), walk(parts.replica), add_terms(moved(parts.offset)))


def split_axes(parts: Parts, level: str, lanes: int) -> Parts | None:
    """Every thread axis that spans `level` split there: `tx` at `warp` into `warpid` and `laneid`.

    None where a digit would have to be carried from the inner to the outer axis.

    >>> split_axes(Parts((Iter(128, 1, "tx"),)), "warp", 32).shard
    (Iter(4, 1, warpid), Iter(32, 1, laneid))
    """
    cuts = {axis: cut for axis in _axes(parts) if (cut := _cut(axis, level, lanes)) is not None}
    shard = _split_all(parts.shard, cuts)
    replica = _split_all(parts.replica, cuts)
    offset = add_terms(*(_split_offset(axis, value, cuts) for axis, value in parts.offset))
    if shard is None or replica is None:
        return None
    whole = Parts(shard, replica, offset)
    return whole if all(_fits(whole, inner, size) for _, inner, size in cuts.values()) else None


def higher(first: str, second: str) -> bool:
    """Is the first level the larger one?"""
    return LEVELS.index(first) > LEVELS.index(second)


def axis_between(low: str, high: str) -> Axis:
    """The axis that counts `low` within `high`.

    >>> axis_between("thread", "cta"), axis_between("warp", "warpgroup")
    (tx, wid_in_wg)
    """
    found = next((axis for axis in AXES.values() if (axis.subscope, axis.scope) == (low, high)), None)
    if found is None:
        raise LayoutError(f"no axis counts {low} within {high}")
    return found


Cut = tuple[Axis, Axis, int]  # outer axis, inner axis, units of the inner one in the outer one


def _axes(parts: Parts) -> set[Axis]:
    axes = {axis for it in (*parts.shard, *parts.replica) for axis, _ in terms(it.stride, it.axis)}
    return axes.union(axis for axis, _ in parts.offset)


@lru_cache(maxsize=256)
def _chain(axes: frozenset[Axis]) -> ScopePair:
    outer: dict[str, str] = {}
    for axis in axes:
        low, high = str(axis.subscope), str(axis.scope)
        if outer.setdefault(low, high) != high:
            raise LayoutError(
                f"conflicting scopes for {low}: the axes {_names(axes)} count it within {outer[low]} and within {high}"
            )
    start = min(outer, key=LEVELS.index)
    end, steps = start, 0
    while end in outer:
        end, steps = outer[end], steps + 1
    if steps != len(outer):
        raise LayoutError(
            f"disconnected scope chain: the axes {_names(axes)} leave a gap after {end}; "
            f"add the axis that counts {end} in the next larger level"
        )
    return Scope(start), Scope(end)


def _names(axes: Iterable[Axis]) -> str:
    return ", ".join(sorted(axis.name for axis in axes))


def _threads(level: str, lanes: int) -> int:
    return {"thread": 1, "warp": lanes, "warpgroup": WARPS_PER_GROUP * lanes}[level]


def _units(axis: Axis, lanes: int) -> int:
    return _threads(str(axis.subscope), lanes)


def _cut(axis: Axis, level: str, lanes: int) -> Cut | None:
    if axis.scope not in FUSED or level not in FUSED:
        return None
    if not (higher(level, str(axis.subscope)) and higher(str(axis.scope), level)):
        return None
    size = _threads(level, lanes) // _units(axis, lanes)
    return axis_between(level, str(axis.scope)), axis_between(str(axis.subscope), level), size


def _split_all(iters: Iters, cuts: dict[Axis, Cut]) -> Iters | None:
    out: list[Iter] = []
    for it in iters:
        parts = _split_iter(it, cuts[it.axis]) if it.axis in cuts else (it,)
        if parts is None:
            return None
        out += parts
    return tuple(out)


def _split_iter(it: Iter, cut: Cut) -> Iters | None:
    outer, inner, size = cut
    if (it.extent - 1) * abs(it.stride) < size:
        return (make_iter(it.extent, it.stride, inner),)
    if it.stride % size == 0:
        return (make_iter(it.extent, it.stride // size, outer),)
    if size % it.stride == 0 and (it.extent * it.stride) % size == 0:
        steps = size // it.stride
        return make_iter(it.extent // steps, 1, outer), make_iter(steps, it.stride, inner)
    return None


def _split_offset(axis: Axis, value: int, cuts: dict[Axis, Cut]) -> Terms:
    if axis not in cuts:
        return ((axis, value),)
    outer, inner, size = cuts[axis]
    return (outer, value // size), (inner, value % size)


def _fits(parts: Parts, inner: Axis, size: int) -> bool:
    low = high = 0
    for it in (*parts.shard, *parts.replica):
        reach = (it.extent - 1) * it.stride if it.axis is inner else 0
        low, high = low + min(reach, 0), high + max(reach, 0)
    start = sum(value for axis, value in parts.offset if axis is inner)
    return bool(low + start >= 0 and high + start < size)
