"""The exit status is that of the answer, whoever reads it; an answer that nobody can read is bad input."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tilewright.cli.main import main

PYTHON = [sys.executable, "-m", "tilewright"]
FINE = ["show", "4:1"]
FINDING = ["banks", "(32,32)", "load columns 4B", "--element-bits", "32"]
WRONG = ["show", "(4"]
STATUS = [(FINE, 0), (FINDING, 1), (WRONG, 2), (["--help"], 0), ([], 2)]


class Refusing(io.StringIO):
    """A stream to which nothing can be written."""

    def __init__(self, error: OSError, late: bool) -> None:
        super().__init__()
        self.error, self.late = error, late

    def write(self, text: str) -> int:
        if text and not self.late:
            raise self.error
        return len(text)

    def flush(self) -> None:
        raise self.error


@pytest.mark.parametrize(("words", "status"), STATUS)
@pytest.mark.parametrize("late", [False, True])
def test_a_reader_that_stops_changes_no_status(
    monkeypatch: pytest.MonkeyPatch, words: list[str], status: int, late: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", Refusing(BrokenPipeError(errno.EPIPE, "closed"), late))
    assert main(words) == status


@pytest.mark.parametrize("words", [FINE, FINDING])
@pytest.mark.parametrize("late", [False, True])
def test_an_answer_that_cannot_be_written_is_bad_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], late: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", Refusing(OSError(errno.ENOSPC, "No space left on device"), late))
    assert main(words) == 2
    told = f"tilewright {words[0]}: cannot write to standard output: No space left on device\n"
    assert capsys.readouterr().err == told


def test_closed_streams(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert main(FINE) == 2
    assert capsys.readouterr().err == "tilewright show: standard output is closed\n"
    assert main(WRONG) == 2  # there is no answer to write
    monkeypatch.setattr(sys, "stderr", None)
    assert main(FINE) == 2
    assert main(WRONG) == 2


def test_a_complaint_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Refusing(OSError(errno.ENOSPC, "full"), late=False))
    assert main(WRONG) == 2


def test_letters_that_the_terminal_lacks_are_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    assert main(["show", "(4,5):(1@0,1@1)"]) == 0
    assert b"tirx: no \\u2014 TIRx strides" in written.getvalue()


def test_the_process_ends_with_the_same_status(tmp_path: Path) -> None:
    """Python ends with 120, or a complaint, where a broken stream still holds text."""
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run([*PYTHON, *FINDING], stdout=writer, stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr) == (1, b"")
    if Path("/dev/full").exists():
        with open("/dev/full", "wb") as full:
            ended = subprocess.run([*PYTHON, *FINDING], stdout=full, stderr=subprocess.PIPE, check=False)
        assert ended.returncode == 2
        assert ended.stderr.count(b"\n") == 1


def test_python_m_tilewright_is_the_command() -> None:
    ours = subprocess.run([*PYTHON, *FINE], capture_output=True, check=False)
    same = subprocess.run([sys.executable, "-m", "tilewright.cli.main", *FINE], capture_output=True, check=False)
    assert (ours.returncode, ours.stdout, ours.stderr) == (0, same.stdout, b"")
    wrong = subprocess.run([*PYTHON, "nope"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("tilewright: ")


def test_show_says_why_it_draws_no_picture(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "(32,16):(16,1)"]) == 0
    assert "no picture" not in capsys.readouterr().out
    assert main(["show", "(32,17):(17,1)"]) == 0
    assert "no picture of 544 values, of at most 512" in capsys.readouterr().out
