"""AMD's instructions as atoms, by the names and arguments of FlyDSL's `fx.rocdl`.

>>> MFMA(16, 16, 4, "float32").name, BufferCopy128b().bits_per_thread
('CDNA3_16x16x4_F32F32F32F32', 128)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.atoms import cdna, copy_amd, rdna
from tilewright.atoms.alias import first_fixed, fixed
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import bits_of, dtype
from tilewright.errors import UsageError, shown

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike


def MFMA(
    m: int,
    n: int,
    k: int,
    elem_ty_ab: DTypeLike,
    elem_ty_acc: DTypeLike | None = None,
    *,
    elem_ty_b: DTypeLike | None = None,
) -> MmaAtom:
    """The CDNA matrix instruction of an m x n x k tile on elements of a type, of CDNA3 where it has it.

    The accumulator is float64 for float64, int32 for integers, else float32, unless it is given. Tiles that only
    instructions of several blocks have, such as 4x4x4, give these: as many products at once, each of its own operands.

    Raises:
        UsageError: no generation has the instruction; the message lists those that there are.

    >>> MFMA(4, 4, 4, "float16").blocks
    16
    >>> print(MFMA(32, 32, 8, "float16").tv_layout_C)
    ((32,2),(4,4)):((32,4),(1,8))
    """
    return cdna.find_mfma(m, n, k, _types(elem_ty_ab, elem_ty_acc, elem_ty_b))


def MFMA_Scale(
    m: int,
    n: int,
    k: int,
    elem_ty_a: DTypeLike,
    elem_ty_b: DTypeLike | None = None,
    elem_ty_acc: DTypeLike | None = None,
) -> MmaAtom:
    """The block-scaled CDNA4 matrix instruction on 8-, 6- and 4-bit floats.

    Raises:
        UsageError: another tile than 16x16x128 and 32x32x64, or other elements.

    >>> print(MFMA_Scale(16, 16, 128, "float4_e2m1fn").tv_layout_A)
    ((16,4),32):((1,512),16)
    """
    return cdna.find_mfma(m, n, k, _types(elem_ty_a, elem_ty_acc, elem_ty_b), scaled=True)


MFMAScale = MFMA_Scale


def WMMA(
    m: int,
    n: int,
    k: int,
    elem_ty_ab: DTypeLike,
    elem_ty_acc: DTypeLike | None = None,
    *,
    elem_ty_b: DTypeLike | None = None,
    generation: str = "",
) -> MmaAtom:
    """The WMMA of an m x n x k tile: of a generation "RDNA3", "RDNA4" or "GFX1250", else of the newest that has it.

    Raises:
        UsageError: no generation has the instruction.

    >>> print(WMMA(16, 16, 16, "bfloat16").tv_layout_A)
    ((16,2),8):((1,128),16)
    """
    return rdna.find_wmma(m, n, k, _types(elem_ty_ab, elem_ty_acc, elem_ty_b), generation)


def WMMA_Scale(
    m: int,
    n: int,
    k: int,
    elem_ty_a: DTypeLike,
    elem_ty_b: DTypeLike | None = None,
    elem_ty_acc: DTypeLike | None = None,
) -> MmaAtom:
    """The block-scaled 16 x 16 x 128 WMMA of gfx1250 on 8-bit floats.

    Raises:
        UsageError: another tile, or other elements.

    >>> WMMA_Scale(16, 16, 128, "float8_e5m2").scale
    ('float8_e8m0fnu', 32)
    """
    if any(type(x) is not int for x in (m, n, k)) or (m, n, k) != (16, 16, 128):
        raise UsageError(f"the scaled WMMA is known as 16x16x128, not {shown(m)}x{shown(n)}x{shown(k)}")
    return rdna.scaled_wmma(_types(elem_ty_a, elem_ty_acc, elem_ty_b))


def BufferCopy(bit_size: int | DTypeLike) -> CopyAtom:
    """The buffer copy of 8, 16, 32, 64 or 128 bits a lane between global memory and registers."""
    return copy_amd.run("BufferCopy", bits_of(bit_size))


def BufferCopyLDS(bit_size: int | DTypeLike) -> CopyAtom:
    """The buffer copy of 32 or 128 bits a lane from global memory straight into LDS."""
    return copy_amd.run("BufferCopyLDS", bits_of(bit_size))


def BufferLoadAsyncLDS(bit_size: int | DTypeLike) -> CopyAtom:
    """The asynchronous buffer load of 32, 96 or 128 bits a lane into LDS."""
    return copy_amd.run("BufferLoadAsyncLDS", bits_of(bit_size))


def GlobalLoadAsyncLDS(bit_size: int | DTypeLike) -> CopyAtom:
    """The asynchronous global load of 32, 96 or 128 bits a lane into LDS."""
    return copy_amd.run("GlobalLoadAsyncLDS", bits_of(bit_size))


def LDSReadTrans(trans_granularity: int | DTypeLike, bit_size: int | DTypeLike) -> CopyAtom:
    """The transposing LDS read: (4, 64), (8, 64), (16, 64) or (6, 96) bits of an element and of a lane."""
    return copy_amd.lds_read_trans(bits_of(trans_granularity), bits_of(bit_size))


def BufferAtomic(atomic_op: str, val_type: DTypeLike) -> CopyAtom:
    """The buffer atomic `add`, `max` or `min` on one element of 32 or 64 bits.

    >>> BufferAtomic("max", "float64").instruction
    'buffer_atomic_max'
    """
    kind = dtype(val_type)
    return copy_amd.buffer_atomic(atomic_op, kind.bits).with_element(kind.bits)


def BufferAtomicPkAdd(val_type: DTypeLike) -> CopyAtom:
    """The buffer atomic that adds a pair of 16-bit floats.

    >>> print(BufferAtomicPkAdd("bfloat16").tv_layout_src)
    (1,2):(0,1)
    """
    return copy_amd.buffer_atomic("pk_add", 2 * dtype(val_type).bits).with_element(val_type)


BufferCopy8b, BufferCopy16b, BufferCopy32b = (fixed(BufferCopy, bits) for bits in (8, 16, 32))
BufferCopy64b, BufferCopy128b = (fixed(BufferCopy, bits) for bits in (64, 128))
BufferCopyLDS32b, BufferCopyLDS128b = (fixed(BufferCopyLDS, bits) for bits in (32, 128))
BufferLoadAsyncLDS32b, BufferLoadAsyncLDS96b, BufferLoadAsyncLDS128b = (
    fixed(BufferLoadAsyncLDS, bits) for bits in (32, 96, 128)
)
GlobalLoadAsyncLDS32b, GlobalLoadAsyncLDS96b, GlobalLoadAsyncLDS128b = (
    fixed(GlobalLoadAsyncLDS, bits) for bits in (32, 96, 128)
)
LDSReadTrans4_64b, LDSReadTrans8_64b = (fixed(LDSReadTrans, bits, 64) for bits in (4, 8))
LDSReadTrans16_64b, LDSReadTrans6_96b = fixed(LDSReadTrans, 16, 64), fixed(LDSReadTrans, 6, 96)
BufferAtomicAdd, BufferAtomicMax, BufferAtomicMin = (first_fixed(BufferAtomic, name) for name in ("add", "max", "min"))


def _types(element: DTypeLike, accumulator: DTypeLike | None, element_b: DTypeLike | None) -> tuple[str, str, str, str]:
    a = dtype(element)
    b = a if element_b is None else dtype(element_b)
    d = dtype(accumulator).name if accumulator is not None else _accumulator(a.name)
    return d, a.name, b.name, d


def _accumulator(element: str) -> str:
    if element == "float64":
        return "float64"
    return "int32" if dtype(element).is_integer else "float32"
