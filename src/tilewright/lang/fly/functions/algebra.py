"""The algebra of layouts: composition, inverses, divisions, products, and the structure of tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, cast, overload

from tilewright.dtypes import bits_of
from tilewright.errors import LayoutError
from tilewright.lang.core.numerics.numeric import DTypeOf, NumericMeta, numeric_type
from tilewright.lang.fly.functions.queries import ShapedLike, shaped
from tilewright.lang.fly.values.base import FlyValue, apply, expect
from tilewright.lang.fly.values.int_tuple import IntTuple, IntTupleLike, int_tuple
from tilewright.lang.fly.values.layouts import AnyLayout, LayoutLike, Tile, TilerLike, layout_of
from tilewright.lang.fly.values.layouts import tiler as as_tiler
from tilewright.lang.fly.values.memory import Tensor

__all__ = [
    "append",
    "block_product",
    "blocked_product",
    "coalesce",
    "complement",
    "composition",
    "dice",
    "flat_divide",
    "flat_product",
    "group",
    "is_profile_congruent",
    "is_profile_weakly_congruent",
    "left_inverse",
    "logical_divide",
    "logical_product",
    "prepend",
    "raked_product",
    "recast_layout",
    "right_inverse",
    "select",
    "take",
    "tile_to_shape",
    "tiled_divide",
    "tiled_product",
    "zipped_divide",
    "zipped_product",
]


def _value(name: str, *operands: FlyValue, **given: int | tuple[int, ...]) -> FlyValue:
    return expect(apply(name, *operands, attributes=given), FlyValue, "a result")


def coalesce(layout: LayoutLike | Tensor, pattern: IntTupleLike = None) -> FlyValue:
    """The same function with as few modes as it has; with a pattern mode by mode.

    >>> from tilewright.lang.fly.values.base import of_text
    >>> coalesce(of_text("!fly.layout<(2,(1,6)):(1,(6,2))>"))
    Layout<12:1>
    """
    return _value("coalesce", shaped(layout), *([] if pattern is None else [int_tuple(pattern)]))


def composition(layout: FlyValue | LayoutLike, tiler: TilerLike) -> FlyValue:
    """x -> layout(tiler(x)); with a tile mode by mode.

    >>> from tilewright.lang.fly.values.base import of_text
    >>> composition(of_text("!fly.layout<(4,(2,8)):(1,(16,4))>"), of_text("!fly.layout<(2,4):(1,2)>"))
    Layout<(2,(2,2)):(1,(2,16))>
    """
    return _value("composition", shaped(layout), _fitting(shaped(layout), tiler))


def _fitting(shape: FlyValue, given: TilerLike) -> FlyValue:
    """The tiler, whose modes the layout has."""
    found, layout = as_tiler(given), shape.layout if isinstance(shape, Tensor) else shape
    modes = getattr(layout, "rank", None)
    if isinstance(found, Tile) and modes is not None and found.rank > modes:
        raise LayoutError(f"the tile {found.text} has {found.rank} modes, and the layout {modes}")
    return found


def complement(layout: LayoutLike, codomain_size: IntTupleLike = None) -> AnyLayout:
    """The layout of what another one leaves out below a size.

    >>> import tilewright.expr as fx
    >>> fx.complement(fx.make_layout(4, 2), 32)
    Layout<(2,4):(1,8)>
    """
    more = [] if codomain_size is None else [int_tuple(codomain_size)]
    return layout_of(_value("complement", layout_of(layout), *more))


def right_inverse(layout: LayoutLike) -> AnyLayout:
    """R with layout(R(i)) == i, as far as it goes: modes of which run time knows the extent or the stride stay at 0.

    Args:
        layout: a layout, or a composed one.

    Raises:
        KernelError: it is no layout, or its values are no integers.

    >>> import tilewright.expr as fx
    >>> fx.right_inverse(fx.make_layout((4, 8), (8, 1)))
    Layout<(8,4):(4,1)>
    """
    return layout_of(_value("right_inverse", layout_of(layout)))


def left_inverse(layout: LayoutLike) -> AnyLayout:
    """L with L(layout(c)) == c, of modes with known strides; others have coordinate 0, as in FlyDSL.

    Args:
        layout: a layout, or a composed one; where it gives a value twice, L gives one of the coordinates.

    Raises:
        KernelError: it is no layout, or its values are no integers.

    >>> import tilewright.expr as fx
    >>> fx.left_inverse(fx.make_layout(4, 2))
    Layout<(2,4):(0,1)>
    """
    return layout_of(_value("left_inverse", layout_of(layout)))


class Divide(Protocol):
    """A division of a layout, or of a tensor's."""

    @overload
    def __call__(self, layout: Tensor, divisor: TilerLike) -> Tensor: ...
    @overload
    def __call__(self, layout: LayoutLike, divisor: TilerLike) -> AnyLayout: ...


