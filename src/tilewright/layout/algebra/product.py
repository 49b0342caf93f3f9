"""Products: a block repeated by another layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from tilewright.errors import LayoutError
from tilewright.layout.algebra.complement import room_for
from tilewright.layout.algebra.composition import compose_layouts
from tilewright.layout.algebra.tiler import Tiler, as_tiler, by_mode, layout_or_shape, modes_of, unzip
from tilewright.layout.arithmetic import is_multiple
from tilewright.layout.codomain import kept
from tilewright.layout.construct import ordered_layout
from tilewright.layout.inttuple import IntTuple, as_int_tuple, product, rank, to_text
from tilewright.layout.layout import Layout, compact_stride, concatenate, modes_alone, trusted
from tilewright.layout.query import cosize
from tilewright.layout.steps import explained
from tilewright.layout.structure import append

if TYPE_CHECKING:
    from tilewright.layout.algebra.tiler import CheckedTiler, KnownTiler
    from tilewright.layout.inttuple import Ints, KnownInts
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt


@overload
def logical_product(layout: Layout[V], tiler: KnownTiler) -> Layout[V]: ...
@overload
def logical_product(layout: Layout[V], tiler: Tiler) -> Layout[V | SymInt]: ...
def logical_product(layout: Layout[V], tiler: Tiler) -> Layout:
    """(A, A* o T): mode 0 is the block A, mode 1 repeats it by T. A tuple multiplies mode by mode.

    A* is the complement of A with as many places as T reaches. Gaps between the modes of A that no copy fits into stay.

    Raises:
        LayoutError: elements of A overlap, the composition does not exist, or copies would overlap.

    Source: CuTe's `logical_product`.

    >>> print(logical_product(Layout((2, 2), (4, 1)), Layout(6)))
    ((2,2),(2,3)):((4,1),(2,8))
    >>> print(logical_product(Layout((3, 2), (1, 4)), Layout(5)))
    ((3,2),5):((1,4),8)
    """
    return by_mode(_product, layout, as_tiler(tiler), keep_rest=True)


@overload
def zipped_product(layout: Layout[V], tiler: KnownTiler) -> Layout[V]: ...
@overload
def zipped_product(layout: Layout[V], tiler: Tiler) -> Layout[V | SymInt]: ...
def zipped_product(layout: Layout[V], tiler: Tiler) -> Layout:
    """`logical_product` with the blocks gathered in mode 0 and the repetitions in mode 1.

    Raises:
        LayoutError: what `logical_product` refuses.

    >>> print(zipped_product(Layout((2, 2), (4, 1)), Layout(6)))
    ((2,2),(2,3)):((4,1),(2,8))
    """
    return concatenate(_zipped(layout, as_tiler(tiler)))


@overload
def tiled_product(layout: Layout[V], tiler: KnownTiler) -> Layout[V]: ...
@overload
def tiled_product(layout: Layout[V], tiler: Tiler) -> Layout[V | SymInt]: ...
def tiled_product(layout: Layout[V], tiler: Tiler) -> Layout:
    """`zipped_product` with the repetitions as modes of their own.

    R(a, b, c, ..) == Z(a, (b, c, ..)) for Z the zipped product: the layout is mode 0, the other modes repeat it.

    Raises:
        LayoutError: what `logical_product` refuses.

    >>> print(tiled_product(Layout((2, 2)), Layout((3, 4))))
    ((2,2),3,4):((1,2),4,12)
    """
    blocks, repeats = _zipped(layout, as_tiler(tiler))
    return concatenate([blocks, *modes_of(repeats)])


@overload
def flat_product(layout: Layout[V], tiler: KnownTiler) -> Layout[V]: ...
@overload
def flat_product(layout: Layout[V], tiler: Tiler) -> Layout[V | SymInt]: ...
def flat_product(layout: Layout[V], tiler: Tiler) -> Layout:
    """`zipped_product` with all modes side by side.

    R(a, b, .., x, y, ..) == Z((a, b, ..), (x, y, ..)) for Z the zipped product.

    Raises:
        LayoutError: what `logical_product` refuses.

    >>> print(flat_product(Layout((2, 2)), Layout((3, 4))))
    (2,2,3,4):(1,2,4,12)
    """
    blocks, repeats = _zipped(layout, as_tiler(tiler))
    return concatenate([*modes_of(blocks), *modes_of(repeats)])


@overload
def blocked_product(layout: Layout[V], tiler: Layout[int] | KnownInts) -> Layout[V]: ...
@overload
def blocked_product(layout: Layout[V], tiler: Layout[int | SymInt] | Ints) -> Layout[V | SymInt]: ...
def blocked_product(layout: Layout[V], tiler: Layout[int | SymInt] | Ints) -> Layout:
    """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

    Raises:
        LayoutError: what `logical_product` refuses.

    >>> print(blocked_product(Layout((2, 2)), Layout((3, 4))))
    ((2,3),(2,4)):((1,4),(2,12))
    """
    return _interleaved(layout, tiler, block_first=True)


@overload
def raked_product(layout: Layout[V], tiler: Layout[int] | KnownInts) -> Layout[V]: ...
@overload
def raked_product(layout: Layout[V], tiler: Layout[int | SymInt] | Ints) -> Layout[V | SymInt]: ...
def raked_product(layout: Layout[V], tiler: Layout[int | SymInt] | Ints) -> Layout:
    """The product with the modes of both zipped, tile first: mode i is (tile i, block i). Blocks are spread.

    Raises:
        LayoutError: what `logical_product` refuses.

    >>> print(raked_product(Layout((2, 2)), Layout((3, 4))))
    ((3,2),(4,2)):((4,1),(12,2))
    """
    return _interleaved(layout, tiler, block_first=False)


@overload
def tile_to_shape(block: Layout[V], trg_shape: KnownInts, ord_shape: KnownInts | None = None) -> Layout[V]: ...
@overload
def tile_to_shape(block: Layout[V], trg_shape: Ints, ord_shape: Ints | None = None) -> Layout[V | SymInt]: ...
def tile_to_shape(block: Layout[V], trg_shape: Ints, ord_shape: Ints | None = None) -> Layout:
    """The block repeated until it has the shape; `ord_shape` says which mode of the repetition is fastest.

    Repetitions of equal order overlap, as in CuTe C++. (CuTe DSL rounds the shape up.)

    Raises:
        LayoutError: the block does not divide the shape.

    >>> print(tile_to_shape(Layout((2, 4), (4, 1)), (8, 8)))
    ((2,4),(4,2)):((4,8),(1,32))
    """
    target = Layout(trg_shape).shape
    modes = rank(target)
    padded = _padded(block, max(modes, block.rank))
    repeats = _repeats(padded, target)
    order = compact_stride(repeats) if ord_shape is None else as_int_tuple(ord_shape)
    return blocked_product(padded, ordered_layout(repeats, order))


def _repeats(block: Layout, target: IntTuple) -> IntTuple:
    if block.rank != rank(target):
        raise LayoutError(f"tile_to_shape: {block} has more modes than the shape {to_text(target)}")
    sizes = [mode.size for mode in block]
    wanted = [product(mode) for mode in target] if isinstance(target, tuple) else [target]
    if not all(map(is_multiple, wanted, sizes)):
        raise LayoutError(
            f"tile_to_shape: {block}, of {to_text(tuple(sizes))} elements a mode, does not divide {to_text(target)}"
        )
    repeats = tuple(w // s for w, s in zip(wanted, sizes, strict=True))
    return repeats if isinstance(block.shape, tuple) or isinstance(target, tuple) else repeats[0]


def _zipped(block: Layout, tiler: CheckedTiler) -> list[Layout]:
    return unzip(by_mode(_product, block, tiler, keep_rest=True), tiler)


@explained("logical_product")
def _product(block: Layout, by: Layout | int) -> Layout:
    tile = by if isinstance(by, Layout) else trusted(by, compact_stride(by))
    return concatenate([block, compose_layouts(room_for(block, cosize(tile)), tile)])


def _interleaved(block: Layout, tiler: Layout[int | SymInt] | Ints, block_first: bool) -> Layout:
    tile = layout_or_shape(tiler)
    modes = max(block.rank, tile.rank)
    block, tile = _padded(block, modes), _padded(tile, modes)
    blocks, tiles = _product(block, tile)
    whole = not isinstance(block.shape, tuple)
    left, right = _top(blocks, whole), _top(tiles, whole or not isinstance(tile.shape, tuple))
    pairs = zip(left, right, strict=True) if block_first else zip(right, left, strict=True)
    return concatenate([concatenate([*pair]) for pair in pairs])


def _padded(layout: Layout, modes: int) -> Layout:
    return kept(append(layout, trusted(1, 0), modes), (layout,))


def _top(layout: Layout, whole: bool) -> list[Layout]:
    # The modes to pair: a block that is a leaf is one mode, and so is what repeats it, also where that has several.
    return [layout] if whole else modes_alone(layout)
