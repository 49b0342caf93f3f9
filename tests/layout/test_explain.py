"""`explain`: every step that it tells can be taken again and gives what it says; and it changes no result."""

from __future__ import annotations

import json
import re
from functools import partial
from itertools import product

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.errors import LayoutError
from tilewright.layout import operations as tw
from tilewright.layout.algebra.complement import room_for
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.explain import explain
from tilewright.layout.layout import Layout
from tilewright.layout.steps import explained, record
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.guards import GuardedLayout
from tilewright.layout.symbolic.symint import SymInt
from tilewright.layout.typed import TypedLayout
from tilewright.notation.parse import parse_layout
from tilewright.tensor.tensor import Tensor

A = Layout((4, 2, 3), (2, 1, 8))
TILE = Layout(4, 2)
SWIZZLED = ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 8), (8, 1)))

CALLS = {
    "append": (A, Layout(2, 24)),
    "block_product": (Layout((2, 2)), Layout((3, 4))),
    "blocked_product": (Layout((2, 2)), Layout((3, 4))),
    "ceil_div": ((7, 9), (2, 4)),
    "coalesce": (A,),
    "complement": (Layout((2, 4), (1, 16)), 256),
    "composition": (Layout((10, 2), (16, 4)), Layout((5, 4), (1, 5))),
    "coprofile": (A,),
    "coshape": (A,),
    "cosize": (A,),
    "crd2crd": ((3, 5), (8, 16), (4, 32)),
    "crd2idx": ((3, 5), Layout((8, 16))),
    "dice": ((None, 3), Layout((8, 16))),
    "domain_offset": ((2, 3), Layout((8, 16))),
    "downcast": (Layout((4, 8), (1, 4)), 4),
    "filter": (Layout((4, 2), (0, 7)),),
    "filter_zeros": (Layout((4, 2), (0, 7)),),
    "flat_divide": (Layout((8, 16)), (2, 4)),
    "flat_product": (Layout((2, 2)), Layout((3, 4))),
    "flatten": (A,),
    "get": (A, 1),
    "get_1d_coord": (Layout((4, 8), (8, 1)), 5),
    "get_flat_coord": (Layout((4, 8), (8, 1)), 5),
    "get_hier_coord": (Layout((4, 8), (8, 1)), 5),
    "group": (A, 0, 2),
    "idx2crd": (43, (8, 16)),
    "left_inverse": (Layout((3, 4), (1, 5)),),
    "local_partition": (Layout((8, 16)), Layout((2, 4), (4, 1)), 5),
    "local_tile": (Layout((8, 16)), (2, 4), (1, 2)),
    "logical_divide": (A, TILE),
    "logical_product": (Layout((2, 2), (4, 1)), Layout(6)),
    "make_composed_layout": (Swizzle(2, 0, 3), 0, Layout((8, 8))),
    "make_fragment_layout_like": (A,),
    "make_fragment_like": (A,),
    "make_layout": ((8, 16),),
    "make_layout_like": (A,),
    "make_layout_tv": (Layout((4, 8), (8, 1)), Layout((2, 2))),
    "make_ordered_layout": ((4, 8, 2), (2, 0, 1)),
    "max_alignment": (Layout((16, 8), (1, 16)),),
    "max_common_layout": (Layout((16, 8), (1, 16)), Layout((16, 8), (1, 32))),
    "max_common_vector": (Layout((16, 8), (1, 16)), Layout((16, 8), (1, 32))),
    "nullspace": (Layout((4, 8), (0, 1)),),
    "prepend": (A, Layout(2, 24)),
    "raked_product": (Layout((2, 2)), Layout((3, 4))),
    "recast_layout": (Layout((8, 16), (16, 1)), 16, 8),
    "replace": (A, 0, Layout(4)),
    "right_inverse": (Layout((8, 16), (16, 1)),),
    "select": (A, 2, 0),
    "simplify": (A,),
    "slice": ((None, 3), Layout((8, 16))),
    "slice_and_offset": ((3, None), Layout((8, 16))),
    "take": (A, 0, 2),
    "tile_to_shape": (Layout((2, 4), (4, 1)), (8, 8)),
    "tiled_divide": (Layout((8, 16)), (2, 4)),
    "tiled_product": (Layout((2, 2)), Layout((3, 4))),
    "unflatten": ((1, 2, 3), (0, (0, 0))),
    "upcast": (Layout((16, 8), (1, 16)), 4),
    "with_coprofile": (Layout(5, 0), (0, 0)),
    "with_shape": (Layout((4, 8)), (2, 16)),
    "zip": (Layout(2), Layout(3)),
    "zipped_divide": (Layout((8, 16)), (2, 4)),
    "zipped_product": (Layout((2, 2)), Layout((3, 4))),
}


