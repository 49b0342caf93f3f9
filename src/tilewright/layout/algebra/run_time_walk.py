"""Composition where extents or strides are known at run time only: CuTe's walk with minima in place of cases.

For a leaf extent:step and a mode of A of extent s, the digit taken is n = min(ceil(s / step), extent), and the walk
goes on with extent / n and ceil(step / s). That is exact where one of these holds, which is demanded:

    s divides step (the mode is passed), (extent - 1) * step < s (the leaf ends inside the mode),
    or step divides s and s / step divides extent (the leaf fills the mode and goes on).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.algebra.modes import extended
from tilewright.layout.arithmetic import ceiling, is_equal
from tilewright.layout.axes import AxisSum
from tilewright.layout.inttuple import IntTuple, modes
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.symbolic.comparison import divides
from tilewright.layout.symbolic.conditions import Truth, all_of, any_of
from tilewright.layout.symbolic.operators import minimum

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element

MOST = 144  # pairs of a mode of A and a mode of B; each costs milliseconds
Pair = tuple[IntTuple, IntTuple]


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
