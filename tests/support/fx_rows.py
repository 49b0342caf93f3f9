"""Kernels of rows as users of FlyDSL write them: softmax and layernorm, in vectors and by elements."""

import math

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.expr import arith, const_expr, gpu, range_constexpr
from tilewright.expr import math as fmath
from tilewright.expr.typing import ReductionOp, full
from tilewright.runtime.device import get_rocm_arch, get_warp_size

BLOCK = 256
LOG2E = 1.4426950408889634
TYPES = {"f32": fx.Float32, "f16": fx.Float16, "bf16": fx.BFloat16}


def build_softmax(N, dtype_str, threads=BLOCK):
    WARP = get_warp_size()
    slots = max(1, (threads + WARP - 1) // WARP)
    elem_bits = 32 if dtype_str == "f32" else 16
    vec_width = 128 // elem_bits
    tile_cols = threads * vec_width

    @fx.struct
    class SharedStorage:
        s_red: fx.Array[fx.Float32, slots, 16]

    @flyc.kernel
    def softmax_kernel(A: fx.Tensor, _Pad: fx.Tensor, C: fx.Tensor, rows: fx.Int32):
        bid, tid = fx.block_idx.x, fx.thread_idx.x
        elem_dtype = TYPES[dtype_str]
        fm_fast = arith.FastMathFlags.fast
        lds = fx.SharedAllocator().allocate(SharedStorage).peek()
        s_red = lds.s_red.view(fx.make_layout(slots, 1))
        zero, neg_inf = fx.Float32(0.0), fx.Float32(float("-inf"))

        def wave_reduce(x, mode):
            w = x
            for e in range_constexpr(int(math.log2(WARP))):
                off = WARP // (2 << e)
                peer = w.shuffle_xor(off, WARP)
                if const_expr(mode == "max"):
                    w = fx.max(w, peer)
                else:
                    w = w.addf(peer, fastmath=fm_fast)
            return w

        def block_reduce(val, mode, buffer):
            lane, wave = tid % WARP, tid // WARP
            neutral = neg_inf if mode == "max" else zero
            gpu.barrier()
            w = wave_reduce(val, mode)
            if lane == 0:
                fx.memref_store(w, buffer, wave)
            gpu.barrier()
            if wave == 0:
                in_range = lane < slots
                lane_safe = in_range.select(lane, 0)
                v = fx.memref_load(buffer, lane_safe)
                ww = in_range.select(v, neutral)
                ww = wave_reduce(ww, mode)
                if lane == 0:
                    fx.memref_store(ww, buffer, 0)
            gpu.barrier()
            return fx.memref_load(buffer, 0)

        A_buf, C_buf = fx.rocdl.make_buffer_tensor(A), fx.rocdl.make_buffer_tensor(C)
        row_a, row_c = fx.slice(A_buf, (bid, None)), fx.slice(C_buf, (bid, None))
        if const_expr(tile_cols <= N and N % tile_cols == 0):
            a_div = fx.logical_divide(row_a, fx.make_layout(vec_width, 1))
            c_div = fx.logical_divide(row_c, fx.make_layout(vec_width, 1))
            atom = fx.make_copy_atom(fx.rocdl.BufferCopy128b(), elem_bits)

            def load_vec(div, idx):
                r = fx.make_rmem_tensor(vec_width, elem_dtype)
                fx.copy(atom, fx.slice(div, (None, idx)), r)
                return fx.memref_load_vec(r)

            def store_vec(val, div, idx):
                r = fx.make_rmem_tensor(vec_width, elem_dtype)
                fx.memref_store_vec(val, r)
                fx.copy(atom, r, fx.slice(div, (None, idx)))

            held, top = [], neg_inf
            for i in range_constexpr(N // tile_cols):
                x = load_vec(a_div, tid + i * threads).to(fx.Float32)
                held.append(x)
                top = fx.max(top, x.reduce(ReductionOp.MAX))
            top = block_reduce(top, "max", s_red)
            total = zero
            for i in range_constexpr(N // tile_cols):
                e = fmath.exp2((held[i] - top) * LOG2E, fastmath=fm_fast)
                held[i] = e
                total = total + e.reduce(ReductionOp.ADD, fastmath=fm_fast)
            total = block_reduce(total, "sum", s_red)
            inv = 1.0 / total
            for i in range_constexpr(N // tile_cols):
                y = held[i] * inv
                store_vec(y if dtype_str == "f32" else y.to(elem_dtype), c_div, tid + i * threads)
        else:
            atom = fx.make_copy_atom(
                fx.rocdl.BufferCopy16b() if elem_bits <= 16 else fx.rocdl.BufferCopy32b(), elem_bits
            )
            a_div, c_div = (fx.logical_divide(r, fx.make_layout(1, 1)) for r in (row_a, row_c))

            def load_scalar(divided, index):
                r = fx.make_rmem_tensor(1, elem_dtype)
                fx.copy(atom, fx.slice(divided, (None, index)), r)
                return fx.memref_load_vec(r)[0]

            def store_scalar(divided, index, val):
                r = fx.make_rmem_tensor(1, elem_dtype)
                fx.memref_store_vec(full(1, elem_dtype(val), elem_dtype), r)
                fx.copy(atom, r, fx.slice(divided, (None, index)))

            held, top = [], neg_inf
            for base in range_constexpr(0, N, threads):
                idx = tid + base
                valid = idx < N
                val_e = load_scalar(a_div, valid.select(idx, 0))
                val = val_e if dtype_str == "f32" else val_e.to(fx.Float32)
                safe = valid.select(val, neg_inf)
                held.append((safe, valid))
                top = fx.max(top, safe)
            top = block_reduce(top, "max", s_red)
            total, powers = zero, []
            for safe, valid in held:
                e = ((safe - top) * LOG2E).exp2(fastmath=fm_fast)
                total = total + valid.select(e, zero)
                powers.append((e, valid))
            total = block_reduce(total, "sum", s_red)
            inv = 1.0 / total
            at = 0
            for base in range_constexpr(0, N, threads):
                idx = tid + base
                e, valid = powers[at]
                at += 1
                if idx < N:
                    y = fx.Float32(e) * inv
                    out = y
                    if const_expr(dtype_str == "f32"):
                        out = y
                    else:
                        out = y.to(elem_dtype)
                    store_scalar(c_div, idx, out)

    @flyc.jit
    def launch_softmax(A: fx.Tensor, C: fx.Tensor, rows: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        launcher = softmax_kernel(A, C, C, rows)
        launcher.launch(grid=(rows, 1, 1), block=(threads, 1, 1), stream=stream)

    return launch_softmax


@flyc.jit
def softmax_direct(
    A: fx.Tensor,
    C: fx.Tensor,
    rows: fx.Int32,
    N: fx.Constexpr[int],
    dtype_str: fx.Constexpr[str],
    BLOCK_THREADS: fx.Constexpr[int],
    stream: fx.Stream = fx.Stream(None),
):
    launch = build_softmax(N, dtype_str, BLOCK_THREADS)
    launch(A, C, rows, stream)


def _storage(slots):
    @fx.struct
    class SharedStorage:
        s_sum: fx.Array[fx.Float32, slots, 16]
        s_sumsq: fx.Array[fx.Float32, slots, 16]

    return SharedStorage


def _load_vec(atom, width, elem, div, idx):
    r = fx.make_rmem_tensor(width, elem)
    fx.copy(atom, fx.slice(div, (None, idx)), r)
    return fx.memref_load_vec(r)


def _store_vec(atom, width, elem, val, div, idx):
    r = fx.make_rmem_tensor(width, elem)
    fx.memref_store_vec(val, r)
    fx.copy(atom, r, fx.slice(div, (None, idx)))


def _to_bf16(y):
    u = y.bitcast(fx.Uint32)
    upper = u >> 16
    lsb = upper & 1
    bias = lsb + 0x7FFF
    bits = (y.bitcast(fx.Uint32) + bias) >> 16
    even = bits.shuffle(bits, [0, 2, 4, 6])
    odd = bits.shuffle(bits, [1, 3, 5, 7])
    return (even | (odd << 16)).bitcast(fx.BFloat16)


def build_layernorm(N, dtype_str, store_stats=False, eps=1e-5):
    arch = get_rocm_arch()
    WARP = get_warp_size()
    hw = arch == "gfx950" or str(arch).startswith("gfx95")
    slots = max(1, (BLOCK + WARP - 1) // WARP)
    bits = 32 if dtype_str == "f32" else 16
    W = 8
    vec = bits <= 16 and N % W == 0
    tiles = N // W if vec else 0
    Storage = _storage(slots)

    @flyc.kernel
    def layernorm_kernel(
        Input: fx.Pointer, Gamma: fx.Pointer, Beta: fx.Pointer, Output: fx.Pointer, Mean: fx.Pointer, Rstd: fx.Pointer
    ):
        bid, tid = fx.block_idx.x, fx.thread_idx.x
        elem = TYPES[dtype_str]
        fm = arith.FastMathFlags.fast
        lds = fx.SharedAllocator().allocate(Storage).peek()
        s_sum, s_sumsq = lds.s_sum.view(fx.make_layout(slots, 1)), lds.s_sumsq.view(fx.make_layout(slots, 1))
        row_layout, one = fx.make_layout(N, 1), fx.make_layout(1, 1)
        bid64 = fx.Int64(bid)
        off = bid64 * N
        x_buf = fx.rocdl.make_buffer_tensor((Input + off).view(row_layout))
        g_buf = fx.rocdl.make_buffer_tensor(Gamma.view(row_layout))
        b_buf = fx.rocdl.make_buffer_tensor(Beta.view(row_layout))
        y_buf = fx.rocdl.make_buffer_tensor((Output + off).view(row_layout))
        if const_expr(store_stats):
            mean_div = fx.logical_divide(fx.rocdl.make_buffer_tensor((Mean + bid64).view(one)), one)
            rstd_div = fx.logical_divide(fx.rocdl.make_buffer_tensor((Rstd + bid64).view(one)), one)
            stats = fx.make_copy_atom(fx.rocdl.BufferCopy32b(), 32)

        def wave_add(x):
            w = x
            for e in range_constexpr(int(math.log2(WARP))):
                w = w.addf(w.shuffle_xor(WARP // (2 << e), WARP), fastmath=fm)
            return w

        def block_add2(a, b):
            if const_expr(slots == 1):
                return wave_add(a), wave_add(b)
            lane, wave = tid % WARP, tid // WARP
            w0, w1 = wave_add(a), wave_add(b)
            if lane == 0:
                fx.memref_store(w0, s_sum, wave)
                fx.memref_store(w1, s_sumsq, wave)
            gpu.barrier()
            if wave == 0:
                inside = lane < slots
                safe = inside.select(lane, 0)
                ww0 = inside.select(fx.memref_load(s_sum, safe), 0.0)
                ww1 = inside.select(fx.memref_load(s_sumsq, safe), 0.0)
                ww0, ww1 = wave_add(ww0), wave_add(ww1)
                if lane == 0:
                    fx.memref_store(ww0, s_sum, 0)
                    fx.memref_store(ww1, s_sumsq, 0)
            gpu.barrier()
            return fx.memref_load(s_sum, 0), fx.memref_load(s_sumsq, 0)

        def mean_rstd(total, squares):
            inv_n = 1.0 / float(N)
            mean = total * inv_n
            var = squares * inv_n - mean * mean
            is_neg = var < 0.0
            var = is_neg.select(0.0, var)
            return mean, fmath.rsqrt(var + eps, fastmath=fm)

        def put(atom, kind, div, index, val):
            r = fx.make_rmem_tensor(1, kind)
            fx.memref_store_vec(full(1, kind(val), kind), r)
            fx.copy(atom, r, fx.slice(div, (None, index)))

        zero = fx.Float32(0.0)
        if const_expr(vec):
            total, squares, held = zero, zero, []
            divs = [fx.logical_divide(t, fx.make_layout(W, 1)) for t in (x_buf, g_buf, b_buf, y_buf)]
            x_div, g_div, b_div, y_div = divs
            atom = fx.make_copy_atom(fx.rocdl.BufferCopy128b(), bits)
            for i in range_constexpr((tiles + BLOCK - 1) // BLOCK):
                idx = tid + i * BLOCK
                valid = idx < tiles
                v = _load_vec(atom, W, elem, x_div, valid.select(idx, 0))
                held.append(v)
                x = v.to(fx.Float32)
                total = total + valid.select(x.reduce(ReductionOp.ADD, fastmath=fm), zero)
                squares = squares + valid.select((x * x).reduce(ReductionOp.ADD, fastmath=fm), zero)
            s, q = block_add2(total, squares)
            mean, rstd = mean_rstd(s, q)
            if const_expr(store_stats):
                if tid == 0:
                    put(stats, fx.Float32, mean_div, 0, mean)
                    put(stats, fx.Float32, rstd_div, 0, rstd)
            for i in range_constexpr((tiles + BLOCK - 1) // BLOCK):
                idx = tid + i * BLOCK
                if idx < tiles:
                    g = _load_vec(atom, W, elem, g_div, idx).to(fx.Float32)
                    b = _load_vec(atom, W, elem, b_div, idx).to(fx.Float32)
                    y = (held[i].to(fx.Float32) - mean) * rstd
                    y = y * g + b
                    out = _to_bf16(y) if const_expr(dtype_str == "bf16" and not hw) else y.to(elem)
                    _store_vec(atom, W, elem, out, y_div, idx)
        else:
            total, squares = zero, zero
            atom = fx.make_copy_atom(fx.rocdl.BufferCopy16b() if bits <= 16 else fx.rocdl.BufferCopy32b(), bits)
            x_div, g_div, b_div, y_div = [fx.logical_divide(t, one) for t in (x_buf, g_buf, b_buf, y_buf)]
            for base in range_constexpr(0, N, BLOCK):
                idx = tid + base
                valid = idx < N
                e = _load_vec(atom, 1, elem, x_div, valid.select(idx, 0))[0]
                x = e if dtype_str == "f32" else e.to(fx.Float32)
                total = total + valid.select(x, zero)
                squares = squares + valid.select(x * x, zero)
            s, q = block_add2(total, squares)
            mean, rstd = mean_rstd(s, q)
            if const_expr(store_stats):
                if tid == 0:
                    put(stats, fx.Float32, mean_div, 0, mean)
                    put(stats, fx.Float32, rstd_div, 0, rstd)
            for base in range_constexpr(0, N, BLOCK):
                idx = tid + base
                if idx < N:
                    x, g, b = (_load_vec(atom, 1, elem, d, idx)[0] for d in (x_div, g_div, b_div))
                    if const_expr(dtype_str != "f32"):
                        x, g, b = x.to(fx.Float32), g.to(fx.Float32), b.to(fx.Float32)
                    y = (x - mean) * rstd * g + b
                    put(atom, elem, y_div, idx, y if dtype_str == "f32" else y.to(elem))

    if store_stats:

        @flyc.jit
        def launch(
            Input: fx.Pointer,
            Gamma: fx.Pointer,
            Beta: fx.Pointer,
            Output: fx.Pointer,
            Mean: fx.Pointer,
            Rstd: fx.Pointer,
            m: fx.Int32,
            stream: fx.Stream = fx.Stream(None),
        ):
            layernorm_kernel(Input, Gamma, Beta, Output, Mean, Rstd).launch(
                grid=(m, 1, 1), block=(BLOCK, 1, 1), stream=stream
            )

        return launch

    @flyc.jit
    def launch(
        Input: fx.Pointer,
        Gamma: fx.Pointer,
        Beta: fx.Pointer,
        Output: fx.Pointer,
        m: fx.Int32,
        stream: fx.Stream = fx.Stream(None),
    ):
        layernorm_kernel(Input, Gamma, Beta, Output, Gamma, Gamma).launch(
            grid=(m, 1, 1), block=(BLOCK, 1, 1), stream=stream
        )

    return launch
