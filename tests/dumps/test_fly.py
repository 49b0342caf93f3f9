"""FlyDSL dumps: every stage of a kernel costs the same, and what is counted equals brute force over addresses."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest
from bank_oracle import wavefronts
from dump_cases import fates, fly_dumps, mutants

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.dumps.finding import Findings
from tilewright.dumps.fly.analysis import analyse
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle

KERNELS = sorted({name.rpartition(".")[0] for name in fly_dumps()})
ACCESS = re.compile(
    r"\s*(%[\w:]+ = )?(fly\.(copy\w*|(ptr|memref)\.(load|store)\w*)|(memref|vector|llvm)\.(load|store)"
    r"|rocdl\.[\w.]*(load|store|read)[\w.]*)[ (]"
)
SHARED = re.compile(r"shared|ptr<3>|workgroup|\.lds |ds\.read")
FIELDS = ("wavefronts", "ideal", "sectors", "count")


@cache
def found(name: str, arch: str = "") -> Findings:
    return analyse(fly_dumps()[name], arch or name.split(".")[1])


def by_source(findings: Findings) -> Counter[tuple[str | None, ...]]:
    """Every count by the user's line and the instruction."""
    total: Counter[tuple[str | None, ...]] = Counter()
    for one in findings.accesses:
        for field in FIELDS:
            total[one.source, one.kind, one.instruction, field] += getattr(one, field) or 0
    return total


def stages(kernel: str) -> list[str]:
    return sorted(name for name in fly_dumps() if name.rpartition(".")[0] == kernel)


@pytest.mark.parametrize("kernel", KERNELS)
def test_every_stage_of_a_kernel_costs_the_same_line_by_line(kernel: str) -> None:
    """FlyDSL lowers its layouts to integers, and those to LLVM: addresses that we work out of each are the same."""
    names = stages(kernel)
    assert [name[-2:] for name in names] == ["00", "01", "02", "04", "06", "07", "08", "09", "10"]
    for name in names:
        assert found(name).not_analysed == ()
        assert by_source(found(name)) == by_source(found(names[0])), name


@pytest.mark.parametrize("name", fly_dumps())
def test_no_access_is_left_out_and_each_names_the_users_line(name: str) -> None:
    told = {one.line for one in (*found(name).accesses, *found(name).not_analysed)}
    for number, line in enumerate(fly_dumps()[name].split("\n"), 1):
        assert number in told or not (ACCESS.match(line) and SHARED.search(line)), line
    assert all(re.fullmatch(r"/home/user/kernels\.py:\d+:\d+", one.source or "") for one in found(name).accesses)


# ---- by hand


def hand(tile: object, thread_value: Layout, vector: int, bits: int, kind: str, arch: str) -> tuple[int, int]:
    report = bank_conflicts(tile, thread_value, element_bits=bits, vector_bits=vector * bits, kind=kind, arch=arch)
    return report.wavefronts, report.ideal


def counted(name: str, kind: str) -> set[tuple[int, int]]:
    """Wavefronts and ideal of the accesses to shared memory of that kind."""
    rows = found(name).accesses
    return {(one.wavefronts or 0, one.ideal) for one in rows if one.kind == kind and one.wavefronts is not None}


ROWS = Layout((64, 64), (64, 1))
# 16 x 16 threads with 1 x 4 values each, four times down the rows: thread, (value, repetition) -> (row, column).
OWNERS = Layout(((16, 16), (4, 4)), ((64 * 4, 1), (64, 16)))


@pytest.mark.parametrize("swizzle", [None, Swizzle(4, 2, 4)])
def test_a_transpose_through_shared_memory_is_what_its_layouts_cost(swizzle: Swizzle | None) -> None:
    name = "transpose_swizzled.gfx942.00" if swizzle else "transpose.gfx942.00"
    rows = ComposedLayout(swizzle, 0, ROWS) if swizzle else ROWS
    across = Layout((64, 64), (1, 64))
    columns = ComposedLayout(swizzle, 0, across) if swizzle else across
    assert counted(name, "store") == {hand(rows, OWNERS, 4, 32, "store", "gfx942")}
    assert counted(name, "load") == {hand(columns, OWNERS, 1, 32, "load", "gfx942")}


@pytest.mark.parametrize("name", ["pointers.gfx942.00", "pointers_padded.gfx942.00"])
def test_raw_pointers_are_what_their_arithmetic_says(name: str) -> None:
    pitch = 33 if "padded" in name else 32
    threads = Layout((32, 8), (1, 32))  # column, row
    tile = Layout((32, 32), (1, pitch))
    assert counted(name, "store") == {hand(tile, Layout(((32, 8), 1), ((1, 32), 0)), 1, 32, "store", "gfx942")}
    across = Layout((32, 32), (pitch, 1))
    assert counted(name, "load") == {hand(across, Layout((threads.shape, 1), ((1, 32), 0)), 1, 32, "load", "gfx942")}


