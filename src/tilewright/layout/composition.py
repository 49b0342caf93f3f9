"""Composition: R(i) = A(B(i)), exactly, or a refusal.

The plain case walks A's modes for each leaf of B, as CuTe does, under conditions that make every leaf exact, and
counts the digits that the leaves together use of each mode: no mode overflows, so the leaves add up. Whatever
falls outside is decided by `chain`, which is complete.
"""

from __future__ import annotations

from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum
from tilewright.layout.chain import Chain, Point, Steps
from tilewright.layout.coalesce import from_modes, merge
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import IntTuple, flatten, leaves
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.tiler import as_tiler, by_mode

Flat = tuple[list[Any], list[Any]]
Function = Layout | ComposedLayout | Swizzle


class _OutsideError(Exception):
    """The plain walk does not apply; the complete search decides."""


def composition(lhs: Any, rhs: Any) -> Any:
    """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

    A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
    integer n is the layout n:1; modes of A beyond the tiler are dropped.

    Args:
        lhs: A layout, swizzle or composed layout.
        rhs: A layout, swizzle, composed layout, or a tiler.

    Raises:
        LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

    Source: CuTe's `composition`; for its silent errors see "Admissibility" in the design.

    >>> print(composition(Layout((4, (2, 8)), (1, (16, 4))), Layout((2, 4), (1, 2))))
    (2,(2,2)):(1,(2,16))
    >>> print(composition(Layout((8, 16), (1, 8)), (4, None)))
    (4,16):(1,8)
    """
    if isinstance(lhs, Swizzle | ComposedLayout) or isinstance(rhs, Swizzle | ComposedLayout):
        from tilewright.layout.swizzled import compose_swizzled

        return compose_swizzled(lhs, rhs)
    if isinstance(rhs, Layout):
        return compose_layouts(lhs, rhs)
    return by_mode(_compose_tile, lhs, as_tiler(rhs), keep_rest=False)


def compose_layouts(a: Layout, b: Layout) -> Layout:
    """A o B of two plain layouts."""
    try:
        walker = _Walker(a, b)
        shape, stride = walker.walk(b.shape, b.stride)
        walker.check()
        return trusted(shape, stride)
    except _OutsideError:
        return _search(a, b)


def _compose_tile(a: Layout, tile: Any) -> Layout:
    return compose_layouts(a, tile if isinstance(tile, Layout) else trusted(tile, 1))


def extended(layout: Layout) -> Flat:
    """The coalesced leaves of A~: a last leaf of size 1 still carries the stride by which A~ goes on."""
    shapes, strides = list(leaves(layout.shape)), list(leaves(layout.stride))
    last, step = shapes[-1] if shapes else 1, strides[-1] if strides else 0
    if type(last) is int and last == 1:
        shapes[-1:], strides[-1:] = [2], [step]
    return merge(shapes, strides)


class _Walker:
    """CuTe's walk over the modes of A, for each leaf of B."""

    def __init__(self, a: Layout, b: Layout) -> None:
        self.a, self.b = a, b
        self.parts: dict[Any, tuple[list[Any], list[Any], list[int]]] = {}

    def part(self, path: Any) -> tuple[list[Any], list[Any], list[int]]:
        if path not in self.parts:
            shapes, strides = extended(mode_at(self.a, path) if path else self.a)
            self.parts[path] = shapes, strides, [0] * len(shapes)
        return self.parts[path]

    def walk(self, shape: IntTuple, stride: IntTuple) -> tuple[IntTuple, IntTuple]:
        if isinstance(shape, tuple):
            parts = [self.walk(s, d) for s, d in zip(shape, stride, strict=True)]
            return tuple([p[0] for p in parts]), tuple([p[1] for p in parts])
        if isinstance(stride, AxisSum):
            (path, value), *more = stride.terms
            if more:
                raise _OutsideError
            return self.leaf(shape, value, _position(path, self.b))
        return self.leaf(shape, stride, ())

    def leaf(self, extent: Any, step: Any, path: Any) -> tuple[IntTuple, IntTuple]:
        if step == 0:
            return extent, 0
        shapes, strides, used = self.part(path)
        last = len(shapes) - 1
        if extent == 1:
            return 1, _step_beyond(shapes, step) * strides[last]
        if step < 0:
            raise _OutsideError
        out_shape: list[int] = []
        out_stride: list[Any] = []
        for k in range(last):
            s = shapes[k]
            if step >= s:
                if step % s:
                    raise _OutsideError
                step //= s
                continue
            take = extent
            if (extent - 1) * step >= s:
                take = s // step
                if s % step or extent % take:
                    raise _OutsideError
            used[k] += (take - 1) * step
            out_shape.append(take)
            out_stride.append(step * strides[k])
            extent //= take
            if extent == 1:
                break
            step = 1
        else:
            out_shape.append(extent)
            out_stride.append(step * strides[last])
        if len(out_shape) == 1:
            return out_shape[0], out_stride[0]
        return tuple(out_shape), tuple(out_stride)

    def check(self) -> None:
        if len(self.parts) > 1 and len({len(path) for path in self.parts}) > 1:
            _check_prefix_free(list(self.parts), self.b)
        for shapes, _, used in self.parts.values():
            for k in range(len(shapes) - 1):
                if used[k] >= shapes[k]:
                    raise _OutsideError


