"""Numbers in text have one reader: ASCII digits, bounded, never Python's own limits or alphabets."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from imports import MODULES

from tilewright.analysis.banks.instructions import parse_instruction
from tilewright.arch import Target, get
from tilewright.atoms import catalog
from tilewright.dtypes import dtype
from tilewright.errors import TilewrightError
from tilewright.notation import parse, parse_coord, parse_fly, parse_int_tuple, parse_linear, parse_tiler, parse_triton
from tilewright.notation.fly_atoms import parse_fly_atom
from tilewright.numerals import integer, is_digits, natural

LONG = "9" * 5000
DIGITS_OF_OTHERS = re.compile(r"\.is(digit|decimal|numeric)\(|type=int\b|\\d(?![a-z])")


@given(st.text("0123456789+-_ ²٣.eE", max_size=12) | st.integers().map(str), st.integers(1, 10**9))
def test_a_number_is_ascii_digits_below_the_limit(text: str, below: int) -> None:
    digits = re.fullmatch("[0-9]+", text)
    assert is_digits(text) == bool(digits)
    assert natural(text, below) == (int(text) if digits and int(text) < below else None)
    signed = re.fullmatch("[+-]?[0-9]+", text)
    assert integer(text, below) == (int(text) if signed and abs(int(text)) < below else None)


def test_nothing_else_reads_digits() -> None:
    others = {name: DIGITS_OF_OTHERS.search(path.read_text()) for name, path in MODULES.items()}
    assert [name for name, found in others.items() if found] == []


FORMS = [
    "{}",
    "({},2):(1,4)",
    "(4,8):({},1)",
    "8:?{{div={}}}",
    "Sw<{},3,3>",
    "S[{}:1@laneid]",
    "S[8:1] + {}",
    "SwizzleLayout({}, 3, 3)",
    "_{}",
    "1@{}",
    "1E{}",
    "lane={}",
    "{{lane = [[{}]]}} -> {{offset = 4}}",
    "tensor<{}x64xf16, #ttg.blocked<{{}}>>",
    "#ttg.blocked<{{sizePerThread = [{}]}}>",
    "!fly.universal_copy<{}>",
    "SM90_TMA_LOAD<{}>",
    "SM100_MMA_F16BF16_SS<half_t,half_t,float,{},256,K,K>",
    "SM120_16x8x{}_TN",
    "sm_{}",
    "ldmatrix.x{}",
    "ds_read_b{}",
    "float{}",
]
READERS = [
    *(parse, parse_coord, parse_fly, parse_int_tuple, parse_tiler, parse_linear, parse_triton, parse_fly_atom),
    *(catalog.mma, catalog.copy, get, dtype, Target, lambda text: parse_instruction(text, "load", get("sm_90"))),
]


@pytest.mark.parametrize("number", [LONG, "²", "٣", f"-{LONG}"])
@pytest.mark.parametrize("form", FORMS)
def test_parsers_refuse_other_digits_and_endless_ones(number: str, form: str) -> None:
    for reader in READERS:
        with pytest.raises(TilewrightError):
            reader(form.format(number))
