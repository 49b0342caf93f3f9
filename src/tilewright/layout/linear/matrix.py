"""`F2Matrix`: a matrix over F2 whose columns and rows are the bits of named dimensions.

The matrix is kept as its columns: `columns[i]` is the image of the flat input index `1 << i`. Flat indices put
the first dimension lowest, so reshaping relabels bits and changes no column. `LinearLayout` adds the algebra.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from tilewright.errors import LayoutError, shown
from tilewright.layout.linear import dims, f2
from tilewright.layout.linear.dims import Dims


@dataclass(frozen=True, slots=True, repr=False)
class F2Matrix:
    """Input dimensions, output dimensions, and the image of every input bit; checked when built."""

    ins: Dims = ()
    outs: Dims = ()
    columns: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "ins", dims.as_dims(self.ins))
        object.__setattr__(self, "outs", dims.as_dims(self.outs))
        object.__setattr__(self, "columns", dims.as_columns(self.columns))
        if len(self.columns) != self.in_bits:
            raise LayoutError(f"{len(self.columns)} columns for the {self.in_bits} bits of {dims.to_text(self.ins)}")
        rows = self.out_bits
        if self.columns and (min(self.columns) < 0 or max(self.columns) >> rows):
            wrong = next(c for c in self.columns if c < 0 or c >> rows)
            raise LayoutError(f"the image {wrong} of an input bit lies outside {dims.to_text(self.outs)}")

    @property
    def in_bits(self) -> int:
        """The number of input bits: columns of the matrix."""
        return dims.bits(self.ins)

    @property
    def out_bits(self) -> int:
        """The number of output bits: rows of the matrix."""
        return dims.bits(self.outs)

    @property
    def size(self) -> int:
        """The number of inputs."""
        return 1 << self.in_bits

    @property
    def bases(self) -> list[tuple[str, list[list[int]]]]:
        """Per input dimension the images of its powers of two, one integer an output dimension."""
        rows = iter([list(dims.unpack(column, self.outs)) for column in self.columns])
        return [(name, [next(rows) for _ in range(dims.log2(size))]) for name, size in self.ins]

    @property
    def in_dims(self) -> list[tuple[str, int]]:
        """The input dimensions with their sizes, minor first."""
        return list(self.ins)

    @property
    def out_dims(self) -> list[tuple[str, int]]:
        """The output dimensions with their sizes, minor first."""
        return list(self.outs)

    @property
    def num_in_dims(self) -> int:
        """The number of input dimensions."""
        return len(self.ins)

    @property
    def num_out_dims(self) -> int:
        """The number of output dimensions."""
        return len(self.outs)

    def get_in_dim_names(self) -> list[str]:
        """The names of the input dimensions."""
        return [name for name, _ in self.ins]

    def get_out_dim_names(self) -> list[str]:
        """The names of the output dimensions."""
        return [name for name, _ in self.outs]

    def get_in_dim_size(self, name: str) -> int:
        """The size of one input dimension."""
        return dims.size_of(name, self.ins)

    def get_out_dim_size(self, name: str) -> int:
        """The size of one output dimension."""
        return dims.size_of(name, self.outs)

    def get_matrix_view(self) -> list[list[int]]:
        """The matrix over F2: a row per output bit, a column per input bit, lowest bits first."""
        rows = f2.transpose(self.columns, self.out_bits)
        return [[row >> i & 1 for i in range(self.in_bits)] for row in rows]

    def operand(self, other: object) -> Self:
        """The other operand, checked to be of this class."""
        if not isinstance(other, type(self)):
            raise LayoutError(f"expected a {type(self).__name__}, got {shown(other)}")
        return other

    # ---- the same map under other dimensions

    def transpose_ins(self, names: Sequence[str]) -> Self:
        """The input dimensions in another order."""
        ins = dims.permuted(self.ins, names)
        return replace(self, ins=ins, columns=tuple(self.columns[p] for p in dims.bit_positions(ins, self.ins)))

    def transpose_outs(self, names: Sequence[str]) -> Self:
        """The output dimensions in another order."""
        outs = dims.permuted(self.outs, names)
        return replace(self, outs=outs, columns=self.columns_in(outs))

    def columns_in(self, outs: Dims) -> tuple[int, ...]:
        """The columns in the flat index of `outs`, which holds self's output dimensions with sizes at least theirs."""
        outs = dims.as_dims(outs)
        if {name for name, _ in outs} != set(self.get_out_dim_names()):
            raise LayoutError(f"output dimensions {dims.to_text(self.outs)} do not match {dims.to_text(outs)}")
        for name, size in outs:
            if self.get_out_dim_size(name) > size:
                raise LayoutError(f"output dimension {name} of size {self.get_out_dim_size(name)} exceeds {size}")
        return f2.multiply([1 << p for p in dims.bit_positions(self.outs, outs)], self.columns)

    def reshape_ins(self, new: Iterable[tuple[str, int]]) -> Self:
        """The flat input index split anew, minor first."""
        return replace(self, ins=dims.same_bits(self.ins, dims.as_dims(new)))

    def reshape_outs(self, new: Iterable[tuple[str, int]]) -> Self:
        """The flat output index split anew, minor first."""
        return replace(self, outs=dims.same_bits(self.outs, dims.as_dims(new)))

    def flatten_ins(self) -> Self:
        """One input dimension, named as the first."""
        return self.reshape_ins([(name, self.size) for name, _ in self.ins[:1]])

    def flatten_outs(self) -> Self:
        """One output dimension, named as the first."""
        return self.reshape_outs([(name, 1 << self.out_bits) for name, _ in self.outs[:1]])

    def sublayout(self, in_names: Sequence[str], out_names: Sequence[str]) -> Self:
        """The other inputs set to 0, the other outputs dropped; order and sizes stay."""
        ins, outs = dims.kept(self.ins, in_names), dims.kept(self.outs, out_names)
        picked = dims.bit_positions(outs, self.outs)
        columns = (self.columns[p] for p in dims.bit_positions(ins, self.ins))
        return replace(self, ins=ins, outs=outs, columns=tuple(dims.gather(c, picked) for c in columns))

    def concat_ins(self, other: Self) -> Self:
        """Both maps side by side, XORed: self's input dimensions, then other's; the outputs must be the same."""
        other = self.operand(other)
        if self.outs != other.outs:
            raise LayoutError(f"output dimensions {dims.to_text(self.outs)} and {dims.to_text(other.outs)} differ")
        return replace(self, ins=self.ins + other.ins, columns=self.columns + other.columns)

    def concat_outs(self, other: Self) -> Self:
        """Both maps on one input: self's output dimensions, then other's; the inputs must be the same."""
        other = self.operand(other)
        if self.ins != other.ins:
            raise LayoutError(f"input dimensions {dims.to_text(self.ins)} and {dims.to_text(other.ins)} differ")
        columns = (a | b << self.out_bits for a, b in zip(self.columns, other.columns, strict=True))
        return replace(self, outs=self.outs + other.outs, columns=tuple(columns))

    # ---- text

    def __str__(self) -> str:
        """Triton's spelling of the bases, then the output dimensions with their sizes."""
        return "{" + ", ".join(f"{name} = {rows}" for name, rows in self.bases) + "} -> " + dims.to_text(self.outs)

    def __repr__(self) -> str:
        names, sizes = self.get_out_dim_names(), [size for _, size in self.outs]
        return f"{type(self).__name__}.from_bases({self.bases}, {names}, {sizes}, require_surjective=False)"
