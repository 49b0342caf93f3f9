"""`tilewright run` of one kernel: arrays as data, reports, traces, and what is refused."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from tilewright.cli.kernel_arguments import AT_ONCE, arguments
from tilewright.cli.main import main
from tilewright.dtypes import dtype
from tilewright.targets.launch import Parameter

KERNEL = """
from tilewright.script import tirx as T
import numpy as np, sys, tilewright as tw
@T.prim_func
def twice(A: T.Buffer((2, 32), "float32"), B: T.Buffer((2, 32), "float32"), N: T.int32):
    T.device_entry()
    bx = T.cta_id([2])
    tx = T.thread_id([32])
    B[bx, tx] = A[bx, tx] * 2.0 + T.cast(N, "float32")
@T.prim_func
def narrow(A: T.Buffer((8,), "bfloat16"), B: T.Buffer((8,), "bfloat16"), X: T.float32):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([8])
    B[tx] = A[tx]
@T.prim_func
def agreeing(B: T.Buffer((4,), "int32")):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([4])
    B[0] = 1
@T.prim_func
def long(B: T.Buffer((40000, 32), "int32"), K: T.int32):
    T.device_entry()
    bx = T.cta_id([40000])
    tx = T.thread_id([32])
    for k in T.serial(K):
        if tx % 2 < K:
            B[bx, tx] = B[bx, tx] + 1
if __name__ == "__main__":
    print(sys.argv[1:])
    for _ in range(int(sys.argv[1]) if sys.argv[1:] else 1):
        tw.compile(twice)(np.ones((2, 32), np.float32), np.zeros((2, 32), np.float32), 3)
"""
SIZES = """
from tilewright.script import tirx as T
import numpy as np, tilewright as tw
def wide(blocks):
    @T.prim_func
    def kernel(B: T.Buffer((4,), "int32")):
        T.device_entry()
        bx = T.cta_id([blocks])
        tx = T.thread_id([1])
        B[bx] = 1
    return kernel
