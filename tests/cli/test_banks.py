"""`tilewright banks` and `tilewright swizzle`: the model's counts, honest exit statuses, one line for errors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import tilewright as tw
from tilewright.analysis.model.patterns import walking
from tilewright.arch import get
from tilewright.asked.accesses import Question, access, tile
from tilewright.cli.main import main

SWIZZLED = "Sw<3,3,3> o 0 o (8,64):(64,1)"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def shown(capsys: pytest.CaptureFixture[str], status: int, *arguments: str) -> str:
    assert main(arguments) == status
    out, err = capsys.readouterr()
    assert err == ""
    return out


def halves(text: str = "(8,64)", arch: str = "sm_90") -> Question:
    return Question(*tile(text), 16, get(arch))


# ---- what texts mean


@pytest.mark.parametrize(
    ("text", "kind", "instruction", "bits"),
    [
        ("rows 16B", "load", "auto", 128),
        ("rows 128b", "load", "auto", 128),
        ("columns", "load", "auto", 128),
        ("store columns 4B", "store", "auto", 32),
        ("cp.async rows 8bytes", "store", "cp.async", 64),
        ("ld.shared.v2.f32 rows", "load", "ld.shared.v2.f32", 64),
        ("ldmatrix.x4.trans", "load", "ldmatrix.x4.trans", 128),
        ("stmatrix.x2", "store", "stmatrix.x2", 128),
        ("ldmatrix columns", "load", "ldmatrix", 128),
        ("(32,8):(8,1)", "load", "auto", None),
        ("store (32,8):(8,1) 128bits", "store", "auto", 128),
        ("Sw<1,0,5> o 0 o (32,8):(8,1) 4B", "load", "auto", 32),
    ],
)
def test_an_access_says_what_it_is(text: str, kind: str, instruction: str, bits: int | None) -> None:
    found = access(text, halves())
    assert (found.kind, found.instruction, found.vector_bits, found.name) == (kind, instruction, bits, text)


def test_patterns_are_those_of_the_library() -> None:
    for order in ("rows", "columns"):
        expected = walking(tw.Layout((8, 64), (64, 1)), order, 16, element_bits=16, threads=64)
        assert access(f"ds_read_b128 {order}", halves(arch="gfx942")).thread_value == expected.thread_value


def test_a_shape_is_a_row_major_tile() -> None:
    assert tile("(8,64)")[1] == "(8,64):(64,1)"
    assert tile("32")[1] == "(32):(1)"
    assert tile("S[(8,64):(64,1)]")[0] == tw.parse("S[(8,64):(64,1)]")


# ---- banks


@pytest.mark.parametrize(("layout", "counts"), [("(8,64)", (64, 8, 1)), (SWIZZLED, (8, 8, 0))])
def test_banks_count_what_the_library_counts(
    layout: str, counts: tuple[int, int, int], capsys: pytest.CaptureFixture[str]
) -> None:
    wavefronts, ideal, status = counts
    text = shown(capsys, status, "banks", layout, "ldmatrix.x4", "--element-bits", "16")
    assert f"{wavefronts} wavefronts, ideal {ideal}" in text
    data = json.loads(shown(capsys, status, "banks", layout, "ldmatrix.x4", "--dtype", "f16", "--json"))
    one = access("ldmatrix.x4", halves(layout))
    report = tw.bank_conflicts(
        tw.parse("(8,64):(64,1)") if status else tw.parse(layout),
        one.thread_value,
        element_bits=16,
        instruction="ldmatrix.x4",
    )
    (found,) = data["reports"]
    assert report.to_json().items() <= found.items()
    assert data["conflict_free"] == (status == 0)


def test_conflicts_come_with_their_repair(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, 1, "banks", "(8,64)", "ldmatrix.x4", "store rows 16B", "--dtype", "f16")
    assert "repair    Sw<3,3,3> o 0 o (8,64):(64,1): 16 wavefronts instead of 72, conflict-free" in text
    assert "Sw<3,3,3> in elements, Sw<3,4,3> in bytes, Sw<3,7,3> in bits; mode 128B" in text
    assert "or pad    rows of 64+8 elements" in text
    demand = re.search(r"^  words(.*)$", text, re.MULTILINE)
    assert demand
    assert demand[1].split() == ["8"] * 4 + ["."] * 28


def test_repair_is_left_out_where_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["banks", "(64,8):(256,1)", "64:1", "--element-bits", "96", "--arch", "gfx942"]
    data = json.loads(shown(capsys, 1, *words, "--json"))
    assert data["repair"] is None
    assert "repair" not in shown(capsys, 1, "banks", "--at", "0 128")


def test_the_command_of_the_handbook(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["banks", SWIZZLED, "((8,4),8):((1,64),8)", "--element-bits", "16"]
    text = shown(capsys, 0, *words, "--instruction", "ldmatrix.x4", "--arch", "sm_90")
    assert "4 wavefronts, ideal 4: conflict-free" in text


def test_raw_addresses(capsys: pytest.CaptureFixture[str]) -> None:
    assert "2 wavefronts, ideal 1" in shown(capsys, 1, "banks", "--at", "32:8")
    assert "1 wavefront, ideal 1" in shown(capsys, 0, "banks", "--at", "0,4,8", "--element-bits", "32")
    assert "4 wavefronts, ideal 4" in shown(capsys, 0, "banks", "--at", "32:16", "--vector-bits", "128")
    data = json.loads(shown(capsys, 1, "banks", "--at", "0 128 256", "--kind", "store", "--json"))
    assert (data["reports"][0]["kind"], data["reports"][0]["ways"]) == ("store", 3)


def test_options_reach_the_model(capsys: pytest.CaptureFixture[str]) -> None:
    column = ["banks", "(32,64)", "columns 2B", "--dtype", "f16"]
    assert "2-way conflict" in shown(capsys, 1, *column, "--active", "0,31")
    assert "conflict-free" in shown(capsys, 0, *column, "--active", "7")
    assert "at byte 64" in shown(capsys, 1, *column, "--base", "64")
    pairs = ["banks", "64:1", "(32,4):(0,1) 16B", "--element-bits", "32"]
    assert "2 wavefronts, ideal 2" in shown(capsys, 0, *pairs)
    assert "4 wavefronts, ideal 4" in shown(capsys, 0, *pairs, "--merge", "no")
    assert "8 wavefronts, ideal 8" in shown(
        capsys, 0, "banks", "(64,4)", "rows 16B", "--dtype", "f32", "--arch", "gfx942"
    )
    assert "store, 16 bytes" in shown(capsys, 0, "banks", "(32,4)", "rows 16B", "--dtype", "f32", "--kind", "store")
    assert "ldmatrix.x1" in shown(capsys, 1, "banks", "(8,64)", "--instruction", "ldmatrix.x1", "--dtype", "f16")


def test_pictures_of_banks(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["banks", "(8,64)", "rows 16B", "ldmatrix.x4", "--dtype", "f16", "--base", "4", "--svg", "banks.svg"]
    assert main(words) == 2
    assert "not a multiple of 16" in capsys.readouterr().err
    words[words.index("4")] = "16"
    assert "picture   banks.svg" in shown(capsys, 1, *words)
    root = ElementTree.fromstring(Path("banks.svg").read_text())
    texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    cells = [text.text for text in root.findall(".//*[@data-panel='0']//{http://www.w3.org/2000/svg}text")]
    assert "words wanted from each bank: 64 wavefronts, ideal 8, 8-way conflict" in texts
    assert "(8,64):(64,1), elements of 16 bits" in texts
    first = [text for text in texts if "bank of each element" in text]
    assert first == ["rows 16B: bank of each element", "ldmatrix.x4: bank of each element"]
    assert sum(text.startswith("words wanted") for text in texts) == 2  # each access has its own
    assert str(cells[0]).strip() == "4"  # the base moves element 0 to bank 4


# ---- swizzle


def test_swizzle_finds_the_best(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "swizzle",
        "(8,64):(64,1)",
        "--element-bits",
        "16",
        "--access",
        "store rows 16B",
        "--access",
        "ldmatrix.x4",
    ]
    text = shown(capsys, 0, *words)
    assert "Sw<3,3,3> in elements of 16 bits, Sw<3,4,3> in bytes, Sw<3,7,3> in bits" in text
    data = json.loads(shown(capsys, 0, *words, "--json"))
    asked = [access("store rows 16B", halves()), access("ldmatrix.x4", halves())]
    ranking = tw.suggest_swizzle(tw.parse("(8,64):(64,1)"), asked, element_bits=16)
    assert data["ranking"] == [advice.to_json() for advice in ranking[:5]]
    assert len(json.loads(shown(capsys, 0, *words, "--json", "--top", "2"))["ranking"]) == 2


@pytest.mark.parametrize(
    ("words", "best", "accesses"),
    [
        ("(8,64) --dtype f16", "Sw<3,3,3>", ("store rows", "ldmatrix")),
        ("(64,8):(1,64) --dtype f16", "Sw<3,3,3>", ("store columns", "ldmatrix")),
        ("S[(8,64):(64,1)] --dtype f16", "Sw<3,3,3>", ("store rows", "ldmatrix")),
        ("(8,128) --dtype e4m3", "Sw<3,4,3>", ("store rows", "load columns")),
        ("(32,32) --dtype tf32", "Sw<3,2,3>", ("store rows", "load columns")),
        ("(8,32) --dtype f16", "Sw<2,3,3>", ("store rows", "ldmatrix")),
        ("(8,16) --dtype f16", "Sw<1,3,3>", ("store rows", "ldmatrix")),
        ("(64,64) --dtype f16 --arch gfx942", "Sw<3,3,3>", ("store rows", "load columns")),
    ],
)
def test_one_line_is_enough(
    words: str, best: str, accesses: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    data = json.loads(shown(capsys, 0, "swizzle", *words.split(), "--json"))
    b, m, s = data["ranking"][0]["swizzle"]["elements"]
    assert f"Sw<{b},{m},{s}>" == best
    assert tuple(one["access"] for one in data["accesses"]) == accesses


def test_a_descriptor_restricts_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["swizzle", "(32,32)", "--dtype", "f32", "--access", "columns 4B"]
    free = json.loads(shown(capsys, 0, *words, "--json"))
    assert free["ranking"][0]["swizzle"]["elements"] == [5, 0, 5]
    text = shown(capsys, 1, *words, "--access", "tma")
    assert "mode 128B" in text
    assert "tensor map: box {32, 32} once" in text
    assert "padding" not in text


def test_pictures_of_swizzles(capsys: pytest.CaptureFixture[str]) -> None:
    assert "picture   s.svg" in shown(capsys, 0, "swizzle", "(8,64)", "--dtype", "f16", "--svg", "s.svg")
    text = Path("s.svg").read_text()
    ElementTree.fromstring(text)
    assert text.count("bank of each element") == 4  # two accesses, as it is and swizzled
    assert "64 wavefronts, ideal 8, 8-way conflict" in text
    assert "8 wavefronts, ideal 8, conflict-free" in text


# ---- what is wrong is said in one line


BANKS = [
    ("", "give LAYOUT and ACCESS"),
    ("(8,64)", "give LAYOUT and ACCESS"),
    ("--at 0:128:4", "--at 0:128:4: give byte addresses 0,4,8 or a layout (32:4)"),
    ("(64,8) load --dtype e4m3 --at 9", "--at stands instead of LAYOUT"),
    ("(8,64) ldmatrix.x4", "--element-bits N or --dtype NAME"),
    ("(8,64) ldmatrix.x4 --element-bits 16 --dtype f16", "one of the two"),
    ("(8,64) ldmatrix.x9 --dtype f16", "unknown instruction 'ldmatrix.x9'"),
    ("(8,64) ldmatrix.x9", "known are auto, ld.shared"),
    ("(8,64) ldmatrix.x9", "ldmatrix[.x1|.x2|.x4][.trans]"),
    ("(8,64) moon --dtype f16", "a pattern is rows, columns, or a layout"),
    ("(8,64) rows_16 --dtype f16", "unknown instruction 'rows_16'"),
    ("(8,64) rows/16 --dtype f16", "an access is such as 'rows 16B'"),
    ("(8,64) 8 --dtype f16", "'8' is no thread-value layout"),
    ("(8,64) load --dtype f16", "load of what?"),
    ("(8,6 rows --dtype f16", "cannot read '(8,6'"),
    ("8:(1,2) rows --dtype f16", "different profiles"),
    ("4@laneid rows --dtype f16", "no layout of a tile"),
    ("(4,?) rows --dtype f16", "static extents"),
    ("(8,64) rows --dtype potato", "unknown element type 'potato'"),
    ("(8,64) rows --element-bits 0", "from 1 to 128"),
    ("(8,64) rows --dtype f16 --arch moon", "unknown architecture 'moon'"),
    ("(8,64) tma --dtype f16", "tilewright swizzle know its mode"),
    ("(12,64) ldmatrix --dtype f16", "the tile has 12 lines"),
    ("(8,64) rows --dtype f16 --active 0-x", "threads and ranges such as 0-15,20"),
    ("(8,64) rows --dtype f16 --active 5-2", "going up"),
    ("(8,64) rows --dtype f16 --active ²", "threads and ranges such as 0-15,20"),
    ("(8,64) rows --dtype f16 --active 0-99999999999", "below 4096"),
    (f"(8,64) rows --dtype f16 --base {'9' * 5000}", "is no integer below 2^63"),
    ("(8,64) rows --dtype f16 --vector-bits ٣", "is no integer"),
    ("(8,64) rows --dtype f16 --active 99", "there are 32 threads"),
    ("(8,64) rows --dtype f16 --base -1", "base_bytes"),
    ("(8,64) rows --dtype f16 --merge maybe", "invalid choice"),
    ("(8,64) rows --dtype f16 -o b.gif", "the suffix must be one of"),
    ("(8,64) rows --dtype f16 --svg mine.svg", "is there already"),
    ("(4096,64) rows --dtype f16 --svg b.svg", "too many for a picture"),
    ("(8,64) --at 0", "leave one of them out"),
    ("--at 0,4,x", "cannot read '0,4,x'"),
    ("--at 9999999:1", "at most 4096 threads"),
    ("--at -4,0", "--at -4,0: a byte address is 0 or more"),
    ("--at 0,-4 --json", "a byte address is 0 or more"),
    ("--at -x", "expected one argument"),
    ("(8,64) --at -4,0", "leave one of them out"),
    ("--at ²,4", "cannot read '²,4'"),
    (f"--at {'9' * 5000}", "the integer is outside"),
    ("--at 0,4 --vector-bits 0", "width"),
    ("--at (4,8)", "byte addresses 0,4,8 or a layout"),
    ("--at 0,4 --svg b.svg", "-o draws a tile"),
    ("--at 0,2", "not a multiple of 4"),
]
SWIZZLE = [
    ("", "arguments are required"),
    ("(3,33) --dtype f16", "99 vectors of 2 bytes are no whole number of instructions"),
    ("(8,65) --dtype f16 --access tma", "tma can use"),
    ("(8,64) --dtype f16 --arch sm_90 --access tcgen05", "came with sm_100"),
    ("(8,64) --dtype f16 --access tma/rows", "an access is such as"),
    ("(8,64) --dtype f16 --top 0", "at least one"),
    ("(8,64) --element-bits 24 --access columns/3B", "an access is such as"),
    ("(8,64) --element-bits 12 --access (32,2):(2,1)", "powers of two"),
    ("(8,64) --dtype f16 --svg mine.svg", "is there already"),
]


@pytest.mark.parametrize(
    ("command", "words", "message"), [("banks", *c) for c in BANKS] + [("swizzle", *c) for c in SWIZZLE]
)
def test_bad_input_is_one_line(command: str, words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.svg").write_text("mine")
    assert main([command, *words.split()]) == 2
    out, err = capsys.readouterr()
    assert err.count("\n") == 1
    assert err.startswith(f"tilewright {command}: ")
    assert message in err
    assert out == ""
    assert Path("mine.svg").read_text() == "mine"


@pytest.mark.parametrize(
    "words",
    [["(8,64)", "rows", "--svg", ""], ["--at", ""], ["(8,64)", "rows", "--at", ""], ["(8,64)", "--instruction", ""]],
)
def test_an_empty_option_is_no_absent_one(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["banks", *words, "--dtype", "f16"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_canonical_tile_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["banks", "Sw<3,3,3> o 0 o (8,64):(64,1)", "ldmatrix.x4", "--dtype", "f16"]
    assert "repeats Layout_K_SW128_Atom" in shown(capsys, 0, *words)
    assert json.loads(shown(capsys, 0, *words, "--json"))["atom"] == "Layout_K_SW128_Atom"
    assert "mode 128B, Layout_K_SW128_Atom" in shown(capsys, 1, "banks", "(8,64)", "ldmatrix.x4", "--dtype", "f16")


def test_a_descriptor_alone_is_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, 0, "swizzle", "(64,128)", "--dtype", "f16", "--access", "wgmma", "--svg", "tile.svg")
    assert "layout Sw<3,3,3> o 0 o (64,(64,2)):(64,(1,4096))" in text
    assert "access    wgmma, by a descriptor" in text
    data = json.loads(
        shown(capsys, 0, "swizzle", "(64,128):(1,64)", "--dtype", "tf32", "--access", "tcgen05", "--json")
    )
    assert (data["ranking"][0]["atom"], data["ranking"][0]["mode"]) == ("Layout_MN_SW128_32B_Atom", "128B_ATOM_32B")


def test_a_descriptor_takes_no_pattern(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["swizzle", "(8,64)", "--dtype", "f16", "--access", "tma rows 16B"]) == 2
    assert "leave out 'rows 16B'" in capsys.readouterr().err


def test_force_writes_over(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.svg").write_text("mine")
    shown(capsys, 0, "swizzle", "(8,64)", "--dtype", "f16", "--svg", "mine.svg", "--force")
    assert Path("mine.svg").read_text() != "mine"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("(64,128) --dtype f16", True),
        ("(64,128) --dtype f16 --arch sm_100", True),
        ("(64,128) --dtype f16 --arch sm_80", False),
        ("(64,128) --dtype f16 --arch gfx942", False),
        ("(64,64) --dtype f16", False),
        ("(64,128) --dtype f16 --access ldmatrix", False),
    ],
)
def test_descriptors_are_named_where_the_best_is_no_mode_of_theirs(
    capsys: pytest.CaptureFixture[str], words: str, told: bool
) -> None:
    assert main(["swizzle", *words.split()]) == 0
    assert ("say so: --access tma" in capsys.readouterr().out) is told


@pytest.mark.parametrize("command", ["banks", "swizzle"])
def test_accesses_stand_before_and_behind_options(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    first, second, width = "store rows 16B", "ldmatrix.x4", ("--dtype", "f16")
    assert main([command, "(64,64)", first, second, *width]) in (0, 1)
    wanted = capsys.readouterr().out
    for words in ([*width, first, second], [first, *width, second]):
        main([command, "(64,64)", *words])
        assert capsys.readouterr().out == wanted
    assert main([command, "(64,64)", *width, second, "--moon"]) == 2
    assert "unrecognized arguments" in capsys.readouterr().err


def test_accesses_of_a_swizzle_are_words_or_options(capsys: pytest.CaptureFixture[str]) -> None:
    words = shown(capsys, 0, "swizzle", "(64,64)", "A of SM80_16x8x16_F32F16F16F32_TN by SM75_U32x4_LDSM_N", "rows 16B")
    told = ("--access", "A of SM80_16x8x16_F32F16F16F32_TN by SM75_U32x4_LDSM_N", "--access", "rows 16B")
    assert words == shown(capsys, 0, "swizzle", "(64,64)", *told)


@pytest.mark.parametrize(
    ("access", "message"),
    [
        ("A of m16n8k16", "atoms of that instruction: SM80_16x8x16"),
        ("D of SM80_16x8x16_F32F16F16F32_TN", "an operand is A, B or C, not 'D'"),
        ("A of SM80_16x8x16_F32F16F16F32_TN by ldmatrix.x4", "atoms of that instruction: SM75_U32x4_LDSM_N"),
    ],
)
def test_operands_say_which_atom_or_operand_is_none(
    access: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["banks", "(64,64)", access]) == 2
    assert message in capsys.readouterr().err
