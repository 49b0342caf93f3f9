"""Laws 56 to 58: conversions between views keep every value, and go back; refusals name the reason."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable

import pytest
from bridge_cases import CHECKS

import tilewright as tw
from tilewright.errors import LayoutError
from tilewright.notation import parse, placement
from tilewright.tirx.layout import CoordSet

CASES = 1000


@pytest.mark.parametrize("check", CHECKS.values(), ids=CHECKS.keys())
def test_conversions_keep_the_table_and_go_back(check: Callable[[random.Random], bool]) -> None:
    wrong = [seed for seed in range(CASES) if not check(random.Random(seed))]
    assert wrong == []


@pytest.mark.parametrize(
    ("words", "view", "expected"),
    [
        ("S[(8,64):(64,1)]", tw.to_cute, "(64,8):(1,64)"),
        ("S[(8,64):(64,1)] + 5", tw.to_cute, "517:1 o 5 o (64,8):(1,64)"),
        ("517:1 o 5 o (64,8):(1,64)", tw.to_tirx, "TileLayout(S[(8, 64):(64, 1)] + 5)"),
        ("ComposeLayout(3, 3, 3, S[8, 64])", tw.to_cute, "Sw<3,3,3> o 0 o (64,8):(1,64)"),
        ("ComposeLayout(3, 3, 3, S[8], swizzle_inner=False)", tw.to_cute, "Sw<3,3,-3> o 0 o (8):(1)"),
        ("Sw<2,4,-3>", tw.to_tirx, "SwizzleLayout(4, 2, 3, swizzle_inner=False)"),
        ("(4,8):(1@laneid,4@laneid)", tw.to_tirx, "TileLayout(S[(8, 4):(4 @ laneid, 1 @ laneid)])"),
        ("{lane = [[1], [2]]} -> {offset = 4}", tw.to_cute, "4:1"),
        ("{lane = [[1], [2]]} -> {offset = 4}", tw.to_tirx, "TileLayout(S[4:1])"),
        ("S[8] + R[(1,2):(5,0)]", tw.to_cute, "(8):(1)"),
        ("S[8:1@laneid] + 5@warpid + 3", tw.to_cute, "4:1 o 5@warpid+3 o (8):(1@laneid)"),
        ("4:1 o 5@warpid+3 o 8:1@laneid", tw.to_tirx, "TileLayout(S[8:1 @ laneid] + (3 + 5 @ warpid))"),
        ("ComposeLayout(3, 3, 3, S[8] + R[1:8])", tw.to_linear, "{dim0 = [[1], [2], [4]]} -> {offset = 8}"),
        ("S[(2,2):(1@tx,1)]", tw.to_linear, "{dim0 = [[0, 1]], dim1 = [[1, 0]]} -> {tx = 2, offset = 2}"),
    ],
)
def test_each_view_of_small_objects(words: str, view: Callable[[object], object], expected: str) -> None:
    assert str(view(parse(words))) == expected


@pytest.mark.parametrize(
    ("words", "view", "reason"),
    [
        ("S[8] + R[2:8]", tw.to_cute, "the replica"),
        ("S[8] + R[2:8] + 5@warpid", tw.to_cute, r"the replica R\[2:8\]:"),
        ("S[8] + 5@warpid", tw.to_linear, "maps 0 to 5@warpid"),
        ("ComposeLayout(3, 3, 3, S[8] + R[2:8])", tw.to_cute, "the replica"),
        ("ComposeLayout(3, 3, 3, S[(2,8):(1@laneid,1)])", tw.to_cute, "not on m alone"),
        ("Sw<1,0,1> o 0 o (2,8):(1@laneid,1)", tw.to_tirx, "not on m alone"),
        ("(4,8)", tw.to_cute, "is no layout"),
        ("(4,8):(1@0,1@1)", tw.to_tirx, "positions"),
        ("Sw<1,4,3> o 0 o [Sw<2,0,3> o 0 o 8:1]", tw.to_tirx, "one swizzle on top of one tile"),
        ("(4,4):(4,1) o 0 o 8:2", tw.to_tirx, "swizzles and offsets"),
        ("(3,4):(1,3)", tw.to_linear, "3 is not a power of two"),
        ("(2,2):(1,1)", tw.to_linear, "share bit 0"),
        ("S[8] + 8", tw.to_linear, "maps 0 to 8"),
        ("?:1", tw.to_linear, "static"),
    ],
)
def test_outside_its_class_a_conversion_refuses_with_the_reason(
    words: str, view: Callable[[object], object], reason: str
) -> None:
    with pytest.raises(LayoutError, match=reason):
        view(parse(words))


BLOCKED = "#ttg.blocked<{sizePerThread=[1,4],threadsPerWarp=[8,4],warpsPerCTA=[4,1],order=[1,0]}>"
HARDWARE = {"register": "m", "offset": "m", "lane": "laneid", "warp": "warpid", "block": "cbx"}


@pytest.mark.parametrize(
    "words",
    [
        BLOCKED,
        f"tensor<8x4xf16, {BLOCKED}>",
        f"tensor<64x64xf16, {BLOCKED}>",
        f"#ttg.slice<{{dim = 0, parent = {BLOCKED}}}>",
        "#ttg.blocked<{sizePerThread=[2],threadsPerWarp=[4],warpsPerCTA=[2],order=[0],CGALayout=[[1],[0]]}>",
        "tensor<16x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth=128,transposed=false,elementBitWidth=16}>>",
        "tensor<64x16xf16, #ttg.nvmma_shared<{swizzlingByteWidth=64,transposed=true,elementBitWidth=32}>>",
        "#ttg.swizzled_shared<{vec=4,perPhase=2,maxPhase=4,order=[1,0]}>",
    ],
)
def test_placement_is_the_inverse_of_a_triton_layout(words: str) -> None:
    layout = parse(words)
    places, names = placement(layout), layout.get_in_dim_names()
    shape = tuple(size for _, size in layout.out_dims)
    seen: dict[tuple[int, ...], list[dict[str, int]]] = {}
    for digits in itertools.product(*(range(size) for _, size in layout.in_dims)):
        element = tuple(layout.apply(dict(zip(names, digits, strict=True))).values())
        axes = {HARDWARE[name]: digit for name, digit in zip(names, digits, strict=True)}
        seen.setdefault(element, []).append(axes)
    for element in itertools.product(*map(range, shape)):
        found = places.apply(*element, shape=shape)
        assert CoordSet(seen[element]) == CoordSet([found] if isinstance(found, dict) else found)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("{thread = [[1]]} -> {dim0 = 2}", "input dimension thread"),
        ("{lane = [[1], [1]]} -> {dim0 = 2}", "differ by an XOR"),
        ("{lane = [[1]]} -> {dim0 = 4}", "not onto"),
        (
            "#ttg.nvmma_shared<{swizzlingByteWidth=128,transposed=false,elementBitWidth=8,fp4Padded=true}>",
            "TIRx cannot say",
        ),
    ],
)
def test_placements_that_no_tirx_layout_describes_are_refused(words: str, reason: str) -> None:
    with pytest.raises(LayoutError, match=reason):
        placement(parse(words))
