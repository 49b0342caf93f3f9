"""`LinearLayout`: the F2 view, a map between named index spaces that is linear under XOR."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from tilewright.errors import LayoutError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.drawn import Drawn
from tilewright.layout.layout import Layout
from tilewright.layout.linear import dims, f2
from tilewright.layout.linear.dims import Dims
from tilewright.layout.linear.matrix import F2Matrix
from tilewright.layout.linear.recover import from_linear

if TYPE_CHECKING:
    from numpy import int64, integer
    from numpy.typing import NDArray

    Number: TypeAlias = int | integer[Any]
    Numbers: TypeAlias = Number | NDArray[integer[Any]]

Bases = Mapping[str, Sequence[Sequence[int]]] | Iterable[tuple[str, Sequence[Sequence[int]]]]


@dataclass(frozen=True, slots=True, repr=False)
class LinearLayout(F2Matrix, Drawn):
    """A function L between named index spaces with L(x ^ y) == L(x) ^ L(y), given by its values at powers of two.

    `LinearLayout()` is the empty layout, the unit of `*`. Build others with `from_bases`, `identity_1d`,
    `strided_1d`, `zeros_1d`, or from a layout by `to_linear`. Dimensions are ordered minor first; the order
    matters only to reshaping and printing. Values are compared by dimensions and matrix.

    Raises:
        LayoutError: sizes that are not powers of two, repeated names, images outside the output dimensions.

    Source: Triton's `LinearLayout`, whose names are kept.

    >>> layout = LinearLayout.from_bases([("in0", [[0, 1], [0, 2]]), ("in1", [[1, 0], [2, 0]])], ["out0", "out1"])
    >>> layout.apply({"in0": 3, "in1": 1})
    {'out0': 1, 'out1': 3}
    >>> print(layout)
    {in0 = [[0, 1], [0, 2]], in1 = [[1, 0], [2, 0]]} -> {out0 = 4, out1 = 4}
    """

    # ---- constructors

    @classmethod
    def from_bases(
        cls,
        bases: Bases,
        out_dim_names: Sequence[str],
        out_dim_sizes: Sequence[int] | None = None,
        require_surjective: bool = True,
    ) -> LinearLayout:
        """The layout whose value at 2^i in input dimension d is `bases[d][i]`, one integer an output dimension.

        Without sizes an output dimension is the smallest power of two above its largest basis value.

        Raises:
            LayoutError: a basis of the wrong length, negative or too large; a layout that is not onto although
                `require_surjective`; `require_surjective=False` without sizes.

        >>> LinearLayout.from_bases([("lane", [[1], [4]])], ["offset"], [8], require_surjective=False).is_surjective()
        False
        """
        if out_dim_sizes is None and not require_surjective:
            raise LayoutError("a layout that need not be onto has no natural output sizes; give out_dim_sizes")
        names = dims.as_names(out_dim_names)
        table = [(name, dims.as_vectors(rows, len(names), str(name))) for name, rows in dims.items(bases)]
        vectors = [vector for _, rows in table for vector in rows]
        outs = dims.out_dims(names, out_dim_sizes, vectors)
        ins = dims.as_dims((name, 1 << len(rows)) for name, rows in table)
        layout = cls(ins, outs, tuple(dims.pack(vector, outs) for vector in vectors))
        if require_surjective and not layout.is_surjective():
            raise LayoutError(
                f"{layout} reaches 2^{layout.rank} of 2^{layout.out_bits} outputs; "
                "pass out_dim_sizes and require_surjective=False if that is meant"
            )
        return layout

    @classmethod
    def identity_1d(cls, size: int, inDim: str, outDim: str) -> LinearLayout:
        """L(x) = x on [0, size).

        >>> LinearLayout.identity_1d(8, "idx", "out").apply({"idx": 6})
        {'out': 6}
        """
        return cls.strided_1d(size, 1, inDim, outDim)

    @classmethod
    def strided_1d(cls, size: int, stride: int, inDim: str, outDim: str) -> LinearLayout:
        """L(x) = stride * x on [0, size); the stride is a power of two.

        >>> LinearLayout.strided_1d(4, 2, "idx", "out").get_matrix_view()
        [[0, 0], [1, 0], [0, 1]]
        """
        step, ins = dims.as_size(stride, f"{dims.as_name(outDim)}'s stride"), dims.as_dims([(inDim, size)])
        count = dims.bits(ins)
        outs = dims.as_dims([(outDim, step << count if count else 1)])
        return cls(ins, outs, tuple(step << i for i in range(count)))

    @classmethod
    def zeros_1d(cls, size: int, inDim: str, outDim: str, outDimSize: int = 1) -> LinearLayout:
        """L(x) = 0 on [0, size): a broadcast.

        >>> LinearLayout.zeros_1d(8, "idx", "zero", outDimSize=4).is_surjective()
        False
        """
        ins = dims.as_dims([(inDim, size)])
        return cls(ins, dims.as_dims([(outDim, outDimSize)]), (0,) * dims.bits(ins))

    # ---- queries

    @property
    def rank(self) -> int:
        """The rank of the matrix: 2^rank different outputs.

        >>> LinearLayout.zeros_1d(8, "lane", "offset").rank
        0
        """
        return f2.rank(self.columns)

    def is_surjective(self) -> bool:
        """Is every output reached?"""
        return self.rank == self.out_bits

    def is_injective(self) -> bool:
        """Do different inputs have different outputs?"""
        return self.rank == self.in_bits

    def is_invertible(self) -> bool:
        """Is the layout a bijection?"""
        return self.in_bits == self.out_bits == self.rank

    def kernel(self) -> list[dict[str, int]]:
        """A basis of the inputs that map to 0: XORing one into an input leaves the output.

        >>> LinearLayout.from_bases([("lane", [[1], [1]])], ["offset"]).kernel()
        [{'lane': 3}]
        """
        names = self.get_in_dim_names()
        return [dict(zip(names, dims.unpack(x, self.ins), strict=True)) for x in f2.kernel(self.columns)]

    # ---- evaluation

    @overload
    def apply(self, inputs: Mapping[str, Number]) -> dict[str, int]: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def apply(self, inputs: Mapping[str, Numbers]) -> dict[str, NDArray[int64]]: ...
    @overload
    def apply(self, inputs: Iterable[tuple[str, Number]]) -> dict[str, int]: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def apply(self, inputs: Iterable[tuple[str, Numbers]]) -> dict[str, NDArray[int64]]: ...
    def apply(
        self, inputs: Mapping[str, Numbers] | Iterable[tuple[str, Numbers]]
    ) -> dict[str, int] | dict[str, NDArray[int64]]:
        """L(inputs): a value for every input dimension gives one for every output dimension; numpy arrays in bulk.

        Raises:
            LayoutError: a missing or unknown dimension, or a value outside it.

        >>> import numpy as np
        >>> swizzle = LinearLayout.from_bases([("row", [[1, 1], [2, 2]]), ("col", [[1, 0], [2, 0]])], ["col", "row"])
        >>> swizzle.apply({"row": 3, "col": 1}), swizzle.apply({"row": np.arange(4), "col": 1})["col"].tolist()
        ({'col': 2, 'row': 3}, [1, 0, 3, 2])
        """
        given = dict(dims.items(inputs))
        if given.keys() != dict(self.ins).keys():
            raise LayoutError(f"got inputs [{', '.join(map(str, given))}] for the dimensions {dims.to_text(self.ins)}")
        values = [dims.inside(given[name], name, size) for name, size in self.ins]
        names, numbers = self.get_out_dim_names(), [value for value in values if type(value) is int]
        if len(numbers) < len(values):
            return dict(zip(names, self._bulk(values), strict=True))
        found = dims.unpack(f2.apply(self.columns, dims.pack(numbers, self.ins)), self.outs)
        return dict(zip(names, found, strict=True))

    def _bulk(self, values: Sequence[int | NDArray[int64]]) -> list[NDArray[int64]]:
        import numpy as np

        outs = [np.zeros(np.broadcast_shapes(*map(np.shape, values)), dtype=np.int64) for _ in self.outs]
        columns = iter(self.columns)
        for value, (_, size) in zip(values, self.ins, strict=True):
            for i in range(dims.log2(size)):
                for out, part in zip(outs, dims.unpack(next(columns), self.outs), strict=True):
                    out ^= (value >> i & 1) * part
        return outs

    @overload
    def __call__(self, inputs: Number) -> int: ...
    @overload
    def __call__(self, inputs: NDArray[integer[Any]]) -> NDArray[int64]: ...
    @overload
    def __call__(self, inputs: Mapping[str, Number]) -> dict[str, int]: ...  # type: ignore[overload-overlap]  # an array of one counts as a number
    @overload
    def __call__(self, inputs: Mapping[str, Numbers]) -> dict[str, NDArray[int64]]: ...
    def __call__(
        self, inputs: Numbers | Mapping[str, Numbers]
    ) -> int | NDArray[int64] | dict[str, int] | dict[str, NDArray[int64]]:
        """`apply` for named values; a flat index, or an array of them, gives the flat output index.

        >>> LinearLayout.strided_1d(4, 2, "idx", "out")(3)
        6
        """
        if isinstance(inputs, Mapping):
            return self.apply(inputs)
        flat = replace(self, ins=(("x", self.size),), outs=(("y", 1 << self.out_bits),))
        return flat.apply({"x": inputs})["y"]

    # ---- algebra

    def compose(self, outer: LinearLayout) -> LinearLayout:
        """x -> outer(self(x)). The output dimensions of self are the input dimensions of outer, in any order.

        Raises:
            LayoutError: other names, or an output dimension larger than outer's input dimension.

        >>> transpose = LinearLayout.from_bases([("a", [[2], [1]])], ["b"])
        >>> transpose.compose(LinearLayout.strided_1d(4, 4, "b", "c")).bases
        [('a', [[8], [4]])]
        """
        outer = self.operand(outer)
        return LinearLayout(self.ins, outer.outs, f2.multiply(outer.columns, self.columns_in(outer.ins)))

    def invert(self) -> LinearLayout:
        """The inverse of a bijection.

        >>> LinearLayout.from_bases([("a", [[1], [3]])], ["b"]).invert().bases
        [('b', [[1], [3]])]
        """
        if not self.is_invertible():
            raise LayoutError(f"{self} is no bijection: {self.out_bits} x {self.in_bits} bits of rank {self.rank}")
        return self.pseudoinvert()

    def pseudoinvert(self) -> LinearLayout:
        """A right inverse R of an onto layout, self(R(y)) == y, that leaves out input bits it does not need.

        >>> LinearLayout.from_bases([("a", [[1], [1], [2]])], ["b"]).pseudoinvert().bases
        [('b', [[1], [4]])]
        """
        if not self.is_surjective():
            raise LayoutError(f"{self} is not onto: {self.out_bits} x {self.in_bits} bits of rank {self.rank}")
        identity = LinearLayout(self.outs, self.outs, tuple(1 << i for i in range(self.out_bits)))
        return identity.invert_and_compose(self)

    def invert_and_compose(self, outer: LinearLayout) -> LinearLayout:
        """A layout C with outer(C(x)) == self(x): where outer holds what self holds at x.

        An input dimension that acts alike in both maps to itself when that can be completed; otherwise the
        solution is taken that leaves out input bits of outer it does not need.

        Raises:
            LayoutError: other output dimensions, or an output of self that outer never reaches.

        >>> registers = LinearLayout.from_bases([("reg", [[2]]), ("lane", [[1]])], ["elem"])
        >>> registers.invert_and_compose(LinearLayout.identity_1d(4, "offset", "elem")).bases
        [('reg', [[2]]), ('lane', [[1]])]
        """
        outer = self.operand(outer)
        inner = LinearLayout(self.ins, outer.outs, self.columns_in(outer.outs))
        alike = {n for n, size in inner.ins if size > 1 and n in dict(outer.ins) and inner._only(n) == outer._only(n)}
        columns = _solve(inner, outer, alike)
        if columns is None:
            columns = _solve(inner, outer, set())
        if columns is None:
            missing = next(c for c in inner.columns if not f2.in_span(outer.columns, c))
            raise LayoutError(f"output {dims.unpack(missing, outer.outs)} of {self} is never reached by {outer}")
        return LinearLayout(self.ins, outer.ins, columns)

    def _only(self, name: str) -> F2Matrix:
        return self.sublayout([name], self.get_out_dim_names())

    def __mul__(self, outer: LinearLayout) -> LinearLayout:
        """The direct sum: self acts on the low bits of every dimension, outer on the bits above.

        Raises:
            LayoutError: the two order their common dimensions in opposite ways.

        >>> whole = LinearLayout.identity_1d(4, "i", "o") * LinearLayout.identity_1d(2, "i", "o")
        >>> whole == LinearLayout.identity_1d(8, "i", "o")
        True
        """
        if not isinstance(outer, LinearLayout):
            return NotImplemented
        ins, outs = dims.supremum(self.ins, outer.ins), dims.supremum(self.outs, outer.outs)
        return _direct_sum(self, outer, ins, outs)

    def divide_left(self, divisor: LinearLayout) -> LinearLayout | None:
        """The C with self == divisor * C, of self's dimensions; None when there is none.

        Dimensions of size 1 that self lacks do not count.

        >>> whole = LinearLayout.identity_1d(8, "i", "o")
        >>> whole.divide_left(LinearLayout.identity_1d(4, "i", "o")) == LinearLayout.identity_1d(2, "i", "o")
        True
        """
        return _quotient(self, self.operand(divisor), left=True)

    def divide_right(self, divisor: LinearLayout) -> LinearLayout | None:
        """The C with self == C * divisor, of self's dimensions; None when there is none.

        >>> whole = LinearLayout.identity_1d(4, "i", "o") * LinearLayout.zeros_1d(2, "i", "o")
        >>> whole.divide_right(LinearLayout.zeros_1d(2, "i", "o")) == LinearLayout.identity_1d(4, "i", "o")
        True
        """
        return _quotient(self, self.operand(divisor), left=False)

    # ---- conversion

    def to_linear(self) -> LinearLayout:
        """The layout itself."""
        return self

    def to_layout(self) -> Layout | ComposedLayout:
        """The layout, or the swizzled layout, that is this function; see `linear_recover.from_linear`.

        >>> print(LinearLayout.from_bases([("dim0", [[4], [8]]), ("dim1", [[1], [2]])], ["offset"]).to_layout())
        (4,4):(4,1)
        """
        return from_linear(self)


def _direct_sum(inner: LinearLayout, outer: LinearLayout, ins: Dims, outs: Dims) -> LinearLayout:
    columns = [0] * dims.bits(ins)
    for layout, ins_below, outs_below in ((inner, (), ()), (outer, inner.ins, inner.outs)):
        unit = [1 << p for p in dims.bit_positions(layout.outs, outs, outs_below)]
        for p, column in zip(dims.bit_positions(layout.ins, ins, ins_below), layout.columns, strict=True):
            columns[p] = f2.apply(unit, column)
    return LinearLayout(ins, outs, tuple(columns))


def _quotient(whole: LinearLayout, divisor: LinearLayout, left: bool) -> LinearLayout | None:
    ins, outs = dims.quotient(whole.ins, divisor.ins), dims.quotient(whole.outs, divisor.outs)
    if ins is None or outs is None:
        return None
    below = divisor if left else LinearLayout()
    rows = dims.bit_positions(outs, whole.outs, below.outs)
    columns = (whole.columns[p] for p in dims.bit_positions(ins, whole.ins, below.ins))
    found = LinearLayout(ins, outs, tuple(dims.gather(column, rows) for column in columns))
    parts = (divisor, found) if left else (found, divisor)
    return found if _direct_sum(*parts, whole.ins, whole.outs) == whole else None


def _solve(inner: LinearLayout, outer: LinearLayout, alike: set[str]) -> tuple[int, ...] | None:
    # The columns C with outer * C = inner, the identity on the dimensions `alike`.
    free = dims.bit_positions(tuple(d for d in outer.ins if d[0] not in alike), outer.ins)
    echelon, _ = f2.eliminate(outer.columns[p] for p in free)
    unit = [1 << p for p in free]
    columns = iter(inner.columns)
    found = []
    for name, size in inner.ins:
        for i in range(dims.log2(size)):
            rest, used = f2.reduce(echelon, next(columns))
            if name in alike:
                found.append(1 << dims.offsets(outer.ins)[name] + i)
            elif rest:
                return None
            else:
                found.append(f2.apply(unit, used))
    return tuple(found)
