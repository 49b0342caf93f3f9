"""Warp-wide matrix moves: ldmatrix, stmatrix, movmatrix, and the 2x2 transposing shuffles. Layouts in bits.

ldmatrix reads N = 1, 2 or 4 matrices of eight 16-byte rows, whose addresses come from the first 8 N lanes; without
.trans lane t gets the t-th 32 bits of each matrix, with it the transposed 16-bit (or 8-bit) elements.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.registry import Row
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout

WARP = Layout(32)
_PTX = "sync.aligned"


def rows(count: int) -> Layout[int]:
    """The memory side: `count` matrices, one 16-byte row for each addressing lane; the others repeat.

    >>> print(rows(1), rows(4))
    ((8,4),128):((128,0),1) (32,128):(128,1)
    """
    if count == 4:
        return Layout((32, 128), (128, 1))
    return Layout(((8 * count, 4 // count), 128), ((128, 0), 1))


def words(count: int) -> Layout[int]:
    """The register side: the t-th 32 bits of every matrix."""
    return _values((32, 32), (32, 1), count)


def halves(count: int) -> Layout[int]:
    """The register side of 16-bit .trans: lane (i, j) holds column j of rows 2i and 2i+1."""
    return _values(((4, 8), (16, 2)), ((256, 16), (1, 128)), count)


def bytes_transposed(count: int) -> Layout[int]:
    """The register side of 8-bit .trans: four elements of one column a matrix of 16 rows of 8 bytes."""
    return _values(((4, 8), (8, 2, 2)), ((256, 8), (1, 128, 64)), count)


def _values(shape: tuple[IntTuple, IntTuple], stride: tuple[IntTuple, IntTuple], count: int) -> Layout[int]:
    # `count` matrices of 1024 bits: one more value mode
    if count == 1:
        return Layout(shape, stride)
    inner = shape[1] if isinstance(shape[1], tuple) else (shape[1],)
    steps = stride[1] if isinstance(stride[1], tuple) else (stride[1],)
    return Layout((shape[0], (*inner, count)), (stride[0], (*steps, 1024)))


def load(
    name: str, count: int, registers: Layout[int], arch: str, suffix: str, memory: Layout[int] | None = None
) -> CopyAtom:
    """An ldmatrix: shared memory to registers."""
    return CopyAtom(
        name, WARP, memory or rows(count), registers, registers, arch, f"ldmatrix.{_PTX}.{suffix}",
        "CuTe copy_traits; PTX ISA, ldmatrix", ("shared", "register"), alignment=16,
    )  # fmt: skip


def store(name: str, count: int, registers: Layout[int], arch: str, suffix: str) -> CopyAtom:
    """An stmatrix: registers to shared memory."""
    return CopyAtom(
        name, WARP, registers, rows(count), registers, arch, f"stmatrix.{_PTX}.{suffix}",
        "CuTe copy_traits; PTX ISA, stmatrix", ("register", "shared"), alignment=16,
    )  # fmt: skip


def ldmatrix(count: int, trans: bool) -> CopyAtom:
    """The ldmatrix of 1, 2 or 4 matrices of 16-bit elements, transposed or not.

    >>> ldmatrix(4, trans=False).name
    'SM75_U32x4_LDSM_N'
    """
    name = f"SM75_U16x{2 * count}_LDSM_T" if trans else f"SM75_U32x{count}_LDSM_N"
    registers = halves(count) if trans else words(count)
    return load(name, count, registers, "sm_75", f"m8n8.x{count}{'.trans' if trans else ''}.shared.b16")


def _stsm(count: int, trans: bool) -> CopyAtom:
    name = f"SM90_U16x{2 * count}_STSM_T" if trans else f"SM90_U32x{count}_STSM_N"
    registers = halves(count) if trans else words(count)
    return store(name, count, registers, "sm_90", f"m8n8.x{count}{'.trans' if trans else ''}.shared.b16")


def _stsm_bytes(count: int) -> CopyAtom:
    suffix = f"m16n8.x{count}.trans.shared.b8"
    return store(f"SM100_U8x{4 * count}_STSM_T", count, bytes_transposed(count), "sm_100a", suffix)


def _ldsm_bytes(count: int) -> CopyAtom:
    # one m16n16 matrix fills two register matrices; its 16 row addresses come from lanes 0-15 (and 16-31 of the second)
    memory = Layout(((2, 2, 4, 2), 128), ((128, 1024, 256, 2048 if count == 2 else 0), 1))
    name, suffix = f"SM100_U8x{8 * count}_LDSM_T", f"m16n16.x{count}.trans.shared.b8"
    return load(name, count, bytes_transposed(2 * count), "sm_100a", suffix, memory)


def _ldsm_unpack(bits: int, count: int) -> CopyAtom:
    packed = {4: "b4x16_p64", 6: "b6x16_p32"}[bits]
    name = f"SM100_SU{bits}_DU8x16_x{count}_LDSM_N"
    return load(name, count, words(count), "sm_100a", f"m8n16.x{count}.shared.b8x16.{packed}")


def _movm() -> CopyAtom:
    layout = Layout((32, 32), (32, 1))
    return CopyAtom(
        "SM75_U32x1_MOVM_T", WARP, layout, layout, layout, "sm_75", f"movmatrix.{_PTX}.m8n8.trans.b16",
        "CuTe copy_traits_sm75", ("register", "register"),
    )  # fmt: skip


def _shuffle(distance: int) -> CopyAtom:
    pairs = Layout((32, 64), (64, 1))
    swapped = {
        1: Layout(((2, 16), (32, 2)), ((32, 128), (1, 64))),
        4: Layout(((4, 2, 4), (32, 2)), ((64, 32, 512), (1, 256))),
    }[distance]
    return CopyAtom(
        f"SM50_Shuffle_U32_2x2Trans_XOR{distance}", WARP, pairs, swapped, pairs, "sm_50", "shfl.sync.bfly.b32",
        "CuTe copy_traits_sm50", ("register", "register"),
    )  # fmt: skip


def copy_rows() -> Iterator[Row[CopyAtom]]:
    """The rows of this file for the catalog."""
    for count in (1, 2, 4):
        yield f"SM75_U32x{count}_LDSM_N", ldmatrix, (count, False)
        yield f"SM75_U16x{2 * count}_LDSM_T", ldmatrix, (count, True)
        yield f"SM90_U32x{count}_STSM_N", _stsm, (count, False)
        yield f"SM90_U16x{2 * count}_STSM_T", _stsm, (count, True)
        yield f"SM100_U8x{4 * count}_STSM_T", _stsm_bytes, (count,)
        for bits in (4, 6):
            yield f"SM100_SU{bits}_DU8x16_x{count}_LDSM_N", _ldsm_unpack, (bits, count)
    for count in (1, 2):
        yield f"SM100_U8x{8 * count}_LDSM_T", _ldsm_bytes, (count,)
    yield "SM75_U32x1_MOVM_T", _movm, ()
    for distance in (1, 4):
        yield f"SM50_Shuffle_U32_2x2Trans_XOR{distance}", _shuffle, (distance,)
