"""Operations of many threads on several items each, against numpy: warps of 32 and 64 lanes, blocks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.errors import KernelError

THREADS = 64
RNG = np.random.default_rng(5)
ADD = fx.ReductionOp.ADD


@flyc.jit
def run(how: fx.Constexpr, A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, D: fx.Tensor, E: fx.Tensor, a: int, b: int):
    kernel, arrays, constants, numbers, block = how
    kernel(*(A, B, C, D, E)[:arrays], *constants, *(a, b)[:numbers]).launch(grid=1, block=block)


def launched(kernel: object, *given: object, arch: str = "gfx942", block: object = THREADS) -> None:
    """A kernel of up to five arrays, then constants, then up to two numbers that only run time knows."""
    arrays = [x for x in given if isinstance(x, np.ndarray)]
    numbers = [int(x) for x in given if isinstance(x, np.int32)]
    constants = given[len(arrays) : len(given) - len(numbers)]
    how = (kernel, len(arrays), constants, len(numbers), block)
    with Target(f"simulator:{arch}"):
        shown = [flyc.from_dlpack(x) for x in [*arrays, *[np.zeros(1, np.int32)] * (5 - len(arrays))]]
        run(how, *shown, *numbers, *[0] * (2 - len(numbers)))


def blocked(a: np.ndarray, items: int) -> np.ndarray:
    """What threads have of an order, a thread's items following each other."""
    return a.reshape(-1, items)


def striped(a: np.ndarray, items: int) -> np.ndarray:
    return a.reshape(items, -1).T


# ---- warps


@flyc.kernel
def segments_kernel(A: fx.Tensor, F: fx.Tensor, R: fx.Tensor, width: fx.Constexpr):
    tid = fx.thread_idx.x
    of = fx.coop.WarpReduce[fx.Int32, width]
    R[0, tid] = fx.coop.warp_head_segmented_reduce(A[tid], F[tid], ADD, width=width)
    R[1, tid] = of.tail_segmented_reduce(A[tid], F[tid], fx.ReductionOp.MAX)
    R[2, tid] = fx.coop.warp_broadcast(A[tid], 3, width=width)
    R[3, tid] = of.reduce([A[tid], F[tid], A[tid]], ADD)
    R[4, tid] = of.reduce(A[tid], ADD, valid_items=5)


@pytest.mark.parametrize(("arch", "width"), [("gfx942", None), ("gfx1201", None), ("gfx942", 8)])
def test_segments_of_a_warp(arch: str, width: int | None) -> None:
    a, f = RNG.integers(-50, 50, THREADS).astype(np.int32), (RNG.random(THREADS) < 0.3).astype(np.int32)
    r = np.zeros((5, THREADS), np.int32)
    launched(segments_kernel, a, f, r, width, arch=arch)
    size = width or {"gfx942": 64, "gfx1201": 32}[arch]
    for begin in range(0, THREADS, size):
        group, flags = a[begin : begin + size], f[begin : begin + size]
        heads = [0, *(i for i in range(1, size) if flags[i]), size]
        tails = [0, *(i + 1 for i in range(size - 1) if flags[i]), size]
        for first, last in itertools.pairwise(heads):
            assert r[0, begin + first] == group[first:last].sum()
        for first, last in itertools.pairwise(tails):
            assert r[1, begin + first] == group[first:last].max()
        found = r[:, begin : begin + size]
        assert (found[2] == group[3]).all()
        assert (found[3] == 2 * group.sum() + flags.sum()).all()
        assert (found[4] == group[:5].sum()).all()


@flyc.kernel
def batches_kernel(A: fx.Tensor, R: fx.Tensor, S: fx.Tensor, T: fx.Tensor, n: fx.Constexpr, width: fx.Constexpr):
    tid = fx.thread_idx.x
    items = [A[i, tid] for i in range(n)]
    R[tid] = fx.coop.warp_reduce_batched(items, ADD, width=width)
    S[None, tid].store(fx.coop.warp_reduce_batched_to_blocked(items * 5, ADD, width=width))
    T[None, tid].store(fx.coop.WarpReduceBatched[fx.Int32, width, 5 * n].reduce_to_striped(items * 5, ADD))


