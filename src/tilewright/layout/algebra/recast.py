"""Recasts: the same bits seen as wider or narrower elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd, prod
from typing import TYPE_CHECKING, TypeAlias

from tilewright.dtypes import bits_of
from tilewright.errors import LayoutError, shown
from tilewright.layout.algebra.modes import coalesced, from_modes, rebuild
from tilewright.layout.algebra.ragged import counts
from tilewright.layout.algebra.wide_order import in_order
from tilewright.layout.arithmetic import is_equal, is_multiple
from tilewright.layout.axes import AxisSum
from tilewright.layout.inttuple import IntTuple, as_int_tuple, flatten, to_text, unflatten
from tilewright.layout.layout import Layout, modes_alone, trusted
from tilewright.layout.steps import LOG, explained, record
from tilewright.layout.symbolic.comparison import differs
from tilewright.layout.symbolic.conditions import all_of

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike
    from tilewright.layout.methods import V

Mode = tuple[int, int]
Leaf: TypeAlias = "tuple[IntTuple, IntTuple]"  # what takes the place of a mode


@explained("upcast")
def upcast(layout: Layout[V], factor: int) -> Layout[V]:
    """The layout in elements `factor` times as wide: the same bits, in the order in which the layout begins them.

    W(j) == A(i_j) / factor, where i_0 < i_1 < .. are the coordinates with A(i) % factor == 0. Where every mode by
    itself holds whole wide elements, or lies over them, the answer has the profile of the layout; where that is so of
    its modes coalesced, theirs; else W is a function of an integer.

    Raises:
        LayoutError: a wide element would be cut; or they are whole, as `max_alignment` says, but begin in an order that
            no layout has, as those of the matrix `(2,3):(3,1)` in pairs do (0, 2, 1): a row ends inside of one.

    Source: CuTe's `upcast`.

    >>> print(upcast(Layout((16, 8), (1, 16)), 4), upcast(Layout((4, 6), (6, 1)), 8))
    (4,8):(1,4) 3:1
    """
    factor = as_width(factor)
    if factor == 1:
        return layout
    for form in _forms(layout):
        found = _wider(form, factor)
        if found is not None:
            return found
    if not layout.is_static:
        raise LayoutError(f"upcast of {layout} by {factor}: some wide element would hold only a part of its elements")
    try:
        extents, steps = in_order(coalesced(layout.shape, layout.stride), factor)
    except LayoutError as refusal:
        raise LayoutError(f"upcast of {layout} by {factor}: {refusal}") from None
    return from_modes(*coalesced(tuple(extents), tuple(steps)))


def _forms(layout: Layout) -> Iterator[Layout]:
    """The layout, with its modes coalesced each by itself, and as a whole."""
    yield layout
    if layout.depth > 1:
        yield rebuild(
            (0,) * layout.rank, (from_modes(*coalesced(mode.shape, mode.stride)) for mode in modes_alone(layout))
        )
    yield from_modes(*coalesced(layout.shape, layout.stride))


def upcast_rounding_up(layout: Layout, factor: int) -> Layout:
    """CuTe's rule for every mode by itself, where wide elements may be held in part: for coordinates, not for memory.

    >>> print(upcast_rounding_up(Layout((3, 4), (1, 8)), 4))
    (1,4):(1,2)
    """
    wide = []
    for s, d in layout.flat:
        count = -(-factor // abs(d)) if d else 1
        wide.append((-(-s // count), _rounded(d, factor)))
    return _rebuilt(layout.shape, wide)


@explained("downcast")
def downcast(layout: Layout[V], factor: int) -> Layout[V]:
    """The layout in elements `factor` times as narrow: the same bits, in the mode of stride 1.

    Where there is none, nor one of size 1, the first mode of stride 0 holds them: s:0 becomes (factor,s):(1,0).

    Raises:
        LayoutError: no mode of stride 1 or 0, and none of size 1, could hold the narrow elements; or values on axes.

    Source: CuTe's `downcast`, which refuses where no mode has stride 1.

    >>> print(downcast(Layout((4, 8), (1, 4)), 4), downcast(Layout((8, 4), (0, 2)), 2))
    (16,8):(1,16) ((2,8),4):((1,0),4)
    """
    factor = as_width(factor)
    if factor == 1:
        return layout
    if layout.on_axes:
        raise LayoutError(f"downcast of {layout} by {factor}: its values lie on axes, and elements there have no width")
    modes = list(layout.flat)
    narrow: list[Leaf] = [(s, d * factor) for s, d in modes]
    at = _contiguous(modes)
    if at is not None:
        narrow[at] = (modes[at][0] * factor, 1)
        _record_narrow(modes, narrow)
        return _rebuilt(layout.shape, narrow)
    at = _broadcast(modes)
    if at is None:
        raise LayoutError(f"downcast of {layout} by {factor}: no mode has stride 1, to hold the narrow elements")
    narrow[at] = ((factor, modes[at][0]), (1, 0))
    _record_narrow(modes, narrow)
    return _rebuilt(layout.shape, narrow)


def _record_narrow(modes: list[Mode], narrow: list[Leaf]) -> None:
    for (s, d), (shape, stride) in zip(modes, narrow, strict=True) if LOG.get() is not None else ():
        record("mode", (f"{s}:{d}",), f"{to_text(shape)}:{to_text(stride)}")


def _broadcast(modes: list[Mode]) -> int | None:
    """The first mode whose elements are all one."""
    return next((k for k, (_, d) in enumerate(modes) if type(d) is int and d == 0), None)


def recast_layout(layout: Layout[V], old_type_bits: int | DTypeLike, new_type_bits: int | DTypeLike) -> Layout[V]:
    """The layout of elements of `old_type_bits` bits seen in elements of `new_type_bits` bits; types will do.

    Raises:
        LayoutError: a new element would be cut, or the narrow elements have no mode.

    >>> print(recast_layout(Layout((8, 16), (16, 1)), 16, 8), recast_layout(Layout((8, 16), (16, 1)), "f16", "f32"))
    (8,32):(32,1) (8,8):(8,1)
    """
    wide, narrow = recast_factors(old_type_bits, new_type_bits)
    wider = upcast(layout, wide) if wide > 1 else layout
    return downcast(wider, narrow) if narrow > 1 else wider


def recast_factors(old_bits: int | DTypeLike, new_bits: int | DTypeLike) -> tuple[int, int]:
    """By how much to upcast, and then to downcast.

    >>> recast_factors(16, 8), recast_factors(4, 6)
    ((1, 2), (3, 2))
    """
    old, new = as_width(bits_of(old_bits)), as_width(bits_of(new_bits))
    common = gcd(old, new)
    return new // common, old // common


def as_width(value: object) -> int:
    """A width, or a ratio of widths: an integer of at least 1."""
    factor = as_int_tuple(value)
    if type(factor) is not int or factor < 1:
        raise LayoutError(f"a recast needs a positive width, got {shown(value)}")
    return factor


def _wider(layout: Layout, factor: int) -> Layout | None:
    """By CuTe's rule for every mode, if the low parts of the modes fill a wide element exactly."""
    wide: list[Mode] = []
    low: list[Mode] = []
    for s, d in layout.flat:
        parts = _split(s, d, factor)
        if parts is None:
            return None
        wide.append(parts[1])
        low.append(parts[0])
    if not _fills(factor, low):
        return None
    if LOG.get() is not None:
        for (s, d), inside, over in zip(layout.flat, low, wide, strict=True):
            record(
                "mode", (f"{s}:{d}",), f"{inside[0]}:{inside[1]} inside a wide element, {over[0]}:{over[1]} over them"
            )
    return _rebuilt(layout.shape, wide)


