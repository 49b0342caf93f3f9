"""`fx.rocdl.cdna4`: what gfx950 has besides."""

from __future__ import annotations

from tilewright.lang.core.numerics.numeric import DTypeOf
from tilewright.lang.fly.functions.operations import Operation, number_of_bits, type_name


def BufferLoadAsyncLDS(bits: int) -> Operation:
    """A copy of a buffer into shared memory that goes on by itself."""
    return Operation(f"!fly_rocdl.cdna4.buffer_load_async_lds<{number_of_bits(bits)}>")


def BufferLoadAsyncLDS32b() -> Operation:
    """Of 32 bits a lane."""
    return BufferLoadAsyncLDS(32)


def BufferLoadAsyncLDS96b() -> Operation:
    """Of 96 bits a lane."""
    return BufferLoadAsyncLDS(96)


def BufferLoadAsyncLDS128b() -> Operation:
    """Of 128 bits a lane."""
    return BufferLoadAsyncLDS(128)


def GlobalLoadAsyncLDS(bits: int) -> Operation:
    """A copy of global into shared memory that goes on by itself."""
    return Operation(f"!fly_rocdl.cdna4.global_load_async_lds<{number_of_bits(bits)}>")


def LDSReadTrans(granularity: int, bits: int) -> Operation:
    """A read of shared memory by 16 lanes that transposes elements of so many bits."""
    width, wide = number_of_bits(granularity), number_of_bits(bits)
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
