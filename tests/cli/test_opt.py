"""`tilewright opt`: passes in the order written, MLIR's spellings, diagnostics with places, and never another error."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from cpu import within

from tilewright.cli.main import main
from tilewright.cli.opt import MOST_BYTES, MOST_MODULES
from tilewright.cli.opt_words import FLAGS, GIVEN, requested
from tilewright.errors import UsageError
from tilewright.ir.expectations import expectations
from tilewright.passes.registry import PASSES, pass_of, pipeline_of

MODULE = """func.func @f(%i: index) -> index {
  %c8 = arith.constant 8 : index
  %x = arith.divui %c8, %c8 : index
  tile.sync "cta"
  func.return %i : index
}
"""
MLIR = Path(__file__).parents[1] / "mlir"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.mlir"
    path.write_text(MODULE)
    return path


def names(words: list[str]) -> list[str]:
    return [step.name for step in requested(words).passes]


def test_passes_run_in_the_order_written_wherever_the_file_stands() -> None:
    for words in (["--cse", "f", "--dce"], ["f", "--cse", "--dce"], ["-cse", "-dce", "f"], ["--cse", "--dce", "f"]):
        assert names(words) == ["cse", "dce"]
        assert requested(words).file == "f"
    assert names(["--dce", "--pass-pipeline=any(simplify,cse)", "-dce"]) == ["dce", "simplify", "cse", "dce"]


def test_options_are_those_of_the_pass() -> None:
    assert str(pass_of("dispatch", "lanes=64")) == "dispatch{lanes=64}"
    assert [str(p) for p in pipeline_of("builtin.module(dispatch{lanes=64}, func.func(gpu.func(cse), dce))")] == [
        "dispatch{lanes=64}",
        "cse",
        "dce",
    ]
    assert pipeline_of("") == pipeline_of("builtin.module()") == ()


def test_every_pass_is_made_by_its_name() -> None:
    assert [pass_of(name).name for name in PASSES] == list(PASSES)


@pytest.mark.parametrize(
    "text",
    [
        *("cse dce", "cse,", ",cse", "cse(dce)", "any(cse", "cse)", "any", "any()()", "nope", "dispatch{lanes=x}"),
        *("dispatch{variants=1}", "dispatch{lines=3}", "dispatch{lanes=1", "cse{a=}", "(cse)", "any(cse,)"),
    ],
)
def test_what_is_no_pipeline_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        pipeline_of(text)


@pytest.mark.parametrize("flag", [*FLAGS, *GIVEN])
def test_flags_stand_anywhere_with_one_dash_or_two(flag: str) -> None:
    for words in ([f"-{flag}", "f"], ["f", f"--{flag}"], [f"--{flag}=true", "f"], [f"-{flag}=0", "f", f"--{flag}"]):
        assert (requested(words).file, requested(words).flags) == ("f", {flag})
    assert requested(["f", f"--{flag}", f"-{flag}=false"]).flags == frozenset()


def test_a_value_stands_behind_its_option_or_with_it() -> None:
    for words in (["-o", "x", "f"], ["f", "-o", "x"], ["-o=x", "f"], ["f", "--o=x"]):
        assert (requested(words).file, requested(words).output) == ("f", "x")
    for words in (["-pass-pipeline", "any(cse)", "f"], ["f", "--pass-pipeline=any(cse)"]):
        assert (requested(words).file, names(words)) == ("f", ["cse"])


@pytest.mark.parametrize(
    "words",
    [["a", "b"], ["a", "--nope"], ["a", "--verify-each=x"], ["a", "---cse"], ["--"], ["a", "-o"], ["--pass-pipeline"]],
)
def test_wrong_words_are_refused(words: list[str]) -> None:
    with pytest.raises(UsageError):
        requested(words)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none.mlir", "there is no file 'none.mlir'"),
        ("/dev/null", "'/dev/null' is a device, a pipe or a socket: name an ordinary file"),
        (".", "'.' is a directory: name an ordinary file"),
        ("x" * 5000, "there is no file"),
        ("a\0b", "there is no file"),
    ],
)
def test_what_is_no_file_is_said_to_be_what_it_is(name: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", name]) == 2
    assert words in capsys.readouterr().err


def test_the_answer_and_the_status(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", str(file), "--dce"]) == 0
    out, err = capsys.readouterr()
    assert (out.count("arith"), "tile.sync" in out, err) == (0, True, "")
    file.write_text(MODULE.replace('"cta"', '"grid"'))
    assert main(["opt", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    told = "'tile.sync' op tile.sync scope 'grid' is none of warp, cta, cluster"
    assert err.splitlines()[0] == f"{file}:4:3: error: {told}"
    assert err.splitlines()[1:] == ['  tile.sync "grid"', "  ^"]


@pytest.mark.parametrize(
    ("comment", "status"),
    [
        ("// expected-error @+1 {{none of warp}}", 0),
        ("// expected-error @+1 {{some of warp}}", 1),
        ("// expected-error {{none of warp}}", 1),
        ("// expected-error @unknown {{none of warp}}", 0),
        ("// expected-warning @+1 {{none of warp}}", 1),
        ("// expected-error-re @below {{'{{[a-z]+}}' is none}}", 0),
        ("", 1),
    ],
)
def test_expected_errors(comment: str, status: int, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(MODULE.replace("  tile.sync", f"{comment}\n  tile.sync").replace('"cta"', '"grid"'))
    assert main(["opt", "-verify-diagnostics", str(file)]) == status
    assert bool(capsys.readouterr().err) is bool(status)


@pytest.mark.parametrize("between", [[], ["", "  // words"], ["// expected-note {{x}}"]])
def test_designators_above_and_below_each_other_name_the_nearest_other_line(between: list[str]) -> None:
    op, other = "op", "other"
    error, note = "// expected-error @{} {{{{a}}}}", "// expected-note @{} {{{{b}}}}"
    for n in (1, 2, 5):
        stack = [error.format("below"), *[note.format("below")] * (n - 1)]
        assert [e.line for e in expectations("\n".join([other, *stack, op]), 10)] == [11 + n] * n
        stack = [error.format("above"), *[note.format("above")] * (n - 1)]
        assert [e.line for e in expectations("\n".join([op, *stack, other]), 10)] == [10] * n
    both = [op, *between, error.format("above"), error.format("below"), *between, op]
    lines = [e.line for e in expectations("\n".join(both)) if e.words == "a"]
    designators = between[:1] if between and "expected" in between[0] else []
    assert lines == ([1, len(both)] if designators else [1 + len(between), len(both) - len(between)])


def test_unexpected_errors_pass_where_only_the_expected_count(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = MODULE.replace('"cta"', '"grid"')
    for text, all_count, only_expected in (
        (wrong, 1, 0),
        (f"// expected-error @unknown {{{{none of warp}}}}\n{wrong}", 0, 0),
        (f"// expected-error @unknown {{{{some of warp}}}}\n{wrong}", 1, 1),
        (f"// expected-error @unknown {{{{none of warp}}}}\n{MODULE}", 1, 1),
    ):
        file.write_text(text)
        for value, status in (("all", all_count), ("only-expected", only_expected)):
            assert main(["opt", str(file), f"--verify-diagnostics={value}"]) == status, (text, value)
    capsys.readouterr()
    assert main(["opt", str(file), "--verify-diagnostics=some"]) == 2
    assert "--verify-diagnostics is all or only-expected" in capsys.readouterr().err


def test_a_line_of_ones_own_separates_modules(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("\n// ---\n".join([MODULE, MODULE.replace('"cta"', '"grid"'), MODULE]))
    assert main(["opt", str(file), "--split-input-file=// ---"]) == 2
    out, err = capsys.readouterr()
    assert (out.count("@f"), err.count("error:")) == (2, 1)
    assert main(["opt", str(file), "-split-input-file"]) == 2
    assert capsys.readouterr().err.count("error:") == 1
    assert main(["opt", str(file), "--split-input-file= "]) == 2
    assert "takes the line between two modules" in capsys.readouterr().err


@pytest.mark.parametrize("word", ["--nosuch", "--pass-pipeline=builtin.module(nosuch)"])
def test_what_there_is_comes_in_short_lines_for_a_word_that_is_not(
    word: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["opt", str(file), word]) == 2
    first, *lines = capsys.readouterr().err.splitlines()
    assert "nosuch" in first
    assert max(map(len, lines)) <= 102
    listed = {name.removeprefix("--") for line in lines for name in re.findall(r"[\w-]+", line)}
    assert listed >= {*PASSES}


def test_an_error_that_does_not_come_is_a_finding(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(f"// expected-error @+1 {{{{x}}}}\n{MODULE}")
    assert main(["opt", "-verify-diagnostics", str(file)]) == 1
    assert f'{file}:1:1: error: expected error "x" was not produced' in capsys.readouterr().err


LOOP = """func.func @f(%n: index, %x: f32, %A: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  scf.for %i = %c1 to %n step %c1 {
    memref.store %x, %A[%i] : memref<8xf32>
  }
  func.return
}
"""


def test_a_remark_is_said_beside_the_answer(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Loops that nobody marked stay, and whoever asks to unroll is told so; the status is that of success."""
    file.write_text(LOOP)
    remark = f"{file}:3:3: remark: no loop is marked"
    for words, told in (("--unroll", remark), ("--unroll=all=true", ""), ("--cse", "")):
        assert main(["opt", str(file), words]) == 0
        out, error = capsys.readouterr()
        assert "scf.for" in out
        assert error.startswith(told)
        assert bool(error) == bool(told)
    assert main(["opt", str(file), "--unroll", "--verify-diagnostics"]) == 1
    assert "unexpected remark: no loop is marked" in capsys.readouterr().err


