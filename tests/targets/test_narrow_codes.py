"""Floats of at most 8 bits, tf32 and pairs of them: every code and every half, on the simulator and in all texts.

The oracle is ml_dtypes, which rounds to the nearest; what saturates is clipped before, no number has the code of PTX.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from final_kernels import kernel
from translation import run_both

import tilewright as tw
from tilewright.arch.target import Target
from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.core.narrow import NARROW, NVIDIA, SCALE
from tilewright.ir.text import parse_module
from tilewright.ir.tile.pairs import PAIRS, Pair, held
from tilewright.runtime.on_host import HostExecutor
from tilewright.script import tirx as T
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import simulate

Array = np.ndarray[Any, np.dtype[Any]]
COUNT = 1 << 16
SOME = [row for row in PAIRS.values() if not row.relu or "e4m3" in row.name]  # `relu` is the same in all
HALVES = np.arange(COUNT, dtype=np.uint16)
FOREIGN = sorted({name for name in NARROW if name not in NVIDIA})


def singles() -> Array:
    """Numbers of all sizes, halves among them, ties of every format, and their neighbours."""
    some = np.random.default_rng(0).integers(0, 1 << 32, COUNT // 2, dtype=np.uint32)
    ties = HALVES[: COUNT // 4].view(np.float16).astype(np.float32).view(np.uint32)
    return np.concatenate([some, ties, ties + np.uint32(1)]).view(np.float32)


def computed(lines: Sequence[tuple[str, str, str]], sources: dict[str, Array], run: Any = None) -> list[Array]:
    """What each op, its text, operands' names in front and the type that it gives, makes of all elements."""
    kinds = {name: np.dtype(array.dtype).name for name, array in sources.items()}
    types = {
        "float16": "f16",
        "float32": "f32",
        "float64": "f64",
        "bfloat16": "bf16",
        "uint16": "ui16",
        "uint32": "ui32",
    }
    named = {name: types.get(kind, dtype(kind).mlir) for name, kind in kinds.items()}
    parameters = [f"%S{name}: memref<{COUNT}x{kind}>" for name, kind in named.items()]
    parameters += [f"%R{i}: memref<{COUNT}x{kind}>" for i, (_, _, kind) in enumerate(lines)]
    body = ["%rows = arith.constant 512 : index", "scf.for %row = %c0 to %rows step %c1 {"]
    body += ["%start = arith.muli %row, %block : index", "%at = arith.addi %start, %tx : index"]
    body += [f"%{name} = memref.load %S{name}[%at] : memref<{COUNT}x{kind}>" for name, kind in named.items()]
    for i, (before, text, kind) in enumerate(lines):
        body += [before.replace("@", str(i)), f"%r{i} = {text.replace('@', str(i))}"]
        body.append(f"memref.store %r{i}, %R{i}[%at] : memref<{COUNT}x{kind}>")
    arrays = [*sources.values(), *(np.zeros(COUNT, dtype(kind).numpy()) for _, _, kind in lines)]
    text = kernel("\n".join([*body, "}"]), ", ".join(parameters), 128)
    found: list[Array] = run(text, arrays) if run else run_both(text, arrays, ("-O0",))
    return found[len(sources) :]


def on_loops(text: str, arrays: list[Array]) -> list[Array]:
    """The simulator's arrays, which the loops of C and of LLVM give too."""
    module = parse_module(text)
    simulated, *others = ([array.copy() for array in arrays] for _ in range(3))
    simulate(module, simulated)
    for target, found in zip(("host", "host -compiler=llvmlite"), others, strict=True):
        HostExecutor.of(module, Target(target))(found, SimOptions())
        assert [array.tobytes() for array in found] == [array.tobytes() for array in simulated]
    return simulated


def code(values: Array, name: str, how: str = "rn.satfinite") -> Array:
    """The codes that ml_dtypes gives numbers, with PTX's for what has none there."""
    with np.errstate(invalid="ignore"):
        row, wide = NARROW[name], values.astype(np.float64)
    if name == SCALE:
        size = np.abs(wide)
        with np.errstate(divide="ignore", invalid="ignore"):
            power = np.ceil(np.log2(size)) if how.startswith("rp") else np.floor(np.log2(size))
            found = np.clip(power, -127, 127 if how.endswith("satfinite") else 128) + 127
        return np.where(np.isnan(wide), 255, np.where(size == 0, 0, found)).astype(np.uint8)
    kept = np.clip(wide, -row.maximum, row.maximum) if how else wide
    with np.errstate(invalid="ignore"):
        found = kept.astype(np.float32).astype(row.element.numpy()).view(np.uint8)
    return np.where(np.isnan(wide), row.nan, found)


