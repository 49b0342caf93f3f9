"""`tilewright compile`: any stage of a kernel in a file, or its CUDA text."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilewright.cli.main import main
from tilewright.ir.text import parse_module, print_module
from tilewright.passes.pipeline import STAGES

EXAMPLE = Path(__file__).parents[2] / "examples" / "permute.py"


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def emitted(capsys: pytest.CaptureFixture[str], what: str, *options: str) -> str:
    assert main(["compile", f"{EXAMPLE}:f", "--emit", what, *options]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.mark.parametrize("stage", STAGES)
def test_stages_are_mlir_text_that_parses_back(stage: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = emitted(capsys, stage)
    assert print_module(parse_module(text)).strip() == text.strip()


def test_a_script_reads_like_the_source(capsys: pytest.CaptureFixture[str]) -> None:
    call = "Tx.warp.permute_layout(B_buf[s, 0:1, 0:4, 0:32], A_buf[s, 0:1, 0:4, 0:32])"
    assert call in EXAMPLE.read_text()
    assert call in emitted(capsys, "script:tile")
    assert call not in emitted(capsys, "script:dispatched")


def test_cuda_goes_to_a_file_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    text = emitted(capsys, "cuda")
    assert "__launch_bounds__(32)" in text
    assert emitted(capsys, "cuda", "--target", "cuda:sm_100a", "-o", "f.cu") == ""
    assert Path("f.cu").read_text().strip() == text.strip()
    Path("f.cu").write_text("mine")
    assert main(["compile", f"{EXAMPLE}:f", "--emit", "cuda", "-o", "f.cu"]) == 2
    assert "there already" in capsys.readouterr().err
    emitted(capsys, "cuda", "-o", "f.cu", "--force")
    assert Path("f.cu").read_text().strip() == text.strip()


@pytest.mark.parametrize(
    ("kernel", "what", "words"),
    [
        ("none.py:f", "cuda", "there is no file 'none.py'"),
        (f"{EXAMPLE}", "cuda", "name a kernel as FILE.py:NAME"),
        (f"{EXAMPLE}:1f", "cuda", "name a kernel as FILE.py:NAME"),
        (f"{EXAMPLE}:g", "cuda", "does not define 'g'; its kernels: f\n"),
        (f"{EXAMPLE}:np", "cuda", "takes a T.prim_func"),
        (f"{EXAMPLE}:f", "ptx", "choose cuda, a stage (tile, dispatched, lowered, final), or script:STAGE"),
        (f"{EXAMPLE}:f", "script:cuda", "choose cuda"),
    ],
)
def test_refusals_are_one_line(kernel: str, what: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", kernel, "--emit", what]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert words in err


def test_a_stage_before_dispatch_shows_what_dispatch_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    source = EXAMPLE.read_text().partition("if __name__")[0]
    Path("kernel.py").write_text(source.replace('"float32"', '"float4_e2m1fn"'))
    assert main(["compile", "kernel.py:f", "--emit", "tile"]) == 0
    assert "tile.permute_layout" in capsys.readouterr().out
    assert main(["compile", "kernel.py:f", "--emit", "dispatched"]) == 2
    assert "unsupported dtype byte width" in capsys.readouterr().err


def test_the_main_part_of_the_file_does_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    Path("kernel.py").write_text(
        EXAMPLE.read_text().replace("compiled = tw", "raise SystemExit('ran')\n    compiled = tw")
    )
    assert main(["compile", "kernel.py:f", "--emit", "script:tile"]) == 0
    assert "ran" not in capsys.readouterr().out
