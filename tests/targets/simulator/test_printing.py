"""What a kernel prints: on the simulator what C's printf prints, and a buffer's elements at any stage alike."""

from __future__ import annotations

import random
import runpy
from typing import Any

import numpy as np
import pytest

import tilewright as tw
from tilewright.arch.target import Target
from tilewright.errors import CompileError, KernelError, SimulationError, UsageError
from tilewright.ir.text import parse_module, print_module
from tilewright.ir.tile.printing import pieces
from tilewright.passes.pipeline import STAGES
from tilewright.runtime.on_host import HostExecutor
from tilewright.script import tirx as T
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import S, TileLayout

NUMBERS = {
    "i32": [0, 1, -1, 77, -(2**31), 2**31 - 1],
    "i64": [0, -5, 2**63 - 1, -(2**63)],
    "ui32": [0, 9, 2**32 - 1],
    "ui64": [1, 2**64 - 1],
    "i8": [-128, 127, 5],
    "i1": [False, True],
    "f32": [0.0, -0.0, 1.5, -2.25e10, 3e-7, float("inf"), float("-inf"), float("nan"), -float("nan"), 1e38],
    "f64": [0.1, -123456.789, 5e-324, 1.7e308],
}


def formats(rng: random.Random, count: int) -> list[tuple[str, str, Any]]:
    """Conversions with the type and the value that each is given."""
    found = []
    for _ in range(count):
        kind = rng.choice(sorted(NUMBERS))
        floats = kind.startswith("f")
        flags = "".join(rng.sample("-+ 0", rng.randint(0, 2)))
        width = rng.choice(["", "1", "7", "12"])
        precision = rng.choice(["", ".", ".0", ".3", ".11"]) if floats else ""
        length = "" if floats else rng.choice(["", "l", "ll", "h"])
        truth = kind == "i1" and rng.random() < 0.7
        letter = "s" if truth else rng.choice("fFeEgG" if floats else "diuxX")
        found.append((f"%{flags}{width}{precision}{length}{letter}", kind, rng.choice(NUMBERS[kind])))
    return found


def printing(lines: list[tuple[str, str, Any]]) -> tuple[str, list[Any]]:
    """A kernel of one thread that prints these numbers, which it loads."""
    kinds = sorted(NUMBERS)
    text, loaded = [], {kind: [value for _, k, value in lines if k == kind] for kind in kinds}
    seen = dict.fromkeys(kinds, 0)
    for i, (form, kind, _) in enumerate(lines):
        text.append(f"  %n{i} = arith.constant {seen[kind]} : index")
        text.append(f"  %w{i} = memref.load %{kind}[%n{i}] : memref<{len(loaded[kind])}x{kind}>")
        text.append(f'  tile.print "{form}|%%\\0A"(%w{i}) : ({kind})')
        seen[kind] += 1
    arguments = ", ".join(f"%{kind}: memref<{len(loaded[kind])}x{kind}>" for kind in kinds)
    attributes = "tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 1, 1, 1>"
    body = "\n".join(text)
    types = {"i32": "i4", "i64": "i8", "ui32": "u4", "ui64": "u8", "i8": "i1", "i1": "?", "f32": "f4", "f64": "f8"}
    arrays = [np.array(loaded[kind], types[kind]) for kind in kinds]
    return f"func.func @p({arguments}) attributes {{{attributes}}} {{\n{body}\n  func.return\n}}", arrays


def test_numbers_print_as_c_prints_them(capfd: pytest.CaptureFixture[str]) -> None:
    text, arrays = printing(formats(random.Random(7), 300))
    module = parse_module(text)
    assert print_module(parse_module(print_module(module))) == print_module(module)
    simulate(module, arrays)
    ours = capfd.readouterr().out
    HostExecutor.of(module, Target("host"))(arrays, SimOptions())
    theirs = capfd.readouterr().out
    assert ours.split("\n") == theirs.split("\n")
    assert len(ours.split("\n")) == 301


APART = TileLayout(S[(2,) : (2,)])


@T.prim_func
def talking(A: T.Buffer((2, 4), "float32"), N: T.int32) -> None:
    T.device_entry()
    bx = T.cta_id([2])
    tx = T.thread_id([4])
    s = T.alloc_shared((4,), "float32")
    r = T.alloc_local((2,), "int32", layout=APART)
    s[tx] = A[bx, tx] * 2.0
    r[0] = T.cast(tx, "int32") - 2
    T.sim.inspect(A)
    T.sim.inspect(s, block=(0, 1))
    if tx > 0:
        T.sim.inspect(r, block=1, thread=(0, 2))
    if tx % 2 == 0:
        T.printf('b%d t%d %x %.1f %g "µ\\"\n', bx, tx, r[0], s[tx], 2.5)
    T.cuda.printf("N=%d\n", N)


