"""Layouts as Triton's attributes: what threads hold, and where in shared memory elements lie."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod
from operator import mul

from tilewright.errors import LayoutError, shown
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import flatten, modes, unflatten
from tilewright.layout.layout import Layout
from tilewright.layout.linear.convert import to_linear
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.operations import coalesce
from tilewright.layout.swizzle import Swizzle
from tilewright.notation.reader import Reader
from tilewright.notation.triton import attribute
from tilewright.notation.triton_cover import dim_names
from tilewright.notation.triton_layouts import attribute_layout
from tilewright.notation.triton_padded import padded_layout

_ATTRIBUTES = {"linear": ("register", "lane", "warp", "block"), "shared_linear": ("offset", "block")}


def to_triton(x: LinearLayout | Layout | ComposedLayout) -> str:
    """The Triton attribute that is this layout; `parse_triton` reads it back for a tensor of the layout's extents.

    Of a linear layout `#ttg.linear`, of registers, or `#ttg.shared_linear`, of offsets. A layout, or a swizzled one,
    says where the elements of a tensor lie in memory, a mode for each dimension: `#ttg.swizzled_shared` where that
    says it, `#ttg.padded_shared` where there are gaps, else `#ttg.shared_linear`.

    Raises:
        LayoutError: other dimensions than (register, lane, warp, block) or (offset, block) -> (dim0, dim1, ...);
            extents that are no powers of two, elements in one place, or gaps that no padding makes.

    >>> print(to_triton(LinearLayout.from_bases({"register": [[1]], "lane": [[2], [4]]}, ["dim0"])))
    #ttg.linear<{register = [[1]], lane = [[2], [4]], warp = [], block = []}>
    >>> print(to_triton(ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))))
    #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    >>> print(to_triton(Layout((64, 32), (36, 1))))
    #ttg.padded_shared<[32:+4] {order = [1, 0], shape = [64, 32]}>
    """
    if isinstance(x, Layout | ComposedLayout):
        return _shared(x)
    bases = dict(x.bases) if isinstance(x, LinearLayout) else {}
    kind = next((kind for kind, levels in _ATTRIBUTES.items() if bases and set(bases) <= set(levels)), None)
    if kind is None or x.get_out_dim_names() != dim_names(x.num_out_dims):
        raise LayoutError(
            f"a Triton attribute maps register, lane, warp, block, or offset, block, to dim0, dim1, ...; not {shown(x)}"
        )
    if not x.is_surjective():
        raise LayoutError(f"a Triton attribute covers its tensor, and {x} does not")
    fields = ", ".join(f"{level} = {bases.get(level, [])}" for level in _ATTRIBUTES[kind])
    return f"#ttg.{kind}<{{{fields}}}>"


def _shared(x: Layout | ComposedLayout) -> str:
    """The first of the kinds that says where every element lies."""
    found = next((text for way in _WAYS for text in way(x)), None)
    return found if found is not None else to_triton(_offsets(x))


def _offsets(x: Layout | ComposedLayout) -> LinearLayout:
    """The offsets -> the coordinates."""
    places = to_linear(x)
    names = dim_names(places.num_in_dims)
    if places.get_in_dim_names() != names or places.get_out_dim_names() != ["offset"]:
        raise LayoutError(f"{x} does not say where in memory the elements of a tensor lie")
    if not places.is_invertible():
        raise LayoutError(f"Triton has no attribute for {x}: not every offset has one element")
    return places.invert().transpose_outs(names)


def _swizzled(x: Layout | ComposedLayout) -> list[str]:
    """Rows, or columns, XORed with their number; or not at all."""
    swizzle, inner = (x.outer, x.inner) if isinstance(x, ComposedLayout) and not x.offset else (Swizzle(0, 0, 0), x)
    if not isinstance(swizzle, Swizzle) or not isinstance(inner, Layout):
        return []
    order, extents = _order(inner), _extents(x)
    if not order or (swizzle.b and len(order) < 2):
        return []
    per_phase = max(1, (1 << (swizzle.m + max(0, swizzle.s))) // extents[order[0]])
    phases = f"vec = {1 << swizzle.m}, perPhase = {per_phase}, maxPhase = {1 << swizzle.b}"
    return _equal(x, f"#ttg.swizzled_shared<{{{phases}, order = {order}}}>")


def _equal(x: Layout | ComposedLayout, text: str) -> list[str]:
    """The attribute, if under it the elements of the tensor lie where x says."""
    read = attribute(Reader(text), {})
    try:
        same = dict(attribute_layout(read, _extents(x)).bases)["offset"] == dict(_offsets(x).bases)["offset"]
    except LayoutError:  # extents or places that are no powers of two
        same = False
    return [text] if same else []


def _padded(x: Layout | ComposedLayout) -> list[str]:
    """Gaps behind whole modes."""
    if not isinstance(x, Layout) or not _is_known(x):
        return []
    strides, extents = flatten(x.stride), flatten(x.shape)
    nearest = sorted(range(len(extents)), key=lambda mode: (strides[mode], extents[mode]))
    before = list(accumulate((extents[mode] for mode in nearest), mul, initial=1))
    gaps = _gaps([(strides[mode], unpadded) for mode, unpadded in zip(nearest, before, strict=False)])
    if not gaps:
        return []
    plain = Layout(x.shape, unflatten(tuple(before[nearest.index(mode)] for mode in range(len(extents))), x.shape))
    text = (
        f"#ttg.padded_shared<[{', '.join(f'{interval}:+{gap}' for interval, gap in gaps)}] {{{_before_gaps(plain)}}}>"
    )
    return [text] if coalesce(padded_layout(attribute(Reader(text), {}))) == coalesce(x) else []


def _is_known(x: Layout) -> bool:
    return all(type(number) is int for number in (*flatten(x.shape), *flatten(x.stride)))


def _gaps(modes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Interval and padding of each gap, from the strides of the modes with and without gaps, the nearest first."""
    gaps: list[tuple[int, int]] = []
    for stride, unpadded in modes:
        padding = stride - unpadded - sum(gap * (unpadded // interval) for interval, gap in gaps)
        if padding < 0:
            return []
        gaps += [(unpadded, padding)] if padding else []
    return gaps


def _before_gaps(x: Layout) -> str:
    order = _order(x)
    if order:
        return f"order = {order}, shape = {list(_extents(x))}"
    return f"offset = {dict(_offsets(x).bases)['offset']}, block = []"


def _extents(x: Layout | ComposedLayout) -> tuple[int, ...]:
    return tuple(prod(flatten(mode)) for mode in modes(x.shape))


def _order(x: Layout) -> list[int]:
    """The dimensions, the nearest in memory first; none if one of them goes through memory in several steps."""
    if not _is_known(x):
        return []
    strides = modes(coalesce(x, (1,) * len(modes(x.shape))).stride)
    if set(map(type, strides)) != {int}:
        return []
    return sorted(range(len(strides)), key=lambda d: (strides[d], -d))


_WAYS: tuple[Callable[[Layout | ComposedLayout], list[str]], ...] = (_swizzled, _padded)
