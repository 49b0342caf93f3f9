"""Element types: one frozen `DType` per type, found by its name in any notation.

The canonical name is numpy's (with ml_dtypes' names for the narrow floats). The table below is the only place
that relates numpy, MLIR, CUDA C++, CUTLASS, PTX, Triton and TVM spellings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from tilewright.errors import UsageError, close_names, shown

if TYPE_CHECKING:
    import numpy
    from typing_extensions import TypeIs


class HasDType(Protocol):
    """What stands for an element type: `DType`s, and the number types of the kernel language and of others."""

    @property
    def __tilewright_dtype__(self) -> DType | str:
        """The element type, or its name."""


class TorchDType(Protocol):
    """What is read of a `torch.dtype`: its text is its name."""

    @property
    def is_floating_point(self) -> bool:
        """Is it a floating-point type?"""

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""


@dataclass(frozen=True)
class DType:
    """An element type. `bits` is what one element takes in memory.

    `mlir` is the type's name in MLIR, `c_name` in CUDA C++. A vector (`float32x4`) is moved as a whole; it is `lanes`
    of its `scalar`.

    >>> dtype("half").bits, dtype("e4m3fn").mlir, dtype("u32").c_name
    (16, 'f8E4M3FN', 'unsigned int')
    >>> dtype("float16x8").bits, dtype("float16x8").mlir, dtype("float16x8").c_name
    (128, 'vector<8xf16>', 'uint4')
    """

    name: str
    bits: int
    kind: Literal["float", "int", "uint", "bool", "complex", "vector"]
    mlir: str
    c_name: str
    lanes: int = 1

    @property
    def bytes(self) -> int:
        """Bytes of one element.

        Raises:
            UsageError: the element does not fill whole bytes (4- and 6-bit types).
        """
        if self.bits % 8:
            raise UsageError(f"{self.name} has {self.bits} bits, which is no whole number of bytes")
        return self.bits // 8

    @property
    def scalar(self) -> DType:
        """The type of one lane."""
        return self if self.lanes == 1 else DTYPES[self.name.rpartition("x")[0]]

    @property
    def width(self) -> int:
        """`bits`, by the name of number types."""
        return self.bits

    @property
    def __tilewright_dtype__(self) -> DType:
        """The type itself."""
        return self

    @property
    def is_float(self) -> bool:
        """Is it a real floating-point type?"""
        return self.kind == "float"

    @property
    def is_integer(self) -> bool:
        """Is it an integer type, signed or unsigned (not bool)?"""
        return self.kind in ("int", "uint")

    def numpy(self) -> numpy.dtype[Any]:
        """The numpy dtype that holds it; narrow types come from ml_dtypes, tf32 is held in float32, vectors are bytes.

        >>> dtype("f16").numpy()
        dtype('float16')
        """
        import numpy

        if self.kind == "vector":
            return numpy.dtype(f"V{self.bytes}")
        name = "float32" if self.name == "tfloat32" else self.name
        scalar = getattr(numpy, name, None)
        if scalar is None:
            import ml_dtypes

            scalar = getattr(ml_dtypes, name)
        found: numpy.dtype[Any] = numpy.dtype(scalar)
        return found

    def __str__(self) -> str:
        return self.name


if TYPE_CHECKING:
    DTypeLike: TypeAlias = str | HasDType | TorchDType | numpy.dtype[Any] | type

PROTOCOL = "__tilewright_dtype__"
LONGEST = 40  # characters of an unknown name that a message shows

# name, bits, kind, MLIR, CUDA C++, further names (looked up without regard to case)
_ROWS: tuple[tuple[str, int, Any, str, str, str], ...] = (
    ("float64", 64, "float", "f64", "double", "double fp64"),
    ("float32", 32, "float", "f32", "float", "float fp32"),
    ("tfloat32", 32, "float", "tf32", "float", "tf32 tfloat32_t"),
    ("float16", 16, "float", "f16", "__half", "half half_t fp16"),
    ("bfloat16", 16, "float", "bf16", "__nv_bfloat16", "bfloat16_t"),
    ("float8_e4m3fn", 8, "float", "f8E4M3FN", "__nv_fp8_e4m3", "e4m3fn e4m3 fp8e4nv float_e4m3_t float8e4m3fn"),
    ("float8_e5m2", 8, "float", "f8E5M2", "__nv_fp8_e5m2", "e5m2 fp8e5 float_e5m2_t float8e5m2"),
    ("float8_e4m3fnuz", 8, "float", "f8E4M3FNUZ", "__hip_fp8_e4m3_fnuz", "e4m3fnuz fp8e4b8 float8e4m3fnuz"),
    ("float8_e5m2fnuz", 8, "float", "f8E5M2FNUZ", "__hip_fp8_e5m2_fnuz", "e5m2fnuz fp8e5b16 float8e5m2fnuz"),
    ("float8_e4m3", 8, "float", "f8E4M3", "__fp8_e4m3_ieee", ""),
    ("float8_e4m3b11fnuz", 8, "float", "f8E4M3B11FNUZ", "__fp8_e4m3_b11_fnuz", "e4m3b11fnuz fp8e4b15"),
    ("float8_e8m0fnu", 8, "float", "f8E8M0FNU", "__nv_fp8_e8m0", "e8m0fnu e8m0 ue8m0 float_ue8m0_t float8e8m0fnu"),
    ("float6_e2m3fn", 6, "float", "f6E2M3FN", "__nv_fp6_e2m3", "e2m3fn e2m3 float_e2m3_t float6e2m3fn"),
    ("float6_e3m2fn", 6, "float", "f6E3M2FN", "__nv_fp6_e3m2", "e3m2fn e3m2 float_e3m2_t float6e3m2fn"),
    ("float4_e2m1fn", 4, "float", "f4E2M1FN", "__nv_fp4_e2m1", "e2m1fn e2m1 float_e2m1_t float4e2m1fn"),
    ("int64", 64, "int", "i64", "long long", "s64 int64_t"),
    ("int32", 32, "int", "i32", "int", "int s32 int32_t"),
    ("int16", 16, "int", "i16", "short", "s16 int16_t"),
    ("int8", 8, "int", "i8", "signed char", "s8 int8_t"),
    ("uint64", 64, "uint", "ui64", "unsigned long long", "u64 uint64_t"),
    ("uint32", 32, "uint", "ui32", "unsigned int", "u32 uint32_t"),
    ("uint16", 16, "uint", "ui16", "unsigned short", "u16 uint16_t"),
    ("uint8", 8, "uint", "ui8", "unsigned char", "u8 uint8_t"),
    ("int4", 4, "int", "i4", "int4", "s4 int4b_t"),
    ("uint4", 4, "uint", "ui4", "uint4", "u4 uint4b_t"),
    ("uint1", 1, "uint", "ui1", "uint1", "u1 b1 uint1b_t"),
    ("bool", 8, "bool", "i1", "bool", "bool_ boolean"),
    ("complex32", 32, "complex", "complex<f16>", "__half2", ""),
    ("complex64", 64, "complex", "complex<f32>", "float2", ""),
    ("complex128", 128, "complex", "complex<f64>", "double2", ""),
)
DTYPES: Mapping[str, DType] = {row[0]: DType(*row[:5]) for row in _ROWS}
_BY_NAME: Mapping[str, DType] = {
    name.lower(): DTYPES[row[0]] for row in _ROWS for name in (row[0], row[3], *row[5].split())
}

# The types as objects, by the names of CuTe DSL and FlyDSL.
Int4 = DTYPES["int4"]
Int8 = DTYPES["int8"]
Int16 = DTYPES["int16"]
Int32 = DTYPES["int32"]
Int64 = DTYPES["int64"]
Uint4 = DTYPES["uint4"]
Uint8 = DTYPES["uint8"]
Uint16 = DTYPES["uint16"]
Uint32 = DTYPES["uint32"]
Uint64 = DTYPES["uint64"]
Boolean = DTYPES["bool"]
Float16 = DTYPES["float16"]
BFloat16 = DTYPES["bfloat16"]
TFloat32 = DTYPES["tfloat32"]
Float32 = DTYPES["float32"]
Float64 = DTYPES["float64"]
Float8E4M3FN = DTYPES["float8_e4m3fn"]
Float8E5M2 = DTYPES["float8_e5m2"]
Float8E4M3FNUZ = DTYPES["float8_e4m3fnuz"]
Float8E5M2FNUZ = DTYPES["float8_e5m2fnuz"]
Float8E8M0FNU = DTYPES["float8_e8m0fnu"]
Float6E2M3FN = DTYPES["float6_e2m3fn"]
Float6E3M2FN = DTYPES["float6_e3m2fn"]
Float4E2M1FN = DTYPES["float4_e2m1fn"]


_VECTOR = re.compile(r"(?:vector<(?P<count>[0-9]{1,2})x(?P<element>\w+)>|(?P<name>\w+)x(?P<lanes>[0-9]{1,2}))")
MAX_LANES = 64
IN_VECTORS = ("float", "int", "uint")  # kinds
# What moves a vector of that many bits, in CUDA C++.
WORDS: Mapping[int, str] = {8: "unsigned char", 16: "unsigned short", 32: "unsigned int", 64: "uint2", 128: "uint4"}


def dtype(name: DTypeLike) -> DType:
    """The element type of that name, in any notation; a `DType`, number type, numpy or torch dtype is taken too.

    A type of another library stands for an element type by an attribute `__tilewright_dtype__`, a `DType` or its name.

    Raises:
        UsageError: no element type has that name; the message suggests one.

    >>> dtype("fp32") is dtype("float32"), dtype("f8E4M3FN").name, dtype("vector<4xf32>").name
    (True, 'float8_e4m3fn', 'float32x4')
    """
    if isinstance(name, DType):
        return name
    found = getattr(name, PROTOCOL, None)
    if found is None:
        return _by_name(_spelling(name))
    if isinstance(found, str):
        return _by_name(found)
    if not isinstance(found, DType):
        own = f"{getattr(name, '__name__', type(name).__name__)}.{PROTOCOL}"
        raise UsageError(f"{own} is a DType or its name, such as tw.Float16 or 'float16', got {shown(found)}")
    return found


_CPP: Mapping[str, DType] = {
    **{kind.c_name: kind for kind in [*DTYPES.values()][::-1]},
    **{name: DTYPES[own] for own, name in (("int8", "char"), ("int64", "long"), ("uint64", "unsigned long"))},
    "unsigned": DTYPES["uint32"],
}


def cpp_dtype(name: str) -> DType:
    """The element type that C++ spells so, in sources or in compilers' messages; names of any notation are read too.

    Raises:
        UsageError: no element type has that name; the message suggests one.

    >>> cpp_dtype("unsigned int").name, cpp_dtype("char").bits, cpp_dtype("half_t").name
    ('uint32', 8, 'float16')
    """
    return _CPP.get(name) or dtype(name)


# Names of several types: floats of so many bits with a mantissa.
FAMILIES: Mapping[str, tuple[DType, ...]] = {
    f"{prefix}{bits}": tuple(x for x in DTYPES.values() if (x.kind, x.bits) == ("float", bits) and "m0" not in x.name)
    for bits in (4, 6, 8)
    for prefix in ("fp", "f", "float")
}


def dtypes_of(name: DTypeLike) -> tuple[DType, ...]:
    """The element types that a name may mean: all floats of 8 bits for `fp8`, else the one of that name.

    Raises:
        UsageError: no element type has that name.

    >>> [kind.name for kind in dtypes_of("fp8")][:2], [kind.name for kind in dtypes_of("half")]
    (['float8_e4m3fn', 'float8_e5m2'], ['float16'])
    """
    family = FAMILIES.get(name.lower()) if isinstance(name, str) else None
    return family or (dtype(name),)


def bits_of(value: int | DTypeLike) -> int:
    """The bits of one element of a type; a number of bits as it is, which is for the caller to check.

    >>> bits_of("f16"), bits_of(Float4E2M1FN), bits_of(24)
    (16, 4, 24)
    """
    return _number_or(value, lambda kind: kind.bits)


def bytes_of(value: int | DTypeLike) -> int:
    """The bytes of one element of a type; a number of bytes as it is.

    Raises:
        UsageError: the element does not fill whole bytes.

    >>> bytes_of(Float32), bytes_of(3)
    (4, 3)
    """
    return _number_or(value, lambda kind: kind.bytes)


def is_number(value: int | DTypeLike) -> TypeIs[int]:
    """Is a width told as a number, rather than by a type? The class `int` is a type, its instances are numbers."""
    return hasattr(type(value), "__index__")


def _number_or(value: int | DTypeLike, of_type: Callable[[DType], int]) -> int:
    return value if is_number(value) else of_type(dtype(value))


@lru_cache(maxsize=256)
def _by_name(spelling: str) -> DType:
    key = spelling.strip().lower().removeprefix("torch.").removeprefix("cutlass::")
    try:
        return _BY_NAME[key] if key in _BY_NAME else _vector(key)
    except KeyError:
        close = close_names(key, _BY_NAME)
        hint = f"; did you mean {shown(close[0])}?" if close else f"; known types: {', '.join(DTYPES)}"
        raise UsageError(f"unknown element type {shown(spelling[:LONGEST])}{hint}") from None


def _vector(key: str) -> DType:
    """The vector of that name; `KeyError` where there is none."""
    found = _VECTOR.fullmatch(key)
    scalar = _BY_NAME[(found["element"] or found["name"]) if found else key]
    lanes = int(found["count"] or found["lanes"]) if found else 0
    if not 2 <= lanes <= MAX_LANES or scalar.kind not in IN_VECTORS:
        raise KeyError(key)
    bits = lanes * scalar.bits
    made = f"{scalar.name}x{lanes}"
    return DType(made, bits, "vector", f"vector<{lanes}x{scalar.mlir}>", WORDS.get(bits, made), lanes)


def _spelling(name: object) -> str:
    if isinstance(name, str):
        return name
    found = getattr(name, "name", None) or getattr(name, "__name__", None)
    if not isinstance(found, str):
        raise UsageError(f"an element type is a type or its name, such as 'float16', got {shown(name)}")
    return found
