"""Random command lines, hostile ones among them, and what came of each."""

from __future__ import annotations

import contextlib
import io
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import cycle
from pathlib import Path
from typing import Any

from parser_fuzz import strings

from tilewright.cli.main import COMMANDS, main

Draw = Callable[[random.Random], str]

LIMIT = 1.0  # seconds of CPU, of a machine that has nothing else to do
PATIENCE = 10  # seconds, after which a command line is given up
NUMBERS = ["0", "1", "2", "3", "4", "8", "16", "32", "64", "128", "1000", "-1", "+7", "007", "1_0", "2.5", "1e3"]
HOSTILE = [
    *(
        "",
        " ",
        "-",
        "--",
        "-9",
        "²",
        "٣",
        "²,4",
        "é",
        "\x00",
        "\udcff",
        "\n",
        "'",
        "None",
        "zz",
        "--no-such",
        "a=b",
        "@x",
    ),
    *(
        "9" * 19,
        "9" * 5000,
        "-" + "9" * 5000,
        "(" * 3000,
        "()",
        "(" + "8," * 5000 + ")",
        "x" * 100_000,
        "../..",
        "/",
        ".",
    ),
]
TILES = [
    *("(8,64)", "(64,64)", "(32,33)", "(4,(2,8)):(1,(16,4))", "(8,64):(64,1)", "(64,32):(1,64)", "S[8,64]", "64:2"),
    *("S[(4,2,8,32,2):(4@laneid,1@warpid,1,64,1)]", "ComposeLayout(3,3,3,S[(64,64):(64,1)])", "(8,8):(0,0)", "1:0"),
    *(
        "Sw<3,3,3> o 0 o (8,64):(64,1)",
        "Sw<3,4,-3>",
        "SwizzleLayout(3,3,3)",
        "(4096,4096)",
        "(1,1048576)",
        "S[65536:4]",
    ),
    *("(4,?):(1,4)", "(8,8):(-8,1)", "S[8,8] + -3", "S[8:1] + R[2:8]", "(4,8):(1@0,1@1)", "1048576:1048576", "(3,5,7)"),
    *("{lane = [[1], [2]]} -> {offset = 4}", "(2147483648,2147483648)", "9223372036854775807:0", "(9,9):(9,1)"),
]
ACCESSES = [
    *("rows", "columns", "rows 16B", "load columns 4B", "store rows 2B", "rows 0B", "columns 3B", "rows 9999B", "load"),
    *("ldmatrix", "ldmatrix.x4", "ldmatrix.x2.trans", "stmatrix.x4", "ds_read_b128 columns", "ldmatrix.x4 columns"),
    *(
        "(32,8):(8,1) 128b",
        "load (32,8):(8,1)",
        "(32,1):(1,0)",
        "tma",
        "wgmma",
        "tcgen05",
        "cp.async rows 16B",
        "S[32:1]",
    ),
    *("(4194304,8):(1,1)", "(32,(2,2)):(2,(1,64)) 8b", "st.shared.v4.f32 rows", "rows 16B 16B", "atomics"),
]
ATOMS = [
    *("SM80_16x8x16_F32F16F16F32_TN", "SM75_U32x4_LDSM_N", "UniversalCopy<uint128_t>", "SM90_TMA_LOAD<1024>", "16x8x8"),
    *("SM90_TMA_LOAD<x>", "SM100_MMA_F16BF16_SS<half_t,half_t,float,128,256,K,K>", "SM120_16x8x64_TN<a,b>", "MFMA"),
    *("SM90_TMA_LOAD", "UniversalFMA<float>", "UniversalFMA<", "SM80_CP_ASYNC_CACHEALWAYS<uint7_t>", "LDSM/f16", "gfx"),
]
TYPES = ["f16", "float32", "int8", "float4_e2m1fn", "bool", "complex64", "16", "0", "3", "128", "64"]
ARCHES = ["sm_80", "sm_90", "sm_90a", "sm_100a", "gfx942", "gfx1201", "sm_", "moon", "cuda:sm_80", "sm_²"]
KERNEL = """
from tilewright.script import tirx as T
@T.prim_func
def twice(A: T.Buffer((32,), "float32"), B: T.Buffer((32,), "float32")):
    T.device_entry()
    tx = T.thread_id([32])
    B[tx] = A[tx] + A[tx]
three = 3
"""
RUN = """func.func @k(%A: memref<32xf32>, %B: memref<32xf32>) attributes {tile.grid = array<i64: 2, 1, 1>} {
  %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %v = memref.load %A[%t] : memref<32xf32>
  memref.store %v, %B[%t] : memref<32xf32>
  func.return
}"""
FILES = {
    "good.py": KERNEL,
    "bad.py": "print(",
    "zero.py": "1/0\x00",
    "taken.svg": "mine = 1",
    "empty.npy": "",
    "quiet.py": "",
    "run.mlir": RUN,
    "good.mlir": "func.func @f(%a: index) -> index { %b = arith.addi %a, %a : index  func.return %b : index }",
    "bad.mlir": "func.func @f( { // expected-error {{x}}",
}


