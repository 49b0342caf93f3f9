"""Programs as users write them: structures, helpers, methods, shared memory, warps, predicates, prints."""

from __future__ import annotations

import dataclasses
import itertools
from types import SimpleNamespace

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import UsageError
from tilewright.expr import const_expr, gpu, range_constexpr
from tilewright.expr.typing import Vector as Vec
from tilewright.ir.text import parse_module
from tilewright.passes.fly.pipeline import STAGES
from tilewright.utils.smem_allocator import SmemAllocator, SmemPtr

pytestmark = pytest.mark.usefixtures("every_stage")
THREADS = 64


@fx.struct
class Pair:
    value: fx.Float32
    index: fx.Int32


def larger(a, b):
    """A helper that nothing decorates, with a branch at run time."""
    if a.value > b.value:
        return a
    if a.value == b.value:
        if a.index < b.index:
            return a
    return b


@flyc.jit
def shuffled(pair, offset: fx.Constexpr[int]):
    return Pair(fx.shuffle_xor(pair.value, offset, 64), fx.shuffle_xor(pair.index, offset, 64))


@flyc.kernel
def argmax_kernel(A: fx.Tensor, V: fx.Tensor, I: fx.Tensor, n: fx.Int32):
    tid = fx.thread_idx.x
    best = Pair(float("-inf"), -1)
    for i in range(tid, n, THREADS):
        x = A[fx.block_idx.x, i]
        if x > best.value:
            best = Pair(x, i)
    for step in range_constexpr(6):
        best = larger(best, shuffled(best, 32 >> step))
    if tid == 0:
        V[fx.block_idx.x] = best.value
        I[fx.block_idx.x] = best.index


@flyc.jit
def argmax(A: fx.Tensor, V: fx.Tensor, I: fx.Tensor, n: fx.Int32):
    argmax_kernel(A, V, I, n).launch(grid=(A.shape[0], 1, 1), block=THREADS)


@pytest.mark.parametrize("n", [1, 63, 64, 200])
def test_structures_helpers_and_warps(n: int) -> None:
    a = np.random.default_rng(n).integers(-50, 50, (3, n)).astype(np.float32)
    values, indices = np.zeros(3, np.float32), np.zeros(3, np.int32)
    argmax(a, values, indices, n)
    assert values.tolist() == a.max(axis=1).tolist()
    assert indices.tolist() == a.argmax(axis=1).tolist()


@fx.struct
class Shared:
    sums: fx.Array[fx.Float32, 4]
    tile: fx.Array[fx.Float32, 256, 16]


class Norm:
    """Kernels as methods of an object that configures them."""

    def __init__(self, width: int, eps: float, static: bool) -> None:
        self.width, self.eps, self.static = width, eps, static

    def block_sum(self, x, sums):
        """The sum over 256 threads."""
        lane, wave = fx.thread_idx.x % 64, fx.thread_idx.x // 64
        for step in range_constexpr(6):
            x = x + x.shuffle_xor(32 >> step, 64)
        if lane == 0:
            sums[wave] = x
        gpu.barrier()
        total = fx.Float32(0.0)
        for i in range_constexpr(4):
            total = total + sums[i]
        gpu.barrier()
        return total

    @flyc.kernel
    def kernel(self, X: fx.Tensor, Y: fx.Tensor, G: fx.Tensor):
        row, tid = fx.block_idx.x, fx.thread_idx.x
        mem = fx.SharedAllocator(static=self.static).allocate(Shared).peek()
        total = fx.Float32(0.0)
        for i in range(tid, self.width, 256):
            total += X[row, i] * X[row, i]
        total = self.block_sum(total, mem.sums)
        scale = fx.rsqrt(total / float(self.width) + self.eps)
        for i in range(tid, self.width, 256):
            Y[row, i] = X[row, i] * scale * G[i]

    @flyc.jit
    def __call__(self, X: fx.Tensor, Y: fx.Tensor, G: fx.Tensor, stream: fx.Stream = fx.Stream(None)):
        self.kernel(X, Y, G).launch(grid=X.shape[0], block=(256, 1, 1), stream=stream)


