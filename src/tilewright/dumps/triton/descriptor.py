"""Operations of a Triton dump that reach shared memory through a descriptor: bulk copies, wgmma, tcgen05."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.analysis.lowering.columns import Columns, columns_of
from tilewright.analysis.lowering.cost import cost
from tilewright.analysis.lowering.issue import Issue
from tilewright.dumps.finding import Finding
from tilewright.dumps.triton.context import Context
from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.ttgir_op import Op
from tilewright.notation.ttgir_types import Tiled

LINE_BYTES = 128
CORE_ROWS = 3  # bits of the row in a core matrix
CORE_BITS = 128

_BULK_NOTE = "a bulk copy moves whole lines of 128 bytes of shared memory, in the order of the tile's swizzle"
_CORE_NOTE = (
    "wgmma and tcgen05 are counted as one pass over each operand, core matrix by core matrix of 8 rows of 16 bytes,"
    " which no vendor states"
)


def bulk_copy(op: Op, context: Context) -> Iterator[Finding]:
    """A tile moved by a tensor map."""
    for tile in _tiles(op, context):
        lines = -(-tile.size * tile.bits // (8 * LINE_BYTES))
        yield Finding(op.name, "tma", "cp.async.bulk.tensor", lines, lines, None, None, 0, (_BULK_NOTE,))


def wgmma(op: Op, context: Context) -> Iterator[Finding]:
    """The operands of wgmma that lie in shared memory."""
    for tile in _tiles(op, context):
        yield _operand(op, tile, "wgmma", context)


def tcgen05(op: Op, context: Context) -> Iterator[Finding]:
    """The operands of tcgen05.mma that lie in shared memory."""
    for tile in _tiles(op, context):
        yield _operand(op, tile, "tcgen05", context)


def _tiles(op: Op, context: Context) -> list[Tiled]:
    types = [found for found in map(context.types.tiled, (*op.inputs, *op.outputs)) if found is not None]
    return [found for found in types if found.is_shared and not found.is_barrier]


def _operand(op: Op, tile: Tiled, kind: str, context: Context) -> Finding:
    columns, row = _core_columns(tile)
    vector = columns.bits("register")[:row]
    if columns.at(vector) != [1 << i for i in range(row)]:
        raise LayoutError("the rows of 16 bytes of its core matrices are not contiguous; the descriptor has none such")
    lanes = columns.bits("lane")
    rest = tuple(bit for bit, _ in columns.table if bit not in {*vector, *lanes})
    issue = Issue(kind, "ldmatrix.x1", "load", vector, lanes, rest)
    found = cost(columns, issue, tile.bits, context.spec)
    name = "wgmma.mma_async" if kind == "wgmma" else "tcgen05.mma"
    return Finding(op.name, kind, f"{name} descriptor", found.wavefronts, found.ideal, None, None, 0, (_CORE_NOTE,))


def _core_columns(tile: Tiled) -> tuple[Columns, int]:
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
    owner = LinearLayout.from_bases(bases, names, list(tile.shape), require_surjective=False)
    return columns_of(owner, tile.layout), row