"""
MLIR = """func.func @f(%A: memref<64xf32>) {
  %tx = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %two = arith.constant 2 : index
  %i = arith.muli %tx, %two : index
  %v = memref.load %A[%i] : memref<64xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %A[%i] : memref<64xf32>
  func.return
}
func.func @g() attributes {tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 1, 1, 1>} {
  func.return
}
"""
LAUNCH = ["--grid", "1", "--block", "32,1"]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.py").write_text(KERNEL)
    Path("m.mlir").write_text(MLIR)


def printed(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(["run", *words]) == status
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *words: str, status: int = 2) -> str:
    assert main(["run", *words]) == status
    return capsys.readouterr().err


def test_a_kernel_of_a_python_file_runs_on_the_arrays_of_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["k.py:twice", "--arg", "A=arange(2x32,float32)", "--arg", "N=5", "--out", "B=b.npy", "--out", "A=a.npy"]
    assert printed(capsys, *words).startswith("twice: 2 x 32 threads on sm_90\n")
    assert np.load("b.npy").tolist() == (np.arange(64) * 2.0 + 5).tolist()
    again = printed(capsys, "--arg", "A=b.npy", "--force", "--out", "B=b.npy", "k.py:twice")
    line = next(at for at, text in enumerate(KERNEL.split("\n"), 1) if "= A[" in text)
    assert f"load A {line} global 2" in " ".join(again.split())
    assert np.load("b.npy").tolist() == ((np.arange(64) * 2.0 + 5) * 2).tolist()


def test_random_arrays_are_the_seeds(capsys: pytest.CaptureFixture[str]) -> None:
    for name, seed in (("one", "1"), ("same", "1"), ("other", "2")):
        printed(capsys, "k.py:twice", "--seed", seed, "--arg", "A=random", "--out", f"A={name}.npy")
    one, same, other = (np.load(f"{name}.npy").tolist() for name in ("one", "same", "other"))
    assert one == same != other
    printed(capsys, "k.py:twice", "--arg", "A=random", "--arg", "B=random", "--out", "A=a.npy")
    printed(capsys, "k.py:twice", "--arg", "B=random", "--out", "A=zeros.npy")
    given = np.load("a.npy")
    assert ((given >= 0) & (given < 1)).all()
    assert not np.load("zeros.npy").any()


def test_each_array_is_a_draw_of_its_own() -> None:
    parameters = [
        Parameter(name, dtype(kind), 100) for name, kind in (("A", "float32"), ("B", "float32"), ("C", "int32"))
    ]
    found = arguments(parameters, [f"{name}=random" for name in "ABC"], 0)
    assert len({np.asarray(array).tobytes() for array in found}) == 3
    assert set(np.asarray(found[2]).tolist()) <= set(range(100))


def test_long_arrays_are_made_in_parts() -> None:
    count = 2 * AT_ONCE + 7
    found = arguments([Parameter("A", dtype("int32"), count)], ["A=arange"], 0)
    assert (found[0] == np.arange(count)).all()
    ones = arguments([Parameter("A", dtype("int8"), count)], ["A=ones"], 0)
    assert (ones[0] == 1).all()


def test_nothing_is_written_of_a_kernel_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["m.mlir:f", "--grid", "1", "--block", "40", "--out", "A=a.npy"]
    assert "reads element 64" in refused(capsys, *words, status=1)
    assert not Path("a.npy").exists()


def test_a_file_without_launches_has_nothing_to_show(capsys: pytest.CaptureFixture[str]) -> None:
    Path("own.py").write_text("")
    assert "nothing to show" in refused(capsys, "own.py", "--profile", status=0)


def test_narrow_floats_and_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, "k.py:narrow", "--arg", "A=arange", "--arg", "X=2.5", "--out", "B=b.npy")
    assert np.load("b.npy").view(ml_dtypes.bfloat16).astype(float).tolist() == list(range(8))
    printed(capsys, "k.py:narrow", "--arg", "A=b.npy", "--out", "B=c.npy")
    assert (np.load("c.npy") == np.load("b.npy")).all()


def test_mlir_text_of_a_stage(capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, "m.mlir:f", *LAUNCH, "--arg", "A=arange", "--out", "A=a.npy")
    assert np.load("a.npy").tolist() == [2.0 * i if i % 2 == 0 else i for i in range(64)]
    for stage in ("tile", "dispatched", "lowered", "final"):
        assert main(["compile", "k.py:twice", "--emit", stage, "-o", f"{stage}.mlir"]) == 0
        capsys.readouterr()
        printed(capsys, f"{stage}.mlir", "--arg", "A=arange", "--arg", "N=1", "--out", f"B={stage}.npy")
        assert np.load(f"{stage}.npy").tolist() == (np.arange(64) * 2.0 + 1).tolist()
    assert printed(capsys, "m.mlir:g").startswith("g: 1 x 1 threads")


def test_profiles_have_the_source_in_their_margin(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["k.py:twice", "--profile"], ["k.py", "--profile"], ["--profile", "k.py"]):
        out = printed(capsys, *words)
        assert "bound: at least" in out
        (line,) = (line for line in out.splitlines() if "| " in line and "B[bx, tx] = A[bx, tx]" in line)
        assert "512" in line.partition("|")[0].split()
    out = printed(capsys, "m.mlir:f", *LAUNCH, "--profile")
    assert "|   memref.store %w, %A[%i] : memref<64xf32>" in out


def test_traces_are_shown_and_written(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ["k.py", "--trace", "block=1,lane=3", "--trace-json=t.json", "2"],
        ["--trace=block=1,lane=3", "--trace-json", "u.json", "k.py:twice", "--arg", "N=3"],
    ):
        assert "store  B       35       140      " in printed(capsys, *words)
    first, second = (json.loads(Path(name).read_text()) for name in ("t.json", "u.json"))
    assert [event["element"] for event in first["events"]] == [35, 35] == [e["element"] for e in second["events"]]


RACY = """
from tilewright.script import tirx as T

