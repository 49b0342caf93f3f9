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
from tilewright.layout.by_mode import Mode
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.construct import Ties
from tilewright.layout.indexing import Coord
from tilewright.layout.indexing import Index
from tilewright.layout.indexing import KnownCoord
from tilewright.layout.indexing import KnownPosition
from tilewright.layout.indexing import Position
from tilewright.layout.indexing import Positions
from tilewright.layout.inttuple import Element
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.inttuple import IntTupleLike
from tilewright.layout.inttuple import Ints
from tilewright.layout.inttuple import KnownInts
from tilewright.layout.layout import Layout
from tilewright.layout.methods import V
from tilewright.layout.methods import W
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt
from tilewright.layout.view import Seen
from tilewright.layout.view import View
from typing import Self
from typing import SupportsIndex
from typing import overload
class _Coalesce:
    """The layout with the fewest modes that has the same size and the same function of an integer.

    Modes of size 1 go, neighbours with s0 * d0 == d1 merge. With a pattern, each of its leaves is coalesced on its own,
    and modes beyond it stay. Run-time leaves are left alone, see `simplify`.

    Raises:
        LayoutError: the pattern has more modes than the layout.

    Source: CuTe's `coalesce`.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V], pattern: IntTupleLike = None) -> Layout[V]:
        """The layout with the fewest modes that has the same size and the same function of an integer.

        Modes of size 1 go, neighbours with s0 * d0 == d1 merge. With a pattern, each of its leaves is coalesced on its own,
        and modes beyond it stay. Run-time leaves are left alone, see `simplify`.

        Raises:
            LayoutError: the pattern has more modes than the layout.

        Source: CuTe's `coalesce`.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], pattern: IntTupleLike = None) -> ComposedLayout[V]:
        """The layout with the fewest modes that has the same size and the same function of an integer.

        Modes of size 1 go, neighbours with s0 * d0 == d1 merge. With a pattern, each of its leaves is coalesced on its own,
        and modes beyond it stay. Run-time leaves are left alone, see `simplify`.

        Raises:
            LayoutError: the pattern has more modes than the layout.

        Source: CuTe's `coalesce`.
        """
    @overload
    def __call__(self, layout: Seen, pattern: IntTupleLike = None) -> Seen:
        """The layout with the fewest modes that has the same size and the same function of an integer.

        Modes of size 1 go, neighbours with s0 * d0 == d1 merge. With a pattern, each of its leaves is coalesced on its own,
        and modes beyond it stay. Run-time leaves are left alone, see `simplify`.

        Raises:
            LayoutError: the pattern has more modes than the layout.

        Source: CuTe's `coalesce`.
        """
coalesce: _Coalesce
class _Simplify:
    """`coalesce` that also merges run-time modes wherever the merge is proved.

    R(i) == A(i) for every integer i below the size, whatever the run-time integers are; no mode is added.

    Raises:
        LayoutError: no layout.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V]) -> Layout[V]:
        """`coalesce` that also merges run-time modes wherever the merge is proved.

        R(i) == A(i) for every integer i below the size, whatever the run-time integers are; no mode is added.

        Raises:
            LayoutError: no layout.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V]) -> ComposedLayout[V]:
        """`coalesce` that also merges run-time modes wherever the merge is proved.

        R(i) == A(i) for every integer i below the size, whatever the run-time integers are; no mode is added.

        Raises:
            LayoutError: no layout.
        """
    @overload
    def __call__(self, layout: Seen) -> Seen:
        """`coalesce` that also merges run-time modes wherever the merge is proved.

        R(i) == A(i) for every integer i below the size, whatever the run-time integers are; no mode is added.

        Raises:
            LayoutError: no layout.
        """
simplify: _Simplify
class _Filter:
    """The image in a shorter layout: modes of stride 0 and of size 1 are gone, the rest is coalesced.

    With a pattern, each of its leaves is filtered on its own, and modes beyond it stay.

    Raises:
        LayoutError: no layout, or a pattern with more modes than it.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V], pattern: IntTupleLike = None) -> Layout[V]:
        """The image in a shorter layout: modes of stride 0 and of size 1 are gone, the rest is coalesced.

        With a pattern, each of its leaves is filtered on its own, and modes beyond it stay.

        Raises:
            LayoutError: no layout, or a pattern with more modes than it.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], pattern: IntTupleLike = None) -> ComposedLayout[V]:
        """The image in a shorter layout: modes of stride 0 and of size 1 are gone, the rest is coalesced.

        With a pattern, each of its leaves is filtered on its own, and modes beyond it stay.

        Raises:
            LayoutError: no layout, or a pattern with more modes than it.
        """
    @overload
    def __call__(self, layout: Seen, pattern: IntTupleLike = None) -> Seen:
        """The image in a shorter layout: modes of stride 0 and of size 1 are gone, the rest is coalesced.

        With a pattern, each of its leaves is filtered on its own, and modes beyond it stay.

        Raises:
            LayoutError: no layout, or a pattern with more modes than it.
        """
filter: _Filter
class _FilterZeros:
    """The layout with every mode of stride 0 replaced by a mode of size 1.

    R(c) == A(c) for every coordinate c of R, whose profile is that of A: each value at as many coordinates as the other
    strides give it.

    Raises:
        LayoutError: no layout.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V]) -> Layout[V]:
        """The layout with every mode of stride 0 replaced by a mode of size 1.

        R(c) == A(c) for every coordinate c of R, whose profile is that of A: each value at as many coordinates as the other
        strides give it.

        Raises:
            LayoutError: no layout.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V]) -> ComposedLayout[V]:
        """The layout with every mode of stride 0 replaced by a mode of size 1.

        R(c) == A(c) for every coordinate c of R, whose profile is that of A: each value at as many coordinates as the other
        strides give it.

        Raises:
            LayoutError: no layout.
        """
    @overload
    def __call__(self, layout: Seen) -> Seen:
        """The layout with every mode of stride 0 replaced by a mode of size 1.

        R(c) == A(c) for every coordinate c of R, whose profile is that of A: each value at as many coordinates as the other
        strides give it.

        Raises:
            LayoutError: no layout.
        """
filter_zeros: _FilterZeros
@overload
def with_shape(layout: Layout[V], *shape: KnownInts) -> Layout[V]:
    """The layout o shape:compact: the same function of an integer on another shape.

    Raises:
        LayoutError: another size, or what `composition` refuses.
    """
@overload
def with_shape(layout: Layout[V], *shape: Ints) -> Layout[V | SymInt]:
    """The layout o shape:compact: the same function of an integer on another shape.

    Raises:
        LayoutError: another size, or what `composition` refuses.
    """
@overload
def with_shape(layout: ComposedLayout[V], *shape: KnownInts) -> Layout[V] | ComposedLayout[V]:
    """The layout o shape:compact: the same function of an integer on another shape.

    Raises:
        LayoutError: another size, or what `composition` refuses.
    """
@overload
def with_shape(layout: ComposedLayout[V], *shape: Ints) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
    """The layout o shape:compact: the same function of an integer on another shape.

    Raises:
        LayoutError: another size, or what `composition` refuses.
    """
@overload
def with_shape(layout: Seen, *shape: KnownInts) -> Seen:
    """The layout o shape:compact: the same function of an integer on another shape.

    Raises:
        LayoutError: another size, or what `composition` refuses.
    """
@overload
def with_shape(layout: Seen, *shape: Ints) -> Seen:
    """The layout o shape:compact: the same function of an integer on another shape.

    Raises:
        LayoutError: another size, or what `composition` refuses.
    """