def casts(name: str, how: str) -> list[tuple[str, str, str]]:
    """From each type that is computed on, seen as binary32; with no `how` MLIR's own op."""
    kind, lines = NARROW[name].element.mlir, []
    for start in "abs":
        source = {"a": "f16", "b": "bf16", "s": "f32"}[start]
        op = (
            f'tile.narrow "{how}" %{start} : {source} -> {kind}'
            if how
            else f"arith.truncf %{start} : {source} to {kind}"
        )
        lines.append((f"%n@ = {op}", f"arith.extf %n@ : {kind} to f32", "f32"))
    return lines


def given() -> dict[str, Array]:
    """All words of 16 bits as numbers and as words, and numbers of all sizes."""
    bf16, wide = dtype("bfloat16").numpy(), HALVES.astype(np.uint32)
    found = {"a": HALVES.view(np.float16), "b": HALVES.view(bf16), "s": singles(), "t": singles()[::-1].copy()}
    return {**found, "u": HALVES.astype(np.uint8), "v": HALVES, "w": wide << 16 | wide[::-1]}


def cases(names: Sequence[str]) -> list[tuple[str, str]]:
    """Formats with how they round; those that have a code for what is too large may also give that."""
    opened = [(name, "") for name in names if NARROW[name].largest < NARROW[name].beyond and name != SCALE]
    return [*((name, NARROW[name].usual) for name in names), *opened]


def check_casts(names: Sequence[str], arrays: dict[str, Array], found: Sequence[Array]) -> None:
    for number, (name, how) in enumerate(cases(names)):
        codes = np.arange(256) & ((1 << NARROW[name].element.bits) - 1)
        means = codes.astype(np.uint8).view(NARROW[name].element.numpy()).astype(np.float32)
        means[np.isnan(means)] = np.nan
        for got, start in zip(found[3 * number : 3 * number + 3], "abs", strict=True):
            assert got.tobytes() == means[code(arrays[start], name, how)].tobytes(), (name, how)


def pair(row: Pair) -> tuple[str, str, str]:
    names = ["s", "t"] if row.source.name == "float32" else [{32: "w", 16: "v", 8: "u"}[row.given[0].bits]]
    types = ", ".join(kind.mlir for kind in row.given)
    text = f'tile.pair "{row.name}" {", ".join(f"%{name}" for name in names)} : {types} -> {row.result.mlir}'
    return "", text, row.result.mlir


def parts(row: Pair, arrays: dict[str, Array]) -> list[Array]:
    """The two numbers of each pair."""
    if row.source.name == "float32":
        numbers = [arrays["s"], arrays["t"]]
    else:
        word = arrays[{32: "w", 16: "v", 8: "u"}[row.given[0].bits]]
        halves = [word >> shift & (1 << row.source.bits) - 1 for shift in (held(row.source), 0)]
        size = f"u{max(1, row.source.bits // 8)}"
        numbers = [half.astype(size).view(row.source.numpy()).astype(np.float32) for half in halves]
    return [np.where(number <= 0, np.float32(0), number) if row.relu else number for number in numbers]


def check_pair(row: Pair, arrays: dict[str, Array], found: Array) -> None:
    for number, shift in zip(parts(row, arrays), (held(row.target), 0), strict=True):
        got = found >> shift & ((1 << held(row.target)) - 1)
        if row.target.name in NARROW:
            assert (got == code(number, row.target.name, row.how)).all(), row.name
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            right = number.astype(row.target.numpy()).view(np.uint16)
        assert (got == np.where(np.isnan(number), 0x7FFF, right)).all(), row.name


def check_tf32(values: Array, found: Array, even: bool) -> None:
    finite = np.isfinite(values)
    size = np.abs(values[finite].astype(np.float64))
    unit = 2.0 ** (np.maximum(np.frexp(size)[1] - 1, -126) - 10)
    near = np.rint(size / unit) if even else np.floor(size / unit + 0.5)
    with np.errstate(over="ignore"):
        assert (found[finite] == np.copysign(near * unit, values[finite]).astype(np.float32)).all()
    assert np.array_equal(found[~finite], values[~finite], equal_nan=True)


