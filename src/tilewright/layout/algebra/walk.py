"""CuTe's walk over the modes of A, for each leaf of B, restricted to the cases that are exact for certain.

A is given as `extended` modes: `extents`, `steps`. `used` counts how far the digits of all leaves together reach into
each mode: while every mode but the last has used[k] < extents[k], nothing carries, and the leaves add up.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from tilewright.errors import LayoutError
from tilewright.layout.algebra.modes import Modes, step_beyond
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.steps import Derivation

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element, Elements

Pair: TypeAlias = "tuple[IntTuple, Elements]"


class OutsideError(LayoutError):
    """The plain walk does not apply; a more general way decides."""


def walked(modes: Modes, b: Layout) -> Layout | None:
    """A o B, or None where the walk does not apply."""
    extents, steps = modes
    used = [0] * (len(extents) - 1)
    try:
        shape, stride = walk_tree(b.shape, b.stride, extents, steps, used)
    except LayoutError:
        return None
    for reach, extent in zip(used, extents):  # noqa: B905  # the last mode has no end
        if reach >= extent:
            return None
    return trusted(shape, stride)


def walk_steps(modes: Modes, a: Layout, b: Layout) -> tuple[Derivation, ...]:
    """For a derivation: what the walk makes of the leaves of B, as far as it goes without the complete decision."""
    found = []
    for extent, step in b.flat:
        try:
            part = trusted(*walk_leaf(extent, step, *modes, [0] * len(modes[0])))
        except OutsideError:
            continue
        found.append(Derivation("walk", (trusted(extent, step), a), part))
    return tuple(found)


def walk_tree(
    shape: IntTuple, stride: IntTuple, extents: list[int], steps: Sequence[Element], used: list[int]
) -> Pair:
    """Shape and stride of A o shape:stride, leaf by leaf."""
    if shape.__class__ is not tuple or stride.__class__ is not tuple:
        return walk_leaf(shape, stride, extents, steps, used)
    shapes = []
    strides = []
    for s, d in zip(shape, stride):  # noqa: B905  # congruent: checked when the layout was built
        found = (walk_tree if s.__class__ is tuple else walk_leaf)(s, d, extents, steps, used)
        shapes.append(found[0])
        strides.append(found[1])
    return tuple(shapes), tuple(strides)


def walk_leaf(extent: IntTuple, step: IntTuple, extents: list[int], steps: Sequence[Element], used: list[int]) -> Pair:
    """Shape and stride of A o extent:step; exact if the step divides the modes, or is divided by them, all along.

    Raises:
        OutsideError: the strides do not divide, or a leaf is not a plain integer.
    """
    if step == 0:
        return extent, 0
    if step.__class__ is not int or extent.__class__ is not int:
        raise OutsideError(f"{extent}:{step} is no plain mode")
    if extent == 1:
        return 1, step_beyond(extents, step) * steps[-1] if steps[-1].__class__ is int else 0
    if step < 0:
        raise OutsideError(f"negative step {step}")
    shape: tuple[int, ...] = ()
    stride: tuple[Element, ...] = ()
    for k, s in enumerate(extents[:-1]):
        if s.__class__ is not int:
            raise OutsideError(f"extent {s} is known at run time only")
        if step >= s:
            if step % s:
                raise OutsideError(f"step {step} does not pass mode {s}")
            step //= s
            continue
        take = extent
        if (extent - 1) * step >= s:
            take = s // step
            if s % step or extent % take:
                raise OutsideError(f"{extent}:{step} does not divide mode {s}")
        used[k] += (take - 1) * step
        if take == extent:
            return _ended(shape, stride, extent, step * steps[k])
        shape = (*shape, take)
        stride = (*stride, step * steps[k])
        extent //= take
        step = 1
    return _ended(shape, stride, extent, step * steps[-1])


def _ended(shape: tuple[int, ...], stride: tuple[Element, ...], extent: int, step: Element) -> Pair:
    return ((*shape, extent), (*stride, step)) if shape else (extent, step)
