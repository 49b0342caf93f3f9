"""Triton's layouts of matrix products: accumulators, and the operands of a dot product in registers.

A warp's fragment of an atom repeats over registers and warps, then over the tensor, at last over blocks. An operand
has no part along the dimension of the accumulator that it lacks: warps and blocks along that one hold the same.
Source: the semantics of `toLinearLayout` in Triton 3.
"""

from __future__ import annotations

from functools import cache

from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.triton_attribute import Attribute, value_text
from tilewright.notation.triton_cover import combine, cover, dim_names, identity, product, sized
from tilewright.notation.triton_fields import Shape, blocks_of, integer, integers, order_of, power
from tilewright.notation.triton_fragment import Family, row_major

KINDS = ("nvidia_mma", "mma", "amd_mfma", "amd_wmma")


@cache
def _family(kind: str) -> Family:
    # The atoms take time to load; other attributes do without them.
    from tilewright.notation.triton_amd import AMD_MFMA, AMD_WMMA
    from tilewright.notation.triton_nvidia import NVIDIA_MMA

    return {"amd_mfma": AMD_MFMA, "amd_wmma": AMD_WMMA}.get(kind, NVIDIA_MMA)


def mma_tile(a: Attribute) -> Shape:
    """What the instructions of all warps of all blocks cover at once."""
    return _sizes(_accumulator(a), _blocks(a))


def mma_layout(a: Attribute, shape: Shape) -> LinearLayout:
    """The layout of an accumulator of that shape."""
    return combine(_accumulator(a, shape), _blocks(a), shape)


def dot_tile(a: Attribute) -> Shape:
    """What the instructions of all warps of all blocks read at once."""
    return _sizes(_operand(a), _operand_blocks(a))


def dot_layout(a: Attribute, shape: Shape) -> LinearLayout:
    """The layout of an operand of that shape."""
    return combine(_operand(a, shape), _operand_blocks(a), shape)


def _sizes(part: LinearLayout, blocks: LinearLayout) -> Shape:
    whole = part * blocks.transpose_outs(part.get_out_dim_names())
    return tuple(whole.get_out_dim_size(name) for name in dim_names(whole.num_out_dims))


def _blocks(a: Attribute) -> LinearLayout:
    return blocks_of(a, _family(a.kind).rank(a))


# ---- accumulators


def _accumulator(a: Attribute, shape: Shape | None = None) -> LinearLayout:
    family = _family(a.kind)
    rank = family.rank(a)
    *_, m, n = dim_names(rank)
    rows, columns = (n, m) if family.transposed(a) else (m, n)
    tile = family.accumulator(a).tile(rows, columns).transpose_outs([n, m])
    covered = tile * family.spread(a, 1)
    if not family.rows_first or shape is None:
        return covered
    return tile * family.spread(a, max(1, shape[-1] // covered.get_out_dim_size(n)))


# ---- operands


def _parent(a: Attribute) -> tuple[Attribute, int]:
    """The layout of the accumulator, and which operand of the product this is."""
    parent, index = a.get("parent"), integer(a, "opIdx")
    if not isinstance(parent, Attribute) or parent.kind not in (*KINDS, "blocked"):
        raise LayoutError(
            f"#ttg.dot_op needs parent = a layout of an accumulator ({', '.join(KINDS)}, blocked),"
            f" got {value_text(parent)}"
        )
    if index > 1:
        raise LayoutError(f"#ttg.dot_op needs opIdx = 0 or 1, got {index}")
    return parent, index


def _operand_blocks(a: Attribute) -> LinearLayout:
    parent, index = _parent(a)
    rank = len(order_of(parent)) if parent.kind == "blocked" else _family(parent.kind).rank(parent)
    return _shared_along(blocks_of(parent, rank), f"dim{_contracted(rank, index)}")


def _contracted(rank: int, index: int) -> int:
    return rank - 1 - index


def _operand(a: Attribute, shape: Shape | None = None) -> LinearLayout:
    parent, index = _parent(a)
    if parent.kind == "blocked":
        return _blocked_operand(a, parent, index, shape)
    family = _family(parent.kind)
    rank = family.rank(parent)
    depth, other = _contracted(rank, index), _contracted(rank, 1 - index)
    k, rows = f"dim{depth}", f"dim{other}"
    fragment = family.operand(parent, index, power(a, "kWidth"))
    reach = shape[depth] if family.rows_first and shape is not None else fragment.depth
    tile = cover(fragment.tile(rows, k), {k: reach, rows: 1})
    order = [k, rows, *(f"dim{d}" for d in row_major(rank)[2:])]
    return tile * _shared_along(family.spread(parent, 1), k).transpose_outs(order)


def _blocked_operand(a: Attribute, parent: Attribute, index: int, shape: Shape | None) -> LinearLayout:
    order = order_of(parent)
    rank = len(order)
    if rank < 2 or integer(a, "kWidth", 0):
        raise LayoutError("#ttg.dot_op of a blocked layout needs two dimensions, and has no kWidth")
    depth = _contracted(rank, index)
    sizes = list(integers(parent, "sizePerThread", rank))
    # A thread multiplies by itself: it holds all of K.
    sizes[depth] = sizes[depth] if shape is None else shape[depth]
    spread = [identity(level, integers(parent, key, rank), order) for level, key in _BLOCKED.items()]
    return product([identity("register", sizes, order), *(_shared_along(part, f"dim{depth}") for part in spread)])


_BLOCKED = {"lane": "threadsPerWarp", "warp": "warpsPerCTA"}


def _shared_along(layout: LinearLayout, name: str) -> LinearLayout:
    """The layout with nothing along one dimension: what lay there is held alike, registers that differ so vanish."""
    at = layout.get_out_dim_names().index(name)
    bases = {level: [[*row[:at], 0, *row[at + 1 :]] for row in rows] for level, rows in layout.bases}
    if "register" in bases:
        bases["register"] = [row for row in bases["register"] if any(row)]
    return sized(bases, [(other, 1 if other == name else size) for other, size in layout.out_dims])
