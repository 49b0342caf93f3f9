"""From the F2 view back to a layout, or to one swizzle of a layout."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.axes import AXES, MEMORY, AxisKey, from_terms
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import MAX_LEAVES, flatten
from tilewright.layout.layout import Layout
from tilewright.layout.linear import dims
from tilewright.layout.linear.clash import OFFSET, clash_text, first_clash
from tilewright.layout.linear.dims import Dims
from tilewright.layout.linear.matrix import F2Matrix
from tilewright.layout.swizzle import Swizzle
from tilewright.numerals import natural

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element, Elements, IntTuple


def from_linear(linear: F2Matrix) -> Layout | ComposedLayout:
    """The layout, or else the swizzled layout, that is this function; one mode an input dimension.

    Output dimensions are read as `to_linear` writes them; a single one of another name is memory.

    Raises:
        LayoutError: the function is neither a layout nor one swizzle of a layout.

    >>> from tilewright.layout.linear.convert import to_linear
    >>> print(from_linear(to_linear(ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 4), (1, 8))))))
    Sw<2,0,3> o 0 o (8,4):(1,8)
    """
    axes = _out_axes(linear.outs)
    if first_clash(linear.columns) is None:
        return _plain(linear.ins, linear.columns, axes, linear.outs)
    found = _unswizzled(linear) if len(axes) == 1 and axes[0] == MEMORY else None
    if found is None:
        raise LayoutError(f"{linear} is neither a layout nor one swizzle of a layout: {clash_text(linear.columns)}")
    swizzle, columns = found
    return ComposedLayout(swizzle, 0, _plain(linear.ins, columns, axes, linear.outs))


def _out_axes(outs: Dims) -> list[AxisKey]:
    axes = [_axis(name) for name, _ in outs]
    if len(axes) == 1:
        return [axes[0] or MEMORY]
    unknown = next((name for (name, _), axis in zip(outs, axes, strict=True) if axis is None), None)
    if unknown is not None:
        raise LayoutError(f"output dimension {unknown} is neither {OFFSET}, a named axis nor a position dimK")
    return [axis for axis in axes if axis is not None]


def _axis(name: str) -> AxisKey | None:
    if name == OFFSET:
        return MEMORY
    if name in AXES:
        return name
    words = name.removeprefix("dim").split("_")
    path = tuple(position for word in words if (position := natural(word, MAX_LEAVES)) is not None)
    return path if name.startswith("dim") and len(path) == len(words) else None


def _plain(ins: Dims, columns: Sequence[int], axes: Sequence[AxisKey], outs: Dims) -> Layout:
    images = iter([from_terms(zip(axes, dims.unpack(c, outs), strict=True)) for c in columns])
    modes = [_mode([next(images) for _ in range(dims.log2(size))]) for _, size in ins]
    if len(modes) == 1:
        return Layout(*modes[0])
    return Layout(tuple(shape for shape, _ in modes), tuple(stride for _, stride in modes))


def _mode(images: list[Element]) -> tuple[IntTuple, Elements]:
    # Runs of doubling images are leaves.
    leaves: list[tuple[int, Element]] = []
    for i, image in enumerate(images):
        if leaves and image == 2 * images[i - 1]:
            leaves[-1] = (2 * leaves[-1][0], leaves[-1][1])
        else:
            leaves.append((2, image))
    if len(leaves) == 1:
        return leaves[0]
    return (tuple(e for e, _ in leaves), tuple(d for _, d in leaves)) if leaves else (1, 0)


def _unswizzled(linear: F2Matrix) -> tuple[Swizzle, tuple[int, ...]] | None:
    # A swizzle is its own inverse: the simplest one that makes the columns disjoint.
    found = [(sw, cols) for sw in _candidates(linear) if first_clash(cols := tuple(map(sw, linear.columns))) is None]
    return min(found, key=lambda pair: (_leaves(linear.ins, pair[1]), pair[0].b, abs(pair[0].s)), default=None)


def _leaves(ins: Dims, columns: Sequence[int]) -> int:
    layout = _plain(ins, columns, [MEMORY], ((OFFSET, 1 << 62),))
    return len(flatten(layout.shape))


def _candidates(linear: F2Matrix) -> Iterator[Swizzle]:
    # The changed field must hold every shared bit p, and some column that has p must have the bit p + s that is read.
    clash = first_clash(linear.columns)
    assert clash is not None
    a, b = (linear.columns[i] for i in clash)
    shared = _shared(linear.columns)
    low, high, top = (shared & -shared).bit_length() - 1, shared.bit_length(), min(linear.out_bits, 62)
    pivot = ((a & b) & -(a & b)).bit_length() - 1
    for shift in (q - pivot for q in range(top) if (a | b) >> q & 1):
        for field in range(low + 1):
            for end in range(high, top + 1):
                width, base = end - field, field + min(shift, 0)
                if 0 < width <= abs(shift) and base >= 0 and base + width + abs(shift) <= top:
                    yield Swizzle(width, base, shift)


def _shared(columns: Sequence[int]) -> int:
    seen = shared = 0
    for column in columns:
        shared |= seen & column
        seen |= column
    return shared