def _divide(name: str, parts: str) -> Divide:
    def divide(layout: LayoutLike | Tensor, divisor: TilerLike) -> FlyValue:
        return _value(name, shaped(layout), _fitting(shaped(layout), divisor))

    divide.__name__ = divide.__qualname__ = name
    divide.__doc__ = f"{parts}: a tile's modes, and those that count tiles."
    return cast("Divide", divide)


logical_divide = _divide("logical_divide", "Mode by mode (tile, rest)")
zipped_divide = _divide("zipped_divide", "((tile, tile, ..), (rest, rest, ..))")
tiled_divide = _divide("tiled_divide", "((tile, tile, ..), rest, rest, ..)")
flat_divide = _divide("flat_divide", "(tile, tile, .., rest, rest, ..)")


def _product(name: str, layout: LayoutLike, tiler: TilerLike) -> AnyLayout:
    return layout_of(_value(name, layout_of(layout), as_tiler(tiler)))


def logical_product(layout: LayoutLike, tiler: TilerLike) -> AnyLayout:
    """(the layout, its repetitions by the tiler).

    >>> import tilewright.expr as fx
    >>> fx.logical_product(fx.make_layout(4, 1), fx.make_layout(2, 1))
    Layout<(4,2):(1,4)>
    """
    return _product("logical_product", layout, tiler)


def zipped_product(layout: LayoutLike, tiler: TilerLike) -> AnyLayout:
    """((layout), (repetitions)).

    >>> import tilewright.expr as fx
    >>> fx.zipped_product(fx.make_layout(4, 1), fx.make_layout(2, 1))
    Layout<(4,2):(1,4)>
    """
    return _product("zipped_product", layout, tiler)


def tiled_product(layout: LayoutLike, tiler: TilerLike) -> AnyLayout:
    """((layout), repetition, repetition, ..).

    >>> import tilewright.expr as fx
    >>> fx.tiled_product(fx.make_layout(4, 1), fx.make_layout(2, 1))
    Layout<(4,2):(1,4)>
    """
    return _product("tiled_product", layout, tiler)


def flat_product(layout: LayoutLike, tiler: TilerLike) -> AnyLayout:
    """All modes of the layout, then all of the repetitions.

    >>> import tilewright.expr as fx
    >>> fx.flat_product(fx.make_layout(4, 1), fx.make_layout(2, 1))
    Layout<(4,2):(1,4)>
    """
    return _product("flat_product", layout, tiler)


def blocked_product(layout: LayoutLike, tiler: TilerLike) -> AnyLayout:
    """The product whose modes are pairs (layout, repetition): blocks side by side.

    >>> import tilewright.expr as fx
    >>> fx.blocked_product(fx.make_layout((2, 2), (1, 2)), fx.make_layout((2, 3), (1, 2)))
    Layout<((2,2),(2,3)):((1,4),(2,8))>
    """
    return _product("blocked_product", layout, tiler)


block_product = blocked_product


def raked_product(layout: LayoutLike, tiler: TilerLike) -> AnyLayout:
    """The product whose modes are pairs (repetition, layout): blocks interleaved.

    >>> import tilewright.expr as fx
    >>> fx.raked_product(fx.make_layout((2, 2), (1, 2)), fx.make_layout((2, 3), (1, 2)))
    Layout<((2,2),(3,2)):((4,1),(8,2))>
    """
    return _product("raked_product", layout, tiler)


def tile_to_shape(block: LayoutLike, trg_shape: IntTupleLike, ord_shape: IntTupleLike) -> AnyLayout:
    """A block repeated to fill a shape, in an order.

    >>> import tilewright.expr as fx
    >>> fx.tile_to_shape(fx.make_layout((2, 2), (1, 2)), (4, 4), (0, 1))
    Layout<((2,2),(2,2)):((1,4),(2,8))>
    """
    return layout_of(_value("tile_to_shape", layout_of(block), int_tuple(trg_shape), int_tuple(ord_shape)))


def recast_layout(layout: LayoutLike, old_type_bits: int | DTypeOf, new_type_bits: int | DTypeOf) -> AnyLayout:
    """The layout for elements of other bits.

    >>> import tilewright.expr as fx
    >>> fx.recast_layout(fx.make_layout((4, 8), (1, 4)), 16, 32)
    Layout<(2,8):(1,2)>
    """
    old, new = _bits(old_type_bits), _bits(new_type_bits)
    return layout_of(_value("recast_layout", layout_of(layout), old_type_bits=old, new_type_bits=new))