def _step_beyond(shapes: list[Any], step: Any) -> Any:
    # The stride that CuTe gives to a mode of size 1.
    sign = -1 if step < 0 else 1
    step = abs(step)
    for s in shapes[:-1]:
        step = -(-step // s)
    return sign * step


def mode_at(layout: Layout, path: tuple[int, ...]) -> Layout:
    """The mode of a layout at a path of positions."""
    shape, stride = layout.shape, layout.stride
    for position in path:
        if isinstance(shape, tuple) and position < len(shape):
            shape, stride = shape[position], stride[position]
        elif position or isinstance(shape, tuple):
            raise LayoutError(f"{layout} has no mode at position {path}")
    return trusted(shape, stride)


def _position(path: Any, b: Layout) -> tuple[int, ...]:
    if isinstance(path, tuple):
        return path
    raise LayoutError(f"composition: the values of {b} lie on the axis {path!r}, not in the domain of a layout")


def _check_prefix_free(paths: list[tuple[int, ...]], b: Layout) -> None:
    for p in paths:
        for q in paths:
            if p != q and q[: len(p)] == p:
                raise LayoutError(f"composition: the values of {b} address position {q} and all of {p} at once")


# ---- the complete search


def _search(a: Layout, b: Layout) -> Layout:
    """A o B by the complete decision of `chain`."""
    extents, strides = flatten(b.shape), flatten(b.stride)
    paths = _paths(b)
    chain = Chain([extended(mode_at(a, path) if path else a) for path in paths])
    steps: list[Steps] = []
    for extent, stride in zip(extents, strides, strict=True):
        steps.append(_split_leaf(chain, a, b, extent, _point(stride, paths)))
    flat = [step for leaf in steps for step in leaf]
    witness = chain.additive(flat)
    if witness is not None:
        raise LayoutError(_not_additive(a, b, flat, witness, chain))
    found = [from_modes([r for r, _ in leaf], [chain.value(x) for _, x in leaf]) for leaf in steps]
    return _like(b, found)


def _paths(b: Layout) -> list[tuple[int, ...]]:
    found = dict.fromkeys(
        _position(axis, b) if axis != "m" else ()
        for leaf in leaves(b.stride)
        for axis, _ in (leaf.terms if isinstance(leaf, AxisSum) else (("m", leaf),) if leaf != 0 else ())
    )
    paths = list(found) or [()]
    _check_prefix_free(paths, b)
    return paths


def _point(stride: Any, paths: list[tuple[int, ...]]) -> Point:
    values: dict[Any, Any] = dict(stride.terms) if isinstance(stride, AxisSum) else {(): stride}
    return tuple(values.get(path, 0) for path in paths)


def _split_leaf(chain: Chain, a: Layout, b: Layout, extent: int, step: Point) -> Steps:
    if extent > 1 and min(step) < 0:
        raise LayoutError(f"composition {a} o {b}: B takes negative values, which are outside the domain of A")
    found = chain.split(extent, step)
    if found is None:
        raise LayoutError(
            f"composition {a} o {b}: no layout has this function, since the values of A at "
            f"{_progression(extent, step)} do not repeat in equal steps"
        )
    return found


def _progression(extent: int, step: Point) -> str:
    text = ", ".join(str(i * step[0] if len(step) == 1 else tuple(i * x for x in step)) for i in range(min(extent, 4)))
    return text + (", .." if extent > 4 else "")


def _not_additive(a: Layout, b: Layout, flat: Steps, witness: Point, chain: Chain) -> str:
    xs = [tuple(i * x for x in step) for i, (_, step) in zip(witness, flat, strict=True) if i]
    total = tuple(map(sum, zip(*xs, strict=True)))
    values = [x[0] if len(x) == 1 else x for x in (*xs, total)]
    parts = " + ".join(f"A({v})" for v in values[:-1])
    return (
        f"composition {a} o {b}: no layout has this function, since B's modes do not add up under A: "
        f"{parts} = {sum(map(chain.value, xs))}, but A({values[-1]}) = {chain.value(total)}"
    )


def _like(b: Layout, found: list[Layout]) -> Layout:
    it = iter(found)

    def walk(shape: IntTuple) -> tuple[IntTuple, IntTuple]:
        if isinstance(shape, tuple):
            parts = [walk(s) for s in shape]
            return tuple(p[0] for p in parts), tuple(p[1] for p in parts)
        leaf = next(it)
        return leaf.shape, leaf.stride

    return trusted(*walk(b.shape))
