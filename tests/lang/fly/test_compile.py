"""A jit function that is compiled runs for what it was compiled for, and is kept where sources say the same."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import CompileError, UsageError
from tilewright.lang.fly import jit
from tilewright.lang.fly.content import content
from tilewright.lang.fly.fingerprint import fingerprint
from tilewright.script.tirx import from_source
from tilewright.targets import cache

PROGRAM = """
import tilewright.compiler as flyc
import tilewright.expr as fx

KIND = fx.Int32
BY = 2.0

def helper(x, more=1.0):
    return x * BY + more

def closed(step):
    def add(x):
        return x + step
    return add

add = closed(3.0)

@flyc.kernel
def scale_kernel(A: fx.Tensor, n: KIND):
    i = fx.block_idx.x * 32 + fx.thread_idx.x
    if i < n:
        A[i] = add(helper(A[i]))

@flyc.jit
def scale(A: fx.Tensor, n: fx.Int32):
    scale_kernel(A, n).launch(grid=(n + 31) // 32, block=32)
"""
# What a person may change, each of which is another program.
EDITS = (
    ("x * BY + more", "x * BY - more"), ("more=1.0", "more=2.0"), ("BY = 2.0", "BY = -0.0"),
    ("closed(3.0)", "closed(4.0)"), ("KIND = fx.Int32", "KIND = fx.Int64"), ("x + step", "x - step"),
    ("block=32", "block=64"),
)  # fmt: skip
SPECS = (((100,), "float32"), fx.Int32)


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], flyc.Jit]:
    def made(text: str) -> flyc.Jit:
        path = tmp_path / "program.py"
        path.write_text(text)
        spec = spec_from_file_location("program", path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        exec(compile(text, str(path), "exec"), module.__dict__)
        found: flyc.Jit = module.scale
        return found

    return made


def test_a_compiled_function_runs_for_its_types_alone(program: Callable[[str], flyc.Jit]) -> None:
    made = tw.compile(program(PROGRAM), *SPECS, target="simulator:sm_90")
    a = np.arange(70, dtype=np.float32)
    expected = a * 2 + 4
    made(a, 70)
    assert np.array_equal(a, expected)
    for stage in made.stages:
        b = np.arange(70, dtype=np.float32)
        (report,) = made.simulate(b, 70, stage=stage)
        assert np.array_equal(b, expected)
        assert report.arch.name == "sm_90"
        assert "scale_kernel" in made.ir(stage)
    for wrong in ((a.astype(np.float16), 70), (np.zeros((2, 2), np.float32), 70)):
        with pytest.raises(UsageError, match="is compiled for"):
            made(*wrong)
    with pytest.raises(CompileError, match="MLIR text"):
        made.script("final")
    with pytest.raises(CompileError, match=r"a launch of \(0, 1, 1\)"):  # of the number that the spec stands for
        made.script()
    text = tw.compile(program(PROGRAM), a, 70).script()
    assert from_source(text, "final").name == "scale_kernel_0"
    with pytest.raises(CompileError, match="no program for hip:gfx942; the targets are simulator, host, cuda"):
        tw.compile(program(PROGRAM), *SPECS, target="hip")


def test_the_report_is_of_a_run_on_zeros_with_the_numbers_of_the_specs(program: Callable[[str], flyc.Jit]) -> None:
    a = np.ones(64, np.float32)
    made = flyc.compile[{"waves_per_eu": 2}](program(PROGRAM)).compile(a, 64)
    assert made.report.bytes["global"] == 2 * 64 * 4
    assert (a == 1).all()
    with pytest.raises(UsageError, match="maxnreg"):
        flyc.compile[{"maxnreg": 3}]


def test_hints_of_a_function_change_nothing(program: Callable[[str], flyc.Jit]) -> None:
    hinted, plain = program(PROGRAM), program(PROGRAM)
    hinted.compile_hints["llvm_options"] = {"enable-post-misched": False}
    assert tw.compile(hinted, *SPECS).ir() == tw.compile(plain, *SPECS).ir()
    assert plain.compile_hints == {}


def test_the_digest_is_what_the_sources_say(program: Callable[[str], flyc.Jit]) -> None:
    def digest(text: str) -> str | None:
        return content(*fingerprint(program(text).function))

    found = [digest(text) for text in (PROGRAM, *(PROGRAM.replace(*edit) for edit in EDITS))]
    assert None not in found
    assert len(set(found)) == len(EDITS) + 1
    assert digest(PROGRAM) == found[0]


def test_what_was_compiled_before_is_not_traced(
    program: Callable[[str], flyc.Jit], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "kept"))
    first = tw.compile(program(PROGRAM), *SPECS)
    with monkeypatch.context() as patched:
        patched.setattr(jit, "_traced", lambda *_: pytest.fail("it is kept"))
        assert tw.compile(program(PROGRAM), *SPECS).ir() == first.ir()
    (file,) = (tmp_path / "kept").iterdir()
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert tw.compile(program(PROGRAM), *SPECS).ir() == first.ir()
    changed = tw.compile(program(PROGRAM.replace(*EDITS[0])), *SPECS)
    assert changed.ir() != first.ir()