def test_batches_of_a_warp() -> None:
    n, width = 3, 8
    a = RNG.integers(-50, 50, (n, THREADS)).astype(np.int32)
    r, s, t = np.zeros(THREADS, np.int32), np.zeros((2, THREADS), np.int32), np.zeros((2, THREADS), np.int32)
    launched(batches_kernel, a, r, s, t, n, width)
    for begin in range(0, THREADS, width):
        sums = a[:, begin : begin + width].sum(1).tolist()
        assert r[begin : begin + n].tolist() == sums
        assert s[:, begin : begin + width].T.reshape(-1)[: 5 * n].tolist() == sums * 5
        assert t[:, begin : begin + width].reshape(-1)[: 5 * n].tolist() == sums * 5


@flyc.kernel
def scans_kernel(A: fx.Tensor, R: fx.Tensor, init: fx.Constexpr, of_block: fx.Constexpr):
    tid = fx.thread_idx.x
    items = A[None, tid].load()
    if fx.const_expr(of_block):
        scan = fx.coop.BlockScan[fx.Int32, THREADS]
        storage = fx.SharedAllocator().allocate(scan.SharedStorage).peek()
        up_to = scan.inclusive(items, ADD, storage=storage, init=init)
        fx.barrier()
        before, total = scan.exclusive_with_aggregate(items, ADD, storage=storage, init=init)
    else:
        up_to, before, total = fx.coop.WarpScan[fx.Int32].scan_with_aggregate(items, ADD, init=init)
    R[0, None, tid].store(up_to)
    R[1, None, tid].store(before)
    R[2, 0, tid] = total


@pytest.mark.parametrize("init", [None, 7])
@pytest.mark.parametrize(("arch", "of_block"), [("gfx942", False), ("gfx942", True), ("gfx1201", True)])
def test_scans_of_several_items(init: int | None, arch: str, of_block: bool) -> None:
    a = RNG.integers(-50, 50, (3, THREADS)).astype(np.int32)
    r = np.zeros((3, 3, THREADS), np.int32)
    launched(scans_kernel, a, r, init, of_block, arch=arch)
    scan = np.cumsum(a.T.reshape(-1)) + (init or 0)
    assert (r[0].T.reshape(-1) == scan).all()
    assert (r[1].T.reshape(-1) == [init or 0, *scan[:-1]]).all()
    assert (r[2, 0] == a.sum()).all()


@flyc.kernel
def warp_moves_kernel(A: fx.Tensor, R: fx.Tensor, n: fx.Constexpr, width: fx.Constexpr, policy: fx.Constexpr, valid):
    tid = fx.thread_idx.x
    group = tid // width * (width * n)
    load, store = fx.coop.WarpLoadAlgorithm[policy], fx.coop.WarpStoreAlgorithm[policy]
    items = fx.coop.WarpLoad[fx.Int32, width, n, load].load(A, offset=group, valid_items=valid, default=-1)
    exchange = fx.coop.WarpExchange[fx.Int32, width, n]
    if fx.const_expr(policy != "STRIPED"):
        items = exchange.striped_to_blocked(exchange.blocked_to_striped(items))
    fx.coop.WarpStore[fx.Int32, width, n, store].store(R, items, offset=group, valid_items=valid + 1)


@pytest.mark.parametrize("policy", [x.name for x in fx.coop.WarpLoadAlgorithm])
@pytest.mark.parametrize("n", [1, 3])
def test_a_warp_moves_what_is_valid(policy: str, n: int) -> None:
    a, r, width = RNG.integers(0, 50, THREADS * n).astype(np.int32), np.zeros(THREADS * n, np.int32), 16
    valid = width * n - 5
    launched(warp_moves_kernel, a, r, n, width, policy, np.int32(valid))
    wanted = a.reshape(-1, width * n).copy()
    wanted[:, valid], wanted[:, valid + 1 :] = -1, 0
    assert (r == wanted.reshape(-1)).all()


