"""Runs the RUN lines of `.mlir` test files in this process: `// RUN: tilewright opt %s FLAGS | FileCheck %s`.

`%fly-opt` is `tilewright opt`, so that FlyDSL's own files run as they are: `python tests/support/lit.py FILE.mlir ...`.
`not` before the command wants a refusal, `{ .. || true; }` takes either; FileCheck then reads both outputs.
"""

from __future__ import annotations

import re
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from filecheck import mismatch

from tilewright.cli.main import main

_RUN = re.compile(r"^// RUN: (.*)$", re.MULTILINE)
_CONTINUED = re.compile(r"\\\n// RUN:")
_PREFIXES = ("--check-prefix", "-check-prefix", "--check-prefixes", "-check-prefixes")


def failures(path: Path) -> list[str]:
    """What is wrong with a test file, RUN line by RUN line."""
    test = path.read_text()
    lines = _RUN.findall(_CONTINUED.sub("", test))
    if not lines:
        return [f"{path.name} has no RUN line"]
    return [f"{line}: {wrong}" for line in lines if (wrong := _failure(test, path, line))]


def _failure(test: str, path: Path, line: str) -> str:
    either = "|| true" in line
    line = re.sub(r"[{}]|\|\| true;?|2>&1|;", " ", line).replace("%fly-opt", "tilewright opt")
    command, *checks = [shlex.split(part.replace("%s", str(path))) for part in line.split("|")]
    refused = command[0] == "not"
    words = command[refused:]
    assert words[:2] == ["tilewright", "opt"], line
    status, output = _run(words[1:])
    if not either and (status != 0) != refused:
        return f"exit status {status}\n{output}"
    return mismatch(test, output, *_prefixes(checks[0])) if checks else ""


def _prefixes(words: list[str]) -> list[str]:
    given = [word.partition("=")[2] for word in words if word.partition("=")[0] in _PREFIXES]
    return [prefix for words_ in given for prefix in words_.split(",")]


def _run(words: list[str]) -> tuple[int, str]:
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(words)
    return status, out.getvalue() + err.getvalue()


if __name__ == "__main__":
    for file in map(Path, sys.argv[1:]):
        wrong = failures(file)
        print(file.name, *(["FAILS", *wrong] if wrong else ["passes"]), sep="\n  " if wrong else ": ")