@T.prim_func
def racy(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    s[t] = A[t]
    B[t] = s[63 - t]
"""


def test_the_trace_of_a_kernel_that_is_refused_is_written_too(capsys: pytest.CaptureFixture[str]) -> None:
    Path("racy.py").write_text(RACY)
    assert main(["run", "racy.py:racy", "--trace", "lane=0", "--trace-json", "t.json", "-o", "t.txt"]) == 1
    said = capsys.readouterr().err
    fault = json.loads(Path("t.json").read_text())["fault"]
    assert fault["kind"] == "race"
    assert fault["text"].split("\n")[0] in said
    assert "race: reads s" in Path("t.txt").read_text()


def test_moments_of_a_trace_are_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    printed(capsys, "k.py", "--trace", "block=1", "-o", "m.svg", "2")
    printed(capsys, "k.py:twice", "--trace", "block=1", "--trace-steps", "1", "--output=m.txt")
    assert "twice, block 1: 2 moments" in Path("m.svg").read_text()
    drawn = Path("m.txt").read_text()
    assert "step 1, line " in drawn
    assert "(load A)" in drawn
    assert "(store B)" not in drawn


def test_an_o_without_a_trace_is_the_file_s_own(capsys: pytest.CaptureFixture[str]) -> None:
    Path("own.py").write_text("import sys; print(sys.argv[1:])")
    assert printed(capsys, "own.py", "-o", "m.svg") == "['-o', 'm.svg']\n"


def test_a_block_that_one_of_the_launches_has_is_traced(capsys: pytest.CaptureFixture[str]) -> None:
    calls = "".join(f"tw.compile(wide({blocks}))(np.zeros(4, np.int32))\n" for blocks in (4, 1))
    Path("sizes.py").write_text(f"{SIZES}{calls}")
    assert "store  B       3 " in printed(capsys, "sizes.py", "--trace", "block=3")
    assert main(["run", "sizes.py", "--trace", "block=4"]) == 2
    assert "block 4 is to be traced; the launch has 1, numbered from 0" in capsys.readouterr().err


def test_reports_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(printed(capsys, "k.py:twice", "--json"))
    assert (found["kernel"], found["instructions"]) == ("twice", None)
    for access in found["accesses"]:
        assert access["where"] == access["where"].strip()
        assert access["where"].rpartition(" at ")[2].startswith(f"{access['file']}:{access['line']}:")
    lines = printed(capsys, "--json", "k.py", "3").splitlines()
    assert lines[0] == "['3']"
    assert [json.loads(line)["kernel"] for line in lines[1:]] == ["twice"] * 3


def test_what_a_plain_file_is_given_is_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    Path("own.py").write_text("import sys; print(sys.argv[1:])")
    assert printed(capsys, "own.py", "--seed", "3", "--profile") == "['--seed', '3', '--profile']\n"
    assert printed(capsys, "own.py", "--profile", "--", "--trace") == "['--', '--trace']\n"


def test_switches_reach_the_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    assert "agreeing: 1 x 4" in printed(capsys, "k.py:agreeing")
    assert "no barrier between" in refused(capsys, "k.py:agreeing", "--check", "strict", status=1)
    Path("calls.py").write_text(KERNEL.replace("if __name__", "if 0") + "tw.compile(agreeing)(np.zeros(4, np.int32))")
    assert main(["run", "calls.py"]) == 0
    assert "no barrier between" in refused(capsys, "--check", "strict", "calls.py", status=1)
    printed(capsys, "k.py:twice", "--schedule", "random", "--seed", "7", "--arg", "A=arange", "--out", "B=b.npy")
    assert np.load("b.npy").tolist() == (np.arange(64) * 2.0).tolist()


def test_a_kernel_runs_on_the_host(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("k.py:twice", "--target", "host", "--arg", "A=arange", "--arg", "N=3", "--out", "B=b.npy")
    said = printed(capsys, *words)
    assert "wavefronts" not in said
    assert (np.load("b.npy", allow_pickle=False).reshape(-1) == 2.0 * np.arange(64) + 3).all()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["k.py:twice", "--arg", "C=ones"], "no parameter 'C'; it has A, B, N"),
        (["k.py:twice", "--arg", "A"], "--arg takes name=.., got 'A'"),
        (["k.py:twice", "--arg", "A=__import__('os')"], "no value \"__import__('os')\""),
        (["k.py:twice", "--arg", "A=ones(3)"], "3 is no shape of its 64 elements"),
        (["k.py:twice", "--arg", "A=ones(64,int32)"], "it holds float32, not int32"),
        (["k.py:twice", "--arg", "A=none.npy"], "there is no file 'none.npy'"),
        (["k.py:twice", "--arg", "A=text.npy"], "'text.npy' is no .npy file"),
        (["k.py:twice", "--arg", "A=few.npy"], "A takes 64 elements, got 3"),
        (["k.py:twice", "--arg", "N=1.5"], "a number of type int32, got '1.5'"),
        (["k.py:twice", "--arg", "N=99999999999"], "N takes a number"),
        (["k.py:twice", "--arg", "A=ones", "--arg", "A=ones"], "names 'A' twice"),
        (["k.py:twice", "--out", "B=few.npy"], "'few.npy' is there already"),
        (["k.py:twice", "--out", "A=b.npy", "--out", "B=b.npy"], "one file for several arrays"),
        (["k.py:twice", "--out", f"A={'b' * 5000}.npy"], "cannot write"),
        (["k.py:twice", "--trace", "lane=0", "--trace-json", "b" * 5000], "cannot write"),
        (["k.py:twice", "--seed", "-5"], "seed is an integer from 0"),
        (["k.py:twice", "--out", "B=b.txt"], "--out writes .npy files"),
        (["k.py:twice", "--out", "B=no/b.npy"], "cannot write 'no/b.npy'"),
        (["k.py:twice", "--grid", "1"], "--grid and --block are for MLIR"),
        (["k.py:twice", "--target", "cuda"], "runs on the simulator or the host here, not on cuda"),
        (["k.py:twice", "--target", "host", "--profile"], "--profile and --trace show what the simulator does"),
        (["k.py:twice", "--nope"], "'--nope' is no option"),
        (["k.py:twice", "--check", "no"], "invalid choice: 'no'"),
        (["k.py:none"], "does not define 'none'"),
        (["k.py:"], "name a kernel as FILE.py:NAME"),
        (["--arg", "A=ones", "k.py"], "--arg is for one kernel"),
        (["-o", "t.svg", "k.py"], "-o draws what --trace chooses"),
        (["--trace", "lane=0", "-o", "t.abc", "k.py"], "the suffix must be one of"),
        (["--trace", "lane=0", "-o", "few.npy", "k.py"], "the suffix must be one of"),
        (["--trace", "lane=0", "--trace-steps", "1", "k.py"], "give -o FILE"),
        (["--trace", "lane=0", "-o", "t.svg", "--trace-steps", "1,x", "k.py"], "numbers with commas"),
        (["k.py", "--trace", "lane=0", "-o", "t.svg", "--trace-steps", "999"], "no step 999 of this block"),
        (["--trace-json", "t.json", "k.py"], "--trace-json writes what --trace chooses"),
        (["k.py", "--trace", "block=9999"], "block 9999 is to be traced; the launch has 2, numbered from 0"),
        (["k.py", "--trace", "lane=32"], "lane 32 is to be traced; the launch has 32, numbered from 0"),
        (["--trace", "lane=0", "--trace-json", "few.npy", "k.py"], "'few.npy' is there already"),
        (["m.mlir"], "m.mlir has no function ''; its functions: f, g"),
        (["m.mlir:h"], "no function 'h'"),
        (["m.mlir:f"], "its tile.grid is missing; give --grid X,Y,Z"),
        (["m.mlir:f", "--grid", "1,0"], "--grid takes one to three extents"),
        (["m.mlir:f", "--grid", "1", "--block", "4096"], "4096 threads in a block"),
        (["m.mlir:f", *LAUNCH, "--target", "host"], "MLIR text runs on the simulator"),
        (["undefined.mlir", *LAUNCH], "undefined.mlir:6:19: error"),
        (["fly.mlir", *LAUNCH], "the simulator has no meaning for fly.inttoptr; tilewright banks counts"),
    ],
)  # fmt: skip
def test_what_is_refused(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("text.npy").write_text("no array")
    np.save("few.npy", np.zeros(3, np.float32))
    Path("undefined.mlir").write_text(MLIR.partition("func.func @g")[0].replace("%v, %v", "%x, %v"))
    Path("fly.mlir").write_text(
        "func.func @f(%a: i64, %v: f32) {\n  %p = fly.inttoptr(%a) : (i64) -> !fly.ptr<f32, global>\n"
        "  fly.ptr.store(%v, %p) : (f32, !fly.ptr<f32, global>) -> ()\n  func.return\n}\n"
    )
    told = refused(capsys, *words)
    assert said in told
    assert not Path("t.json").exists()


def test_a_fault_shows_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    told = refused(capsys, "m.mlir:f", "--grid", "1", "--block", "40", status=1)
    assert "reads element 64 of A, which has 64 elements" in told
    assert "m.mlir:5:8" in told
    assert "%v = memref.load %A[%i] : memref<64xf32>\n" + " " * 7 + "^" in told


def ended(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What a process has said once it has ended; one that goes on is killed, and fails the test."""
    try:
        return process.communicate(timeout=20)
    finally:
        process.kill()


@pytest.mark.usefixtures("heeded")
def test_ctrl_c_keeps_what_ran() -> None:
    """Interrupted in a terminal: the bar was shown, the report and the arrays are there, the status is 130."""
    words = ["k.py:long", "--arg", "K=100000", "--out", "B=b.npy", "--steps", str(10**12)]
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tilewright.cli.main", "run", *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
        os.close(theirs)
        shown = ""
        while "long [" not in shown:
            shown += os.read(ours, 4096).decode()
        process.send_signal(signal.SIGINT)
        out, _ = ended(process)
    assert process.returncode == 130
    assert "of 40000 blocks" in shown
    assert "interrupted: " in out
    assert np.load("b.npy").shape == (40000 * 32,)
    os.close(ours)


@pytest.mark.usefixtures("heeded")
def test_a_file_that_is_interrupted_says_so() -> None:
    Path("wait.py").write_text("import time\nprint('ready', flush=True)\ntime.sleep(60)")
    command = [sys.executable, "-m", "tilewright.cli.main", "run", "wait.py"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, told = ended(process)
    assert (process.returncode, told) == (130, "tilewright run: interrupted\n")
    assert time.monotonic() - began < 10
