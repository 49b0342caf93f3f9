"""The steps of evaluating, with their numbers: which `explain` tells of functions that are too short to record any.

What holds no known integers (arrays, modes kept free, run-time values) is told by its result alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import singledispatch
from typing import TypeAlias, TypeGuard

from tilewright.layout import coordinates, indexing
from tilewright.layout.base import LayoutBase
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import MAX_INT, IntTuple, as_int_tuple, flatten, leaves, modes, to_text
from tilewright.layout.layout import Layout
from tilewright.layout.steps import Derivation
from tilewright.layout.swizzle import Swizzle

Steps: TypeAlias = tuple[Derivation, ...]


@singledispatch
def steps_at(function: object, *coord: object) -> Steps:
    """The steps from a coordinate, or an offset, to the value of a layout or a swizzle there.

    >>> for step in steps_at(Layout((4, (2, 6)), (1, (4, 8))), 1, 5):
    ...     print(step)
    coordinate((1,5), (4,(2,6))) = (1,(1,2))
    mode(4:1) = 1*1 = 1
    mode(2:4) = 1*4 = 4
    mode(6:8) = 2*8 = 16
    sum: 1 + 4 + 16 = 21
    """
    return ()


@steps_at.register
def _of_layout(layout: Layout, *coord: object) -> Steps:
    where = coord[0] if len(coord) == 1 else coord
    natural = _natural(where, layout.shape)
    if natural is None:
        return ()
    digits = flatten((natural,))
    found = [(digit, s, d, d * digit) for digit, (s, d) in zip(digits, layout.flat, strict=True)]
    split = () if natural == where else (Derivation("coordinate", (where, layout.shape), to_text(natural)),)
    terms = tuple(_mode(s, d, f"{i}*{to_text(d)} = {to_text(value)}") for i, s, d, value in found)
    total = f"{' + '.join(to_text(value) for *_, value in found)} = {to_text(layout.at(natural))}"
    return (*split, *terms, *((_said("sum", total),) if len(found) > 1 else ()))


@steps_at.register
def _of_composed(layout: ComposedLayout, *coord: object) -> Steps:
    where = _natural(coord[0] if len(coord) == 1 else coord, layout.shape)
    if where is None:
        return ()
    inside = layout.inner.at(where)
    first = Derivation("inner", (layout.inner, *coord), to_text(inside), steps_at(layout.inner, *coord))
    if type(inside) is not int or type(layout.offset) is not int:
        return (first,)
    moved = layout.offset + inside
    offset = (_said("offset", f"{layout.offset} + {inside} = {moved}"),) if layout.offset else ()
    value = layout.at(where)
    return (first, *offset, Derivation("outer", (layout.outer, moved), to_text(value), steps_at(layout.outer, moved)))


@steps_at.register
def _of_swizzle(swizzle: Swizzle, *offset: object) -> Steps:
    number = offset[0] if len(offset) == 1 else None
    if not _is_number(number) or not swizzle.b:
        return ()
    selected, shift = number & swizzle.yyy_mask, f"{'>>' if swizzle.s >= 0 else '<<'} {abs(swizzle.s)}"
    moved = number ^ swizzle(number)
    return (
        _said("bits that are read", f"{number} & {swizzle.yyy_mask:#b} = {selected}"),
        _said("shifted", f"{selected} {shift} = {moved}"),
        _said("xor", f"{number} ^ {moved} = {swizzle(number)}"),
    )


def evaluate(layout: Callable[..., object], *coord: object) -> object:
    """The value of a layout, or a swizzle, at a coordinate."""
    return layout(*coord)


def of_crd2idx(crd: object, layout: object, stride: object = None) -> Steps:
    """The steps of `crd2idx`."""
    return steps_at(_laid_out(layout, stride), crd)


def of_idx2crd(index: object, layout: object, stride: object = None) -> Steps:
    """The steps of `idx2crd`: digits of a shape, or what each mode of a layout counts of an index."""
    if isinstance(layout, LayoutBase) or stride is not None:
        return of_idx2crd_of_layout(_laid_out(layout, stride), index)
    shape = as_int_tuple(layout)
    return tuple(_digits(index, shape)) if _is_number(index) and _is_known(shape) else ()


def of_idx2crd_of_layout(layout: object, index: object) -> Steps:
    """The steps of `idx2crd` in a layout."""
    if not _is_number(index) or index < 0 or not isinstance(layout, Layout):
        return ()
    if any(type(d) is not int or d < 1 or type(s) is not int for s, d in layout.flat):
        return ()
    return tuple(_mode(s, d, f"{index} // {d} % {s} = {index // d % s}") for s, d in layout.flat)


EVALUATIONS: Mapping[object, Callable[..., Steps]] = {
    coordinates.crd2idx: of_crd2idx,
    coordinates.idx2crd: of_idx2crd,
    coordinates.idx2crd_of_layout: of_idx2crd_of_layout,
    evaluate: steps_at,
    Layout.__call__: steps_at,
    ComposedLayout.__call__: steps_at,
    Swizzle.__call__: steps_at,
}


def _digits(index: int, shape: IntTuple) -> Iterator[Derivation]:
    *firsts, last = flatten((shape,))
    for extent in firsts:
        yield Derivation("mode", (extent,), f"{index} % {extent} = {index % extent}")
        yield _said("left", f"{index} // {extent} = {index // extent}")
        index //= extent
    yield Derivation("last mode", (last,), f"{index}")


def _laid_out(layout: object, stride: object) -> object:
    if isinstance(layout, LayoutBase | Swizzle):
        return layout
    shape = as_int_tuple(layout)
    return Layout(shape) if stride is None else Layout(shape, as_int_tuple(stride))


def _natural(where: object, shape: IntTuple) -> IntTuple | None:
    """The coordinate that is congruent to the shape; None where it is not made of known integers, or has no place."""
    if _is_number(where):
        return indexing.idx2crd(where, shape) if _is_known(shape) else None
    if not isinstance(where, tuple | list) or not isinstance(shape, tuple) or len(where) > len(shape):
        return None
    found = [_natural(*pair) for pair in zip((*where, *[0] * (len(shape) - len(where))), modes(shape), strict=True)]
    return tuple(part for part in found if part is not None) if None not in found else None


def _is_number(value: object) -> TypeGuard[int]:
    """Is it a known integer that has a text of reasonable length?"""
    return type(value) is int and abs(value) < MAX_INT


def _is_known(shape: IntTuple) -> bool:
    return all(type(leaf) is int for leaf in leaves(shape))


def _mode(extent: object, stride: object, text: str) -> Derivation:
    return Derivation("mode", (f"{extent}:{stride}",), text)


def _said(rule: str, text: str) -> Derivation:
    return Derivation(rule, (), text)