class _Composition:
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
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V], tiler: KnownTiler) -> Layout[V]:
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
    def __call__(self, layout: Layout[V], tiler: Tiler) -> Layout[V | SymInt]:
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
    def __call__(self, layout: Swizzle, tiler: Swizzle) -> Swizzle:
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
    def __call__(self, layout: Swizzle, tiler: Layout[V] | ComposedLayout[V]) -> Layout[V] | ComposedLayout[V]:
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
    def __call__(self, layout: Layout[V], tiler: ComposedLayout[Known] | Swizzle) -> Layout[V] | ComposedLayout[V]:
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
    def __call__(
        self,
        layout: Layout[V],
        tiler: ComposedLayout[Value],
    ) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
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
    def __call__(
        self,
        layout: ComposedLayout[V],
        tiler: KnownTiler | ComposedLayout[Known] | Swizzle,
    ) -> Layout[V] | ComposedLayout[V]:
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
    def __call__(
        self,
        layout: ComposedLayout[V],
        tiler: Tiler | ComposedLayout[Value],
    ) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
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
    def __call__(self, layout: Seen, tiler: KnownTiler) -> Seen:
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
    def __call__(self, layout: Seen, tiler: Tiler) -> Seen:
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
composition: _Composition
class _Complement:
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
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(
        self,
        layout: Layout[V],
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
    def __call__(
        self,
        layout: Layout[V],
        codomain_size: IntTupleLike | LayoutBase | Mapping[AxisKey, int],
    ) -> Layout[V | SymInt]:
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
    def __call__(
        self,
        layout: ComposedLayout[V],
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
    def __call__(
        self,
        layout: ComposedLayout[V],
        codomain_size: IntTupleLike | LayoutBase | Mapping[AxisKey, int],
    ) -> Layout[V | SymInt]:
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
complement: _Complement
def ceil_div(lhs: IntTupleLike, rhs: IntTupleLike | Layout[int | SymInt]) -> IntTuple:
    """The least c with c * rhs >= lhs, mode by mode; an integer divisor is used up from the first mode on.

    Where one of them is shorter its missing modes are 1; a tuple divides an integer by its product; for a layout `rhs`
    it is the shape of its complement in `lhs`.

    Raises:
        LayoutError: no int tuples, profiles that do not fit, or a divisor of 0.
    """
@overload
def right_inverse(layout: Layout[Known]) -> Layout[int]:
    """R with A(R(i)) == i for every i of R: as many i as the modes of A reach from 0 on without a gap.

    Modes whose stride does not follow from the others are left out, and of several with one stride all but the first.
    Where A has negative strides the longest R is sought. If the values of A are coordinates then so are those that R
    takes, mode by mode.

    Raises:
        LayoutError: a run-time stride is negative: the longest R is not sought among values that are not known.

    Source: CuTe's `right_inverse`.
    """
@overload
def right_inverse(layout: Layout[Value]) -> Layout[int | SymInt]:
    """R with A(R(i)) == i for every i of R: as many i as the modes of A reach from 0 on without a gap.

    Modes whose stride does not follow from the others are left out, and of several with one stride all but the first.
    Where A has negative strides the longest R is sought. If the values of A are coordinates then so are those that R
    takes, mode by mode.

    Raises:
        LayoutError: a run-time stride is negative: the longest R is not sought among values that are not known.

    Source: CuTe's `right_inverse`.
    """
@overload
def right_inverse(layout: ComposedLayout[int]) -> Layout[int] | ComposedLayout[int]:
    """R with A(R(i)) == i for every i of R: as many i as the modes of A reach from 0 on without a gap.

    Modes whose stride does not follow from the others are left out, and of several with one stride all but the first.
    Where A has negative strides the longest R is sought. If the values of A are coordinates then so are those that R
    takes, mode by mode.

    Raises:
        LayoutError: a run-time stride is negative: the longest R is not sought among values that are not known.

    Source: CuTe's `right_inverse`.
    """
@overload
def left_inverse(layout: Layout[Known]) -> Layout[int]:
    """R with R(A(i)) == i for every i of A. Where A is not injective: A(R(A(i))) == A(i).

    The gaps in A's values get stride 0. If the values of A are coordinates then so are those that R takes.

    Raises:
        LayoutError: no such layout is found, or A takes negative values.

    Source: CuTe's `left_inverse`.
    """
@overload
def left_inverse(layout: Layout[Value]) -> Layout[int | SymInt]:
    """R with R(A(i)) == i for every i of A. Where A is not injective: A(R(A(i))) == A(i).

    The gaps in A's values get stride 0. If the values of A are coordinates then so are those that R takes.

    Raises:
        LayoutError: no such layout is found, or A takes negative values.

    Source: CuTe's `left_inverse`.
    """
@overload
def left_inverse(layout: ComposedLayout[int]) -> Layout[int] | ComposedLayout[int]:
    """R with R(A(i)) == i for every i of A. Where A is not injective: A(R(A(i))) == A(i).

    The gaps in A's values get stride 0. If the values of A are coordinates then so are those that R takes.

    Raises:
        LayoutError: no such layout is found, or A takes negative values.

    Source: CuTe's `left_inverse`.
    """
@overload
def nullspace(layout: Layout[Known]) -> Layout[int]:
    """N with A(N(i)) == 0 for every i of N: the modes of stride 0.

    N is injective; its size is the product of the extents of these modes, and 1:0 where there are none.

    Raises:
        LayoutError: no layout.
    """
@overload
def nullspace(layout: Layout[Value]) -> Layout[int | SymInt]:
    """N with A(N(i)) == 0 for every i of N: the modes of stride 0.

    N is injective; its size is the product of the extents of these modes, and 1:0 where there are none.

    Raises:
        LayoutError: no layout.
    """
@overload
def nullspace(layout: ComposedLayout[Known]) -> Layout[int]:
    """N with A(N(i)) == 0 for every i of N: the modes of stride 0.

    N is injective; its size is the product of the extents of these modes, and 1:0 where there are none.

    Raises:
        LayoutError: no layout.
    """
@overload
def nullspace(layout: ComposedLayout[Value]) -> Layout[int | SymInt]:
    """N with A(N(i)) == 0 for every i of N: the modes of stride 0.

    N is injective; its size is the product of the extents of these modes, and 1:0 where there are none.

    Raises:
        LayoutError: no layout.
    """
class _LogicalDivide:
    """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

    T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
    than A, all of A's among them exactly once.

    Raises:
        LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

    Source: CuTe's `logical_divide`.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V], divisor: KnownTiler) -> Layout[V]:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
    @overload
    def __call__(self, layout: Layout[V], divisor: Tiler) -> Layout[V | SymInt]:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], divisor: KnownTiler) -> ComposedLayout[V]:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], divisor: Tiler) -> ComposedLayout[V | SymInt]:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
    @overload
    def __call__(self, layout: Seen, divisor: KnownTiler) -> Seen:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
    @overload
    def __call__(self, layout: Seen, divisor: Tiler) -> Seen:
        """A o (T, T*): mode 0 runs inside a tile, mode 1 over the tiles. A tuple divides mode by mode, None keeps a mode.

        T* is the complement of T in the shape of A. A tile that does not fit rounds up: the tiles then hold more elements
        than A, all of A's among them exactly once.

        Raises:
            LayoutError: T has no complement, A o T does not exist, or an element of A would be lost.

        Source: CuTe's `logical_divide`.
        """
logical_divide: _LogicalDivide
class _ZippedDivide:
    """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

    Where the divisor has None the whole mode is the tile.

    Raises:
        LayoutError: what `logical_divide` refuses.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V], divisor: KnownTiler) -> Layout[V]:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: Layout[V], divisor: Tiler) -> Layout[V | SymInt]:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], divisor: KnownTiler) -> ComposedLayout[V]:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], divisor: Tiler) -> ComposedLayout[V | SymInt]:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: Seen, divisor: KnownTiler) -> Seen:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: Seen, divisor: Tiler) -> Seen:
        """`logical_divide` with the tiles' modes gathered in mode 0 and the rests in mode 1: ((tiles), (rests)).

        Where the divisor has None the whole mode is the tile.

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
zipped_divide: _ZippedDivide
class _TiledDivide:
    """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

    Raises:
        LayoutError: what `logical_divide` refuses.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V], divisor: KnownTiler) -> Layout[V]:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: Layout[V], divisor: Tiler) -> Layout[V | SymInt]:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], divisor: KnownTiler) -> ComposedLayout[V]:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], divisor: Tiler) -> ComposedLayout[V | SymInt]:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: Seen, divisor: KnownTiler) -> Seen:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: Seen, divisor: Tiler) -> Seen:
        """`zipped_divide` with the rests as modes of their own: ((tiles), rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
tiled_divide: _TiledDivide
class _FlatDivide:
    """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

    Raises:
        LayoutError: what `logical_divide` refuses.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V], divisor: KnownTiler) -> Layout[V]:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: Layout[V], divisor: Tiler) -> Layout[V | SymInt]:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], divisor: KnownTiler) -> ComposedLayout[V]:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], divisor: Tiler) -> ComposedLayout[V | SymInt]:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: Seen, divisor: KnownTiler) -> Seen:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
    @overload
    def __call__(self, layout: Seen, divisor: Tiler) -> Seen:
        """`zipped_divide` with every tile and every rest as a mode of its own: (tile0, tile1, .., rest0, rest1, ..).

        Raises:
            LayoutError: what `logical_divide` refuses.
        """
flat_divide: _FlatDivide
class _LogicalProduct:
    """(A, A* o T): mode 0 is the block A, mode 1 repeats it by T. A tuple multiplies mode by mode.

    A* is the complement of A with as many places as T reaches. Gaps between the modes of A that no copy fits into stay.

    Raises:
        LayoutError: elements of A overlap, the composition does not exist, or copies would overlap.

    Source: CuTe's `logical_product`.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V], tiler: KnownTiler) -> Layout[V]:
        """(A, A* o T): mode 0 is the block A, mode 1 repeats it by T. A tuple multiplies mode by mode.

        A* is the complement of A with as many places as T reaches. Gaps between the modes of A that no copy fits into stay.

        Raises:
            LayoutError: elements of A overlap, the composition does not exist, or copies would overlap.

        Source: CuTe's `logical_product`.
        """
    @overload
    def __call__(self, layout: Layout[V], tiler: Tiler) -> Layout[V | SymInt]:
        """(A, A* o T): mode 0 is the block A, mode 1 repeats it by T. A tuple multiplies mode by mode.

        A* is the complement of A with as many places as T reaches. Gaps between the modes of A that no copy fits into stay.

        Raises:
            LayoutError: elements of A overlap, the composition does not exist, or copies would overlap.

        Source: CuTe's `logical_product`.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], tiler: KnownTiler) -> ComposedLayout[V]:
        """(A, A* o T): mode 0 is the block A, mode 1 repeats it by T. A tuple multiplies mode by mode.

        A* is the complement of A with as many places as T reaches. Gaps between the modes of A that no copy fits into stay.

        Raises:
            LayoutError: elements of A overlap, the composition does not exist, or copies would overlap.

        Source: CuTe's `logical_product`.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], tiler: Tiler) -> ComposedLayout[V | SymInt]:
        """(A, A* o T): mode 0 is the block A, mode 1 repeats it by T. A tuple multiplies mode by mode.

        A* is the complement of A with as many places as T reaches. Gaps between the modes of A that no copy fits into stay.

        Raises:
            LayoutError: elements of A overlap, the composition does not exist, or copies would overlap.

        Source: CuTe's `logical_product`.
        """
logical_product: _LogicalProduct
class _ZippedProduct:
    """`logical_product` with the blocks gathered in mode 0 and the repetitions in mode 1.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V], tiler: KnownTiler) -> Layout[V]:
        """`logical_product` with the blocks gathered in mode 0 and the repetitions in mode 1.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def __call__(self, layout: Layout[V], tiler: Tiler) -> Layout[V | SymInt]:
        """`logical_product` with the blocks gathered in mode 0 and the repetitions in mode 1.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], tiler: KnownTiler) -> ComposedLayout[V]:
        """`logical_product` with the blocks gathered in mode 0 and the repetitions in mode 1.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], tiler: Tiler) -> ComposedLayout[V | SymInt]:
        """`logical_product` with the blocks gathered in mode 0 and the repetitions in mode 1.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
