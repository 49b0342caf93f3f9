# Written by `make stubs`; change the functions themselves, or scripts/stubs.py.
# ruff: noqa
# mypy: disable-error-code=overload-overlap
from collections.abc import Mapping
from collections.abc import Sequence
from numpy import int64
from numpy.typing import NDArray
from tilewright.dtypes import DTypeLike
from tilewright.layout.algebra.tiler import KnownTiler
from tilewright.layout.algebra.tiler import Tiler
from tilewright.layout.axes import AxisKey
from tilewright.layout.axes import Known
from tilewright.layout.axes import Value
from tilewright.layout.base import LayoutBase
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.extent import Extent
from tilewright.layout.indexing import Coord
from tilewright.layout.indexing import Index
from tilewright.layout.indexing import KnownCoord
from tilewright.layout.indexing import Position
from tilewright.layout.inttuple import Element
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.inttuple import IntTupleLike
from tilewright.layout.inttuple import Ints
from tilewright.layout.inttuple import KnownInts
from tilewright.layout.layout import Layout
from tilewright.layout.linear.convert import OutDims
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.steps import Derivation
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt
from tilewright.layout.symbolic.symint import Values
from tilewright.layout.table import Table
from typing import Any, Generic, Self
from typing import ClassVar
from typing import overload
from typing_extensions import TypeVar
V = TypeVar("V", bound=Value, default=Any, covariant=True)
W = TypeVar("W", bound=Value)
class PlainMethods(LayoutBase, Generic[V]):
    def coalesce(self, pattern: IntTupleLike = None) -> Layout[V]:
        """The layout with the fewest modes that has the same size and the same function of an integer.

        Modes of size 1 go, neighbours with s0 * d0 == d1 merge. With a pattern, each of its leaves is coalesced on its own,
        and modes beyond it stay. Run-time leaves are left alone, see `simplify`.

        Raises:
            LayoutError: the pattern has more modes than the layout.

        Source: CuTe's `coalesce`.
        """
    def simplify(self) -> Layout[V]:
        """`coalesce` that also merges run-time modes wherever the merge is proved.

        R(i) == A(i) for every integer i below the size, whatever the run-time integers are; no mode is added.

        Raises:
            LayoutError: no layout.
        """
    def filter(self, pattern: IntTupleLike = None) -> Layout[V]:
        """The image in a shorter layout: modes of stride 0 and of size 1 are gone, the rest is coalesced.

        With a pattern, each of its leaves is filtered on its own, and modes beyond it stay.

        Raises:
            LayoutError: no layout, or a pattern with more modes than it.
        """
    def filter_zeros(self) -> Layout[V]:
        """The layout with every mode of stride 0 replaced by a mode of size 1.

        R(c) == A(c) for every coordinate c of R, whose profile is that of A: each value at as many coordinates as the other
        strides give it.

        Raises:
            LayoutError: no layout.
        """
    @overload
    def with_shape(self, *shape: KnownInts) -> Layout[V]:
        """The layout o shape:compact: the same function of an integer on another shape.

        Raises:
            LayoutError: another size, or what `composition` refuses.
        """
    @overload
    def with_shape(self, *shape: Ints) -> Layout[V | SymInt]:
        """The layout o shape:compact: the same function of an integer on another shape.

        Raises:
            LayoutError: another size, or what `composition` refuses.
        """
    @overload
    def composition(self, tiler: KnownTiler) -> Layout[V]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def composition(self, tiler: Tiler) -> Layout[V | SymInt]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def composition(self, tiler: ComposedLayout[Known] | Swizzle) -> Layout[V] | ComposedLayout[V]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def composition(self, tiler: ComposedLayout[Value]) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def compose(self, tiler: KnownTiler) -> Layout[V]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def compose(self, tiler: Tiler) -> Layout[V | SymInt]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def compose(self, tiler: ComposedLayout[Known] | Swizzle) -> Layout[V] | ComposedLayout[V]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def compose(self, tiler: ComposedLayout[Value]) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def complement(
        self,
        codomain_size: KnownInts | Layout[Known] | ComposedLayout[Known] | Mapping[AxisKey, int] | None = None,
    ) -> Layout[V]:
        """R such that all sums A(i) + R(j) are distinct, R is increasing, and there are at least as many as the cotarget.

        Modes of size 1 and of stride 0 do not count. Where the reach of A does not divide the cotarget, R goes beyond it.
        Without a cotarget R may leave offsets between the modes of A uncovered, as `explain` tells: what is asked for then
        is size(R) >= cosize(A) // size(A).
        Where strides lie on axes the complement is taken axis by axis, and the cotarget is a coordinate or `{axis: int}`;
        an integer will do for one axis.

        Args:
            layout: A. Its strides, sorted, must be apart: each at least the reach s * d of the one before it, and a
                multiple of it (then they chain) unless R is large enough all the same.
            codomain_size: The cotarget: an integer or a shape, 1 + the sum of (s - 1) * d if not given.

        Raises:
            LayoutError: the strides overlap or are negative, or too few sums would be left.

        Source: CuTe's `complement` and the three conditions on its result; "chains" are those of Shah, "A Note on the
        Algebra of CuTe Layouts".
        """
    @overload
    def complement(self, codomain_size: IntTupleLike | LayoutBase | Mapping[AxisKey, int]) -> Layout[V | SymInt]:
        """R such that all sums A(i) + R(j) are distinct, R is increasing, and there are at least as many as the cotarget.

        Modes of size 1 and of stride 0 do not count. Where the reach of A does not divide the cotarget, R goes beyond it.
        Without a cotarget R may leave offsets between the modes of A uncovered, as `explain` tells: what is asked for then
        is size(R) >= cosize(A) // size(A).
        Where strides lie on axes the complement is taken axis by axis, and the cotarget is a coordinate or `{axis: int}`;
        an integer will do for one axis.

        Args:
            layout: A. Its strides, sorted, must be apart: each at least the reach s * d of the one before it, and a
                multiple of it (then they chain) unless R is large enough all the same.
            codomain_size: The cotarget: an integer or a shape, 1 + the sum of (s - 1) * d if not given.

        Raises:
            LayoutError: the strides overlap or are negative, or too few sums would be left.

        Source: CuTe's `complement` and the three conditions on its result; "chains" are those of Shah, "A Note on the
        Algebra of CuTe Layouts".
        """
    def right_inverse(self) -> Layout[int]:
        """R with A(R(i)) == i for every i of R: as many i as the modes of A reach from 0 on without a gap.

        Modes whose stride does not follow from the others are left out, and of several with one stride all but the first.
        Where A has negative strides the longest R is sought. If the values of A are coordinates then so are those that R
        takes, mode by mode.

        Raises:
            LayoutError: a run-time stride is negative: the longest R is not sought among values that are not known.

        Source: CuTe's `right_inverse`.
        """
    def left_inverse(self) -> Layout[int]:
        """R with R(A(i)) == i for every i of A. Where A is not injective: A(R(A(i))) == A(i).

        The gaps in A's values get stride 0. If the values of A are coordinates then so are those that R takes.

        Raises:
            LayoutError: no such layout is found, or A takes negative values.

        Source: CuTe's `left_inverse`.
        """
    def nullspace(self) -> Layout[int]:
        """N with A(N(i)) == 0 for every i of N: the modes of stride 0.

        N is injective; its size is the product of the extents of these modes, and 1:0 where there are none.

        Raises:
            LayoutError: no layout.
        """
    @overload
    def logical_divide(self, divisor: KnownTiler) -> Layout[V]:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
    @overload
    def logical_divide(self, divisor: Tiler) -> Layout[V | SymInt]:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
    @overload
    def zipped_divide(self, divisor: KnownTiler) -> Layout[V]:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def zipped_divide(self, divisor: Tiler) -> Layout[V | SymInt]:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def tiled_divide(self, divisor: KnownTiler) -> Layout[V]:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def tiled_divide(self, divisor: Tiler) -> Layout[V | SymInt]:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def flat_divide(self, divisor: KnownTiler) -> Layout[V]:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def flat_divide(self, divisor: Tiler) -> Layout[V | SymInt]:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def logical_product(self, tiler: KnownTiler) -> Layout[V]:
        """(A, A* o T): mode 0 is the block A, mode 1 repeats it by T. A tuple multiplies mode by mode.

        A* is the complement of A with as many places as T reaches. Gaps between the modes of A that no copy fits into stay.

        Raises:
            LayoutError: elements of A overlap, the composition does not exist, or copies would overlap.

        Source: CuTe's `logical_product`.
        """
    @overload
    def logical_product(self, tiler: Tiler) -> Layout[V | SymInt]:
        """(A, A* o T): mode 0 is the block A, mode 1 repeats it by T. A tuple multiplies mode by mode.

        A* is the complement of A with as many places as T reaches. Gaps between the modes of A that no copy fits into stay.

        Raises:
            LayoutError: elements of A overlap, the composition does not exist, or copies would overlap.

        Source: CuTe's `logical_product`.
        """
    @overload
    def zipped_product(self, tiler: KnownTiler) -> Layout[V]:
        """`logical_product` with the blocks gathered in mode 0 and the repetitions in mode 1.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def zipped_product(self, tiler: Tiler) -> Layout[V | SymInt]:
        """`logical_product` with the blocks gathered in mode 0 and the repetitions in mode 1.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def tiled_product(self, tiler: KnownTiler) -> Layout[V]:
        """`zipped_product` with the repetitions as modes of their own.

        R(a, b, c, ..) == Z(a, (b, c, ..)) for Z the zipped product: the layout is mode 0, the other modes repeat it.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def tiled_product(self, tiler: Tiler) -> Layout[V | SymInt]:
        """`zipped_product` with the repetitions as modes of their own.

        R(a, b, c, ..) == Z(a, (b, c, ..)) for Z the zipped product: the layout is mode 0, the other modes repeat it.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def flat_product(self, tiler: KnownTiler) -> Layout[V]:
        """`zipped_product` with all modes side by side.

        R(a, b, .., x, y, ..) == Z((a, b, ..), (x, y, ..)) for Z the zipped product.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def flat_product(self, tiler: Tiler) -> Layout[V | SymInt]:
        """`zipped_product` with all modes side by side.

        R(a, b, .., x, y, ..) == Z((a, b, ..), (x, y, ..)) for Z the zipped product.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def blocked_product(self, tiler: Layout[int] | KnownInts) -> Layout[V]:
        """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def blocked_product(self, tiler: Layout[int | SymInt] | Ints) -> Layout[V | SymInt]:
        """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def block_product(self, tiler: Layout[int] | KnownInts) -> Layout[V]:
        """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def block_product(self, tiler: Layout[int | SymInt] | Ints) -> Layout[V | SymInt]:
        """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def raked_product(self, tiler: Layout[int] | KnownInts) -> Layout[V]:
        """The product with the modes of both zipped, tile first: mode i is (tile i, block i). Blocks are spread.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def raked_product(self, tiler: Layout[int | SymInt] | Ints) -> Layout[V | SymInt]:
        """The product with the modes of both zipped, tile first: mode i is (tile i, block i). Blocks are spread.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def tile_to_shape(self, trg_shape: KnownInts, ord_shape: KnownInts | None = None) -> Layout[V]:
        """The block repeated until it has the shape; `ord_shape` says which mode of the repetition is fastest.

        Repetitions of equal order overlap, as in CuTe C++. (CuTe DSL rounds the shape up.)

        Raises:
            LayoutError: the block does not divide the shape.
        """
    @overload
    def tile_to_shape(self, trg_shape: Ints, ord_shape: Ints | None = None) -> Layout[V | SymInt]:
        """The block repeated until it has the shape; `ord_shape` says which mode of the repetition is fastest.

        Repetitions of equal order overlap, as in CuTe C++. (CuTe DSL rounds the shape up.)

        Raises:
            LayoutError: the block does not divide the shape.
        """
    def recast_layout(self, old_type_bits: int | DTypeLike, new_type_bits: int | DTypeLike) -> Layout[V]:
        """The layout of elements of `old_type_bits` bits seen in elements of `new_type_bits` bits; types will do.

        Raises:
            LayoutError: a new element would be cut, or the narrow elements have no mode.
        """
    def upcast(self, factor: int) -> Layout[V]:
        """The layout in elements `factor` times as wide: the same bits, in the order in which the layout begins them.

        W(j) == A(i_j) / factor, where i_0 < i_1 < .. are the coordinates with A(i) % factor == 0. Where every mode by
        itself holds whole wide elements, or lies over them, the answer has the profile of the layout; where that is so of
        its modes coalesced, theirs; else W is a function of an integer.

        Raises:
            LayoutError: a wide element would be cut; or they are whole, as `max_alignment` says, but begin in an order that
                no layout has, as those of the matrix `(2,3):(3,1)` in pairs do (0, 2, 1): a row ends inside of one.

        Source: CuTe's `upcast`.
        """
    def downcast(self, factor: int) -> Layout[V]:
        """The layout in elements `factor` times as narrow: the same bits, in the mode of stride 1.

        Where there is none, nor one of size 1, the first mode of stride 0 holds them: s:0 becomes (factor,s):(1,0).

        Raises:
            LayoutError: no mode of stride 1 or 0, and none of size 1, could hold the narrow elements; or values on axes.

        Source: CuTe's `downcast`, which refuses where no mode has stride 1.
        """
    def slice(self, *coord: Coord) -> Layout[V]:
        """The layout of the modes under None; a composed layout keeps the offset of the others."""
    def dice(self, *coord: Coord) -> Layout[V]:
        """The layout of the modes that the coordinate fixes."""
    @overload
    def slice_and_offset(self: PlainMethods[int], *coord: KnownCoord) -> tuple[Layout[int], int]:
        """The layout of the modes under None, and the value of the coordinate with 0 there."""
    @overload
    def slice_and_offset(self, *coord: Coord) -> tuple[Layout[V], Element | SymInt]:
        """The layout of the modes under None, and the value of the coordinate with 0 there."""
    @overload
    def slice_with_offset(self, coord: KnownCoord) -> Layout[V] | ComposedLayout[V]:
        """The slice as a function with the same values as the whole: the offset stays inside, unless it is 0.

        R(c) == A(d) where d is the coordinate with c in the place of its None.

        Raises:
            LayoutError: a coordinate that is not weakly congruent to the shape.
        """
    @overload
    def slice_with_offset(self, coord: Coord) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """The slice as a function with the same values as the whole: the offset stays inside, unless it is 0.

        R(c) == A(d) where d is the coordinate with c in the place of its None.

        Raises:
            LayoutError: a coordinate that is not weakly congruent to the shape.
        """
    @overload
    def domain_offset(self: PlainMethods[int], coord: KnownCoord) -> tuple[Layout[int], int]:
        """The layout moved so that `coord` becomes its origin, as (layout, offset).

        Raises:
            LayoutError: the coordinate does not fit the layout.
        """
    @overload
    def domain_offset(self, coord: Coord) -> tuple[Layout[V], Element | SymInt]:
        """The layout moved so that `coord` becomes its origin, as (layout, offset).

        Raises:
            LayoutError: the coordinate does not fit the layout.
        """
    @overload
    def local_tile(self, tiler: KnownTiler, coord: KnownCoord, proj: Coord = None) -> Layout[V] | ComposedLayout[V]:
        """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode.

        `proj` is a tuple that leaves out the modes of tiler and coordinate where it has None.
        A tile of a coordinate tensor gives coordinates of the whole, in their profile.

        Raises:
            LayoutError: what `zipped_divide` refuses, or a coordinate outside the tiles.

        Source: CuTe's `local_tile` (`inner_partition`).
        """
    @overload
    def local_tile(
        self,
        tiler: Tiler,
        coord: Coord,
        proj: Coord = None,
    ) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode.

        `proj` is a tuple that leaves out the modes of tiler and coordinate where it has None.
        A tile of a coordinate tensor gives coordinates of the whole, in their profile.

        Raises:
            LayoutError: what `zipped_divide` refuses, or a coordinate outside the tiles.

        Source: CuTe's `local_tile` (`inner_partition`).
        """
    @overload
    def local_partition(self, thr: Layout[int], index: KnownCoord, proj: Coord = None) -> Layout[V] | ComposedLayout[V]:
        """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

        Raises:
            LayoutError: what `zipped_divide` refuses, or an index outside the threads.

        Source: CuTe's `local_partition` (`outer_partition`).
        """
    @overload
    def local_partition(
        self,
        thr: Layout[int | SymInt],
        index: Coord,
        proj: Coord = None,
    ) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

        Raises:
            LayoutError: what `zipped_divide` refuses, or an index outside the threads.

        Source: CuTe's `local_partition` (`outer_partition`).
        """
    def flatten(self) -> Layout[V]:
        """All leaves as modes of one tuple; a leaf stays a leaf.

        Of a layout R(i) == A(i) for every integer i, and its depth is at most 1.

        Raises:
            LayoutError: neither a layout nor an int tuple.
        """
    def select(
        self,
        *positions: int | Sequence[int],
        indices: Sequence[int] = (),
        mode: Sequence[int] = (),
    ) -> Layout[V]:
        """The modes at the given positions, in that order, as a tuple. `indices` is FlyDSL's keyword, `mode` CuTe DSL's.

        Raises:
            LayoutError: there is no such mode, or positions are given in two ways.
        """
    def take(self, begin: int, end: int | None = None) -> Layout[V]:
        """The modes in [begin, end), as a tuple.

        Raises:
            LayoutError: neither a layout nor an int tuple, or an empty range, or one beyond its modes.
        """
    def group(self, begin: int, end: int | None = None) -> Layout[V]:
        """The modes in [begin, end) as one nested mode; an empty range changes nothing.

        Raises:
            LayoutError: neither a layout nor an int tuple, or a range beyond its modes.
        """
    def append(self, elem: Layout[W], n: int | None = None) -> Layout[V | W]:
        """The modes with one more at the end, or with as many copies as make `n` modes.

        Raises:
            LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.
        """
    def prepend(self, elem: Layout[W], n: int | None = None) -> Layout[V | W]:
        """The modes with one more at the front, or with as many copies as make `n` modes.

        Raises:
            LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.
        """
    def replace(self, mode: int, item: Layout[W]) -> Layout[V | W]:
        """The modes with one of them replaced: R[mode] == item, and R[k] == value[k] for all others.

        Raises:
            LayoutError: neither a layout nor an int tuple, or no such mode.
        """
    def get(self, *path: int | Sequence[int], mode: int | Sequence[int] = ()) -> Layout[V]:
        """The mode at a position, or at a path of positions.

        Raises:
            LayoutError: there is no such mode, or positions are given in two ways.
        """
    def idx2crd(self, index: Position | Sequence[int]) -> IntTuple:
        """The coordinate whose value is the index."""
    def get_hier_coord(self, index: Position | Sequence[int]) -> IntTuple:
        """The coordinate whose value is the index."""
    def get_flat_coord(self, index: Position) -> int | tuple[int, ...]:
        """The coordinate whose value is the index, with one integer for every top-level mode."""
    def get_1d_coord(self, index: Index) -> int:
        """The colexicographic index of the coordinate whose value is the index."""
    cosize: ClassVar[Extent]
    """The largest value + 1: the size of an array that holds every offset; over several axes the product of `coshape`.

    Raises:
        LayoutError: the value is no layout.
    """
    def coshape(self) -> IntTuple | dict[AxisKey, int]:
        """The codomain's shape: the largest value + 1 on every axis, as a coordinate tuple or `{axis: int}`.

        Raises:
            LayoutError: no layout.
        """
    def coprofile(self) -> IntTuple | dict[AxisKey, int]:
        """A zero for every coordinate of the codomain; `with_coprofile` gives a layout another.

        Raises:
            LayoutError: no layout.
        """
    def with_coprofile(self, coprofile: IntTupleLike | Mapping[AxisKey, int]) -> Layout[Value]:
        """The same layout, with values that are coordinates of this profile, or `{axis: int}` of these axes.

        Operations keep the codomain by themselves. Only where strides are made by hand they may not tell it: a stride 0
        lies on no axis, and `Layout(5, 0)` has for values the integer 0, unless it is told that they are coordinates.

        Args:
            layout: a layout whose strides lie on axes of `coprofile`.
            coprofile: a coordinate, or a dictionary of axes; its integers do not matter.

        Raises:
            LayoutError: a stride lies elsewhere.
        """
    @overload
    def max_common_layout(self: PlainMethods[int], b: Layout[int]) -> Layout[int]:
        """R with A(R(i)) == A(R(0)) + i and the same for B, as long as the modes of A and B show; A may extend.

        Of run-time leaves it is what they all allow, without a guard; so are `max_common_vector` and `max_alignment`.

        Raises:
            LayoutError: no layouts of integers.

        Source: CuTe's `max_common_layout`.
        """
    @overload
    def max_common_layout(self: PlainMethods[int], b: Layout[int] | ComposedLayout[int]) -> Layout[int]:
        """R with A(R(i)) == A(R(0)) + i and the same for B, as long as the modes of A and B show; A may extend.

        Of run-time leaves it is what they all allow, without a guard; so are `max_common_vector` and `max_alignment`.

        Raises:
            LayoutError: no layouts of integers.

        Source: CuTe's `max_common_layout`.
        """
    @overload
    def max_common_vector(self: PlainMethods[int], b: Layout[int]) -> int:
        """How many of the first elements lie one after another, at the same coordinates, in both layouts.

        The largest n such that each i < n has a coordinate c with A(c) == B(c) == i. Of more than 16384 coordinates it is
        as many as their modes show.

        Raises:
            LayoutError: no layouts of integers.
        """
    @overload
    def max_common_vector(self: PlainMethods[int], b: Layout[int] | ComposedLayout[int]) -> int:
        """How many of the first elements lie one after another, at the same coordinates, in both layouts.

        The largest n such that each i < n has a coordinate c with A(c) == B(c) == i. Of more than 16384 coordinates it is
        as many as their modes show.

        Raises:
            LayoutError: no layouts of integers.
        """
    def max_alignment(self: PlainMethods[int]) -> int:
        """The largest N such that the layout is made of whole vectors of N elements, each at a multiple of N.

        In memory: `upcast` by N asks moreover that they begin in an order that a layout has.

        Raises:
            LayoutError: no layout of integers.

        Source: CuTe's `max_alignment`.
        """
    def to_linear(self, in_dims: Sequence[str] | None = None, out_dims: OutDims | None = None) -> LinearLayout:
        """The F2 view of a layout, a swizzled layout or a swizzle: the same function, or a refusal with the reason.

        Args:
            x: the layout. A swizzle is viewed on the smallest block that it permutes, 2^(m+b+|s|) offsets.
            in_dims: names of the input dimensions, one a top-level mode; `dim0`, `dim1`, ... without them.
            out_dims: (name, size) pairs, minor first, that split the output index; without them one dimension an axis.

        Raises:
            LayoutError: an extent that is not a power of two, a run-time or negative stride, images that share a bit
                (there + carries where XOR does not), an offset that moves 0.
        """
    def substitute(self, values: Values) -> Layout[V]:
        """`value` with its variables replaced: integers, int tuples, module elements, layouts of every kind.

        `values` maps variables, as `SymInt` or by name, to integers or to `SymInt`s; other variables stay. The guards of
        a layout are checked, and those that stay open stay beside it. A layout also refuses what the layouts that it was
        made of refuse, where it no longer shows it; an integer that was asked of a layout knows nothing of that.

        Raises:
            LayoutError: a guard fails, an extent falls below 1, a value is outside the facts of its variable; or a name
                that a layout has not, while one that it has stays without a value.
        """
    @overload
    def table(self: PlainMethods[int]) -> NDArray[int64]:
        """All values: an array with one dimension a top-level mode, table[i, j] == layout(i, j).

        Where the values are coordinates: a tuple of arrays; on named axes: `{axis: array}`.

        Raises:
            LayoutError: more than 2^24 elements.
        """
    @overload
    def table(self) -> Table:
        """All values: an array with one dimension a top-level mode, table[i, j] == layout(i, j).

        Where the values are coordinates: a tuple of arrays; on named axes: `{axis: array}`.

        Raises:
            LayoutError: more than 2^24 elements.
        """
    def image(self) -> tuple[int, ...]:
        """The places that hold an element, each once, in increasing order.

        Raises:
            LayoutError: run-time values, coordinates or names as values, or more than 2^20 elements.
        """
    def is_injective(self) -> bool:
        """Do different elements lie in different places? L(i) == L(j) only for i == j.

        Raises:
            LayoutError: run-time values by which strides prove neither, or more than 2^22 elements of which no rule for the
                modes decides.
        """
    def is_surjective(self, cosize: int | None = None) -> bool:
        """Does an element lie at each of 0 .. cosize - 1? Without a cosize, at each up to the largest that is used.

        Raises:
            LayoutError: run-time values, coordinates or names as values, values outside of the given range, or more than
                2^22 elements.
        """
    def is_bijective(self) -> bool:
        """Does exactly one element lie at each of 0 .. size - 1?

        Raises:
            LayoutError: no layout of known size.
        """
    def is_compact(self) -> bool:
        """Do the elements fill their memory? Each place between the first and the last that is used has exactly one.

        Raises:
            LayoutError: no layout of known size.
        """
    def is_contiguous(self) -> bool:
        """Do the elements follow one another in memory in the order of their coordinates? L(i) == L(0) + i.

        Raises:
            LayoutError: no layout of known size.
        """
    def explain(self, *what: object, **named: object) -> Derivation:
        """What a function does with this layout as its first argument, step by step; or its value at a coordinate.

        Raises:
            LayoutError: the function takes other arguments; a coordinate nested deeper than 64.
        """
