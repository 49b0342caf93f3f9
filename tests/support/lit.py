"""Runs the RUN lines of `.mlir` test files: `// RUN: tilewright opt %s FLAGS | FileCheck %s`, in this process.

`not` before the command wants a refusal, of which FileCheck then reads both outputs.
"""

from __future__ import annotations

import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from filecheck import mismatch

from tilewright.cli.main import main

_RUN = re.compile(r"^// RUN: (.*)$", re.MULTILINE)


def failures(path: Path) -> list[str]:
    """What is wrong with a test file, RUN line by RUN line."""
    test = path.read_text()
    lines = _RUN.findall(test)
    if not lines:
        return [f"{path.name} has no RUN line"]
    return [f"{line}: {wrong}" for line in lines if (wrong := _failure(test, path, line))]


def _failure(test: str, path: Path, line: str) -> str:
    command, *checks = [shlex.split(part.replace("%s", str(path))) for part in line.split("|")]
    refused = command[0] == "not"
    words = command[refused:]
    assert words[:2] == ["tilewright", "opt"], line
    status, output = _run(words[1:])
    if (status != 0) != refused:
        return f"exit status {status}\n{output}"
    prefixes = [word.partition("=")[2] for check in checks for word in check if word.startswith("--check-prefix=")]
    return mismatch(test, output, *prefixes) if checks else ""


def _run(words: list[str]) -> tuple[int, str]:
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(words)
    return status, out.getvalue() + err.getvalue()