zipped_product: _ZippedProduct
class _TiledProduct:
    """`zipped_product` with the repetitions as modes of their own.

    R(a, b, c, ..) == Z(a, (b, c, ..)) for Z the zipped product: the layout is mode 0, the other modes repeat it.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V], tiler: KnownTiler) -> Layout[V]:
        """`zipped_product` with the repetitions as modes of their own.

        R(a, b, c, ..) == Z(a, (b, c, ..)) for Z the zipped product: the layout is mode 0, the other modes repeat it.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def __call__(self, layout: Layout[V], tiler: Tiler) -> Layout[V | SymInt]:
        """`zipped_product` with the repetitions as modes of their own.

        R(a, b, c, ..) == Z(a, (b, c, ..)) for Z the zipped product: the layout is mode 0, the other modes repeat it.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], tiler: KnownTiler) -> ComposedLayout[V]:
        """`zipped_product` with the repetitions as modes of their own.

        R(a, b, c, ..) == Z(a, (b, c, ..)) for Z the zipped product: the layout is mode 0, the other modes repeat it.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], tiler: Tiler) -> ComposedLayout[V | SymInt]:
        """`zipped_product` with the repetitions as modes of their own.

        R(a, b, c, ..) == Z(a, (b, c, ..)) for Z the zipped product: the layout is mode 0, the other modes repeat it.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
tiled_product: _TiledProduct
class _FlatProduct:
    """`zipped_product` with all modes side by side.

    R(a, b, .., x, y, ..) == Z((a, b, ..), (x, y, ..)) for Z the zipped product.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
    __name__: str
    def __getitem__(self, mode: Mode) -> Self: ...
    @overload
    def __call__(self, layout: Layout[V], tiler: KnownTiler) -> Layout[V]:
        """`zipped_product` with all modes side by side.

        R(a, b, .., x, y, ..) == Z((a, b, ..), (x, y, ..)) for Z the zipped product.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def __call__(self, layout: Layout[V], tiler: Tiler) -> Layout[V | SymInt]:
        """`zipped_product` with all modes side by side.

        R(a, b, .., x, y, ..) == Z((a, b, ..), (x, y, ..)) for Z the zipped product.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], tiler: KnownTiler) -> ComposedLayout[V]:
        """`zipped_product` with all modes side by side.

        R(a, b, .., x, y, ..) == Z((a, b, ..), (x, y, ..)) for Z the zipped product.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
    @overload
    def __call__(self, layout: ComposedLayout[V], tiler: Tiler) -> ComposedLayout[V | SymInt]:
        """`zipped_product` with all modes side by side.

        R(a, b, .., x, y, ..) == Z((a, b, ..), (x, y, ..)) for Z the zipped product.

        Raises:
            LayoutError: what `logical_product` refuses.
        """
flat_product: _FlatProduct
@overload
def blocked_product(layout: Layout[V], tiler: Layout[int] | KnownInts) -> Layout[V]:
    """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def blocked_product(layout: Layout[V], tiler: Layout[int | SymInt] | Ints) -> Layout[V | SymInt]:
    """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def blocked_product(layout: ComposedLayout[V], tiler: Layout[int] | KnownInts) -> ComposedLayout[V]:
    """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def blocked_product(layout: ComposedLayout[V], tiler: Layout[int | SymInt] | Ints) -> ComposedLayout[V | SymInt]:
    """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def block_product(layout: Layout[V], tiler: Layout[int] | KnownInts) -> Layout[V]:
    """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def block_product(layout: Layout[V], tiler: Layout[int | SymInt] | Ints) -> Layout[V | SymInt]:
    """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def block_product(layout: ComposedLayout[V], tiler: Layout[int] | KnownInts) -> ComposedLayout[V]:
    """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def block_product(layout: ComposedLayout[V], tiler: Layout[int | SymInt] | Ints) -> ComposedLayout[V | SymInt]:
    """The product with the modes of both zipped, block first: mode i is (block i, tile i). Blocks stay whole.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def raked_product(layout: Layout[V], tiler: Layout[int] | KnownInts) -> Layout[V]:
    """The product with the modes of both zipped, tile first: mode i is (tile i, block i). Blocks are spread.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def raked_product(layout: Layout[V], tiler: Layout[int | SymInt] | Ints) -> Layout[V | SymInt]:
    """The product with the modes of both zipped, tile first: mode i is (tile i, block i). Blocks are spread.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def raked_product(layout: ComposedLayout[V], tiler: Layout[int] | KnownInts) -> ComposedLayout[V]:
    """The product with the modes of both zipped, tile first: mode i is (tile i, block i). Blocks are spread.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def raked_product(layout: ComposedLayout[V], tiler: Layout[int | SymInt] | Ints) -> ComposedLayout[V | SymInt]:
    """The product with the modes of both zipped, tile first: mode i is (tile i, block i). Blocks are spread.

    Raises:
        LayoutError: what `logical_product` refuses.
    """
@overload
def tile_to_shape(block: Layout[V], trg_shape: KnownInts, ord_shape: KnownInts | None = None) -> Layout[V]:
    """The block repeated until it has the shape; `ord_shape` says which mode of the repetition is fastest.

    Repetitions of equal order overlap, as in CuTe C++. (CuTe DSL rounds the shape up.)

    Raises:
        LayoutError: the block does not divide the shape.
    """
@overload
def tile_to_shape(block: Layout[V], trg_shape: Ints, ord_shape: Ints | None = None) -> Layout[V | SymInt]:
    """The block repeated until it has the shape; `ord_shape` says which mode of the repetition is fastest.

    Repetitions of equal order overlap, as in CuTe C++. (CuTe DSL rounds the shape up.)

    Raises:
        LayoutError: the block does not divide the shape.
    """
@overload
def tile_to_shape(
    block: ComposedLayout[V],
    trg_shape: KnownInts,
    ord_shape: KnownInts | None = None,
) -> ComposedLayout[V]:
    """The block repeated until it has the shape; `ord_shape` says which mode of the repetition is fastest.

    Repetitions of equal order overlap, as in CuTe C++. (CuTe DSL rounds the shape up.)

    Raises:
        LayoutError: the block does not divide the shape.
    """
@overload
def tile_to_shape(
    block: ComposedLayout[V],
    trg_shape: Ints,
    ord_shape: Ints | None = None,
) -> ComposedLayout[V | SymInt]:
    """The block repeated until it has the shape; `ord_shape` says which mode of the repetition is fastest.

    Repetitions of equal order overlap, as in CuTe C++. (CuTe DSL rounds the shape up.)

    Raises:
        LayoutError: the block does not divide the shape.
    """
@overload
def recast_layout(layout: Layout[V], old_type_bits: int | DTypeLike, new_type_bits: int | DTypeLike) -> Layout[V]:
    """The layout of elements of `old_type_bits` bits seen in elements of `new_type_bits` bits; types will do.

    Raises:
        LayoutError: a new element would be cut, or the narrow elements have no mode.
    """
@overload
def recast_layout(
    layout: ComposedLayout[V],
    old_type_bits: int | DTypeLike,
    new_type_bits: int | DTypeLike,
) -> ComposedLayout[V]:
    """The layout of elements of `old_type_bits` bits seen in elements of `new_type_bits` bits; types will do.

    Raises:
        LayoutError: a new element would be cut, or the narrow elements have no mode.
    """
@overload
def recast_layout(
    layout: View,
    *type_bits: int | DTypeLike,
    old_type_bits: int | DTypeLike | None = None,
    new_type_bits: int | DTypeLike | None = None,
) -> Layout[int] | ComposedLayout[int]:
    """The layout of elements of `old_type_bits` bits seen in elements of `new_type_bits` bits; types will do.

    Raises:
        LayoutError: a new element would be cut, or the narrow elements have no mode.
    """
@overload
def upcast(layout: Layout[V], factor: int) -> Layout[V]:
    """The layout in elements `factor` times as wide: the same bits, in the order in which the layout begins them.

    W(j) == A(i_j) / factor, where i_0 < i_1 < .. are the coordinates with A(i) % factor == 0. Where every mode by
    itself holds whole wide elements, or lies over them, the answer has the profile of the layout; where that is so of
    its modes coalesced, theirs; else W is a function of an integer.

    Raises:
        LayoutError: a wide element would be cut; or they are whole, as `max_alignment` says, but begin in an order that
            no layout has, as those of the matrix `(2,3):(3,1)` in pairs do (0, 2, 1): a row ends inside of one.

    Source: CuTe's `upcast`.
    """
@overload
def upcast(layout: ComposedLayout[V], factor: int) -> ComposedLayout[V]:
    """The layout in elements `factor` times as wide: the same bits, in the order in which the layout begins them.

    W(j) == A(i_j) / factor, where i_0 < i_1 < .. are the coordinates with A(i) % factor == 0. Where every mode by
    itself holds whole wide elements, or lies over them, the answer has the profile of the layout; where that is so of
    its modes coalesced, theirs; else W is a function of an integer.

    Raises:
        LayoutError: a wide element would be cut; or they are whole, as `max_alignment` says, but begin in an order that
            no layout has, as those of the matrix `(2,3):(3,1)` in pairs do (0, 2, 1): a row ends inside of one.

    Source: CuTe's `upcast`.
    """
