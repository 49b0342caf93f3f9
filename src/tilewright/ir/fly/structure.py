"""What ops on modes infer, of int tuples and layouts: fly unwraps tuples of one mode."""

from __future__ import annotations

from typing import Any

from tilewright.ir.fly import forms
from tilewright.ir.fly.coordinates import slice_and_offset
from tilewright.ir.fly.forms import bare, unwrapped
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout import query
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import is_int_tuple
from tilewright.layout.layout import trusted
from tilewright.layout.swizzled.slicing import moved


def select(value: Any, indices: tuple[int, ...]) -> Any:
    """The modes at the positions; one alone is unwrapped."""
    return unwrapped(algebra.select(value, *indices))


def take(value: Any, begin: int, end: int) -> Any:
    """The modes in [begin, end); one alone is unwrapped."""
    return unwrapped(algebra.take(value, begin, end))


def group(value: Any, begin: int, end: int) -> Any:
    """The modes in [begin, end) as one; a leaf stays a leaf."""
    shape = value if is_int_tuple(value) else value.shape
    if not isinstance(shape, tuple) and (begin, end) in ((0, 0), (0, 1), (1, 1)):
        return value
    return algebra.group(value, begin, end)


def append(value: Any, item: Any, n: int | None = None) -> Any:
    """The modes with one more, or padded to n."""
    return _wrapped(value) if n in (0, 1) and query.depth(value) == 0 else algebra.append(value, item, _rank(n))


def prepend(value: Any, item: Any, n: int | None = None) -> Any:
    """The modes with one more in front, or padded to n."""
    return _wrapped(value) if n in (0, 1) and query.depth(value) == 0 else algebra.prepend(value, item, _rank(n))


def _rank(n: int | None) -> int | None:
    return None if n == -1 else n


def _wrapped(value: Any) -> Any:
    """A leaf as a tuple of one mode."""
    return (value,) if is_int_tuple(value) else forms.over_inner(lambda x: trusted((x.shape,), (x.stride,)), value)


def slice_(value: Any, coord: Any) -> Any:
    """The modes under None; one alone is unwrapped."""
    if isinstance(value, ComposedLayout) and coord is not None:
        kept, offset = slice_and_offset(value.inner, coord)
        return bare(ComposedLayout(value.outer, moved(value.offset, offset), kept))
    return value if coord is None else bare(algebra.slice(coord, value))


def dice(value: Any, coord: Any) -> Any:
    """The modes that the coordinate fixes; one alone is unwrapped."""
    return bare(algebra.dice(coord, value)) if coord is None or isinstance(coord, tuple) else value