def every_step(derivation):
    yield derivation
    for inner in derivation.steps:
        yield from every_step(inner)


def test_every_operation_of_the_algebra_is_explained():
    assert set(CALLS) >= set(tw.FUNCTIONS)


@pytest.mark.parametrize("name", CALLS)
def test_explaining_changes_no_result(name):
    function = getattr(tw, name)
    derivation = explain(function, *CALLS[name])
    assert derivation.result == function(*CALLS[name])
    assert not derivation.refusal
    assert str(derivation).splitlines()[0].startswith(f"{derivation.rule}(")


@pytest.mark.parametrize("name", CALLS)
def test_every_step_that_is_an_operation_can_be_taken_again(name):
    for taken in every_step(explain(getattr(tw, name), *CALLS[name])):
        if taken.rule in tw.FUNCTIONS and not taken.refusal:
            assert getattr(tw, taken.rule)(*taken.inputs) == taken.result, taken


@pytest.mark.parametrize(
    ("name", "filled"),
    [
        ("logical_divide", "complement"),
        ("zipped_divide", "complement"),
        ("logical_product", "room for copies"),
        ("blocked_product", "room for copies"),
        ("tile_to_shape", "room for copies"),
    ],
)
def test_composite_operations_name_what_they_fill_and_the_composition(name, filled):
    rules = {taken.rule for taken in every_step(explain(getattr(tw, name), *CALLS[name]))}
    assert {filled, "composition"} <= rules


def left_uncovered(derivation):
    return [taken.result for taken in derivation.steps if taken.rule == "left uncovered"]


def test_a_complement_says_exactly_what_stays_uncovered():
    for shape in product((1, 2, 3), (2, 3, 4)):
        for stride, target in product(product((0, 1, 2, 5, 7), (1, 3, 4, 9)), (None, 7, 20, 36, (3, 5))):
            layout = Layout(shape, stride)
            derivation = explain(tw.complement, layout, *([] if target is None else [target]))
            if derivation.refusal:
                continue
            end = layout.cosize if target is None else Layout(target).size
            sums = {layout(i) + derivation.result(j) for i in range(layout.size) for j in range(derivation.result.size)}
            holes = [n for n in range(end) if n not in sums]
            said = [f"{len(holes)} of {end} offsets, the first {holes[0]}"] if holes else []
            assert left_uncovered(derivation) == said, (layout, target)


REFUSED = re.compile(r": (\S+) are lost, of which (\S+) is the first(?:; (.*) chains)?$")


