"""Element types: every notation names the same one."""

from __future__ import annotations

import subprocess
import sys

import ml_dtypes
import numpy as np
import pytest

from tilewright.dtypes import DTYPES, DType, dtype
from tilewright.errors import UsageError

SPELLINGS = {
    "float32": ["float32", "f32", "fp32", "Float32", "torch.float32", "float", np.float32, np.dtype("f4")],
    "float16": ["half", "f16", "fp16", "half_t", np.float16],
    "bfloat16": ["bf16", "bfloat16_t", "BFloat16", ml_dtypes.bfloat16, np.dtype(ml_dtypes.bfloat16)],
    "float8_e4m3fn": ["e4m3fn", "e4m3", "fp8e4nv", "f8E4M3FN", "Float8E4M3FN", "float_e4m3_t"],
    "float8_e5m2": ["e5m2", "fp8e5", "f8E5M2"],
    "tfloat32": ["tf32", "tfloat32_t"],
    "uint32": ["u32", "ui32", "uint32_t", "Uint32", np.uint32],
    "int8": ["s8", "i8", "int8_t", "Int8"],
    "float32x4": ["f32x4", "Float32x4", "vector<4xf32>", "torch.float32x4"],
    "float8_e8m0fnux16": ["e8m0x16", "vector<16xf8E8M0FNU>", "ue8m0x16"],
    "float4_e2m1fnx2": ["e2m1x2", "vector<2xf4E2M1FN>"],
    "bool": ["i1", "Boolean", bool, np.bool_],
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_notation_names_it(name: str) -> None:
    found = {dtype(spelling) for spelling in SPELLINGS[name]}
    assert found == {dtype(name)}
    assert dtype(dtype(name)) is dtype(name)


@pytest.mark.parametrize("element", DTYPES.values(), ids=str)
def test_its_own_names_and_sizes_agree(element: DType) -> None:
    assert dtype(element.name) is element
    assert dtype(element.mlir) is element
    if element.bits % 8:
        with pytest.raises(UsageError, match=f"{element.bits} bits, which is no whole number of bytes"):
            element.bytes
    else:
        assert element.numpy().itemsize == element.bytes


@pytest.mark.parametrize("lanes", [2, 3, 4, 64])
@pytest.mark.parametrize("name", [name for name in DTYPES if not name.startswith(("bool", "complex"))])
def test_a_vector_is_so_many_of_its_scalar(name: str, lanes: int) -> None:
    found = dtype(f"{name}x{lanes}")
    assert (found.scalar, found.lanes, found.bits) == (DTYPES[name], lanes, lanes * DTYPES[name].bits)
    assert (found.is_float, found.is_integer) == (False, False)
    assert dtype(found.mlir) == dtype(found.name) == found
    assert found.bits % 8 or found.numpy().itemsize == found.bytes


@pytest.mark.parametrize(
    "wrong", ["float32x1", "float32x0", "float32x65", "float32x04x2", "boolx4", "complex64x2", "x4", "vector<4x4xf32>"]
)
def test_what_is_no_vector(wrong: str) -> None:
    with pytest.raises(UsageError, match="unknown element type"):
        dtype(wrong)


@pytest.mark.parametrize("wrong", ["flaot32", "", "int33", None, 7, "x" * 100000, object()])
def test_unknown_types_are_refused(wrong: object) -> None:
    said = "unknown element type" if isinstance(wrong, str) else "an element type is a type or its name"
    with pytest.raises(UsageError, match=said):
        dtype(wrong)


def test_a_near_miss_is_named() -> None:
    with pytest.raises(UsageError, match="did you mean 'float32'"):
        dtype("flaot32")


def test_numpy_is_imported_only_when_asked_for() -> None:
    code = "import sys; from tilewright.dtypes import dtype; dtype('bf16'); assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "from tilewright.dtypes import dtype; assert dtype('int4').numpy().itemsize == 1"
    subprocess.run([sys.executable, "-c", code], check=True)
