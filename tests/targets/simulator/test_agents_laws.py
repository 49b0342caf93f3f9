"""Lanes that run apart: what loops carry past barriers, who goes on when, and what copies on their way leave alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cpu import within
from final_kernels import kernel as final_kernel
from permutes import scale_factors

import tilewright as tw
from tilewright.errors import RaceError, SimulationError
from tilewright.ir.text import parse_module, print_module
from tilewright.script import tirx as T
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.agents.order import kept_together
from tilewright.targets.simulator.limits import Limits
from tilewright.targets.simulator.simulate import simulate

SCHEDULES: tuple[dict[str, Any], ...] = ({}, *({"schedule": "random", "seed": seed} for seed in range(3)))
BAR = 'tile.bar "sync" %c1, 32\n'
START = "%x = memref.load %A[%tx] : memref<32xi32>\n%seven = arith.constant 7 : i32\n%one = arith.constant 1 : i32\n"
GIVEN = """%d = arith.subi %p, %q : i32
%e = arith.muli %d, %seven : i32
%f = arith.addi %e, %q : i32
memref.store %f, %A[%tx] : memref<32xi32>"""
FOR = f"""{START}%p, %q = scf.for %i = %c0 to %c5 step %c2 iter_args(%a = %x, %b = %seven) -> (i32, i32) {{
  BAR%n = arith.index_cast %i : index to i32
  %s = arith.addi %b, %n : i32
  scf.yield %s, %a : i32, i32
}}
{GIVEN}"""
WHILE = f"""{START}%p, %q = scf.while (%a = %x, %b = %seven) : (i32, i32) -> (i32, i32) {{
  %is = arith.cmpi sgt, %b, %one : i32
  %t = arith.addi %a, %one : i32
  scf.condition(%is) %b, %t : i32, i32
}} do {{
^bb0(%c: i32, %d0: i32):
  BAR%less = arith.subi %c, %one : i32
  scf.yield %d0, %less : i32, i32
}}
{GIVEN}"""
IF = f"""{START}%first = arith.cmpi eq, %bx, %c0 : index
%p, %q = scf.if %first -> (i32, i32) {{
  BAR scf.yield %x, %seven : i32, i32
}} else {{
  BAR scf.yield %seven, %x : i32, i32
}}
{GIVEN}"""


@pytest.mark.parametrize("body", [FOR, WHILE, IF])
def test_what_control_flow_carries_past_barriers(body: str) -> None:
    """Is what it carries where there is none."""
    with_, without = (parse_module(final_kernel(body.replace("BAR", bar), "%A: memref<32xi32>")) for bar in (BAR, ""))
    found = [np.arange(32, dtype=np.int32) * 3 - 11 for _ in range(2)]
    simulate(with_, [found[0]])
    simulate(without, [found[1]])
    assert found[0].tolist() == found[1].tolist()


@pytest.mark.parametrize("step", [0, -1])
def test_a_step_that_is_not_positive_is_found(step: int) -> None:
    body = f"%s = arith.index_cast %n : i32 to index\nscf.for %i = %c0 to %c5 step %s {{ {BAR} }}"
    module = parse_module(final_kernel(body, "%n: i32"))
    with pytest.raises(SimulationError, match=f"step of a loop must be positive, got {step}"):
        simulate(module, [np.array(step, np.int32)], limits=Limits(steps=2000))


def test_turns_of_a_loop_around_barriers_count() -> None:
    """As what they are: a loop that never ends is stopped."""
    body = f"scf.for %i = %c0 to %many step %c1 {{ {BAR} }}"
    module = parse_module(final_kernel(f"%many = arith.constant 100000 : index\n{body}", ""))
    with within(1), pytest.raises(SimulationError, match="more than 2000 simulated ops"):
        simulate(module, [], limits=Limits(steps=2000))


@T.prim_func
def parted(A: T.Buffer((64,), "int32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    bar = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
        T.ptx.mbarrier.arrive.shared.b64(bar.ptr_to([0]))
    T.cuda.cta_sync()
    if t % 2 == 0:
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
    A[t] = t


def test_lanes_that_part_go_on_together_behind_the_branch() -> None:
    """What they store then is one request of each warp."""
    kernel = tw.compile(parted)
    kernel(np.zeros(64, np.int32))
    assert [line.accesses for line in kernel.report.accesses if line.buffer == "A"] == [2]


@T.prim_func
def late(A: T.Buffer((64,), "int32")) -> None:
    """Of two warps one waits for its second half, which waits for the other warp."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "int32")
    bar = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
    T.cuda.cta_sync()
    if t >= 48:
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
    s[t] = t
    T.cuda.warp_sync()
    A[t] = s[t ^ 31]
    if t == 0:
        T.ptx.mbarrier.arrive.shared.b64(bar.ptr_to([0]))


@pytest.mark.parametrize("switches", SCHEDULES)
def test_who_has_met_goes_on_and_who_has_not_waits(switches: dict[str, Any]) -> None:
    a = np.zeros(64, np.int32)
    tw.compile(late)(a, **switches)
    assert a.tolist() == [t ^ 31 for t in range(64)]


STORE = "cp.async.bulk.global.shared::cta.bulk_group"
TENSOR_STORE = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"


