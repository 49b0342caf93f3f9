"""Triton's padded shared-memory layouts: behind every so many elements a gap, which nobody uses.

The elements before the gaps are an F2 map (offset, block) -> (dim0, dim1, ..); with them the function is a layout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tilewright.errors import LayoutError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.operations import composition
from tilewright.notation.bridges import in_memory
from tilewright.notation.triton_attribute import Attribute
from tilewright.notation.triton_cover import combine, identity
from tilewright.notation.triton_fields import blocks_of, integers, order_of
from tilewright.notation.triton_layouts import attribute_layout

KIND = "padded_shared"


@dataclass(frozen=True)
class Padding:
    """Behind every `interval` elements lie `padding` more, which nobody uses."""

    interval: int
    padding: int


def paddings_of(a: Attribute) -> tuple[Padding, ...]:
    """The gaps of the layout, none if it is of another kind.

    Raises:
        LayoutError: an interval is no power of two.
    """
    if a.kind != KIND:
        return ()
    steps, gaps = integers(a, "intervals"), integers(a, "paddings")
    return tuple(Padding(_power(step), gap) for step, gap in zip(steps, gaps, strict=True))


def _power(value: int) -> int:
    if value < 1 or value & (value - 1):
        raise LayoutError(f"#ttg.{KIND}: the interval {value} is no power of two")
    return value


def unpadded(a: Attribute, shape: Sequence[int]) -> LinearLayout:
    """The offsets before the gaps -> the coordinates of a tensor of that shape."""
    if a.get("offset") is not None:
        return attribute_layout(_bases(a), shape)
    if any(extent < 1 or extent & (extent - 1) for extent in shape):
        raise LayoutError(f"a linear layout needs extents that are powers of two, got {'x'.join(map(str, shape))}")
    order = order_of(a)
    if len(order) != len(shape):
        raise LayoutError(f"a tensor {'x'.join(map(str, shape))} of rank {len(shape)} under {a} of rank {len(order)}")
    return combine(identity("offset", shape, order), blocks_of(a, len(shape)), tuple(shape))


def _bases(a: Attribute) -> Attribute:
    return Attribute("shared_linear", tuple((key, a.get(key, ())) for key in ("offset", "block")))


def padded_layout(a: Attribute, shape: Sequence[int] | None = None) -> Layout | ComposedLayout:
    """The coordinates of a tensor, a mode each -> where in memory its elements lie, the gaps counted.

    Without a shape, of the tensor that the attribute tells.

    Raises:
        LayoutError: several blocks share the tensor, elements lie twice in memory, or the fields are wrong.

    >>> from tilewright.notation.triton import attribute
    >>> from tilewright.notation.reader import Reader
    >>> print(padded_layout(attribute(Reader("#ttg.padded_shared<[32:+4] {order = [1, 0], shape = [8, 32]}>"), {})))
    (8,32):(36,1)
    """
    before = unpadded(a, _shape(a) if shape is None else shape)
    places, gaps = in_memory(before), _with_gaps(before.get_in_dim_size("offset"), paddings_of(a))
    if not isinstance(places, Layout):
        return ComposedLayout(gaps, 0, places)
    try:
        return composition(gaps, places)
    except LayoutError:  # no layout has that function
        return ComposedLayout(gaps, 0, places)


def _shape(a: Attribute) -> tuple[int, ...]:
    if a.get("offset") is not None:
        return tuple(s for _, s in attribute_layout(_bases(a)).out_dims)
    if a.get("shape") is None and a.get("order") is not None:
        raise LayoutError(
            f"#ttg.{KIND} needs shape = the extents of the tensor, which an order alone does not tell: write"
            " PaddedSharedLayout.with_identity_for(pairs, shape, order), or a tensor's type around the attribute"
        )
    return integers(a, "shape")


def _with_gaps(size: int, paddings: Sequence[Padding]) -> Layout[int]:
    """Offsets before the gaps -> offsets behind them: a mode for what lies between two kinds of gaps."""
    steps = sorted({1, size, *(gap.interval for gap in paddings if gap.interval < size)})
    stride = tuple(step + sum(gap.padding * (step // gap.interval) for gap in paddings) for step in steps[:-1])
    return Layout(tuple(after // step for step, after in pairwise(steps)) or 1, stride or 1)
