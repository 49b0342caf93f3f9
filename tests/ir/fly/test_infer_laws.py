"""Laws of type inference: static operands give the algebra's result; run-time leaves cover it; texts come back."""

from __future__ import annotations

import random
import re
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Drawn
from strategies import layout as layout_of
from vectors import rows

import tilewright as tw
from tilewright.errors import LayoutError, NotationError, TilewrightError
from tilewright.ir.fly import InferenceError, atom, infer
from tilewright.ir.fly.table import TABLE
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import TiledCopy
from tilewright.layout.inttuple import flatten
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.symint import SymInt

FMA = "!fly.universal_fma<1x1x1, (f32, f32) -> f32>"

# ---- static operands


ALGEBRA = ["composition", "complement", "logical_divide", "logical_product", "zipped_product", "raked_product"]


@pytest.mark.parametrize("name", [*ALGEBRA, "coalesce", "right_inverse", "left_inverse"])
@given(data=st.data())
def test_static_operands_give_the_function_that_the_algebra_gives(name: str, data: Any) -> None:
    a, b = layout_of(Drawn(data)), layout_of(Drawn(data))
    args = [a, b] if name in ALGEBRA and name != "complement" else [a]
    try:
        expected = getattr(tw, name)(*args)
    except LayoutError:
        with pytest.raises(LayoutError):
            infer(name, list(map(write, args)))
        return
    found: Any = read(infer(name, list(map(write, args))))
    assert found.size == expected.size or name == "left_inverse"
    assert all(found(i) == expected(i) for i in range(min(64, found.size, expected.size)))


# ---- run-time leaves


LEAVES = st.one_of(
    st.integers(1, 12), st.builds(SymInt, width=st.sampled_from([32, 64]), div=st.sampled_from([1, 2, 4, 8]))
)
PAIRS = st.tuples(st.tuples(LEAVES, st.tuples(LEAVES, LEAVES)), st.tuples(LEAVES, st.tuples(LEAVES, LEAVES)))
FACTORS = st.lists(st.integers(1, 5), min_size=12, max_size=12)
ARITHMETIC = ["int_tuple_add", "int_tuple_sub", "int_tuple_mul", "int_tuple_div", "int_tuple_mod", "ceil_div"]


def filled(x: Any, factors: Any) -> Any:
    if isinstance(x, tuple):
        return tuple(filled(item, factors) for item in x)
    return x.div * next(factors) if isinstance(x, SymInt) else x


def covers(declared: Any, value: int) -> bool:
    return bool(value % declared.div == 0 if isinstance(declared, SymInt) else value == declared)


@pytest.mark.parametrize("name", [*ARITHMETIC, "int_tuple_product", "int_tuple_product_each"])
@given(pair=PAIRS, factors=FACTORS)
def test_the_type_of_run_time_integers_covers_every_value(name: str, pair: Any, factors: list[int]) -> None:
    count = TABLE[name].operands[0]
    declared: Any = read(infer(name, [write(x) for x in pair[:count]]))
    supply = iter(factors)
    value: Any = read(infer(name, [write(filled(x, supply)) for x in pair[:count]]))
    assert all(map(covers, flatten((declared,)), flatten((value,))))


@pytest.mark.parametrize("name", ["size", "cosize", "coalesce_size", "crd2idx", "idx2crd"])
@given(pair=PAIRS, factors=FACTORS)
def test_the_type_of_a_run_time_layout_covers_every_layout(name: str, pair: Any, factors: list[int]) -> None:
    supply = iter(factors)
    at_run_time, static = Layout(*pair), Layout(*filled(pair, supply))
    answers = []
    for layout in (at_run_time, static):
        if name == "coalesce_size":
            answers.append(infer("size", [infer("coalesce", [write(layout)])]))
        elif name in ("crd2idx", "idx2crd"):
            answers.append(infer(name, ["!fly.int_tuple<7>", write(layout)]))
        else:
            answers.append(infer(name, [write(layout)]))
    declared, value = map(read, answers)
    assert all(map(covers, flatten((declared,)), flatten((value,))))


def test_operands_that_print_alike_are_two_numbers() -> None:
    n = "!fly.int_tuple<?{div=8}>"
    assert infer("int_tuple_sub", [n, n]) == n


