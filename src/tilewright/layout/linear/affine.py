"""Is a composed function affine over F2, a constant XOR a linear map? Followed through its parts, at any size.

A swizzle is linear. A layout is, on the bits that reach it, if the images of these share no bit. Adding an offset is
exactly where no carry is a product of two different inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tilewright.layout.axes import AxisKey, components, element_at, from_terms
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.inttuple import flatten
from tilewright.layout.layout import Layout, crd2idx
from tilewright.layout.linear.clash import first_clash
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element

Function: TypeAlias = Layout | ComposedLayout | Swizzle | CoordSwizzle


class Affine(NamedTuple):
    """x -> start ^ XOR of the images of the bits of x; values are module elements, XORed axis by axis."""

    start: Element
    images: tuple[Element, ...]


class Broken(NamedTuple):
    """An input at which the function is not what XOR makes of its values at 0 and at the single bits."""

    at: int


def trace(x: Function, bits: int) -> Affine | Broken | None:
    """The function on `bits` input bits as an affine map, a proof that it is none, or None where neither is found.

    >>> trace(ComposedLayout(Swizzle(1, 0, 1), 8, Layout(4)), 2)
    Affine(start=8, images=(1, 3))
    >>> trace(ComposedLayout(Layout(8), 1, Layout(4)), 2)
    Broken(at=3)
    """
    return _trace(x, Affine(0, tuple(1 << i for i in range(bits))), fresh=True)


def _trace(x: Function, argument: Affine, fresh: bool) -> Affine | Broken | None:
    if isinstance(x, ComposedLayout):
        inner = _trace(x.inner, argument, fresh)
        moved = _plus(inner, element_at(x.offset))
        if isinstance(moved, Affine):
            return _trace(x.outer, moved, fresh=False)
        return moved if _is_bijection(x.outer) else None
    if isinstance(x, Swizzle):
        return Affine(x(argument.start), tuple([x(image) for image in argument.images]))
    if isinstance(x, CoordSwizzle):
        return Affine(x.at(argument.start), tuple(map(x.at, argument.images)))
    return argument if is_identity(x) else _through_layout(x, argument, fresh)


def _through_layout(x: Layout, argument: Affine, fresh: bool) -> Affine | Broken | None:
    start, *images = natural = [v for v in (argument.start, *argument.images) if type(v) is int and v >= 0]
    if len(natural) <= len(argument.images):
        return None
    reach = start | _union(images)
    used = [1 << p for p in range(reach.bit_length()) if reach >> p & 1]
    clash = first_clash([_at(x, bit) for bit in used])
    if any(extent & (extent - 1) for extent in flatten(x.shape)[:-1]) or (clash and clash[0] == clash[1]):
        return None
    if clash is not None:
        return Broken(used[clash[0]] | used[clash[1]]) if fresh else None
    return Affine(_at(x, start), tuple(_at(x, image) for image in images))


def _plus(argument: Affine | Broken | None, offset: Element) -> Affine | Broken | None:
    """The map x -> argument(x) + offset. What breaks below an offset may be whole again above it."""
    if not isinstance(argument, Affine):
        return None if components(offset) else argument
    for axis, value in components(offset):
        moved = _add([dict(components(e)).get(axis, 0) for e in (argument.start, *argument.images)], value)
        if not isinstance(moved, list):
            return moved
        start, *images = map(_on_axis, (argument.start, *argument.images), repeat(axis), moved)
        argument = Affine(start, tuple(images))
    return argument


def _add(values: Sequence[int], offset: int) -> list[int] | Broken | None:
    """The value at 0 and the images after adding an offset, bit by bit.

    A bit is a form over F2: a sum of inputs and a constant, here an integer with bit 0 for the constant and bit k for
    the input of the k-th value.
    """
    if offset < 0 or any(value < 0 for value in values):
        return None
    moved, carry = [0] * len(values), 0
    for p in range(max(offset, *values).bit_length() + 1):
        own, added = sum((value >> p & 1) << k for k, value in enumerate(values)), offset >> p & 1
        bit = own ^ added ^ carry
        moved = [value | (bit >> k & 1) << p for k, value in enumerate(moved)]
        product = _product(own, carry)
        if isinstance(product, Broken):
            return product
        carry = product ^ own ^ carry if added else product
    return moved


def _product(a: int, b: int) -> int | Broken:
    """The product of two forms, which is a form only if one is constant or both depend on the inputs alike."""
    if a < 2 or b < 2 or a == b:
        return a if a == b else max(a, b) * min(a, b)
    if a ^ b == 1:
        return 0
    inputs = range(1, max(a, b).bit_length())
    i, j = next((i, j) for i in inputs for j in inputs if (a >> i & b >> j ^ a >> j & b >> i) & 1)
    return Broken(1 << i - 1 | 1 << j - 1)


def _on_axis(element: Element, axis: AxisKey, value: int) -> Element:
    return from_terms([*(term for term in components(element) if term[0] != axis), (axis, value)])


def is_identity(x: object) -> bool:
    """Does the layout map every value to itself, whatever its extent?"""
    return isinstance(x, Layout) and bool(x.stride == 1)


def _is_bijection(x: Function) -> bool:
    return isinstance(x, Swizzle) or is_identity(x)


def _at(x: Layout, i: int) -> Element:
    return crd2idx(i, x.shape, x.stride)


def _union(elements: Iterable[int]) -> int:
    found = 0
    for element in elements:
        found |= element
    return found