@overload
def upcast(layout: View, factor: int) -> Layout[int] | ComposedLayout[int]:
    """The layout in elements `factor` times as wide: the same bits, in the order in which the layout begins them.

    W(j) == A(i_j) / factor, where i_0 < i_1 < .. are the coordinates with A(i) % factor == 0. Where every mode by
    itself holds whole wide elements, or lies over them, the answer has the profile of the layout; where that is so of
    its modes coalesced, theirs; else W is a function of an integer.

    Raises:
        LayoutError: a wide element would be cut; or they are whole, as `max_alignment` says, but begin in an order that
            no layout has, as those of the matrix `(2,3):(3,1)` in pairs do (0, 2, 1): a row ends inside of one.

    Source: CuTe's `upcast`.
    """
@overload
def downcast(layout: Layout[V], factor: int) -> Layout[V]:
    """The layout in elements `factor` times as narrow: the same bits, in the mode of stride 1.

    Where there is none, nor one of size 1, the first mode of stride 0 holds them: s:0 becomes (factor,s):(1,0).

    Raises:
        LayoutError: no mode of stride 1 or 0, and none of size 1, could hold the narrow elements; or values on axes.

    Source: CuTe's `downcast`, which refuses where no mode has stride 1.
    """
@overload
def downcast(layout: ComposedLayout[V], factor: int) -> ComposedLayout[V]:
    """The layout in elements `factor` times as narrow: the same bits, in the mode of stride 1.

    Where there is none, nor one of size 1, the first mode of stride 0 holds them: s:0 becomes (factor,s):(1,0).

    Raises:
        LayoutError: no mode of stride 1 or 0, and none of size 1, could hold the narrow elements; or values on axes.

    Source: CuTe's `downcast`, which refuses where no mode has stride 1.
    """
@overload
def downcast(layout: View, factor: int) -> Layout[int] | ComposedLayout[int]:
    """The layout in elements `factor` times as narrow: the same bits, in the mode of stride 1.

    Where there is none, nor one of size 1, the first mode of stride 0 holds them: s:0 becomes (factor,s):(1,0).

    Raises:
        LayoutError: no mode of stride 1 or 0, and none of size 1, could hold the narrow elements; or values on axes.

    Source: CuTe's `downcast`, which refuses where no mode has stride 1.
    """
@overload
def slice(src: Layout[V], coord: Coord) -> Layout[V]:
    """The modes of an int tuple or layout under the None of the coordinate. Either argument may come first.

    What the fixed modes add is left out of a plain layout: `slice_and_offset` has it, `local_tile` and partitions keep
    it. A composed layout keeps it inside, since its swizzle asks for it.

    Raises:
        LayoutError: the coordinate does not fit, or keeps nothing.
    """
@overload
def slice(src: Coord, coord: Layout[V]) -> Layout[V]:
    """The modes of an int tuple or layout under the None of the coordinate. Either argument may come first.

    What the fixed modes add is left out of a plain layout: `slice_and_offset` has it, `local_tile` and partitions keep
    it. A composed layout keeps it inside, since its swizzle asks for it.

    Raises:
        LayoutError: the coordinate does not fit, or keeps nothing.
    """
@overload
def slice(src: IntTupleLike, coord: Coord) -> IntTuple:
    """The modes of an int tuple or layout under the None of the coordinate. Either argument may come first.

    What the fixed modes add is left out of a plain layout: `slice_and_offset` has it, `local_tile` and partitions keep
    it. A composed layout keeps it inside, since its swizzle asks for it.

    Raises:
        LayoutError: the coordinate does not fit, or keeps nothing.
    """
@overload
def slice(src: ComposedLayout[V], coord: KnownCoord) -> Layout[V] | ComposedLayout[V]:
    """The modes of an int tuple or layout under the None of the coordinate. Either argument may come first.

    What the fixed modes add is left out of a plain layout: `slice_and_offset` has it, `local_tile` and partitions keep
    it. A composed layout keeps it inside, since its swizzle asks for it.

    Raises:
        LayoutError: the coordinate does not fit, or keeps nothing.
    """
@overload
def slice(src: ComposedLayout[V], coord: Coord) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
    """The modes of an int tuple or layout under the None of the coordinate. Either argument may come first.

    What the fixed modes add is left out of a plain layout: `slice_and_offset` has it, `local_tile` and partitions keep
    it. A composed layout keeps it inside, since its swizzle asks for it.

    Raises:
        LayoutError: the coordinate does not fit, or keeps nothing.
    """
@overload
def slice(src: KnownCoord, coord: ComposedLayout[V]) -> Layout[V] | ComposedLayout[V]:
    """The modes of an int tuple or layout under the None of the coordinate. Either argument may come first.

    What the fixed modes add is left out of a plain layout: `slice_and_offset` has it, `local_tile` and partitions keep
    it. A composed layout keeps it inside, since its swizzle asks for it.

    Raises:
        LayoutError: the coordinate does not fit, or keeps nothing.
    """
@overload
def slice(src: Coord, coord: ComposedLayout[V]) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
    """The modes of an int tuple or layout under the None of the coordinate. Either argument may come first.

    What the fixed modes add is left out of a plain layout: `slice_and_offset` has it, `local_tile` and partitions keep
    it. A composed layout keeps it inside, since its swizzle asks for it.

    Raises:
        LayoutError: the coordinate does not fit, or keeps nothing.
    """
@overload
def slice(src: Seen, coord: Coord) -> Seen:
    """The modes of an int tuple or layout under the None of the coordinate. Either argument may come first.

    What the fixed modes add is left out of a plain layout: `slice_and_offset` has it, `local_tile` and partitions keep
    it. A composed layout keeps it inside, since its swizzle asks for it.

    Raises:
        LayoutError: the coordinate does not fit, or keeps nothing.
    """
@overload
def dice(src: Layout[V], coord: Coord) -> Layout[V]:
    """The modes of an int tuple or layout that the coordinate fixes.

    Raises:
        LayoutError: the coordinate does not fit, or fixes nothing.
    """
@overload
def dice(src: Coord, coord: Layout[V]) -> Layout[V]:
    """The modes of an int tuple or layout that the coordinate fixes.

    Raises:
        LayoutError: the coordinate does not fit, or fixes nothing.
    """
@overload
def dice(src: IntTupleLike, coord: Coord) -> IntTuple:
    """The modes of an int tuple or layout that the coordinate fixes.

    Raises:
        LayoutError: the coordinate does not fit, or fixes nothing.
    """
@overload
def dice(src: ComposedLayout[V], coord: Coord) -> ComposedLayout[V]:
    """The modes of an int tuple or layout that the coordinate fixes.

    Raises:
        LayoutError: the coordinate does not fit, or fixes nothing.
    """
@overload
def dice(src: Coord, coord: ComposedLayout[V]) -> ComposedLayout[V]:
    """The modes of an int tuple or layout that the coordinate fixes.

    Raises:
        LayoutError: the coordinate does not fit, or fixes nothing.
    """
@overload
def slice_and_offset(layout: Layout[int], coord: KnownCoord) -> tuple[Layout[int], int]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def slice_and_offset(layout: Layout[V], coord: Coord) -> tuple[Layout[V], Element | SymInt]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def slice_and_offset(layout: KnownCoord, coord: Layout[int]) -> tuple[Layout[int], int]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def slice_and_offset(layout: Coord, coord: Layout[V]) -> tuple[Layout[V], Element | SymInt]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def slice_and_offset(layout: ComposedLayout[int], coord: KnownCoord) -> tuple[Layout[int] | ComposedLayout[int], int]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def slice_and_offset(
    layout: ComposedLayout[V],
    coord: Coord,
) -> tuple[Layout[V | SymInt] | ComposedLayout[V | SymInt], Element | SymInt]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def slice_and_offset(layout: KnownCoord, coord: ComposedLayout[int]) -> tuple[Layout[int] | ComposedLayout[int], int]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def slice_and_offset(
    layout: Coord,
    coord: ComposedLayout[V],
) -> tuple[Layout[V | SymInt] | ComposedLayout[V | SymInt], Element | SymInt]:
    """(L', offset) with L'(x) + offset == L(the coordinate with x in place of None).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def domain_offset(layout: Layout[int], coord: KnownCoord) -> tuple[Layout[int], int]:
    """The layout moved so that `coord` becomes its origin, as (layout, offset).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def domain_offset(layout: Layout[V], coord: Coord) -> tuple[Layout[V], Element | SymInt]:
    """The layout moved so that `coord` becomes its origin, as (layout, offset).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def domain_offset(layout: KnownCoord, coord: Layout[int]) -> tuple[Layout[int], int]:
    """The layout moved so that `coord` becomes its origin, as (layout, offset).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def domain_offset(layout: Coord, coord: Layout[V]) -> tuple[Layout[V], Element | SymInt]:
    """The layout moved so that `coord` becomes its origin, as (layout, offset).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def domain_offset(layout: ComposedLayout[int], coord: KnownCoord) -> tuple[ComposedLayout[int], int]:
    """The layout moved so that `coord` becomes its origin, as (layout, offset).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def domain_offset(layout: ComposedLayout[V], coord: Coord) -> tuple[ComposedLayout[V | SymInt], Element | SymInt]:
    """The layout moved so that `coord` becomes its origin, as (layout, offset).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def domain_offset(layout: KnownCoord, coord: ComposedLayout[int]) -> tuple[ComposedLayout[int], int]:
    """The layout moved so that `coord` becomes its origin, as (layout, offset).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def domain_offset(layout: Coord, coord: ComposedLayout[V]) -> tuple[ComposedLayout[V | SymInt], Element | SymInt]:
    """The layout moved so that `coord` becomes its origin, as (layout, offset).

    Raises:
        LayoutError: the coordinate does not fit the layout.
    """
@overload
def local_tile(
    layout: Layout[V],
    tiler: KnownTiler,
    coord: KnownCoord,
    proj: Coord = None,
) -> Layout[V] | ComposedLayout[V]:
    """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode.

    `proj` is a tuple that leaves out the modes of tiler and coordinate where it has None.
    A tile of a coordinate tensor gives coordinates of the whole, in their profile.

    Raises:
        LayoutError: what `zipped_divide` refuses, or a coordinate outside the tiles.

    Source: CuTe's `local_tile` (`inner_partition`).
    """