def test_types_of_many_run_time_leaves_are_inferred() -> None:
    many = f"({','.join(['?{div=2}'] * 500)})"
    layout = f"!fly.layout<{many}:{many}>"
    assert infer("cosize", [layout]) == "!fly.int_tuple<?>"
    assert infer("int_tuple_add", [f"!fly.int_tuple<{many}>"] * 2) == f"!fly.int_tuple<{many}>"


# ---- sums of elements of the module of strides


def tuple_(text: str) -> str:
    return f"!fly.int_tuple<{text}>"


ELEMENTS = ["1E0", "-2E1", "3E1E0", "?E2", "?{div=4}E0"]


@pytest.mark.parametrize("element", [*ELEMENTS, "(1E0,(2E1,4))", "(2,1E0,3E1)"])
def test_an_element_to_which_nothing_is_added_stays_as_it_is_written(element: str) -> None:
    zero = re.sub(r"[^(),]+", "0", element)
    for name, pair in (("add", (element, zero)), ("add", (zero, element)), ("sub", (element, zero))):
        assert infer(f"int_tuple_{name}", list(map(tuple_, pair))) == tuple_(element)
    if element.startswith("("):
        assert infer("int_tuple_add", [tuple_(element), tuple_("(0)")]) == tuple_(element)


def parts(tree: Any, path: tuple[int, ...] = ()) -> dict[tuple[int, ...], int]:
    """The leaves of a coordinate that are not 0, by their paths."""
    if not isinstance(tree, tuple):
        return {path: tree} if tree else {}
    return {at: leaf for i, item in enumerate(tree) for at, leaf in parts(item, (*path, i)).items()}


PATHS = st.lists(st.integers(0, 2), min_size=1, max_size=3).map(tuple)


@pytest.mark.parametrize("sign", [1, -1])
@given(st.tuples(PATHS, PATHS), st.tuples(st.integers(1, 3), st.integers(1, 3)))
def test_the_sum_of_two_elements_is_the_coordinate_with_both(
    sign: int, paths: tuple[tuple[int, ...], tuple[int, ...]], numbers: tuple[int, int]
) -> None:
    """It has no more modes than it needs; of a mode and one inside of it there is none."""
    name = "int_tuple_add" if sign > 0 else "int_tuple_sub"
    texts = [tuple_(f"{n}{''.join(f'E{i}' for i in path)}") for n, path in zip(numbers, paths, strict=True)]
    shorter, longer = sorted(paths, key=len)
    if longer[: len(shorter)] == shorter and longer != shorter:
        with pytest.raises(LayoutError, match="the sum of an integer and a coordinate is neither"):
            infer(name, texts)
        return
    found: Any = read(infer(name, texts))
    wanted = {paths[0]: numbers[0]}
    wanted[paths[1]] = wanted.get(paths[1], 0) + sign * numbers[1]
    assert parts(found) == {path: number for path, number in wanted.items() if number}
    assert all(tree[-1] not in (0, ()) for tree in trees(found))


def trees(value: Any) -> list[Any]:
    return [value, *(inner for item in value for inner in trees(item))] if isinstance(value, tuple) else []


# ---- texts


SPELLINGS = {
    "!fly.pointer<f16>": "!fly.ptr<f16, global>",
    "!fly.ptr<f16, shared, align<16>, S<3,3,3>>": None,
    "!fly.ptr<f16, shared, align<2>>": "!fly.ptr<f16, shared>",
    "!fly.memref<f32, global, (?,?):(?{i64 div=4},1), align<16>, S<3,3,3>>": None,
    "!fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>": None,
    "!fly.tile<[4|*|(2,4):(1,8)|[2|2]]>": None,
    "!fly.tile<4:2>": None,
    "!fly.swizzle<S<4,1,0>>": None,
    "!fly.coord_swizzle<CS<3,0,[1],0,[2,0]>>": None,
    "!fly.composed_layout<32:2 o 5 o [32:1 o 7 o (4,8):(1,4)]>": None,
    "!fly.composed_layout<32:2 o 5 o 32:1 o 7 o (4,8):(1,4)>": None,
    "!fly.basis<3E0E1>": None,
    "!fly.int_tuple<( 4 , (8, *) )>": "!fly.int_tuple<(4,(8,*))>",
    "!fly.int_tuple<?E2>": None,
    "!fly.copy_atom_universal_copy<128, 32>": "!fly.copy_atom<!fly.universal_copy<128>, 32>",
    "!fly.mma_atom_universal_fma<1x1x1, (f32, f32) -> f32>": f"!fly.mma_atom<{FMA}>",
    "!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, <((64,4),4):((16,1),4)>, <[4|256]>>": (
        "!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<32>, 32>, "
        "!fly.layout<((64,4),4):((16,1),4)>, !fly.tile<[4|256]>>"
    ),
}


