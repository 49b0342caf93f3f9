"""Triton's layouts of tensor memory: F2 maps (row, col) -> (dim0, dim1), columns counted in elements.

A basis of rows 32 and 64 that is zero says that the element lies there again; any other zero, that nothing lies there.
Source: the semantics of `toLinearLayout` in Triton 3, and the data-path layouts of tcgen05 in the PTX ISA.
"""

from __future__ import annotations

from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.triton_attribute import Attribute
from tilewright.notation.triton_cover import fold, product, sized
from tilewright.notation.triton_fields import Shape, blocks_of, flag, power

ROWS = (64, 128)
NAMES = ["dim0", "dim1"]
SCALE_TILE = (64, 4)  # rows and columns of the scale factors that four bytes of 32 lanes hold twice


def _columns(size: int, dim: int) -> LinearLayout:
    return LinearLayout.identity_1d(size, "col", f"dim{dim}")


def _rows(size: int) -> LinearLayout:
    return LinearLayout.identity_1d(size, "row", "dim0")


def _split(a: Attribute) -> Shape:
    """Into how many parts along each dimension the CTAs of a pair or cluster cut the tensor."""
    if max(dict(blocks_of(a, 2).out_dims).values()) > 1:
        raise LayoutError(f"{a}: blocks of tensor memory are read as CTASplitM and CTASplitN, not as CGALayout")
    return power(a, "CTASplitM", 1), power(a, "CTASplitN", 1)


# ---- accumulators and operands: blockM x blockN of a product after another


def tensor_memory_tile(a: Attribute) -> Shape:
    """The accumulator of one instruction in every CTA."""
    (m, n), (rows, columns) = _split(a), _block(a)
    return rows * m, columns * n


def _block(a: Attribute) -> Shape:
    rows, columns = power(a, "blockM"), power(a, "blockN")
    if rows not in ROWS:
        raise LayoutError(f"{a}: blockM is 64 or 128")
    return rows, columns


def tensor_memory(a: Attribute, shape: Shape) -> LinearLayout:
    """The layout of a tensor of that shape: blocks side by side along the columns, those down the rows first."""
    (rows, columns), (m, n) = _block(a), _split(a)
    if flag(a, "twoCTAs") and rows == 64 and m > 1:
        return _of_pair(a, shape, m, n).transpose_outs(NAMES)
    part = (shape[0] // m, shape[1] // n)
    return product([_alone(a, (rows, columns), part), _columns(m, 0), _columns(n, 1)]).transpose_outs(NAMES)


def _of_pair(a: Attribute, shape: Shape, m: int, n: int) -> LinearLayout:
    # Two CTAs of 64 rows are one of 128 in which the upper half of the rows and of the columns have changed places.
    whole = _alone(a, (128, _block(a)[1]), (shape[0] * 2 // m, shape[1] // n)) * _columns(m // 2, 0)
    bases = {level: [list(image) for image in images] for level, images in whole.bases}
    bases["row"][-1], bases["col"][-1] = bases["col"][-1], bases["row"][-1]
    return sized(bases, whole.out_dims) * _columns(n, 1)


def _alone(a: Attribute, block: Shape, shape: Shape) -> LinearLayout:
    rows, columns = block[0], min(block[1], shape[1])
    if shape[0] < rows:
        raise LayoutError(f"a part of {shape[0]} rows under {a} of {rows} rows")
    spread = LinearLayout.zeros_1d(_stride(a), "col", "dim1")
    tile = product([spread, _rows(16 if rows == 64 else rows), _columns(columns, 1)])
    tile = _in_halves(tile, shape, columns) if rows == 64 else tile
    again = [shape[d] // tile.get_out_dim_size(f"dim{d}") for d in (0, 1)]
    return product([tile, _columns(again[0], 0), _columns(again[1], 1)])


def _stride(a: Attribute) -> int:
    """Columns from an element to the next.

    Triton 3.3 and 3.4 said `unpacked`, of which a word has one element: with the tensor's type it is read as a
    `colStride`, without it columns are words.
    """
    if a.get("unpacked") is not None and a.get("colStride") is not None:
        raise LayoutError(f"{a}: unpacked is how colStride was said before; give one of them")
    flag(a, "unpacked")
    return power(a, "colStride", 1)


def _in_halves(tile: LinearLayout, shape: Shape, columns: int) -> LinearLayout:
    """64 rows lie 16 in each quarter of the lanes; the other 16 have the next block, if there is one."""
    following = [64, 0] if shape[0] > 64 else [0, columns] if shape[1] > columns else [0, 0]
    bases = {level: [list(image) for image in images] for level, images in tile.transpose_outs(NAMES).bases}
    bases["row"] += [following, [16, 0], [32, 0]]
    sizes = [max(64, 2 * following[0]), max(columns, 2 * following[1])]
    return sized(bases, [("dim0", sizes[0]), ("dim1", sizes[1])])


# ---- scale factors: 32 lanes, the same in all quarters


def scales_tile(a: Attribute) -> Shape:
    """The scale factors of four columns."""
    m, n = _split(a)
    return SCALE_TILE[0] * m, SCALE_TILE[1] * n


def scales(a: Attribute, shape: Shape) -> LinearLayout:
    """The layout of scale factors of that shape: tiles down the rows first."""
    m, n = _split(a)
    part = (shape[0] // m, shape[1] // n)
    again = [-(-extent // size) for extent, size in zip(part, SCALE_TILE, strict=True)]
    quarters = LinearLayout.zeros_1d(4, "row", "dim0")
    tile = product([_rows(32), quarters, _columns(4, 1), _columns(2, 0), _columns(again[0], 0), _columns(again[1], 1)])
    return product([fold(tile, dict(zip(NAMES, part, strict=True))), _columns(m, 0), _columns(n, 1)]).transpose_outs(
        NAMES
    )