@flyc.kernel
def warp_sort_kernel(K: fx.Tensor, V: fx.Tensor, n: fx.Constexpr, width: fx.Constexpr, stable: fx.Constexpr, valid):
    tid = fx.thread_idx.x
    kinds = (fx.Int32, fx.Int32)
    sort = (fx.coop.WarpBitonicSort, fx.coop.WarpMergeSort)[stable][kinds, width, n]
    keys, values = K[None, tid].load(), V[None, tid].load()
    keys, values = sort.sort(keys, values, compare_op=lambda a, b: a > b, valid_items=valid)
    K[None, tid].store(keys)
    V[None, tid].store(values)


@pytest.mark.parametrize(
    ("stable", "arch", "width"), [(True, "gfx942", 16), (False, "gfx942", 16), (True, "gfx1201", 32)]
)
@pytest.mark.parametrize("n", [1, 3])
def test_a_warp_sorts(stable: bool, arch: str, width: int, n: int) -> None:
    k, valid = RNG.integers(0, 9, (n, THREADS)).astype(np.int32), width * n - 4
    v = np.arange(n * THREADS, dtype=np.int32).reshape(n, THREADS)
    before = k.copy(), v.copy()
    launched(warp_sort_kernel, k, v, n, width, stable, np.int32(valid), arch=arch)

    def order(x: np.ndarray, begin: int) -> np.ndarray:
        part = x[:, begin : begin + width]
        return part.T.reshape(-1) if stable else part.reshape(-1)

    for begin in range(0, THREADS, width):
        keys, values = (order(x, begin)[:valid] for x in before)
        at = np.argsort(-keys, kind="stable")
        assert (order(k, begin)[:valid] == keys[at]).all()
        assert (order(v, begin)[:valid] == values[at]).all()


# ---- blocks


@flyc.kernel
def moves_kernel(A: fx.Tensor, R: fx.Tensor, n: fx.Constexpr, policy: fx.Constexpr, threads: fx.Constexpr, valid):
    load = fx.coop.BlockLoad[fx.Int32, threads, n, fx.coop.BlockLoadAlgorithm[policy]]
    store = fx.coop.BlockStore[fx.Int32, threads, n, fx.coop.BlockStoreAlgorithm[policy]]
    storage = fx.SharedAllocator().allocate(load.SharedStorage).peek()
    items = load(A, storage=storage, offset=2, valid_items=valid, default=-1)
    fx.barrier()
    store(R, items, storage=storage, offset=1, valid_items=valid + 1)


@pytest.mark.parametrize("policy", [x.name for x in fx.coop.BlockLoadAlgorithm])
def test_a_block_moves_what_is_valid(policy: str) -> None:
    n, threads, valid = 3, 128, 128 * 3 - 7
    a, r = RNG.integers(0, 50, threads * n + 2).astype(np.int32), np.zeros(threads * n + 1, np.int32)
    launched(moves_kernel, a, r, n, policy, threads, np.int32(valid), block=threads)
    assert (r == [0, *a[2 : valid + 2], -1, *[0] * (threads * n - valid - 1)]).all()


