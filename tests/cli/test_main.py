"""The command: one clear line and status 2 for bad input, 1 for a finding; bugs show."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tilewright.cli import main as command
from tilewright.cli.main import COMMANDS, main


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line that a refusal prints."""
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("\n")
    assert err.count("\n") == 1
    return err


def test_every_subcommand_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        assert main([name, "--help"]) == 0
        assert f"usage: tilewright {name}" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["nope"], ["run"], ["doctor", "--nope"], ["demo", "permute", "--blk", "x"]])
def test_wrong_usage_is_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "--help" in refused(capsys, *arguments)


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("tilewright ")


def test_a_bug_shows_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(args: object) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr("tilewright.cli.doctor.run", broken)
    with pytest.raises(ZeroDivisionError):
        main(["doctor"])


def test_a_simulation_error_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    Path("race.py").write_text("from tilewright.errors import RaceError\nraise RaceError('two lanes')\n")
    assert main(["run", "race.py"]) == command.FINDING
    assert capsys.readouterr().err == "tilewright run: two lanes\n"


def test_the_command_starts_quickly_and_without_numpy() -> None:
    code = "import sys; from tilewright.cli.main import main; main(['--version']); print(*sys.modules)"
    modules = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert {"numpy", "xdsl"} & set(modules) == set()


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["nope"], []], ids=str)
def test_what_names_no_subcommand_loads_none(words: list[str]) -> None:
    code = "import sys; from tilewright.cli.main import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    assert {f"tilewright.cli.{name}" for name in COMMANDS} & set(ran.stderr.split()) == set()
    assert "tilewright.layout" not in ran.stderr.split()


def test_the_help_has_a_line_for_every_subcommand_that_its_own_help_repeats(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    lines = " ".join(capsys.readouterr().out.split())
    for name, line in COMMANDS.items():
        assert f"{name} {line}" in lines
        assert main([name, "--help"]) == 0
        own = " ".join(capsys.readouterr().out.split())
        assert name == "opt" or line in own


def test_a_misspelt_subcommand_is_told_all_of_them(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["nope"], ["nope", "show"], ["--", "eval"]):
        said = refused(capsys, *words)
        assert all(repr(name) in said for name in COMMANDS)


def test_a_reader_that_stops_is_no_error() -> None:
    Path("long.py").write_text("for i in range(100000): print(i)")
    command = [sys.executable, "-m", "tilewright.cli.main", "run", "long.py"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "0\n"
        process.stdout.close()
        assert process.stderr.read() == ""


def test_run_executes_the_file_as_python_does(capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder").mkdir()
    Path("folder/helper.py").write_text("word = 'found'")
    Path("folder/kernel.py").write_text("import sys, helper\nprint(__name__, sys.argv[1:], helper.word)")
    before = list(sys.argv), list(sys.path)
    assert main(["run", "folder/kernel.py", "a", "--b"]) == 0
    assert capsys.readouterr().out == "__main__ ['a', '--b'] found\n"
    assert (list(sys.argv), list(sys.path)) == before


def test_run_sets_the_target(capsys: pytest.CaptureFixture[str]) -> None:
    Path("kernel.py").write_text("from tilewright.arch import Target\nprint(Target.current())")
    assert main(["run", "--target", "cuda:sm_100a", "kernel.py"]) == 0
    assert capsys.readouterr().out == "cuda:sm_100a\n"
    assert "unknown target 'moon'" in refused(capsys, "run", "--target", "moon", "kernel.py")


def test_run_says_that_it_executes(capsys: pytest.CaptureFixture[str]) -> None:
    main(["run", "--help"])
    assert "runs with all your rights" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no file 'kernel.py'"),
        (b"print(", "kernel.py:1: not Python"),
        (b"\xff\xfe\x00", "not Python"),
        (b"a = 1\x00", "not Python"),
        (b"from tilewright.errors import UsageError\nraise UsageError('no such shape')", "no such shape"),
    ],
)
def test_run_refuses_in_one_line(content: bytes | None, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    if content is not None:
        Path("kernel.py").write_bytes(content)
    assert words in refused(capsys, "run", "kernel.py")


def test_doctor_reports(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    assert "numpy" in capsys.readouterr().out
    assert main(["doctor", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["xdsl"].startswith("0.")
    assert set(found) >= {"python", "numpy", "ml_dtypes", "xdsl", "nvrtc", "g++", "gpu"}


def test_doctor_finds_what_is_missing(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def missing() -> str:
        raise ImportError

    found = {"python": lambda: "3", "numpy": missing, "ml_dtypes": lambda: "1", "xdsl": lambda: "0"}
    monkeypatch.setattr("tilewright.cli.doctor.CHECKS", found)
    assert main(["doctor"]) == 1
    assert "numpy      not found: nothing is evaluated in bulk" in capsys.readouterr().out


def test_bench_lists_and_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "no benchmarks in 'benchmarks'" in refused(capsys, "bench")
    Path("benchmarks").mkdir()
    Path("benchmarks/one.py").write_text('"""Counts to one."""\nif __name__ == "__main__":\n    print(1)\n')
    Path("benchmarks/helper.py").write_text('"""What benchmarks share."""\nONE = 1\n')
    assert main(["bench"]) == 0
    assert capsys.readouterr().out == "one  Counts to one.\n"
    assert main(["bench", "one"]) == 0
    assert capsys.readouterr().out == "1\n"
    assert "no benchmark 'two'; there are one" in refused(capsys, "bench", "two")
