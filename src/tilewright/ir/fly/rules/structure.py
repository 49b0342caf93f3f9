"""What ops on modes infer, of int tuples and layouts: fly unwraps tuples of one mode."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tilewright.errors import LayoutError
from tilewright.ir.fly.normal_form import bare, over_inner, unwrapped
from tilewright.ir.fly.rules.coordinates import sliced
from tilewright.ir.fly.types import AnyLayout, Coordinate
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout import inttuple, query
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import as_int_tuple
from tilewright.layout.layout import Layout, trusted

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Tree

Profiled: TypeAlias = "Tree | AnyLayout"


def select(value: Profiled, indices: tuple[int, ...]) -> Profiled:
    """The modes at the positions; one alone is unwrapped."""
    return unwrapped(algebra.select(value, *indices))


def take(value: Profiled, begin: int, end: int) -> Profiled:
    """The modes in [begin, end); one alone is unwrapped."""
    return unwrapped(algebra.take(value, begin, end))


def group(value: Profiled, begin: int, end: int) -> Profiled:
    """The modes in [begin, end) as one; a leaf stays a leaf."""
    shape = value.shape if isinstance(value, Layout | ComposedLayout) else value
    if not isinstance(shape, tuple) and (begin, end) in ((0, 0), (0, 1), (1, 1)):
        return value
    return algebra.group(value, begin, end)


def append(value: Profiled, item: Tree | Layout, n: int | None = None) -> Profiled:
    """The modes with one more, or padded to n."""
    if n in (0, 1) and query.depth(value) == 0:
        return _wrapped(value)
    if isinstance(value, Layout | ComposedLayout):
        return algebra.append(value, _layout(item), _rank(n))
    return algebra.append(value, _tuple(item), _rank(n))


def prepend(value: Profiled, item: Tree | Layout, n: int | None = None) -> Profiled:
    """The modes with one more in front, or padded to n."""
    if n in (0, 1) and query.depth(value) == 0:
        return _wrapped(value)
    if isinstance(value, Layout | ComposedLayout):
        return algebra.prepend(value, _layout(item), _rank(n))
    return algebra.prepend(value, _tuple(item), _rank(n))


def _layout(item: Profiled) -> Layout:
    if not isinstance(item, Layout):
        raise LayoutError("to the modes of a layout comes a layout, not an int tuple")
    return item


def _tuple(item: Profiled) -> Tree:
    if isinstance(item, Layout | ComposedLayout):
        raise LayoutError("to the modes of an int tuple comes an int tuple, not a layout")
    return item


def _rank(n: int | None) -> int | None:
    return None if n == -1 else n


def _wrapped(value: Profiled) -> Profiled:
    """A leaf as a tuple of one mode."""
    if isinstance(value, Layout | ComposedLayout):
        return over_inner(lambda x: trusted((x.shape,), (x.stride,)), value)
    return (value,)


def slice_(value: Profiled, coord: Coordinate) -> Profiled:
    """The modes under None; one alone is unwrapped."""
    if coord is None:
        return value
    if isinstance(value, Layout | ComposedLayout):
        return slice_layout(value, coord)
    return bare(algebra.slice(coord, as_int_tuple(value)))


def slice_layout(layout: AnyLayout, coord: Coordinate) -> AnyLayout:
    """The modes of a layout under None; one alone is unwrapped."""
    return bare(sliced(layout, coord))


def dice(value: Profiled, coord: Coordinate) -> Profiled:
    """The modes that the coordinate fixes; one alone is unwrapped."""
    if coord is not None and not isinstance(coord, tuple):
        return value
    if isinstance(value, Layout | ComposedLayout):
        return bare(algebra.dice(value, coord))
    return bare(algebra.dice(coord, as_int_tuple(value)))


def zip_(a: Profiled, b: Profiled) -> Profiled:
    """The modes of both side by side: of two int tuples, or of two layouts."""
    if isinstance(a, ComposedLayout):
        return over_inner(lambda inner: algebra.zip(inner, _layout(b)), a)
    return algebra.zip(a, _layout(b)) if isinstance(a, Layout) else algebra.zip(a, _tuple(b))


def flatten(value: Profiled) -> Profiled:
    """The leaves as modes of one tuple."""
    if isinstance(value, Layout | ComposedLayout):
        return algebra.flatten(value)
    return inttuple.flatten(value) if isinstance(value, tuple) else value
