"""What a kernel asks of a machine: counts that agree with its trace, registers, occupancy, bounds, and the report."""

from __future__ import annotations

import json
from collections import Counter
from math import log2
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from permutes import scale_factors, transpose

import tilewright as tw
from tilewright.arch import get, names
from tilewright.arch.units import CHIPS, RESIDENT, chip
from tilewright.atoms import catalog as atoms
from tilewright.errors import CompileError
from tilewright.ir.text import parse_module
from tilewright.runtime.session import Session
from tilewright.script import tirx as T
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.cuda.cubin import resources
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.launch import Launch
from tilewright.targets.measures.bound import Work, bound
from tilewright.targets.measures.occupancy import Occupancy, occupancy
from tilewright.targets.measures.registers import ESTIMATE, PTXAS, pressure, registers_of
from tilewright.targets.simulator.observers.instructions import matrix_unit
from tilewright.targets.simulator.observers.selection import Selection
from tilewright.targets.simulator.observers.touched import Moved


@T.prim_func
def blend(A: T.Buffer((5, 96), "float32"), B: T.Buffer((5, 96), "float32")) -> None:
    T.device_entry()
    bx = T.cta_id([5])
    t = T.thread_id([96])
    s = T.alloc_shared((96,), "float32")
    s[t * 32 % 96 + t // 3] = A[bx, t] * 2.0
    T.cuda.cta_sync()
    if t % 64 < 7:
        B[bx, t] = s[t] + 1.0 / A[bx, t]
    for _ in T.serial(3):
        B[bx, t] = A[bx, t] * s[95 - t] + 1.0


def arrays() -> list[Any]:
    return [np.ones((5, 96), np.float32), np.zeros((5, 96), np.float32)]


@pytest.mark.parametrize("arch", ["sm_90", "gfx942"])
def test_counts_are_those_of_the_trace(arch: str) -> None:
    """Of one run, on which both look."""
    kernel = tw.compile(blend, target=f"simulator:{arch}")
    with Session(profile=True, selection=Selection.of()) as session:
        kernel(*arrays())
    ((report, trace),) = session.launches
    lanes, events = get(arch).lanes, trace.events if trace else ()
    warps = {(e.step, e.block, e.thread // lanes): e.op for e in events}
    expected = Counter(f"{op.kind} {op.space}".strip() for op in warps.values())
    counted = report.instructions
    assert counted is not None
    assert {kind: n for kind, n in counted.kinds.items() if kind not in ("float", "integer")} == expected
    assert sum(counted.lines.values()) == counted.total
    few = 5 * sum(t % 64 < 7 for t in range(96))
    assert counted.flops == {"float32": 5 * 96 + 2 * few + 2 * 3 * 5 * 96}
    by_space = Counter[str]()
    for event in events:
        by_space[event.op.space] += event.op.width_bytes
    assert report.bytes == {space: by_space[space] for space in ("global", "shared")}


def test_every_measure_agrees_with_a_plain_run() -> None:
    kernel = tw.compile(blend)
    plain, first = kernel.simulate(*arrays()), arrays()
    report = kernel.profile(*first)
    assert report.accesses == plain.accesses
    second = arrays()
    kernel(*second)
    assert first[1].tobytes() == second[1].tobytes()
    for name in ("accesses", "sectors", "bytes"):
        assert sum(getattr(line, name) for line in report.lines) == sum(getattr(a, name) for a in plain.accesses)
    assert sum(line.wavefronts for line in report.lines) == plain.wavefronts(space="shared")
    assert kernel.report.instructions is None


def test_a_report_as_json_table_and_margin() -> None:
    report = tw.compile(blend).profile(*arrays())
    found = json.loads(report.json())
    assert (found["schema"], found["version"], found["kernel"]) == ("tilewright.report", 2, "blend")
    assert found["shared_bytes"] == 384
    assert (found["bytes"], found["distinct_bytes"]) == (report.bytes, report.distinct_bytes)
    assert found["occupancy"]["warps"] == 63
    assert {"memory", "shared", "float32"} == {name for name, _ in found["bound"]["parts"]}
    table = report.table()
    assert str(report) in table
    assert "occupancy: 21 blocks, 63 of 64 warps (98%), limited by warps (sm_90, estimate)" in table
    with open(__file__, encoding="utf-8") as file:
        margin = report.annotated(__file__, file.read()).split("\n")
    assert margin[1].partition("| ")[2].startswith("def blend(A: T.Buffer((5, 96)")
    (line,) = (line for line in margin if "cta_sync" in line)
    assert line.split("|")[0].split() == ["15"]
    assert report.annotated("another.py", "text") == ""
    assert report.annotated(__file__, "too short") == ""


# ---- registers


def test_ptxas_is_asked_where_nvrtc_is() -> None:
    module = tw.compile(scale_factors().kernel()).lowered().module
    found = registers_of(module, "sm_90a")
    assert found.source == PTXAS
    assert 8 <= found.count <= 255
    assert found.stack_bytes == 0
    assert str(found) == f"{found.count} registers a thread (ptxas)"
    assert registers_of(module, "gfx942").source == ESTIMATE


def test_cubins_hold_to_the_limit_that_they_were_compiled_with() -> None:
    source = emit(tw.compile(transpose(32).kernel()).lowered().module).source
    free = source.replace("__launch_bounds__(32)", "")  # which goes before the limit
    found = {limit: resources(compile_cubin(free, "sm_80", [f"--maxrregcount={limit}"])) for limit in (24, 40)}
    assert {limit: resource.registers for limit, resource in found.items()} == {24: 24, 40: 40}
    assert resources(compile_cubin(source, "sm_80")).registers > 40


HEAD = b"\x7fELF\x02"


@pytest.mark.parametrize("data", [b"", HEAD, b"MZ" * 100, HEAD + bytes(59), HEAD + b"\xff" * 200])
def test_what_is_no_cubin_is_refused(data: bytes) -> None:
    with pytest.raises(CompileError, match="does not say how many registers"):
        resources(data)


def module(body: str) -> Any:
    head = "func.func @f(%A: memref<8xf32>, %B: memref<8xf64>) attributes {"
    head += "tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 1, 1, 1>} {\n%c = arith.constant 3 : index\n"
    return parse_module(head + body + "\nfunc.return }")


@pytest.mark.parametrize(
    ("body", "registers"),
    [
        ("", 0),
        ("%x = memref.load %A[%c] : memref<8xf32>\nmemref.store %x, %A[%c] : memref<8xf32>", 3),
        ("%x = memref.load %B[%c] : memref<8xf64>\nmemref.store %x, %B[%c] : memref<8xf64>", 4),
        (
            "%x = memref.load %A[%c] : memref<8xf32>\n%y = memref.load %A[%c] : memref<8xf32>\n"
            "%z = arith.addf %x, %y : f32\n%w = arith.addf %z, %y : f32\nmemref.store %w, %A[%c] : memref<8xf32>",
            4,
        ),
        ('%l = memref.alloca() : memref<7xf16, "local">', 4),
        ('%l = memref.alloca() : memref<7xf16, "shared">', 0),
        (
            "%x = memref.load %A[%c] : memref<8xf32>\nscf.for %i = %c to %c step %c {\n"
            "%y = memref.load %A[%i] : memref<8xf32>\nmemref.store %y, %A[%i] : memref<8xf32>\n}\n"
            "memref.store %x, %A[%c] : memref<8xf32>",
            5,
        ),
    ],
)
def test_pressure_counts_what_lives_at_once(body: str, registers: int) -> None:
    assert pressure(module(body)) == registers


# ---- occupancy

# threads, registers, bytes of shared memory; blocks: as NVIDIA's calculator has them
CALCULATOR = [
    ("sm_80", 256, 32, 0, 8),
    ("sm_80", 256, 64, 0, 4),
    ("sm_80", 128, 255, 0, 2),
    ("sm_80", 32, 16, 0, 32),
    ("sm_80", 256, 32, 163 * 1024, 1),
    ("sm_80", 128, 32, 40 * 1024, 4),
    ("sm_86", 256, 40, 0, 6),
    ("sm_75", 1024, 64, 0, 1),
    ("sm_90", 384, 168, 200 * 1024, 1),
    ("sm_120", 128, 80, 0, 6),
]


@pytest.mark.parametrize(("arch", "threads", "registers", "shared", "blocks"), CALCULATOR)
def test_occupancy_is_the_calculators(arch: str, threads: int, registers: int, shared: int, blocks: int) -> None:
    found = occupancy(get(arch), Launch((1, 1, 1), (threads, 1, 1)), registers, shared)
    assert found is not None
    assert found.blocks == blocks


@given(st.sampled_from(sorted(names())), st.integers(1, 1024), st.integers(1, 255), st.integers(0, 64 * 1024))
def test_more_of_anything_never_holds_more(arch: str, threads: int, registers: int, shared: int) -> None:
    spec = get(arch)

    def held(threads: int, registers: int, shared: int) -> Occupancy | None:
        return occupancy(spec, Launch((1, 1, 1), (threads, 1, 1)), registers, shared)

    found = held(threads, registers, shared)
    if found is None:
        assert spec.name not in RESIDENT
        return
    assert 0 <= found.share <= 1
    assert found.blocks == dict(found.limits)[found.limited_by[0]]
    for more in (held(threads, registers + 1, shared), held(threads, registers, shared + 1)):
        assert more is not None
        assert more.blocks <= found.blocks


# ---- the bound


@given(st.sampled_from(sorted(CHIPS)), st.integers(1, 10**6), st.integers(0, 10**12), st.integers(0, 10**9))
def test_a_bound_is_the_longest_of_its_parts(arch: str, blocks: int, size: int, wavefronts: int) -> None:
    spec, on = get(arch), CHIPS[arch]
    flops = {"float32": size, "float16": size, "int4": 5}
    found = bound(spec, Work(blocks, wavefronts, Moved(size, size // 3), flops))
    assert found is not None
    parts = dict(found.parts)
    assert found.seconds == max(parts.values()) == parts.get(found.limited_by, 0)
    kept = min(size, on.cache) + min(size // 3, on.cache)
    assert parts["memory"] == pytest.approx((size + size // 3 - kept) / on.bandwidth)
    assert found.cold == pytest.approx((size + size // 3) / on.bandwidth)
    share = min(1, blocks / on.units)
    for unit in ("float32", "float16"):
        assert on.peak[unit] * 1e12 <= (on.ceiling(unit) or 0) <= on.peak[unit] * 1.01e12
        assert parts[unit] == pytest.approx(size / (share * (on.ceiling(unit) or 0)))
    assert "int4" not in parts
    assert "5 operations of int4" in found.uncounted
    twice = bound(spec, Work(2 * blocks, wavefronts))
    assert twice is not None
    assert dict(twice.parts)["shared"] <= parts["shared"]


# Published times of kernels on such chips: the architecture, what they move (bytes) and compute, seconds.
MEASURED = [
    ("sm_90", Moved(32768**2 * 4, 32768**2 * 4), {}, 2 * 32768**2 * 4 / 2.940e12),  # a transpose, H100
    ("sm_90", Moved(2**32, 2**32), {}, 2**33 / 4.3e12),  # a copy, H200
    ("sm_90", Moved(3 * 2**27, 2**27), {"mma bfloat16": 2 * 8192**3}, 2 * 8192**3 / 894e12),  # a product of zeros, H200
    ("sm_86", Moved(2**29, 2**29), {}, 2**30 / 830e9),  # a transpose, RTX 3090
]


@pytest.mark.parametrize(("arch", "moved", "flops", "seconds"), MEASURED)
def test_no_measured_time_is_below_the_bound(arch: str, moved: Moved, flops: dict[str, int], seconds: float) -> None:
    found = bound(get(arch), Work(10**6, 0, moved, flops))
    assert found is not None
    assert 0 < found.seconds <= seconds


@T.prim_func
def around(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    bx = T.cta_id([1])
    t = T.thread_id([32])
    for i in T.serial(5):
        B[t] = A[(t * i + bx) // 4] * 2.0
    if t < 4:
        B[t + 40] = B[t] + A[t]


def test_memory_that_must_be_moved_is_counted_once_whoever_touches_it() -> None:
    """And is that of the trace: registers and index arithmetic take no time, nor does what is read again."""
    kernel, given = tw.compile(around, check="off"), [np.ones(64, np.float32), np.zeros(64, np.float32)]
    events = kernel.trace(*given).events
    for arrays in (given, [given[0], given[0]]):
        sectors: dict[str, set[tuple[bool, int]]] = {"load": set(), "store": set()}
        for event in events:
            assert event.address is not None
            sectors[event.op.kind].add((event.op.buffer == "B" and arrays[1] is not arrays[0], event.address // 32))
        found = kernel.profile(*arrays).simulation.moved
        assert found == Moved(32 * len(sectors["load"] - sectors["store"]), 32 * len(sectors["store"]))
    report = kernel.report
    assert report.instructions is None
    assert report.bound == kernel.profile(*given).bound


@pytest.mark.parametrize("arch", sorted(CHIPS))
def test_what_a_chip_computes_is_a_power_of_two_in_each_clock_of_each_unit(arch: str) -> None:
    """Rounded as printed, with matrix units up to 8 % slower than the rest."""
    found = CHIPS[arch]
    for unit, peak in found.peak.items():
        exponent = log2(peak * 1e12 / found.units / found.clock)
        low = 0.115 if unit.startswith("mma") else 0.01
        assert -low <= exponent - round(exponent) <= 0.01, unit


def test_a_matrix_instruction_has_a_rate_on_the_chip_that_it_was_made_for() -> None:
    found = [(atom, chip(atom.arch)) for atom in map(atoms.mma, atoms.list(kind="mma")) if atom.arch != "any"]
    units = {(product.name, matrix_unit(atom)): product for atom, product in found if product}
    assert len(units) > 40
    assert {unit for (_, unit), product in units.items() if not product.rate(unit)} == {"mma complex128"}


def test_no_chip_no_bound() -> None:
    assert bound(get("gfx1201"), Work(1, 1)) is None