@overload
def local_tile(
    layout: Layout[V],
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
def local_tile(
    layout: ComposedLayout[V],
    tiler: KnownTiler,
    coord: KnownCoord,
    proj: Coord = None,
) -> Layout[V] | ComposedLayout[V]:
    """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode.

    `proj` is a tuple that leaves out the modes of tiler and coordinate where it has None.
    A tile of a coordinate tensor gives coordinates of the whole, in their profile.

    Raises:
        LayoutError: what `zipped_divide` refuses, or a coordinate outside the tiles.

    Source: CuTe's `local_tile` (`inner_partition`).
    """
@overload
def local_tile(
    layout: ComposedLayout[V],
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
def local_tile(layout: Seen, tiler: KnownTiler, coord: KnownCoord, proj: Coord = None) -> Seen:
    """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode.

    `proj` is a tuple that leaves out the modes of tiler and coordinate where it has None.
    A tile of a coordinate tensor gives coordinates of the whole, in their profile.

    Raises:
        LayoutError: what `zipped_divide` refuses, or a coordinate outside the tiles.

    Source: CuTe's `local_tile` (`inner_partition`).
    """
@overload
def local_tile(layout: Seen, tiler: Tiler, coord: Coord, proj: Coord = None) -> Seen:
    """The tile at a coordinate among the tiles; None in the coordinate keeps all tiles along a mode.

    `proj` is a tuple that leaves out the modes of tiler and coordinate where it has None.
    A tile of a coordinate tensor gives coordinates of the whole, in their profile.

    Raises:
        LayoutError: what `zipped_divide` refuses, or a coordinate outside the tiles.

    Source: CuTe's `local_tile` (`inner_partition`).
    """
@overload
def local_partition(
    layout: Layout[V],
    thr: Layout[int],
    index: KnownCoord,
    proj: Coord = None,
) -> Layout[V] | ComposedLayout[V]:
    """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

    Raises:
        LayoutError: what `zipped_divide` refuses, or an index outside the threads.

    Source: CuTe's `local_partition` (`outer_partition`).
    """
@overload
def local_partition(
    layout: Layout[V],
    thr: Layout[int | SymInt],
    index: Coord,
    proj: Coord = None,
) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
    """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

    Raises:
        LayoutError: what `zipped_divide` refuses, or an index outside the threads.

    Source: CuTe's `local_partition` (`outer_partition`).
    """
@overload
def local_partition(
    layout: ComposedLayout[V],
    thr: Layout[int],
    index: KnownCoord,
    proj: Coord = None,
) -> Layout[V] | ComposedLayout[V]:
    """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

    Raises:
        LayoutError: what `zipped_divide` refuses, or an index outside the threads.

    Source: CuTe's `local_partition` (`outer_partition`).
    """
@overload
def local_partition(
    layout: ComposedLayout[V],
    thr: Layout[int | SymInt],
    index: Coord,
    proj: Coord = None,
) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
    """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

    Raises:
        LayoutError: what `zipped_divide` refuses, or an index outside the threads.

    Source: CuTe's `local_partition` (`outer_partition`).
    """
@overload
def local_partition(layout: Seen, thr: Layout[int], index: KnownCoord, proj: Coord = None) -> Seen:
    """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

    Raises:
        LayoutError: what `zipped_divide` refuses, or an index outside the threads.

    Source: CuTe's `local_partition` (`outer_partition`).
    """
@overload
def local_partition(layout: Seen, thr: Layout[int | SymInt], index: Coord, proj: Coord = None) -> Seen:
    """What thread `index` of the thread layout owns when the layout is cut into tiles of one element a thread.

    Raises:
        LayoutError: what `zipped_divide` refuses, or an index outside the threads.

    Source: CuTe's `local_partition` (`outer_partition`).
    """
@overload
def flatten(value: Layout[V]) -> Layout[V]:
    """All leaves as modes of one tuple; a leaf stays a leaf.

    Of a layout R(i) == A(i) for every integer i, and its depth is at most 1.

    Raises:
        LayoutError: neither a layout nor an int tuple.
    """
@overload
def flatten(value: SupportsIndex | SymInt) -> int:
    """All leaves as modes of one tuple; a leaf stays a leaf.

    Of a layout R(i) == A(i) for every integer i, and its depth is at most 1.

    Raises:
        LayoutError: neither a layout nor an int tuple.
    """
@overload
def flatten(value: Sequence[IntTupleLike]) -> tuple[int, ...]:
    """All leaves as modes of one tuple; a leaf stays a leaf.

    Of a layout R(i) == A(i) for every integer i, and its depth is at most 1.

    Raises:
        LayoutError: neither a layout nor an int tuple.
    """
@overload
def flatten(value: ComposedLayout[V]) -> ComposedLayout[V]:
    """All leaves as modes of one tuple; a leaf stays a leaf.

    Of a layout R(i) == A(i) for every integer i, and its depth is at most 1.

    Raises:
        LayoutError: neither a layout nor an int tuple.
    """
@overload
def flatten(value: Seen) -> Seen:
    """All leaves as modes of one tuple; a leaf stays a leaf.

    Of a layout R(i) == A(i) for every integer i, and its depth is at most 1.

    Raises:
        LayoutError: neither a layout nor an int tuple.
    """
@overload
def unflatten(value: Layout[V], profile: IntTupleLike | LayoutBase) -> Layout[V]:
    """The leaves of a flat tuple in a profile: unflatten(flatten(x), x) == x.

    Raises:
        LayoutError: the numbers of leaves differ.
    """
@overload
def unflatten(value: IntTupleLike, profile: IntTupleLike | LayoutBase) -> IntTuple:
    """The leaves of a flat tuple in a profile: unflatten(flatten(x), x) == x.

    Raises:
        LayoutError: the numbers of leaves differ.
    """
@overload
def unflatten(value: ComposedLayout[V], profile: IntTupleLike | LayoutBase) -> ComposedLayout[V]:
    """The leaves of a flat tuple in a profile: unflatten(flatten(x), x) == x.

    Raises:
        LayoutError: the numbers of leaves differ.
    """
@overload
def unflatten(value: Seen, profile: IntTupleLike | LayoutBase) -> Seen:
    """The leaves of a flat tuple in a profile: unflatten(flatten(x), x) == x.

    Raises:
        LayoutError: the numbers of leaves differ.
    """
@overload
def select(
    int_tuple: Layout[V],
    *positions: int | Sequence[int],
    indices: Sequence[int] = (),
    mode: Sequence[int] = (),
) -> Layout[V]:
    """The modes at the given positions, in that order, as a tuple. `indices` is FlyDSL's keyword, `mode` CuTe DSL's.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.
    """
@overload
def select(
    int_tuple: Sequence[int],
    *positions: int | Sequence[int],
    indices: Sequence[int] = (),
    mode: Sequence[int] = (),
) -> tuple[int, ...]:
    """The modes at the given positions, in that order, as a tuple. `indices` is FlyDSL's keyword, `mode` CuTe DSL's.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.
    """
@overload
def select(
    int_tuple: IntTupleLike,
    *positions: int | Sequence[int],
    indices: Sequence[int] = (),
    mode: Sequence[int] = (),
) -> tuple[IntTuple, ...]:
    """The modes at the given positions, in that order, as a tuple. `indices` is FlyDSL's keyword, `mode` CuTe DSL's.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.
    """
@overload
def select(
    int_tuple: ComposedLayout[V],
    *positions: int | Sequence[int],
    indices: Sequence[int] = (),
    mode: Sequence[int] = (),
) -> ComposedLayout[V]:
    """The modes at the given positions, in that order, as a tuple. `indices` is FlyDSL's keyword, `mode` CuTe DSL's.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.
    """
@overload
def select(
    int_tuple: Seen,
    *positions: int | Sequence[int],
    indices: Sequence[int] = (),
    mode: Sequence[int] = (),
) -> Seen:
    """The modes at the given positions, in that order, as a tuple. `indices` is FlyDSL's keyword, `mode` CuTe DSL's.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.
    """
@overload
def take(int_tuple: Layout[V], begin: int, end: int | None = None) -> Layout[V]:
    """The modes in [begin, end), as a tuple.

    Raises:
        LayoutError: neither a layout nor an int tuple, or an empty range, or one beyond its modes.
    """
@overload
def take(int_tuple: Sequence[int], begin: int, end: int | None = None) -> tuple[int, ...]:
    """The modes in [begin, end), as a tuple.

    Raises:
        LayoutError: neither a layout nor an int tuple, or an empty range, or one beyond its modes.
    """
@overload
def take(int_tuple: IntTupleLike, begin: int, end: int | None = None) -> tuple[IntTuple, ...]:
    """The modes in [begin, end), as a tuple.

    Raises:
        LayoutError: neither a layout nor an int tuple, or an empty range, or one beyond its modes.
    """
@overload
def take(int_tuple: ComposedLayout[V], begin: int, end: int | None = None) -> ComposedLayout[V]:
    """The modes in [begin, end), as a tuple.

    Raises:
        LayoutError: neither a layout nor an int tuple, or an empty range, or one beyond its modes.
    """
@overload
def take(int_tuple: Seen, begin: int, end: int | None = None) -> Seen:
    """The modes in [begin, end), as a tuple.

    Raises:
        LayoutError: neither a layout nor an int tuple, or an empty range, or one beyond its modes.
    """
@overload
def group(int_tuple: Layout[V], begin: int, end: int | None = None) -> Layout[V]:
    """The modes in [begin, end) as one nested mode; an empty range changes nothing.

    Raises:
        LayoutError: neither a layout nor an int tuple, or a range beyond its modes.
    """
@overload
def group(int_tuple: IntTupleLike, begin: int, end: int | None = None) -> tuple[IntTuple, ...]:
    """The modes in [begin, end) as one nested mode; an empty range changes nothing.

    Raises:
        LayoutError: neither a layout nor an int tuple, or a range beyond its modes.
    """
@overload
def group(int_tuple: ComposedLayout[V], begin: int, end: int | None = None) -> ComposedLayout[V]:
    """The modes in [begin, end) as one nested mode; an empty range changes nothing.

    Raises:
        LayoutError: neither a layout nor an int tuple, or a range beyond its modes.
    """
@overload
def group(int_tuple: Seen, begin: int, end: int | None = None) -> Seen:
    """The modes in [begin, end) as one nested mode; an empty range changes nothing.

    Raises:
        LayoutError: neither a layout nor an int tuple, or a range beyond its modes.
    """
@overload
def append(base: Layout[V], elem: Layout[W], n: int | None = None) -> Layout[V | W]:
    """The modes with one more at the end, or with as many copies as make `n` modes.

    Raises:
        LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.
    """
@overload
def append(base: IntTupleLike, elem: IntTupleLike, n: int | None = None) -> tuple[IntTuple, ...]:
    """The modes with one more at the end, or with as many copies as make `n` modes.

    Raises:
        LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.
    """
@overload
def append(base: ComposedLayout[V], elem: Layout[W], n: int | None = None) -> ComposedLayout[V | W]:
    """The modes with one more at the end, or with as many copies as make `n` modes.

    Raises:
        LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.
    """
@overload
def prepend(base: Layout[V], elem: Layout[W], n: int | None = None) -> Layout[V | W]:
    """The modes with one more at the front, or with as many copies as make `n` modes.

    Raises:
        LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.
    """
@overload
def prepend(base: IntTupleLike, elem: IntTupleLike, n: int | None = None) -> tuple[IntTuple, ...]:
    """The modes with one more at the front, or with as many copies as make `n` modes.

    Raises:
        LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.
    """
@overload
def prepend(base: ComposedLayout[V], elem: Layout[W], n: int | None = None) -> ComposedLayout[V | W]:
    """The modes with one more at the front, or with as many copies as make `n` modes.

    Raises:
        LayoutError: neither layouts nor int tuples, or fewer modes asked for than there are.
    """
@overload
def replace(value: Layout[V], mode: int, item: Layout[W]) -> Layout[V | W]:
    """The modes with one of them replaced: R[mode] == item, and R[k] == value[k] for all others.

    Raises:
        LayoutError: neither a layout nor an int tuple, or no such mode.
    """
@overload
def replace(value: IntTupleLike, mode: int, item: IntTupleLike) -> tuple[IntTuple, ...]:
    """The modes with one of them replaced: R[mode] == item, and R[k] == value[k] for all others.

    Raises:
        LayoutError: neither a layout nor an int tuple, or no such mode.
    """
@overload
def replace(value: ComposedLayout[V], mode: int, item: Layout[W]) -> ComposedLayout[V | W]:
    """The modes with one of them replaced: R[mode] == item, and R[k] == value[k] for all others.

    Raises:
        LayoutError: neither a layout nor an int tuple, or no such mode.
    """
@overload
def get(int_tuple: Layout[V], *path: int | Sequence[int], mode: int | Sequence[int] = ()) -> Layout[V]:
    """The mode at a position, or at a path of positions.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.
    """
@overload
def get(int_tuple: Sequence[int], mode: int) -> int:
    """The mode at a position, or at a path of positions.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.
    """
@overload
def get(int_tuple: IntTupleLike, *path: int | Sequence[int], mode: int | Sequence[int] = ()) -> IntTuple:
    """The mode at a position, or at a path of positions.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.
    """
@overload
def get(int_tuple: ComposedLayout[V], *path: int | Sequence[int], mode: int | Sequence[int] = ()) -> ComposedLayout[V]:
    """The mode at a position, or at a path of positions.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.
    """
@overload
def get(int_tuple: Seen, *path: int | Sequence[int], mode: int | Sequence[int] = ()) -> Seen:
    """The mode at a position, or at a path of positions.

    Raises:
        LayoutError: there is no such mode, or positions are given in two ways.
    """
@overload
def zip(*values: Layout[V]) -> Layout[V]:
    """Mode i holds the modes i of all values; leaves, which have no modes, become one mode together.

    Raises:
        LayoutError: the ranks differ.
    """
@overload
def zip(*values: IntTupleLike) -> tuple[IntTuple, ...]:
    """Mode i holds the modes i of all values; leaves, which have no modes, become one mode together.

    Raises:
        LayoutError: the ranks differ.
    """
@overload
def crd2idx(crd: KnownPosition, layout: Layout[V] | ComposedLayout[V]) -> V:
    """The value at a coordinate: of a layout, of `shape:stride`, or of the compact layout of a shape.

    A tuple that ends before the modes do goes on with zeros.

    Raises:
        LayoutError: the coordinate has more modes than the shape at some level.
    """
@overload
def crd2idx(crd: Position, layout: Layout[V] | ComposedLayout[V]) -> V | SymInt:
    """The value at a coordinate: of a layout, of `shape:stride`, or of the compact layout of a shape.

    A tuple that ends before the modes do goes on with zeros.

    Raises:
        LayoutError: the coordinate has more modes than the shape at some level.
    """
@overload
def crd2idx(crd: Position, layout: Swizzle | Ints, stride: Ints | None = None) -> int:
    """The value at a coordinate: of a layout, of `shape:stride`, or of the compact layout of a shape.

    A tuple that ends before the modes do goes on with zeros.

    Raises:
        LayoutError: the coordinate has more modes than the shape at some level.
    """
@overload
def crd2idx(
    crd: Positions,
    layout: Layout[int] | ComposedLayout[int] | Swizzle | Ints,
    stride: Ints | None = None,
) -> NDArray[int64]:
    """The value at a coordinate: of a layout, of `shape:stride`, or of the compact layout of a shape.

    A tuple that ends before the modes do goes on with zeros.

    Raises:
        LayoutError: the coordinate has more modes than the shape at some level.
    """
def crd2crd(crd: Position, src_shape: Ints, dst_shape: Ints) -> IntTuple:
    """The coordinate in `dst_shape` that has the same colexicographic index as `crd` in `src_shape`.

    Raises:
        LayoutError: a coordinate that does not fit the shape, or no shapes.
    """
@overload
def idx2crd(index: Index, layout: SupportsIndex | SymInt) -> int:
    """The coordinate of an index: in a shape colexicographically (the last mode is not reduced), or in a layout.

    In a layout it is (index / stride) % extent in every leaf, rounded towards zero as in C. Where the strides chain,
    that is the coordinate whose value is the index, if there is one; `left_inverse` finds it for other layouts, and
    refuses where it cannot. Run-time strides are taken to be positive, as all run-time divisors are.
    A tuple of indices has one for every mode, as in CuTe; a tuple around one index is that index.

    Raises:
        LayoutError: a mode has stride 0; or a tuple that is not weakly congruent to the shape.
    """
@overload
def idx2crd(index: Index | Sequence[int], layout: Sequence[int]) -> tuple[int, ...]:
    """The coordinate of an index: in a shape colexicographically (the last mode is not reduced), or in a layout.

    In a layout it is (index / stride) % extent in every leaf, rounded towards zero as in C. Where the strides chain,
    that is the coordinate whose value is the index, if there is one; `left_inverse` finds it for other layouts, and
    refuses where it cannot. Run-time strides are taken to be positive, as all run-time divisors are.
    A tuple of indices has one for every mode, as in CuTe; a tuple around one index is that index.

    Raises:
        LayoutError: a mode has stride 0; or a tuple that is not weakly congruent to the shape.
    """
@overload
def idx2crd(index: Position, layout: Layout[int | SymInt] | Ints, stride: Ints | None = None) -> IntTuple:
    """The coordinate of an index: in a shape colexicographically (the last mode is not reduced), or in a layout.

    In a layout it is (index / stride) % extent in every leaf, rounded towards zero as in C. Where the strides chain,
    that is the coordinate whose value is the index, if there is one; `left_inverse` finds it for other layouts, and
    refuses where it cannot. Run-time strides are taken to be positive, as all run-time divisors are.
    A tuple of indices has one for every mode, as in CuTe; a tuple around one index is that index.

    Raises:
        LayoutError: a mode has stride 0; or a tuple that is not weakly congruent to the shape.
    """
@overload
def get_hier_coord(index: Index, layout: Layout[int | SymInt]) -> IntTuple:
    """The coordinate, of the shape's profile, whose value is the index. Either argument may come first.

    Raises:
        LayoutError: no layout and index, or an index that no coordinate has.
    """
@overload
def get_hier_coord(index: Layout[int | SymInt], layout: Index) -> IntTuple:
    """The coordinate, of the shape's profile, whose value is the index. Either argument may come first.

    Raises:
        LayoutError: no layout and index, or an index that no coordinate has.
    """
@overload
def get_flat_coord(index: Index, layout: Layout[int | SymInt]) -> int | tuple[int, ...]:
    """The coordinate whose value is the index, with one integer for every top-level mode.

    Raises:
        LayoutError: no layout and index, or an index that no coordinate has.
    """
@overload
def get_flat_coord(index: Layout[int | SymInt], layout: Index) -> int | tuple[int, ...]:
    """The coordinate whose value is the index, with one integer for every top-level mode.

    Raises:
        LayoutError: no layout and index, or an index that no coordinate has.
    """
@overload
def get_1d_coord(index: Index, layout: Layout[int | SymInt]) -> int:
    """The colexicographic index of the coordinate whose value is the index.

    Raises:
        LayoutError: no layout and index, or an index that no coordinate has.
    """
@overload
def get_1d_coord(index: Layout[int | SymInt], layout: Index) -> int:
    """The colexicographic index of the coordinate whose value is the index.

    Raises:
        LayoutError: no layout and index, or an index that no coordinate has.
    """
@overload
def cosize(layout: Layout[Known]) -> int:
    """The largest value + 1: the size of an array that holds every offset; over several axes the product of `coshape`.

    Raises:
        LayoutError: the value is no layout.
    """
@overload
def cosize(layout: Layout[Value]) -> int | SymInt:
    """The largest value + 1: the size of an array that holds every offset; over several axes the product of `coshape`.

    Raises:
        LayoutError: the value is no layout.
    """
@overload
def cosize(layout: ComposedLayout[Known]) -> int:
    """The largest value + 1: the size of an array that holds every offset; over several axes the product of `coshape`.

    Raises:
        LayoutError: the value is no layout.
    """
@overload
def cosize(layout: ComposedLayout[Value]) -> int | SymInt:
    """The largest value + 1: the size of an array that holds every offset; over several axes the product of `coshape`.

    Raises:
        LayoutError: the value is no layout.
    """
@overload
def cosize(layout: View) -> int:
    """The largest value + 1: the size of an array that holds every offset; over several axes the product of `coshape`.

    Raises:
        LayoutError: the value is no layout.
    """
@overload
def coshape(layout: Layout[Value]) -> IntTuple | dict[AxisKey, int]:
    """The codomain's shape: the largest value + 1 on every axis, as a coordinate tuple or `{axis: int}`.

    Raises:
        LayoutError: no layout.
    """
@overload
def coshape(layout: ComposedLayout[Known]) -> int:
    """The codomain's shape: the largest value + 1 on every axis, as a coordinate tuple or `{axis: int}`.

    Raises:
        LayoutError: no layout.
    """
@overload
def coshape(layout: ComposedLayout[Value]) -> int | SymInt:
    """The codomain's shape: the largest value + 1 on every axis, as a coordinate tuple or `{axis: int}`.

    Raises:
        LayoutError: no layout.
    """
@overload
def coprofile(layout: Layout[Value]) -> IntTuple | dict[AxisKey, int]:
    """A zero for every coordinate of the codomain; `with_coprofile` gives a layout another.

    Raises:
        LayoutError: no layout.
    """
@overload
def coprofile(layout: ComposedLayout[Value]) -> IntTuple | dict[AxisKey, int]:
    """A zero for every coordinate of the codomain; `with_coprofile` gives a layout another.

    Raises:
        LayoutError: no layout.
    """
def with_coprofile(layout: Layout[Value], coprofile: IntTupleLike | Mapping[AxisKey, int]) -> Layout[Value]:
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
def max_common_layout(a: Layout[int], b: Layout[int]) -> Layout[int]:
    """R with A(R(i)) == A(R(0)) + i and the same for B, as long as the modes of A and B show; A may extend.

    Of run-time leaves it is what they all allow, without a guard; so are `max_common_vector` and `max_alignment`.

    Raises:
        LayoutError: no layouts of integers.

    Source: CuTe's `max_common_layout`.
    """
@overload
def max_common_layout(a: Layout[int] | ComposedLayout[int], b: Layout[int] | ComposedLayout[int]) -> Layout[int]:
    """R with A(R(i)) == A(R(0)) + i and the same for B, as long as the modes of A and B show; A may extend.

    Of run-time leaves it is what they all allow, without a guard; so are `max_common_vector` and `max_alignment`.

    Raises:
        LayoutError: no layouts of integers.

    Source: CuTe's `max_common_layout`.
    """
@overload
def max_common_layout(a: LayoutBase | View, b: LayoutBase | View) -> Layout[int]:
    """R with A(R(i)) == A(R(0)) + i and the same for B, as long as the modes of A and B show; A may extend.

    Of run-time leaves it is what they all allow, without a guard; so are `max_common_vector` and `max_alignment`.

    Raises:
        LayoutError: no layouts of integers.

    Source: CuTe's `max_common_layout`.
    """
@overload
def max_common_vector(a: Layout[int], b: Layout[int]) -> int:
    """How many of the first elements lie one after another, at the same coordinates, in both layouts.

    The largest n such that each i < n has a coordinate c with A(c) == B(c) == i. Of more than 16384 coordinates it is
    as many as their modes show.

    Raises:
        LayoutError: no layouts of integers.
    """
@overload
def max_common_vector(a: Layout[int] | ComposedLayout[int], b: Layout[int] | ComposedLayout[int]) -> int:
    """How many of the first elements lie one after another, at the same coordinates, in both layouts.

    The largest n such that each i < n has a coordinate c with A(c) == B(c) == i. Of more than 16384 coordinates it is
    as many as their modes show.

    Raises:
        LayoutError: no layouts of integers.
    """
@overload
def max_common_vector(a: LayoutBase | View, b: LayoutBase | View) -> int:
    """How many of the first elements lie one after another, at the same coordinates, in both layouts.

    The largest n such that each i < n has a coordinate c with A(c) == B(c) == i. Of more than 16384 coordinates it is
    as many as their modes show.

    Raises:
        LayoutError: no layouts of integers.
    """
@overload
def max_alignment(layout: Layout[int]) -> int:
    """The largest N such that the layout is made of whole vectors of N elements, each at a multiple of N.

    In memory: `upcast` by N asks moreover that they begin in an order that a layout has.

    Raises:
        LayoutError: no layout of integers.

    Source: CuTe's `max_alignment`.
    """
@overload
def max_alignment(layout: ComposedLayout[int]) -> int:
    """The largest N such that the layout is made of whole vectors of N elements, each at a multiple of N.

    In memory: `upcast` by N asks moreover that they begin in an order that a layout has.

    Raises:
        LayoutError: no layout of integers.

    Source: CuTe's `max_alignment`.
    """
@overload
def max_alignment(layout: View) -> int:
    """The largest N such that the layout is made of whole vectors of N elements, each at a multiple of N.

    In memory: `upcast` by N asks moreover that they begin in an order that a layout has.

    Raises:
        LayoutError: no layout of integers.

    Source: CuTe's `max_alignment`.
    """
@overload
def make_layout(*layouts: Layout[V]) -> Layout[V]:
    """`make_layout(shape[, stride])`, or the layout whose modes are the given layouts.

    Raises:
        LayoutError: no shape and stride of one profile, and no layouts.
    """
@overload
def make_layout(shape: KnownInts, stride: KnownInts | None = None) -> Layout[int]:
    """`make_layout(shape[, stride])`, or the layout whose modes are the given layouts.

    Raises:
        LayoutError: no shape and stride of one profile, and no layouts.
    """
@overload
def make_layout(shape: Ints, stride: Ints | None = None) -> Layout[int | SymInt]:
    """`make_layout(shape[, stride])`, or the layout whose modes are the given layouts.

    Raises:
        LayoutError: no shape and stride of one profile, and no layouts.
    """
@overload
def make_layout(shape: KnownInts, stride: IntTupleLike = None) -> Layout[Known]:
    """`make_layout(shape[, stride])`, or the layout whose modes are the given layouts.

    Raises:
        LayoutError: no shape and stride of one profile, and no layouts.
    """
@overload
def make_layout(shape: Ints, stride: IntTupleLike = None) -> Layout[Value]:
    """`make_layout(shape[, stride])`, or the layout whose modes are the given layouts.

    Raises:
        LayoutError: no shape and stride of one profile, and no layouts.
    """
@overload
def make_layout_like(ref: Layout[Known]) -> Layout[int]:
    """The layout of the same shape with its modes in the same order: compact, if no two strides are equal.

    Modes of stride 0 keep it, and count as extent 1.

    Strides count by magnitude; coordinates colexicographically, so that the identity layout gives the compact one.
    Modes of equal stride start at one stride: they overlap, as in CuTe C++ and FlyDSL.

    Raises:
        LayoutError: strides on named axes, or coordinates known at run time only, which have no order.
    """
@overload
def make_layout_like(ref: Layout[Value]) -> Layout[int | SymInt]:
    """The layout of the same shape with its modes in the same order: compact, if no two strides are equal.

    Modes of stride 0 keep it, and count as extent 1.

    Strides count by magnitude; coordinates colexicographically, so that the identity layout gives the compact one.
    Modes of equal stride start at one stride: they overlap, as in CuTe C++ and FlyDSL.

    Raises:
        LayoutError: strides on named axes, or coordinates known at run time only, which have no order.
    """
@overload
def make_layout_like(ref: ComposedLayout[Known]) -> Layout[int]:
    """The layout of the same shape with its modes in the same order: compact, if no two strides are equal.

    Modes of stride 0 keep it, and count as extent 1.

    Strides count by magnitude; coordinates colexicographically, so that the identity layout gives the compact one.
    Modes of equal stride start at one stride: they overlap, as in CuTe C++ and FlyDSL.

    Raises:
        LayoutError: strides on named axes, or coordinates known at run time only, which have no order.
    """
@overload
def make_layout_like(ref: ComposedLayout[Value]) -> Layout[int | SymInt]:
    """The layout of the same shape with its modes in the same order: compact, if no two strides are equal.

    Modes of stride 0 keep it, and count as extent 1.

    Strides count by magnitude; coordinates colexicographically, so that the identity layout gives the compact one.
    Modes of equal stride start at one stride: they overlap, as in CuTe C++ and FlyDSL.

    Raises:
        LayoutError: strides on named axes, or coordinates known at run time only, which have no order.
    """
@overload
def make_ordered_layout(shape: KnownInts, order: KnownInts, *, ties: Ties = 'position') -> Layout[int]:
    """The compact layout whose modes are fastest in increasing `order`; of equal orders the first is faster.

    One order may stand for a whole sub-shape, which is compact.

    Args:
        ties: `overlap` is the rule of CuTe C++ and FlyDSL: modes of equal order start at the same stride, and the next
            order after all of them, so that they overlap. `position` is NVIDIA's PyCuTe's. Both are one function
            where no two orders are equal.

    Raises:
        LayoutError: `order` is not weakly congruent to the shape; another way with ties.

    Source: CuTe's `make_ordered_layout`.
    """
@overload
def make_ordered_layout(shape: Ints, order: Ints, *, ties: Ties = 'position') -> Layout[int | SymInt]:
    """The compact layout whose modes are fastest in increasing `order`; of equal orders the first is faster.

    One order may stand for a whole sub-shape, which is compact.

    Args:
        ties: `overlap` is the rule of CuTe C++ and FlyDSL: modes of equal order start at the same stride, and the next
            order after all of them, so that they overlap. `position` is NVIDIA's PyCuTe's. Both are one function
            where no two orders are equal.

    Raises:
        LayoutError: `order` is not weakly congruent to the shape; another way with ties.

    Source: CuTe's `make_ordered_layout`.
    """
@overload
def make_composed_layout(
    inner: Swizzle,
    offset: Layout[V] | ComposedLayout[V],
    outer: None = None,
) -> Layout[V] | ComposedLayout[V]:
    """x -> inner(offset + outer(x)): `make_composed_layout(inner, [offset,] outer)`. A swizzle of no bits disappears.

    The names are CuTe's and FlyDSL's: `inner` is the function that comes last, which `ComposedLayout` calls `outer`.

    Raises:
        LayoutError: parts that are no layouts or swizzles, or an offset that is none.
    """
@overload
def make_composed_layout(
    inner: Swizzle,
    offset: KnownInts | None,
    outer: Layout[V] | ComposedLayout[V],
) -> Layout[V] | ComposedLayout[V]:
    """x -> inner(offset + outer(x)): `make_composed_layout(inner, [offset,] outer)`. A swizzle of no bits disappears.

    The names are CuTe's and FlyDSL's: `inner` is the function that comes last, which `ComposedLayout` calls `outer`.

    Raises:
        LayoutError: parts that are no layouts or swizzles, or an offset that is none.
    """
@overload
def make_composed_layout(
    inner: Swizzle,
    offset: IntTupleLike,
    outer: Layout[V] | ComposedLayout[V],
) -> Layout[V | SymInt] | ComposedLayout[V | SymInt]:
    """x -> inner(offset + outer(x)): `make_composed_layout(inner, [offset,] outer)`. A swizzle of no bits disappears.

    The names are CuTe's and FlyDSL's: `inner` is the function that comes last, which `ComposedLayout` calls `outer`.

    Raises:
        LayoutError: parts that are no layouts or swizzles, or an offset that is none.
    """
@overload
def make_composed_layout(
    inner: Layout[V] | ComposedLayout[V],
    offset: KnownInts | Layout[Known] | ComposedLayout[Known] | None,
    outer: Layout[Known] | ComposedLayout[Known] | None = None,
) -> ComposedLayout[V]:
    """x -> inner(offset + outer(x)): `make_composed_layout(inner, [offset,] outer)`. A swizzle of no bits disappears.

    The names are CuTe's and FlyDSL's: `inner` is the function that comes last, which `ComposedLayout` calls `outer`.

    Raises:
        LayoutError: parts that are no layouts or swizzles, or an offset that is none.
    """
@overload
def make_composed_layout(
    inner: Layout[V] | ComposedLayout[V],
    offset: IntTupleLike | LayoutBase,
    outer: LayoutBase | None = None,
) -> ComposedLayout[V | SymInt]:
    """x -> inner(offset + outer(x)): `make_composed_layout(inner, [offset,] outer)`. A swizzle of no bits disappears.

    The names are CuTe's and FlyDSL's: `inner` is the function that comes last, which `ComposedLayout` calls `outer`.

    Raises:
        LayoutError: parts that are no layouts or swizzles, or an offset that is none.
    """
@overload
def make_fragment_like(tensor: Layout[Known], dtype: DTypeLike | None = None) -> Layout[int]:
    """A register layout: mode 0 compact and fastest, the other modes compact in the order of their strides.

    Args:
        tensor: the layout of what the fragment is like.
        dtype: the element type of a tensor's fragment, as in FlyDSL. A layout has none: it is checked, and no more.

    Raises:
        UsageError: `dtype` is no element type.
        LayoutError: no layout.

    Source: CuTe's `make_fragment_like`, FlyDSL's `make_fragment_layout_like`.
    """
@overload
def make_fragment_like(tensor: Layout[Value], dtype: DTypeLike | None = None) -> Layout[int | SymInt]:
    """A register layout: mode 0 compact and fastest, the other modes compact in the order of their strides.

    Args:
        tensor: the layout of what the fragment is like.
        dtype: the element type of a tensor's fragment, as in FlyDSL. A layout has none: it is checked, and no more.

    Raises:
        UsageError: `dtype` is no element type.
        LayoutError: no layout.

    Source: CuTe's `make_fragment_like`, FlyDSL's `make_fragment_layout_like`.
    """
@overload
def make_fragment_like(tensor: ComposedLayout[Known], dtype: DTypeLike | None = None) -> Layout[int]:
    """A register layout: mode 0 compact and fastest, the other modes compact in the order of their strides.

    Args:
        tensor: the layout of what the fragment is like.
        dtype: the element type of a tensor's fragment, as in FlyDSL. A layout has none: it is checked, and no more.

    Raises:
        UsageError: `dtype` is no element type.
        LayoutError: no layout.

    Source: CuTe's `make_fragment_like`, FlyDSL's `make_fragment_layout_like`.
    """
@overload
def make_fragment_like(tensor: ComposedLayout[Value], dtype: DTypeLike | None = None) -> Layout[int | SymInt]:
    """A register layout: mode 0 compact and fastest, the other modes compact in the order of their strides.

    Args:
        tensor: the layout of what the fragment is like.
        dtype: the element type of a tensor's fragment, as in FlyDSL. A layout has none: it is checked, and no more.

    Raises:
        UsageError: `dtype` is no element type.
        LayoutError: no layout.

    Source: CuTe's `make_fragment_like`, FlyDSL's `make_fragment_layout_like`.
    """
@overload
def make_fragment_like(tensor: Seen, dtype: DTypeLike | None = None) -> Seen:
    """A register layout: mode 0 compact and fastest, the other modes compact in the order of their strides.

    Args:
        tensor: the layout of what the fragment is like.
        dtype: the element type of a tensor's fragment, as in FlyDSL. A layout has none: it is checked, and no more.

    Raises:
        UsageError: `dtype` is no element type.
        LayoutError: no layout.

    Source: CuTe's `make_fragment_like`, FlyDSL's `make_fragment_layout_like`.
    """
@overload
def make_fragment_layout_like(tensor: Layout[Known], dtype: DTypeLike | None = None) -> Layout[int]:
    """A register layout: mode 0 compact and fastest, the other modes compact in the order of their strides.

    Args:
        tensor: the layout of what the fragment is like.
        dtype: the element type of a tensor's fragment, as in FlyDSL. A layout has none: it is checked, and no more.

    Raises:
        UsageError: `dtype` is no element type.
        LayoutError: no layout.

    Source: CuTe's `make_fragment_like`, FlyDSL's `make_fragment_layout_like`.
    """
@overload
def make_fragment_layout_like(tensor: Layout[Value], dtype: DTypeLike | None = None) -> Layout[int | SymInt]:
    """A register layout: mode 0 compact and fastest, the other modes compact in the order of their strides.

    Args:
        tensor: the layout of what the fragment is like.
        dtype: the element type of a tensor's fragment, as in FlyDSL. A layout has none: it is checked, and no more.

    Raises:
        UsageError: `dtype` is no element type.
        LayoutError: no layout.

    Source: CuTe's `make_fragment_like`, FlyDSL's `make_fragment_layout_like`.
    """
@overload
def make_fragment_layout_like(tensor: ComposedLayout[Known], dtype: DTypeLike | None = None) -> Layout[int]:
    """A register layout: mode 0 compact and fastest, the other modes compact in the order of their strides.

    Args:
        tensor: the layout of what the fragment is like.
        dtype: the element type of a tensor's fragment, as in FlyDSL. A layout has none: it is checked, and no more.

    Raises:
        UsageError: `dtype` is no element type.
        LayoutError: no layout.

    Source: CuTe's `make_fragment_like`, FlyDSL's `make_fragment_layout_like`.
    """
@overload
def make_fragment_layout_like(tensor: ComposedLayout[Value], dtype: DTypeLike | None = None) -> Layout[int | SymInt]:
    """A register layout: mode 0 compact and fastest, the other modes compact in the order of their strides.

    Args:
        tensor: the layout of what the fragment is like.
        dtype: the element type of a tensor's fragment, as in FlyDSL. A layout has none: it is checked, and no more.

    Raises:
        UsageError: `dtype` is no element type.
        LayoutError: no layout.

    Source: CuTe's `make_fragment_like`, FlyDSL's `make_fragment_layout_like`.
    """
@overload
def make_layout_tv(thr_layout: Layout[int], val_layout: Layout[int]) -> tuple[tuple[int, ...], Layout[int]]:
    """(tiler, tv): tv maps (thread, value) to the coordinate index of the tile in which threads are raked by values.

    Raises:
        LayoutError: the raked product of both does not exist.

    Source: CuTe DSL's and FlyDSL's `make_layout_tv`.
    """
@overload
def make_layout_tv(
    thr_layout: Layout[int | SymInt],
    val_layout: Layout[int | SymInt],
) -> tuple[tuple[int | SymInt, ...], Layout[int | SymInt]]:
    """(tiler, tv): tv maps (thread, value) to the coordinate index of the tile in which threads are raked by values.

    Raises:
        LayoutError: the raked product of both does not exist.

    Source: CuTe DSL's and FlyDSL's `make_layout_tv`.
    """