@pytest.mark.parametrize("text", SPELLINGS)
def test_every_spelling_is_read_and_the_release_printed(text: str) -> None:
    printed = SPELLINGS[text] or text
    assert write(read(text)) == printed
    assert write(read(printed)) == printed


@given(st.data(), PAIRS)
def test_texts_come_back(data: Any, pair: Any) -> None:
    for value in (layout_of(Drawn(data)), Layout(*pair), *pair):
        assert write(read(write(value))) == write(value)


HOSTILE = [*SPELLINGS, "!fly.layout<(4,8):(1,4)>", "!fly.int_tuple<(?{i64 div=8},3)>"]


def test_broken_texts_are_refused_by_our_errors_alone() -> None:
    rng = random.Random(7)
    for _ in range(3000):
        first = rng.choice(HOSTILE)
        at, other = rng.randrange(len(first)), rng.choice(HOSTILE)
        text = rng.choice(
            [first[:at], first[:at] + other, first[:at] + rng.choice("()<>[]|*?:,-0 9E") + first[at + 1 :]]
        )
        with suppress(TilewrightError):
            assert write(read(write(read(text)))) == write(read(text))


@pytest.mark.parametrize(
    ("name", "operands", "attributes"),
    [
        ("no_such_op", [], {}),
        ("size", ["!fly.layout<4:1>", "!fly.layout<4:1>"], {}),
        ("size", "!fly.layout<4:1>", {}),
        ("select", ["!fly.layout<4:1>"], {}),
        ("select", ["!fly.layout<4:1>"], {"indices": ["0"]}),
        ("select", ["!fly.layout<4:1>"], {"indices": [1]}),
        ("size", ["!fly.layout<" + "(" * 500 + "4" + ")" * 500 + ":1>"], {}),
        ("size", [None], {}),
        (None, [], {}),
        ("size", ["!fly.layout<4:1>"], 3),
    ],
)
def test_what_is_not_an_operation_is_refused(name: Any, operands: Any, attributes: Any) -> None:
    with pytest.raises(TilewrightError):
        infer(name, operands, attributes)


def test_a_refusal_says_flydsls_sentence_first() -> None:
    with pytest.raises(InferenceError) as refusal:
        infer("fly.composition", ["!fly.layout<(4,4):(1,5)>", "!fly.layout<4:3>"])
    assert refusal.value.sentence == "'fly.composition' op failed to infer returned types"
    assert "A(3) + A(6) = 10, but A(9) = 11" in str(refusal.value)
    with pytest.raises(InferenceError, match=r"^GetStrideOp: unsupported ComposedLayoutType$"):
        infer("get_stride", ["!fly.composed_layout<S<3,3,3> o 0 o 64:1>"])
    with pytest.raises(InferenceError, match=r"^MakeLayoutOp: expected shape/stride profiles to match"):
        infer("make_layout", ["!fly.int_tuple<(4,8)>", "!fly.int_tuple<1>"])


# ---- modes


@pytest.mark.parametrize("leaf", ["int_tuple<4>", "layout<4:2>", "composed_layout<S<2,0,2> o 0 o 4:2>"])
def test_a_leaf_stays_a_leaf_whatever_of_its_one_mode_is_grouped(leaf: str) -> None:
    for begin, end in ((0, 0), (0, 1), (1, 1)):
        assert infer("group", [f"!fly.{leaf}"], {"begin": begin, "end": end}) == f"!fly.{leaf}"
    with pytest.raises(LayoutError, match=r"\[0, 2\) is not within 1 modes"):
        infer("group", [f"!fly.{leaf}"], {"begin": 0, "end": 2})


@pytest.mark.parametrize("name", ["append", "prepend"])
@pytest.mark.parametrize("texts", [["(4,5)", "3"], ["4", "(3,2)"], ["(4,5):(1,4)", "3:2"], ["4:2", "3:2"]])
def test_a_mode_is_added_where_no_rank_is_asked_for(texts: list[str], name: str) -> None:
    operands = [f"!fly.{'layout' if ':' in text else 'int_tuple'}<{text}>" for text in texts]
    found = infer(name, operands)
    assert infer(name, operands, {"n": -1}) == found
    assert read(infer("rank", [found])) == read(infer("rank", operands[:1])) + 1  # type: ignore[operator]  # of integers
    with pytest.raises(LayoutError):
        infer(name, operands, {"n": -2})


