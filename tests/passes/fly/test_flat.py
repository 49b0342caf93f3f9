"""Flat kernels are T's at stage `final`: simulator, loops of the host and text of CUDA take them, and agree."""

from __future__ import annotations

import fx_examples as examples
import numpy as np
import pytest
from xdsl.dialects import scf

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.errors import CompileError, OutOfBoundsError
from tilewright.ir.fly.ops import is_fly
from tilewright.ir.stages import STAGES
from tilewright.passes.fly_flat.launching import kernel
from tilewright.targets.c_emitter.emit import emit

THREADS = 32


@flyc.kernel
def mixed_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, n: fx.Int32):
    """A buffer read outside, shared memory, shuffles, loops that carry, bits as other numbers, part of a vector."""
    tid = fx.thread_idx.x
    held = fx.SharedAllocator().allocate(fx.Array[fx.Float32, THREADS, 128]).peek().ptr
    atom = fx.make_copy_atom(fx.rocdl.BufferCopy32b(), fx.Float32)
    single = fx.make_layout(1, 1)
    register = fx.make_rmem_tensor(1, fx.Float32)
    buffer = fx.rocdl.make_buffer_tensor(A, num_records_bytes=4 * THREADS)
    fx.copy(atom, fx.slice(fx.logical_divide(buffer, single), (None, tid + 8)), register)
    held[tid] = register.load()[0]
    fx.barrier()
    total = fx.Float32(0.0)
    for i in range(n):
        if i % 2 == 0:
            total = total + held[(tid + i) % THREADS]
    B[tid] = total + fx.shuffle_xor(held[tid], 1, 32)
    halves = fx.Vector.from_elements([total, held[tid]], fx.Float32).bitcast(fx.Int16)
    for i in fx.range_constexpr(4):
        C[4 * tid + i] = halves[i]


@flyc.jit
def mixed(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, n: fx.Int32):
    mixed_kernel(A, B, C, n).launch(grid=1, block=THREADS)