def command_lines(rng: random.Random, count: int) -> Iterator[list[str]]:
    """`count` command lines; a file that one of them writes lies in the folder that `folder` made."""
    texts = cycle(strings(rng, 5000))

    def some(*pools: list[str]) -> str:
        dice = rng.random()
        if dice < 0.08:
            return rng.choice(HOSTILE)
        return next(texts) if dice < 0.16 else rng.choice(rng.choice(pools))

    for _ in range(count):
        command = rng.choice(ANSWERING)
        words = [command, *_ARGUMENTS[command](rng, some)]
        if rng.random() < 0.05:
            words = rng.sample(words, len(words))
        yield [word for word in words if rng.random() > 0.02]


def _options(rng: random.Random, table: dict[str, list[str] | None], some: Any) -> list[str]:
    out: list[str] = []
    for name in rng.sample(sorted(table), rng.randint(0, min(5, len(table)))):
        values = table[name]
        out += [name] if values is None else [name, some(values)] if rng.random() < 0.9 else [f"{name}={some(values)}"]
    return out


SVG = ["a.svg", "b.html", "c.txt", "d.gif", "e.tex", "taken.svg", "no/where.svg", "/dev/null"]
LANES = ["0-15,20", "0", "5-2", "0-4095", "0-9999", "3,3,3", ",", "1-", "-1"]
_COMMON: dict[str, list[str] | None] = {
    "--element-bits": NUMBERS, "--dtype": TYPES, "--arch": ARCHES, "--json": None, "--svg": SVG, "--force": None,
}  # fmt: skip
_BANKS: dict[str, list[str] | None] = {
    "--at": ["0,4,8", "32:8", "0 4", "(4096,2):(1,1)", *LANES], "--instruction": ACCESSES, "--kind": ["load", "store"],
    "--vector-bits": NUMBERS, "--active": LANES, "--base": NUMBERS, "--merge": ["auto", "yes", "no"], **_COMMON,
}  # fmt: skip
_SWIZZLE: dict[str, list[str] | None] = {"--access": ACCESSES, "--top": NUMBERS, **_COMMON}
_DEMOS: dict[str, dict[str, list[str] | None]] = {
    "swizzle": {
        "--swizzle": ["2,3,3", "Sw<3,3,3>", "1,2", "99,99,99", "3,3,-3"], "--lane": NUMBERS, "--json": None,
        "--svg": SVG,
        "--picture": ["bits", "rows", "back"], "--force": None,
    },
    "permutation": {"--atoms": NUMBERS, "--block": NUMBERS, "--dtype": TYPES, "--arch": ARCHES, "--json": None},
    "permute": {"--input": [*FILES], "--pipe": ["-1", "0", "x"], "--blk": ["127", "0", "9" * 12], "--dtype": TYPES},
}  # fmt: skip


def _demo(rng: random.Random, some: Any) -> list[str]:
    name = rng.choice([*_DEMOS])
    refused = ["--blk", "127"] if name == "permute" else []  # the demo itself takes longer than a question
    return [some([name]), *_options(rng, _DEMOS[name], some), *refused]


_SHOW: dict[str, list[str] | None] = {
    "--as": ["cute", "tirx", "linear", "fly", "triton"], "--json": None, "-o": SVG, "--force": None,
}  # fmt: skip


def _show(rng: random.Random, some: Any) -> list[str]:
    return [some(TILES), *_options(rng, _SHOW, some)]


def _eval(rng: random.Random, some: Any) -> list[str]:
    coords = ["11", "(3,5)", "(_,2)", "(3,(1,2))", "lane=3, warp=1", "(9,9)", "_", "9223372036854775807", *NUMBERS]
    options = _options(rng, {"--shape": ["(8,64)", "(4,4)", "8", "(0,8)"], "--json": None}, some)
    return [some(TILES), *(some(coords) for _ in range(rng.randint(1, 4))), *options]


def _banks(rng: random.Random, some: Any) -> list[str]:
    asked = [some(TILES), *(some(ACCESSES) for _ in range(rng.randint(1, 3)))] if rng.random() < 0.9 else []
    return [*asked, *_width(rng, some), *_options(rng, _BANKS, some)]


def _swizzle(rng: random.Random, some: Any) -> list[str]:
    accesses = [word for _ in range(rng.randint(0, 3)) for word in ("--access", some(ACCESSES))]
    return [some(TILES), *accesses, *_width(rng, some), *_options(rng, _SWIZZLE, some)]


def _width(rng: random.Random, some: Any) -> list[str]:
    return rng.choice([["--dtype", some(TYPES)], ["--element-bits", some(["8", "16", "32"])]])


def _atoms(rng: random.Random, some: Any) -> list[str]:
    table = {
        "--kind": ["mma", "copy"], "--arch": ARCHES, "--element": TYPES, "--all": None, "--json": None, "--svg": SVG,
        "--force": None,
    }  # fmt: skip
    return [*(some(ATOMS) for _ in range(rng.randint(0, 2))), *_options(rng, table, some)]


