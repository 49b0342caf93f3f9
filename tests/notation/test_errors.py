"""What a person sees who writes something wrong: what was expected, and a caret under the place."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from cpu import within

from tilewright.errors import LayoutError, NotationError
from tilewright.notation import (
    parse,
    parse_int_tuple,
    parse_layout,
    parse_linear,
    parse_swizzle,
    parse_tiler,
    parse_tirx,
    text,
)

# text with ^ before the first wrong place, what was expected
UNREADABLE = [
    ("^", "expected an integer"),
    ("(4,8^", "expected ',' or ')', got the end of the text"),
    ("(4,8^]:(1,4)", "expected ',' or ')', got ']'"),
    ("(4,^,8)", "expected an integer"),
    ("(4,8):^", "expected an integer"),
    ("(4,8):(1,4)^)", "expected the end of the text, got ')'"),
    ("4:1 ^4", "expected the end of the text"),
    ("^$", "unexpected character '$'"),
    ("(4,^²)", "unexpected character '²'"),
    ("(4,^foo)", "expected an integer"),
    ("(^_:1)", "an extent is an integer, got _"),
    ("^1@0:1", "an extent is an integer, got 1@0"),
    ("4:^_", "no stride"),
    ("((2,4),(8,^_)):((1,2),(8,4))", "an extent is an integer, got _"),
    ("(4,(8,^*)):(1,(8,_))", "an extent is an integer, got _"),
    ("(4,(8,2)):(1,(8,^None))", "no stride"),
    ("Sw<3,3,3> o (0,^_) o (4,8):(8,1)", "no offset"),
    ("4:1@^", "expected a position or the name of an axis"),
    ("4:1^E0x", "expected positions such as E0E1"),
    ("4:1^@5000", "a basis has 1 to 64 positions"),
    ("?{^x}", "expected '}'"),
    ("?{div=^}", "expected a divisor"),
    ("^9223372036854775808", "outside (-2^63, 2^63)"),
    ("Sw<3,3^", "expected ',' or '>'"),
    ("^Sw<3,3>", "three fields"),
    ("Sw<3,3,3> o ^", "expected an integer"),
    ("Sw<3,3,3> o (^_,0) o 8:1", "no offset"),
    ("Sw<3,3,3> o 0 ^8:1", "expected 'o' or '∘'"),
    ("(4,8):(1,4) o (2,2)^:(1,4)", "an offset stands between two layouts, as in `4:1 o 0 o 8:1`"),
    ("^Sw<3,3,3> o 0 o 8", "only layouts and swizzles are composed"),
    ("^Sw<3,3,3> o 0 o Sw<1,0,3>", "the last factor of a composed layout is a layout"),
    ("^[Sw<3,3,3>|4]", "not swizzles"),
    ("[4|8^", "expected '|' or ';' or ']'"),
    ("!^foo.layout<4:1>", "expected 'fly'"),
    ("!fly.^ptr<4:1>", "expected 'int_tuple' or"),
    ("S[^]", "expected an integer"),
    ("S[8:^]", "expected an integer"),
    ("S[8] + ^", "expected an integer"),
    ("TileLayout(^5@warpid)", "expected S[shape:strides] or R[shape:strides]"),
    ("S[8:^1@0]", "lie on named axes"),
    ("^SwizzleLayout(3, 3)", "SwizzleLayout takes"),
    ("SwizzleLayout(atom_len=3, ^atom_len=3)", "given twice"),
    ("TileLayout.^foo()", "expected 'from_iters'"),
    ("{lane = [[1]]} ^", "expected '->'"),
    ("{lane = [^1]} -> {x = 2}", "expected '['"),
    ("- lane=1 -> (1) lane=^3 -> (2) where out dims are: [x (size 4)]", "expected 2, the next power of two"),
    ("(" * 64 + "^(4", "nested deeper than 64"),
]


@pytest.mark.parametrize(("marked", "message"), UNREADABLE)
def test_the_caret_stands_under_the_first_wrong_place(marked: str, message: str) -> None:
    position, words = marked.index("^"), marked.replace("^", "", 1)
    with pytest.raises(NotationError) as caught:
        parse(words)
    error = caught.value
    assert message in str(error)
    if words:
        shown, caret = str(error).split("\n")[-2:]
        assert (error.text, error.position) == (words, position)
        assert shown[caret.index("^") :] == words[position:][: len(shown) - caret.index("^")]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("(0,4):(1,2)", "at least 1, got 0"),
        ("(4,8):1", "profiles"),
        ("Sw<3,3,2>", "overlap"),
        ("4:1@laneidd", "did you mean 'laneid'"),
        ("?{div=0}", "divisor"),
        ("S[(2,3):(1,)]", "every extent needs its stride"),
        ("S[8] + S[8]", "one shard"),
        ("S[0]", "at least 1"),
        ("S[8:1@foo]", "unknown axis"),
        ("ComposeLayout(3, 3, 3)", "ComposeLayout takes"),
        ("SwizzleLayout(3, 3, 2)", "well-formed"),
        ("{lane = [[4]]} -> {x = 4}", "4"),
        ("{lane = [[1]]} -> {x = 3}", "power of two"),
        ("{lane = [], lane = []} -> {x = 1}", "twice"),
    ],
)
def test_readable_texts_of_no_object_are_layout_errors_with_a_caret(words: str, message: str) -> None:
    with pytest.raises(LayoutError, match=message) as caught:
        parse(words)
    assert str(caught.value).split("\n")[-1].strip() == "^"


@pytest.mark.parametrize(
    ("read", "words"),
    [
        (parse_layout, "(4,8)"),
        (parse_layout, "Sw<3,3,3>"),
        (parse_int_tuple, "(4,8):(1,4)"),
        (parse_swizzle, "8:1"),
        (parse_tirx, "(4,8):(1,4)"),
        (parse_linear, "(4,8):(1,4)"),
    ],
)
def test_an_entry_point_reads_only_its_notation(read: Callable[[str], object], words: str) -> None:
    with pytest.raises(NotationError, match="expected"):
        read(words)


@pytest.mark.parametrize("words", ["Sw<3,3,3>", "(4,0)", "(4,-2)", "1@laneid", "[4|4:1@0|1@0]", "Sw<1,0,1> o 0 o 4:1"])
def test_what_is_no_tiler_is_no_text_of_one(words: str) -> None:
    with pytest.raises(LayoutError, match=r"\n +\^"):
        parse_tiler(words)


@pytest.mark.parametrize("value", [None, 4, b"4:1", ["4:1"]])
def test_only_text_is_read(value: object) -> None:
    with pytest.raises(NotationError, match="expected text"):
        parse(value)  # type: ignore[arg-type]  # what is no text


MIB = 2**20
BOMBS = {
    "open brackets": "(" * MIB,
    "nested layouts": "(" * 64 + "1" + ")" * 64 + ":" + "(" * 65,
    "closed brackets": "(" * 5000 + ")" * 5000,
    "empty tuples": "(" + "()," * 300_000 + ")",
    "many leaves": f"({','.join(['1'] * 400_000)})",
    "4097 leaves": f"({','.join(['1'] * 4097)})",
    "many tiles": f"[{'|'.join(['1'] * 400_000)}]",
    "huge extents": f"({','.join(['4611686018427387904'] * 4096)})",
    "long number": "9" * MIB,
    "long name": "a" * MIB,
    "long zeros": "0" * (MIB - 1) + "4",
    "long string": '"' + "a" * (MIB - 1),
    "blanks": " " * MIB,
    "signs": "-" * MIB,
    "sum": "1@0" + "+1@0" * 200_000,
    "basis path": "1" + "@0" * 400_000,
    "fly path": "1" + "E0" * 100,
    "chain": "8:1" + " o 0 o 8:1" * 80_000,
    "S parts": "S[8]" + " + R[2:8]" * 100_000,
    "offsets": "S[8]" + " + 1@tx" * 100_000,
    "iters": f"S[({','.join(['2'] * 200_000)})]",
    "compositions": "ComposeLayout(" * 70_000,
    "attributes": "#ttg.slice<{parent = " * 50_000,
    "aliases": "#a = #ttg.blocked<{}>\n" * 40_000,
    "shared aliases": "#a0 = #ttg.x<{k = 1}>"
    + "".join(f"#a{i + 1} = #ttg.blocked<{{order = [#a{i}, #a{i}], parent = #a{i}}}>" for i in range(200)),
    "bases": "{" + "x = [[0]], " * 90_000 + "} -> {}",
    "table": "- " + "\n".join(f"x={1 << min(i, 62)} -> (0)" for i in range(50_000)),
    "two MiB": "1" * (2 * MIB),
}
SLICES = 50
RANK = f"[{', '.join(['1'] * SLICES)}]"
LARGEST = {
    "slices": "#ttg.slice<{dim = 0, parent = " * (SLICES - 1)
    + f"#ttg.blocked<{{sizePerThread={RANK}, threadsPerWarp={RANK}, warpsPerCTA={RANK}, order={list(range(SLICES))}}}>"
    + "}>" * (SLICES - 1),
    "depth": "(" * 63 + "(1,2)" + ")" * 63,
    "leaves": f"({','.join(['2'] * 62 + ['1'] * 4034)}):({','.join(['1@laneid+1@0'] * 2048 + ['0'] * 2048)})",
    "sum": "+".join(f"1@{i}" for i in range(4096)),
    "path": "1" + "@0" * 64,
    "chain": "8:1" + " o 0 o 8:1" * 64,
    "iters": f"S[({','.join(['2'] * 62 + ['1'] * 4034)}):({','.join(['1@tx'] * 4096)})]",
    "replicas": "S[8]" + " + R[2:8]" * 1000,
    "integer": "9223372036854775807",
    "zeros": "0" * (MIB - 1) + "4",
}


@pytest.mark.parametrize("words", BOMBS.values(), ids=BOMBS.keys())
def test_hostile_texts_end_within_a_second_in_our_errors(words: str) -> None:
    with within(1), contextlib.suppress(NotationError, LayoutError):
        parse(words)


@pytest.mark.parametrize("words", LARGEST.values(), ids=LARGEST.keys())
def test_the_largest_lawful_texts_are_read_within_a_second(words: str) -> None:
    with within(1):
        found = parse(words)
    assert parse(text(found)) == found
