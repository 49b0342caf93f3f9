"""Triton's swizzled shared-memory layouts: which element lies at an offset, as F2 maps (offset, block) -> (dim0, ...).

Both are a row-major tile whose rows are XORed with their number: CuTe's `Swizzle` seen from the offset.
"""

from __future__ import annotations

from math import prod

from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.triton_attribute import Attribute
from tilewright.notation.triton_cover import combine, cover, dim_names, per_block, product, sized
from tilewright.notation.triton_fields import Shape, blocks_of, flag, integer, order_of, power

TMA_BOX = 256  # elements that a bulk copy moves at most along a dimension
CORE_ROWS = 8  # rows of a core matrix
CORE_BITS = 128  # bits of its row: the unit of the swizzle
MAX_RANK = 64
BANK_BYTES = 128  # bytes of all banks: rows of the swizzle that share them have one phase


def _identity(size: int, dim: int) -> LinearLayout:
    return LinearLayout.identity_1d(size, "offset", f"dim{dim}")


# ---- swizzled_shared: vec elements move together, perPhase rows alike, maxPhase phases
# ---- amd_rotating_shared: the phases begin anew, one further, behind every maxPhase of them


def swizzled_tile(a: Attribute) -> Shape:
    """The tile that shows every phase once."""
    if flag(a, "hasLeadingOffset"):
        raise LayoutError("#ttg.shared with hasLeadingOffset needs an element width; write it as #ttg.nvmma_shared")
    order, phases = order_of(a), power(a, "maxPhase")
    turns = phases if _rotates(a) else 1
    tile = dict(zip(order, (power(a, "vec") * phases, power(a, "perPhase") * phases * turns), strict=False))
    return tuple(tile.get(d, 1) * size for d, (_, size) in enumerate(blocks_of(a, len(order)).out_dims))


def swizzled_shared(a: Attribute, shape: Shape) -> LinearLayout:
    """The layout of a tensor of that shape."""
    order, blocks = order_of(a), blocks_of(a, len(shape))
    part = per_block(blocks, shape)
    rest = [_identity(part[d], d) for d in order[2:]]
    inner = _swizzled_rows(a, part[order[0]], part[order[1]], order) if len(order) > 1 else _identity(part[0], 0)
    return combine(product([inner, *rest]), blocks, shape)


def _swizzled_rows(a: Attribute, columns: int, rows: int, order: Shape) -> LinearLayout:
    vec, per_phase, phases = power(a, "vec"), power(a, "perPhase"), power(a, "maxPhase")
    again = per_phase * phases if _rotates(a) else 2 * rows
    along = [[0, 1 << i] for i in range(columns.bit_length() - 1)]
    phase = [(row // per_phase ^ row // again) % phases for row in (1 << i for i in range(rows.bit_length() - 1))]
    down = [[1 << i, vec * number % columns] for i, number in enumerate(phase)]
    return sized({"offset": along + down}, [(f"dim{order[1]}", rows), (f"dim{order[0]}", columns)])


def _rotates(a: Attribute) -> bool:
    return a.kind == "amd_rotating_shared"


# ---- nvmma_shared: core matrices of 8 rows, swizzled as wgmma, tcgen05 and bulk copies do


def _element(a: Attribute) -> tuple[int, int]:
    bits, width = power(a, "elementBitWidth"), integer(a, "swizzlingByteWidth")
    if width not in (0, 32, 64, 128) or bits > CORE_BITS:
        raise LayoutError(f"{a}: swizzlingByteWidth is 0, 32, 64 or 128, and an element has at most {CORE_BITS} bits")
    return bits, width


def _rank(a: Attribute) -> int:
    for key in ("CTAsPerCGA", "CTAOrder"):
        listed = a.get(key)
        if isinstance(listed, tuple):
            return len(listed)
    rows = a.get("CGALayout")
    return len(rows[0]) if isinstance(rows, tuple) and rows and isinstance(rows[0], tuple) else integer(a, "rank", 2)


def _pack(a: Attribute, column: int) -> int:
    # Padded fp4: of 16 offsets 8 are real, and the padding shows the same elements.
    return column // 16 * 8 + column % 8 if flag(a, "fp4Padded") else column


def _core(a: Attribute) -> LinearLayout:
    bits, width = _element(a)
    phases = max(1, width // 16)
    columns = max(CORE_BITS, 8 * width) // bits
    along = [[0, _pack(a, 1 << i)] for i in range(columns.bit_length() - 1)]
    step = [CORE_BITS // bits * ((1 << i) * width // BANK_BYTES % phases) for i in range(CORE_ROWS.bit_length() - 1)]
    down = [[1 << i, _pack(a, column)] for i, column in enumerate(step)]
    return sized({"offset": along + down}, [("dim0", CORE_ROWS), ("dim1", columns >> flag(a, "fp4Padded"))])


def nvmma_tile(a: Attribute) -> Shape:
    """One core matrix, or swizzle atom, in every block."""
    rank, (rows, columns) = _rank(a), (size for _, size in _core(a).out_dims)
    if not 2 <= rank <= MAX_RANK:
        raise LayoutError(f"#ttg.nvmma_shared has 2 to {MAX_RANK} dimensions, got rank = {rank}")
    tile = [1] * (rank - 2) + [rows, columns]
    tile = [columns, *[1] * (rank - 2), rows] if flag(a, "transposed") else tile
    return tuple(extent * size for extent, (_, size) in zip(tile, blocks_of(a, rank).out_dims, strict=True))


def nvmma_shared(a: Attribute, shape: Shape) -> LinearLayout:
    """The layout of a tensor of that shape: atoms fill the box of one bulk copy, boxes fill the tensor."""
    blocks = blocks_of(a, len(shape))
    part = per_block(blocks, shape)
    box = [min(TMA_BOX, extent) for extent in part]
    if not _element(a)[1]:
        plain = product(_identity(box[d], d) for d in _fastest_first(a, len(box)))
        return combine(plain.transpose_outs(list(reversed(dim_names(len(box))))), blocks, shape)
    return combine(_swizzled_box(a, part, box), blocks, shape)


def _fastest_first(a: Attribute, rank: int) -> range:
    if not flag(a, "transposed"):
        return range(rank - 1, -1, -1)
    if rank > 2:  # Triton 3.9's own has elements that share places
        raise LayoutError(f"{a} of {rank} dimensions: transposed without a swizzle it is of matrices alone")
    return range(rank)


def _swizzled_box(a: Attribute, part: Shape, box: list[int]) -> LinearLayout:
    # The box is read as a matrix whose rows are all outer dimensions together; atoms go down its rows first.
    core = _core(a)
    rank, transposed = len(box), flag(a, "transposed")
    inner = 0 if transposed else rank - 1
    box[inner] = core.get_out_dim_size("dim1")
    matrix = (prod(box[:-1]), box[-1])
    rows, columns = reversed(matrix) if transposed else matrix
    if part[inner] < box[inner] or rows < CORE_ROWS or columns < box[inner]:
        raise LayoutError(f"a tensor part {part} is smaller than the {CORE_ROWS}x{box[inner]} atom of {a}")
    filled = cover(core, {"dim0": rows, "dim1": columns}).transpose_outs(["dim1", "dim0"])
    outer_first = [*range(1, rank), 0] if transposed else list(range(rank))
    names = dim_names(rank)
    return filled.reshape_outs([(names[d], box[d]) for d in reversed(outer_first)]).transpose_outs(names)
