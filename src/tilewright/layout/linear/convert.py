"""To the F2 view: exact where the function is linear under XOR, refused with the reason elsewhere.

Input dimension `dimK` is mode K of the layout. Output dimension `offset` is memory (axis `m`), a named axis keeps
its name, and `dimK` or `dimK_J` is the coordinate position K or (K, J). `linear_recover` is the way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from typing import TYPE_CHECKING, TypeAlias

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import MEMORY, AxisKey, components, element_at, from_terms
from tilewright.layout.base import LayoutBase
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import flatten, product
from tilewright.layout.layout import Layout
from tilewright.layout.linear import dims
from tilewright.layout.linear.affine import Affine, Broken, is_identity, trace
from tilewright.layout.linear.clash import OFFSET, clash_text
from tilewright.layout.linear.dims import Dims
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from tilewright.layout.axes import Value
    from tilewright.layout.inttuple import Element

MAX_POINTS = 1 << 16

Linearizable: TypeAlias = Layout | ComposedLayout | Swizzle
OutDims = Iterable[tuple[str, int]]


def to_linear(
    x: Layout[Value] | ComposedLayout[Value] | Swizzle | LinearLayout,
    in_dims: Sequence[str] | None = None,
    out_dims: OutDims | None = None,
) -> LinearLayout:
    """The F2 view of a layout, a swizzled layout or a swizzle: the same function, or a refusal with the reason.

    Args:
        x: the layout. A swizzle is viewed on the smallest block that it permutes, 2^(m+b+|s|) offsets.
        in_dims: names of the input dimensions, one a top-level mode; `dim0`, `dim1`, ... without them.
        out_dims: (name, size) pairs, minor first, that split the output index; without them one dimension an axis.

    Raises:
        LayoutError: an extent that is not a power of two, a run-time or negative stride, images that share a bit
            (there + carries where XOR does not), an offset that moves 0.

    >>> print(to_linear(Layout((4, 8), (8, 1)), ["lane", "register"], [("col", 8), ("row", 4)]))
    {lane = [[0, 1], [0, 2]], register = [[1, 0], [2, 0], [4, 0]]} -> {col = 8, row = 4}
    >>> to_linear(Layout(4, 3))
    Traceback (most recent call last):
        ...
    tilewright.errors.LayoutError: 4:3 is not linear under XOR: its values 3 and 6 at inputs 1 and 2 share bit 1
    """
    if isinstance(x, LinearLayout):
        return x
    _in_dims(x, in_dims)  # refuses what has no F2 view at all
    start = _value(x, 0)
    if components(start):
        raise LayoutError(f"{x} is not linear under XOR: it maps 0 to {start}, and a linear map keeps 0")
    return affine(x, in_dims, out_dims)[1]


def affine(
    x: Linearizable, in_dims: Sequence[str] | None = None, out_dims: OutDims | None = None
) -> tuple[int, LinearLayout]:
    """The constant c and the linear A with x(i) == c ^ A(i) for every i; c is 0 for everything but compositions.

    Both are flat output indices. Arguments and errors as in `to_linear`.

    >>> constant, linear = affine(ComposedLayout(Swizzle(1, 0, 1), 8, Layout(4)))
    >>> constant, linear.bases
    (8, [('dim0', [[1], [3]])])
    """
    ins = _in_dims(x, in_dims)
    start, images = _images(x, dims.bits(ins))
    axes = [axis for axis, _ in components(from_terms((a, 1) for a in _axes(x)))] or [MEMORY]
    values = [[dict(components(e)).get(axis, 0) for axis in axes] for e in (start, *images)]
    if any(value < 0 for row in values for value in row):
        raise LayoutError(f"{x} has no F2 view: it takes negative values")
    natural = dims.out_dims([_name(axis) for axis in axes], None, values)
    outs = natural if out_dims is None else dims.as_dims(out_dims)
    constant, *columns = (dims.pack(value, natural) for value in values)
    return constant, LinearLayout(ins, outs, tuple(columns))


def _in_dims(x: Linearizable, names: Sequence[str] | None) -> Dims:
    names = None if names is None else dims.as_names(names)
    if isinstance(x, Swizzle):
        return _named(x, [OFFSET] if names is None else names, [1 << x.m + x.b + abs(x.s)])
    if not isinstance(x, Layout | ComposedLayout):
        raise LayoutError(f"no F2 view of {shown(x)}; a Layout, a ComposedLayout or a Swizzle has one")
    modes = x.shape if isinstance(x.shape, tuple) else (x.shape,)
    names = [f"dim{i}" for i in range(len(modes))] if names is None else names
    dynamic = next((leaf for leaf in _leaves(x) if type(leaf) is not int), None)
    if dynamic is not None:
        raise LayoutError(f"{x} has no F2 view: {dynamic} is not a static integer")
    wrong = next((extent for extent in flatten(x.shape) if extent & (extent - 1)), None)
    if wrong is not None:
        raise LayoutError(f"{x} is not linear under XOR: extent {wrong} is not a power of two")
    return _named(x, names, [product(mode) for mode in modes])


def _named(x: Linearizable, names: Sequence[str], sizes: Sequence[int]) -> Dims:
    if len(names) != len(sizes):
        raise LayoutError(f"{len(names)} input names for the {len(sizes)} modes of {x}")
    return dims.as_dims(zip(names, sizes, strict=True))


def _images(x: Linearizable, bits: int) -> Affine:
    # The value at 0, and at each power of two the XOR with it; proved to give every other value.
    found = trace(x, bits)
    if isinstance(found, Affine):
        return found
    if isinstance(x, Layout):
        raise LayoutError(f"{x} is not linear under XOR: {clash_text([_value(x, 1 << i) for i in range(bits)])}")
    if isinstance(found, Broken):
        raise LayoutError(_broken_text(x, found.at))
    if bits > MAX_POINTS.bit_length() - 1:
        raise LayoutError(f"undecided whether {x} is linear under XOR: 2^{bits} points are too many to compare")
    return _compared(x, bits)


def _compared(x: Linearizable, bits: int) -> Affine:
    table = [_value(x, i) for i in range(1 << bits)]
    images = tuple(_xor(table[1 << i], table[0]) for i in range(bits))
    expected = table[:1]
    for image in images:
        expected += [_xor(value, image) for value in expected]
    for i, (value, by_xor) in enumerate(zip(table, expected, strict=True)):
        if value != by_xor:
            raise LayoutError(f"{x} is not linear under XOR: its value at {i} is {value}, XOR gives {by_xor}")
    return Affine(table[0], images)


def _broken_text(x: Linearizable, at: int) -> str:
    low = at & -at
    parts = (0, low, at ^ low)
    by_xor = reduce(_xor, (_value(x, i) for i in parts))
    return f"{x} is not linear under XOR: its value at {at} is {_value(x, at)}, the XOR of those at {parts} is {by_xor}"


def _leaves(x: Linearizable) -> Iterator[int]:
    # Every integer in the object, as it stands.
    if isinstance(x, ComposedLayout):
        yield from (*_leaves(x.outer), *(v for _, v in components(element_at(x.offset))), *_leaves(x.inner))
    elif isinstance(x, Layout):
        yield from flatten(x.shape)
        yield from (value for stride in flatten(x.stride) for _, value in components(stride))


def _value(x: Linearizable, i: int) -> Element:
    # The module element at i; unlike a call it keeps the axes.
    return x(i) if isinstance(x, Swizzle) else x.at(i)


def _axes(x: Linearizable) -> tuple[AxisKey, ...]:
    if isinstance(x, ComposedLayout):
        kept = not isinstance(x.outer, LayoutBase) or is_identity(x.outer)
        below = (*_axes(x.inner), *(axis for axis, _ in components(element_at(x.offset))))
        return below if kept else _axes(x.outer)
    return x.axes if isinstance(x, Layout) else ()


def _xor(a: Element, b: Element) -> Element:
    if type(a) is int and type(b) is int:
        return a ^ b
    left, right = dict(components(a)), dict(components(b))
    return from_terms((axis, left.get(axis, 0) ^ right.get(axis, 0)) for axis in left | right)


def _name(axis: AxisKey) -> str:
    if isinstance(axis, tuple):
        return "dim" + "_".join(map(str, axis))
    return OFFSET if axis == MEMORY else axis
