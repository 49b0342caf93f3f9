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
    "bool": ["i1", "Boolean", bool, np.bool_],
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_notation_names_it(name: str) -> None:
    found = {dtype(spelling) for spelling in SPELLINGS[name]}
    assert found == {DTYPES[name]}
    assert dtype(DTYPES[name]) is DTYPES[name]


@pytest.mark.parametrize("element", DTYPES.values(), ids=str)
def test_its_own_names_and_sizes_agree(element: DType) -> None:
    assert dtype(element.name) is element
    assert dtype(element.mlir) is element
    if element.bits % 8:
        with pytest.raises(UsageError, match=f"{element.bits} bits, which is no whole number of bytes"):
            element.bytes
    else:
        assert element.numpy().itemsize == element.bytes


@pytest.mark.parametrize("wrong", ["flaot32", "", "int33", None, 7, "x" * 100000, object()])
def test_unknown_types_are_refused(wrong: object) -> None:
    with pytest.raises(UsageError, match="unknown element type"):
        dtype(wrong)


def test_a_near_miss_is_named() -> None:
    with pytest.raises(UsageError, match="did you mean 'float32'"):
        dtype("flaot32")


def test_numpy_is_imported_only_when_asked_for() -> None:
    code = "import sys; from tilewright.dtypes import dtype; dtype('bf16'); assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
    code = "from tilewright.dtypes import dtype; assert dtype('int4').numpy().itemsize == 1"
    subprocess.run([sys.executable, "-c", code], check=True)