# ---- by brute force

KERNEL = """
gpu.module @m {{
  gpu.func @k(%n: i32) kernel attributes {{known_block_size = array<i32: 256, 1, 1>}} {{
    %x = gpu.thread_id x
    %t = arith.index_cast %x : index to i32
    %p = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    %q = fly.recast_iter(%p) : (!fly.ptr<i8, shared, align<1024>>) -> !fly.ptr<i32, shared, align<1024>>
{body}
    gpu.return
  }}
}}
"""


def address(rng: random.Random) -> tuple[list[str], Callable[[int], int]]:
    """Lines that work an offset %o out of %t, and the function that they are."""
    a, b = rng.choice((2, 4, 8, 16, 32)), rng.choice((1, 2, 3, 4, 32, 33))
    c, d = rng.choice((1, 4, 8, 36)), rng.randrange(8)
    lines = [f"%{name} = arith.constant {value} : i32" for name, value in zip("abcd", (a, b, c, d), strict=True)]
    lines += [
        "%r = arith.remui %t, %a : i32", "%u = arith.divui %t, %a : i32", "%v = arith.muli %r, %b : i32",
        "%w = arith.muli %u, %c : i32", "%s = arith.addi %v, %w : i32", "%k = arith.xori %s, %d : i32",
    ]  # fmt: skip
    return lines, lambda t: (t % a * b + t // a * c) ^ d


@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
def test_wavefronts_of_pointers_are_those_of_brute_force(arch: str) -> None:
    rng = random.Random(7)
    for _ in range(40):
        lines, function = address(rng)
        count, limit = rng.choice((1, 2, 4)), rng.choice((256, 256, 100, 1))
        kind = rng.choice(("load", "store"))
        vector = f"vector<{count}xi32>"
        tail = [
            f"%z = arith.constant {count} : i32", "%o = arith.muli %k, %z : i32",
            "%e = fly.make_int_tuple(%o) : (i32) -> !fly.int_tuple<?>",
            "%f = fly.add_offset(%q, %e) : (!fly.ptr<i32, shared>, !fly.int_tuple<?>) -> !fly.ptr<i32, shared>",
            f"%l = arith.constant {limit} : i32", "%g = arith.cmpi ult, %t, %l : i32", "scf.if %g {",
            f"  %h = fly.ptr.load(%f) : (!fly.ptr<i32, shared>) -> {vector}" if kind == "load" else
            f"  fly.ptr.store(%y, %f) : ({vector}, !fly.ptr<i32, shared>) -> ()", "}",
        ]  # fmt: skip
        (one,) = analyse(KERNEL.format(body="\n".join([*lines, *tail])), arch).accesses
        cells = [4 * count * function(t) if t < limit else None for t in range(256)]
        waves = [cells[start : start + 64] for start in range(0, 256, 64)]
        assert one.wavefronts == sum(wavefronts(wave, 4 * count, arch, kind) for wave in waves), (lines, count, kind)


def test_loops_are_run_and_each_iteration_counts() -> None:
    """Iteration i reads with a stride of i + 1 words; the worst of them is shown, and how they differ."""
    body = """
    %lo = arith.constant 0 : index
    %hi = arith.constant 4 : index
    %st = arith.constant 1 : index
    %one = arith.constant 1 : i32
    %last = scf.for %i = %lo to %hi step %st iter_args(%k = %one) -> (i32) {
      %o = arith.muli %t, %k : i32
      %e = fly.make_int_tuple(%o) : (i32) -> !fly.int_tuple<?>
      %f = fly.add_offset(%q, %e) : (!fly.ptr<i32, shared>, !fly.int_tuple<?>) -> !fly.ptr<i32, shared>
      %h = fly.ptr.load(%f) : (!fly.ptr<i32, shared>) -> i32
      %next = arith.addi %k, %one : i32
      scf.yield %next : i32
    }"""
    (one,) = analyse(KERNEL.format(body=body), "gfx942").accesses
    costs = [4 * wavefronts([4 * k * t for t in range(64)], 4, "gfx942", "load") for k in (1, 2, 3, 4)]
    assert one.wavefronts == max(costs)
    assert f"costs {min(costs)} to {max(costs)}" in " ".join(one.notes)


# ---- repairs


def test_a_repair_in_elements_is_as_good_as_it_says() -> None:
    """The plain transpose under the swizzle that is proposed for it."""
    told = {str(one.repair) for one in found("transpose.gfx942.00").accesses if one.repair}
    (text,) = told
    b, m, s, after = map(int, re.search(r"S<(\d+),(\d+),(\d+)>.*: (\d+) wavefronts by", text).groups())  # type: ignore[union-attr]  # it matches
    columns = ComposedLayout(Swizzle(b, m, s), 0, Layout((64, 64), (1, 64)))
    assert hand(columns, OWNERS, 1, 32, "load", "gfx942")[0] == after


def test_views_of_one_allocation_are_buffers_of_their_own() -> None:
    """The gemm keeps A and B in one allocation: each has its store and loads, at every stage with views."""
    shared = [one for one in found("gemm.gfx942.00").accesses if one.wavefronts is not None]
    assert {one.buffer.partition(" + ")[2] for one in shared} == {"", str(64 * 32 * 2 * 2)}
    text = next(str(one.repair) for one in shared if one.repair)
    own = sum(one.wavefronts or 0 for one in shared if one.buffer == shared[0].buffer)
    assert f"instead of {own}" in text


# ---- what cannot be analysed


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("%v = fly.ptr.load(%q) : (!fly.ptr<i32, shared>) -> i32\n"
         "%e = fly.make_int_tuple(%v) : (i32) -> !fly.int_tuple<?>\n"
         "%f = fly.add_offset(%q, %e) : (!fly.ptr<i32, shared>, !fly.int_tuple<?>) -> !fly.ptr<i32, shared>\n"
         "%w = fly.ptr.load(%f) : (!fly.ptr<i32, shared>) -> i32", "data"),
        ("some.op %q : !fly.ptr<i32, shared>", "not known here"),
        ("%w = fly.memref.lod(%q) : (!fly.ptr<i32, shared>) -> i32", "not known here"),
        ("%w = memref.newer %q : (!fly.ptr<i32, shared>) -> i32", "not known here"),
        ("%c = arith.constant false\nscf.if %c {\n"
         "  %w = fly.ptr.load(%q) : (!fly.ptr<i32, shared>) -> i32\n}", "reaches"),
        ("%w = fly.ptr.load(%nothing) : (!fly.ptr<i32, shared>) -> i32", "not defined"),
        ("%o = other.op %t : i32\n%e = fly.make_int_tuple(%o) : (i32) -> !fly.int_tuple<?>\n"
         "%f = fly.add_offset(%q, %e) : (!fly.ptr<i32, shared>, !fly.int_tuple<?>) -> !fly.ptr<i32, shared>\n"
         "%w = fly.ptr.load(%f) : (!fly.ptr<i32, shared>) -> i32", "other.op on line"),
    ],
)  # fmt: skip
def test_what_cannot_be_analysed_is_listed_with_the_reason(body: str, why: str) -> None:
    left = analyse(KERNEL.format(body=body), "gfx942").not_analysed
    assert len(left) == 1
    assert why in left[0].why


