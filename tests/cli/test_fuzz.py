"""Law 80 for the command: whatever the words, the status is 0, 1 or 2, nothing raises, and the answer comes soon."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from cli_fuzz import command_lines, folder, trouble

from tilewright.cli.main import main


def test_random_command_lines(tmp_path: Path) -> None:
    with folder(tmp_path):
        told = {tuple(words): trouble(words, limit=3) for words in command_lines(random.Random(10), 400)}
    assert {words: what for words, what in told.items() if what} == {}


@pytest.mark.parametrize(
    "words",
    [
        ["show", "4:1", "--as=--"],  # which argparse reads as an empty list
        ["run", "9" * 5000],
        ["bench", "--folder", "9" * 5000],
        ["demo", "permute", "--input", "9" * 5000],
        ["demo", "swizzle", "--swizzle=3,3,-3", "--svg", "a.svg", "--picture", "rows"],
        ["demo", "swizzle", "--swizzle=1,3,60"],
        ["banks", "(4096,4096)", "rows", "--dtype", "f16"],
        ["swizzle", "(4096,4096)", "--dtype", "f16"],
        ["banks", "()", "ldmatrix", "--dtype", "f16"],
    ],
)
def test_what_the_long_fuzz_found_is_bad_input(words: list[str], tmp_path: Path) -> None:
    with folder(tmp_path):
        assert trouble(words, limit=3) == ""
        assert main(words) == 2


def test_a_folder_of_files_that_are_not_python_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with folder(tmp_path):
        assert main(["bench", "--folder", "."]) == 0
    assert "not Python" in capsys.readouterr().out
