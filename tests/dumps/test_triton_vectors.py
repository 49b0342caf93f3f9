"""Global vectors of Triton dumps: the widest that pointers' divisors, layout, mask and both sides of a copy allow."""

from __future__ import annotations

import itertools
import re

import pytest

from tilewright.dumps.triton.analysis import analyse

HEAD = """
#b = #ttg.blocked<{sizePerThread = [OWN0, OWN1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = ORDER}>
#s = #ttg.swizzled_shared<{vec = VEC, perPhase = 1, maxPhase = 4, order = [1, 0]}>
tt.func public @k(%x: !tt.ptr<f16> {tt.divisibility = BASE : i32}, %n: i32 {tt.divisibility = ROW : i32}, %m: i32) {
  %r = tt.make_range {end = 64 : i32, start = START : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>>
  %c = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>>
  %re = tt.expand_dims %r {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #b}>> -> tensor<64x1xi32, #b>
  %ce = tt.expand_dims %c {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #b}>> -> tensor<1x64xi32, #b>
  %ns = tt.splat %n : i32 -> tensor<64x1xi32, #b>
  %rm = arith.muli %re, %ns : tensor<64x1xi32, #b>
  %rb = tt.broadcast %rm : tensor<64x1xi32, #b> -> tensor<64x64xi32, #b>
  %cb = tt.broadcast %ce : tensor<1x64xi32, #b> -> tensor<64x64xi32, #b>
  %o = arith.addi %rb, %cb : tensor<64x64xi32, #b>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<64x64x!tt.ptr<f16>, #b>
  %p = tt.addptr %xs, %o : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
"""
LOAD = "  %v = tt.load %p : tensor<64x64x!tt.ptr<f16>, #b>\n}\n"
MASKED = """
  %ms = tt.splat %n : i32 -> tensor<1x64xi32, #b>
  %lt = arith.cmpi slt, %ce, %ms : tensor<1x64xi32, #b>
  %mk = tt.broadcast %lt : tensor<1x64xi1, #b> -> tensor<64x64xi1, #b>
  %v = tt.load %p, %mk : tensor<64x64x!tt.ptr<f16>, #b>
}
"""
LOOP = """
  %l = scf.for %i = %z to %e step %t iter_args(%q = %p) -> (tensor<64x64x!tt.ptr<f16>, #b>) : i32 {
    %v = tt.load %q : tensor<64x64x!tt.ptr<f16>, #b>
    %k = arith.constant dense<STEP> : tensor<64x64xi32, #b>
    %u = tt.addptr %q, %k : tensor<64x64x!tt.ptr<f16>, #b>, tensor<64x64xi32, #b>
    scf.yield %u : tensor<64x64x!tt.ptr<f16>, #b>
  }
}
"""
COPY = """
  %d = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #s, #ttg.shared_memory, mutable>
  %a = ttg.async_copy_global_to_local %p, %d : tensor<64x64x!tt.ptr<f16>, #b> -> <64x64xf16, #s, #ttg.shared_memory>
}
"""


def dump(tail: str, **values: object) -> str:
    given = {"OWN0": 1, "OWN1": 8, "ORDER": "[1, 0]", "VEC": 8, "BASE": 16, "ROW": 16, "START": 0, **values}
    return re.sub("|".join(given), lambda word: str(given[word[0]]), HEAD + tail)


def bits(text: str, arch: str = "sm_90") -> int:
    (one,) = (one for one in analyse(text, arch).accesses if one.kind.startswith("global"))
    return int(one.instruction.split()[-2])


@pytest.mark.parametrize("tail", [LOAD, MASKED])
def test_a_vector_is_as_wide_as_divisors_and_registers_allow(tail: str) -> None:
    for base, row, own in itertools.product((1, 2, 4, 16), (1, 2, 4, 16), (1, 2, 8)):
        aligned = min(max(1, base // 2), row, own, 8)
        assert bits(dump(tail, BASE=base, ROW=row, OWN1=own)) == 16 * aligned


@pytest.mark.parametrize(("step", "width"), [(64, 128), (4, 64), (3, 16), (0, 128)])
def test_pointers_of_a_loop_are_as_aligned_as_every_turn_leaves_them(step: int, width: int) -> None:
    assert bits(dump(LOOP, STEP=step)) == width


def test_registers_that_walk_another_dimension_first_have_single_elements() -> None:
    across = dump(LOAD, OWN0=4, OWN1=8, ORDER="[0, 1]")
    assert bits(across) == 16
    # LLVM for AMD joins them where nothing is masked.
    assert bits(across, "gfx942") == 128
    assert bits(dump(MASKED, OWN0=4, OWN1=8, ORDER="[0, 1]"), "gfx942") == 16


@pytest.mark.parametrize(("vec", "base"), list(itertools.product((2, 4, 8), (4, 8, 16))))
def test_both_sides_of_an_asynchronous_copy_move_one_width(vec: int, base: int) -> None:
    written, read = analyse(dump(COPY, VEC=vec, BASE=base), "sm_90").accesses
    width = min(2 * vec, base)
    assert (written.instruction, read.instruction) == (f"cp.async {width} bytes", f"global load {8 * width} bits")
    # A row of 64 elements is 4 lines of 32 bytes, asked for by 128 / width instructions of a lane.
    assert read.count == 128 // (width // 2)
    assert written.count == read.count


def test_hints_of_the_dump_count() -> None:
    text = dump(LOAD, BASE=1)
    told = text.replace("addptr %xs, %o :", "addptr %xs, %o {tt.divisibility = dense<16> : tensor<2xi32>} :")
    assert (bits(text), bits(told)) == (16, 128)
