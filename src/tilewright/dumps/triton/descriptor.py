"""Operations of a Triton dump that reach shared memory through a descriptor: bulk copies, wgmma, tcgen05."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from tilewright.analysis.lowering.columns import Columns, columns_of, coordinates_of
from tilewright.analysis.lowering.cost import Cost, cost
from tilewright.analysis.lowering.issue import Issue
from tilewright.arch import ArchSpec
from tilewright.dumps.finding import Finding, Unknown
from tilewright.dumps.triton.buffers import LETTERS
from tilewright.dumps.triton.context import Context
from tilewright.dumps.triton.use import TritonUse, extents_of
from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.ttgir_op import Op
from tilewright.notation.ttgir_types import Tiled

LINE_BYTES = 128
CORE_ROWS = 3  # bits of the row in a core matrix
CORE_BITS = 128
ROW_BYTES = 16
SWIZZLES = (16, 32, 64, 128)
# The layouts that a descriptor of wgmma or tcgen05 reads.
DESCRIBED = ("nvmma_shared", "shared_linear")

_BULK = "cp.async.bulk.tensor"
_BULK_NOTE = "a bulk copy moves whole lines of 128 bytes of shared memory, in the order of the tile's swizzle"
_CORE_NOTE = (
    "wgmma and tcgen05 are counted as one pass over each operand, core matrix by core matrix of 8 rows of 16 bytes,"
    " which no vendor states"
)


def bulk_copy(op: Op, context: Context) -> Iterator[Finding]:
    """A tile moved by a tensor map."""
    for tile in _tiles(op, context):
        lines = -(-tile.size * tile.bits // (8 * LINE_BYTES))
        use = TritonUse(tile, None, partial(_whole_lines, lines), described=True)
        yield Finding(op.name, "tma", _BULK, lines, lines, None, None, 0, (_BULK_NOTE,), use)


def _whole_lines(lines: int, columns: Columns) -> Iterator[tuple[str, Cost]]:
    yield _BULK, Cost(lines, lines, 0)


def wgmma(op: Op, context: Context) -> Iterator[Finding | Unknown]:
    """The operands of wgmma that lie in shared memory."""
    yield from _operands(op, "wgmma", "wgmma.mma_async", context)


def tcgen05(op: Op, context: Context) -> Iterator[Finding | Unknown]:
    """The operands of tcgen05.mma that lie in shared memory."""
    yield from _operands(op, "tcgen05", "tcgen05.mma", context)


def _tiles(op: Op, context: Context) -> list[Tiled]:
    types = [found for found in map(context.types.tiled, (*op.inputs, *op.outputs)) if found is not None]
    return [found for found in types if found.is_shared and not found.is_barrier]


def _operands(op: Op, kind: str, name: str, context: Context) -> Iterator[Finding | Unknown]:
    for letter, text in zip(LETTERS, op.inputs, strict=False):
        tile = context.types.tiled(text)
        if tile is not None and tile.is_shared:
            try:
                yield replace(_operand(op, tile, kind, f"{name} descriptor", context.spec), operand=letter)
            except LayoutError as error:
                yield Unknown(op.name, f"{letter}: {str(error).splitlines()[0]}", operand=letter)


def _operand(op: Op, tile: Tiled, kind: str, name: str, spec: ArchSpec) -> Finding:
    if tile.attribute.kind not in DESCRIBED:
        raise LayoutError(f"its descriptor reads #ttg.{' or #ttg.'.join(DESCRIBED)}, got #ttg.{tile.attribute.kind}")
    owner, row = _cores(tile)

    def ways(columns: Columns) -> Iterator[tuple[str, Cost]]:
        yield name, cost(columns, _issue(columns, row, kind), tile.bits, spec)

    _, found = next(ways(columns_of(owner, tile.layout)))
    use = TritonUse(tile, coordinates_of(owner, tile.order, extents_of(tile)).distinct(), ways, described=True)
    return Finding(op.name, kind, name, found.wavefronts, found.ideal, None, None, 0, (_CORE_NOTE,), use)


def _issue(columns: Columns, row: int, kind: str) -> Issue:
    vector, lanes = columns.bits("register")[:row], columns.bits("lane")
    if columns.at(vector) != [1 << i for i in range(row)]:
        raise LayoutError("the rows of 16 bytes of its core matrices are not contiguous; the descriptor has none such")
    apart = tuple(image * ROW_BYTES >> row for image in columns.at(lanes))
    if apart not in map(_rows_of, SWIZZLES):
        raise LayoutError(
            f"rows 1, 2 and 4 of its core matrices lie {', '.join(map(str, apart))} bytes behind the first; a"
            " descriptor takes rows side by side, or 32, 64 or 128 bytes apart in the swizzle of that width"
        )
    return Issue(kind, "ldmatrix.x1", "load", vector, lanes)


def _rows_of(width: int) -> tuple[int, ...]:
    """The bytes by which rows 1, 2 and 4 of a core matrix lie off, in a swizzle of so many bytes; 16 is none.

    >>> _rows_of(16), _rows_of(64)
    ((16, 32, 64), (64, 144, 288))
    """
    places = [width << i for i in range(CORE_ROWS)]
    return tuple(place ^ (place // 8 & width - ROW_BYTES) for place in places)


def _cores(tile: Tiled) -> tuple[LinearLayout, int]:
    """Lanes as the rows of a core matrix, registers as all else; and the bits of a row of 16 bytes."""
    if len(tile.shape) < 2:
        raise LayoutError("a descriptor of wgmma or tcgen05 is of a matrix")
    inner, outer = tile.order[:2]
    row = (CORE_BITS // tile.bits).bit_length() - 1
    names = [f"dim{d}" for d in range(len(tile.shape))]

    def unit(d: int, i: int) -> list[int]:
        return [1 << i if e == d else 0 for e in range(len(tile.shape))]

    every = [(d, i) for d in (inner, *(d for d in range(len(tile.shape)) if d != inner))
             for i in range(tile.shape[d].bit_length() - 1)]  # fmt: skip
    lanes = [(outer, i) for i in range(CORE_ROWS)]
    if tile.shape[inner] < 1 << row or any(bit not in every for bit in lanes):
        raise LayoutError(
            f"a tile {'x'.join(map(str, tile.shape))} is smaller than a core matrix of 8 rows of 16 bytes"
        )
    bases = {"register": [unit(*bit) for bit in every if bit not in lanes], "lane": [unit(*bit) for bit in lanes]}
    return LinearLayout.from_bases(bases, names, list(tile.shape), require_surjective=False), row