@flyc.kernel
def exchange_kernel(A: fx.Tensor, P: fx.Tensor, R: fx.Tensor, n: fx.Constexpr, threads: fx.Constexpr):
    tid = fx.thread_idx.x
    of = fx.coop.BlockExchange[fx.Int32, (threads // 2, 2, 1), n]
    storage = fx.SharedAllocator().allocate(of.SharedStorage).peek()
    tid = tid + fx.thread_idx.y * (threads // 2)
    items, ranks = A[tid, None].load(), P[tid, None].load()
    found = [
        lambda: of.blocked_to_striped(items, storage=storage),
        lambda: of.blocked_to_warp_striped(items, storage=storage),
        lambda: of.scatter_to_blocked(items, ranks, storage=storage),
        lambda: of.scatter_to_striped(items, ranks, storage=storage),
        lambda: of.scatter_to_striped_guarded(items, ranks - 2, storage=storage, default=-1),
        lambda: of.scatter_to_striped_flagged(items, ranks, [ranks[i] % 2 for i in range(n)], storage=storage),
    ]
    for number, made in enumerate(found):
        R[number, tid, None].store(made())
        fx.barrier()
    back = of.striped_to_blocked(R[0, tid, None].load(), storage=storage)
    fx.barrier()
    R[6, tid, None].store(back)
    R[7, tid, None].store(of.warp_striped_to_blocked(R[1, tid, None].load(), storage=storage))


@pytest.mark.parametrize("arch", ["gfx942", "gfx1201"])
def test_a_block_exchanges(arch: str) -> None:
    n, threads, lanes = 3, 128, {"gfx942": 64, "gfx1201": 32}[arch]
    a, p = np.arange(threads * n, dtype=np.int32), RNG.permutation(threads * n).astype(np.int32)
    r = np.zeros((8, threads, n), np.int32)
    launched(exchange_kernel, blocked(a, n), blocked(p, n), r, n, threads, arch=arch, block=(threads // 2, 2, 1))
    by_rank = np.argsort(p).astype(np.int32)
    assert (r[0] == striped(a, n)).all()
    assert (r[1].reshape(-1, lanes, n) == a.reshape(-1, n, lanes).transpose(0, 2, 1)).all()
    assert (r[2] == blocked(by_rank, n)).all()
    assert (r[3] == striped(by_rank, n)).all()
    assert (r[4] == striped(np.append(by_rank[2:], [-1, -1]), n)).all()
    assert (r[5] == striped(np.where(np.arange(threads * n) % 2, by_rank, 0), n)).all()
    assert (r[6] == blocked(a, n)).all()
    assert (r[7] == blocked(a, n)).all()


@flyc.kernel
def beside_kernel(A: fx.Tensor, R: fx.Tensor, F: fx.Tensor, given: fx.Constexpr, valid):
    tid = fx.thread_idx.x
    items = A[tid, None].load()
    shuffle, diff = fx.coop.BlockShuffle[fx.Int32, THREADS], fx.coop.BlockAdjacentDifference[fx.Int32, THREADS]
    flags = fx.coop.BlockDiscontinuity[fx.Int32, THREADS]
    storage = fx.SharedAllocator().allocate(shuffle.SharedStorage).peek()
    up, last = shuffle.up(items, storage=storage, predecessor=given, return_suffix=True)
    fx.barrier()
    down = shuffle.down(items, storage=storage, successor=given)
    fx.barrier()
    left = diff.subtract_left(items, storage=storage, predecessor=given)
    fx.barrier()
    right = diff.subtract_right(items, lambda a, b: a * 2 - b, storage=storage, successor=given, valid_items=valid)
    fx.barrier()
    heads, tails = flags.flag_heads_and_tails(items, storage=storage, predecessor=given, successor=given)
    fx.barrier()
    odd = flags.flag_heads(items, lambda a, b, at: (a != b) & (at % 2 == 0), storage=storage, predecessor=given)
    fx.barrier()
    for number, found in enumerate([up, down, left, right, heads, tails, odd]):
        R[number, tid, None].store(found)
    F[0, tid] = shuffle.offset(items[0], 3, storage=storage, fill=-1)
    fx.barrier()
    F[1, tid] = shuffle.rotate(items[0], -5, storage=storage)
    F[2, tid] = last


@pytest.mark.parametrize("given", [None, 9])
def test_what_items_have_beside_them(given: int | None) -> None:
    n, valid = 2, THREADS * 2 - 3
    a = RNG.integers(0, 3, THREADS * n).astype(np.int32)
    r, f = np.zeros((7, THREADS, n), np.int32), np.zeros((3, THREADS), np.int32)
    launched(beside_kernel, blocked(a, n), r, f, given, np.int32(valid))
    up, down, left, right, heads, tails, odd = r.reshape(7, -1)
    first, last = (a[0], a[-1]) if given is None else (given, given)
    before, behind = np.append(first, a[:-1]), np.append(a[1:], last)
    assert (up == before).all()
    assert (down == behind).all()
    assert (f[2] == a[-1]).all()
    assert (left == a - np.where((np.arange(len(a)) == 0) & (given is None), 0, before)).all()
    wanted = 2 * a - behind
    wanted[valid - 1] = a[valid - 1] if given is None else 2 * a[valid - 1] - given
    assert (right == [*wanted[:valid], *a[valid:]]).all()
    edge = given is None
    assert (heads == np.append(edge or a[0] != given, a[1:] != a[:-1])).all()
    assert (tails == np.append(a[1:] != a[:-1], edge or a[-1] != given)).all()
    assert (odd[1:] == ((a[1:] != a[:-1]) & (np.arange(1, len(a)) % 2 == 0))).all()
    assert (f[0] == [*a[::n][3:], -1, -1, -1]).all()
    assert (f[1] == np.roll(a[::n], 5)).all()


@flyc.kernel
def sorts_kernel(K: fx.Tensor, V: fx.Tensor, R: fx.Tensor, S: fx.Tensor, how: fx.Constexpr):
    tid = fx.thread_idx.x
    kind, make, call = how
    of = make[(kind, fx.Int32), THREADS, 2]
    storage = fx.SharedAllocator().allocate(of.SharedStorage).peek()
    keys, values = call(of, K[tid, None].load(), V[tid, None].load(), storage)
    R[tid, None].store(keys)
    S[tid, None].store(values)


MERGE, RADIX = fx.coop.BlockMergeSort, fx.coop.BlockRadixSort
KEYS = {
    fx.Int32: RNG.integers(-9, 9, 2 * THREADS).astype(np.int32),
    fx.Float32: RNG.choice(np.array([-np.inf, -2.5, -0.0, 0.0, 1.5, 3.0, np.inf], np.float32), 2 * THREADS),
}
SORTS = {
    "merge": (fx.Int32, MERGE, lambda of, k, v, s: of(k, v, storage=s), lambda k: k),
    "merge of floats": (fx.Float32, MERGE, lambda of, k, v, s: of.stable_sort(k, v, storage=s), lambda k: k),
    "descending": (fx.Int32, MERGE, lambda of, k, v, s: of.sort(k, v, storage=s, descending=True), lambda k: -k),
    "compared": (
        fx.Int32,
        MERGE,
        lambda of, k, v, s: of(k, v, storage=s, compare_op=lambda a, b: a % 4 < b % 4),
        lambda k: np.fmod(k, 4),
    ),
    "radix": (fx.Int32, RADIX, lambda of, k, v, s: of(k, v, storage=s), lambda k: k),
    "radix of floats": (fx.Float32, RADIX, lambda of, k, v, s: of(k, v, storage=s, descending=True), lambda k: -k),
    "some bits": (
        fx.Int32,
        RADIX,
        lambda of, k, v, s: of(k, v, storage=s, begin_bit=1, end_bit=3),
        lambda k: (k >> 1) & 3,
    ),
    "parts": (
        fx.Int32,
        RADIX,
        lambda of, k, v, s: of(k, v, storage=s, decomposer=lambda key: (key % 2, key)),
        lambda k: 1000 * np.fmod(k, 2) + k,
    ),
}


@pytest.mark.parametrize("name", SORTS)
def test_a_block_sorts(name: str) -> None:
    kind, make, call, key = SORTS[name]
    k, v = KEYS[kind], np.arange(2 * THREADS, dtype=np.int32)
    r, s = np.zeros_like(blocked(k, 2)), np.zeros_like(blocked(v, 2))
    launched(sorts_kernel, blocked(k, 2), blocked(v, 2), r, s, (kind, make, call))
    at = np.argsort(key(k), kind="stable")
    assert (s.reshape(-1) == at).all()
    assert (r.reshape(-1) == k[at]).all()


@flyc.kernel
def top_kernel(K: fx.Tensor, R: fx.Tensor, S: fx.Tensor, F: fx.Tensor, policy: fx.Constexpr, k, valid):
    tid = fx.thread_idx.x
    of = fx.coop.BlockTopK[(fx.Float32, fx.Int32), THREADS, 2, policy]
    storage = fx.SharedAllocator().allocate(of.SharedStorage).peek()
    at = fx.Vector.from_elements([2 * tid, 2 * tid + 1])
    keys, values, flags = of.max_pairs(K[tid, None].load(), at, k, valid, storage=storage)
    R[tid, None].store(keys)
    S[tid, None].store(values)
    F[tid, None].store(flags.to(fx.Int32))


@pytest.mark.parametrize("policy", fx.coop.BlockTopKAlgorithm)
def test_the_largest_of_a_block(policy: object) -> None:
    keys, k, valid = KEYS[fx.Float32], 20, 2 * THREADS - 9
    r, s, f = np.zeros((THREADS, 2), np.float32), np.zeros((THREADS, 2), np.int32), np.zeros((THREADS, 2), np.int32)
    launched(top_kernel, blocked(keys, 2), r, s, f, policy, np.int32(k), np.int32(valid))
    at = np.argsort(-keys[:valid], kind="stable")[:k]
    if policy is fx.coop.BlockTopKAlgorithm.AIR:
        at = np.sort(at)
    assert (s.reshape(-1)[:k] == at).all()
    assert (r.reshape(-1)[:k] == keys[at]).all()
    assert (f.reshape(-1) == (np.arange(2 * THREADS) < k)).all()


@flyc.kernel
def ranks_kernel(K: fx.Tensor, R: fx.Tensor, P: fx.Tensor, C: fx.Tensor, policy: fx.Constexpr):
    tid = fx.thread_idx.x
    of = fx.coop.BlockRadixRank[fx.Uint32, THREADS, 2, policy]
    storage = fx.SharedAllocator().allocate(of.SharedStorage).peek()
    found, prefix = of.rank(K[tid, None].load(), storage=storage, begin_bit=1, end_bit=8, with_prefix=True)
    R[tid, None].store(found)
    P[tid, None].store(prefix)
    if fx.const_expr("MATCH" in policy.name):
        fx.barrier()
        callback = lambda counts: C[tid, None].store(counts)  # noqa: E731  # as a user writes one
        of(K[tid, None].load(), storage=storage, begin_bit=1, end_bit=8, count_callback=callback)


@pytest.mark.parametrize("policy", [fx.coop.BlockRadixRankAlgorithm.BASIC, fx.coop.BlockRadixRankAlgorithm.MATCH])
def test_ranks_by_some_bits(policy: object) -> None:
    k = RNG.integers(0, 256, 2 * THREADS).astype(np.uint32)
    r, p, c = (np.zeros((THREADS, 2), np.int32) for _ in range(3))
    matches = policy is fx.coop.BlockRadixRankAlgorithm.MATCH
    launched(ranks_kernel, striped(k, 2).copy() if matches else blocked(k, 2), r, p, c, policy)
    digits = k >> 1
    ranks = np.empty(len(k), np.int32)
    ranks[np.argsort(digits, kind="stable")] = np.arange(len(k))
    assert (r == (striped(ranks, 2) if matches else blocked(ranks, 2))).all()
    counts = np.bincount(digits, minlength=128)
    assert (p.reshape(-1) == np.cumsum(counts) - counts).all()
    assert (c.reshape(-1) == (counts if matches else 0)).all()


@flyc.kernel
def counts_kernel(A: fx.Tensor, R: fx.Tensor, bins: fx.Constexpr):
    tid = fx.thread_idx.x
    of = fx.coop.BlockHistogram[fx.Int32, THREADS, bins]
    storage = fx.SharedAllocator().allocate(of.SharedStorage).peek()
    counts = of(A[tid, None].load(), storage=storage)
    of.composite(A[tid, 0], storage=storage)
    if tid < bins:
        R[tid] = counts[tid]


def test_a_histogram_of_a_block() -> None:
    a, r = RNG.integers(-2, 12, (THREADS, 3)).astype(np.int32), np.zeros(10, np.int32)
    launched(counts_kernel, a, r, 10)
    assert r.tolist() == [int((a == i).sum() + (a[:, 0] == i).sum()) for i in range(10)]


@flyc.kernel
def runs_kernel(A: fx.Tensor, L: fx.Tensor, R: fx.Tensor, P: fx.Tensor, T: fx.Tensor, by_offset: fx.Constexpr):
    tid = fx.thread_idx.x
    of = fx.coop.BlockRunLengthDecode[fx.Int32, THREADS, 2]
    storage = fx.SharedAllocator().allocate(of.SharedStorage).peek()
    if fx.const_expr(by_offset):
        runs = of.init_with_run_offsets(A[tid, None].load(), L[tid, None].load(), storage=storage, total=T[0])
    else:
        runs = of.init_with_run_lengths(A[tid, None].load(), L[tid, None].load(), storage=storage)
    for window in fx.range_constexpr(2):
        values, places, total = runs.decode(decoded_items_per_thread=3, offset=window * 3 * THREADS, default=-7)
        R[window, tid, None].store(values)
        P[window, tid, None].store(places)
    T[0] = total


@pytest.mark.parametrize("by_offset", [False, True])
def test_runs_of_a_block(by_offset: bool) -> None:
    a, lengths = RNG.integers(0, 99, 2 * THREADS).astype(np.int32), RNG.integers(0, 4, 2 * THREADS).astype(np.int32)
    total = int(lengths.sum())
    r, p = (np.zeros((2, THREADS, 3), np.int32) for _ in range(2))
    given = (np.cumsum(lengths) - lengths).astype(np.int32) if by_offset else lengths
    t = np.full(1, total, np.int32)
    launched(runs_kernel, blocked(a, 2), blocked(given, 2), r, p, t, by_offset)
    wanted, places = np.repeat(a, lengths), np.concatenate([np.arange(n) for n in lengths])
    shown = min(total, r.size)
    assert t[0] == total
    assert (r.reshape(-1)[:shown] == wanted[:shown]).all()
    assert (r.reshape(-1)[shown:] == -7).all()
    assert (p.reshape(-1)[:shown] == places[:shown]).all()
    assert (p.reshape(-1)[shown:] == -1).all()


@flyc.kernel
def valid_kernel(A: fx.Tensor, R: fx.Tensor, valid):
    tid = fx.thread_idx.x
    of = fx.coop.BlockReduce[fx.Int32, 128]
    storage = fx.SharedAllocator().allocate(of.SharedStorage).peek()
    R[tid] = of(A[tid], ADD, storage=storage, valid_items=valid, identity=0)


@pytest.mark.parametrize("valid", [0, 1, 64, 65, 128])
def test_a_block_reduces_what_is_valid(valid: int) -> None:
    a, r = RNG.integers(-50, 50, 128).astype(np.int32), np.zeros(128, np.int32)
    launched(valid_kernel, a, r, np.int32(valid), block=128)
    assert (r == a[:valid].sum()).all()


@flyc.kernel
def any_kernel(A: fx.Tensor, made: fx.Constexpr):
    A[fx.thread_idx.x] = made(A[fx.thread_idx.x])


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda x: fx.coop.WarpExchange[fx.Int32](x), "WarpExchange"),
        (lambda x: fx.coop.WarpExchange[fx.Int32, 8, 0], "at least one item"),
        (lambda x: fx.coop.WarpExchange[fx.Int32, 8, 1, 5], "has no algorithm 5"),
        (lambda x: fx.coop.WarpExchange[(fx.Int32, fx.Int32), 8, 1], "is of one type"),
        (lambda x: fx.coop.WarpExchange[fx.Int32, 8, 2].blocked_to_striped(x), "2 items, got 1"),
        (lambda x: fx.coop.warp_reduce_batched([x] * 9, ADD, width=8), "9 batches for 8 lanes"),
        (lambda x: fx.coop.BlockExchange[fx.Int32, 2000, 1], "1 to 1024 threads"),
        (lambda x: fx.coop.BlockShuffle[fx.Int32, 128].rotate(x, storage=None), "and the block has 64"),
        (
            lambda x: fx.coop.BlockStore[fx.Int32, 64, 1, fx.coop.BlockStoreAlgorithm.TRANSPOSE](x, x),
            "takes a storage",
        ),
        (lambda x: fx.coop.warp_reduce([x, x], ADD, valid_items=3), "valid_items counts lanes"),
        (lambda x: fx.coop.warp_reduce([], ADD), "an item or more, got 0"),
        (lambda x: fx.coop.BlockRadixSort[fx.Int32, 64, 1](x, storage=None, begin_bit=9, end_bit=40), "bits of a key"),
        (lambda x: fx.coop.BlockRadixRank.with_radix_bits(0), "1 to 30 bits"),
    ],
)
def test_what_is_refused(made: object, words: str) -> None:
    with pytest.raises(KernelError, match=words):
        launched(any_kernel, np.zeros(THREADS, np.int32), made)
