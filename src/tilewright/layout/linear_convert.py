"""To the F2 view: exact where the function is linear under XOR, refused with the reason elsewhere.

Input dimension `dimK` is mode K of the layout. Output dimension `offset` is memory (axis `m`), a named axis keeps
its name, and `dimK` or `dimK_J` is the coordinate position K or (K, J). `linear_recover` is the way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout import linear_dims as dims
from tilewright.layout.axes import MEMORY, AxisKey, components, from_terms
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import flatten, product
from tilewright.layout.layout import Layout, coprofile_axes, crd2idx
from tilewright.layout.linear import LinearLayout
from tilewright.layout.linear_dims import Dims
from tilewright.layout.swizzle import Swizzle

OFFSET = "offset"
MAX_POINTS = 1 << 16

Linearizable = Layout | ComposedLayout | Swizzle | LinearLayout
OutDims = Iterable[tuple[str, int]]


def to_linear(x: Any, in_dims: Sequence[str] | None = None, out_dims: OutDims | None = None) -> LinearLayout:
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
    constant, linear = affine(x, in_dims, out_dims)
    if constant:
        raise LayoutError(f"{x} is not linear under XOR: it maps 0 to {constant}, and a linear map keeps 0")
    return linear


def affine(x: Any, in_dims: Sequence[str] | None = None, out_dims: OutDims | None = None) -> tuple[int, LinearLayout]:
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
        raise LayoutError(f"no F2 view of {x!r}; a Layout, a ComposedLayout or a Swizzle has one")
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


def _images(x: Linearizable, bits: int) -> tuple[Any, list[Any]]:
    # The value at 0, and at each power of two the XOR with it; proved to give every other value.
    start = _value(x, 0)
    images = [_xor(_value(x, 1 << i), start) for i in range(bits)]
    if _reach(x, (1 << bits) - 1) is not None:
        return start, images
    if isinstance(x, Layout):
        raise LayoutError(f"{x} is not linear under XOR: {clash_text(images)}")
    if bits > MAX_POINTS.bit_length() - 1:
        raise LayoutError(f"undecided whether {x} is linear under XOR: 2^{bits} points are too many to compare")
    table = [start]
    for image in images:
        table += [_xor(value, image) for value in table]
    for i, value in enumerate(table):
        if _value(x, i) != value:
            raise LayoutError(f"{x} is not linear under XOR: its value at {i} is {_value(x, i)}, XOR gives {value}")
    return start, images


def _reach(x: Linearizable, inputs: int) -> int | None:
    # The bits that x can set when its argument takes bits of `inputs` only; None unless x is plainly affine there.
    if isinstance(x, ComposedLayout):
        below = _reach(x.inner, inputs)
        if below is None or x.offset < 0 or x.offset & below:
            return None
        return _reach(x.outer, below | x.offset)
    images = [_value(x, 1 << i) for i in range(inputs.bit_length()) if inputs >> i & 1]
    if isinstance(x, Layout) and (first_clash(images) is not None or any(e & (e - 1) for e in flatten(x.shape)[:-1])):
        return None
    reach = 0
    for value in (v for image in images for _, v in components(image)):
        reach |= value
    return reach


def _leaves(x: Linearizable) -> Iterator[Any]:
    # Every integer in the object, as it stands.
    if isinstance(x, ComposedLayout):
        yield from (*_leaves(x.outer), x.offset, *_leaves(x.inner))
    elif isinstance(x, Layout):
        yield from flatten(x.shape)
        yield from (value for stride in flatten(x.stride) for _, value in components(stride))


def _value(x: Linearizable, i: int) -> Any:
    # The module element at i; unlike a call it keeps the axes.
    if isinstance(x, Layout):
        return crd2idx(i, x.shape, x.stride)
    if isinstance(x, ComposedLayout):
        inner = _value(x.inner, i)
        if type(inner) is not int:
            raise LayoutError(f"{x} has no F2 view: its inner layout gives {inner}, not an integer")
        return _value(x.outer, x.offset + inner)
    return x(i)


def _axes(x: Linearizable) -> tuple[AxisKey, ...]:
    if isinstance(x, ComposedLayout):
        return _axes(x.outer)
    return coprofile_axes(x.stride) if isinstance(x, Layout) else ()


def _xor(a: Any, b: Any) -> Any:
    if type(a) is int and type(b) is int:
        return a ^ b
    left, right = dict(components(a)), dict(components(b))
    return from_terms((axis, left.get(axis, 0) ^ right.get(axis, 0)) for axis in left | right)


def _name(axis: AxisKey) -> str:
    if isinstance(axis, tuple):
        return "dim" + "_".join(map(str, axis))
    return OFFSET if axis == MEMORY else axis


def first_clash(images: Sequence[Any]) -> tuple[int, int] | None:
    """The first two images that share a bit on an axis; a negative image clashes with itself.

    >>> first_clash((1, 6, 4)), first_clash((1, 2, 4))
    ((1, 2), None)
    """
    seen: dict[AxisKey, list[tuple[int, int]]] = {}
    for i, image in enumerate(images):
        for axis, value in components(image):
            if value < 0:
                return i, i
            before = seen.setdefault(axis, [])
            other = next((j for j, v in before if v & value), None)
            if other is not None:
                return other, i
            before.append((i, value))
    return None


def clash_text(images: Sequence[Any]) -> str:
    """Why integer addition and XOR differ on the images of the powers of two."""
    clash = first_clash(images)
    if clash is None:
        return "an extent is not a power of two"
    i, j = clash
    if i == j:
        return f"its value {images[i]} at input {1 << i} is negative"
    shared = next(a & b for axis, a in components(images[i]) for other, b in components(images[j]) if axis == other)
    bit = (shared & -shared).bit_length() - 1
    return f"its values {images[i]} and {images[j]} at inputs {1 << i} and {1 << j} share bit {bit}"
