"""Kernels of elements as users of FlyDSL write them: SiLU, rotary embedding, transposes, quantising, top k, GEMMs."""

import math
from types import SimpleNamespace

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.expr import arith, const_expr, gpu, ptrtoint, range_constexpr
from tilewright.expr import math as fmath
from tilewright.expr.arith import ArithValue
from tilewright.expr.typing import Int32, T
from tilewright.expr.typing import Vector as Vec
from tilewright.runtime.device import get_rocm_arch, get_warp_size

TYPES = {"float32": fx.Float32, "float16": fx.Float16, "bfloat16": fx.BFloat16}
BLOCK = 256

# ---- buffers over raw pointers

ATOMS = {
    16: fx.rocdl.BufferCopy128b,
    8: fx.rocdl.BufferCopy64b,
    4: fx.rocdl.BufferCopy32b,
    2: fx.rocdl.BufferCopy16b,
    1: fx.rocdl.BufferCopy8b,
}


def pointer_buffer(ptr, elem, unit=1, records=None, stride=None):
    stride = unit if stride is None else stride
    n = 0x3FFFFFFF
    layout = fx.make_layout((n,), (1,)) if unit == 1 else fx.make_layout((n, unit), (stride, 1))
    kind = fx.PointerType.get(elem.ir_type, address_space=fx.AddressSpace.Global, alignment=stride * (elem.width // 8))
    view = fx.make_view(fx.inttoptr(kind, fx.Int64(ptrtoint(ptr))), layout)
    return fx.rocdl.make_buffer_tensor(view, num_records_bytes=records)


def part(buffer, index, unit):
    if unit == 1:
        return fx.slice(fx.logical_divide(buffer, fx.make_layout(1, 1)), (None, index))
    return fx.slice(buffer, (index, None))


def buffer_load(buffer, index, elem, unit=1, cache=0):
    fragment = fx.make_rmem_tensor(unit, elem)
    fx.copy(fx.make_copy_atom(ATOMS[unit * (elem.width // 8)](cache), elem), part(buffer, index, unit), fragment)
    value = Vec(fragment.load())
    return value[0] if unit == 1 else value


def buffer_store(buffer, index, value, elem, unit=1, cache=0):
    fragment = fx.make_rmem_tensor(unit, elem)
    fragment.store(Vec.from_elements([value], elem) if unit == 1 else Vec(value))
    fx.copy(fx.make_copy_atom(ATOMS[unit * (elem.width // 8)](cache), elem), fragment, part(buffer, index, unit))


def build_silu_mul(dtype, chunked=False):
    Elem, is_f32 = TYPES[dtype], dtype == "float32"
    vec = 4 if is_f32 else 8
    size = Elem.width // 8

    @flyc.kernel(known_block_size=[BLOCK, 1, 1])
    def silu_mul_kernel(Gate: fx.Pointer, Up: fx.Pointer, Out: fx.Pointer, n: fx.Int32, half: fx.Int32) -> None:
        bid, tid = gpu.block_id("x"), gpu.thread_id("x")
        unit = fx.Int32(bid) * fx.Int32(BLOCK) + fx.Int32(tid)
        bytes_ = fx.Int64(n) * fx.Int64(size)
        o_buf = pointer_buffer(Out, Elem, vec, bytes_)
        if const_expr(chunked):
            first = unit * vec
            row = first // half
            at = row * (half + half) + (first - row * half)
            both = pointer_buffer(Gate, Elem, vec, bytes_ * fx.Int64(2), 1)
            gv = buffer_load(both, at, Elem, vec)
            uv = buffer_load(both, at + half, Elem, vec)
        else:
            gv = buffer_load(pointer_buffer(Gate, Elem, vec, bytes_), unit, Elem, vec)
            uv = buffer_load(pointer_buffer(Up, Elem, vec, bytes_), unit, Elem, vec)
        if not is_f32:
            gv = gv.extf(T.vec(vec, T.f32))
            uv = uv.extf(T.vec(vec, T.f32))
        one, outs = fx.Float32(1.0), []
        for i in range_constexpr(vec):
            g, u = fx.Float32(gv[i]), fx.Float32(uv[i])
            y = g * (one / (one + fmath.exp2(g * fx.Float32(-1.4426950408889634)))) * u
            outs.append(y if is_f32 else y.to(Elem))
        buffer_store(o_buf, unit, fx.Vector.from_elements(outs, Elem), Elem, vec)

    silu_mul_kernel.__name__ = f"silu_mul_{dtype}"

    @flyc.jit
    def launch(Gate: fx.Pointer, Up: fx.Pointer, Out: fx.Pointer, n: fx.Int32, half: fx.Int32, stream: fx.Stream):
        tile = BLOCK * vec
        grid = (fx.Int64(n) + fx.Int64(tile - 1)) // fx.Int64(tile)
        silu_mul_kernel(Gate, Up, Out, n, half).launch(grid=(grid, 1, 1), block=(BLOCK, 1, 1), stream=stream)

    launch.__name__ = f"launch_silu_mul_{dtype}"
    return launch


def build_rope(dtype, block=64):
    Elem = TYPES[dtype]
    size = Elem.width // 8

    @flyc.kernel(known_block_size=[block, 1, 1])
    def rope_kernel(
        X: fx.Pointer, Freqs: fx.Pointer, Out: fx.Pointer, total: fx.Int32, pairs: fx.Int32, heads: fx.Int32
    ):
        p = fx.Int32(gpu.block_id("x")) * fx.Int32(block) + fx.Int32(gpu.thread_id("x"))
        x_buf = pointer_buffer(X, Elem, 2, fx.Int64(total) * fx.Int64(2 * size))
        o_buf = pointer_buffer(Out, Elem, 2, fx.Int64(total) * fx.Int64(2 * size))
        f_buf = pointer_buffer(Freqs, fx.Float32, 4)
        if p < total:
            pair = p % pairs
            token = p // pairs // heads
            xv = buffer_load(x_buf, p, Elem, 2)
            fv = buffer_load(f_buf, token * pairs + pair, fx.Float32, 4)
            x0, x1 = fx.Float32(xv[0]), fx.Float32(xv[1])
            y0 = fx.Float32(fv[0]) * x0 + fx.Float32(fv[1]) * x1
            y1 = fx.Float32(fv[2]) * x0 + fx.Float32(fv[3]) * x1
            buffer_store(o_buf, p, fx.Vector.from_elements([y0.to(Elem), y1.to(Elem)], Elem), Elem, 2)

    @flyc.jit
    def launch(
        X: fx.Pointer, Freqs: fx.Pointer, Out: fx.Pointer, total: fx.Int32, pairs: fx.Int32, heads: fx.Int32,
        stream: fx.Stream = fx.Stream(None),
    ):  # fmt: skip
        rope_kernel(X, Freqs, Out, total, pairs, heads).launch(
            grid=((total + block - 1) // block, 1, 1), block=(block, 1, 1), stream=stream
        )

    return launch


# ---- transposes through shared memory, padded

TILE, PAD = 32, 1


@flyc.kernel(known_block_size=(TILE, 8, 1))
def transpose_kernel(A: fx.Tensor, B: fx.Tensor):
    m, n = A.shape.unpack()
    tx, ty, _ = fx.thread_idx
    bx, by, _ = fx.block_idx

    @fx.struct
    class Shared:
        tile: fx.Array[fx.Float32, TILE * (TILE + PAD)]

    tile = fx.SharedAllocator().allocate(Shared).peek().tile.view(fx.make_layout((TILE, TILE), (TILE + PAD, 1)))
    for i in range_constexpr(0, TILE, 8):
        row, column = by * TILE + ty + i, bx * TILE + tx
        if (row < m) & (column < n):
            tile[ty + i, tx] = A[row, column]
    gpu.barrier()
    for i in range(0, TILE, 8):
        row, column = bx * TILE + ty + i, by * TILE + tx
        if row < n and column < m:
            B[row, column] = tile[tx, ty + i]


@flyc.jit
def transpose(A: fx.Tensor, B: fx.Tensor):
    m, n = A.shape.unpack()
    transpose_kernel(A, B).launch(grid=(fx.ceildiv(n, TILE), fx.ceildiv(m, TILE)), block=(TILE, 8))


# ---- quantise per row


def build_quantise(K, dtype, threads=128, to=fx.Int8):
    WARP = get_warp_size()
    Elem = TYPES[dtype]
    bits = Elem.width
    vec = 128 // bits
    slots = (threads + WARP - 1) // WARP
    most = 127.0 if to is fx.Int8 else 448.0
    whole = K % vec == 0
    vectors = K // vec
    RedTy = fx.Array[fx.Float32, slots, 16]

    @fx.struct
    class SharedStorage:
        reduction_buffer: RedTy

    @flyc.kernel(known_block_size=[threads, 1, 1])
    def rowwise_kernel(Input: fx.Tensor, OutQ: fx.Tensor, OutScale: fx.Tensor) -> None:
        bid, tid = fx.block_idx.x, fx.thread_idx.x
        zero = fx.Float32(0.0)
        red = fx.SharedAllocator().allocate(SharedStorage).peek().reduction_buffer.view(fx.make_layout(slots, 1))

        def wave_max(w: object) -> fx.Float32:
            for step in range_constexpr(int(math.log2(WARP))):
                w = fx.max(w, gpu.shuffle_xor(w, WARP // (2 << step), WARP))
            return w

        def block_max(val: object) -> fx.Float32:
            lane, wave = tid % WARP, tid // WARP
            w = wave_max(val)
            if lane == 0:
                fx.memref_store(w, red, wave)
            gpu.barrier()
            if wave == 0:
                inside = lane < slots
                ww = wave_max(inside.select(red[inside.select(lane, 0)], zero))
                if lane == 0:
                    fx.memref_store(ww, red, 0)
            gpu.barrier()
            return fx.Float32(red[0])

        In_buf, Q_buf, Sc_buf = (fx.rocdl.make_buffer_tensor(x) for x in (Input, OutQ, OutScale))
        row_in, row_q = In_buf[bid, None], Q_buf[bid, None]
        top, held = zero, []
        width = vec if whole else 1
        count = vectors if whole else K
        copy_in = fx.make_copy_atom(ATOMS[width * bits // 8](), bits)
        copy_out = fx.make_copy_atom(ATOMS[width](), 8)
        in_div = fx.logical_divide(row_in, fx.make_layout(width, 1))
        q_div = fx.logical_divide(row_q, fx.make_layout(width, 1))
        for step in range_constexpr((count + threads - 1) // threads):
            at = tid + step * threads
            valid = at < count
            r = fx.make_rmem_tensor(width, Elem)
            fx.copy(copy_in, in_div[None, valid.select(at, 0)], r)
            x = r.load().to(fx.Float32)
            held.append(x)
            for e in range_constexpr(width):
                top = fx.max(top, valid.select(fmath.absf(x[e]), zero))
        top = block_max(top)
        scale = fx.max(top * fx.Float32(1.0 / most), fx.Float32(1e-30))
        inv = fx.Float32(fx.rocdl.rcp(T.f32, scale))
        if tid == 0:
            r = fx.make_rmem_tensor(1, fx.Float32)
            r.store(fx.Vector.from_elements([scale], fx.Float32))
            fx.copy(
                fx.make_copy_atom(fx.rocdl.BufferCopy32b(), 32),
                r,
                fx.logical_divide(Sc_buf, fx.make_layout(1, 1))[None, bid],
            )
        for step in range_constexpr((count + threads - 1) // threads):
            at = tid + step * threads
            if at < count:
                qs = []
                for e in range_constexpr(width):
                    q = held[step][e] * inv
                    if const_expr(to is fx.Int8):
                        q = fmath.roundeven(q)
                    q = fx.max(fx.min(q, fx.Float32(most)), fx.Float32(-most))
                    qs.append(q.to(to))
                r = fx.make_rmem_tensor(width, to)
                r.store(fx.Vector.from_elements(qs, to))
                fx.copy(copy_out, r, q_div[None, at])

    @flyc.jit
    def launch(
        Input: fx.Tensor, OutQ: fx.Tensor, OutScale: fx.Tensor, rows: fx.Int32, stream: fx.Stream = fx.Stream(None)
    ) -> None:
        rowwise_kernel(Input, OutQ, OutScale).launch(grid=(rows, 1, 1), block=(threads, 1, 1), stream=stream)

    return launch


# ---- rmsnorm with the sum of two inputs


def build_rmsnorm(N, dtype, fused=False, eps=1e-6):
    WARP, Elem = get_warp_size(), TYPES[dtype]
    slots = max(1, BLOCK // WARP)

    @flyc.kernel
    def rmsnorm_kernel(X: fx.Tensor, Residual: fx.Tensor, G: fx.Tensor, Y: fx.Tensor):
        row, tid = fx.block_idx.x, fx.thread_idx.x
        red = fx.SharedAllocator(static=False).allocate(fx.Array[fx.Float32, slots, 16]).peek()
        held = [fx.Float32(0.0)] * ((N + BLOCK - 1) // BLOCK)
        total = fx.Float32(0.0)
        for i in range_constexpr(len(held)):
            at = tid + i * BLOCK
            if at < N:
                x = X[row, at].to(fx.Float32)
                if const_expr(fused):
                    x = x + Residual[row, at].to(fx.Float32)
                    Residual[row, at] = x.to(Elem)
                held[i] = x
                total += x * x
        total = fx.coop.warp_reduce(total, fx.ReductionOp.ADD)
        if tid % WARP == 0:
            red[tid // WARP] = total
        gpu.barrier()
        total = sum([red[i] for i in range(1, slots)], red[0])
        scale = fmath.rsqrt(total / float(N) + eps)
        for i in range_constexpr(len(held)):
            at = tid + i * BLOCK
            if at < N:
                Y[row, at] = (held[i] * scale * G[at].to(fx.Float32)).to(Elem)

    @flyc.jit
    def launch(X: fx.Tensor, Residual: fx.Tensor, G: fx.Tensor, Y: fx.Tensor):
        rmsnorm_kernel(X, Residual, G, Y).launch(grid=X.shape[0], block=BLOCK)

    return launch


# ---- reductions


@fx.struct
class Welford:
    count: fx.Float32
    mean: fx.Float32
    squares: fx.Float32

    def joined(self, other):
        """Of two sets of numbers."""
        count = self.count + other.count
        if count == 0.0:
            return self
        shift = other.mean - self.mean
        weight = other.count / count
        squares = self.squares + other.squares + shift * shift * self.count * weight
        return Welford(count, self.mean + shift * weight, squares)


@flyc.kernel
def moments_kernel(A: fx.Tensor, R: fx.Tensor, n: fx.Int32):
    tid = fx.thread_idx.x
    own = Welford(0.0, 0.0, 0.0)
    i = tid
    while i < n:
        own = own.joined(Welford(1.0, A[fx.block_idx.x, i], 0.0))
        i += fx.block_dim.x
    step = 1
    while step < fx.num_warp_threads():
        words = (own.count, own.mean, own.squares)
        own = own.joined(Welford(*[fx.shuffle_xor(x, step, fx.num_warp_threads()) for x in words]))
        step *= 2
    if tid == 0:
        R[fx.block_idx.x, 0], R[fx.block_idx.x, 1] = own.mean, own.squares / n.to(fx.Float32)


@flyc.jit
def moments(A: fx.Tensor, R: fx.Tensor, n: fx.Int32):
    moments_kernel(A, R, n).launch(grid=A.shape[0], block=get_warp_size())


# ---- the k largest of each row after a softmax


def gating_layout(experts, WARP):
    for width in [16, 8, 4, 2, 1]:
        lanes = experts // width
        if experts % width == 0 and lanes <= WARP and lanes & (lanes - 1) == 0:
            return width, lanes
    raise ValueError(f"{experts} experts have no layout")


@flyc.jit
def topk_body(
    Logits, Weights, Indices, tokens, *, experts: int, topk: int, renormalize: bool, WARP: int, on_winner=None
):
    bid, tid = fx.block_idx.x, fx.thread_idx.x
    width, lanes = gating_layout(experts, WARP)
    fm_fast = arith.FastMathFlags.fast
    neg_inf, one = fx.Float32(float("-inf")), fx.Float32(1.0)
    per_block = 4 * (WARP // lanes)
    lane, expert_lane = tid % WARP, tid % lanes
    local = tid // WARP * (WARP // lanes) + lane // lanes
    token = bid * per_block + local
    in_range = token < tokens
    safe = in_range.select(token, fx.Int32(0))

    def group_reduce(x, mode):
        w = x
        for step in range_constexpr(int(math.log2(lanes))):
            peer = w.shuffle_xor(fx.Int32(lanes // (2 << step)), fx.Int32(lanes))
            if mode == "max":
                w = fx.max(w, peer)
            else:
                w = w.addf(peer, fastmath=fm_fast)
        return w

    def group_argmax(wv, wi):
        for step in range_constexpr(int(math.log2(lanes))):
            off = fx.Int32(lanes // (2 << step))
            pv, pi = wv.shuffle_xor(off, fx.Int32(lanes)), wi.shuffle_xor(off, fx.Int32(lanes))
            take = (pv > wv) | ((ArithValue(pv) == ArithValue(wv)) & (pi < wi))
            wv, wi = take.select(pv, wv), take.select(pi, wi)
        return wv, wi

    register = int(fx.AddressSpace.Register)
    per_atom = min(width, 4)
    row = fx.slice(fx.rocdl.make_buffer_tensor(Logits), (safe, None))
    divided = fx.logical_divide(row, fx.make_layout(per_atom, 1))
    atom = fx.make_copy_atom(fx.rocdl.BufferCopy(32 * per_atom), 32)
    kind = fx.MemRefType.get(T.f32, fx.LayoutType.get(per_atom, 1), register)
    xs, top = [], neg_inf
    for a in range_constexpr(width // per_atom):
        r = fx.memref_alloca(kind, fx.make_layout(per_atom, 1))
        fx.copy(atom, fx.slice(divided, (None, expert_lane * (width // per_atom) + a)), r)
        for x in fx.memref_load_vec(r):
            xs.append(x)
            top = fx.max(top, x)
    top = group_reduce(top, "max")
    powers = [((x - top) * fx.Float32(1.4426950408889634)).exp2(fastmath=fm_fast) for x in xs]
    inv = one / group_reduce(sum(powers, fx.Float32(0.0)), "sum")
    probs = [p * inv for p in powers]
    columns = [expert_lane * width + v for v in range(width)]
    chosen, total = [], fx.Float32(0.0)
    for _ in range_constexpr(topk):
        best, where = neg_inf, fx.Int32(-1)
        for p, c in zip(probs, columns, strict=True):
            better = p > best
            best, where = better.select(p, best), better.select(c, where)
        best, where = group_argmax(best, where)
        chosen.append(SimpleNamespace(weight=best, index=where))
        total = total + best
        for v in range_constexpr(width):
            is_winner = ArithValue(columns[v]) == ArithValue(where)
            probs[v] = is_winner.select(neg_inf, probs[v])
    inv_total = one / fx.max(total, fx.Float32(1e-20))
    if (expert_lane == fx.Int32(0)) & (token < tokens):
        for k in range_constexpr(topk):
            weight = chosen[k].weight
            if renormalize:
                weight = weight * inv_total
            if on_winner is not None:
                on_winner(token, k, chosen[k].index)
            Weights[token, Int32(k)] = weight
            Indices[token, Int32(k)] = chosen[k].index


def build_topk(experts, topk, renormalize=True):
    WARP = get_warp_size()

    @flyc.kernel
    def topk_kernel(Logits: fx.Tensor, Weights: fx.Tensor, Indices: fx.Tensor, Counts: fx.Tensor, tokens: fx.Int32):
        def count(token, k, index):
            fx.atomic_add(fx.get_iter(Counts) + index, fx.Int32(1))

        topk_body(
            Logits, Weights, Indices, tokens,
            experts=experts, topk=topk, renormalize=renormalize, WARP=WARP, on_winner=count,
        )  # fmt: skip

    @flyc.jit
    def launch(Logits: fx.Tensor, Weights: fx.Tensor, Indices: fx.Tensor, Counts: fx.Tensor, tokens: fx.Int32):
        per_block = 4 * (WARP // gating_layout(experts, WARP)[1])
        blocks = (tokens + per_block - 1) // per_block
        topk_kernel(Logits, Weights, Indices, Counts, tokens).launch(grid=blocks, block=4 * WARP)

    return launch


# ---- small GEMMs, by the matrix instructions of the target's waves


def matrix_atom(dtype):
    arch = get_rocm_arch()
    if arch.startswith("gfx9"):
        return fx.make_mma_atom(fx.rocdl.MFMA(16, 16, 16, dtype))
    if arch.startswith("gfx1"):
        return fx.make_mma_atom(fx.rocdl.WMMA(16, 16, 16, dtype, fx.Float32))
    return fx.make_mma_atom(fx.UniversalFMA(fx.Float32))


def build_gemm(dtype, waves=(2, 2)):
    @flyc.kernel
    def gemm_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, tiled: fx.TiledMma):
        tid, (bx, by, _) = fx.thread_idx.x, fx.block_idx
        bm, bn, bk = (16 * waves[0], 16 * waves[1], 16)
        gA = fx.flat_divide(fx.rocdl.make_buffer_tensor(A), (bm, bk))[None, None, bx, None]
        gB = fx.flat_divide(fx.rocdl.make_buffer_tensor(B), (bn, bk))[None, None, by, None]
        gC = fx.flat_divide(fx.rocdl.make_buffer_tensor(C), (bm, bn))[None, None, bx, by]
        mine = tiled.thr_slice(tid)
        atoms = [fx.make_copy_atom(fx.rocdl.BufferCopy(x.element_type.width), x.element_type) for x in (A, B, C)]
        makers = (fx.make_tiled_copy_A, fx.make_tiled_copy_B, fx.make_tiled_copy_C)
        copy_A, copy_B, copy_C = (make(atom, tiled).get_slice(tid) for make, atom in zip(makers, atoms, strict=True))
        fA, fB = mine.make_fragment_A(gA[None, None, 0]), mine.make_fragment_B(gB[None, None, 0])
        fC = mine.make_fragment_C(gC)
        fC.fill(0)
        for k in range(A.shape[1] // bk):
            fx.copy(atoms[0], copy_A.partition_S(gA[None, None, k]), copy_A.retile(fA))
            fx.copy(atoms[1], copy_B.partition_S(gB[None, None, k]), copy_B.retile(fB))
            fx.gemm(tiled, fC, fA, fB, fC)
        fx.copy(atoms[2], copy_C.retile(fC), copy_C.partition_S(gC))

    @flyc.jit
    def run(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor):
        tiled = fx.make_tiled_mma(matrix_atom(dtype), fx.make_layout((*waves, 1), (1, waves[0], 0)))
        (m, _), (n, _) = A.shape, B.shape
        gemm_kernel(A, B, C, tiled).launch(
            grid=(m // (16 * waves[0]), n // (16 * waves[1])), block=waves[0] * waves[1] * get_warp_size()
        )

    return run
