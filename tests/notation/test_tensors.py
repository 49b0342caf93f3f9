"""Printed tensors: the layout that is read says at which bytes the elements lie, under the swizzle of the pointer."""

from __future__ import annotations

import random
import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from notation_strategies import layouts

from tilewright.dtypes import dtype
from tilewright.errors import LayoutError, NotationError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.notation import parse

WIDTHS = {8: "u8", 16: "f16", 32: "f32", 64: "f64"}
TILE = Layout((8, (4, 16)), (64, (16, 1)))

# how a tensor of elements of `bits` reads: in C++ of all releases, in CuTe DSL, in FlyDSL
PRINTED = [
    "{sw}smem_ptr[{bits}b]({address:#x}) o {layout}",
    "tCsA:\t{sw}smem_ptr[{bits}b]({address:#014x}) o\n\t{layout}",
    "{sw}smem_ptr[{bits}b]({address:#x}) o {layout}:\n  1.00e+00  -2.5e-01\n  nan inf\n",
    "raw_ptr({address:#018x}: {name}, smem, align<16>{tail}) o {layout} =\n ( 2.232828, -0.914160 )",
    "tensor(raw_ptr({address:#018x}: {name}, smem, align<16>{tail}) o {layout}, data=\n  [[ 1.0, ],\n",
]
TYPES = [
    "tensor<ptr<{name}, smem, align<1024>{tail}> o {layout}>",
    '!cute.memref<{name}, smem, align<1024>{tail}, "{layout}">',
    "!fly.memref<{name}, shared, {layout}, align<1024>{tail}>",
    "Sw<{b},{m},{s}>_smem_ptr[{bits}b](SMEM_ADDR_A) o {layout}",
    "Sw<{b},{m},{s}>_smem_ptr[{bits}b](unset) o {layout}",
]


def written(form: str, bits: int, layout: Layout, swizzle: Swizzle, address: int = 0) -> str:
    """The tensor in that form."""
    words = {"bits": bits, "name": WIDTHS[bits], "address": address, "layout": layout}
    b, m, s = swizzle.b, swizzle.m, swizzle.s
    return form.format(
        **words, b=b, m=m, s=s, sw=f"Sw<{b},{m},{s}>_" if b else "", tail=f", S<{b},{m},{s}>" if b else ""
    )


@given(st.integers(0, 2048), st.integers(0, 3), st.integers(0, 4), st.sampled_from([-5, -4, -3, 3, 4, 5]))
def test_a_swizzle_that_looks_up_or_down_counts_from_its_block(address: int, b: int, m: int, s: int) -> None:
    swizzle, block = Swizzle(b, m, s), 1 << (m + b + abs(s))
    found: Any = parse(f"Sw<{b},{m},{s}>_smem_ptr[8b]({address:#x}) o 64:1")
    start = address // block * block
    if b:
        assert [start + found(i) for i in range(64)] == [swizzle(address + i) for i in range(64)]


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize("b", range(4))
@pytest.mark.parametrize("form", PRINTED)
def test_elements_lie_where_the_pointer_swizzles_their_addresses(form: str, bits: int, b: int) -> None:
    swizzle, block = Swizzle(b, 4, 3), 1 << (7 + b)
    for address in (0x78ED00000400, 0x400 + 3 * 128, 0x400 + 16 * bits):
        found, width = parse(written(form, bits, TILE, swizzle, address)), bits // 8
        assert isinstance(found, Layout | ComposedLayout)
        first = address if not b else address // block * block
        for i in range(TILE.size):
            assert first + found(i) * width == swizzle(address + TILE(i) * width)


@pytest.mark.parametrize("bits", WIDTHS)
@pytest.mark.parametrize("b", range(4))
@pytest.mark.parametrize("form", TYPES)
def test_a_pointer_without_an_address_begins_a_block(form: str, bits: int, b: int) -> None:
    swizzle, width = Swizzle(b, 4, 3), bits // 8
    found = parse(written(form, bits, TILE, swizzle))
    assert isinstance(found, Layout | ComposedLayout)
    assert all(found(i) * width == swizzle(TILE(i) * width) for i in range(TILE.size))


