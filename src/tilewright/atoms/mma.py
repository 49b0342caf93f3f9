"""`MmaAtom`: one matrix instruction as a frozen value, proved consistent when it is built."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias, TypedDict

from tilewright.atoms.alias import alias
from tilewright.atoms.coverage import owners
from tilewright.atoms.told import Told
from tilewright.dtypes import DType, dtype
from tilewright.errors import LayoutError, UsageError, shown, typed_fields
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout

Space: TypeAlias = Literal["register", "shared", "tmem"]

# operand -> which of M, N, K its two modes are
MODES = {"A": (0, 2), "B": (1, 2), "C": (0, 1)}


class MmaFacts(TypedDict, total=False):
    """Fields of an atom beside its layouts, by name, as rules for a generation hand them on."""

    source: str
    replicas: tuple[int, int, int]
    sparsity: int
    scale: tuple[str, int] | None
    notes: str


@dataclass(frozen=True, repr=False)
@typed_fields
class MmaAtom(Told):
    """D = A B + C on an M x N x K tile, spread over the threads of `thr_layout`.

    `tv_layout_A`, `_B`, `_C` map (thread, value) to the colexicographic coordinate m + M k, n + N k and m + M n;
    D lies as C. Their thread modes are as large as `thr_layout`, which maps the logical thread to the hardware
    lane (or, for tcgen05, to the CTA of the pair). `replicas` says how many threads hold each element of A, B, C.
    An atom of several `blocks` does as many products at once, each of its own A, B and C: block b's elements lie
    b tiles further on, at m + M k + M K b, n + N k + N K b and m + M n + M N b.

    Args:
        shape_mnk: the tile.
        types: element types of D, A, B, C, by name.
        spaces: where A, B and C lie; a shared operand is read through a descriptor by all threads.
        instruction: the PTX or ISA mnemonic; empty for a plain fused multiply-add.
        sparsity: 2 when A holds half of its K x M elements beside metadata (4-bit pairs likewise), else 1.
        scale: (element type, K elements per scale) of block-scaled operands.
        blocks: how many products of that tile it does at once.
        source: where the layouts come from.

    Raises:
        LayoutError: an operand layout that does not cover its tile evenly, or as often as `replicas` declares.
        UsageError: a field of another type.

    >>> from tilewright.atoms.catalog import mma
    >>> atom = mma("SM80_16x8x8_F32F16F16F32_TN")
    >>> print(atom.tv_layout_B, atom.thr_layout, atom.instruction)
    ((4,8),2):((16,1),8) 32:1 mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32
    """

    name: str
    shape_mnk: tuple[int, int, int]
    types: tuple[str, str, str, str]
    thr_layout: Layout[int]
    tv_layout_A: Layout[int]
    tv_layout_B: Layout[int]
    tv_layout_C: Layout[int]
    arch: str
    instruction: str = ""
    source: str = ""
    spaces: tuple[Space, Space, Space] = ("register", "register", "register")
    replicas: tuple[int, int, int] = (1, 1, 1)
    sparsity: int = 1
    scale: tuple[str, int] | None = None
    blocks: int = 1
    notes: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        for operand, declared in zip("ABC", self.replicas, strict=True):
            layout, threads = self.tv_layout(operand), self.thr_layout.size
            if layout.rank != 2 or layout[0].size != threads:
                raise LayoutError(
                    f"{self.name}: the {operand} layout {layout} must be (thread, value) with {threads} threads"
                )
            found = owners(layout, self._elements(operand))
            if found != declared:
                raise LayoutError(
                    f"{self.name}: every element of {operand} has {found} owners, {declared} were declared"
                )

    def tv_layout(self, operand: str) -> Layout[int]:
        """The (thread, value) layout of operand A, B or C."""
        layout: Layout[int] = getattr(self, f"tv_layout_{checked_operand(operand)}")
        return layout

    def tile(self, operand: str) -> tuple[int, int]:
        """The tile of an operand: (M, K), (N, K) or (M, N), of one block."""
        first, second = MODES[checked_operand(operand)]
        return self.shape_mnk[first], self.shape_mnk[second]

    def stored(self, operand: str) -> tuple[int, int]:
        """The tile of an operand as it lies in memory: of a sparse A half of K."""
        rows, columns = self.tile(operand)
        return rows, columns // (self.sparsity if operand == "A" else 1)

    def stored_layout(self, operand: str) -> Layout[int]:
        """The (thread, value) layout of an operand as it is stored, into `stored(operand)`.

        Of a sparse A, lanes hold half of the elements that they hold of its tile: those of each two neighbours along K.

        >>> from tilewright.atoms.catalog import mma
        >>> print(mma("SM90_SPARSE_64x8x32_F32F16F16_RS").stored_layout("A"))
        ((4,8,4),(2,2,2)):((128,1,16),(64,8,512))
        """
        layout = self.tv_layout(operand)
        if operand != "A" or self.sparsity == 1:
            return layout
        parts = [_stored(mode.shape, mode.stride, self.shape_mnk[0]) for mode in layout]
        return Layout(tuple(shape or 1 for shape, _ in parts), tuple(stride if shape else 0 for shape, stride in parts))

    def _elements(self, operand: str) -> int:
        rows, columns = self.tile(operand)
        return rows * columns * self.blocks

    @cached_property
    def dtypes(self) -> tuple[DType, DType, DType, DType]:
        """The element types of D, A, B, C."""
        d, a, b, c = map(dtype, self.types)
        return d, a, b, c

    @property
    def threads(self) -> int:
        """The number of threads (for tcgen05: of CTAs) that take part."""
        size = self.thr_layout.size
        return int(size)

    layout_A_tv = alias(Layout[int], "tv_layout_A", "the FlyDSL release")
    layout_B_tv = alias(Layout[int], "tv_layout_B", "the FlyDSL release")
    layout_C_tv = alias(Layout[int], "tv_layout_C", "the FlyDSL release")
    thr_id = alias(Layout[int], "thr_layout", "CuTe")

    def __str__(self) -> str:
        m, n, k = self.shape_mnk
        d, a, b, c = self.types
        times = f", {self.blocks} blocks" if self.blocks > 1 else ""
        return (
            f"{self.name}  {m}x{n}x{k}{times}  {d} = {a} x {b} + {c}  ({self.arch})\n"
            f"  thr {self.thr_layout}\n  A   {self.tv_layout_A}\n  B   {self.tv_layout_B}\n  C   {self.tv_layout_C}"
        )


def _stored(shape: IntTuple, stride: IntTuple, rows: int) -> tuple[IntTuple, IntTuple]:
    """The modes of half of K: its neighbours, `rows` apart, are half as many, other steps along it half as long."""
    if isinstance(shape, tuple) and isinstance(stride, tuple):
        parts = [_stored(*pair, rows) for pair in zip(shape, stride, strict=True)]
        left = [(extent, step) for extent, step in parts if extent != 1]
        return tuple(extent for extent, _ in left), tuple(step for _, step in left)
    assert isinstance(shape, int), "an atom's layouts are static"
    assert isinstance(stride, int), "an atom's layouts are static"
    if stride == rows:
        return shape // 2, stride
    return shape, stride // 2 if stride > rows else stride


def checked_operand(operand: object) -> str:
    """`operand` if it is A, B or C.

    Raises:
        UsageError: it is not.
    """
    if not isinstance(operand, str) or operand not in MODES:
        raise UsageError(f"an operand is A, B or C, not {shown(operand)}")
    return operand