@pytest.mark.parametrize("static", [True, False])
@pytest.mark.parametrize("width", [8, 300, 1024])
def test_methods_and_shared_memory(width: int, static: bool) -> None:
    rng = np.random.default_rng(width)
    x, g = rng.normal(size=(2, width)).astype(np.float32), rng.normal(size=width).astype(np.float32)
    y = np.zeros_like(x)
    Norm(width, 1e-5, static)(x, y, g)
    wanted = x / np.sqrt((x.astype(np.float64) ** 2).mean(axis=1, keepdims=True) + 1e-5) * g
    assert np.allclose(y, wanted, rtol=2e-5, atol=1e-6)


ALLOCATOR = SmemAllocator(None, arch="gfx942", global_sym_name="parts")
FIRST, SECOND = 4, 16  # bytes, in memory that begins where 16 divide the address


@flyc.kernel
def parts_kernel(A: fx.Tensor, B: fx.Tensor):
    tid, base = fx.thread_idx.x, ALLOCATOR.get_base()
    one = SmemPtr(base, FIRST, fx.T.f32)
    rows = SmemPtr(base, SECOND, fx.T.f16, shape=(8, 8))
    if tid == 0:
        one.store(A[0] * 2)
    rows.store(A[tid].to(fx.Float16), [tid // 8, tid % 8])
    fx.barrier()
    B[tid] = one.load() + rows.load([tid % 8, tid // 8]).to(fx.Float32)


@flyc.jit
def parts(A: fx.Tensor, B: fx.Tensor):
    ALLOCATOR.ptr = ALLOCATOR._align(SECOND + 64 * 2, 16)
    ALLOCATOR.finalize()
    parts_kernel(A, B).launch(grid=1, block=64)


def test_shared_memory_by_offsets() -> None:
    """FlyDSL's older allocator: a number and a matrix, row by row, each where its bytes say."""
    a, b = np.arange(64, dtype=np.float32) + 1, np.zeros(64, np.float32)
    parts(a, b)
    assert b.tolist() == (2 + a.reshape(8, 8).T.reshape(-1)).tolist()


def build_add(vector: int, offset: float):
    """A builder: its variables are captured."""
    Block = THREADS * vector

    @flyc.kernel(known_block_size=(THREADS, 1, 1))
    def kernel(A: fx.Tensor, C: fx.Tensor, n: fx.Int32):
        tid, bid = fx.thread_idx.x, fx.block_idx.x
        a, c = (fx.zipped_divide(fx.rocdl.make_buffer_tensor(x), (1, Block))[None, (0, bid)] for x in (A, C))
        atom = fx.make_copy_atom(fx.rocdl.BufferCopy(32), fx.Float32)
        tile_mn, tv = fx.make_layout_tv(fx.make_layout((1, THREADS), (0, 1)), fx.make_layout((1, vector), (0, 1)))
        thr = fx.make_tiled_copy(atom, tv, tile_mn).get_slice(tid)
        places = fx.zipped_divide(fx.make_identity_tensor((1, Block * 64)), (1, Block))[None, (0, bid)]
        ids = thr.partition_S(places)
        src, dst = thr.partition_S(a), thr.partition_D(c)
        held = fx.make_fragment_like(src)
        pred = fx.make_rmem_tensor(((1, vector), 1, 1), fx.Boolean)
        for i in range_constexpr(vector):
            pred[(0, i), 0, 0] = fx.get_scalar(ids[(0, i), 0, 0][1]) < n
        if vector == 1:  # else what the predicate leaves out begins as 0
            held.fill(0.0)
        fx.copy(atom, src, held, pred=pred)
        held.store(held.load() + offset)
        fx.copy(atom, held, dst, pred=pred)

    @flyc.jit
    def run(A: fx.Tensor, C: fx.Tensor, n: fx.Int32):
        kernel(A, C, n).launch(grid=((n + Block - 1) // Block, 1, 1), block=(THREADS, 1, 1))

    return run


@pytest.mark.parametrize("n", [1, 100, 128, 300])
def test_builders_and_predicates(n: int) -> None:
    a = np.arange(n, dtype=np.float32)
    for vector, offset in ((1, 2.0), (2, 5.0)):
        c = np.zeros_like(a)
        build_add(vector, offset)(a.reshape(1, n), c.reshape(1, n), n)
        assert c.tolist() == (a + offset).tolist()


@flyc.kernel
def carried_kernel(A: fx.Tensor, B: fx.Tensor, n: fx.Int32, config: fx.Constexpr):
    tid = fx.thread_idx.x
    held = {"sum": fx.Float32(0.0), "seen": [0, fx.Int32(0)]}
    space = SimpleNamespace(low=fx.Float32(1e30), many=0)
    pair = (fx.Float32(0.0), fx.Float32(1.0))
    for i in range(n):
        x = A[i]
        held["sum"] = held["sum"] + x
        if x > 0.0:
            held["seen"][0] += 1
            held["seen"][1] = i
        elif x < -2.0:
            space.low = fx.min(space.low, x)
        else:
            space.many += config.step
        pair = pair[1], pair[0] + x
    while pair[0] > 10.0:
        pair = pair[0] / 2.0, pair[1]
    rows = [held["sum"], held["seen"][0].to(fx.Float32), held["seen"][1].to(fx.Float32), space.low]
    rows += [space.many.to(fx.Float32), pair[0], pair[1]]
    if tid == 0:
        for i in range_constexpr(len(rows)):
            B[i] = rows[i]


@flyc.jit
def carried(A: fx.Tensor, B: fx.Tensor, n: fx.Int32, config: fx.Constexpr):
    carried_kernel(A, B, n, config).launch(grid=1, block=THREADS)


@dataclasses.dataclass(frozen=True)
class Config:
    step: int


def test_containers_are_carried() -> None:
    a, b = np.array([3, -5, 0, 8, -1, -9, 2], np.float32), np.zeros(7, np.float32)
    carried(a, b, 7, Config(2))
    one, two = 0.0, 1.0
    for x in a.tolist():
        one, two = two, one + x
    while one > 10.0:
        one /= 2
    assert b.tolist() == [a.sum(), 3, 6, -9, 4, one, two]


@flyc.kernel
def yielded_kernel(A: fx.Tensor, B: fx.Tensor, n: fx.Int32):
    first = [fx.Float32(0.0), Vec.filled(2, 1.0, fx.Float32)]
    for i, (total, pair) in range(0, n, 1, init=first):
        x = A[fx.Int32(i)]
        results = yield [total + x, pair * 2.0]
    total, pair = results
    B[0] = total
    B[1] = pair[0] + pair[1]


@flyc.jit
def yielded(A: fx.Tensor, B: fx.Tensor, n: fx.Int32):
    yielded_kernel(A, B, n).launch(grid=1, block=1)


def test_loops_with_init_and_yield() -> None:
    b = np.zeros(2, np.float32)
    yielded(np.arange(5, dtype=np.float32), b, 5)
    assert b.tolist() == [10, 64]


@flyc.kernel
def print_kernel(A: fx.Tensor):
    tid = fx.thread_idx.x
    if tid < 2:
        fx.printf("tid={} of {}: {} {}", tid, 64, A[tid], fx.Float32)


@flyc.jit
def printed(A: fx.Tensor):
    print_kernel(A).launch(grid=1, block=64)


def test_prints(capsys: pytest.CaptureFixture[str]) -> None:
    printed(np.array([1.5, -2], np.float32))
    assert capsys.readouterr().out == "tid=0 of 64: 1.5 Float32\ntid=1 of 64: -2 Float32\n"


@flyc.kernel
def permute_kernel(A: fx.Tensor, O: fx.Tensor, B: fx.Tensor):
    tid = fx.thread_idx.x
    atom = fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32)
    where = fx.make_rmem_tensor(2, fx.Int32)
    held = fx.make_rmem_tensor(2, fx.Float32)
    for i in range_constexpr(2):
        where[i] = O[tid * 2 + i]
    fx.gather(atom, fx.get_iter(A), where, held)
    fx.scatter(atom, held, fx.get_iter(B), where)


@flyc.jit
def permuted(A: fx.Tensor, O: fx.Tensor, B: fx.Tensor):
    permute_kernel(A, O, B).launch(grid=1, block=64)


def test_gather_and_scatter() -> None:
    a, b = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
    permuted(a, np.random.default_rng(0).permutation(128).astype(np.int32), b)
    assert b.tolist() == a.tolist()


def test_strided_arrays_and_layouts_that_are_known() -> None:
    whole = np.arange(400, dtype=np.float32).reshape(20, 20)
    part, found = whole[2:10, 3:11], np.zeros((8, 8), np.float32)
    copied(part, found)
    assert found.tolist() == part.tolist()
    found[:] = 0
    copied(flyc.from_dlpack(part), flyc.from_dlpack(found).mark_layout_dynamic(divisibility=8))
    assert found.tolist() == part.tolist()
    assert "(8,8):(20,1)" in copied.ir()
    assert "(?,?):(?{i64 div=8},1)" in copied.ir()


@flyc.kernel
def copy_kernel(A: fx.Tensor, B: fx.Tensor):
    i, j = fx.thread_idx.x, fx.thread_idx.y
    B[i, j] = A[i, j]


@flyc.jit
def copied(A: fx.Tensor, B: fx.Tensor):
    if const_expr(True):
        copy_kernel(A, B).launch(grid=1, block=(8, 8))


def test_a_changed_object_is_traced_again() -> None:
    norm = Norm(8, 1e-5, True)
    x = np.random.default_rng(0).normal(size=(1, 16)).astype(np.float32)
    g = np.ones(16, np.float32)
    for width in (8, 16):
        norm.width = width
        y = np.zeros_like(x)
        norm(x, y, g)
        wanted = x[:, :width] / np.sqrt((x[:, :width].astype(np.float64) ** 2).mean(axis=1, keepdims=True) + 1e-5)
        assert np.allclose(y[:, :width], wanted, rtol=2e-5)
        assert not y[:, width:].any()


def test_stages_are_texts_and_run() -> None:
    a, b = np.arange(64, dtype=np.float32).reshape(8, 8), np.zeros((8, 8), np.float32)
    for stage in STAGES:
        b[:] = 0
        copied.simulate(stage, a, b)
        assert b.tolist() == a.tolist()
        assert parse_module(copied.ir(stage)) is not None
    assert "fly.crd2idx" not in copied.ir("final")
    with pytest.raises(UsageError, match="unknown stage 'ptx'; the stages are fly, lowered, final"):
        copied.ir("ptx")


TRACES = itertools.count()


@flyc.jit
def streamed(A: fx.Tensor, B: fx.Tensor, stream: fx.Stream = fx.Stream(None)):
    next(TRACES)
    copy_kernel(A, B).launch(grid=1, block=(8, 8), stream=stream)


def test_what_is_alike_is_traced_once() -> None:
    for dtype in (np.float32, np.int16):
        for order in ("C", "C", "F"):
            a = np.arange(64).astype(dtype).reshape(8, 8, order=order)
            b = np.zeros_like(a)
            streamed(a, b)
            streamed(a, b, fx.Stream(object()))
            streamed(A=a, B=b, stream=fx.Stream(None))
            assert b.tolist() == a.tolist()
    assert next(TRACES) == 4
