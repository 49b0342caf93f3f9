"""`descriptor`: the 64 bits by which wgmma and tcgen05 find an operand, made of its layout, and read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.analysis.descriptor.fields import descriptor_of
from tilewright.analysis.descriptor.matrix import Matrix, matrix
from tilewright.analysis.descriptor.operand import OperandDescriptor, checked_pair
from tilewright.analysis.descriptor.recognise import CanonicalTile, recognise
from tilewright.analysis.model.memory import without_swizzle
from tilewright.atoms.descriptors import FORMATS, GRAIN, VERSION, WORD, MatrixDescriptor
from tilewright.atoms.shared_atoms import ALL_SHARED, checked_bits
from tilewright.atoms.shared_modes import MODES, SharedMode
from tilewright.errors import LayoutError, UsageError, shown

if TYPE_CHECKING:
    from tilewright.analysis.model.memory import Tile
    from tilewright.dtypes import DTypeLike


def descriptor(
    of: int | Tile,
    dtype: int | DTypeLike | None = None,
    *,
    unit: str | None = None,
    start: int = 0,
    at: tuple[int, int] = (0, 0),
    shape: Sequence[int] | None = None,
) -> OperandDescriptor:
    """The descriptor of a tile in shared memory; of 64 bits, what they say. Each undoes the other.

    Of a layout L in elements of b bits whose buffer begins at byte `start`:
    `descriptor(L, b).layout(b, shape)(c) == L(c) + start * 8 / b` at every coordinate c of the tile; of a sparse A's,
    at every coordinate (m, k) and its L(m, 2 k), for what a descriptor knows is the half that is stored.

    Args:
        of: the 64 bits, or a layout (MN, K) -> element offset, as `recognise` takes it.
        dtype: the layout's element type, its name, or its bits.
        unit: `wgmma` or `tcgen05`. Bits tell it themselves; of a layout it is wgmma, if it has the mode.
        start: the byte of shared memory at which the tile's buffer begins.
        at: the coordinate (MN, K) of the operand's first element in the tile: what the next K of an instruction is.
        shape: (MN, K) extents of a tile whose layout does not say them, as TIRx's flat ones.

    Raises:
        LayoutError: no descriptor describes the tile, or it would not be swizzled where it starts; bits that are none.
        UsageError: a layout without its element type, bits with one; another unit.

    Source: PTX ISA, matrix descriptors of wgmma and of tcgen05; CUTLASS's `make_gmma_desc` and `make_umma_desc`.

    >>> from tilewright.layout.operations import tile_to_shape
    >>> from tilewright.atoms import smem
    >>> found = descriptor(tile_to_shape(smem("Layout_K_SW128_Atom", "f16"), (64, 64), (0, 1)), "f16", start=1024)
    >>> hex(found), descriptor(int(found)) == found
    ('0x4000004000010040', True)
    >>> print(found)
    matrix descriptor of wgmma, 0x4000004000010040
    bits   field        code  meaning
    0-13   start        64    the operand begins at byte 1024 of shared memory
    16-29  LBO          1     16 bytes; not used by K-major operands of this swizzle
    32-45  SBO          64    1024 bytes from an atom to the next, along MN if K-major, along K if MN-major
    49-51  base offset  0     the swizzle's pattern starts at a multiple of 1024 bytes
    62-63  swizzle      1     128B: Sw<3,4,3> on byte addresses
    """
    if unit is not None and not (isinstance(unit, str) and unit in FORMATS):
        raise UsageError(f"descriptors are of {' or '.join(FORMATS)}, not of {shown(unit)}")
    if isinstance(of, int):
        if dtype is not None:
            raise UsageError("64 bits say no element type: give it to the method `layout` of what they are")
        return _decoded(of, unit)
    if isinstance(of, str):
        raise UsageError(f"64 bits are an integer, as int(text, 0) makes it, and a tile is a layout; got {shown(of)}")
    if dtype is None:
        raise UsageError("the descriptor of a layout depends on the bits of an element: give its type")
    bits = checked_bits(dtype)
    tile = recognise(of, bits, shape=shape)
    found = _encoded(tile, matrix(of, shape), bits, start, at)
    return OperandDescriptor(unit or _unit_of(found), found, ALL_SHARED[tile.atom].major, bits)


def _decoded(bits: int, unit: str | None) -> OperandDescriptor:
    if type(bits) is not int or not 0 <= bits < 1 << WORD:
        raise LayoutError(f"a descriptor has {WORD} bits, got {shown(bits)}")
    told = next((name for name, form in FORMATS.items() if form.version == VERSION.of(bits)), None)
    if told is None:
        version = (
            f"bits {VERSION} are {VERSION.of(bits)}; {', '.join(f'{x.name} has {x.version}' for x in FORMATS.values())}"
        )
        raise LayoutError(f"{bits:#x} is no matrix descriptor: {version}")
    return OperandDescriptor(unit or told, MatrixDescriptor.decode(bits, FORMATS[unit or told]))


def _encoded(tile: CanonicalTile, seen: Matrix, bits: int, start: int, at: tuple[int, int]) -> MatrixDescriptor:
    row, column = _checked_place(at, tile.shape)
    below = without_swizzle(seen.place)
    byte, loose = divmod(below(row * seen.row_step + column * seen.column_step) * bits, 8)
    if loose or byte % GRAIN:
        raise LayoutError(f"an operand starts with 16 bytes of a line, and {shown(at)} is not the first of them")
    found = descriptor_of(tile, _checked_start(start, MODES[tile.mode]) + byte)
    if found.misplaced is not None:
        raise LayoutError(f"no descriptor has the tile's swizzle there: {found.misplaced}")
    return found


def _unit_of(found: MatrixDescriptor) -> str:
    return next(name for name, form in FORMATS.items() if found.mode in form.modes)


def _checked_start(start: object, mode: SharedMode) -> int:
    if type(start) is not int or start < 0 or start % mode.alignment:
        raise LayoutError(
            f"a tile of mode {mode.name} starts at a multiple of {mode.alignment} bytes, got {shown(start)}"
        )
    return start


def _checked_place(at: object, extents: tuple[int, int]) -> tuple[int, int]:
    what = f"at is a coordinate (MN, K) of the tile of {extents[0]} x {extents[1]}"
    row, column = checked_pair(at, what)
    if not (0 <= row < extents[0] and 0 <= column < extents[1]):
        raise LayoutError(f"{what}, got {shown(at)}")
    return row, column