@pytest.mark.parametrize("value", ["int_tuple<(4,5)>", "int_tuple<4>", "layout<(4,2):(1,4)>", "layout<4:2>"])
def test_a_coordinate_that_keeps_every_mode_fixes_none(value: str) -> None:
    assert infer("slice", [f"!fly.{value}", tuple_("*")]) == f"!fly.{value}"
    assert infer("dice", [f"!fly.{value}", tuple_("3")]) == f"!fly.{value}"
    with pytest.raises(LayoutError, match="nothing is left of"):
        infer("dice", [f"!fly.{value}", tuple_("*")])


def test_a_type_that_is_inferred_can_be_read() -> None:
    """Of two layouts of 2^40 coordinates side by side nobody can number the coordinates."""
    wide = f"!fly.layout<({','.join(['32'] * 8)}):({','.join(['1'] * 8)})>"
    pair = infer("zip", [wide.replace("32", "8"), wide.replace("32", "8")])
    assert write(read(pair)) == pair
    with pytest.raises(LayoutError, match="can be numbered"):
        infer("zip", [wide, wide])


# ---- swizzles of offsets


@pytest.mark.parametrize("div", [1, 2, 8, 16, 64, 256])
@pytest.mark.parametrize(("bits", "base"), [(2, 3), (1, 0), (3, 4), (0, 4)])
def test_a_swizzled_offset_has_the_divisors_below_the_base_and_all_where_nothing_moves(
    bits: int, base: int, div: int
) -> None:
    swizzle = f"!fly.swizzle<S<{bits},{base},3>>"
    found: Any = read(infer("crd2idx", [tuple_(f"?{{div={div}}}"), swizzle]))
    values: list[Any] = [read(infer("crd2idx", [tuple_(str(div * k)), swizzle])) for k in range(40)]
    assert all(value % found.div == 0 for value in values)
    assert found.div == (div if bits == 0 else min(div, 1 << base))


# ---- views


def test_ops_on_layouts_reach_through_views() -> None:
    memref, tile = "!fly.memref<f32, global, (?,?):(?{i64},1)>", "!fly.tile<[64|4]>"
    layout = infer("get_layout", [memref])
    divided = infer("zipped_divide", [memref, tile])
    assert infer("get_layout", [divided]) == infer("zipped_divide", [layout, tile])
    assert infer("make_view", [infer("get_iter", [memref]), layout]) == memref


def test_a_moved_pointer_keeps_the_alignment_that_its_new_place_has() -> None:
    pointer = "!fly.ptr<f16, shared, align<16>>"
    assert infer("add_offset", [pointer, "!fly.int_tuple<?{div=4}>"]) == "!fly.ptr<f16, shared, align<8>>"
    assert infer("add_offset", [pointer, "!fly.int_tuple<8>"]) == pointer
    assert infer("add_offset", [pointer, "!fly.int_tuple<?>"]) == "!fly.ptr<f16, shared>"


def test_a_slice_of_a_coordinate_tensor_moves_its_base() -> None:
    tensor = "!fly.coord_tensor<(0,0), (8,4):(1E0,1E1)>"
    assert infer("slice", [tensor, "!fly.int_tuple<(3,*)>"]) == "!fly.coord_tensor<(3,0), 4:1E1>"


def test_the_types_of_tiled_copies_and_mmas_are_their_parts() -> None:
    for row in rows("flydsl_tiled.jsonl.gz"):
        declared = row["expected"].get("type")
        if declared is None:
            continue
        value: Any = read(declared)
        kind = "make_tiled_copy" if isinstance(value, TiledCopy) else "make_tiled_mma"
        last = value.tile if isinstance(value, TiledCopy) else value.permutation
        parts = [value.atom, value.layout, *([] if last is None else [last])]
        assert infer(kind, list(map(write, parts))) == declared


