"""Every `.mlir` file of this folder does what its RUN lines say."""

from __future__ import annotations

from pathlib import Path

import pytest
from filecheck import mismatch
from lit import failures

FOLDER = Path(__file__).parent
FILES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.mlir"))


@pytest.mark.parametrize("name", FILES)
def test_mlir(name: str) -> None:
    assert failures(FOLDER / name) == []


@pytest.mark.parametrize(
    ("checks", "output", "met"),
    [
        ("CHECK: a\nCHECK-NEXT: b", "a\nb", True),
        ("CHECK: a\nCHECK-NEXT: b", "a\nx\nb", False),
        ("CHECK: a\nCHECK-SAME: b", "a c b", True),
        ("CHECK: a\nCHECK-SAME: b", "a\nb", False),
        ("CHECK: b\nCHECK: a", "a b", False),
        ("CHECK: a\nCHECK-NOT: x\nCHECK: b", "a\nb\nx", True),
        ("CHECK: a\nCHECK-NOT: x\nCHECK: b", "a\nx\nb", False),
        ("CHECK: a\nCHECK-NOT: x", "a\nb\nx", False),
        ("CHECK-DAG: a\nCHECK-DAG: b\nCHECK: c", "b\na\nc", True),
        ("CHECK-DAG: a\nCHECK-DAG: b\nCHECK: c", "b\nc\na", False),
        ("CHECK-DAG: a\nCHECK-DAG: a", "a", False),
        ("CHECK-COUNT-3: a", "a a a", True),
        ("CHECK-COUNT-3: a", "a a", False),
        ("CHECK: [[N:%[a-z]+]] =\nCHECK: use [[N]]", "%x = 1\nuse %x", True),
        ("CHECK: [[N:%[a-z]+]] =\nCHECK: use [[N]]", "%x = 1\nuse %y", False),
        ("CHECK: {{[0-9]+}} : i32", "a 12   : i32", True),
        ("CHECK: a.b", "axb", False),
        ("CHECK: a\n// COM: CHECK: b", "a", True),
        ("nothing", "a", False),
    ],
)
def test_the_checker_checks(checks: str, output: str, met: bool) -> None:
    assert (mismatch(checks, output) == "") is met