def test_every_half_and_every_word() -> None:
    """To the formats of NVIDIA and back, two at once, and to tf32."""
    names, arrays = sorted(NVIDIA), given()
    tf32 = [
        (f'%n@ = tile.narrow "{how}" %s : f32 -> tf32', "arith.extf %n@ : tf32 to f32", "f32") for how in ("rna", "rn")
    ]
    one_by_one = [line for case in cases(names) for line in casts(*case)]
    found = computed([*tf32, *map(pair, SOME), *one_by_one], arrays)
    check_tf32(arrays["s"], found[0], even=False)
    check_tf32(arrays["s"], found[1], even=True)
    for row, got in zip(SOME, found[2:], strict=False):
        check_pair(row, arrays, got)
    check_casts(names, arrays, found[2 + len(SOME) :])


def test_every_half_to_other_formats() -> None:
    arrays = {name: given()[name] for name in "abs"}
    found = computed([line for case in cases(FOREIGN) for line in casts(*case)], arrays, on_loops)
    check_casts(FOREIGN, arrays, found)


@pytest.mark.parametrize("arch", ["sm_80", "sm_120a"])
def test_nvrtc_takes_casts(arch: str) -> None:
    """Also where the machine has no instruction for them."""
    lines = [line for case in cases(sorted(NVIDIA)) for line in casts(*case)[2:]]

    def compiled(text: str, arrays: list[Array]) -> list[Array]:
        assert compile_cubin(emit(parse_module(text)).source, arch).startswith(b"\x7fELF")
        return arrays

    computed([*lines, *(map(pair, SOME) if arch == "sm_120a" else [])], given(), compiled)


def test_kernels_cast_and_convert() -> None:
    """`T.cast` saturates; scales are rounded up; `T.ptx.cvt` makes two; bits are seen as another type."""

    @T.prim_func
    def cast(a: T.handle, b: T.handle, c: T.handle, d: T.handle) -> None:
        A = T.match_buffer(a, (32,), "float32")
        B = T.match_buffer(b, (32,), "float8_e4m3fn")
        C = T.match_buffer(c, (32, 4), "uint32")
        D = T.match_buffer(d, (32, 3), "float16")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        B[t] = T.cast(A[t], "float8_e4m3fn")
        word: T.uint16 = 0
        byte: T.uint8 = 0
        both: T.uint32 = 0
        T.ptx.cvt.rn.satfinite.e5m2x2.f32(word, A[t], 1.0)
        C[t, 0] = T.uint32(word)
        T.ptx.cvt.rn.satfinite.relu.e2m1x2.f32(byte, A[t], -1.0)
        C[t, 1] = T.uint32(byte)
        T.ptx.cvt.rn.f16x2.e2m1x2(both, byte)
        C[t, 2] = both
        C[t, 3] = T.uint32(T.reinterpret("uint8", T.cast(A[t], "float8_e8m0fnu")))
        D[t, 0] = T.cast(B[t], "float16")
        D[t, 1] = T.cast(T.cast(T.int32(t) * 100, "float8_e4m3fn"), "float16")
        D[t, 2] = T.cast(T.max_value("float6_e3m2fn"), "float16")

    x = np.linspace(-700, 700, 32).astype(np.float32)
    for target in ("simulator:sm_100a", "host:sm_100a"):
        b, c, d = np.zeros(32, dtype("e4m3").numpy()), np.zeros((32, 4), np.uint32), np.zeros((32, 3), np.float16)
        tw.compile(cast, target=target)(x, b, c, d)
        assert (b.view(np.uint8) == code(x, "float8_e4m3fn")).all()
        assert (c[:, 0] == code(x, "float8_e5m2").astype(np.uint32) << 8 | 0x3C).all()
        assert (c[:, 1] == code(np.maximum(x, 0), "float4_e2m1fn").astype(np.uint32) << 4).all()
        assert (c[:, 2] == np.where(x > 0, 0x46000000, 0)).all()
        assert (c[:, 3] == code(x, SCALE, "rp.satfinite")).all()
        assert (d[:, 0] == b.astype(np.float16)).all()
        counted = (np.arange(32) * 100).astype(np.float32)
        assert (d[:, 1] == code(counted, "float8_e4m3fn").view(b.dtype).astype(np.float16)).all()
        assert (d[:, 2] == 28).all()


def test_what_words_do_not_go_together() -> None:
    def wrong(a: T.handle) -> None:
        A = T.match_buffer(a, (32,), "uint16")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        word: T.uint16 = 0
        T.ptx.cvt.ue8m0x2.f32(word, 1.0, 2.0)
        A[t] = word

    with pytest.raises(KernelError, match=r"PTX has cvt.rp.satfinite.ue8m0x2.f32"):
        T.prim_func(wrong)