def _bits(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    kind = value if isinstance(value, NumericMeta) else numeric_type(value)
    return bits_of(kind.element)


# ---- structure


def take(int_tuple: ShapedLike, begin: int, end: int) -> FlyValue:
    """The modes from `begin` to before `end`.

    >>> import tilewright.expr as fx
    >>> fx.take(fx.make_layout((2, 3, 4), (1, 2, 6)), 0, 2)
    Layout<(2,3):(1,2)>
    """
    return _value("take", shaped(int_tuple), begin=begin, end=end)


def select(int_tuple: ShapedLike, indices: Sequence[int]) -> FlyValue:
    """The modes of these numbers.

    >>> select((2, 3, 5), [0, 2])
    IntTuple<(2,5)>
    """
    return _value("select", shaped(int_tuple), indices=tuple(indices))


def group(int_tuple: ShapedLike, begin: int, end: int) -> FlyValue:
    """The modes from `begin` to before `end` as one.

    >>> group((2, 3, 5), 1, 3)
    IntTuple<(2,(3,5))>
    """
    return _value("group", shaped(int_tuple), begin=begin, end=end)


def _padded(name: str, base: ShapedLike, elem: ShapedLike, n: int | None) -> FlyValue:
    given = {} if n is None else {"n": n}
    return _value(name, shaped(base), shaped(elem), **given)


def append(base: ShapedLike, elem: ShapedLike, *, n: int | None = None) -> FlyValue:
    """A mode behind the others; with `n` as often as makes so many modes.

    >>> import tilewright.expr as fx
    >>> fx.append(fx.make_layout((4, 8), (8, 1)), fx.make_layout(2, 32))
    Layout<(4,8,2):(8,1,32)>
    """
    return _padded("append", base, elem, n)


def prepend(base: ShapedLike, elem: ShapedLike, *, n: int | None = None) -> FlyValue:
    """A mode before the others; with `n` as often as makes so many modes.

    >>> import tilewright.expr as fx
    >>> fx.prepend(fx.make_layout((4, 8), (8, 1)), fx.make_layout(2, 32))
    Layout<(2,4,8):(32,8,1)>
    """
    return _padded("prepend", base, elem, n)


def zip(*values: ShapedLike) -> FlyValue:
    """Pairs of modes of two tuples or layouts."""
    return _value("zip", *map(shaped, values))


@overload
def slice(src: Tensor, coord: IntTupleLike) -> Tensor: ...
@overload
def slice(src: ShapedLike, coord: IntTupleLike) -> FlyValue: ...
def slice(src: ShapedLike, coord: IntTupleLike) -> FlyValue:
    """What is left where a coordinate has None: of a tensor, the tensor there."""
    return _value("slice", shaped(src), int_tuple(coord))


def dice(src: ShapedLike, coord: IntTupleLike) -> FlyValue:
    """The modes where a coordinate has a number.

    >>> import tilewright.expr as fx
    >>> fx.dice(fx.make_layout((4, 8), (8, 1)), (None, 0))
    Layout<8:1>
    """
    return _value("dice", shaped(src), int_tuple(coord))


def is_profile_congruent(lhs: ShapedLike, rhs: ShapedLike) -> bool:
    """Do two tuples nest alike?"""
    return _nests_alike(tuple_of(lhs).kind, tuple_of(rhs).kind)


def is_profile_weakly_congruent(lhs: ShapedLike, rhs: ShapedLike) -> bool:
    """Does `rhs` nest as `lhs` does, or deeper?"""
    return _nests_alike(tuple_of(lhs).kind, tuple_of(rhs).kind, weakly=True)


def tuple_of(value: ShapedLike) -> IntTuple:
    """An int tuple as it is; the shape of what has one."""
    found = shaped(value)
    return found if isinstance(found, IntTuple) else expect(apply("get_shape", found), IntTuple, "a shape")


def _nests_alike(a: object, b: object, weakly: bool = False) -> bool:
    if not isinstance(a, tuple):
        return weakly or not isinstance(b, tuple)
    pairs = isinstance(b, tuple) and len(a) == len(b)
    return pairs and all(_nests_alike(x, y, weakly) for x, y in _pairs(a, b))


def _pairs(a: object, b: object) -> list[tuple[object, object]]:
    assert isinstance(a, tuple)
    assert isinstance(b, tuple)
    return [(a[i], b[i]) for i in range(len(a))]
