"""`warp_fragment`: tiles go from memory to the lanes and registers that their layout names, and back."""

from __future__ import annotations

import random
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from on_gpu import GPU

import tilewright as tw
from tilewright.errors import CompileError, DispatchError, SimulationError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import STAGES, run
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import S, TileLayout, laneid, tid_in_wg
from tilewright.variants.permute_layout.warp_fragment import FragmentPlan

pytestmark = pytest.mark.usefixtures("as_text")

MMA = TileLayout(S[(2, 8, 4, 2) : (2, 4 @ laneid, 1 @ laneid, 1)])  # an accumulator of m16n8
COLUMNS = TileLayout(S[(4, 32) : (1, 1 @ laneid)])
SOME_LANES = TileLayout(S[(3, 5) : (2, 1 @ laneid)] + 4 @ laneid + 3)  # registers 3, 5, 7 of lanes 4 to 8
BY_HAND = TileLayout(S[(2, 2, 32) : (1, 5, 1 @ laneid)])  # registers 0, 1, 5, 6
TILES = {"mma": (MMA, (16, 8)), "columns": (COLUMNS, (4, 32)), "some": (SOME_LANES, (3, 5)), "gaps": (BY_HAND, (4, 32))}


def there_and_back(spread: TileLayout, shape: tuple[int, ...], dtype: str, warps: int = 1) -> PrimFunc:
    """C gets every lane's registers, B the tile again, transposed; each warp has its own."""
    registers = int(spread.cosize("m"))
    whole, turned = (warps, *shape), TileLayout(S[(warps, *shape) : (prod(shape), 1, shape[0])])

    @T.prim_func
    def f(
        A: T.Buffer(whole, dtype), B: T.Buffer(whole, dtype, layout=turned), C: T.Buffer((warps, 32, registers), dtype)
    ):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32 * warps])
        own = T.alloc_local((1, *shape), dtype, layout=spread)
        mine = T.decl_buffer((registers,), dtype, data=own.data)
        for i in T.unroll(registers):
            mine[i] = C[t // 32, t % 32, i]
        Tx.warp.permute_layout(own, A[t // 32, 0 : shape[0], 0 : shape[1]])
        for i in T.unroll(registers):
            C[t // 32, t % 32, i] = mine[i]
        Tx.warp.permute_layout(B[t // 32, 0 : shape[0], 0 : shape[1]], own)

    return f


def check(spread: TileLayout, shape: tuple[int, int], dtype: str, warps: int = 1, host: bool = False) -> None:
    kernel, count = there_and_back(spread, shape, dtype, warps), prod(shape)
    registers = int(spread.cosize("m"))
    a = np.arange(1, 1 + warps * count).astype(dtype)
    held = np.full((warps, 32, registers), 99, dtype)
    for e in range(count):
        place = spread.base(e)
        held[:, place["laneid"], place.get("m", 0)] = a.reshape(warps, count)[:, e]
    turned = a.reshape(warps, *shape).transpose(0, 2, 1)
    for stage in (*STAGES, *["host"] * host, *GPU):
        b, c = np.zeros(warps * count, dtype), np.full(held.size, 99, dtype)
        if stage not in STAGES:
            tw.compile(kernel, target=stage)(a, b, c)
        else:
            simulate(run(kernel.module, stage).module, [a.copy(), b, c])
        assert (b.reshape(turned.shape) == turned).all(), stage
        assert (c.reshape(held.shape) == held).all(), stage


@pytest.mark.parametrize("name", TILES)
@pytest.mark.parametrize("dtype", ["uint8", "float64"])
def test_there_and_back(name: str, dtype: str) -> None:
    check(*TILES[name], dtype, host=dtype == "uint8")


def test_every_warp_has_its_own_registers() -> None:
    check(MMA, (16, 8), "int32", warps=3)


@settings(max_examples=15)
@given(st.integers(0, 2**32))
def test_any_spread(seed: int) -> None:
    """Lanes and registers numbered by any order of the tile's iters."""
    rng = random.Random(seed)
    lanes, registers = [
        rng.choice([(2, 2), (4,), (8, 2), (3,), (16, 2), (5, 3)]),
        rng.choice([(1,), (2, 2), (3,), (4, 2)]),
    ]
    iters = [(n, axis) for axis, extents in (("laneid", lanes), ("m", registers)) for n in extents]
    rng.shuffle(iters)
    step = {"laneid": 1, "m": 1}
    strides: dict[int, Any] = {}
    for place in rng.sample(range(len(iters)), len(iters)):
        extent, axis = iters[place]
        strides[place] = step[axis] @ laneid if axis == "laneid" else step[axis]
        step[axis] *= extent
    extents = tuple(extent for extent, _ in iters)
    check(TileLayout(S[extents : tuple(strides[i] for i in range(len(iters)))]), (1, prod(extents)), "int16")


def test_a_plan_prints() -> None:
    load, store = run(there_and_back(MMA, (16, 8), "float32").module, "dispatched").plans
    assert isinstance(load, FragmentPlan)
    assert load.report.splitlines() == [
        "warp_fragment: 128 x float32 over [1, 16, 8], 4 a lane",
        "  dst is in registers: register r of a lane holds element (lane & 31) << 1 ^ (r & 1) ^ (r & 2) << 5",
        "  read 8 wavefronts, ideal 4",
    ]
    assert store.report.splitlines()[1].startswith("  src is in registers")


def test_what_it_costs_is_what_the_simulator_counts() -> None:
    @T.prim_func
    def f(A: T.Buffer((16, 8), "float32"), B: T.Buffer((16, 8), "float32")):
        T.cta_id([1])
        T.thread_id([32])
        own = T.alloc_local((16, 8), "float32", layout=MMA)
        Tx.warp.permute_layout(own, A)
        Tx.warp.permute_layout(B, own)

    lowered = run(f.module)
    report = simulate(lowered.module, [np.zeros(128, np.float32), np.zeros(128, np.float32)])
    load, store = (plan.cost.wavefronts for plan in lowered.plans if isinstance(plan, FragmentPlan))
    assert (report.wavefronts("load"), report.wavefronts("store")) == (load, store)


def test_between_registers_nothing_is_moved_yet() -> None:
    @T.prim_func
    def f():
        T.cta_id([1])
        T.thread_id([32])
        one, other = T.alloc_local((4, 32), layout=COLUMNS), T.alloc_local((4, 32), layout=COLUMNS)
        Tx.warp.permute_layout(one, other)

    with pytest.raises(DispatchError, match=r"warp_fragment +\| one side lies in registers and the other does not"):
        run(f.module)


def test_registers_that_nothing_has_written() -> None:
    @T.prim_func
    def f(A: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        own = T.alloc_local((4, 32), layout=COLUMNS)
        Tx.warp.permute_layout(A, own)

    for stage in STAGES:
        with pytest.raises(UninitializedError, match="reads unwritten element 0 of its own"):
            simulate(run(f.module, stage).module, [np.zeros(128, np.float32)])


@pytest.mark.parametrize("spread", [TileLayout(S[4, 32]), TileLayout(S[(4, 32) : (1, 1 @ tid_in_wg)])])
def test_registers_without_lanes_have_no_meaning(spread: TileLayout) -> None:
    @T.prim_func
    def f(A: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        own = T.alloc_local((4, 32), layout=spread)
        Tx.warp.permute_layout(own, A)

    with pytest.raises(CompileError, match="on registers that are not spread over laneid"):
        simulate(f.module, [np.zeros(128, np.float32)])


@pytest.mark.parametrize(
    ("wide", "words"),
    [
        (TileLayout(S[(2, 64) : (1, 1 @ laneid)]), "lies on lane 63 of 32"),
        (TileLayout(S[(2, 2, 32) : (1, 0, 1 @ laneid)]), "puts several elements in one place"),
    ],
)
def test_lanes_and_registers_that_a_warp_does_not_have(wide: TileLayout, words: str) -> None:
    @T.prim_func
    def f(A: T.Buffer((2, 64))):
        T.cta_id([1])
        T.thread_id([64])
        own = T.alloc_local((2, 64), layout=wide)
        Tx.warp.permute_layout(own, A)

    with pytest.raises(SimulationError, match=words):
        simulate(f.module, [np.arange(128, dtype=np.float32)])
