"""`warp_scheduled`: any bijection, any width, right at every stage, and as cheap as its schedule claims."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from on_gpu import TARGETS
from permute_programs import DTYPES, KINDS, Program, Side, check, program, summary
from permutes import BIT_LINEAR, TABLE, Permute, scale_factors, transpose

import tilewright as tw
from tilewright.dtypes import dtype as find_dtype
from tilewright.errors import DispatchError, KernelError, UsageError
from tilewright.passes.pipeline import STAGES, run
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import ComposeLayout, S, TileLayout
from tilewright.variants.permute_layout.warp_scheduled import ScheduledPlan, WarpScheduled

pytestmark = pytest.mark.usefixtures("as_text")

BYTES = {"uint8": 1, "float8_e8m0fnu": 1, "float16": 2, "float32": 4, "float64": 8, "complex128": 16}


@settings(max_examples=8)
@given(st.integers(0, 2**32))
def test_random_programs(seed: int) -> None:
    check(program(random.Random(seed)))


def test_the_generator_makes_every_kind_and_type() -> None:
    made = [program(random.Random(seed)) for seed in range(400)]
    assert {p.kind for p in made} == set(KINDS)
    assert {p.dtype for p in made} == set(DTYPES)
    assert summary([check(p) for p in made[:3]])


@pytest.mark.parametrize("seed", range(3))
def test_the_text_on_the_host(seed: int) -> None:
    check(program(random.Random(seed)), host=True)


def planned(kernel: Permute) -> ScheduledPlan:
    (plan,) = run(kernel.kernel().module, "dispatched").plans
    assert isinstance(plan, ScheduledPlan)
    return plan


@pytest.mark.parametrize("name", BYTES)
def test_document_000_in_every_width(name: str) -> None:
    """Reads and writes take the fewest wavefronts that there can be, 1, 1, 1, 2 and 4 for each register."""
    width, kernel = BYTES[name], scale_factors(dtype=name)
    compiled = tw.compile(kernel.kernel(), target="simulator")
    source, result = kernel.arrays()
    report = compiled.simulate(source, result)
    assert result.tobytes() == kernel.expected(*kernel.arrays()).tobytes()
    least = 8 * max(1, width // 4)
    assert (report.wavefronts("load"), report.wavefronts("store")) == (least, least)
    assert compiled.cubin.startswith(b"\x7fELF")


def test_forms() -> None:
    forms = {planned(kernel).schedule.kind for kernel in (BIT_LINEAR, TABLE, transpose(3))}
    assert forms == {"f2", "table", "xor"}


@pytest.mark.parametrize("kernel", [BIT_LINEAR, TABLE], ids=["bits", "table"])
def test_emitted_text(kernel: Permute, golden: Callable[[str, str], None]) -> None:
    schedule = planned(kernel).schedule
    golden(f"permute_{schedule.kind}.cu", tw.compile(kernel.kernel()).source)
    assert schedule.conflict_free
    for target in TARGETS:
        source, result = kernel.arrays()
        expected = kernel.expected(source, result)
        tw.compile(kernel.kernel(), target=target)(source, result)
        assert result.tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", BYTES)
@pytest.mark.parametrize("kernel", [BIT_LINEAR, TABLE], ids=["bits", "table"])
def test_cubins(kernel: Permute, name: str) -> None:
    made = tw.compile(Permute(kernel.shape, kernel.src, kernel.dst, name).kernel())
    assert made.cubin.startswith(b"\x7fELF")


def test_more_registers_than_are_searched() -> None:
    """16,384 elements, in place: 512 registers a lane, in a loop that is not written out."""
    rows, columns = TileLayout(S[512, 32]), TileLayout(S[(512, 32) : (1, 512)])
    kernel = Permute((512, 32), rows, columns, "uint8")
    compiled = tw.compile(kernel.kernel())
    assert compiled.source.count("regs_ptr[") < 40
    array, _ = kernel.arrays()
    expected = kernel.expected(array, array)
    compiled(array, array)
    assert array.tobytes() == expected.tobytes()


def test_a_region_that_starts_anywhere_in_a_swizzled_tile() -> None:
    """The address of every element is worked out from the layout, so that no start is special."""
    swizzled = ComposeLayout(1, 2, 2, TileLayout(S[8, 32]))

    @T.prim_func
    def f(A: T.Buffer((8, 32), "float16", layout=swizzled), B: T.Buffer((20, 32), "float16")):
        T.cta_id([1])
        T.thread_id([32])
        for s in T.serial(5):
            Tx.warp.permute_layout(B[s * 4 : s * 4 + 4, :], A[s : s + 4, :])

    rows = np.arange(256, dtype=np.float16).reshape(8, 32)
    memory = np.zeros(256, np.float16)
    memory[[swizzled.base(i)["m"] for i in range(256)]] = rows.reshape(-1)
    for stage in STAGES:
        result = np.zeros(640, np.float16)
        simulate(run(f.module, stage).module, [memory.copy(), result])
        assert (result.reshape(5, 4, 32) == np.stack([rows[s : s + 4] for s in range(5)])).all()


def test_several_warps_leave_each_other_alone() -> None:
    table = np.arange(40).reshape(1, 8, 5)
    sides = (Side(TileLayout(S[1, 8, 5]), table, (0, 0, 0)) for _ in range(2))
    check(Program("in_warps", "bfloat16", (1, 8, 5), *sides, times=3))


def test_vectors_are_given_as_numbers() -> None:
    """16 bytes are one element: the array holds four numbers for each."""
    kernel, numbers = transpose(8, 16, "float32x4"), np.arange(512, dtype=np.float32).reshape(8, 16, 4)
    for target in TARGETS:
        result = np.zeros((16, 8, 4), np.float32)
        tw.compile(kernel.kernel(), target=target)(numbers, result)
        assert (result == numbers.transpose(1, 0, 2)).all()
    packed, result = np.arange(64, dtype=np.uint8), np.zeros(64, np.uint8)
    tw.compile(transpose(4, 16, "float4_e2m1fnx2").kernel())(packed, result)
    assert (result.reshape(16, 4) == packed.reshape(4, 16).T).all()
    with pytest.raises(UsageError, match="takes 128 float32x4 vectors, 512 numbers of type float32"):
        tw.compile(kernel.kernel())(numbers[1:], numbers)
    with pytest.raises(UsageError, match="takes float32x4 elements, got an array of int32"):
        tw.compile(kernel.kernel())(np.zeros(512, np.int32), numbers)


def test_vectors_are_moved_only() -> None:
    with pytest.raises(KernelError, match="float32x4 elements can be moved, not computed on"):

        @T.prim_func
        def f(A: T.Buffer((32,), "float32x4")):
            T.cta_id([1])
            t = T.thread_id([32])
            A[t] = A[t] + A[t]


def test_several_warps_between_parts_of_one_buffer() -> None:
    """Two regions of one memory: what they share decides, and so does where they start."""

    def copied(first: int) -> T.PrimFunc:
        @T.prim_func
        def f(A: T.Buffer((8, 32), "float16")):
            T.cta_id([1])
            T.thread_id([64])
            Tx.warp.permute_layout(A[first : first + 4, 0:32], A[4:8, 0:32])

        return f

    a = np.arange(256, dtype=np.float16)
    simulate(run(copied(0).module).module, [a])
    assert (a[:128] == a[128:]).all()
    with pytest.raises(DispatchError, match="in place, 2 warps permute one region of A at the same time"):
        run(copied(1).module)


def test_in_order_is_what_it_costs() -> None:
    kernel = transpose(4)
    lowered = run(kernel.kernel().module, variants=[WarpScheduled("in_order", 30, in_order=True)])
    report = simulate(lowered.module, list(kernel.arrays()))
    assert (report.wavefronts("load"), report.wavefronts("store")) == (4, 16)


def test_a_plan_prints() -> None:
    assert planned(transpose(4, 32, "float16")).report.splitlines() == [
        "warp_scheduled: 128 x float16 over [4, 32], 4 a lane",
        "  xor schedule for 128 elements of 2 bytes: 32 lanes x 4 registers, sm_90",
        "    register r of a lane holds element lane + 32 * (r ^ ((lane >> 3) & 3))",
        "    read  4 wavefronts, ideal 4, at least 4",
        "    write 4 wavefronts, ideal 4, at least 4",
        "    proof: Both phases are counted by the bank model. "
        "Every group of lanes takes one wavefront, the least there is.",
    ]
    assert "counted with run-time starts at 0" in planned(scale_factors(dtype="float16")).report


def test_every_element_type_of_whole_bytes_is_taken() -> None:
    for name in DTYPES:
        assert find_dtype(name).bits % 8 == 0
        run(transpose(4, 32, name).kernel().module)