@pytest.mark.parametrize("order", ["0", "7", "(0,1,2)", "(2,0,1)"])
@pytest.mark.parametrize("shape", ["(4,6,3)", "(3,1,4)", "(2,4,2)"])
@pytest.mark.parametrize("block", ["2:1", "(2,2):(2,1)", "(1,3,2):(0,1,3)"])
def test_a_block_is_repeated_along_every_mode_of_the_shape(block: str, shape: str, order: str) -> None:
    operands = [f"!fly.layout<{block}>", f"!fly.int_tuple<{shape}>", f"!fly.int_tuple<{order}>"]
    found: Any = read(infer("tile_to_shape", operands))
    wanted: Any = read(operands[1])
    assert all(mode.size >= extent for mode, extent in zip(found, wanted, strict=True))
    assert len({found(i) for i in range(found.size)}) == found.size


MMA = "!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>"


@pytest.mark.parametrize("more", ["1:48", "(4):(3)", "(1,2):(5,4096)"])
@pytest.mark.parametrize("operand", "abc")
def test_modes_that_an_mma_does_not_divide_stay_as_they_are(operand: str, more: str) -> None:
    shape, stride = more.split(":")
    tile = "!fly.memref<f16, shared, (32,32):(1,32)>"
    staged = f"!fly.memref<f16, shared, (32,32,{shape}):(1,32,{stride})>"
    of_tile, of_stages = (
        infer("tiled_mma.partition", [MMA, t, "!fly.int_tuple<7>"], {"operand_id": operand}) for t in (tile, staged)
    )
    assert of_stages == of_tile.replace("):(", f",{shape}):(", 1).replace(")>", f",{stride})>")


def test_atoms_are_made_of_their_types() -> None:
    assert str(atom("!fly.copy_atom<!fly.universal_copy<128>, 32>").tv_layout_src) == "(1,4):(0,1)"  # type: ignore[union-attr]  # a copy atom
    with pytest.raises(NotationError):
        atom("!fly.copy_atom<!fly.nothing<128>, 32>")


@pytest.mark.parametrize("shift", [-2, -1, 0, 1, 2])
def test_a_swizzle_whose_fields_overlap_is_read_and_moves_offsets_one_to_one(shift: int) -> None:
    swizzle: Any = read(f"!fly.swizzle<S<3,2,{shift}>>")
    assert write(swizzle) == f"!fly.swizzle<S<3,2,{shift}>>"
    found = [swizzle(x) for x in range(1 << 7)]
    assert len(set(found)) == len(found) or shift == 0
    field = 0b11100 << max(0, shift)
    assert all(y == x ^ int((x & field) * 2.0**-shift) for x, y in enumerate(found))


# ---- attributes and types as text


@given(st.lists(st.integers(0, 2), max_size=4), st.sampled_from(["i32", "i64"]), st.booleans())
def test_lists_are_taken_as_mlir_writes_them(modes: list[int], kind: str, spaced: bool) -> None:
    comma = ", " if spaced else ","
    array = f"array<{kind}: {comma.join(map(str, modes))}>" if modes else f"array<{kind}>"
    typed = f"[{comma.join(f'{mode} : {kind}' for mode in modes)}]"
    operand = ["!fly.layout<(4,8,2):(1,4,32)>"]
    for text in (array, typed, str(modes)):
        assert infer("select", operand, {"indices": text}) == infer("select", operand, {"indices": modes})


@given(st.integers(1, 64))
def test_numbers_are_taken_as_mlir_writes_them(bits: int) -> None:
    def recast(old: object, new: object) -> str:
        return infer("recast_layout", ["!fly.layout<(64,8):(1,64)>"], {"old_type_bits": old, "new_type_bits": new})

    assert recast(str(bits), f"{bits} : i32") == recast(bits, bits)


@pytest.mark.parametrize(
    "text", ["array<i32: x>", "array<f32: 1>", "array<i32: 1,>", "[1", "1 2", "", "true", "[true]"]
)
def test_what_is_no_list_of_integers_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="attribute 'indices' is made of integers"):
        infer("select", ["!fly.layout<(4,8):(1,4)>"], {"indices": text})


@pytest.mark.parametrize("text", ["garbage", "!fly.garbage", "", "  ", "!fly.layuot", "layout", "f33", "!a.b.c"])
def test_what_is_no_type_is_said_to_be_none(text: str) -> None:
    with pytest.raises(NotationError) as refusal:
        infer("cosize", [text])
    assert f"'{text.strip()}' is no type; " in str(refusal.value)
    assert ("did you mean" in str(refusal.value)) == (text in ("!fly.layuot", "layout"))
