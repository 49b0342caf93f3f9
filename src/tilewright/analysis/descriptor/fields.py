"""From the layout of a buffer to the matrix descriptor of an operand in it."""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.analysis.descriptor.matrix import Matrix
from tilewright.analysis.descriptor.recognise import CanonicalTile, canonical, why_not
from tilewright.analysis.model.memory import Tile, memory_layout, without_swizzle
from tilewright.atoms.descriptors import GRAIN, MatrixDescriptor
from tilewright.atoms.shared_modes import chunk_elements
from tilewright.errors import LayoutError


def operand_tile(layout: Tile, shape: Sequence[int], bits: int, *, transposed: bool = False) -> CanonicalTile:
    """The canonical tile that the last two dimensions of a buffer are: (MN, K), or `transposed` (K, MN).

    Raises:
        LayoutError: they are none; the message says which demand fails.

    >>> from tilewright.tirx.hardware.shared import mma_shared_layout
    >>> swizzled, shape = mma_shared_layout("float16", 3, (2, 64, 128)), (2, 64, 128)
    >>> [operand_tile(swizzled, shape, 16, transposed=flag).atom for flag in (False, True)]
    ['Layout_K_SW128_Atom', 'Layout_MN_SW128_Atom']
    """
    chunk_elements(bits)
    if len(shape) < 2:
        raise LayoutError(f"an operand in shared memory has two dimensions, a buffer of shape {tuple(shape)} has not")
    rows, columns = shape[-2:]
    place = memory_layout(layout)
    below = without_swizzle(place).inner
    steps = (1, columns) if transposed else (columns, 1)
    extents = (columns, rows) if transposed else (rows, columns)
    by_row = extents[1] > 1 and below(steps[1]) - below(0) == 1
    tile = Matrix(place, *extents, *steps, by_row)
    found = canonical(tile, bits)
    if found is None:
        what = f"the last two dimensions of {layout} of shape {tuple(shape)}"
        raise LayoutError(f"{what} in elements of {bits} bits are no operand of tensor cores: {why_not(tile, bits)}")
    return found


def descriptor_of(tile: CanonicalTile, start: int = 0) -> MatrixDescriptor:
    """The descriptor of a canonical tile at that byte of shared memory; what is not used is 16 bytes, as in CUTLASS.

    Raises:
        LayoutError: atoms that no descriptor reaches.

    >>> from tilewright.analysis.descriptor.recognise import recognise
    >>> from tilewright.layout.layout import Layout
    >>> descriptor_of(recognise(Layout(((8, 8), (8, 2)), ((8, 64), (1, 512))), "f16"))
    MatrixDescriptor(start=0, leading=1024, stride=128, mode='none', base=0, absolute=False)
    """
    for mode in tile.repeats:
        if len(mode.flat) > 1:
            raise LayoutError(f"a descriptor has one step along each mode, and atoms repeat as {tile.repeats}")
    return MatrixDescriptor(start, tile.leading_bytes or GRAIN, tile.stride_bytes or GRAIN, tile.mode)
