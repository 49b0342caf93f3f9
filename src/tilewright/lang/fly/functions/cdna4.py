"""`fx.rocdl.cdna4`: what gfx950 has besides."""

from __future__ import annotations

from tilewright.lang.core.numerics.numeric import DTypeOf, numeric_type
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.functions.atoms import copy, make_copy_atom
from tilewright.lang.fly.functions.construction import make_layout
from tilewright.lang.fly.functions.memory import make_rmem_tensor
from tilewright.lang.fly.functions.operations import Operation, number_of_bits, type_name
from tilewright.lang.fly.values.base import expect
from tilewright.lang.fly.values.memory import Pointer, recast

__all__ = [
    "BufferLoadAsyncLDS",
    "BufferLoadAsyncLDS128b",
    "BufferLoadAsyncLDS32b",
    "BufferLoadAsyncLDS96b",
    "GlobalLoadAsyncLDS",
    "GlobalLoadAsyncLDS128b",
    "GlobalLoadAsyncLDS32b",
    "GlobalLoadAsyncLDS96b",
    "LDSReadTrans",
    "LDSReadTrans16_64b",
    "LDSReadTrans4_64b",
    "LDSReadTrans6_96b",
    "LDSReadTrans8_64b",
    "MFMAScale",
    "MFMA_Scale",
    "ds_read_tr16_b64",
    "ds_read_tr8_b64",
]


def BufferLoadAsyncLDS(bit_size: int) -> Operation:
    """A copy of a buffer into shared memory that goes on by itself."""
    return Operation(f"!fly_rocdl.cdna4.buffer_load_async_lds<{number_of_bits(bit_size)}>")


def BufferLoadAsyncLDS32b() -> Operation:
    """Of 32 bits a lane."""
    return BufferLoadAsyncLDS(32)


def BufferLoadAsyncLDS96b() -> Operation:
    """Of 96 bits a lane."""
    return BufferLoadAsyncLDS(96)


def BufferLoadAsyncLDS128b() -> Operation:
    """Of 128 bits a lane."""
    return BufferLoadAsyncLDS(128)


def GlobalLoadAsyncLDS(bit_size: int) -> Operation:
    """A copy of global into shared memory that goes on by itself."""
    return Operation(f"!fly_rocdl.cdna4.global_load_async_lds<{number_of_bits(bit_size)}>")


def GlobalLoadAsyncLDS32b() -> Operation:
    """Of 32 bits a lane."""
    return GlobalLoadAsyncLDS(32)


def GlobalLoadAsyncLDS96b() -> Operation:
    """Of 96 bits a lane."""
    return GlobalLoadAsyncLDS(96)


def GlobalLoadAsyncLDS128b() -> Operation:
    """Of 128 bits a lane."""
    return GlobalLoadAsyncLDS(128)


def LDSReadTrans(trans_granularity: int, bit_size: int) -> Operation:
    """A read of shared memory by 16 lanes that transposes elements of so many bits."""
    width, wide = number_of_bits(trans_granularity), number_of_bits(bit_size)
    return Operation(f"!fly_rocdl.cdna4.lds_read_trans<trans = {width}b, {wide}>")


def LDSReadTrans4_64b() -> Operation:
    """Of elements of 4 bits."""
    return LDSReadTrans(4, 64)


def LDSReadTrans8_64b() -> Operation:
    """Of elements of 8 bits."""
    return LDSReadTrans(8, 64)


def LDSReadTrans6_96b() -> Operation:
    """Of elements of 6 bits."""
    return LDSReadTrans(6, 96)


def LDSReadTrans16_64b() -> Operation:
    """Of elements of 16 bits."""
    return LDSReadTrans(16, 64)


def MFMAScale(
    m: int,
    n: int,
    k: int,
    elem_ty_a: DTypeOf,
    elem_ty_b: DTypeOf | None = None,
    elem_ty_acc: DTypeOf | None = None,
    *,
    opsel_a: int = 0,
    opsel_b: int = 0,
) -> Operation:
    """A matrix product whose operands have a scale for each block of 32 elements of k."""
    a, b = type_name(elem_ty_a), type_name(elem_ty_b if elem_ty_b is not None else elem_ty_a)
    acc = type_name(elem_ty_acc) if elem_ty_acc is not None else "f32"
    shape = f"{m}x{n}x{k}, ({a}, {b}) -> {acc}, opselA = {opsel_a}, opselB = {opsel_b}"
    return Operation(f"!fly_rocdl.cdna4.mfma_scale<{shape}>")


MFMA_Scale = MFMAScale


def ds_read_tr16_b64(res: object, ptr: Pointer) -> Vector:
    """A read of shared memory by 16 lanes that transposes elements of 16 bits: four of them."""
    return _transposed(LDSReadTrans16_64b(), 4, res, ptr)


def ds_read_tr8_b64(res: object, ptr: Pointer) -> Vector:
    """A read of shared memory by 16 lanes that transposes elements of 8 bits: eight of them."""
    return _transposed(LDSReadTrans8_64b(), 8, res, ptr)


def _transposed(operation: Operation, count: int, res: object, ptr: Pointer) -> Vector:
    kind = numeric_type(getattr(res, "element_type", res))
    element = kind if kind.width == 64 // count else expect(ptr, Pointer, "ptr").element_type
    held, run = make_rmem_tensor(count, element), make_layout(count, 1)
    copy(make_copy_atom(operation, element), recast(expect(ptr, Pointer, "ptr"), element).view(run), held)
    found = held.load()
    return found if element is kind else found.bitcast(kind)
