"""`tilewright run FILE.mlir:KERNEL` of FlyDSL's text: launches, arguments with layouts, and what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tilewright.cli.main import main

ROW = "!fly.memref<f32, global, (?,?):(?{i64},1)>"
COLUMN = "!fly.memref<f32, global, (4,?):(1,?)>"
KERNEL = f"""module attributes {{gpu.container_module}} {{
  gpu.module @m [#rocdl.target<chip = "gfx942">] {{
    gpu.func @move(%a: {ROW}, %c: {COLUMN}, %x: f32) kernel attributes {{known_block_size = array<i32: 4, 1, 1>}} {{
      %bx = gpu.block_id x
      %tx = gpu.thread_id x
      %b = arith.index_cast %bx : index to i32
      %t = arith.index_cast %tx : index to i32
      %at = fly.make_coord(%t, %b) : (i32, i32) -> !fly.int_tuple<(?,?)>
      %v = fly.memref.load(%a, %at) : ({ROW}, !fly.int_tuple<(?,?)>) -> f32
      %w = arith.addf %v, %x : f32
      fly.memref.store(%w, %c, %at) : (f32, {COLUMN}, !fly.int_tuple<(?,?)>) -> ()
      gpu.return
    }}
    gpu.func @fill(%p: !fly.ptr<i32, global>, %l: !fly.layout<(?,4):(?,1)>) kernel {{
      %tx = gpu.thread_id x
      %t = arith.index_cast %tx : index to i32
      %one = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
      %i = fly.crd2idx(%one, %l) : (!fly.int_tuple<?>, !fly.layout<(?,4):(?,1)>) -> !fly.int_tuple<?>
      %q = fly.add_offset(%p, %i) : (!fly.ptr<i32, global>, !fly.int_tuple<?>) -> !fly.ptr<i32, global>
      fly.ptr.store(%t, %q) : (i32, !fly.ptr<i32, global>) -> ()
      gpu.return
    }}
  }}
  func.func @host(%n: index) {{
    %one = arith.constant 1 : index
    %two = arith.constant 8 : index
    %p = "builtin.unrealized_conversion_cast"() : () -> !fly.ptr<i32, global>
    %l = "builtin.unrealized_conversion_cast"() : () -> !fly.layout<(?,4):(?,1)>
    gpu.launch_func @m::@fill blocks in (%one, %one, %one) threads in (%two, %one, %one)
      args(%p : !fly.ptr<i32, global>, %l : !fly.layout<(?,4):(?,1)>)
    return
  }}
}}
"""
MOVE = ["run", "k.mlir:move", "--grid", "5", "--arg", "x=0.5"]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.mlir").write_text(KERNEL)
    np.save("a.npy", np.arange(20, dtype=np.float32).reshape(4, 5))


@pytest.mark.parametrize(
    ("a", "c", "stride"),
    [
        ("arange(4x5)", "zeros(4x5)", 5),
        ("arange(4x5:5x1,float32)", "zeros(4x5:1x4)", 5),
        ("arange(4x5:9x1)", "zeros(4x5)", 9),
        ("a.npy", "zeros(4x5)", 5),
    ],
)
def test_arrays_with_layouts(a: str, c: str, stride: int) -> None:
    assert main([*MOVE, "--arg", f"a={a}", "--arg", f"c={c}", "--out", "c=c.npy"]) == 0
    found = np.load("c.npy").reshape(5, 4).T
    assert found.tolist() == [[stride * i + j + 0.5 for j in range(5)] for i in range(4)]


def test_a_launch_in_the_text_says_how_many_threads(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "k.mlir:fill", "--arg", "p=zeros(8)", "--arg", "l=2,4", "--out", "p=p.npy"]
    assert main(words) == 0
    assert np.load("p.npy").tolist() == [0, 2, 4, 6, 1, 3, 5, 7]
    assert "fill: 1 x 8 threads" in capsys.readouterr().out


def test_profile_and_trace_name_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main([*MOVE, "--arg", "a=arange(4x5)", "--arg", "c=zeros(4x5)", "--profile", "--trace", "block=1,lane=2"]) == 0
    )
    out = capsys.readouterr().out
    assert "gfx942" in out
    assert "5 load global, 5 store global" in out
    events = [line.split() for line in out.partition("step  line")[2].splitlines()[1:]]
    assert [event[3:8] for event in events] == [["2", "load", "a", "11", "44"], ["2", "store", "c", "6", "24"]]
    row = next(line for line in out.splitlines() if "= fly.memref.load(%a" in line)
    assert row.split("|")[0].split()[:2] == ["5", "5"]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["--arg", "c=zeros(4x5)"], 2, "--arg a: !fly.memref<f32, global, (?,?):(?{i64},1)> has extents that only you"),
        (["--arg", "a=zeros(20)", "--arg", "c=zeros(4x5)"], 2, "as in a=zeros(8x8)"),
        (["--arg", "a=zeros(4x5:5x2)", "--arg", "c=zeros(4x5)"], 2, "[4, 5] does not fit"),
        (["--arg", "a=zeros(4x5:5)", "--arg", "c=zeros(4x5)"], 2, "as many strides as extents"),
        (["--arg", "a=zeros(4x5)", "--arg", "c=zeros(5x4)"], 2, "[5, 4] does not fit"),
        (["--arg", "a=zeros(4x5,float16)", "--arg", "c=zeros(4x5)"], 2, "it holds float32, not float16"),
        (["--arg", "a=zeros(4x4)", "--arg", "c=zeros(4x5)"], 1, "k.mlir:9:"),
        (["--arg", "a=zeros(4x5)", "--arg", "c=zeros(4x5)", "--block", "8"], 1, "coordinate 4 in dimension 0 of a"),
        (["--arg", "d=ones"], 2, "the kernel has no parameter 'd'; it has a, c, x"),
    ],
)
def test_what_is_refused(words: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*MOVE, *words]) == status
    assert said in capsys.readouterr().err


def test_what_nothing_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "k.mlir:move", "--arg", "a=zeros(4x5)", "--arg", "c=zeros(4x5)"]) == 2
    assert "nothing says how many the grid of move has; give --grid X,Y,Z" in capsys.readouterr().err
    assert main(["run", "k.mlir:fill", "--arg", "l=2,4"]) == 2
    assert "--arg p: how many elements does it point at? such as p=zeros(1024)" in capsys.readouterr().err
    assert main(["run", "k.mlir:fill", "--arg", "p=zeros(8)", "--arg", "l=2"]) == 2
    assert "--arg l: it is 2 integers, such as l=8,8; got '2'" in capsys.readouterr().err
