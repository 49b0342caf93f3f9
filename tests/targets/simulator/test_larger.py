"""Products of warps that share rows and columns are one product of large matrices, and give what they gave."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reruns import drawn

import tilewright as tw
from tilewright.atoms.catalog import mma
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T
from tilewright.targets.simulator.domains.larger import alike, large, shared
from tilewright.targets.simulator.domains.origins import Joined
from tilewright.targets.simulator.options import Mma
from tilewright.targets.simulator.simulate import Simulator

ATOM = "SM80_16x8x16_F32F16F16F32_TN"


def multiplied(joined: Joined) -> np.ndarray:
    """The products, numbers being in the place of names."""
    rows, columns = map(list, joined.sides)
    return joined.start + sum(a[rows] @ b[columns].swapaxes(1, 2) for a, b in joined.steps)


@settings(max_examples=40)
@given(st.data())
def test_one_large_product_holds_every_tile(data: st.DataObject) -> None:
    down, across = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3))
    every = [(i, j) for i in range(down) for j in range(across)]
    some = st.lists(st.sampled_from(every), min_size=1, max_size=5)
    pairs = data.draw(st.one_of(st.permutations(every), some, st.just([*every[1:], every[-1]])))
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    m, n, k = 2, 3, 4
    one, other = rng.permutation(10**3)[: down * m * k], rng.permutation(10**3)[: across * n * k]
    a, b = one.reshape(down, m, k), other.reshape(across, n, k)
    rows, columns = ([pair[side] for pair in pairs] for side in (0, 1))
    start = rng.integers(-9, 9, (len(pairs), m, n)) if data.draw(st.booleans()) else np.zeros((1, 1, 1), np.int64)
    steps = [(a[rows], b[columns]), (2 * a[rows], 1 + b[columns])]
    apart = Joined(mma(ATOM), steps, np.broadcast_to(start, (len(pairs), m, n)))
    together = shared(apart)
    assert (multiplied(together) == multiplied(apart)).all()
    assert [len(side) for side in together.steps[0]] == (
        [1, 1] if len(pairs) == 1 else [len(set(x)) for x in (rows, columns)]
    )
    found = large(together)
    assert (found is None) == (len(pairs) != len(set(pairs)) or len(pairs) != len(set(rows)) * len(set(columns)))
    if found is not None:
        places = found.places(range(len(pairs)))
        assert (multiplied(found.product).reshape(-1)[places] == multiplied(apart).reshape(-1)).all()


def test_warps_are_alike_where_all_steps_are() -> None:
    one, other = np.array([[[1]], [[1]], [[1]]]), np.array([[[2]], [[3]], [[2]]])
    assert alike([one, other]) == ([0, 1], [0, 1, 0])


def kernel(mixed: int, twice: bool) -> Simulator:
    """2 x 2 blocks of 2 x 2 warps, C from memory, the result behind 8 elements that stay; `mixed`: rows by xor."""

    @T.prim_func
    def g(A: T.handle, B: T.handle, C: T.handle, D: T.handle, E: T.handle) -> None:
        a = T.match_buffer(A, (64, 64), "float16")
        b = T.match_buffer(B, (64, 64), "float16")
        c = T.match_buffer(C, (64, 32), "float32")
        d = T.match_buffer(D, (66, 32), "float32")
        e = T.match_buffer(E, (64, 32), "float32")
        T.device_entry()
        bx, by = T.cta_id([2, 2])
        t = T.thread_id([128])
        fa = T.alloc_local((8,), "float16")
        fb = T.alloc_local((4,), "float16")
        acc = T.alloc_local((4,), "float32")
        lane = t % 32
        row = by * 32 + (t // 32 % 2 ^ by * mixed) * 16 + lane // 4
        column = bx * 16 + t // 64 * 8
        for i in T.unroll(4):
            acc[i] = c[row + i // 2 * 8, column + lane % 4 * 2 + i % 2]
        for k in T.serial(4):
            for i in T.unroll(8):
                fa[i] = a[row + i // 2 % 2 * 8, k * 16 + lane % 4 * 2 + i % 2 + i // 4 * 8]
            for i in T.unroll(4):
                fb[i] = b[column + lane // 4, k * 16 + lane % 4 * 2 + i % 2 + i // 2 * 8]
            T.mma_atom(ATOM, acc[0], fa[0], fb[0], acc[0])
        if twice:
            for i in T.unroll(4):
                e[row + i // 2 * 8, column + lane % 4 * 2 + i % 2] = acc[i]
            T.mma_atom(ATOM, acc[0], fa[0], fb[0], acc[0])
        for i in T.unroll(2):
            d[row + 10, column + lane % 4 * 2 + i] = acc[i + 2]
        for i in T.unroll(2):
            d[row + 2, column + lane % 4 * 2 + i] = acc[i]

    return Simulator(tw.compile(g).lowered().module)


@pytest.mark.parametrize("mixed", [0, 1])
@pytest.mark.parametrize("twice", [False, True])
def test_a_fast_run_is_a_run(mixed: int, twice: bool) -> None:
    """Small numbers, of which every sum is exact; products between two of which one is stored stay two."""
    simulator, rng = kernel(mixed, twice), np.random.default_rng(0)
    for _ in range(2):
        a, b = (rng.integers(-4, 5, (64, 64)).astype(np.float16) for _ in range(2))
        c, d, e = (rng.integers(-9, 9, (rows, 32)).astype(np.float32) for rows in (64, 66, 64))
        whole, last = (x.astype(np.float32) @ y.astype(np.float32).T for x, y in ((a, b), (a[:, 48:], b[:, 48:])))
        total, wanted = c + whole[:, :32], np.concatenate([d[:2], c + whole[:, :32]])
        kept = total if twice else e.copy()
        wanted[2:] += last[:, :32] * twice
        assert simulator.run([a, b, c, d, e], mma="fast", check="off").repeated
        assert d.tolist() == wanted.tolist()
        assert e.tolist() == kept.tolist()


@T.prim_func
def turned(A: T.Buffer((32, 32), "float16"), B: T.Buffer((8, 32), "float16"), C: T.Buffer((16, 8), "float32"),
           D: T.Buffer((16, 8), "float32"), E: T.Buffer((32, 8), "float32")) -> None:  # fmt: skip
    """One block; loops in loops, of which B asks one; what a loop writes in part; what is added in another order."""
    T.device_entry()
    T.cta_id([1])
    lane = T.thread_id([32])
    fa = T.alloc_local((8,), "float16")
    fb = T.alloc_local((4,), "float16")
    acc = T.alloc_local((4,), "float32")
    more = T.alloc_local((4,), "float32")
    kept = T.alloc_local((2,), "float32")
    kept[1] = C[lane // 2, lane % 2]
    for i in T.unroll(4):
        acc[i] = C[lane // 4 + i // 2 * 8, lane % 4 * 2 + i % 2]
    for k in T.serial(2):
        for j in T.serial(2):
            kept[0] = C[lane // 2, k + j]
            for i in T.unroll(8):
                fa[i] = A[lane // 4 + k * 16 + i // 2 % 2 * 8, j * 16 + lane % 4 * 2 + i % 2 + i // 4 * 8]
            for i in T.unroll(4):
                fb[i] = B[lane // 4, j * 16 + lane % 4 * 2 + i % 2 + i // 2 * 8]
            T.mma_atom(ATOM, acc[0], fa[0], fb[0], acc[0])
    for i in T.unroll(4):
        more[i] = acc[(4 - i) % 4]
    T.mma_atom(ATOM, more[0], fa[0], fb[0], more[0])
    for i in T.unroll(4):
        D[lane // 4 + i // 2 * 8, lane % 4 * 2 + i % 2] = more[i]
    E[lane, 0] = kept[0]
    E[lane, 1] = kept[1]


@T.prim_func
def told_twice(A: T.Buffer((16, 16), "float16"), D: T.Buffer((32, 8), "float32")) -> None:
    """Two blocks write one half of D, to the same."""
    T.device_entry()
    T.cta_id([2])
    lane = T.thread_id([32])
    fa = T.alloc_local((8,), "float16")
    acc = T.alloc_local((4,), "float32")
    for i in T.unroll(8):
        fa[i] = A[lane // 4 + i // 2 % 2 * 8, lane % 4 * 2 + i % 2 + i // 4 * 8]
    T.mma_atom(ATOM, acc[0], fa[0], fa[4])
    for i in T.unroll(4):
        D[lane // 4 + i // 2 * 8, lane % 4 * 2 + i % 2] = acc[i]


@T.prim_func
def at_two_steps(A: T.Buffer((16, 16), "float16"), E: T.Buffer((64, 8), "float32")) -> None:
    """Two blocks have two parts each, these twice as far apart as those; registers that a loop writes in part."""
    T.device_entry()
    block = T.cta_id([2])
    lane = T.thread_id([32])
    fa = T.alloc_local((10,), "float16")
    acc = T.alloc_local((4,), "float32")
    one = T.alloc_local((2,), "float16")
    one[1] = A[15, 15]
    for i in T.unroll(8):
        one[0] = A[lane // 4 + i // 2 % 2 * 8, lane % 4 * 2 + i % 2 + i // 4 * 8]
        fa[i] = one[0]
    fa[8] = one[0]
    fa[9] = one[1]
    T.mma_atom(ATOM, acc[0], fa[0], fa[6])
    for i in T.unroll(4):
        E[block * 16 + lane // 4 + i // 2 * 8, lane % 4 * 2 + i % 2] = acc[i]
        E[block * 8 + 40 + lane // 4, lane % 4 * 2 + i % 2] = acc[i]


@pytest.mark.parametrize("kernel_of", [turned, told_twice, at_two_steps])
@pytest.mark.parametrize("how", ["exact", "fast"])
def test_a_run_in_closed_form_is_one_turn_after_turn(kernel_of: PrimFunc, how: Mma) -> None:
    """By the rule to the bit of sums that are rounded at each step, in order; fast where all sums are exact."""
    simulator, rng = Simulator(tw.compile(kernel_of).lowered().module), np.random.default_rng(1)
    exact = [rng.normal(size=array.shape).astype(array.dtype) for array in drawn(simulator, 0)]
    given_ = exact if how == "exact" else drawn(simulator, 0)
    found, wanted = ([array.copy() for array in given_] for _ in range(2))
    assert simulator.run(found, mma=how, check="off").repeated
    simulator.run(wanted, proofs=False, check="off")
    assert [array.tobytes() for array in found] == [array.tobytes() for array in wanted]
