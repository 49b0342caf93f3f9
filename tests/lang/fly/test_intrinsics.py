"""AMD's instructions by their own names: what lanes take by patterns, packed numbers, products, raw buffers."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.errors import KernelError
from tilewright.expr import rocdl

LANES = 64
MASKS = ((0xF, 0xF, False), (0xF, 0xF, True), (0x5, 0xF, False), (0xF, 0x6, True))
PATTERNS = (0x00, 0x1B, 0x4E, 0xB1, 0x101, 0x10F, 0x111, 0x118, 0x121, 0x128, 0x140, 0x141, 0x150, 0x157, 0x161, 0x16F)
OF_WAVES = (0x130, 0x134, 0x138, 0x13C, 0x142, 0x143)


@flyc.kernel
def dpp_kernel(A: fx.Tensor, B: fx.Tensor, patterns: fx.Constexpr, masks: fx.Constexpr):
    tid = fx.thread_idx.x
    for i in fx.range_constexpr(len(patterns)):
        B[i, tid] = rocdl.update_dpp(fx.T.i32, A[tid] + 1000, A[tid], patterns[i], *masks)


@flyc.jit
def dpp(A: fx.Tensor, B: fx.Tensor, patterns: fx.Constexpr, masks: fx.Constexpr):
    dpp_kernel(A, B, patterns, masks).launch(grid=1, block=A.shape)


def source(ctrl: int, lane: int, lanes: int) -> int | None:
    """The lane that a pattern names, by the tables of the instruction sets."""
    row, at, count = lane // 16 * 16, lane % 16, ctrl & 15
    if ctrl <= 0xFF:
        return lane // 4 * 4 + (ctrl >> 2 * (lane % 4) & 3)
    found = {
        0x10: lane + count if at + count < 16 else None,
        0x11: lane - count if at >= count else None,
        0x12: row + (at - count) % 16,
        0x14: row + (15 - at if count == 0 else at // 8 * 8 + 7 - at % 8),
        0x15: row + count,
        0x16: row + (at ^ count),
    }
    of_waves = {
        0x130: lane + 1 if lane < 63 else None,
        0x134: (lane + 1) % 64,
        0x138: lane - 1 if lane else None,
        0x13C: (lane - 1) % 64,
        0x142: row - 1 if row else None,
        0x143: 31 if lane > 31 else None,
    }
    return of_waves[ctrl] if ctrl in of_waves else found[ctrl >> 4]


@pytest.mark.parametrize("masks", MASKS)
@pytest.mark.parametrize("arch", ["gfx942", "gfx1201"])
def test_lanes_take_by_patterns(arch: str, masks: tuple[int, int, bool]) -> None:
    lanes = {"gfx942": 64, "gfx1201": 32}[arch]
    patterns = PATTERNS + (OF_WAVES if lanes == 64 else ())
    a = np.random.default_rng(0).integers(0, 1000, lanes).astype(np.int32)
    b = np.zeros((len(patterns), lanes), np.int32)
    with Target(f"simulator:{arch}"):
        dpp(a, b, patterns, masks)
    rows, banks, bound = masks
    for ctrl, row in zip(patterns, b.tolist(), strict=True):
        for lane, found in enumerate(row):
            taken, old = source(ctrl, lane, lanes), int(a[lane]) + 1000
            wanted = int(a[taken]) if taken is not None else 0 if bound else old
            enabled = rows >> lane // 16 & 1 and banks >> lane % 16 // 4 & 1
            assert found == (wanted if enabled else old), f"{ctrl:#x}, lane {lane}"


def test_patterns_that_are_none() -> None:
    a = np.zeros(LANES, np.int32)
    with pytest.raises(KernelError, match="dpp_ctrl 0x180 is no pattern of waves of 64 lanes"):
        dpp(a, a.reshape(1, -1).copy(), (0x180,), (15, 15, False))


@flyc.kernel
def swap_kernel(A: fx.Tensor, B: fx.Tensor, R: fx.Tensor):
    tid = fx.thread_idx.x
    R[0, tid], R[1, tid] = rocdl.permlane32_swap(fx.T.i32, A[tid], B[tid], False, False)
    R[2, tid], R[3, tid] = rocdl.permlane16_swap(fx.T.i32, A[tid], B[tid], False, False)


@flyc.jit
def swap(A: fx.Tensor, B: fx.Tensor, R: fx.Tensor):
    swap_kernel(A, B, R).launch(grid=1, block=LANES)


def test_swaps_of_halves_and_rows() -> None:
    a, b = np.arange(LANES, dtype=np.int32), np.arange(LANES, dtype=np.int32) + 100
    r = np.zeros((4, LANES), np.int32)
    swap(a, b, r)
    for at, group in ((0, 32), (2, 16)):
        one, two = a.reshape(-1, 2, group), b.reshape(-1, 2, group)
        first, second = np.stack([one[:, 0], two[:, 0]], 1), np.stack([one[:, 1], two[:, 1]], 1)
        assert (r[at] == first.reshape(-1)).all()
        assert (r[at + 1] == second.reshape(-1)).all()


@flyc.kernel
def packed_kernel(X: fx.Tensor, W: fx.Tensor, R: fx.Tensor, F: fx.Tensor):
    tid = fx.thread_idx.x
    x, y, w = X[0, tid], X[1, tid], W[tid]
    R[0, tid] = rocdl.perm_b32(w, w ^ 0x0F0F0F0F, fx.Int32(0x0D0C0904) + tid % 4)
    word = rocdl.cvt_pk_fp8_f32(fx.T.i32, x, y, w, False)
    R[1, tid] = word
    R[2, tid] = rocdl.cvt_pk_fp8_f32(fx.T.i32, y, x, word, True)
    R[3, tid] = rocdl.cvt_pk_bf16_f32(x, y)
    R[4, tid] = rocdl.cvt_scalef32_pk_fp4_f32(fx.T.i32, w, x, y, 2.0, 1)
    both = rocdl.cvt_pk_f32_fp8(fx.T.vec(2, fx.T.f32), word, False)
    four = rocdl.cvt_scalef32_pk_f32_fp4(fx.T.vec(2, fx.T.f32), w, 0.5, 3)
    F[0, tid], F[1, tid], F[2, tid], F[3, tid] = both[0], both[1], four[0], four[1]
    F[4, tid] = rocdl.cvt_off_f32_i4(w, 2)
    F[5, tid] = rocdl.cdna4.cvt_sr_f32_to_bf16(x, w).to(fx.Float32)


@flyc.jit
def packed(X: fx.Tensor, W: fx.Tensor, R: fx.Tensor, F: fx.Tensor):
    packed_kernel(X, W, R, F).launch(grid=1, block=16)


def permuted(high: int, low: int, chosen: int) -> int:
    eight, found = (high << 32 | low).to_bytes(8, "little"), 0
    for i in range(4):
        at = chosen >> 8 * i & 255
        sign = 255 * (eight[2 * (at & 3) + 1] >> 7)
        found |= (eight[at] if at < 8 else sign if at < 12 else 0 if at == 12 else 255) << 8 * i
    return found


@pytest.mark.parametrize(("arch", "fp8"), [("gfx942", "float8_e4m3fnuz"), ("gfx950", "float8_e4m3fn")])
def test_packed_numbers(arch: str, fp8: str) -> None:
    rng = np.random.default_rng(2)
    x, w = rng.normal(size=(2, 16)).astype(np.float32) * 4, rng.integers(-(2**31), 2**31, 16).astype(np.int32)
    r, f = np.zeros((5, 16), np.int32), np.zeros((6, 16), np.float32)
    with Target(f"simulator:{arch}"):
        packed(x, w, r, f)
    bits, words = r.view(np.uint32), w.view(np.uint32)
    narrow = x.astype(getattr(ml_dtypes, fp8))
    eight, nibbles = (
        narrow.view(np.uint8).astype(np.uint32),
        words[:, None] >> np.arange(0, 32, 4, dtype=np.uint32) & 15,
    )
    fours = (x / 2).astype(ml_dtypes.float4_e2m1fn).view(np.uint8).astype(np.uint32)
    chosen = [0x0D0C0904 + i % 4 for i in range(16)]
    assert bits[0].tolist() == [permuted(int(w), int(w) ^ 0x0F0F0F0F, c) for w, c in zip(words, chosen, strict=True)]
    assert (bits[1] == (words & 0xFFFF0000 | eight[0] | eight[1] << 8)).all()
    assert (bits[2] == (bits[1] & 0xFFFF | eight[1] << 16 | eight[0] << 24)).all()
    halves = x.astype(ml_dtypes.bfloat16).view(np.uint16).astype(np.uint32)
    assert (bits[3] == (halves[0] | halves[1] << 16)).all()
    assert (bits[4] == (words & 0xFFFF00FF | fours[0] << 8 | fours[1] << 12)).all()
    assert (f[:2] == narrow.astype(np.float32)).all()
    assert (nibbles[:, 6:].astype(np.uint8).view(ml_dtypes.float4_e2m1fn).astype(np.float32) / 2 == f[2:4].T).all()
    assert (f[4] == ((nibbles[:, 4].astype(np.int32) ^ 8) - 8) / 16).all()
    assert (f[5] == ((x[0].view(np.uint32) + (words & 0xFFFF)) >> 16 << 16).astype(np.uint32).view(np.float32)).all()


def of_lane(m: int, k: int, lane: int) -> tuple[int, range]:
    """The row of A, and the places along k, that a lane of a wave of 64 holds."""
    per = m * k // LANES
    return lane % m, range(lane // m * per, lane // m * per + per)


PRODUCTS = [
    ("mfma_f32_16x16x16f16", 16, 16, "float16", "gfx942"),
    ("mfma_f32_16x16x16bf16_1k", 16, 16, "bfloat16", "gfx942"),
    ("mfma_f32_16x16x32_fp8_fp8", 16, 32, "float8_e4m3fnuz", "gfx942"),
    ("mfma_f32_32x32x8f16", 32, 8, "float16", "gfx942"),
    ("mfma_i32_16x16x32_i8", 16, 32, "int8", "gfx942"),
    ("mfma_f32_16x16x32_bf16", 16, 32, "bfloat16", "gfx950"),
    ("mfma_f32_16x16x4f32", 16, 4, "float32", "gfx942"),
]


@flyc.kernel
def product_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, name: fx.Constexpr, m: fx.Constexpr, words: fx.Constexpr):
    tid = fx.thread_idx.x
    a, b = (fx.Vector.from_elements([x[tid, i] for i in range(words)]) for x in (A, B))
    c = fx.Vector.filled(m * m // LANES, 0, C.dtype)
    d = getattr(rocdl, name)(fx.T.vec(m * m // LANES, C.dtype.ir_type), [a, b, c, 0, 0, 0])
    for i in fx.range_constexpr(m * m // LANES):
        C[tid % m, tid // m * 4 + i // 4 * (LANES // m * 4) + i % 4] = d[i]


@flyc.jit
def product(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, name: fx.Constexpr, m: fx.Constexpr, words: fx.Constexpr):
    product_kernel(A, B, C, name, m, words).launch(grid=1, block=LANES)


@pytest.mark.parametrize(("name", "m", "k", "dtype", "arch"), PRODUCTS)
def test_products_of_vectors(name: str, m: int, k: int, dtype: str, arch: str) -> None:
    """Operands of 8 bits come as words, which is how the instructions take them."""
    rng, kind = np.random.default_rng(m * k), np.dtype(getattr(ml_dtypes, dtype, dtype))
    a, b = (rng.integers(-3, 4, (m, k)).astype(kind) for _ in range(2))
    held = [np.stack([x[row, places] for row, places in (of_lane(m, k, i) for i in range(LANES))]) for x in (a, b)]
    if kind.itemsize == 1:
        held = [x.view(np.int32) for x in held]
    total = np.int32 if dtype == "int8" else np.float32
    c = np.zeros((m, m), total)
    with Target(f"simulator:{arch}"):
        product(held[0], held[1], c, name, m, held[0].shape[1])
    assert (a.astype(total) @ b.astype(total).T == c.T).all()


@flyc.kernel
def raw_kernel(A: fx.Tensor, B: fx.Tensor, S: fx.Tensor):
    tid = fx.thread_idx.x
    buffer = rocdl.make_buffer_ptr(fx.get_iter(A), LANES * 4)
    B[0, tid] = rocdl.raw_ptr_buffer_load(fx.T.f32, buffer, tid * 4 + 128, 0)
    B[1, tid] = rocdl.s_buffer_load(buffer, 4, count=4).bitcast(fx.Float32)[1]
    rocdl.raw_ptr_buffer_atomic_fadd(fx.Float32(1.0), rocdl.make_buffer_ptr(fx.get_iter(S)), tid % 4 * 4, 0)
    shared = fx.SharedAllocator().allocate(fx.Array[fx.Float32, LANES, 16]).peek()
    rocdl.raw_ptr_buffer_load_lds(buffer, shared.ptr, 4, tid * 4, 0, 0)
    rocdl.s_waitcnt(vmcnt=0)
    fx.barrier()
    B[2, tid] = shared[LANES - 1 - tid]


@flyc.jit
def raw(A: fx.Tensor, B: fx.Tensor, S: fx.Tensor):
    raw_kernel(A, B, S).launch(grid=1, block=LANES)


def test_buffers_by_offsets() -> None:
    a, b, s = np.arange(128, dtype=np.float32), np.zeros((3, LANES), np.float32), np.zeros(4, np.float32)
    raw(a, b, s)
    assert b[0].tolist() == [*range(32, 64), *[0] * 32]
    assert set(b[1].tolist()) == {5}
    assert b[2].tolist() == list(range(63, -1, -1))
    assert s.tolist() == [16] * 4


@flyc.kernel
def lost_kernel(A: fx.Tensor):
    kind = fx.PointerType.get(fx.Float32, fx.AddressSpace.Global, 4)
    near = fx.inttoptr(kind, fx.Int64(fx.ptrtoint(fx.get_iter(A))) + fx.thread_idx.x * 4 - 0)
    near[0] = 1.0
    fx.inttoptr(kind, fx.Int64(4096) + fx.thread_idx.x)


@flyc.jit
def lost(A: fx.Tensor):
    lost_kernel(A).launch(grid=1, block=LANES)


def test_addresses_that_point_nowhere() -> None:
    with pytest.raises(KernelError, match=r"inttoptr takes fx\.ptrtoint\(p\), plus or minus bytes") as refused:
        lost(np.zeros(LANES, np.float32))
    assert "fx.inttoptr(kind, fx.Int64(4096)" in str(refused.value)
