"""What a message says to somebody who gave the wrong kind of thing: what to write instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright.errors import LayoutError, TilewrightError, caret

TILE = tw.Layout((8, 64), (64, 1))
LINEAR = tw.parse("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>")
OPERATIONS: list[Callable[[Any], Any]] = [
    tw.coalesce,
    tw.complement,
    tw.right_inverse,
    lambda x: tw.composition(x, 2),
    lambda x: tw.logical_divide(x, 2),
    lambda x: tw.recognise(x, "f16"),
    lambda x: tw.suggest_swizzle(x, tw.Access(instruction="tma"), element_bits=16),
    lambda x: tw.bank_conflicts(x, TILE, element_bits=16),
    lambda x: tw.bank_conflicts(TILE, x, element_bits=16),
]


@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(
    ("given", "way"), [("(8,64):(64,1)", "tw.parse"), (((8, 64), (64, 1)), "write Layout((8, 64), (64, 1))")]
)
def test_text_and_pairs_are_told_how_to_become_layouts(operation: Callable[[Any], Any], given: Any, way: str) -> None:
    with pytest.raises(TilewrightError) as caught:
        operation(given)
    assert way in str(caught.value)


def test_a_linear_layout_is_recognised_by_its_placement() -> None:
    with pytest.raises(TilewrightError, match=r"tw\.placement"):
        tw.recognise(LINEAR, "f16")
    assert tw.recognise(tw.placement(LINEAR), "f16").atom == "Layout_K_SW128_Atom"


@pytest.mark.parametrize("given", ["tma", ["tma"], [tw.Access(instruction="ldmatrix.x4"), "wgmma"]])
def test_a_descriptor_by_name_is_told_how_to_become_an_access(given: Any) -> None:
    with pytest.raises(TilewrightError, match=r"tw\.Access\(instruction='(tma|wgmma)'\)"):
        tw.suggest_swizzle(TILE, given, element_bits=16)


@pytest.mark.parametrize("instruction", ["auto", "ldmatrix.x4", "TMA"])
def test_only_descriptors_go_without_a_thread_value_layout(instruction: str) -> None:
    with pytest.raises(TilewrightError, match="as thread_value; only tma, wgmma, tcgen05 have none"):
        tw.suggest_swizzle(TILE, tw.Access(instruction=instruction), element_bits=16)


@pytest.mark.parametrize("given", [None, 16.0, TILE, ["f16"]])
def test_what_is_no_element_type_is_told_in_short(given: Any) -> None:
    with pytest.raises(TilewrightError, match="an element type is a type or its name, such as 'float16'"):
        tw.recognise(TILE, given)


def test_what_a_session_shows_is_short() -> None:
    figure = tw.draw(tw.Layout((64, 64)))
    assert str(figure) == figure.text()
    assert repr(figure).startswith("<Figure '(64,64):(1,64)': 1 panel, 4096 cells")
    guarded = tw.upcast(tw.Layout((128, 64), (tw.SymInt("ld"), 1)), 8)
    assert isinstance(guarded, tw.GuardedLayout)
    assert repr(guarded.guards) == "(<Comparison ld % 8 == 0>,)"


@given(st.text("ab+[]", max_size=60), st.integers(0, 60), st.integers(2, 40))
def test_a_line_that_goes_on_says_so_and_the_caret_stands_under_its_character(text: str, at: int, width: int) -> None:
    position = min(at, len(text))
    line, mark = caret(text, position, width).split("\n")
    column, part = mark.index("^") - 4, line[4:]
    begun, ended = part.startswith("..."), part.endswith("...")
    start = position - (column - 3 * begun)  # where what is shown begins
    inside = part[3 * begun : len(part) - 3 * ended]
    assert text[start : start + len(inside)] == inside
    assert start <= position <= start + len(inside)
    assert begun == (start > 0)
    assert ended == (start + len(inside) < len(text))
    assert (part == text) == (len(text) <= width)


@given(st.lists(st.integers(0, 999), max_size=400), st.sampled_from([",", ", ", "; ", "|"]), st.text("ab ", max_size=9))
def test_long_values_keep_their_ends_and_messages_their_words(parts: list[int], comma: str, words: str) -> None:
    value = comma.join(map(str, parts))
    said = str(LayoutError(f"shape ({value}) {words}"))
    assert said.startswith(f"shape ({value[:40]}")
    assert said.endswith(f"{value[-40:]}) {words}")
    assert len(said) <= 450
    assert (said == f"shape ({value}) {words}") == (len(value) <= 398)
    assert str(LayoutError(said)) == said


def test_refusals_of_long_shapes_are_short() -> None:
    shape = (1,) * 3000
    tile = tw.Layout(shape)
    calls: list[Callable[[], object]] = [
        lambda: tw.Layout(shape, (1,)),
        lambda: tile((5,) * 3001),
        lambda: tw.logical_divide(tile, (3,) * 3500),
    ]
    for call in calls:
        with pytest.raises(TilewrightError) as caught:
            call()
        assert len(str(caught.value)) < 1000


@pytest.mark.parametrize("given", ["ldmatrix.x4", "rows 16B"])
def test_an_instruction_as_an_access_is_told_to_stand_beside_its_threads(given: str) -> None:
    with pytest.raises(TilewrightError, match=r"tw\.Access\(thread_value, instruction='"):
        tw.bank_conflicts(TILE, given, element_bits=16)


def test_the_text_of_a_descriptor_is_told_to_be_an_integer() -> None:
    given: Any = "0x4000004000010040"
    with pytest.raises(TilewrightError, match=r"int\(text, 0\)"):
        tw.descriptor(given)


@pytest.mark.parametrize("operation", [tw.draw, *OPERATIONS[:6]])
def test_an_array_is_told_to_become_a_tensor(operation: Callable[[Any], Any]) -> None:
    with pytest.raises(TilewrightError, match=r"an array of shape \(4, 4\); write tw\.Tensor\(array\)"):
        operation(numpy.zeros((4, 4)))


@pytest.mark.parametrize("one", [(None, 3), (slice(0, 2), 5)])
def test_one_slice_for_a_list_of_slices_is_told_so(one: Any) -> None:
    with pytest.raises(TilewrightError, match="highlight is a list of coordinates, and one is given: write highlight="):
        tw.draw(TILE, highlight=one)
    assert tw.draw(TILE, highlight=[one]).scene == tw.draw(TILE, highlight=(one,)).scene


def test_results_that_are_converted_before_they_are_stored_are_told_the_copy_that_has_them() -> None:
    mma = tw.make_tiled_mma(tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN"), tw.Layout((2, 2, 1)), (32, 32, 16))
    narrow = tw.make_copy_atom("SM90_U32x4_STSM_N", "f16")
    with pytest.raises(TilewrightError, match=r"tw\.make_tiled_copy_C\(copy, tiled_mma\)"):
        tw.bank_conflicts(TILE, (mma, "C"), copy=narrow)
    assert tw.bank_conflicts(tw.Layout((32, 64), (64, 1)), tw.make_tiled_copy_C(narrow, mma)).instruction.startswith(
        "stmatrix"
    )