def mixed_by_numpy(a: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    held = np.concatenate([a[8:THREADS], np.zeros(8, np.float32)])
    total = np.zeros(THREADS, np.float32)
    for i in range(0, n, 2):
        total += held[(np.arange(THREADS) + i) % THREADS]
    return total + held[np.arange(THREADS) ^ 1], np.stack([total, held], 1).view(np.int16).reshape(-1)


@pytest.mark.parametrize("n", [0, 3, 5])
def test_simulator_and_loops_agree(n: int) -> None:
    a = np.random.default_rng(n).normal(size=2 * THREADS).astype(np.float32)
    sums, halves = mixed_by_numpy(a, n)
    for target in ("simulator:sm_80", "host"):
        b, c = np.zeros(THREADS, np.float32), np.zeros(4 * THREADS, np.int16)
        with Target(target):
            mixed.simulate("flat", a, b, c, n) if target != "host" else mixed(a, b, c, n)
        assert b.tobytes() == sums.tobytes(), target
        assert c.tobytes() == halves.tobytes(), target


@pytest.mark.parametrize("vector", [1, 4])
def test_examples_are_of_the_stage_final_and_have_text(vector: int) -> None:
    a = np.ones(100, np.float32)
    add = examples.build_add(vector)
    with Target("simulator:sm_80"):
        add.simulate("flat", a, a.copy(), a.copy(), 100)
        (func,) = add._last.at("flat").kernels.values()
    for sizes in ([100] * 6, None):
        made = kernel(func, (64, 1, 1), (2, 1, 1), sizes)
        STAGES["final"].check(made)
        assert ("tw_take<uint4>" in emit(made).source) == (vector == 4)


@flyc.kernel
def carrying_kernel(A: fx.Tensor, n: fx.Int32):
    kept, changed = A[0], A[1]
    for _ in range(n):
        kept, changed = kept, changed + kept
    A[2] = kept + changed


@flyc.jit
def carrying(A: fx.Tensor, n: fx.Int32):
    carrying_kernel(A, n).launch(grid=1, block=1)


def test_what_a_loop_leaves_as_it_is_nobody_carries() -> None:
    a = np.array([2, 3, 0], np.float32)
    carrying.simulate("flat", a, 4)
    assert a.tolist() == [2, 3, 13]
    (func,) = carrying._last.at("flat").kernels.values()
    (loop,) = (op for op in func.walk() if isinstance(op, scf.ForOp))
    assert len(loop.results) == 1


def test_a_host_function_reads_nothing_of_its_arguments_that_nobody_takes() -> None:
    mixed.simulate("flat", *(np.zeros(64, np.float32), np.zeros(32, np.float32), np.zeros(128, np.int16)), 2)
    ops = [op for op in mixed._last.at("flat").host.function.walk() if is_fly(op)]
    assert {op.short for op in ops} == {"get_iter", "get_layout", "get_shape", "get_leaves"}
    assert all(op.results[0].first_use for op in ops)


@flyc.kernel
def counted_kernel(A: fx.Tensor, n: fx.Int32):
    """Numbers that wrap in 32 bits, and numbers that do not; those below 0 are divided rounding down."""
    tid = fx.thread_idx.x
    near = tid * (2**26) + n
    found = [tid * 3 + 1, near, near // 7, near % 7, (tid - 5) // 4, (tid - 5) % 4, n - tid, tid * 2**28 - 1, tid // n]
    found += [fx.Int32(near < n), fx.Int32(tid - 5 < 0), fx.Int32(tid * 2**27 > tid), fx.Int32(fx.Int64(near) > 2**31)]
    found += [fx.Int32(tid * 2**26 > tid), fx.Int32(fx.Uint32(tid - 5) > fx.Uint32(3))]
    for i, value in enumerate(found):
        A[tid * len(found) + i] = value


@flyc.jit
def counted(A: fx.Tensor, n: fx.Int32):
    counted_kernel(A, n).launch(grid=1, block=64)


@pytest.mark.parametrize("n", [1, 5, 2**30, 2**31 - 1])
def test_integers_that_are_indices_wrap_as_before(n: int) -> None:
    def of(stage: str) -> list[int]:
        a = np.zeros(64 * 15, np.int32)
        counted.simulate(stage, a, n)
        return [int(x) for x in a]

    wanted = of("fly")
    assert of("flat") == wanted
    a = np.zeros(64 * 15, np.int32)
    with Target("host"):
        counted(a, n)
    assert a.tolist() == wanted


@flyc.kernel
def beyond_kernel(A: fx.Tensor):
    A[fx.thread_idx.x + 1] = 1.0  # beyond


@flyc.jit
def beyond(A: fx.Tensor):
    beyond_kernel(A).launch(grid=1, block=4)


@flyc.kernel
def either_kernel(A: fx.Tensor, B: fx.Tensor, n: fx.Int32):
    first = fx.get_iter(A)
    if n > 3:  # of two
        first = fx.get_iter(B)
    first[0] = 1.0


@flyc.jit
def either(A: fx.Tensor, B: fx.Tensor, n: fx.Int32):
    either_kernel(A, B, n).launch(grid=1, block=1)


@flyc.kernel
def bytes_kernel(A: fx.Tensor, B: fx.Tensor, kind: fx.Constexpr):
    tid = fx.thread_idx.x
    made = fx.Vector.from_elements([A[tid, i] for i in fx.range_constexpr(8)], fx.Int8).bitcast(kind)
    for i in fx.range_constexpr(64 // kind.width):
        B[tid, i] = made[i]


@flyc.jit
def of_bytes(A: fx.Tensor, B: fx.Tensor, kind: fx.Constexpr):
    bytes_kernel(A, B, kind).launch(grid=1, block=4)


@pytest.mark.parametrize("kind", [fx.Int16, fx.Int32, fx.Int64, fx.Float32], ids=lambda kind: kind.__name__)
def test_bytes_are_the_bits_of_wider_numbers(kind: type) -> None:
    a = np.random.default_rng(0).integers(-60, 60, (4, 8)).astype(np.int8)  # of no exponent of a NaN
    wanted = a.view({fx.Float32: np.float32}.get(kind, f"i{kind.width // 8}"))
    for stage in ("fly", "flat"):
        b = np.zeros_like(wanted)
        of_bytes.simulate(stage, a, b, kind)
        assert b.tobytes() == wanted.tobytes()


@flyc.kernel
def counts_kernel(A: fx.Tensor, B: fx.Tensor):
    tid = fx.thread_idx.x
    for i, function in enumerate((fx.ctlz, fx.cttz, fx.ctpop)):
        B[tid, i] = function(A[tid])


@flyc.jit
def counts(A: fx.Tensor, B: fx.Tensor):
    counts_kernel(A, B).launch(grid=1, block=8)


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_bits_are_counted_in_words(bits: int) -> None:
    numbers = [0, 1, 2, -1, 6, 127, -128, 40]
    words = [f"{number % (1 << bits):0{bits}b}" for number in numbers]
    wanted = [[len(w) - len(w.lstrip("0")), len(w) - len(w.rstrip("0")), w.count("1")] for w in words]
    a, b = np.array(numbers, f"i{bits // 8}"), np.zeros((8, 3), f"i{bits // 8}")
    for stage in ("fly", "flat"):
        counts.simulate(stage, a, b)
        assert b.tolist() == wanted


def test_faults_and_refusals_are_at_the_users_line() -> None:
    with pytest.raises(OutOfBoundsError, match=r"test_flat\.py") as found:
        beyond.simulate("flat", np.zeros(4, np.float32))
    assert "# beyond" in str(found.value)
    with pytest.raises(CompileError, match="may point into one of 2 memories") as refused:
        either.simulate("flat", *np.ones((2, 1), np.float32), 1)
    assert "# of two" in str(refused.value)