def _fills(factor: int, low: list[Mode]) -> bool:
    return prod(s for s, _ in low) == factor and counts(factor, low)


def _split(s: int, d: int, factor: int) -> tuple[Mode, Mode] | None:
    """The mode inside a wide element, and the mode over wide elements."""
    if isinstance(d, AxisSum):
        raise LayoutError(f"the stride {d} lies on an axis: elements there have no width")
    if is_multiple(d, factor):
        return (1, 0), (s, d // factor)
    if is_equal(s, 1):
        return (1, 0), (1, _rounded(d, factor))
    if type(d) is not int or d < 0 or factor % d:
        return None
    if is_multiple(s * d, factor):
        return (factor // d, d), (s * d // factor, 1)
    return ((s, d), (1, 1)) if type(s) is int and s * d < factor else None


def _rounded(d: int, factor: int) -> int:
    return -(-d // factor) if d > 0 else d // factor


def _contiguous(modes: list[Mode]) -> int | None:
    """The mode whose elements are neighbours; a mode of size 1 serves if there is none."""
    for k, (s, d) in enumerate(modes):
        if s != 1 and (d == 1 if s.__class__ is d.__class__ is int else all_of(is_equal(d, 1), differs(s, 1))):
            return k
    return next((k for k, (s, _) in enumerate(modes) if is_equal(s, 1)), None)


def _rebuilt(shape: IntTuple, modes: Sequence[Leaf]) -> Layout:
    like = unflatten(tuple(range(len(flatten(shape)))), shape)

    def pick(node: IntTuple, part: int) -> IntTuple:
        return tuple(pick(item, part) for item in node) if isinstance(node, tuple) else modes[node][part]

    return trusted(pick(like, 0), pick(like, 1))