@T.prim_func
def reused(B: T.Buffer((2, 64), "float32")) -> None:
    """What is stored first has been read, and not yet written, when its place is written again."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    for k in T.serial(2):
        s[t] = T.cast(k * 64 + t, "float32")
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        if t == 0:
            T.ptx[STORE](B.ptr_to([k, 0]), s.ptr_to([0]), 256)
            T.ptx.cp.async_.bulk.commit_group()
            T.ptx.cp.async_.bulk.wait_group.read(0)
        T.cuda.cta_sync()
    if t == 0:
        T.ptx.cp.async_.bulk.wait_group(0)


@pytest.mark.parametrize("check", ["on", "off"])
def test_what_has_been_read_is_not_read_again(check: str) -> None:
    b = np.zeros((2, 64), np.float32)
    tw.compile(reused, target="simulator:sm_90")(b, check=check)
    assert (b.reshape(-1) == np.arange(128)).all()


@T.prim_func
def clipped(B: T.TensorMap()) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    pool = T.SMEMPool()
    s = pool.alloc((8, 8), "float32", align=1024)
    pool.commit()
    s[t // 8, t % 8] = T.cast(t + 1, "float32")
    T.ptx.fence.proxy.async_.shared__cta()
    T.cuda.cta_sync()
    if t == 0:
        T.ptx[TENSOR_STORE](T.address_of(B), 0, 0, s.ptr_to([0, 0]))
        T.ptx.cp.async_.bulk.commit_group()
        T.ptx.cp.async_.bulk.wait_group(0)


def test_a_tile_at_the_edge_of_a_tensor_keeps_its_columns() -> None:
    b = np.zeros((6, 4), np.float32)
    tw.compile(clipped, target="simulator:sm_90")(tw.TensorMap(b, (8, 8)))
    assert (b == np.arange(1, 65).reshape(8, 8)[:6, :4]).all()


@T.prim_func
def twins(A: T.Buffer((128,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((128,), "float32")
    T.ptx.cp.async_.cg.shared.global_(s.ptr_to([4 * (t // 2)]), A.ptr_to([4 * t]), 16)
    T.ptx.cp.async_.wait_all()


@pytest.mark.parametrize("switches", SCHEDULES)
def test_two_lanes_that_copy_to_one_place_race(switches: dict[str, Any]) -> None:
    with pytest.raises(RaceError, match=r"copies to element 0 of s \(byte 0\), which a copy on its way writes"):
        tw.compile(twins)(np.zeros(128, np.float32), **switches)


@T.prim_func
def told(A: T.Buffer((128,), "float32"), B: T.Buffer((32,), "int32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((128,), "float32")
    bar = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 32)
    T.cuda.cta_sync()
    T.ptx.cp.async_.cg.shared.global_(s.ptr_to([4 * t]), A.ptr_to([4 * t]), 16)
    T.ptx.cp.async_.mbarrier.arrive.noinc.shared.b64(bar.ptr_to([0]))
    T.ptx.cp.async_.wait_all()
    T.cuda.cta_sync()
    B[t] = T.cast(T.ptx.mbarrier.test_wait.parity.shared.b64(bar.ptr_to([0]), 0), "int32")


@pytest.mark.parametrize("switches", SCHEDULES)
def test_who_has_waited_for_copies_finds_that_they_have_told_of_it(switches: dict[str, Any]) -> None:
    b = np.zeros(32, np.int32)
    tw.compile(told, target="simulator:sm_90")(np.zeros(128, np.float32), b, **switches)
    assert (b == 1).all()


@pytest.mark.parametrize(("scope", "warps"), [("thread", 1), ("warp", 1), ("warpgroup", 4), ("cta", 0)])
def test_the_warps_that_a_primitive_needs_stay_together(scope: str, warps: int) -> None:
    """Of a block all, whatever else the kernel does."""
    text = print_module(scale_factors().kernel().module)
    assert text.count('permute_layout "warp"') == 1
    module = parse_module(text.replace('permute_layout "warp"', f'permute_layout "{scope}"'))
    assert kept_together(kernel_of(module)) == warps


@T.prim_func
def made_anew(A: T.Buffer((2, 128), "float32"), B: T.Buffer((2, 128), "float32")) -> None:
    """Its lanes have waited for their copies, so that these have arrived: the mbarrier is free."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((2, 128), "float32")
    bar = T.alloc_shared((1,), "uint64")
    for k in T.serial(2):
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 32)
        T.cuda.cta_sync()
        T.ptx.cp.async_.cg.shared.global_(s.ptr_to([k, 4 * t]), A.ptr_to([k, 4 * t]), 16)
        T.ptx.cp.async_.mbarrier.arrive.noinc.shared.b64(bar.ptr_to([0]))
        if k == 0:
            T.ptx.cp.async_.wait_all()
        else:
            T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        T.cuda.cta_sync()
        for i in T.serial(4):
            B[k, 32 * i + t] = s[k, 32 * i + t]
        T.cuda.cta_sync()
        if t == 0:
            T.ptx.mbarrier.inval.shared.b64(bar.ptr_to([0]))


@pytest.mark.parametrize("switches", SCHEDULES)
def test_an_mbarrier_that_copies_have_told_may_be_made_anew(switches: dict[str, Any]) -> None:
    a = np.arange(256, dtype=np.float32).reshape(2, 128)
    b = np.zeros_like(a)
    tw.compile(made_anew, target="simulator:sm_90")(a, b, **switches)
    assert (b == a).all()
