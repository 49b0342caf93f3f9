"""Element types as MLIR types."""

from __future__ import annotations

from functools import lru_cache

from xdsl.dialects import builtin
from xdsl.ir import Attribute

from tilewright.dtypes import DType, dtype

_FLOATS: dict[str, Attribute] = {
    "f64": builtin.f64,
    "f32": builtin.f32,
    "tf32": builtin.FloatTF32Type(),
    "f16": builtin.f16,
    "bf16": builtin.bf16,
    "f8E4M3FN": builtin.Float8E4M3FNType(),
    "f8E5M2": builtin.Float8E5M2Type(),
    "f8E4M3FNUZ": builtin.Float8E4M3FNUZType(),
    "f8E5M2FNUZ": builtin.Float8E5M2FNUZType(),
    "f8E4M3": builtin.Float8E4M3Type(),
    "f8E4M3B11FNUZ": builtin.Float8E4M3B11FNUZType(),
    "f8E8M0FNU": builtin.Float8E8M0FNUType(),
    "f6E2M3FN": builtin.Float6E2M3FNType(),
    "f6E3M2FN": builtin.Float6E3M2FNType(),
    "f4E2M1FN": builtin.Float4E2M1FNType(),
    "complex<f16>": builtin.ComplexType(builtin.f16),
    "complex<f32>": builtin.ComplexType(builtin.f32),
    "complex<f64>": builtin.ComplexType(builtin.f64),
}


def ir_type(element: DType) -> Attribute:
    """The MLIR type of an element type; unsigned integers keep their sign (`ui32`).

    >>> print(ir_type(dtype("uint8")), ir_type(dtype("half")), ir_type(dtype("float32x4")))
    ui8 f16 vector<4xf32>
    """
    if element.kind == "vector":
        return builtin.VectorType(ir_type(element.scalar), [element.lanes])
    if element.mlir in _FLOATS:
        return _FLOATS[element.mlir]
    signed = builtin.Signedness.UNSIGNED if element.kind == "uint" else builtin.Signedness.SIGNLESS
    return builtin.IntegerType(1 if element.kind == "bool" else element.bits, signed)


@lru_cache(1024)
def element_dtype(element: Attribute) -> DType:
    """The element type that an MLIR type stands for; the inverse of `ir_type`."""
    return dtype(str(element))
