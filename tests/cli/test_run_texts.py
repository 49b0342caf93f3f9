"""MLIR text is run, or refused with an error of our own that shows the line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from dump_cases import mutants
from run_texts import modules

from tilewright.cli.main import main

LAUNCH = ("--grid", "1", "--block", "32", "--target", "simulator:sm_90", "--steps", "20000")


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def ran(text: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    Path("m.mlir").write_text(text)
    status = main(["run", "m.mlir", *LAUNCH])
    return status, capsys.readouterr().err


def test_each_op_runs_or_is_refused_at_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    for text, line in modules():
        status, told = ran(text, capsys)
        assert (status == 0) == (line is None), (text, told)
        if line is not None:
            number = text.split("\n").index(f"      {line}") + 1
            assert f"m.mlir:{number}:" in told
            assert line in told


def test_mutated_modules_raise_nothing_foreign(capsys: pytest.CaptureFixture[str]) -> None:
    texts = [text for text, _ in modules()]
    for text in mutants(random.Random(5), 30, texts, most=2):
        status, told = ran(text, capsys)
        assert status in (0, 1, 2)
        assert bool(status) == bool(told)


DUMP = """#first = loc("user.py":2:5)
#both = loc(fused[#first, "user.py":9:1])
module {
  func.func @k(%a: memref<32xf32>, %b: memref<32xf32>) {
    %t = gpu.thread_id x loc(#first)
    %c4 = arith.constant 4 : index loc(unknown)
    %i = arith.addi %t, %c4 : index loc("i"(#first))
    %v = memref.load %a[%t] : memref<32xf32> loc(#both)
    memref.store %v, %b[%i] : memref<32xf32> loc(callsite("inner"("user.py":3:7) at #first))
    func.return loc(#first)
  } loc(#first)
}
"""


def test_the_source_that_a_dump_names_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    Path("user.py").write_text("def k(a, b):\n    v = a[t]\n    b[t + 4] = v\n")
    status, told = ran(DUMP, capsys)
    assert status == 1
    first, text, caret, *rest = told.removeprefix("tilewright run: ").split("\n")
    assert first.startswith("user.py:3:7: error: block (0,0,0) thread (28,0,0) writes element 32 of b")
    assert (text, caret) == ("    b[t + 4] = v", " " * 6 + "^")
    assert rest[0].startswith("m.mlir:9:5: note: ")
    assert "memref.store %v" in rest[1]
    Path("right.mlir").write_text(DUMP.replace("constant 4", "constant 0"))
    assert main(["run", "right.mlir", *LAUNCH, "--profile"]) == 0
    shown = capsys.readouterr().out
    assert "user.py:2  8 " in shown
    assert "user.py:3  9 " in shown
    assert next(line for line in shown.split("\n") if line.endswith("|     b[t + 4] = v")).split()[1] == "1"