@pytest.mark.parametrize(
    ("printed", "layout"),
    [
        ("gmem_ptr[32b](0x7f42efc00000) o (_8,16):(_1,_8)", "(8,16):(1,8)"),
        ("tensor_8     : ptr[32b](0x7f42efc00000) o _8:_1", "8:1"),
        ("gmem_ptr[32b]((nil)) o 8:1", "8:1"),
        ("Sw<3,4,3>_smem_ptr[16b](0x7f..) o (8,_64):(64,_1)", "Sw<3,3,3> o 0 o (8,64):(64,1)"),
        ("ptr[32b](...) o (_4,8):(8,_1)", "(4,8):(8,1)"),
        ("subptr[4b](0x7ffc.1) o (_32,_2):(_2,_1)", "(32,2):(2,1)"),
        (
            "smem_ptr[16b](0x7f8f00000c00) o Sw<3,3,3> o _0 o ((_64,256)):((_1,_64))",
            "Sw<3,3,3> o 0 o ((64,256)):((1,64))",
        ),
        ("tmem_[32b](0x0000.0000) o ((_128,_256),_1,_1):((_65536,_1),_0,_0)", "((128,256),1,1):((65536,1),0,0)"),
        ("tmem_[32b](TMEM_ADDR) o ((_128,_64),_1):((_65536,_1),_0)", "((128,64),1):((65536,1),0)"),
        ("tCrA:\tUMMA::DescriptorIterator o (_1,_1,_4):(_0,_0,_2)", "(1,1,4):(0,0,2)"),
        ("GMMA::DescriptorIterator o (_1,_2,_4):(_0,_512,_2)", "(1,2,4):(0,512,2)"),
        (
            "ArithTuple(0,0) o (((_64,_128),_1),4):(((_1@0,_1@1),_0),_64@0)",
            "(0,0) o (((64,128),1),4):(((1@0,1@1),0),64@0)",
        ),
        ("ArithTuple(_0,128) o (_128,_64):(_1@1,_1@0)", "(0,128) o (128,64):(1@1,1@0)"),
        ("counting_iter(3) o 8:2", "3 o 8:2"),
        ('!cute.layout<"((1),1,1,1):((0),0,0,0)">', "((1),1,1,1):((0),0,0,0)"),
        (
            '!cute.composed_layout<"S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))">',
            "Sw<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))",
        ),
        ('!cute.memref<f16, smem, align<1024>, "S<2,3,3> o 0 o (8,32):(32,1)">', "Sw<2,3,3> o 0 o (8,32):(32,1)"),
        ('!cute.memref<f16, gmem, "(8,32):(32,1)">', "(8,32):(32,1)"),
        ('!cute.int_tuple<"(1,2,3)">', "(1,2,3)"),
        ('!cute.tile<"[4:1;8:2]">', "[4:1; 8:2]"),
        ("swizzle<2, 3, 3>", "Sw<2,3,3>"),
        ("ColMajor<16, 2>", "(16,2):(1,16)"),
        ("RowMajor<16,2>", "(16,2):(2,1)"),
    ],
)
def test_what_others_print_is_read(printed: str, layout: str) -> None:
    assert parse(printed) == parse(layout)


@pytest.mark.parametrize(
    ("words", "said", "at"),
    [
        ("Sw<3,4,3>_smem_ptr[16b](0x7f01) o 8:1", "0x7f01 is no multiple of the 16 bits", "Sw<3"),
        ("Sw<3,0,3>_smem_ptr[16b](0x7f00) o 8:1", "tears elements of 16 bits apart", "Sw<3"),
        ("smem_ptr[0b](0x7f00) o 8:1", "elements have 1 to 65536 bits, got 0", "0b]"),
        ("smem_ptr[16b](0xzz) o 8:1", "expected an address such as 0x7f00", "0xzz"),
        ("smem_ptr[16b](0x11112222333344445) o 8:1", "expected an address such as 0x7f00", "0x1111"),
        ("raw_ptr(0x10: q16, gmem) o 8:1", "unknown element type 'q16'", "q16"),
        ("raw_ptr(0x10: f16, hbm) o 8:1", "'hbm'", "hbm"),
        ("gmem_ptr[32b](0x10)", "expected 'o' or '∘'", ""),
        ("gmem_ptr[32b](0x10) o (4,8)", "expected a layout", "(4,8)"),
        ("!cute.memref<f16, smem>", "a memref has a layout", "f16"),
        ('!cute.layout<"(4,8):(1,4">', "expected ',' or ')'", '">'),
        ("!cute.ptr<f16, gmem>", "'ptr'", "ptr<"),
        ("ColMajor<16>", "ColMajor takes 2 arguments, got 1", "ColMajor"),
    ],
)
def test_what_is_no_tensor_is_refused_where_it_is_wrong(words: str, said: str, at: str) -> None:
    with pytest.raises((NotationError, LayoutError)) as caught:
        parse(words)
    message, line, caret = str(caught.value).split("\n")
    assert said in message
    assert caret.index("^") - 4 == (words.index(at) if at else len(words))
    assert line[4:] == words


@given(layouts(st.integers(0, 2**40)), st.sampled_from([form for form in TYPES if "{b}" not in form]))
def test_any_layout_is_read_behind_a_pointer(layout: Layout, form: str) -> None:
    assert parse(written(form, 16, layout, Swizzle(0, 4, 3))) == layout


def test_a_tensor_with_a_slip_is_refused_with_a_caret_or_read() -> None:
    chosen = random.Random(14)
    texts = [written(form, 16, TILE, Swizzle(3, 4, 3), 0x400) for form in PRINTED + TYPES]
    letters = string.ascii_letters + string.digits + '<>()[]:,_@." '
    refusals: list[str] = []
    for _ in range(600):
        text = list(chosen.choice(texts))
        for _ in range(chosen.randrange(1, 4)):
            at = chosen.randrange(len(text))
            text[at : at + chosen.randrange(2)] = [chosen.choice(letters)] * chosen.randrange(2)
        try:
            parse("".join(text))
        except (NotationError, LayoutError) as error:
            refusals.append(str(error))
    assert len(refusals) > 300
    assert all(refusal.endswith("^") for refusal in refusals)


@pytest.mark.parametrize("bits", WIDTHS)
def test_names_of_types_are_those_of_the_widths(bits: int) -> None:
    assert dtype(WIDTHS[bits]).bits == bits