SAID = """\
A of block (0,0,0) thread (0,0,0) at
[[0. 1. 2. 3.]
 [4. 5. 6. 7.]]
s of block (0,0,0) thread (0,0,0) at
[0. 2. 4. 6.]
s of block (1,0,0) thread (0,0,0) at
[ 8. 10. 12. 14.]
r of block (1,0,0) thread (2,0,0) at
[0 --]
"""
WORDS = """\
b0 t0 fffffffe 0.0 2.5 "µ\\"
b0 t2 0 4.0 2.5 "µ\\"
b1 t0 fffffffe 8.0 2.5 "µ\\"
b1 t2 0 12.0 2.5 "µ\\"
"""
NUMBER = "N=7\n" * 8


@T.prim_func
def half_written(A: T.Buffer((4,), "float32")) -> None:
    T.device_entry()
    T.cta_id([2])
    tx = T.thread_id([4])
    s = T.alloc_shared((4,), "float32")
    if tx < 2:
        s[tx] = A[tx]
    T.cuda.cta_sync()
    T.sim.inspect(s, block=1)


def test_elements_that_nobody_has_written_are_shown_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    tw.compile(half_written)(np.arange(1, 5, dtype=np.float32))
    assert "[1.0 2.0 -- --]" in capsys.readouterr().out


def without_places(text: str) -> str:
    return "\n".join(line.partition(" at ")[0] + " at" * (" at " in line) for line in text.split("\n"))


@pytest.mark.parametrize("stage", STAGES)
def test_every_stage_says_the_same_in_the_order_of_the_lanes(stage: str, capsys: pytest.CaptureFixture[str]) -> None:
    tw.compile(talking).simulate(np.arange(8, dtype=np.float32).reshape(2, 4), 7, stage=stage)
    said = capsys.readouterr().out
    assert f"{__file__.rpartition('/')[2]}:" in said
    assert without_places(said) == SAID + WORDS + NUMBER


def test_the_host_prints_the_lines_and_leaves_inspection_out(capfd: pytest.CaptureFixture[str]) -> None:
    kernel = tw.compile(talking, target="host")
    assert "inspect" not in kernel.source
    kernel(np.arange(8, dtype=np.float32).reshape(2, 4), 7)
    assert sorted(capfd.readouterr().out.splitlines()) == sorted((WORDS + NUMBER).splitlines())


def test_a_script_reads_back() -> None:
    assert "T.printf('b%d t%d %x %.1f %g \"µ\\\\\"\\n', bx, tx, r[0], s[tx], 2.5)" in talking.script()
    assert "T.sim.inspect(s, block=(0, 1), thread=(0,))" in talking.script()


def test_nothing_is_proved_that_prints(capsys: pytest.CaptureFixture[str]) -> None:
    assert not tw.compile(talking).simulate(np.zeros((2, 4), np.float32), 1).proved
    assert capsys.readouterr().out


@pytest.mark.parametrize(
    "text", ["%", "100%", "%q", "%n", "%.3s", "%p", "%c", "%*d", "%1000d", "%.3d", "%.100f", "%%%", "x" * 5000]
)
def test_formats_that_are_refused(text: str) -> None:
    with pytest.raises(UsageError):
        pieces(text)
    module = f'"tile.print"() <{{format = "{text}"}}> : () -> ()'
    with pytest.raises(CompileError):
        parse_module(module)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ('T.printf("%d %d", tx)', "2 conversions, for 1 values"),
        ('T.printf("%f", tx)', "%f does not write a index"),
        ('T.printf("%d", 1.0)', "%d does not write a f64"),
        ("T.printf(tx)", "takes a format"),
        ('T.printf("%d", A)', "writes numbers"),
        ("T.sim.inspect(tx)", "takes a buffer"),
        ("T.sim.inspect(A, block=-1)", "numbers from 0"),
        ("T.sim.inspect(A, thread=2**40)", "numbers from 0"),
        ("T.sim.inspect(A, lane=1)", "lane"),
    ],
)
def test_calls_that_are_refused(call: str, words: str, tmp_path: Any) -> None:
    source = f"""
from tilewright.script import tirx as T
@T.prim_func
def k(A: T.Buffer((4,), "float32")):
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([4])
    {call}
"""
    (tmp_path / "k.py").write_text(source)
    with pytest.raises(KernelError, match=words):
        runpy.run_path(str(tmp_path / "k.py"))


@pytest.mark.parametrize(("call", "words"), [("block=2", "block 2"), ("thread=(0, 4)", "thread 4")])
def test_who_is_not_there_cannot_be_shown(call: str, words: str, tmp_path: Any) -> None:
    """Where nothing would be printed, whoever asked is told why, and where."""
    source = f"""
from tilewright.script import tirx as T
@T.prim_func
def k(A: T.Buffer((4,), "float32")):
    T.device_entry()
    bx = T.cta_id([2])
    tx = T.thread_id([4])
    T.sim.inspect(A, {call})
"""
    (tmp_path / "k.py").write_text(source)
    kernel = tw.compile(runpy.run_path(str(tmp_path / "k.py"))["k"])
    with pytest.raises(SimulationError, match=rf"{words} is to be shown; there are (2|4), numbered(?s:.*)k\.py:8:5"):
        kernel(np.zeros(4, np.float32))
