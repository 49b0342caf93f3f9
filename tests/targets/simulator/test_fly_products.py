"""Products of `fly` by what the text of their atoms says: signs of integers, scales of blocks, what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from fly_runs import Launch, Memory, report_of, stages
from fly_text import typed

from tilewright.arch import get
from tilewright.atoms.semantics import table
from tilewright.dtypes import dtype
from tilewright.errors import CompileError, SimulationError
from tilewright.notation.fly_atoms import parse_fly_atom

Array = np.ndarray[Any, np.dtype[Any]]
RDNA = {"gfx1200": get("gfx1200"), "gfx1250": replace(get("gfx1200"), name="gfx1250"), "gfx1100": get("gfx1100")}
FLOATS = {"f8E4M3FN": "float8_e4m3fn", "f8E5M2": "float8_e5m2"}


def product(
    atom: str, kinds: tuple[str, str, str], counts: tuple[int, int, int], scales: str = "", way: str = ""
) -> str:
    """A product of one wave on elements that lie lane by lane; `scales` is their type, and `way` how they are said."""
    lines = [
        "gpu.module @m {",
        "  gpu.func @k("
        + ", ".join(f"%p{x}: !fly.ptr<{kind}, global, align<4>>" for x, kind in zip("abc", kinds, strict=True))
        + "".join(f", %s{x}: !fly.ptr<{scales or 'i32'}, global>" for x in "ab")
        + ") kernel {",
        "    %tx = gpu.thread_id x\n    %t = arith.index_cast %tx : index to i32\n"
        "    %one = fly.make_int_tuple(%t) -> !fly.int_tuple<?>",
    ]
    for x, kind, count in zip("abc", kinds, counts, strict=True):
        lines.append(f"""    %n{x} = arith.constant {count} : i32
    %f{x} = arith.muli %t, %n{x} : i32
    %i{x} = fly.make_int_tuple(%f{x}) -> !fly.int_tuple<?{{div={count}}}>
    %q{x} = fly.add_offset(%p{x}, %i{x})
    %v{x} = fly.ptr.load(%q{x}) -> vector<{count}x{kind}>""")
    for x in "ab" if scales else "":
        lines.append(f"    %r{x} = fly.add_offset(%s{x}, %one)\n    %e{x} = fly.ptr.load(%r{x}) -> {scales}")
    lines.append(f"    %m = fly.make_mma_atom : !fly.mma_atom<{atom}>")
    if way == "state":
        lines.append('    %m1 = fly.atom.set_value(%m, "scale_a", %ea) -> !fly.mma_atom<' + atom + ">")
        lines.append('    %m2 = fly.atom.set_value(%m1, "scale_b", %eb) -> !fly.mma_atom<' + atom + ">")
    used = {"state": "%m2, %va, %vb, %vc", "beside": "%m, [%va, %ea], [%vb, %eb], %vc"}.get(way, "%m, %va, %vb, %vc")
    lines.append(f"    %w = fly.mma_atom_call_ssa({used}) -> vector<{counts[2]}x{kinds[2]}>")
    lines.append("    fly.ptr.store(%w, %qc)\n    gpu.return\n  }\n}")
    return typed("\n".join(lines))


def lanes(atom: str, letter: str, matrix: Array) -> Array:
    """A matrix as lanes hold it, lane by lane."""
    found = parse_fly_atom(f"!fly.mma_atom<{atom}>")
    return np.ascontiguousarray(matrix.T.reshape(-1)[table(found.tv_layout(letter))]).reshape(-1)  # type: ignore[union-attr]  # of a product


def sums(atom: str, matrix: Array, out: Array) -> bool:
    """Do the lanes hold the matrix?"""
    return np.array_equal(lanes(atom, "C", matrix.astype(out.dtype)), out)


@pytest.mark.parametrize("signs", [("true", "true"), ("false", "true"), ("true", "false"), ("false", "false")])
@pytest.mark.parametrize("name", ["gfx11", "gfx120x"])
def test_integers_have_the_signs_that_the_atom_says(name: str, signs: tuple[str, str]) -> None:
    said = f"signA = {signs[0]}, signB = {signs[1]}, clamp = false"
    atom = f"!fly_rocdl.{name}.wmma<16x16x16, (i8, i8) -> i32, {said}>"
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-128, 128, (16, 16)).astype(np.int8) for _ in "ab")
    count = 16 if name == "gfx11" else 8
    out = np.zeros(256, np.int32)
    given = (lanes(atom, "A", a), lanes(atom, "B", b), out, *[np.zeros(32, np.int32)] * 2)
    text = product(atom, ("i8", "i8", "i32"), (count, count, 8))
    arch: Any = RDNA["gfx1100" if name == "gfx11" else "gfx1200"]
    report_of(Launch(text, tuple(map(Memory, given)), block=32, arch=arch))
    left, right = (
        x.view(np.int8 if s == "true" else np.uint8).astype(np.int64) for x, s in zip((a, b), signs, strict=True)
    )
    assert sums(atom, left @ right.T, out)


@pytest.mark.parametrize("way", ["state", "beside"])
@pytest.mark.parametrize("block", [16, 32])
@pytest.mark.parametrize("opsel", [(0, 1), (1, 0)])
@pytest.mark.parametrize("element", FLOATS)
def test_the_scaled_wmma(element: str, opsel: tuple[int, int], block: int, way: str) -> None:
    atom = (
        f"!fly_rocdl.gfx1250.wmma_scale<16x16x128, ({element}, {element}) -> f32, opselA = {opsel[0]}, "
        f"opselB = {opsel[1]}, modC = 0, reuseA = false, reuseB = false, blockSize = {block}>"
    )
    rng = np.random.default_rng(4)
    a, b = (rng.integers(-3, 4, (16, 128)).astype(dtype(element).numpy()) for _ in "ab")
    count = 128 // block
    words = rng.integers(120, 135, (2, 32, count)).astype(np.uint8)  # of each lane, a byte a block
    kind = f"i{8 * count}"
    out = np.zeros(256, np.float32)
    held = [x.view(dtype(kind).numpy()).reshape(-1) for x in words]
    given = (lanes(atom, "A", a), lanes(atom, "B", b), out, *held)
    launch = Launch(
        product(atom, (element, element, "f32"), (64, 64, 8), kind, way), tuple(map(Memory, given)), block=32
    )
    launch = replace(launch, arch=RDNA["gfx1250"])  # type: ignore[arg-type]  # an architecture that has no name yet
    rows = [words[i, 16 * opsel[i] : 16 * opsel[i] + 16].astype(np.float64) - 127 for i in range(2)]
    left, right = (x.astype(np.float64) * np.repeat(2.0**s, block, axis=1) for x, s in zip((a, b), rows, strict=True))
    (_, first), *others = stages(launch)
    assert not first.fault, first.said
    assert np.array_equal(
        np.frombuffer(first.bytes[2], np.float32), lanes(atom, "C", (left @ right.T).astype(np.float32))
    )
    assert all(first.agrees(outcome) for _, outcome in others)


def test_scales_that_nobody_says_are_bytes_of_0() -> None:
    atom = "!fly_rocdl.cdna4.mfma_scale<16x16x128, (f8E4M3FN, f8E4M3FN) -> f32, opselA = 0, opselB = 0>"
    out = np.zeros(256, np.float32)
    ones = np.ones(16 * 128).astype(dtype("f8E4M3FN").numpy())
    given = (ones, ones, out, *[np.zeros(64, np.int32)] * 2)
    text = product(atom, ("f8E4M3FN", "f8E4M3FN", "f32"), (32, 32, 4))
    report_of(Launch(text, tuple(map(Memory, given)), arch="gfx950"))
    assert (out == 0).all()  # 128 times 2^-254 is no float32


@pytest.mark.parametrize(
    ("atom", "said"),
    [
        ("!fly_rocdl.gfx120x.wmma<16x16x16, (i8, i8) -> i32, signA = true, signB = true, clamp = true>", "clamp of"),
        (
            "!fly_rocdl.gfx120x.swmmac<16x16x32, (i8, i8) -> i32, signA = true, signB = true, clamp = false>",
            "no layouts",
        ),
        (
            "!fly_rocdl.gfx1250.wmma<16x16x64, (i8, i8) -> i32, signA = true, signB = true, clamp = false, modC = 1>",
            "modC = 1",
        ),
    ],
)
def test_what_is_not_simulated_names_itself(atom: str, said: str) -> None:
    text = product(atom, ("i8", "i8", "i32"), (32 if "1250" in atom else 8, 32 if "1250" in atom else 8, 8))
    given = (np.zeros(1024, np.int8), np.zeros(1024, np.int8), np.zeros(256, np.int32), *[np.zeros(32, np.int32)] * 2)
    with pytest.raises((CompileError, SimulationError), match=said):
        report_of(Launch(text, tuple(map(Memory, given)), block=32, arch="gfx1200"))
