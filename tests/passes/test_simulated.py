"""Every pass keeps the meaning: each stage of a kernel, simulated, does what the layouts say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from permutes import Permute, scale_factors, transpose

from tilewright.errors import DispatchError, SimulationError
from tilewright.passes.pipeline import STAGES, run
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import ComposeLayout, S, TileLayout

WORDS = ("float32", "int32", "uint32")
KERNELS = {
    **{
        f"document 000, {d}, block {b}": scale_factors(2, b, d)
        for d in ("float32", "int32", "uint32")
        for b in (128, 256)
    },
    **{f"transpose {r} x 32, {d}": transpose(r, 32, d) for r in (2, 8, 16, 32) for d in WORDS},
    "three stages": scale_factors(3),
    "narrow elements": transpose(32, 32, "int8"),
    "halves": transpose(32, 32, "bfloat16"),
    "padded rows": Permute((32, 32), TileLayout(S[(32, 32) : (33, 1)]), TileLayout(S[(32, 32) : (1, 33)])),
    "an offset": Permute((4, 32), TileLayout(S[(4, 32) : (32, 1)] + 3), TileLayout(S[(4, 32) : (1, 4)])),
    "nothing to do": Permute((4, 32), TileLayout(S[4, 32]), TileLayout(S[4, 32])),
}


def check(kernel: Permute, stage: str) -> None:
    src, dst = kernel.arrays()
    expected = kernel.expected(src, dst)
    simulate(run(kernel.kernel().module, stage, verify_each=True).module, [src, dst])
    assert dst.tobytes() == expected.tobytes()


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", KERNELS)
def test_every_stage_does_what_the_layouts_say(name: str, stage: str) -> None:
    check(KERNELS[name], stage)


def powers_of_two(draw: st.DrawFn, volume: int) -> tuple[int, ...]:
    """A shape of that volume."""
    shape = []
    while volume > 1:
        shape.append(draw(st.sampled_from([n for n in (2, 4, 8, 16, 32) if n <= volume])))
        volume //= shape[-1]
    return tuple(shape) or (1,)


def compact(draw: st.DrawFn, shape: tuple[int, ...]) -> TileLayout:
    """Compact memory with the dimensions in any order, every other one padded at times."""
    stride, strides = 1, [0] * len(shape)
    for axis in draw(st.permutations(range(len(shape)))):
        strides[axis] = stride
        stride = stride * shape[axis] + draw(st.sampled_from([0, 0, 0, 1]))
    return TileLayout(S[shape : tuple(strides)] + draw(st.sampled_from([0, 0, 5])))


@st.composite
def permutes(draw: st.DrawFn) -> Permute:
    shape = powers_of_two(draw, 32 * draw(st.sampled_from([1, 2, 4, 8, 16, 32])))
    dtype = draw(st.sampled_from(["float32", "uint32", "int16", "uint8"]))
    return Permute(shape, compact(draw, shape), compact(draw, shape), dtype)


@settings(max_examples=25, deadline=None)
@given(permutes())
def test_whatever_dispatch_accepts_is_right(kernel: Permute) -> None:
    try:
        run(kernel.kernel().module, "dispatched")
    except DispatchError:
        check(kernel, "tile")
        return
    check(kernel, "final")


def simulated(kernel: T.PrimFunc, *arrays: np.ndarray) -> list[list[np.ndarray]]:
    """What the arrays hold after each stage has run on a copy of them."""
    results = []
    for stage in STAGES:
        copies = {id(array): array.copy() for array in arrays}
        given_arrays = [copies[id(array)] for array in arrays]
        simulate(run(kernel.module, stage, verify_each=True).module, given_arrays)
        results.append(given_arrays)
    return results


def test_in_place_on_one_buffer() -> None:
    shape, layout = (2, 4, 32), TileLayout(S[(2, 4, 32) : (128, 32, 1)])

    @T.prim_func
    def f(A: T.handle):
        A_buf = T.match_buffer(A, shape, "float32", layout=layout)
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        for s in T.serial(0, 2):
            Tx.warp.permute_layout(A_buf[s], A_buf[1 - s])

    a = np.arange(256, dtype=np.float32)
    for (found,) in simulated(f, a):
        assert found[:128].tolist() == found[128:].tolist() == a[128:].tolist()


def test_in_place_through_two_views_transposes_every_stage() -> None:
    shape, rows = (2, 4, 32), TileLayout(S[(2, 4, 32) : (128, 32, 1)])
    columns = TileLayout(S[(2, 4, 32) : (128, 1, 4)])

    @T.prim_func
    def f(A: T.handle):
        A_rows = T.match_buffer(A, shape, "int32", layout=rows)
        A_columns = T.match_buffer(A, shape, "int32", layout=columns)
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        for s in T.serial(0, 2):
            Tx.warp.permute_layout(A_columns[s], A_rows[s])

    a = np.arange(256, dtype=np.int32)
    expected = a.reshape(2, 4, 32).transpose(0, 2, 1).reshape(-1)
    for (found,) in simulated(f, a):
        assert found.tolist() == expected.tolist()


def test_each_warp_permutes_its_own_stage() -> None:
    shape, rows = (4, 8, 32), TileLayout(S[(4, 8, 32) : (256, 32, 1)])
    columns = TileLayout(S[(4, 8, 32) : (256, 1, 8)])

    @T.prim_func
    def f(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, shape, "float32", layout=rows)
        B_buf = T.match_buffer(B, shape, "float32", layout=columns)
        T.device_entry()
        b = T.cta_id([2])
        w = T.warp_id([2])
        Tx.warp.permute_layout(B_buf[b * 2 + w, :, :], A_buf[b * 2 + w, :, :])

    a, b = np.arange(1024, dtype=np.float32), np.zeros(1024, np.float32)
    for found in simulated(f, a, b):
        assert found[1].tolist() == a.reshape(4, 8, 32).transpose(0, 2, 1).reshape(-1).tolist()


def test_staged_through_shared_memory() -> None:
    shape = (4, 32)
    rows, columns = TileLayout(S[shape : (32, 1)]), TileLayout(S[shape : (1, 4)])

    @T.prim_func
    def f(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4, 32), "float32", layout=columns)):
        T.device_entry()
        T.cta_id([1])
        lane = T.thread_id([32])
        given = T.alloc_buffer(shape, "float32", scope="shared", layout=rows)
        made = T.alloc_buffer(shape, "float32", scope="shared", layout=columns)
        for i in range(4):
            given[i, lane] = A[i, lane]
        T.cuda.cta_sync()
        Tx.warp.permute_layout(made, given)
        T.cuda.cta_sync()
        for i in T.unroll(4):
            B[i, lane] = made[i, lane]

    a, b = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
    for found in simulated(f, a, b):
        assert found[1].tolist() == a.reshape(4, 32).T.reshape(-1).tolist()


def test_run_time_extents_mean_what_they_say_before_dispatch() -> None:
    columns = TileLayout(S[(8, 32) : (1, 8)])

    @T.prim_func
    def f(A: T.Buffer((8, 32), "int32"), B: T.Buffer((8, 32), "int32", layout=columns)):
        T.cta_id([1])
        T.thread_id([32])
        for n in T.serial(0, 5):
            Tx.warp.permute_layout(B[n : 2 * n, 3 : 3 + n], A[n : 2 * n, 3 : 3 + n])

    a, b = np.arange(256, dtype=np.int32), np.zeros(256, np.int32)
    expected = np.zeros((8, 32), np.int32)
    for n in range(5):
        expected[n : 2 * n, 3 : 3 + n] = a.reshape(8, 32)[n : 2 * n, 3 : 3 + n]
    simulate(f.module, [a, b])
    assert b.tolist() == expected.T.reshape(-1).tolist()


def test_run_time_extents_must_agree_and_be_natural() -> None:
    def moves(first: int, factor: int) -> T.PrimFunc:
        @T.prim_func
        def f(A: T.Buffer((8, 32), "int32"), B: T.Buffer((8, 32), "int32")):
            T.cta_id([1])
            w = T.thread_id([64]) // 32
            for n in T.serial(first, 2):
                Tx.warp.permute_layout(B[0 : n * factor], A[0 : n + w])

        return f

    arrays = [np.zeros(256, np.int32), np.zeros(256, np.int32)]
    for kernel, why in (
        (moves(1, 1), "is negative, or not every group's"),
        (moves(-1, 1), "is negative"),
    ):
        with pytest.raises(SimulationError, match=why):
            simulate(kernel.module, arrays)


def test_regions_of_unequal_run_time_extents() -> None:
    @T.prim_func
    def f(A: T.Buffer((8, 32), "int32"), B: T.Buffer((8, 32), "int32")):
        T.cta_id([1])
        T.thread_id([32])
        for n in T.serial(2, 3):
            Tx.warp.permute_layout(B[0:n], A[0 : n + 1])

    with pytest.raises(SimulationError, match=r"between regions of \(3, 32\) and \(2, 32\)"):
        simulate(f.module, [np.zeros(256, np.int32), np.zeros(256, np.int32)])


def test_elements_through_swizzled_memory() -> None:
    shape, swizzled = (8, 64), ComposeLayout(3, 3, 3, TileLayout(S[8, 64]))

    @T.prim_func
    def f(A: T.Buffer((8, 64), "int32", layout=swizzled), B: T.Buffer((8, 64), "int32")):
        T.device_entry()
        T.cta_id([1])
        x, y = T.thread_id([16, 2])
        for i, j in T.grid(4, 4):
            row, column = y * 4 + i, x * 4 + j
            if (row + column) % 3 == 0 and not row > 5:
                B[row, column] = A[row, column] * 2 - row // 2
            else:
                B[row, column] += A[row, column]

    a, b = np.arange(512, dtype=np.int32), np.arange(512, dtype=np.int32)
    row, column = np.indices(shape)
    seen = a[[swizzled.base(i)["m"] for i in range(512)]].reshape(shape)
    expected = np.where(((row + column) % 3 == 0) & ~(row > 5), seen * 2 - row // 2, b.reshape(shape) + seen)
    for found in simulated(f, a, b):
        assert found[1].tolist() == expected.reshape(-1).tolist()


def test_arithmetic_rounds_as_in_python() -> None:
    @T.prim_func
    def f(A: T.Buffer((64,), "int32"), U: T.Buffer((64,), "uint32"), F: T.Buffer((64,), "float32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        i = t - 16
        A[t] = i // 3
        A[t + 32] = i % 3
        U[t] = (U[t] // 7) ^ (U[t] % 5) | T.cast(t, "uint32") >> 1
        U[t + 32] = T.max(U[t + 32], 3000000000) + 1
        F[t] = (F[t] + 1.5) / 2 if i < 0 else -F[t]
        F[t + 32] = T.cast(A[t] * i, "float32")

    a, u, x = np.zeros(64, np.int32), np.arange(64, dtype=np.uint32) * 67000001, np.arange(64, dtype=np.float32)
    t = np.arange(32)
    i = t - 16
    for found in simulated(f, a, u, x):
        assert found[0].tolist() == [*(i // 3), *(i % 3)]
        low = ((u[:32] // 7) ^ (u[:32] % 5)) | (t >> 1).astype(np.uint32)
        assert found[1].tolist() == [*low, *(np.maximum(u[32:], 3000000000) + np.uint32(1))]
        assert found[2].tolist() == [*np.where(i < 0, (x[:32] + 1.5) / 2, -x[:32]), *(i // 3 * i)]