def _run(rng: random.Random, some: Any) -> list[str]:
    files = ["bad.py", "zero.py", "quiet.py", "none.py", "taken.svg", "good.py:twice", "good.py:three", "run.mlir"]
    files += ["run.mlir:k", "run.mlir:none", "bad.mlir:f", "good.mlir", "none.mlir:f", "good.py:", ":k"]
    values = ["A=ones", "B=arange", "A=zeros(32,float32)", "A=random(4x8)", "C=ones", "A=empty.npy", "A=", "=", "A=7"]
    table = {
        "--target": ["simulator", "cuda", "moon", *ARCHES],
        "--check": ["on", "off", "strict", "no"],
        "--schedule": ["random", "lockstep"],
        "--seed": NUMBERS,
        "--mma": ["exact", "fast"],
        "--arg": values,
        "--out": ["A=a.npy", "B=no/where.npy", "A=taken.svg", "C=c.npy"],
        "--grid": ["1", "2,1,1", "0", "1x2", "1,2,3,4", *NUMBERS],
        "--block": ["32", "8,4", *NUMBERS],
        "--trace": ["block=0,lane=0-3", "lane=", "thread=9", "x"],
        "--trace-json": ["t.json", "no/where.json", "taken.svg"],
        "-o": SVG,
        "--trace-steps": ["1", "1,2", "x", "", *NUMBERS],
        **dict.fromkeys(("--profile", "--json", "--force")),
    }
    options = _options(rng, table, some)
    return [*options, some(files), some(NUMBERS)] if rng.random() < 0.5 else [some(files), *options]


def _compile(rng: random.Random, some: Any) -> list[str]:
    kernels = ["good.py:twice", "good.py:three", "good.py:none", "good.py", "bad.py:x", "quiet.py:x", ":", "a:b:c"]
    stages = ["tile", "dispatched", "lowered", "final", "script:tile", "cuda", "script:cuda", "moon:tile"]
    targets = ["simulator", "host", "cuda:sm_90a", "hip:gfx942", "moon"]
    return [
        some(kernels),
        "--emit",
        some(stages),
        *_options(rng, {"--target": targets, "-o": SVG, "--force": None}, some),
    ]


def _bench(rng: random.Random, some: Any) -> list[str]:
    return [*(some(["one", "two"]) for _ in range(rng.randint(0, 2))), *_options(rng, {"--folder": ["x", "."]}, some)]


def _doctor(rng: random.Random, some: Any) -> list[str]:
    return [some(["--json", "--nope"])]


def _opt(rng: random.Random, some: Any) -> list[str]:
    files = ["good.mlir", "bad.mlir", "good.py", "none.mlir", "a.mlir b.mlir"]
    words = ["--simplify", "-cse", "--dce", "--dispatch=lanes=64", "--dispatch=lanes=x", "--lower-buffers",
             "--pass-pipeline=builtin.module(simplify,cse)", "--pass-pipeline=(", "--verify-each", "--split-input-file",
             "--verify-diagnostics", "--mlir-print-op-generic", "--mlir-print-debuginfo", "--mlir-print-ir-after-all",
             "-allow-unregistered-dialect", "-o", "-o=x.mlir", "--force", "--help=1", "--moon"]  # fmt: skip
    return [some(files), *(some(words) for _ in range(rng.randint(0, 4)))]


_ARGUMENTS: dict[str, Callable[[random.Random, Any], list[str]]] = {
    "demo": _demo, "show": _show, "eval": _eval, "banks": _banks, "swizzle": _swizzle, "atoms": _atoms, "run": _run,
    "compile": _compile, "bench": _bench, "doctor": _doctor,
    "opt": _opt,
}  # fmt: skip
ANSWERING = [name for name in COMMANDS if name != "explore"]  # which serves until it is interrupted


@contextlib.contextmanager
def folder(path: Path) -> Iterator[None]:
    """The working directory of the commands, with the files that they name; everything that they import is loaded."""
    for module in (
        "numpy",
        "ml_dtypes",
        "tilewright.runtime.compile",
        *(f"tilewright.cli.{name}" for name in COMMANDS),
    ):
        import_module(module)
    for name, text in FILES.items():
        (path / name).write_text(text)
    with contextlib.chdir(path):
        yield


@contextlib.contextmanager
def no_input() -> Iterator[None]:
    """Standard input at its end."""
    kept, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO())
    try:
        yield
    finally:
        sys.stdin = kept


def _stop(*_: object) -> None:
    raise TimeoutError(f"more than {PATIENCE} s")


def trouble(words: list[str], limit: float = LIMIT) -> str:
    """What a command line did that none may do; empty where all is well."""
    began = time.process_time()
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(PATIENCE)
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), no_input():
            status = main(words)
    except BaseException as error:  # whatever it is, it is not an exit status
        return f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.alarm(0)
    spent = time.process_time() - began
    if status not in (0, 1, 2):
        return f"status {status}"
    if status == 2 and not err.getvalue().strip():
        return "status 2 without a word"
    if "Traceback" in err.getvalue():
        return "a traceback"
    return f"{spent:.1f} s" if spent > limit else ""