class ComposedMethods(LayoutBase, Generic[V]):
    def coalesce(self, pattern: IntTupleLike = None) -> ComposedLayout[V]:
        """The layout with the fewest modes that has the same size and the same function of an integer.

        Modes of size 1 go, neighbours with s0 * d0 == d1 merge. With a pattern, each of its leaves is coalesced on its own,
        and modes beyond it stay. Run-time leaves are left alone, see `simplify`.

        Raises:
            LayoutError: the pattern has more modes than the layout.

        Source: CuTe's `coalesce`.
        """
    def simplify(self) -> ComposedLayout[V]:
        """`coalesce` that also merges run-time modes wherever the merge is proved.

        R(i) == A(i) for every integer i below the size, whatever the run-time integers are; no mode is added.

        Raises:
            LayoutError: no layout.
        """
    def filter(self, pattern: IntTupleLike = None) -> ComposedLayout[V]:
        """The image in a shorter layout: modes of stride 0 and of size 1 are gone, the rest is coalesced.

        With a pattern, each of its leaves is filtered on its own, and modes beyond it stay.

        Raises:
            LayoutError: no layout, or a pattern with more modes than it.
        """
    def filter_zeros(self) -> ComposedLayout[V]:
        """The layout with every mode of stride 0 replaced by a mode of size 1.

        R(c) == A(c) for every coordinate c of R, whose profile is that of A: each value at as many coordinates as the other
        strides give it.

        Raises:
            LayoutError: no layout.
        """
    @overload
    def with_shape(self, *shape: KnownInts) -> Layout[V] | ComposedLayout[V]:
        """The layout o shape:compact: the same function of an integer on another shape.

        Raises:
            LayoutError: another size, or what `composition` refuses.
        """
    @overload
    def with_shape(self, *shape: Ints) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """The layout o shape:compact: the same function of an integer on another shape.

        Raises:
            LayoutError: another size, or what `composition` refuses.
        """
    @overload
    def composition(self, tiler: KnownTiler | ComposedLayout[Known] | Swizzle) -> Layout[V] | ComposedLayout[V]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def composition(self, tiler: Tiler | ComposedLayout[Value]) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def compose(self, tiler: KnownTiler | ComposedLayout[Known] | Swizzle) -> Layout[V] | ComposedLayout[V]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def compose(self, tiler: Tiler | ComposedLayout[Value]) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def complement(
        self,
        codomain_size: KnownInts | Layout[Known] | ComposedLayout[Known] | Mapping[AxisKey, int] | None = None,
    ) -> Layout[V]:
        """R such that all sums A(i) + R(j) are distinct, R is increasing, and there are at least as many as the cotarget.

        Modes of size 1 and of stride 0 do not count. Where the reach of A does not divide the cotarget, R goes beyond it.
        Without a cotarget R may leave offsets between the modes of A uncovered, as `explain` tells: what is asked for then
        is size(R) >= cosize(A) // size(A).
        Where strides lie on axes the complement is taken axis by axis, and the cotarget is a coordinate or `{axis: int}`;
        an integer will do for one axis.

        Args:
            layout: A. Its strides, sorted, must be apart: each at least the reach s * d of the one before it, and a
                multiple of it (then they chain) unless R is large enough all the same.
            codomain_size: The cotarget: an integer or a shape, 1 + the sum of (s - 1) * d if not given.

        Raises:
            LayoutError: the strides overlap or are negative, or too few sums would be left.

        Source: CuTe's `complement` and the three conditions on its result; "chains" are those of Shah, "A Note on the
        Algebra of CuTe Layouts".
        """
    @overload
    def complement(self, codomain_size: IntTupleLike | LayoutBase | Mapping[AxisKey, int]) -> Layout[V | SymInt]:
        """R such that all sums A(i) + R(j) are distinct, R is increasing, and there are at least as many as the cotarget.

        Modes of size 1 and of stride 0 do not count. Where the reach of A does not divide the cotarget, R goes beyond it.
        Without a cotarget R may leave offsets between the modes of A uncovered, as `explain` tells: what is asked for then
        is size(R) >= cosize(A) // size(A).
        Where strides lie on axes the complement is taken axis by axis, and the cotarget is a coordinate or `{axis: int}`;
        an integer will do for one axis.

        Args:
            layout: A. Its strides, sorted, must be apart: each at least the reach s * d of the one before it, and a
                multiple of it (then they chain) unless R is large enough all the same.
            codomain_size: The cotarget: an integer or a shape, 1 + the sum of (s - 1) * d if not given.

        Raises:
            LayoutError: the strides overlap or are negative, or too few sums would be left.

        Source: CuTe's `complement` and the three conditions on its result; "chains" are those of Shah, "A Note on the
        Algebra of CuTe Layouts".
        """
    def right_inverse(self: ComposedMethods[int]) -> Layout[int] | ComposedLayout[int]:
        """R with A(R(i)) == i for every i of R: as many i as the modes of A reach from 0 on without a gap.

        Modes whose stride does not follow from the others are left out, and of several with one stride all but the first.
        Where A has negative strides the longest R is sought. If the values of A are coordinates then so are those that R
        takes, mode by mode.

        Raises:
            LayoutError: a run-time stride is negative: the longest R is not sought among values that are not known.

        Source: CuTe's `right_inverse`.
        """
    def left_inverse(self: ComposedMethods[int]) -> Layout[int] | ComposedLayout[int]:
        """R with R(A(i)) == i for every i of A. Where A is not injective: A(R(A(i))) == A(i).

        The gaps in A's values get stride 0. If the values of A are coordinates then so are those that R takes.

        Raises:
            LayoutError: no such layout is found, or A takes negative values.

        Source: CuTe's `left_inverse`.
        """
    def nullspace(self) -> Layout[int]:
        """N with A(N(i)) == 0 for every i of N: the modes of stride 0.

        N is injective; its size is the product of the extents of these modes, and 1:0 where there are none.

        Raises:
            LayoutError: no layout.
        """
    @overload
    def logical_divide(self, divisor: KnownTiler) -> ComposedLayout[V]:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
    @overload
    def logical_divide(self, divisor: Tiler) -> ComposedLayout[V | SymInt]:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
    @overload
    def zipped_divide(self, divisor: KnownTiler) -> ComposedLayout[V]:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def zipped_divide(self, divisor: Tiler) -> ComposedLayout[V | SymInt]:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def tiled_divide(self, divisor: KnownTiler) -> ComposedLayout[V]:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def tiled_divide(self, divisor: Tiler) -> ComposedLayout[V | SymInt]:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def flat_divide(self, divisor: KnownTiler) -> ComposedLayout[V]:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def flat_divide(self, divisor: Tiler) -> ComposedLayout[V | SymInt]:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def logical_product(self, tiler: KnownTiler) -> ComposedLayout[V]:
        """(A, A* o T): mode 0 is the block A, mode 1 repeats it by T. A tuple multiplies mode by mode.

        A* is the complement of A with as many places as T reaches. Gaps between the modes of A that no copy fits into stay.

        Raises:
            LayoutError: elements of A overlap, the composition does not exist, or copies would overlap.

        Source: CuTe's `logical_product`.
        """
    @overload
    def logical_product(self, tiler: Tiler) -> ComposedLayout[V | SymInt]:
        """(A, A* o T): mode 0 is the block A, mode 1 repeats it by T. A tuple multiplies mode by mode.

        A* is the complement of A with as many places as T reaches. Gaps between the modes of A that no copy fits into stay.

        Raises:
            LayoutError: elements of A overlap, the composition does not exist, or copies would overlap.

        Source: CuTe's `logical_product`.
        """
    @overload
    def zipped_product(self, tiler: KnownTiler) -> ComposedLayout[V]:
        """`logical_product` with the blocks gathered in mode 0 and the repetitions in mode 1.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def zipped_product(self, tiler: Tiler) -> ComposedLayout[V | SymInt]:
        """`logical_product` with the blocks gathered in mode 0 and the repetitions in mode 1.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def tiled_product(self, tiler: KnownTiler) -> ComposedLayout[V]:
        """`zipped_product` with the repetitions as modes of their own.

        R(a, b, c, ..) == Z(a, (b, c, ..)) for Z the zipped product: the layout is mode 0, the other modes repeat it.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def tiled_product(self, tiler: Tiler) -> ComposedLayout[V | SymInt]:
        """`zipped_product` with the repetitions as modes of their own.

        R(a, b, c, ..) == Z(a, (b, c, ..)) for Z the zipped product: the layout is mode 0, the other modes repeat it.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def flat_product(self, tiler: KnownTiler) -> ComposedLayout[V]:
        """`zipped_product` with all modes side by side.

        R(a, b, .., x, y, ..) == Z((a, b, ..), (x, y, ..)) for Z the zipped product.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def flat_product(self, tiler: Tiler) -> ComposedLayout[V | SymInt]:
        """`zipped_product` with all modes side by side.

        R(a, b, .., x, y, ..) == Z((a, b, ..), (x, y, ..)) for Z the zipped product.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def blocked_product(self, tiler: Layout[int] | KnownInts) -> ComposedLayout[V]:
        """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def blocked_product(self, tiler: Layout[int | SymInt] | Ints) -> ComposedLayout[V | SymInt]:
        """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def block_product(self, tiler: Layout[int] | KnownInts) -> ComposedLayout[V]:
        """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def block_product(self, tiler: Layout[int | SymInt] | Ints) -> ComposedLayout[V | SymInt]:
        """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def raked_product(self, tiler: Layout[int] | KnownInts) -> ComposedLayout[V]:
        """The product with the modes of both zipped, tile first: mode i is (tile i, block i). Blocks are spread.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def raked_product(self, tiler: Layout[int | SymInt] | Ints) -> ComposedLayout[V | SymInt]:
        """The product with the modes of both zipped, tile first: mode i is (tile i, block i). Blocks are spread.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def tile_to_shape(self, trg_shape: KnownInts, ord_shape: KnownInts | None = None) -> ComposedLayout[V]:
        """The block repeated until it has the shape; `ord_shape` says which mode of the repetition is fastest.

        Repetitions of equal order overlap, as in CuTe C++. (CuTe DSL rounds the shape up.)

        Raises:
            LayoutError: the block does not divide the shape.
        """
    @overload
    def tile_to_shape(self, trg_shape: Ints, ord_shape: Ints | None = None) -> ComposedLayout[V | SymInt]:
        """The block repeated until it has the shape; `ord_shape` says which mode of the repetition is fastest.

        Repetitions of equal order overlap, as in CuTe C++. (CuTe DSL rounds the shape up.)

        Raises:
            LayoutError: the block does not divide the shape.
        """
    def recast_layout(self, old_type_bits: int | DTypeLike, new_type_bits: int | DTypeLike) -> ComposedLayout[V]:
        """The layout of elements of `old_type_bits` bits seen in elements of `new_type_bits` bits; types will do.

        Raises:
            LayoutError: a new element would be cut, or the narrow elements have no mode.
        """
    def upcast(self, factor: int) -> ComposedLayout[V]:
        """The layout in elements `factor` times as wide: the same bits, in the order in which the layout begins them.

        W(j) == A(i_j) / factor, where i_0 < i_1 < .. are the coordinates with A(i) % factor == 0. Where every mode by
        itself holds whole wide elements, or lies over them, the answer has the profile of the layout; where that is so of
        its modes coalesced, theirs; else W is a function of an integer.

        Raises:
            LayoutError: a wide element would be cut; or they are whole, as `max_alignment` says, but begin in an order that
                no layout has, as those of the matrix `(2,3):(3,1)` in pairs do (0, 2, 1): a row ends inside of one.

        Source: CuTe's `upcast`.
        """
    def downcast(self, factor: int) -> ComposedLayout[V]:
        """The layout in elements `factor` times as narrow: the same bits, in the mode of stride 1.

        Where there is none, nor one of size 1, the first mode of stride 0 holds them: s:0 becomes (factor,s):(1,0).

        Raises:
            LayoutError: no mode of stride 1 or 0, and none of size 1, could hold the narrow elements; or values on axes.

        Source: CuTe's `downcast`, which refuses where no mode has stride 1.
        """
    @overload
    def slice(self, *coord: KnownCoord) -> Layout[V] | ComposedLayout[V]:
        """The layout of the modes under None; a composed layout keeps the offset of the others."""
    @overload
    def slice(self, *coord: Coord) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """The layout of the modes under None; a composed layout keeps the offset of the others."""
    def dice(self, *coord: Coord) -> ComposedLayout[V]:
        """The layout of the modes that the coordinate fixes."""
    @overload
    def slice_and_offset(
        self: ComposedMethods[int],
        *coord: KnownCoord,
    ) -> tuple[Layout[int] | ComposedLayout[int], int]:
        """The layout of the modes under None, and the value of the coordinate with 0 there."""
    @overload
    def slice_and_offset(
        self,
        *coord: Coord,
    ) -> tuple[Layout[V | SymInt] | ComposedLayout[V | SymInt], Element | SymInt]:
        """The layout of the modes under None, and the value of the coordinate with 0 there."""
    @overload
    def slice_with_offset(self, coord: KnownCoord) -> Layout[V] | ComposedLayout[V]:
        """The slice as a function with the same values as the whole: the offset stays inside, unless it is 0.

        R(c) == A(d) where d is the coordinate with c in the place of its None.

        Raises:
            LayoutError: a coordinate that is not weakly congruent to the shape.
        """
    @overload
    def slice_with_offset(self, coord: Coord) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """The slice as a function with the same values as the whole: the offset stays inside, unless it is 0.

        R(c) == A(d) where d is the coordinate with c in the place of its None.

        Raises:
            LayoutError: a coordinate that is not weakly congruent to the shape.
        """
    @overload
    def domain_offset(self: ComposedMethods[int], coord: KnownCoord) -> tuple[ComposedLayout[int], int]:
        """The layout moved so that `coord` becomes its origin, as (layout, offset).

        Raises:
            LayoutError: the coordinate does not fit the layout.
        """
    @overload
    def domain_offset(self, coord: Coord) -> tuple[ComposedLayout[V | SymInt], Element | SymInt]:
        """The layout moved so that `coord` becomes its origin, as (layout, offset).

        Raises:
            LayoutError: the coordinate does not fit the layout.
        """
    @overload
    def local_tile(self, tiler: KnownTiler, coord: KnownCoord, proj: Coord = None) -> Layout[V] | ComposedLayout[V]:
        """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode.

        `proj` is a tuple that leaves out the modes of tiler and coordinate where it has None.
        A tile of a coordinate tensor gives coordinates of the whole, in their profile.

        Raises:
            LayoutError: what `zipped_divide` refuses, or a coordinate outside the tiles.

        Source: CuTe's `local_tile` (`inner_partition`).
        """
    @overload
    def local_tile(
        self,
        tiler: Tiler,
        coord: Coord,
        proj: Coord = None,
    ) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode.

        `proj` is a tuple that leaves out the modes of tiler and coordinate where it has None.
        A tile of a coordinate tensor gives coordinates of the whole, in their profile.

        Raises:
            LayoutError: what `zipped_divide` refuses, or a coordinate outside the tiles.

        Source: CuTe's `local_tile` (`inner_partition`).
        """
    @overload
    def local_partition(self, thr: Layout[int], index: KnownCoord, proj: Coord = None) -> Layout[V] | ComposedLayout[V]:
        """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

        Raises:
            LayoutError: what `zipped_divide` refuses, or an index outside the threads.

        Source: CuTe's `local_partition` (`outer_partition`).
        """
    @overload
    def local_partition(
        self,
        thr: Layout[int | SymInt],
        index: Coord,
        proj: Coord = None,
    ) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
        """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

        Raises:
            LayoutError: what `zipped_divide` refuses, or an index outside the threads.

        Source: CuTe's `local_partition` (`outer_partition`).
        """
    def flatten(self) -> ComposedLayout[V]:
        """All leaves as modes of one tuple; a leaf stays a leaf.

        Of a layout R(i) == A(i) for every integer i, and its depth is at most 1.

        Raises:
            LayoutError: neither a layout nor an int tuple.
        """
    def select(
        self,
        *positions: int | Sequence[int],
        indices: Sequence[int] = (),
        mode: Sequence[int] = (),
    ) -> ComposedLayout[V]:
        """The modes at the given positions, in that order, as a tuple. `indices` is FlyDSL's keyword, `mode` CuTe DSL's.

        Raises:
            LayoutError: there is no such mode, or positions are given in two ways.
        """
    def take(self, begin: int, end: int | None = None) -> ComposedLayout[V]:
        """The modes in [begin, end), as a tuple.

        Raises:
            LayoutError: neither a layout nor an int tuple, or an empty range, or one beyond its modes.
        """
    def group(self, begin: int, end: int | None = None) -> ComposedLayout[V]:
        """The modes in [begin, end) as one nested mode; an empty range changes nothing.

        Raises:
            LayoutError: neither a layout nor an int tuple, or a range beyond its modes.
        """
    def append(self, elem: Layout[W], n: int | None = None) -> ComposedLayout[V | W]:
        """The modes with one more at the end, or with as many copies as make `n` modes.

        Raises:
            LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.
        """
    def prepend(self, elem: Layout[W], n: int | None = None) -> ComposedLayout[V | W]:
        """The modes with one more at the front, or with as many copies as make `n` modes.

        Raises:
            LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.
        """
    def replace(self, mode: int, item: Layout[W]) -> ComposedLayout[V | W]:
        """The modes with one of them replaced: R[mode] == item, and R[k] == value[k] for all others.

        Raises:
            LayoutError: neither a layout nor an int tuple, or no such mode.
        """
    def get(self, *path: int | Sequence[int], mode: int | Sequence[int] = ()) -> ComposedLayout[V]:
        """The mode at a position, or at a path of positions.

        Raises:
            LayoutError: there is no such mode, or positions are given in two ways.
        """
    cosize: ClassVar[Extent]
    """The largest value + 1: the size of an array that holds every offset; over several axes the product of `coshape`.

    Raises:
        LayoutError: the value is no layout.
    """
    def coshape(self) -> int:
        """The codomain's shape: the largest value + 1 on every axis, as a coordinate tuple or `{axis: int}`.

        Raises:
            LayoutError: no layout.
        """
    def coprofile(self) -> IntTuple | dict[AxisKey, int]:
        """A zero for every coordinate of the codomain; `with_coprofile` gives a layout another.

        Raises:
            LayoutError: no layout.
        """
    def max_common_layout(self: ComposedMethods[int], b: Layout[int] | ComposedLayout[int]) -> Layout[int]:
        """R with A(R(i)) == A(R(0)) + i and the same for B, as long as the modes of A and B show; A may extend.

        Of run-time leaves it is what they all allow, without a guard; so are `max_common_vector` and `max_alignment`.

        Raises:
            LayoutError: no layouts of integers.

        Source: CuTe's `max_common_layout`.
        """
    def max_common_vector(self: ComposedMethods[int], b: Layout[int] | ComposedLayout[int]) -> int:
        """How many of the first elements lie one after another, at the same coordinates, in both layouts.

        The largest n such that each i < n has a coordinate c with A(c) == B(c) == i. Of more than 16384 coordinates it is
        as many as their modes show.

        Raises:
            LayoutError: no layouts of integers.
        """
    def max_alignment(self: ComposedMethods[int]) -> int:
        """The largest N such that the layout is made of whole vectors of N elements, each at a multiple of N.

        In memory: `upcast` by N asks moreover that they begin in an order that a layout has.

        Raises:
            LayoutError: no layout of integers.

        Source: CuTe's `max_alignment`.
        """
    def to_linear(self, in_dims: Sequence[str] | None = None, out_dims: OutDims | None = None) -> LinearLayout:
        """The F2 view of a layout, a swizzled layout or a swizzle: the same function, or a refusal with the reason.

        Args:
            x: the layout. A swizzle is viewed on the smallest block that it permutes, 2^(m+b+|s|) offsets.
            in_dims: names of the input dimensions, one a top-level mode; `dim0`, `dim1`, ... without them.
            out_dims: (name, size) pairs, minor first, that split the output index; without them one dimension an axis.

        Raises:
            LayoutError: an extent that is not a power of two, a run-time or negative stride, images that share a bit
                (there + carries where XOR does not), an offset that moves 0.
        """
    def substitute(self, values: Values) -> ComposedLayout[V]:
        """`value` with its variables replaced: integers, int tuples, module elements, layouts of every kind.

        `values` maps variables, as `SymInt` or by name, to integers or to `SymInt`s; other variables stay. The guards of
        a layout are checked, and those that stay open stay beside it. A layout also refuses what the layouts that it was
        made of refuse, where it no longer shows it; an integer that was asked of a layout knows nothing of that.

        Raises:
            LayoutError: a guard fails, an extent falls below 1, a value is outside the facts of its variable; or a name
                that a layout has not, while one that it has stays without a value.
        """
    @overload
    def table(self: ComposedMethods[int]) -> NDArray[int64]:
        """All values: an array with one dimension a top-level mode, table[i, j] == layout(i, j).

        Where the values are coordinates: a tuple of arrays; on named axes: `{axis: array}`.

        Raises:
            LayoutError: more than 2^24 elements.
        """
    @overload
    def table(self) -> Table:
        """All values: an array with one dimension a top-level mode, table[i, j] == layout(i, j).

        Where the values are coordinates: a tuple of arrays; on named axes: `{axis: array}`.

        Raises:
            LayoutError: more than 2^24 elements.
        """
    def image(self) -> tuple[int, ...]:
        """The places that hold an element, each once, in increasing order.

        Raises:
            LayoutError: run-time values, coordinates or names as values, or more than 2^20 elements.
        """
    def is_injective(self) -> bool:
        """Do different elements lie in different places? L(i) == L(j) only for i == j.

        Raises:
            LayoutError: run-time values by which strides prove neither, or more than 2^22 elements of which no rule for the
                modes decides.
        """
    def is_surjective(self, cosize: int | None = None) -> bool:
        """Does an element lie at each of 0 .. cosize - 1? Without a cosize, at each up to the largest that is used.

        Raises:
            LayoutError: run-time values, coordinates or names as values, values outside of the given range, or more than
                2^22 elements.
        """
    def is_bijective(self) -> bool:
        """Does exactly one element lie at each of 0 .. size - 1?

        Raises:
            LayoutError: no layout of known size.
        """
    def is_compact(self) -> bool:
        """Do the elements fill their memory? Each place between the first and the last that is used has exactly one.

        Raises:
            LayoutError: no layout of known size.
        """
    def is_contiguous(self) -> bool:
        """Do the elements follow one another in memory in the order of their coordinates? L(i) == L(0) + i.

        Raises:
            LayoutError: no layout of known size.
        """
    def explain(self, *what: object, **named: object) -> Derivation:
        """What a function does with this layout as its first argument, step by step; or its value at a coordinate.

        Raises:
            LayoutError: the function takes other arguments; a coordinate nested deeper than 64.
        """
class ViewMethods:
    def coalesce(self, pattern: IntTupleLike = None) -> Self:
        """The layout with the fewest modes that has the same size and the same function of an integer.

        Modes of size 1 go, neighbours with s0 * d0 == d1 merge. With a pattern, each of its leaves is coalesced on its own,
        and modes beyond it stay. Run-time leaves are left alone, see `simplify`.

        Raises:
            LayoutError: the pattern has more modes than the layout.

        Source: CuTe's `coalesce`.
        """
    def simplify(self) -> Self:
        """`coalesce` that also merges run-time modes wherever the merge is proved.

        R(i) == A(i) for every integer i below the size, whatever the run-time integers are; no mode is added.

        Raises:
            LayoutError: no layout.
        """
    def filter(self, pattern: IntTupleLike = None) -> Self:
        """The image in a shorter layout: modes of stride 0 and of size 1 are gone, the rest is coalesced.

        With a pattern, each of its leaves is filtered on its own, and modes beyond it stay.

        Raises:
            LayoutError: no layout, or a pattern with more modes than it.
        """
    def filter_zeros(self) -> Self:
        """The layout with every mode of stride 0 replaced by a mode of size 1.

        R(c) == A(c) for every coordinate c of R, whose profile is that of A: each value at as many coordinates as the other
        strides give it.

        Raises:
            LayoutError: no layout.
        """
    @overload
    def with_shape(self, *shape: KnownInts) -> Self:
        """The layout o shape:compact: the same function of an integer on another shape.

        Raises:
            LayoutError: another size, or what `composition` refuses.
        """
    @overload
    def with_shape(self, *shape: Ints) -> Self:
        """The layout o shape:compact: the same function of an integer on another shape.

        Raises:
            LayoutError: another size, or what `composition` refuses.
        """
    @overload
    def composition(self, tiler: KnownTiler) -> Self:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def composition(self, tiler: Tiler) -> Self:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def compose(self, tiler: KnownTiler) -> Self:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def compose(self, tiler: Tiler) -> Self:
        """R = A o B: R(i) == A(B(i)) for every i of B, and the shape of R refines B's. A tiler composes mode by mode.

        A is taken beyond its domain as in evaluation: its last mode extends. In a tiler, None keeps the mode and an
        integer n is the layout n:1; modes of A beyond the tiler are dropped.

        Args:
            layout: A: a layout, swizzle or composed layout.
            tiler: B: a layout, swizzle, composed layout, or a tiler.

        Raises:
            LayoutError: no layout has this function (the message says where it breaks), or B takes negative values.

        Source: CuTe's `composition`, which accepts more and answers some wrongly.
        """
    @overload
    def logical_divide(self, divisor: KnownTiler) -> Self:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
    @overload
    def logical_divide(self, divisor: Tiler) -> Self:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
    @overload
    def zipped_divide(self, divisor: KnownTiler) -> Self:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def zipped_divide(self, divisor: Tiler) -> Self:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def tiled_divide(self, divisor: KnownTiler) -> Self:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def tiled_divide(self, divisor: Tiler) -> Self:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def flat_divide(self, divisor: KnownTiler) -> Self:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def flat_divide(self, divisor: Tiler) -> Self:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    def slice(self, *coord: Coord) -> Self:
        """The layout of the modes under None; a composed layout keeps the offset of the others."""
    @overload
    def local_tile(self, tiler: KnownTiler, coord: KnownCoord, proj: Coord = None) -> Self:
        """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode.

        `proj` is a tuple that leaves out the modes of tiler and coordinate where it has None.
        A tile of a coordinate tensor gives coordinates of the whole, in their profile.

        Raises:
            LayoutError: what `zipped_divide` refuses, or a coordinate outside the tiles.

        Source: CuTe's `local_tile` (`inner_partition`).
        """
    @overload
    def local_tile(self, tiler: Tiler, coord: Coord, proj: Coord = None) -> Self:
        """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode.

        `proj` is a tuple that leaves out the modes of tiler and coordinate where it has None.
        A tile of a coordinate tensor gives coordinates of the whole, in their profile.

        Raises:
            LayoutError: what `zipped_divide` refuses, or a coordinate outside the tiles.

        Source: CuTe's `local_tile` (`inner_partition`).
        """
    @overload
    def local_partition(self, thr: Layout[int], index: KnownCoord, proj: Coord = None) -> Self:
        """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

        Raises:
            LayoutError: what `zipped_divide` refuses, or an index outside the threads.

        Source: CuTe's `local_partition` (`outer_partition`).
        """
    @overload
    def local_partition(self, thr: Layout[int | SymInt], index: Coord, proj: Coord = None) -> Self:
        """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

        Raises:
            LayoutError: what `zipped_divide` refuses, or an index outside the threads.

        Source: CuTe's `local_partition` (`outer_partition`).
        """
    def flatten(self) -> Self:
        """All leaves as modes of one tuple; a leaf stays a leaf.

        Of a layout R(i) == A(i) for every integer i, and its depth is at most 1.

        Raises:
            LayoutError: neither a layout nor an int tuple.
        """
    def select(self, *positions: int | Sequence[int], indices: Sequence[int] = (), mode: Sequence[int] = ()) -> Self:
        """The modes at the given positions, in that order, as a tuple. `indices` is FlyDSL's keyword, `mode` CuTe DSL's.

        Raises:
            LayoutError: there is no such mode, or positions are given in two ways.
        """
    def take(self, begin: int, end: int | None = None) -> Self:
        """The modes in [begin, end), as a tuple.

        Raises:
            LayoutError: neither a layout nor an int tuple, or an empty range, or one beyond its modes.
        """
    def group(self, begin: int, end: int | None = None) -> Self:
        """The modes in [begin, end) as one nested mode; an empty range changes nothing.

        Raises:
            LayoutError: neither a layout nor an int tuple, or a range beyond its modes.
        """
    def get(self, *path: int | Sequence[int], mode: int | Sequence[int] = ()) -> Self:
        """The mode at a position, or at a path of positions.

        Raises:
            LayoutError: there is no such mode, or positions are given in two ways.
        """