def sums_of(layout, target):
    """What the layout reaches when every gap between its modes is filled as often as it fits."""
    found, reach = {0}, 1
    for d, s in sorted((d, s) for s, d in layout.flat if s > 1 and d):
        found = {a + i * reach for a in found for i in range(d // reach)}
        found = {a + i * d for a in found for i in range(s)}
        reach = s * d
    return {a + i * reach for a in found for i in range(-(-target // reach))}


def test_a_refused_complement_says_what_would_be_lost_and_which_layout_loses_nothing():
    told = 0
    for shape in product((1, 2, 3), (2, 3, 4)):
        for stride, target in product(product((0, 1, 2, 5, 7), (1, 3, 4, 9)), (20, 36, 63)):
            layout = Layout(shape, stride)
            said = REFUSED.search(explain(tw.complement, layout, target).refusal or "")
            if not said:
                continue
            told += 1
            holes = sorted(set(range(target)) - sums_of(layout, target))
            assert (str(len(holes)), str(holes[0])) == said.groups()[:2], (layout, target)
            if said[3]:
                chains = parse_layout(said[3])
                assert chains.stride == layout.stride
                assert not set(range(target)) - sums_of(chains, target), (layout, target)
    assert told > 50


def test_room_for_copies_says_what_stays_uncovered_below_the_last_copy():
    for modes, places in product((((3, 2), (1, 4)), ((2, 2), (1, 3)), ((4, 2), (1, 4)), ((2, 3), (2, 5))), (1, 2, 5)):
        layout = Layout(*modes)
        derivation = explain(room_for, layout, places)
        room = derivation.result
        sums = {layout(i) + room(j) for i in range(layout.size) for j in range(room.size)}
        holes = [n for n in range(max(sums)) if n not in sums]
        said = [f"{len(holes)} of {max(sums) + 1} offsets, the first {holes[0]}"] if holes else []
        assert left_uncovered(derivation) == said, (layout, places)


def test_a_derivation_is_data():
    derivation = explain(tw.logical_divide, A, TILE)
    data = json.loads(derivation.to_json())
    assert data == derivation.to_dict()
    assert data["rule"] == "logical_divide"
    assert data["inputs"] == ["(4,2,3):(2,1,8)", "4:2"]
    assert data["result"] == "((2,2),(2,3)):((4,1),(2,8))"
    assert [inner["rule"] for inner in data["steps"]] == [inner.rule for inner in derivation.steps]


def test_the_text_numbers_the_steps_and_indents_what_is_inside():
    lines = str(explain(tw.zipped_divide, Layout((8, 16)), (2, 4))).splitlines()
    assert lines[0] == "zipped_divide((8,16):(1,8), (2,4)) = ((2,4),(4,4)):((1,8),(2,32))"
    assert lines[1].startswith("  1. ")
    assert any(line.startswith("     ") and "complement(" in line for line in lines)


def test_a_refusal_is_explained_with_its_reason():
    refused = explain(tw.composition, Layout((4, 4), (1, 5)), Layout(4, 3))
    assert refused.result is None
    with pytest.raises(LayoutError) as error:
        tw.composition(Layout((4, 4), (1, 5)), Layout(4, 3))
    assert refused.refusal == str(error.value)
    assert "refused: " in str(refused)
    assert json.loads(refused.to_json())["refusal"] == refused.refusal


def test_methods_and_composed_layouts_are_explained_too():
    assert explain(A.logical_divide, TILE).result == tw.logical_divide(A, TILE)
    assert explain(A.logical_divide, TILE).rule == "logical_divide"
    assert explain(SWIZZLED.logical_divide, (4,)).result == tw.logical_divide(SWIZZLED, (4,))


def test_run_time_layouts_are_explained_once_with_their_guards():
    m, n = SymInt("m"), SymInt("n")
    args = Layout((m, n), (n, 1)), Layout(4)
    derivation = explain(tw.composition, *args)
    assert isinstance(derivation.result, GuardedLayout)
    assert derivation.result == tw.composition(*args)
    assert sum(taken.rule == "composition" for taken in every_step(derivation)) <= 2


@given(st.integers(0, 5), st.integers(0, 5))
def test_recorded_moves_nest_within_the_steps_that_make_them(outer, inner):
    @explained("inner")
    def low(x):
        record("move", (x,), x + 1)
        return x + 1

    @explained("outer")
    def high(x):
        for _ in range(inner):
            x = low(x)
        return x

    def top():
        return [high(0) for _ in range(outer)]

    derivation = explain(top)
    assert [s.rule for s in derivation.steps] == ["outer"] * outer or outer == 1
    for taken in every_step(derivation):
        if taken.rule == "outer":
            assert [s.rule for s in taken.steps] == ["inner"] * inner
        if taken.rule == "inner":
            assert [s.rule for s in taken.steps] == ["move"]


def test_nothing_is_recorded_when_nobody_listens():
    seen = []

    @explained("noted")
    def noted(x):
        seen.append(x)
        return x

    record("move", (), None)
    assert noted(3) == 3
    assert seen == [3]
    assert explain(lambda: 4).steps == ()


def test_arguments_bound_before_come_first():
    a, b = Layout((4, 8), (8, 1)), Layout(2, 4)
    assert explain(partial(tw.composition, a), b) == explain(tw.composition, a, b)


def test_an_operation_made_of_another_shows_it():
    """Also where that gives the whole result."""
    for operate, args, part in (
        (tw.filter, (Layout((4, 8)),), "coalesce"),
        (tw.zipped_divide, (Layout((4, 8)), Layout(2)), "logical_divide"),
        (tw.raked_product, (Layout(2), Layout(3)), "logical_product"),
    ):
        assert [step.rule for step in explain(operate, *args).steps] == [part]


def test_what_cannot_be_called_so_is_refused():
    for call in ((Swizzle(3, 3, 3),), (tw.coalesce,), (tw.composition, Layout(4)), (lambda: 1, 2)):
        with pytest.raises(LayoutError, match="cannot be called so"):
            explain(*call)


@pytest.mark.parametrize("arguments", [(len, 3), (len, None), (sorted, 4.5)], ids=str)
def test_what_foreign_functions_say_is_a_refusal(arguments: tuple[object, ...]) -> None:
    function, given = arguments
    assert callable(function)
    with pytest.raises(LayoutError, match="is no function of the algebra, and says"):
        explain(function, given)


@pytest.mark.parametrize("new", [4, 8, 32, "f32", "e4m3"])
@pytest.mark.parametrize("tile", [Layout((8, 64), (64, 1)), parse_layout("Sw<3,3,3> o 0 o (8,64):(64,1)")], ids=str)
def test_whoever_tells_the_width_of_its_elements_is_recast_from_it(tile, new):
    """The steps are those between the widths of the layout, however the new one is said; another old one is refused."""
    wanted = explain(tw.recast_layout, tile, 16, new)
    for told in (TypedLayout(tile, "f16"), Tensor(numpy.zeros(512, "float16"), tile)):
        for found in (
            explain(tw.recast_layout, told, new),
            explain(tw.recast_layout, told, 16, new),
            explain(tw.recast_layout, told, new_type_bits=new),
        ):
            assert found == wanted
            assert tw.recast_layout(told, new) == wanted.result
        with pytest.raises(LayoutError, match="elements of 16 bits, and old_type_bits says 8"):
            explain(tw.recast_layout, told, 8, new)
    with pytest.raises(LayoutError, match=r"missing .* a tensor, or a tw\.TypedLayout, tells the width"):
        explain(tw.recast_layout, tile, new)


def test_of_a_tensor_a_step_shows_no_elements():
    tensor = Tensor(numpy.zeros((8, 16)))
    told = str(explain(tw.logical_divide, tensor, (2, 4)))
    assert told.startswith("logical_divide(float64 at 0 o (8,16):(16,1), (2,4)) = float64 at 0 o ((2,4),(4,4)):")
    assert "[" not in told


@given(st.integers(1, 3), st.integers(2, 4), st.sampled_from([(16, 8), (8, 16), (16, 64), (16, 16)]))
def test_the_recast_of_a_swizzled_layout_says_what_becomes_of_its_swizzle(
    b: int, m: int, widths: tuple[int, int]
) -> None:
    derivation = explain(tw.recast_layout, ComposedLayout(Swizzle(b, m, 3), 0, Layout((8, 128), (128, 1))), *widths)
    moved = [step.result for step in derivation.steps if step.rule == "recast_swizzle"]
    assert isinstance(derivation.result, ComposedLayout)
    assert moved == ([derivation.result.outer] if widths[0] != widths[1] else [])
