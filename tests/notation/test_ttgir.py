"""The reader of Triton dumps: structure, types, places, and what it refuses."""

from __future__ import annotations

import contextlib
import random
import time

import pytest
from dump_cases import dumps, mutants

from tilewright.errors import LayoutError, NotationError, TilewrightError
from tilewright.notation.ttgir import MAX_DEPTH, read_dump
from tilewright.notation.ttgir_op import BLOCK, Op
from tilewright.notation.ttgir_places import Places
from tilewright.notation.ttgir_tokens import MAX_TEXT
from tilewright.notation.ttgir_types import Types

ADD = """%r:2 = "tt.reduce"(%a, %b) <{axis = 0 : i32}> ({
^bb0(%x: f32, %y: f32):
  tt.reduce.return %x : f32
}) : (f32, f32) -> (f32, i32)"""


def only(text: str) -> Op:
    (op,) = read_dump(text).ops
    return op


def test_every_operation_of_the_dumps_is_found_on_its_line() -> None:
    """A line that begins with an operation's name, or with results and one, is an operation; no other line is."""
    for text in dumps().values():
        lines = text.split("\n")
        found = {op.line: op for op in read_dump(text).walk()}
        for number, line in enumerate(lines, 1):
            words = line.split()
            rest = words[words.index("=") + 1 :] if words and words[0].startswith("%") else words
            begins = bool(rest) and rest[0].strip('"').partition("(")[0].partition(".")[0] in (
                "arith", "math", "tt", "ttg", "ttng", "scf", "module", "amdg", "llvm", "rocdl",
            )  # fmt: skip
            assert begins == (number in found), line
            if begins:
                assert rest[0].strip('"').startswith(found[number].name)


def test_a_generic_operation_has_its_properties_region_and_types() -> None:
    op = only(ADD)
    assert (op.results, op.operands) == (("%r",), ("%a", "%b"))
    assert (op.inputs, op.outputs) == (("f32", "f32"), ("f32", "i32"))
    assert op.integer("axis") == 0
    assert [inner.name for region in op.regions for inner in region] == [BLOCK, "tt.reduce.return"]
    assert dict(zip(op.regions[0][0].results, op.regions[0][0].outputs, strict=True)) == {"%x": "f32", "%y": "f32"}
    assert [inner.name for inner in op.walk()] == ["tt.reduce", "tt.reduce.return"]


def test_regions_that_follow_each_other_belong_to_one_operation() -> None:
    text = """ttg.warp_specialize(%a)
default {
  ttg.warp_yield
}
partition0(%b: i32) num_warps(4) {
  ttg.warp_return
} : (i32) -> ()"""
    op = only(text)
    assert [[inner.name for inner in region] for region in op.regions] == [["ttg.warp_yield"], ["ttg.warp_return"]]
    branch = only("%0 = scf.if %c -> (i32) {\n  scf.yield %x : i32\n} else {\n  scf.yield %y : i32\n}")
    assert len(branch.regions) == 2


def test_loop_arguments_are_bound_to_what_they_begin_with() -> None:
    op = only("%0:2 = scf.for %i = %l to %u step %s iter_args(%a = %x, %b = %y#1) -> (i32, i32)  : i32 {\n}")
    assert op.bindings == {"%i": "%l", "%a": "%x", "%b": "%y#1"}


def test_a_dump_without_locations_reads_alike() -> None:
    """Cutting every location changes neither the operations nor their types."""
    for text in dumps().values():
        kept = [line for line in text.split("\n") if not line.startswith("#loc")]
        bare = "\n".join(
            line[: line.rindex(" loc(")] if line.endswith(")") and " loc(" in line else line for line in kept
        )
        before, after = list(read_dump(text).walk()), list(read_dump(bare).walk())
        assert [(a.name, a.inputs, a.outputs, a.operands) for a in before] == [
            (b.name, b.inputs, b.outputs, b.operands) for b in after
        ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tt.a (", "the text ends inside '('"),
        ("tt.a (]", "closes another bracket"),
        ("tt.a )", "expected an operation"),
        ("%a tt.b", "expected '='"),
        ("tt.a {\n", "the text ends inside this region"),
        ("tt.a \x00", "unexpected character"),
        ("tt.a {\n" * (MAX_DEPTH + 1), "nested deeper"),
        ("tt.a " + "<" * (MAX_DEPTH + 1), "nested deeper"),
        ("#a =", "is given no value"),
        (" " * (MAX_TEXT + 1), "more than"),
    ],
)  # fmt: skip
def test_what_is_no_dump_is_refused_in_our_words(text: str, words: str) -> None:
    with pytest.raises(NotationError, match=words.replace("(", r"\(").replace(")", r"\)")):
        read_dump(text)


def test_mutants_give_a_dump_or_our_error() -> None:
    for text in mutants(random.Random(7), 150):
        with contextlib.suppress(TilewrightError):
            assert all(op.line >= 1 for op in read_dump(text).walk())


def test_reading_is_linear() -> None:
    """Four times the text takes less than twelve times as long; a MiB is read."""
    line = "%x = ttg.local_load %m : !ttg.memdesc<8x8xf16, #s, #smem, mutable> -> tensor<8x8xf16, #b> loc(#l)\n"

    def seconds(copies: int) -> float:
        began = time.process_time()
        assert len(read_dump(line * copies).ops) == copies
        return time.process_time() - began

    seconds(10)
    assert seconds(4 * 500) < 12 * seconds(500) + 0.05


def test_a_view_keeps_the_extents_of_its_allocation() -> None:
    types = Types({"#s": "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"})
    found = types.tiled("!ttg.memdesc<16x8xf16,#s,#smem,mutable,2x64x8>")
    assert found is not None
    assert (found.shape, found.whole, found.bits) == ((16, 8), (2, 64, 8), 16)
    assert found.layout.get_out_dim_size("dim0") == 64


def test_a_padded_tile_has_its_gaps_apart_from_its_offsets() -> None:
    types = Types({"#p": "#ttg.padded_shared<[64:+8, 128:+4] {order = [1, 0], shape = [4, 64]}>"})
    found = types.tiled("!ttg.memdesc<4x64xf16,#p,#smem>")
    assert found is not None
    assert [(gap.interval, gap.padding) for gap in found.paddings] == [(64, 8), (128, 4)]
    assert found.layout.apply({"offset": 65, "block": 0}) == {"dim0": 1, "dim1": 1}


def test_chains_of_aliases_are_refused_beyond_a_depth() -> None:
    aliases = {"#a0": "#ttg.blocked<{sizePerThread=[1],threadsPerWarp=[32],warpsPerCTA=[1],order=[0]}>"}
    aliases |= {f"#a{i + 1}": f"#ttg.slice<{{dim=0,parent=#a{i}}}>" for i in range(5000)}
    found = Types(aliases).tiled("tensor<8xf16,#a5000>")
    assert found is not None
    with pytest.raises(LayoutError, match=r"nested deeper|no attribute"):
        _ = found.layout


def test_the_place_is_the_users_line() -> None:
    places = Places({
        "#u": ('"/home/k.py"', ":", "7", ":", "9"),
        "#t": ('"/usr/triton/language/standard.py"', ":", "1", ":", "2"),
        "#n": ('"x"', "(", "#u", ")"),
        "#c": ("callsite", "(", "#t", "at", "#n", ")"),
        "#r": ("callsite", "(", "#r", "at", "#r", ")"),
    })  # fmt: skip
    assert places.source(("#c",)) == "/home/k.py:7:9"
    assert places.source(("#t",)) == "/usr/triton/language/standard.py:1:2"
    assert places.source(("#r",)) is places.source(()) is None
