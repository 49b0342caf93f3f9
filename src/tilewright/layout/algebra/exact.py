"""The complete decision of compositions: the layout with the function A~(B(i)) if there is one, else why not."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.algebra.chain import Chain, Point, Steps
from tilewright.layout.algebra.modes import Modes, extended, from_modes, rebuild
from tilewright.layout.algebra.walk import step_beyond
from tilewright.layout.axes import MEMORY, AxisSum, components
from tilewright.layout.inttuple import IntTuple, leaves
from tilewright.layout.layout import Layout, trusted

Path = tuple[int, ...]


def compose_exactly(a: Layout, b: Layout) -> Layout:
    """A o B, where B's values may also be coordinates into A.

    Every leaf of B must give a layout by itself, which then is the only coalesced one (`Chain.split`), and all of them
    must add up (`Chain.additive`): this is all that a composition needs.
    """
    paths = _paths(b)
    parts = [extended(*mode_at(a, path)) for path in paths]
    chain = Chain(parts)
    points = [_point(stride, paths) for stride in leaves(b.stride)]
    split = [_split(chain, a, b, extent, step) for extent, step in zip(leaves(b.shape), points, strict=True)]
    _require_sum(chain, a, b, [mode for leaf in split for mode in leaf])
    found = [
        _leaf(chain, leaf) if leaf else trusted(1, _beyond(parts, step))
        for leaf, step in zip(split, points, strict=True)
    ]
    return rebuild(b.shape, found)


def mode_at(layout: Layout, path: Path) -> tuple[IntTuple, IntTuple]:
    """Shape and stride of the mode at a path of positions.

    Raises:
        LayoutError: there is no such mode.
    """
    shape: Any = layout.shape
    stride: Any = layout.stride
    for position in path:
        if isinstance(shape, tuple) and position < len(shape):
            shape, stride = shape[position], stride[position]
        elif isinstance(shape, tuple) or position:
            raise LayoutError(f"{layout} has no mode at position {path}")
    return shape, stride


def _paths(b: Layout) -> list[Path]:
    """The positions of A into which B's values reach; () is the whole of A."""
    axes = {axis for leaf in leaves(b.stride) for axis, _ in components(leaf)}
    for axis in axes:
        if isinstance(axis, str) and axis != MEMORY:
            raise LayoutError(f"composition: the values of {b} lie on the axis {axis}, not in the domain of a layout")
    paths = sorted(axis if isinstance(axis, tuple) else () for axis in axes)
    for outer, inner in pairwise(paths):
        if inner[: len(outer)] == outer:
            raise LayoutError(f"composition: the values of {b} address position {inner} and all of {outer} at once")
    return paths or [()]


def _point(stride: Any, paths: list[Path]) -> Point:
    values: dict[Any, Any] = dict(stride.terms) if isinstance(stride, AxisSum) else {(): stride}
    return tuple(values.get(path, 0) for path in paths)


def _split(chain: Chain, a: Layout, b: Layout, extent: int, step: Point) -> Steps:
    if extent > 1 and min(step) < 0:
        raise LayoutError(f"composition {a} o {b}: B takes negative values, which are outside the domain of A")
    found = chain.split(extent, step)
    if found is None:
        shown = ", ".join(_point_text(i, step) for i in range(min(extent, 4)))
        raise LayoutError(
            f"composition {a} o {b}: no layout has this function: B's mode {extent}:{_point_text(1, step)} asks for A "
            f"at {shown}{', ..' if extent > 4 else ''}, and these values do not repeat in equal steps"
        )
    return found


def _require_sum(chain: Chain, a: Layout, b: Layout, modes: Steps) -> None:
    witness = chain.additive(modes)
    if witness is None:
        return
    used = [(i, step) for i, (_, step) in zip(witness, modes, strict=True) if i]
    xs = [tuple(i * x for x in step) for i, step in used]
    total = tuple(map(sum, zip(*xs, strict=True)))
    raise LayoutError(
        f"composition {a} o {b}: no layout has this function, because B's modes do not add up under A: "
        f"{' + '.join(f'A({_point_text(i, step)})' for i, step in used)} = {sum(map(chain.value, xs))}, "
        f"but A({_point_text(1, total)}) = {chain.value(total)}"
    )


def _point_text(i: int, step: Point) -> str:
    return str(i * step[0] if len(step) == 1 else tuple(i * x for x in step))


def _leaf(chain: Chain, modes: Steps) -> Layout:
    return from_modes([extent for extent, _ in modes], [chain.value(step) for _, step in modes])


def _beyond(parts: list[Modes], step: Point) -> Any:
    return sum(step_beyond(extents, x) * steps[-1] for (extents, steps), x in zip(parts, step, strict=True) if x)
