"""The width of elements is told once: by a tensor, a printed pointer, an operand, an atom; and all must agree."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
from tilewright import Layout, TypedLayout
from tilewright.atoms.catalog import copy, mma
from tilewright.cli.main import main

HALVES = tw.Tensor(np.arange(64 * 64, dtype="float16").reshape(64, 64))
FLOATS = tw.Tensor(np.zeros((64, 64), "float32"))
PRINTED = "Sw<3,4,3>_smem_ptr[16b](0x400) o (64,64):(64,1)"
LDMATRIX, MMA = "SM75_U32x4_LDSM_N", "SM80_16x8x16_F32F16F16F32_TN"
TILED = tw.make_tiled_mma(mma(MMA), Layout((2, 2, 1)), (32, 32, 16))
ROWS = Layout((32, 8), (8, 1))


@pytest.mark.parametrize("access", [ROWS, copy(LDMATRIX), LDMATRIX, (TILED, "A"), (MMA, "A")])
@pytest.mark.parametrize("tile", [HALVES, TypedLayout(HALVES.layout, "f16")])
def test_a_tile_of_a_type_is_its_layout_of_such_elements(tile: tw.Tensor | TypedLayout, access: Any) -> None:
    bare = tw.bank_conflicts(HALVES.layout, access, element_bits=16)
    assert tw.bank_conflicts(tile, access) == bare
    assert tw.suggest_swizzle(tile, access)[0] == tw.suggest_swizzle(HALVES.layout, access, element_bits=16)[0]


def test_names_are_the_atoms_that_have_them() -> None:
    named = tw.bank_conflicts(HALVES, (MMA, "A"), copy=LDMATRIX)
    assert named == tw.bank_conflicts(HALVES, (mma(MMA), "A"), copy=copy(LDMATRIX))
    best = tw.suggest_swizzle(HALVES, (TILED, "A"), copy=LDMATRIX)[0]
    assert best.accesses == tw.suggest_swizzle(HALVES, (TILED, "A"), copy=copy(LDMATRIX))[0].accesses
    assert best.accesses[0].instruction.startswith("ldmatrix")
    assert best.conflict_free
    by_name = tw.make_tiled_copy_tv("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", Layout(32), Layout((1, 128)))
    assert by_name == tw.make_tiled_copy_tv(copy("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>"), Layout(32), Layout((1, 128)))


def test_a_slice_of_a_tensor_lies_where_its_memory_has_it() -> None:
    """Rows from the third column on: 4 bytes behind where they begin."""
    moved, threads = tw.Tensor(HALVES.iter + 2, Layout((63, 62), (64, 1))), Layout((32, 2), (1, 63))
    report = tw.coalescing(moved, threads, vector_bits=32)
    assert report == tw.coalescing(moved.layout, threads, element_bits=16, vector_bits=32, base_bytes=4)
    with pytest.raises(tw.LayoutError, match="multiple of 8"):
        tw.coalescing(moved, Layout((32, 4), (1, 63)), vector_bits=64)


@settings(max_examples=40, deadline=None)
@given(st.permutations([2, 4, 8]), st.sampled_from(["int8", "float16", "float32"]), st.sampled_from([8, 16, 32]))
def test_what_is_asked_of_a_tensor_is_asked_of_its_layout(order: list[int], kind: str, new: int) -> None:
    layout = tw.make_ordered_layout((4, 2, 8), tuple(order))
    tensor = tw.Tensor(np.zeros(64, kind), layout)
    bits = tensor.dtype.bits
    for asked in (tw.is_injective, tw.is_bijective, tw.is_contiguous, tw.is_compact, tw.image, tw.max_alignment):
        assert asked(tensor) == asked(layout)
    assert tw.is_surjective(tensor, 64) == tw.is_surjective(layout, 64)
    assert tw.equivalent(tensor, layout)
    assert tw.overlaps(layout, tensor)
    assert tw.cosize(tensor) == tw.cosize(layout)
    assert tw.max_common_vector(tensor, Layout((4, 2, 8))) == tw.max_common_vector(layout, Layout((4, 2, 8)))
    assert tw.max_common_layout(Layout((4, 2, 8)), tensor) == tw.max_common_layout(Layout((4, 2, 8)), layout)
    assert tw.recast_layout(tensor, new) == tw.recast_layout(tensor, bits, new) == tw.recast_layout(layout, bits, new)
    assert tw.downcast(tensor, 2) == tw.downcast(layout, 2)


def test_views_keep_their_width_through_what_selects() -> None:
    tile = tw.parse(PRINTED, TypedLayout)
    assert (tile.element_bits, tile.layout) == (16, tw.parse(PRINTED))
    cut = tile.logical_divide((8, 8))
    assert (cut.element_bits, cut.layout) == (16, tile.layout.logical_divide((8, 8)))
    assert tw.make_fragment_like(tile, "f32") == TypedLayout(tw.make_fragment_like(tile.layout), 32)
    assert tw.bank_conflicts(tile, LDMATRIX).conflict_free


FLAG = "ComposedLayout<Swizzle<3,4,3>,smem_ptr_flag_bits<{}>,Layout<Shape<_8,_64>,Stride<_64,_1>>>"


def test_a_text_of_two_widths_tells_none() -> None:
    assert tw.parse(FLAG.format(16), TypedLayout) == TypedLayout(tw.parse(FLAG.format(16)), 16)
    tensor = "Tensor<ViewEngine<smem_ptr<float*>>, {}>".format
    assert tw.parse(tensor(FLAG.format(32)), TypedLayout).element_bits == 32
    with pytest.raises(tw.NotationError, match="tells the bits"):
        tw.parse(tensor(FLAG.format(16)), TypedLayout)


def test_a_swizzle_of_no_bits_is_none() -> None:
    assert tw.parse("Sw<0,4,3>_smem_ptr[16b](0x400) o (8,64):(64,1)") == Layout((8, 64), (64, 1))


@pytest.mark.parametrize("text", ["tensor<ptr<f16, smem> o (8,8):(8,1)>", "Layout_K_SW128_Atom<half_t>", PRINTED])
def test_a_text_that_tells_the_type_needs_no_option(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["banks", text, "load rows 2B", "--json"]) in (0, 1)
    told = capsys.readouterr().out
    assert main(["banks", text, "load rows 2B", "--json", "--dtype", "f16"]) in (0, 1)
    assert told == capsys.readouterr().out


def test_atoms_named_on_the_command_line_tell_the_type(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["banks", "(64,64)", f"A of {MMA} by {LDMATRIX}"]) == 1
    assert "elements of 16 bits" in capsys.readouterr().out
    assert main(["swizzle", "(64,64)", "--access", f"A of {MMA} by {LDMATRIX}"]) == 0
    assert "elements of 16 bits" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([PRINTED, "ldmatrix.x4", "--dtype", "f32"], "elements of 32 bits, and the tile elements of 16 bits"),
        (["smem_ptr[32b](0x0) o (64,64):(64,1)", f"A of {MMA}"], "32 bits, and A of SM80.* elements of 16 bits"),
        (["(8,64)", "ldmatrix.x4"], "say how wide an element is: --element-bits N or --dtype NAME"),
    ],
)
def test_the_command_line_says_who_disagrees(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["banks", *words]) == 2
    assert re.search(message, capsys.readouterr().err)


REFUSED: list[tuple[str, Callable[[], object]]] = [
    ("say which operand of the MMA", lambda: tw.bank_conflicts(HALVES.layout, cast("Any", TILED))),
    ("beside an MMA stands 'A'", lambda: tw.bank_conflicts(HALVES.layout, (TILED, "Z"))),
    ("thread 3 alone is no access", lambda: tw.bank_conflicts(HALVES.layout, cast("Any", TILED.get_slice(3)))),
    ("an access is a thread-value layout", lambda: tw.bank_conflicts(HALVES.layout, "..")),
    ("say which operand of the MMA", lambda: tw.bank_conflicts(HALVES.layout, MMA)),
    ("close names: SM75_U32x4", lambda: tw.bank_conflicts(HALVES.layout, "SM75_U32x9_LDSM_N")),
    ("layout is a layout, got 3", lambda: tw.bank_conflicts(cast("Any", 3), ROWS)),
    ("say how wide an element is", lambda: tw.bank_conflicts(HALVES.layout, ROWS)),
    ("the tile says elements of 32 bits, and A of SM80.* 16 bits", lambda: tw.bank_conflicts(FLOATS, (TILED, "A"))),
    ("element_bits says elements of 32 bits, and the tile .* 16", lambda: tw.coalescing(HALVES, ROWS, element_bits=32)),
    ("elements of 32 bits, and A of .* 16", lambda: tw.suggest_swizzle(HALVES.layout, [(TILED, "A")], element_bits=32)),
    ("A of .* 16 bits, and C of .* 32", lambda: tw.suggest_swizzle(HALVES.layout, [(TILED, "A"), (TILED, "C")])),
    ("elements of 16 bits, and old_type_bits says 32", lambda: tw.recast_layout(HALVES, 32, 8)),
    ("expected a pointer or a type", lambda: tw.parse("(8,64):(64,1)", TypedLayout)),
    ("an element has 1 to 65535 bits, got 0", lambda: TypedLayout(Layout(4), 0)),
]


@pytest.mark.parametrize(("message", "call"), REFUSED)
def test_what_is_wrong_is_said_first(message: str, call: Callable[[], object]) -> None:
    with pytest.raises(tw.TilewrightError, match=message):
        call()


def test_a_picture_asks_for_no_width_that_is_told() -> None:
    told = tw.draw(ROWS, kind="banks", element_bits=16).scene
    assert tw.draw(TypedLayout(ROWS, "f16"), kind="banks").scene == told
    assert tw.draw(Layout((16, 16)), kind="banks", access=(MMA, "A")).scene.panels[0] is not None
    plain = tw.draw(TypedLayout(ROWS, 16), color="bank").scene.panels
    assert plain == tw.draw(ROWS, color="bank", element_bits=16).scene.panels


def test_bytes_hold_narrower_operands() -> None:
    """mma.sync of mixed types has a byte for each of 4 bits; of packed ones callers may say bytes."""
    mixed = (mma("SM120_16x8x32_F32E2M1E2M1F32_TN"), "A")
    tile = Layout((16, 32), (32, 1))
    assert tw.bank_conflicts(tile, mixed) == tw.bank_conflicts(tile, mixed, element_bits=8)
    packed = (mma("SM120_16x8x64_F32E2M1E2M1F32_TN_VS32"), "A")
    whole = Layout((16, 64), (64, 1))
    assert (
        2 * tw.bank_conflicts(whole, packed).width_bytes == tw.bank_conflicts(whole, packed, element_bits=8).width_bytes
    )


def test_what_is_seen_is_explained_and_a_ranking_drawn_as_its_best() -> None:
    assert str(tw.explain(HALVES, 3, 5)) == str(tw.explain(HALVES.layout, 3, 5))
    ranking = tw.suggest_swizzle(Layout((8, 64), (64, 1)), "SM75_U32x1_LDSM_N", element_bits=16)
    assert tw.draw(ranking).scene == tw.draw(ranking[0]).scene
