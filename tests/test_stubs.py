"""What type checkers and readers see: the committed stubs are the generated ones, and programs have the types told."""

from __future__ import annotations

import doctest
import importlib.util
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent
PROGRAM = HERE / "data" / "typing" / "reveal.py"
KERNEL = HERE / "data" / "typing" / "fx_kernel.py"  # mypy reads it where it reads the package: `make types`
SOURCE = HERE.parent / "src"
README = HERE.parent / "README.md"
EXPECTED = re.compile(r"^reveal_type\(.*\)  # (.*)$")
REVEALED = {
    "mypy": re.compile(r'reveal\.py:(\d+): note: Revealed type is "(.*)"$'),
    "basedpyright": re.compile(r'reveal\.py:(\d+):\d+ - information: Type of ".*" is "(.*)"$'),
}
KNOWN = (r"int \| tuple\[(?:\.\.\.|Known), \.\.\.\] \| dict\[str \| tuple\[int, \.\.\.\], (?:\.\.\.|Known)\]", "Known")
VALUE = (
    r"int \| SymInt \| tuple\[(?:\.\.\.|Value), \.\.\.\] \| Mapping\[str \| tuple\[int, \.\.\.\], (?:\.\.\.|Value)\]",
    "Value",
)
UNUSED = {"reportUnnecessaryTypeIgnoreComment": "error"}  # as mypy does
# The checkers' own words for the same types.
SPELLINGS = (
    (r"\b(?:[a-z_]+\.)+(?=\w)", ""),
    (r"int \| tuple\[(?:int \| tuple\[\.\.\., \.\.\.\]|IntTuple), \.\.\.\]", "IntTuple"),
    KNOWN,
    VALUE,
    VALUE,  # mypy unrolls it once where a union is narrowed
    (r"ndarray\[tuple\[Any, \.\.\.\], dtype\[signedinteger\[_64Bit\]\]\]", "NDArray[int64]"),
    (r"ndarray\[tuple\[Any, \.\.\.\], dtype\[bool\[bool\]\]\]", "NDArray[bool]"),
)


def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("stubs", HERE.parent / "scripts" / "stubs.py")
    assert spec
    assert spec.loader
    module = sys.modules["stubs"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_stubs_are_what_the_generator_writes() -> None:
    """If not: `make stubs`."""
    assert [str(path) for path, write in generator().STUBS.items() if path.read_text() != write()] == []


def expected() -> dict[int, str]:
    lines = enumerate(PROGRAM.read_text().splitlines(), 1)
    return {number: match[1] for number, line in lines if (match := EXPECTED.match(line))}


def documented(folder: Path) -> Path:
    """The sessions of README as one program."""
    file = folder / "readme.py"
    sessions = doctest.DocTestParser().get_examples(README.read_text(encoding="utf-8"))
    file.write_text("".join(example.source for example in sessions), encoding="utf-8")
    return file


def command(checker: str, folder: Path) -> list[str]:
    programs = [str(PROGRAM), str(documented(folder))]
    if checker == "mypy":
        config = folder / "mypy.ini"
        config.write_text(f"[mypy]\nstrict = true\nmypy_path = {SOURCE}\ncache_dir = {folder / 'cache'}\n")
        return ["-m", "mypy", "--config-file", str(config), *programs]
    config = folder / "pyrightconfig.json"
    said = {"typeCheckingMode": "standard", "include": [*programs, str(KERNEL)], "extraPaths": [str(SOURCE)], **UNUSED}
    config.write_text(json.dumps(said), encoding="utf-8")
    return ["-m", "basedpyright", "-p", str(config), "--pythonpath", sys.executable]


def revealed(checker: str, output: str) -> Iterator[tuple[int, str]]:
    for line in output.splitlines():
        if match := REVEALED[checker].search(line):
            words = match[2]
            for pattern, plain in SPELLINGS:
                words = re.sub(pattern, plain, words)
            yield int(match[1]), words


@pytest.mark.parametrize("checker", REVEALED)
def test_programs_have_the_types_told(checker: str, tmp_path: Path) -> None:
    """And what README shows has no type error."""
    run = subprocess.run([sys.executable, *command(checker, tmp_path)], capture_output=True, text=True, check=False)
    assert dict(revealed(checker, run.stdout)) == expected(), run.stdout + run.stderr
    assert run.returncode == 0, run.stdout


def test_the_program_is_long_enough() -> None:
    assert len(expected()) >= 60