@pytest.mark.parametrize(("depth", "count"), [(12, 40), (1, 400)])
def test_loops_without_end_and_large_copies_are_cut_short_and_said(depth: int, count: int) -> None:
    """More than the budget of operations or addresses is listed as not analysed, never skipped."""
    head = """
    %c0 = arith.constant 0 : index
    %c9 = arith.constant 1000000 : index
    %c1 = arith.constant 1 : index
    %l = fly.static : !fly.layout<(1,256):(0,33)>
    %v = fly.make_view(%q, %l) : (!fly.ptr<i32, shared>, !fly.layout<(1,256):(0,33)>) -> !fly.memref<i32, shared, ()>
    """
    loops = "".join(f"scf.for %i{i} = %c0 to %c9 step %c1 {{\n" for i in range(depth))
    load = "%h = fly.memref.load_vec(%v) : (!fly.memref<i32, shared, (1,256):(0,33)>) -> vector<256xi32>\n"
    found = analyse(KERNEL.format(body=head + loops + load * count + "}\n" * depth), "gfx942")
    assert len(found.accesses) + len(found.not_analysed) == count


def test_a_block_that_the_kernel_does_not_tell_is_said() -> None:
    text = KERNEL.format(body="%v = fly.ptr.load(%q) : (!fly.ptr<i32, shared>) -> i32")
    untold = re.sub(r"known_block_size = array<[^>]*>", "", text)
    assert untold != text
    assert not any("one wave" in note for note in analyse(text, "gfx942").notes)
    assert any("one wave" in note for note in analyse(untold, "gfx942").notes)


def test_functions_that_are_no_kernels_are_looked_at_too() -> None:
    text = KERNEL.format(body="%v = fly.ptr.load(%q) : (!fly.ptr<i32, shared>) -> i32")
    (one,) = analyse(text.replace("gpu.func @k(%n: i32) kernel", "func.func @k(%n: i32)"), "gfx942").accesses
    assert one.instruction == "ds_read_b32"


def test_the_target_of_the_module_is_the_architecture_unless_another_is_asked_for() -> None:
    text = KERNEL.format(body="").replace("@m {", '@m [#rocdl.target<chip = "gfx950">] {')
    assert analyse(text).arch == "gfx950"
    assert analyse(text, "gfx942").arch == "gfx942"
    assert "assumed" in analyse(KERNEL.format(body="")).notes[0]


def test_mutants_give_findings_or_our_errors() -> None:
    assert fates(mutants(random.Random(5), 150, fly_dumps().values()), analyse) == {"findings", "refused"}
