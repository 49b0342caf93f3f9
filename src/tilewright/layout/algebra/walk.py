"""CuTe's walk over the modes of A, for each leaf of B, restricted to the cases that are exact for certain.

A is given as `extended` modes, of which the last has no end; the others are `inner`. `used` counts how far the digits
of all leaves together reach into each inner mode: while used[k] < inner[k] everywhere, nothing carries and the leaves
add up.

At run time the walk has minima in place of cases: for a leaf extent:step and a mode of A of extent s, the digit taken
is n = min(ceil(s / step), extent), and the walk goes on with extent / n and ceil(step / s). That is exact where one of
these holds, which is demanded:

    s divides step (the mode is passed), (extent - 1) * step < s (the leaf ends inside the mode),
    or step divides s and s / step divides extent (the leaf fills the mode and goes on).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import ge
from typing import TYPE_CHECKING, TypeAlias

from tilewright.errors import LayoutError
from tilewright.layout.algebra.modes import Modes, extended
from tilewright.layout.arithmetic import ceiling, is_equal
from tilewright.layout.axes import AxisSum
from tilewright.layout.inttuple import IntTuple, modes, side_by_side
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.steps import Derivation
from tilewright.layout.symbolic.comparison import divides
from tilewright.layout.symbolic.conditions import Truth, all_of, any_of
from tilewright.layout.symbolic.operators import minimum

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element, Elements

Pair: TypeAlias = "tuple[IntTuple, Elements]"

MOST = 144  # pairs of a run-time mode of A and a mode of B; each costs milliseconds


class OutsideError(LayoutError):
    """The plain walk does not apply; a more general way decides."""


def walked(modes: Modes, b: Layout) -> Layout | None:
    """A o B, or None where the walk does not apply."""
    extents, steps = modes
    try:
        if len(extents) == 1 and steps[0].__class__ is int:
            return trusted(b.shape, _scaled(b.shape, b.stride, steps[0]))
        inner = extents[:-1]
        used = [0] * len(inner)
        shape, stride = walk_tree(b.shape, b.stride, inner, steps, used)
    except LayoutError:
        return None
    return None if any(map(ge, used, inner)) else trusted(shape, stride)


def walk_steps(a: Layout, b: Layout) -> tuple[Derivation, ...]:
    """For a derivation: what the walk makes of the leaves of B, as far as it goes without the complete decision."""
    extents, steps = extended(a.shape, a.stride)
    found = []
    for extent, step in b.flat:
        try:
            part = trusted(*walk_leaf(extent, step, extents[:-1], steps, [0] * len(steps)))
        except OutsideError:
            continue
        found.append(Derivation("walk", (trusted(extent, step), a), part))
    return tuple(found)


def walk_tree(shape: IntTuple, stride: IntTuple, inner: list[int], steps: Sequence[Element], used: list[int]) -> Pair:
    """Shape and stride of A o shape:stride, leaf by leaf."""
    if shape.__class__ is not tuple or stride.__class__ is not tuple:
        return walk_leaf(shape, stride, inner, steps, used)
    shapes = []
    strides = []
    for s, d in side_by_side(shape, stride):  # congruent: checked when the layout was built
        found = (walk_tree if s.__class__ is tuple else walk_leaf)(s, d, inner, steps, used)
        shapes.append(found[0])
        strides.append(found[1])
    return tuple(shapes), tuple(strides)


def walk_leaf(extent: IntTuple, step: IntTuple, inner: list[int], steps: Sequence[Element], used: list[int]) -> Pair:
    """Shape and stride of A o extent:step; exact if the step divides the modes, or is divided by them, all along.

    Raises:
        OutsideError: the strides do not divide, or a leaf is not a plain integer.
    """
    if step == 0:
        return extent, 0
    if step.__class__ is not int or extent.__class__ is not int:
        raise OutsideError(f"{extent}:{step} is no plain mode")
    if extent == 1:
        return 1, step_beyond(inner, step) * steps[-1] if steps[-1].__class__ is int else 0
    if step < 0:
        raise OutsideError(f"negative step {step}")
    shape: tuple[int, ...] = ()
    stride: tuple[Element, ...] = ()
    for k, s in enumerate(inner):
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
            break
        shape = (*shape, take)
        stride = (*stride, step * steps[k])
        extent //= take
        step = 1
    else:
        k = -1
    return ((*shape, extent), (*stride, step * steps[k])) if shape else (extent, step * steps[k])


def step_beyond(inner: list[int], step: int) -> int:
    """The step in the last mode that is left of `step`, rounded up: what CuTe keeps in a mode of size 1.

    >>> step_beyond([6], -4), step_beyond([6], 13)
    (-1, 3)
    """
    size = abs(step)
    for s in inner:
        size = -(-size // s)
    return size if step > 0 else -size


def _scaled(shape: IntTuple, stride: IntTuple, step: int) -> Elements:
    """The strides of A o shape:stride where A is one mode of this step: it scales them all, as `walk_leaf` does."""
    if shape.__class__ is not tuple or stride.__class__ is not tuple:
        return walk_leaf(shape, stride, [], [step], [])[1]
    out: list[Elements] = []
    for s, d in side_by_side(shape, stride):  # congruent
        plain = s.__class__ is d.__class__ is int and d >= 0
        out.append(d * step if plain else _scaled(s, d, step))
    return tuple(out)


class SymbolicWalk:
    """A o B for run-time leaves; `extents`, `steps` are A's modes, merged wherever that is proved."""

    def __init__(self, a: Layout, b: Layout) -> None:
        self.a, self.b = a, b
        self.extents, self.steps = extended(a.shape, a.stride, proved=True)
        self.used: list[list[int]] = [[] for _ in self.extents]

    def compose(self) -> Layout:
        """The layout R with R(i) == A(B(i)).

        Raises:
            LayoutError: the walk is not exact, or too long.
        """
        mine, theirs = len(self.extents) - 1, sum(1 for _ in self.b.flat)
        if mine * theirs > MOST:
            raise LayoutError(f"composition of {mine} by {theirs} run-time modes: at most {MOST} pairs are looked at")
        shape, stride = self._tree(self.b.shape, self.b.stride)
        for extent, used in zip(self.extents[:-1], self.used, strict=False):
            if len(used) > 1:
                self._demand(sum(used) < extent, f"the modes of B together leave the mode of extent {extent}")
        return trusted(shape, stride)

    def _tree(self, shape: IntTuple, stride: IntTuple) -> Pair:
        if not isinstance(shape, tuple) and not isinstance(stride, tuple):
            return self._leaf(shape, stride)
        parts = [self._tree(s, d) for s, d in zip(modes(shape), modes(stride), strict=True)]
        return tuple(s for s, _ in parts), tuple(d for _, d in parts)

    def _leaf(self, extent: int, step: Element) -> Pair:
        if isinstance(step, AxisSum):
            raise LayoutError(f"undecided: composition {self.a} o {self.b} of run-time modes and axes")
        if (extent.__class__ is int and extent == 1) or not step >= 1:
            self._demand(any_of(is_equal(extent, 1), is_equal(step, 0)), "B takes negative values")
            return extent, 0
        shape: list[int] = []
        stride: list[int] = []
        for k, s in enumerate(self.extents[:-1]):
            if divides(s, step) is True:
                step = step // s
                continue
            whole = ceiling(s, step)
            ends = (extent - 1) * step < s
            self._demand(
                any_of(divides(s, step), ends, all_of(divides(step, s), divides(whole, extent))),
                f"{extent}:{step} neither fits into the mode of extent {s}, nor divides it",
            )
            digit = extent if ends is True else minimum(whole, extent)
            self.used[k].append((digit - 1) * step)
            shape.append(digit)
            stride.append(step * self.steps[k])
            extent, step = extent // digit, ceiling(step, s)
            if type(extent) is int and extent == 1:
                break
        else:
            shape.append(extent)
            stride.append(step * self.steps[-1])
        return (shape[0], stride[0]) if len(shape) == 1 else (tuple(shape), tuple(stride))

    def _demand(self, truth: Truth, complaint: str) -> None:
        if not truth:
            raise LayoutError(f"composition {self.a} o {self.b}: {complaint}")
