"""`tilewright demo permute`: right on every element, honest about the wavefronts, one line for bad input."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from tilewright.cli.demos.definition import mismatches
from tilewright.cli.main import main
from tilewright.tirx.layout import S, TileLayout


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def shown(capsys: pytest.CaptureFixture[str], *options: str) -> str:
    assert main(["demo", "permute", *options]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def wavefronts(text: str) -> list[tuple[int, int]]:
    """(wavefronts, ideal) of the read and the write phase."""
    found = re.findall(r"^(?:read|write) +(\d+) wavefronts a stage, ideal (\d+)", text, re.MULTILINE)
    return [(int(count), int(ideal)) for count, ideal in found]


@pytest.mark.parametrize("staging", ["global", "shared"])
@pytest.mark.parametrize("dtype", ["float32", "int32", "uint32"])
@pytest.mark.parametrize("blk", [128, 256])
def test_every_element_is_right(blk: int, dtype: str, staging: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--blk", str(blk), "--dtype", dtype, "--staging", staging)
    assert f"check     {2 * blk} of {2 * blk} elements" in text
    assert wavefronts(text) == [(blk // 32, blk // 32)] * 2


@pytest.mark.parametrize(
    ("options", "ideal"),
    [
        ("--dtype float8_e8m0fnu", 4),
        ("--dtype float8_e4m3fn --staging shared", 4),
        ("--dtype float16 --blk 384", 12),
        ("--dtype float64 --staging shared", 8),
        ("--dtype uint8 --blk 2048 --pipe 1", 64),
    ],
)
def test_scale_factors_of_every_width(options: str, ideal: int, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, *options.split())
    assert wavefronts(text) == [(ideal, ideal)] * 2
    assert "elements (WRONG" not in text
    assert "warp_scheduled: " in text


@pytest.mark.parametrize("staging", ["global", "shared"])
def test_without_the_swizzle_the_write_phase_conflicts(staging: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--no-swizzle", "--staging", staging)
    assert wavefronts(text) == [(4, 4), (16, 4)]
    assert "256 of 256 elements" in text


def test_stages_and_plan_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys)
    assert re.findall(r"^stage +(\w+)", text, re.MULTILINE) == ["tile", "dispatched", "lowered", "final"]
    assert "Tx.warp.permute_layout(B_buf[s, 0:1, 0:4, 0:32], A_buf[s, 0:1, 0:4, 0:32])" in text
    assert "XOR bits k = 2, shift = 3, mask = 3" in text


def test_the_picture_shows_both_layouts(capsys: pytest.CaptureFixture[str]) -> None:
    shown(capsys, "--svg", "both.svg")
    root = ElementTree.fromstring(Path("both.svg").read_text())
    texts = [text.text or "" for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "read S[(4,32):(32,1)], 4 wavefronts, ideal 4" in texts
    assert "write S[(4,32):(1,4)], 4 wavefronts, ideal 4" in texts
    cells = [text.strip() for text in texts]
    assert cells.count("3,31") == 2


def test_a_real_matrix_is_quantised_and_permuted(capsys: pytest.CaptureFixture[str]) -> None:
    np.save("matrix.npy", np.random.default_rng(1).normal(size=(384, 96)))
    text = shown(capsys, "--input", "matrix.npy")
    assert "9 stages of 128 scale factors (float32) from the matrix 384 x 96 of matrix.npy" in text
    assert "1152 of 1152 elements" in text


def test_scale_factors_are_taken_from_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    np.save("sf.npy", np.arange(1024, dtype=np.int32).reshape(4, 2, 4, 32))
    assert "4 stages of 256 scale factors (int32)" in shown(capsys, "--input", "sf.npy", "--blk", "256")


def test_no_file_is_written_over_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--svg", "--emit-cuda"):
        Path("mine.svg").write_text("mine")
        refused(capsys, option, "mine.svg")
        assert Path("mine.svg").read_text() == "mine"
        shown(capsys, option, "mine.svg", "--force")
        assert Path("mine.svg").read_text() != "mine"
        refused(capsys, option, "mine.svg")  # also with the same text


def refused(capsys: pytest.CaptureFixture[str], *options: str) -> None:
    assert main(["demo", "permute", *options]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "'mine.svg' is there already" in err


def test_the_demo_may_run_twice(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys) == shown(capsys)
    (picture,) = Path().iterdir()
    picture.write_text("mine")
    assert main(["demo", "permute"]) == 2
    assert picture.read_text() == "mine"


def test_the_cuda_text_is_that_of_the_plan(capsys: pytest.CaptureFixture[str]) -> None:
    shown(capsys, "--emit-cuda", "kernel.cu")
    text = Path("kernel.cu").read_text()
    assert "__syncwarp()" in text
    assert "threadIdx.x >> 3" in text
    shown(capsys, "--emit-cuda", "plain.cu", "--no-swizzle")
    assert ">> 3" not in Path("plain.cu").read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--input none.npy", "there is no file 'none.npy'"),
        ("--input text.npy", "not a whole .npy file"),
        ("--input odd.npy", "100 rows, no multiple of --blk 128"),
        ("--input long.npy --dtype float32", "scale factors of type int64, not float32"),
        ("--input even.npy --pipe 3", "--pipe 3: 1 x 128 scale factors come from the matrix 128 x 32 of even.npy"),
        ("--dtype float4_e2m1fn", "unsupported dtype byte width"),
        ("--dtype potato", "unknown element type 'potato'"),
        ("--blk 100", "a stage holds a multiple of 128"),
        ("--blk -128", "a stage holds a multiple of 128"),
        ("--pipe 0", "at least one stage"),
        ("--pipe 1000000000000", "fit"),
        ("--staging tensor", "choose from"),
        ("--svg no/such/folder.svg", "cannot write"),
        ("--svg picture.gif", "the suffix must be one of"),
    ],
)
def test_bad_input_is_one_line(options: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("text.npy").write_text("hello")
    np.save("odd.npy", np.ones((100, 32), np.float32))
    np.save("even.npy", np.ones((128, 32), np.float32))
    np.save("long.npy", np.ones(128, np.int64))
    assert main(["demo", "permute", *options.split()]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert words in err


def test_the_definition_finds_every_wrong_element() -> None:
    pre, post = TileLayout(S[(4, 8) : (8, 1)]), TileLayout(S[(4, 8) : (1, 4)])
    source = np.arange(32, dtype=np.float32)
    result = source.reshape(4, 8).T.ravel().copy()
    assert mismatches(source, result, pre, post) == []
    result[[5, 30]] = result[[30, 5]]
    assert mismatches(source, result, pre, post) == [8 * 1 + 1, 8 * 2 + 7]
    assert mismatches(np.float32([0.0]), np.float32([-0.0]), TileLayout(S[1]), TileLayout(S[1])) == [0]


def test_a_wrong_element_is_a_finding(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("tilewright.cli.demos.permute_run.mismatches", lambda *_: [3, 7])
    assert main(["demo", "permute"]) == 1
    assert "254 of 256 elements" in capsys.readouterr().out
