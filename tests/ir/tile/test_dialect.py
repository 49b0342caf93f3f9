"""The dialect's text parses back at every stage, and broken ops are refused with our errors."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from permutes import Permute, scale_factors, transpose

from tilewright.dtypes import DTYPES
from tilewright.errors import CompileError, NotationError
from tilewright.ir.core.element_types import element_dtype, ir_type
from tilewright.ir.memory import parse_layout
from tilewright.ir.text import parse_module, print_module
from tilewright.ir.tile.ops import RegionOp
from tilewright.ir.tile.types import SCOPES, BufferType
from tilewright.passes.pipeline import STAGES, run
from tilewright.tirx.layout import ComposeLayout, S, TileLayout

KERNELS = {
    "document 000": scale_factors(),
    "256": scale_factors(3, 256, "uint32"),
    "transpose": transpose(8, 32, "int32"),
    "offset": Permute((4, 32), TileLayout(S[(4, 32) : (32, 1)] + 3), TileLayout(S[(4, 32) : (1, 4)])),
}


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("generic", [False, True])
def test_every_stage_parses_back(name: str, stage: str, generic: bool) -> None:
    module = run(KERNELS[name].kernel().module, stage).module
    text = print_module(module, generic=generic)
    again = parse_module(text)
    assert print_module(again, generic=generic) == text
    assert again.is_structurally_equivalent(module)


def test_run_time_extents_parse_back() -> None:
    region = f"%r = tile.region %b[1, %i] [%n, 4] : {ROWS}"
    module = parse_module(f"func.func @f(%b: {ROWS}, %i: index, %n: index) {{ {region}\n func.return }}")
    text = print_module(module)
    assert "%r = tile.region %b[1, %i] [%n, 4] : " in text
    assert print_module(parse_module(text)) == text
    op = next(op for op in module.walk() if isinstance(op, RegionOp))
    assert op.result.type.shape == (None, 4)
    assert [getattr(index, "name_hint", index) for index in (*op.starts, *op.extents)] == [1, "i", "n", 4]


def test_lowering_a_parsed_module_is_lowering_the_module() -> None:
    module = scale_factors().kernel().module
    assert print_module(run(parse_module(print_module(module))).module) == print_module(run(module).module)


def test_lowering_leaves_the_module_alone() -> None:
    module = scale_factors().kernel().module
    before = print_module(module)
    run(module)
    assert print_module(module) == before


@pytest.mark.parametrize("name", DTYPES)
def test_element_types_are_their_mlir_types(name: str) -> None:
    element = DTYPES[name]
    assert element_dtype(ir_type(element)) is element
    assert str(ir_type(element)) == element.mlir


LAYOUTS = [
    TileLayout(S[(4, 32) : (32, 1)]),
    parse_layout("S[(4,32):(1@warpid,1@laneid)] + R[2:4@warpid] + 5@warpid"),
    parse_layout("S[(4,32):(1,4)] + R[2:128] + 3"),
    ComposeLayout(2, 2, 4, TileLayout(S[(4, 32) : (32, 1)])),
    ComposeLayout(3, 3, 3, TileLayout(S[(4, 32) : (1, 4)]), swizzle_inner=False),
]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(LAYOUTS), st.sampled_from(SCOPES), st.sampled_from(sorted(DTYPES)))
def test_buffer_types_parse_back(layout: TileLayout, scope: str, name: str) -> None:
    kind = BufferType.of((4, 32), DTYPES[name], scope, layout)
    (op,) = parse_module(f"builtin.module {{ %0 = tile.alloc_buffer : {kind} }}").ops
    found = op.results[0].type
    assert found == kind
    assert (found.shape, found.dtype, found.scope, found.layout) == ((4, 32), DTYPES[name], scope, layout)


ROWS = '!tile.buffer<4x32xf32, "S[(4,32):(32,1)]">'
REGION = '"tile.region"(%b) <{{operandSegmentSizes = array<i32: 1, 0, {}>, static_starts = array<i64: 0, 0>}}>'
BROKEN = {
    "buffer extents must be at least 1": 'tile.alloc_buffer : !tile.buffer<0x32xf32, "S[(4,32):(32,1)]">',
    "expected": 'tile.alloc_buffer : !tile.buffer<4x32xf32, "S[(4,32):(32,">',
    "unknown axis": 'tile.alloc_buffer : !tile.buffer<4xf32, "S[4:1@lane]">',
    "needs 128 elements, the memory has 100": f"tile.match_buffer %m : memref<100xf32> -> {ROWS}",
    "cannot store": f"tile.match_buffer %m : memref<128xf16> -> {ROWS}",
    "is flat": f"tile.match_buffer %m : memref<4x32xf32> -> {ROWS}",
    "region 2:6 leaves dimension 0 of extent 4": f"tile.region %b[2, 0] [4, 32] : {ROWS}",
    "region of rank 1": f"tile.region %b[2] [1] : {ROWS}",
    "region extents must be at least 1": f"tile.region %b[2, 0] [0, 1] : {ROWS}",
    "region 5:5 leaves dimension 0 of extent 4": f"tile.region %b[5, 0] [%i, 1] : {ROWS}",
    "0 values for the run-time extents": f"{REGION.format(0)} : ({ROWS}) -> !tile.region<4x?xf32>",
    "1 indices into a buffer of shape (4, 32)": f"tile.load %b[%i] : {ROWS} -> f32",
    "an element of type i32 in a buffer of f32": f"tile.load %b[%i, %i] : {ROWS} -> i32",
    "must be results of tile.region": 'tile.permute_layout "warp" %r, %r : !tile.region<4xf32>, !tile.region<4xf32>',
    "is none of warp, cta": 'tile.sync "grid"',
}


@pytest.mark.parametrize("why", BROKEN)
def test_broken_ops_are_refused(why: str) -> None:
    op = BROKEN[why]
    memory = op.partition("match_buffer %m : ")[2].partition(" ->")[0] or "memref<100xf32>"
    result = "" if op.startswith(("tile.sync", "tile.permute")) else "%0 = "
    arguments = f"%m: {memory}, %b: {ROWS}, %i: index, %r: !tile.region<4xf32>"
    with pytest.raises((CompileError, NotationError)) as caught:
        parse_module(f"func.func @f({arguments}) {{ {result}{op}\n func.return }}")
    assert why in str(caught.value)


TEXTS = ["", "(", "builtin.module {", "func.func @f() { memref.load }", "%0 = arith.constant", '"""', "{" * 5000, "xx"]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_what_is_no_module_is_refused(text: str) -> None:
    with pytest.raises((CompileError, NotationError)):
        parse_module(text)


def test_wrong_indices_of_other_dialects_are_refused() -> None:
    text = "func.func @f(%m: memref<4xf32>, %i: index) { %0 = memref.load %m[%i, %i] : memref<4xf32>\n func.return }"
    with pytest.raises(CompileError, match="expected an index for each dimension"):
        parse_module(text)