def test_modules_of_a_split_file_are_on_their_own(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(f"{MODULE}// -----\nfoo\n// -----\n{MODULE}")
    assert main(["opt", "--split-input-file", str(file)]) == 2
    out, err = capsys.readouterr()
    assert out.count("@f") == 2
    assert "\n// -----\n" in out
    assert err.startswith(f"{file}:8:1: error: ")


def test_the_answer_goes_to_a_file_if_there_is_one(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", str(file)]) == 0
    text, out = capsys.readouterr().out, file.with_name("out.mlir")
    assert main(["opt", "-o", str(out), str(file)]) == 0
    assert (out.read_text(), capsys.readouterr().out) == (text, "")
    assert main(["opt", str(file), "-o", str(out), "--dce"]) == 0, "as a test runs again"
    assert "arith" not in out.read_text()
    file.write_text("foo")
    assert main(["opt", str(file), "-o", str(out)]) == 2
    assert "@f" in out.read_text(), "what is wrong gives no answer"
    assert main(["opt", str(file), "-o", f"{file.parent}/./{file.name}"]) == 2
    assert file.read_text() == "foo", "the input is kept"


def test_flags_that_only_tell_something(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", "--show-dialects"]) == main(["opt", "--version"]) == 0
    assert re.fullmatch(r"dialects: builtin, .*fly.*\ntilewright [0-9].*\n", capsys.readouterr().out)
    assert main(["opt", str(file), "--mlir-print-ir-before-all", "--mlir-print-ir-after-all", "--dce", "--cse"]) == 0
    dumps = re.findall(r"IR Dump (\w+ \w+)", capsys.readouterr().err)
    assert dumps == ["Before dce", "After dce", "Before cse", "After cse"]


def test_private_functions_without_use_go_with_those_that_only_they_use(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calls = {"a": "b", "b": "a", "c": "d", "d": ""}
    bodies = {name: f"func.call @{called}() : () -> ()\n" if called else "" for name, called in calls.items()}
    functions = [f"func.func private @{name}() {{\n{body}return\n}}" for name, body in bodies.items()]
    file.write_text("\n".join([*functions, "func.func @e() {\nfunc.call @d() : () -> ()\nreturn\n}"]))
    assert main(["opt", str(file), "--symbol-dce"]) == 0
    assert re.findall(r"func.func.*@(\w)", capsys.readouterr().out) == ["d", "e"]


@pytest.mark.parametrize(
    ("word", "words"),
    [
        ("--canonicalise", "did you mean --canonicalize?"),
        ("--pass-pipeline=builtin.module(nocse)", "unknown pass 'nocse'; did you mean cse?"),
        ("--verify-diagnostic", "did you mean --verify-diagnostics?"),
        ("--pass-pipeline=builtin.module(simplfy)", "did you mean simplify?"),
        ("--dispatch=lanes=x", "the pass dispatch does not take the options 'lanes=x'; it takes lanes (an integer)"),
        ("--dispatch=lanez=3", "the pass dispatch does not take the options 'lanez=3'; it takes lanes (an integer)"),
        ("--canonicalize=depth=3", "the pass canonicalize does not take the options 'depth=3'; it takes none"),
        ("--inline", "the pass inline has no meaning here"),
    ],
)
def test_wrong_words_are_told_as_they_were_written(
    word: str, words: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["opt", str(file), word]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert "class" not in err
    pipeline = "builtin.module(canonicalize{max-iterations=10 top-down=true})"
    assert main(["opt", str(file), f"--pass-pipeline={pipeline}"]) == 0


def test_ops_of_unknown_dialects_are_taken_where_allowed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(MODULE.replace("tile.sync", '%y = "far.away"(%i) {a = 1 : i32} : (index) -> i32\n  tile.sync'))
    assert main(["opt", str(file)]) == 2
    assert f"{file}:4:8: error: operation 'far.away' of an unregistered dialect" in capsys.readouterr().err
    assert main(["opt", str(file), "--dce", "--cse", "-allow-unregistered-dialect"]) == 0
    text = capsys.readouterr().out
    assert '"far.away"(%i) {a = 1 : i32} : (index) -> i32' in text
    file.write_text(text)
    assert main(["opt", str(file), "-allow-unregistered-dialect"]) == 0
    assert capsys.readouterr().out == text
    assert main(["opt", str(file)]) == 2, "for one command line only"


def test_the_places_of_ops_are_printed_and_read(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", str(file), "--mlir-print-debuginfo"]) == 0
    text = capsys.readouterr().out
    assert f'tile.sync "cta" loc("{file}":4:3)' in text
    moved = file.with_name("moved.mlir")
    moved.write_text(text)
    for flag in ("-mlir-print-debuginfo", "-mlir-print-op-generic"):
        assert main(["opt", str(moved), "-mlir-print-debuginfo", flag]) == 0
        moved.write_text(capsys.readouterr().out)
    assert main(["opt", str(moved), "--mlir-print-debuginfo"]) == 0
    assert capsys.readouterr().out == text


PLACES = (
    'loc("k.py":3:4)',
    'loc("x"("k.py":3:4))',
    'loc("x")',
    'loc("q\\22u")',
    'loc("a\\\\b.py":1:2)',
    'loc(callsite("lib.py":30:4 at "x"("k.py":3:4)))',
    'loc(fused["a.py":1:2, "x"])',
    'loc(fused<"m">["x", callsite("y" at unknown)])',
    "loc(unknown)",
)


@pytest.mark.parametrize("generic", [[], ["-mlir-print-op-generic"]])
@pytest.mark.parametrize("said", PLACES)
def test_each_op_says_its_place_once_as_it_was_written(
    said: str, generic: list[str], file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout, size = "!fly.layout<(4,8):(1,4)>", "!fly.int_tuple<32>"
    whole = f"""module {{
  func.func @f(%arg0: i1) -> {size} {{
    %0 = fly.static : {layout} {said}
    %1 = fly.cosize(%0) : ({layout}) -> {size} {said}
    %2 = scf.if %arg0 -> ({size}) {{
      scf.yield %1 : {size} {said}
    }} else {{
      %3 = fly.size(%0) : ({layout}) -> {size} {said}
      scf.yield %3 : {size} {said}
    }} {said}
    return %2 : {size} {said}
  }} {said}
}} {said}
"""
    file.write_text(whole)
    assert main(["opt", str(file), "-mlir-print-debuginfo", *generic]) == 0
    text = capsys.readouterr().out
    ops = text.replace("%arg0: i1 loc(unknown)", "")
    assert ops.count(said) == ops.count("loc(") == 9
    file.write_text(text)
    assert main(["opt", str(file), "-mlir-print-debuginfo", *generic]) == 0
    assert capsys.readouterr().out == text
    file.write_text(f"#p = {said}\n" + whole.replace(said, "loc(#p)"))
    assert main(["opt", str(file), "-mlir-print-debuginfo", *generic]) == 0
    assert capsys.readouterr().out == text, "an alias stands for its location"


@pytest.mark.parametrize("said", ['loc("k.mlir":5:3)', 'loc("x")', "loc(unknown)", 'loc("x"("k.mlir":5:3))'])
def test_an_error_has_a_line_whatever_location_is_written(
    said: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(MODULE.replace('"cta"', f'"grid" {said}'))
    assert main(["opt", str(file)]) == 2
    assert f"{file}:4:3: error:" in capsys.readouterr().err


def test_a_location_of_endless_aliases_is_cut_short(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    doubled = "".join(f"#l{i + 1} = loc(fused[#l{i}, #l{i}])\n" for i in range(40))
    circle = "#a = loc(fused[#b])\n#b = loc(fused[#a])\n"
    for last in ("l40", "a"):
        file.write_text(f'#l0 = loc("k.py":1:2)\n{doubled}{circle}' + MODULE.replace('"cta"', f'"cta" loc(#{last})'))
        with within(1.0):
            assert main(["opt", str(file), "-mlir-print-debuginfo"]) == 0
        assert len(capsys.readouterr().out) < 2000


def test_the_module_after_each_pass_is_shown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["opt", str(file), "--mlir-print-ir-after-all", "--simplify", "--dce"]) == 0
    out, err = capsys.readouterr()
    _, first, second = err.split("// -----// IR Dump After ")
    assert (first.partition(" ")[0], second.partition(" ")[0]) == ("simplify", "dce")
    assert second.partition("\n")[2].strip() == out.strip()


@pytest.mark.parametrize("target", ["a", "b"])
def test_a_value_reaches_the_blocks_that_its_own_dominates(
    target: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """First ^b dominates ^d and ^e, or nothing leads to them; then ^d is entered from elsewhere too."""
    file.write_text(
        f"func.func @f(%c: i1) -> i1 {{\n  cf.cond_br %c, ^a, ^{target}\n^a:\n  func.return %c : i1\n"
        "^b:\n  %x = arith.xori %c, %c : i1\n  cf.br ^d\n"
        "^d:\n  %y = arith.xori %x, %c : i1\n  cf.cond_br %y, ^e, ^d\n^e:\n  func.return %x : i1\n}\n"
    )
    assert main(["opt", str(file)]) == 0, capsys.readouterr().err
    text = file.read_text().replace("cf.br ^d", "cf.br ^e").replace(f"^a, ^{target}", "^b, ^d")
    file.write_text(text)
    assert main(["opt", str(file)]) == 2
    assert f"{file}:9:8: error: 'arith.xori' op operand #0 does not dominate this use" in capsys.readouterr().err


def test_what_is_printed_is_read_again(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in sorted((MLIR / "passes").glob("*.mlir")):
        main(["opt", str(path), "--split-input-file"])
        first = capsys.readouterr().out
        for flag in ("--split-input-file", "--mlir-print-op-generic"):
            file.write_text(first)
            assert main(["opt", str(file), "--split-input-file", flag]) == 0
            file.write_text(capsys.readouterr().out)
            assert main(["opt", str(file), "--split-input-file"]) == 0
            assert capsys.readouterr().out == first


def test_large_files_are_refused(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text("//" * (MOST_BYTES // 2 + 1))
    assert main(["opt", str(file)]) == 2
    assert "at most 1048576 bytes" in capsys.readouterr().err


def _called(op: str, layout: str, operands: int = 1) -> str:
    types = ", ".join([f"!fly.layout<{layout}>"] * operands)
    values = ", ".join(["%a"] * operands)
    return f"func.func @f(%a: !fly.layout<{layout}>) {{ %r = fly.{op}({values}) : ({types}) -> i32 func.return }}"


HOSTILE = {
    "nothing": "",
    "an open string": '"' + "tile" * 30 + "\n" + "x" * 5000,
    "no text": b"\xff\xfe",
    "a cut string": '"' * 3,
    "open braces": "{" * 50000,
    "open modules": "builtin.module {" * 5000,
    "open types": "func.func @f(%a: " + "tuple<" * 20000,
    "open locations": "func.func @f() { func.return } loc(fused[" * 3000,
    "open arrays": '"a.b"() {x = ' + "[" * 20000,
    "long names": "func.func @" + "f" * 150000 + "() { func.return }",
    "large numbers": f"func.func @f() {{ %x = arith.constant {'9' * 5000} : index\n func.return }}",
    "large widths": "func.func @f(%a: i99999999999999) { func.return }",
    "large vectors": "func.func @f(%a: vector<99999999999x99999999999xf32>) { func.return }",
    "many values": "func.func @f(" + ", ".join(f"%a{i}: i32" for i in range(9000)) + ") { func.return }",
    "many modules": "// -----\n" * (MOST_MODULES - 1),
    "too many modules": "// -----\n" * 15000,
    "a successor": "func.func @f() { cf.br ^b }",
    "itself": 'func.func @f() { %x = "arith.addi"(%x, %x) : (i32, i32) -> i32\n func.return }',
    "zero": "\0",
    "buffer": 'func.func @f(%a: !tile.buffer<4x4xf32, "S[(4,4):(99999999999999999999,1)]">) { func.return }',
    "open fly types": "func.func @f(%a: !fly.int_tuple<" + "(" * 50000,
    "deep fly types": "func.func @f(%a: !fly.int_tuple<" + "(" * 9000 + "4" + ")" * 9000 + ">) { func.return }",
    "large fly numbers": "func.func @f(%a: !fly.layout<4:99999999999999999999>) { func.return }",
    "large fly results": _called("left_inverse", f"(2,2):(3,{3**39})"),
    "many fly operands": f"func.func @f(%a: i32) {{ fly.print({', '.join(['%a'] * 8000)}) func.return }}",
    "many fly modes": _called("make_layout_like", f"({','.join('2' * 4000)}):({','.join('3' * 4000)})"),
    "many run-time modes": _called("composition", f"({','.join('?' * 40)}):({','.join('?' * 40)})", 2),
    "nested layout": 'func.func @f(%a: !tile.buffer<4xf32, "' + "(" * 50000 + '">) { func.return }',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_end_soon_in_diagnostics(name: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = HOSTILE[name]
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with within(3):
        status = main(["opt", str(file), "--split-input-file", "--simplify", "--cse", "--dce"])
    assert status in (0, 2)
    assert bool(capsys.readouterr().err) is (status == 2)


def mutated(text: str, rng: random.Random) -> str:
    a, b = sorted(rng.randrange(len(text) + 1) for _ in range(2))
    b = min(b, a + 40)
    piece = text[(c := rng.randrange(len(text))) : c + rng.randrange(30)]
    return rng.choice([text[:a], text[:a] + text[b:], text[:a] + piece + text[b:], text[:a] + piece + text[a:]])


def test_mutated_files_end_in_diagnostics(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(11)
    texts = [path.read_text() for path in sorted(MLIR.rglob("*.mlir"))]
    for _ in range(150):
        file.write_text(mutated(rng.choice(texts), rng))
        words = ["--dispatch", "--lower-buffers", "--simplify", "--cse", "--dce", "--split-input-file"]
        status = main(["opt", str(file), *words[rng.randrange(6) :]])
        assert status in (0, 2)
        assert bool(capsys.readouterr().err) is (status == 2)


def test_neither_numpy_nor_the_targets_are_loaded(file: Path) -> None:
    code = "import sys; from tilewright.cli.main import main; main(['opt', sys.argv[1], '--cse']); print(*sys.modules)"
    modules = subprocess.check_output([sys.executable, "-c", code, str(file)], text=True).split()
    assert {"numpy", "ml_dtypes", "tilewright.targets"} & set(modules) == set()


@pytest.mark.parametrize("bits", ["16777216", "1073741824", "0016777216", "9" * 5000])
def test_an_integer_has_at_most_the_bits_that_mlir_allows(
    bits: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused at its place, wherever it stands, before its range is worked out."""
    places = ("array<{}: 32>", "32 : {}", "dense<1> : tensor<2x{}>", "vector<2x{}>", "() -> {}")
    for place in places:
        for signed in ("", "s", "u"):
            text = f"func.func @f() attributes {{x = {place.format(f'{signed}i{bits}')}}} {{ func.return }}\n"
            file.write_text(text)
            assert main(["opt", str(file)]) == 2
            first = capsys.readouterr().err.splitlines()[0]
            column = 1 + text.index(f"{signed}i{bits}")
            assert first.endswith(f":1:{column}: error: integer bitwidth is limited to 16777215 bits")
    for allowed in ("i16777215", "i0000000032"):
        file.write_text(f'func.func @f() attributes {{"i{bits}" = 1 : {allowed}}} {{ func.return }}\n')
        assert main(["opt", str(file)]) == 0
        assert f"i{bits}" in capsys.readouterr().out


@pytest.mark.parametrize("number", [2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 10**20, -(10**400)])
def test_an_index_has_64_bits(number: int, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What it cannot be is refused where it stands, in any op's text."""
    for op in (f"arith.constant {number} : index", f'"arith.constant"() <{{value = {number} : index}}> : () -> index'):
        text = f"func.func @f() {{ %c = {op} func.return }}\n"
        file.write_text(text)
        right = -(2**63) <= number < 2**63
        assert main(["opt", str(file)]) == (0 if right else 2)
        column = 1 + text.index(str(number))
        first = capsys.readouterr().err.partition("\n")[0]
        assert right or first.endswith(f":1:{column}: error: integer constant out of range for attribute")


def test_a_byte_order_mark_is_named(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert main(["opt", str(file)]) == 2
    assert "byte order mark" in capsys.readouterr().err
