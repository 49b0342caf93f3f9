"""The kinds of FlyDSL's five examples: predicated add, tiled copy, tiled MMA, pre-shuffled GEMM, gather and scatter."""

import tilewright.compiler as flyc
import tilewright.expr as fx


# 1 predicated vectorised add
def build_add(VEC, THREADS=64):
    """Vectors where they lie wholly inside; behind them single elements by a predicate each."""

    @flyc.kernel
    def vector_add_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor):
        bid, tid = fx.block_idx.x, fx.thread_idx.x
        tile = THREADS * VEC
        n = fx.get_scalar(A.shape)
        atom = fx.make_copy_atom(fx.UniversalCopy(32), fx.Float32)
        wide = fx.make_copy_atom(fx.UniversalCopy(32 * VEC), fx.Float32)
        places = fx.make_identity_tensor(A.shape)
        tiles = [fx.logical_divide(x, fx.make_layout(tile, 1))[None, bid] for x in (A, B, C, places)]
        pA, pB, pC, pI = (fx.logical_divide(x, fx.make_layout((1, VEC), (0, 1)))[None, tid] for x in tiles)
        if (bid * THREADS + tid + 1) * VEC <= n:
            vA, vB, vC = (fx.logical_divide(x, fx.make_layout(VEC, 1))[None, tid] for x in tiles[:3])
            rA, rB, rC = (fx.make_fragment_like(x) for x in (vA, vB, vC))
            fx.copy(wide, vA, rA)
            fx.copy(wide, vB, rB)
            rC.store(rA.load() + rB.load())
            fx.copy(wide, rC, vC)
        else:
            rA, rB, rC = (fx.make_fragment_like(x) for x in (pA, pB, pC))
            pred = fx.make_rmem_tensor((1, VEC), fx.Boolean)
            for i in fx.range_constexpr(VEC):
                pred[0, i] = fx.elem_less(pI[0, i], n)
            rA.fill(0.0)
            rB.fill(0.0)
            fx.copy(atom, pA, rA, pred=pred)
            fx.copy(atom, pB, rB, pred=pred)
            rC.store(rA.load() + rB.load())
            fx.copy(atom, rC, pC, pred=pred)

    @flyc.jit
    def add(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, n: fx.Int32, stream: fx.Stream = fx.Stream(None)):
        grid = (n + THREADS * VEC - 1) // (THREADS * VEC)
        vector_add_kernel(A, B, C).launch(grid=(grid, 1, 1), block=(THREADS, 1, 1), stream=stream)

    return add


# 1b: chunks
@flyc.kernel
def chunk_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, block_dim: fx.Constexpr[int], vec_width: fx.Constexpr[int]):
    bid, tid = fx.block_idx.x, fx.thread_idx.x
    tile_elems = block_dim * vec_width
    tA = fx.logical_divide(A, fx.make_layout(tile_elems, 1))
    tB = fx.logical_divide(B, fx.make_layout(tile_elems, 1))
    tC = fx.logical_divide(C, fx.make_layout(tile_elems, 1))
    tA, tB, tC = fx.slice(tA, (None, bid)), fx.slice(tB, (None, bid)), fx.slice(tC, (None, bid))
    tA, tB, tC = (fx.logical_divide(t, fx.make_layout(vec_width, 1)) for t in (tA, tB, tC))
    copy_bits = vec_width * 32
    RABMemRefTy = fx.MemRefType.get(fx.T.f32, fx.LayoutType.get(vec_width, 1), fx.AddressSpace.Register)
    atom = fx.make_copy_atom(fx.UniversalCopy(copy_bits), fx.Float32)
    rA = fx.memref_alloca(RABMemRefTy, fx.make_layout(vec_width, 1))
    rB = fx.memref_alloca(RABMemRefTy, fx.make_layout(vec_width, 1))
    rC = fx.memref_alloca(RABMemRefTy, fx.make_layout(vec_width, 1))
    fx.copy_atom_call(atom, fx.slice(tA, (None, tid)), rA)
    fx.copy_atom_call(atom, fx.slice(tB, (None, tid)), rB)
    vC = fx.arith.addf(fx.memref_load_vec(rA), fx.memref_load_vec(rB))
    fx.memref_store_vec(vC, rC)
    fx.copy_atom_call(atom, rC, fx.slice(tC, (None, tid)))


@flyc.jit
def chunk_add(
    A: fx.Tensor,
    B: fx.Tensor,
    C,
    n: fx.Int32,
    const_n: fx.Constexpr[int],
    block_dim: fx.Constexpr[int],
    vec_width: fx.Constexpr[int],
    stream: fx.Stream = fx.Stream(None),
):
    tile_elems = block_dim * vec_width
    grid_x = (n + tile_elems - 1) // tile_elems
    chunk_kernel(A, B, C, block_dim, vec_width).launch(grid=(grid_x, 1, 1), block=(block_dim, 1, 1), stream=stream)


# 2 tiled copy
@flyc.kernel
def copy_kernel(A: fx.Tensor, B: fx.Tensor):
    tid, bid = fx.thread_idx.x, fx.block_idx.x
    block_m, block_n = 8, 24
    tile = fx.make_tile(fx.make_layout(block_m, 1), fx.make_layout(block_n, 1))
    A = fx.rocdl.make_buffer_tensor(A)
    B = fx.rocdl.make_buffer_tensor(B)
    bA = fx.slice(fx.zipped_divide(A, tile), (None, bid))
    bB = fx.slice(fx.zipped_divide(B, tile), (None, bid))
    thr_layout = fx.make_layout((4, 1), (1, 1))
    val_layout = fx.make_layout((1, 8), (1, 1))
    copy_atom = fx.make_copy_atom(fx.rocdl.BufferCopy128b(), fx.Float32)
    layout_thr_val = fx.raked_product(thr_layout, val_layout)
    tiled_copy = fx.make_tiled_copy(copy_atom, layout_thr_val, fx.make_tile(4, 8))
    thr_copy = tiled_copy.get_slice(tid)
    src, dst = thr_copy.partition_S(bA), thr_copy.partition_D(bB)
    frag = fx.make_fragment_like(src)
    fx.copy(copy_atom, src, frag)
    fx.copy(copy_atom, frag, dst)


@flyc.jit
def tiledCopy(A: fx.Tensor, B: fx.Tensor, stream: fx.Stream = fx.Stream(None)):
    copy_kernel(A, B).launch(grid=(15, 1, 1), block=(4, 1, 1), stream=stream)


# 3 tiled MMA
block_m, block_n, block_k = 64, 64, 8


@flyc.kernel
def mma_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor):
    tid, bid = fx.thread_idx.x, fx.block_idx.x
    A, B, C = (fx.rocdl.make_buffer_tensor(x) for x in (A, B, C))
    bA = fx.zipped_divide(A, (block_m, block_k))[None, bid]
    bB = fx.zipped_divide(B, (block_n, block_k))[None, bid]
    bC = fx.zipped_divide(C, (block_m, block_n))[None, bid]
    tiled_mma = fx.make_tiled_mma(
        fx.make_mma_atom(fx.rocdl.MFMA(16, 16, 4, fx.Float32)), fx.make_layout((2, 2, 1), (1, 2, 0))
    )
    thr_mma = tiled_mma.get_slice(tid)
    atom = fx.make_copy_atom(fx.rocdl.BufferCopy32b(), fx.Float32)
    ca, cb, cc = (
        f(atom, tiled_mma).get_slice(tid) for f in (fx.make_tiled_copy_A, fx.make_tiled_copy_B, fx.make_tiled_copy_C)
    )
    fA, fB, fC = thr_mma.make_fragment_A(bA), thr_mma.make_fragment_B(bB), thr_mma.make_fragment_C(bC)
    fx.copy(atom, ca.partition_S(bA), ca.retile(fA))
    fx.copy(atom, cb.partition_S(bB), cb.retile(fB))
    fC.fill(0)
    fx.gemm(tiled_mma, fC, fA, fB, fC, traversal_order=fx.GemmTraversalOrder.KMN_Serpentine)
    fx.copy(atom, cc.retile(fC), cc.partition_S(bC))


@flyc.jit
def tiledMma(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, stream: fx.Stream = fx.Stream(None)):
    mma_kernel(A, B, C).launch(grid=(1, 1, 1), block=(256, 1, 1), stream=stream)


# 4 preshuffled gemm
def build_preshuffled(M, N, K, BLOCK_M=64, BLOCK_N=64, BLOCK_K=64, STAGES_A=2):
    @flyc.kernel
    def gemm_kernel(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, tiled_mma: fx.TiledMma, tiled_copy_g2s_A: fx.TiledCopy):
        tid = fx.thread_idx.x
        bid_x, bid_y, _ = fx.block_idx
        A, B, C = fx.rocdl.make_buffer_tensor(A), fx.rocdl.make_buffer_tensor(B), fx.rocdl.make_buffer_tensor(C)
        gA_k = fx.flat_divide(A, fx.make_tile(BLOCK_M, BLOCK_K))[None, None, bid_x, None]
        gB_k = fx.flat_divide(B, fx.make_tile(BLOCK_N, BLOCK_K))[None, None, bid_y, None]
        gC = fx.flat_divide(C, fx.make_tile(BLOCK_M, BLOCK_N))[None, None, bid_x, bid_y]
        thr_mma = tiled_mma.thr_slice(tid)
        thr_copy_g2s_A = tiled_copy_g2s_A.get_slice(tid)
        uni_copy_128b = fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float16)
        buffer_copy_128b = fx.make_copy_atom(fx.rocdl.BufferCopy128b(), fx.Float16)
        buffer_copy_16b = fx.make_copy_atom(fx.rocdl.BufferCopy16b(), fx.Float16)
        thr_copy_s2r_A = fx.make_tiled_copy_A(buffer_copy_128b, tiled_mma).get_slice(tid)
        thr_copy_g2r_B = fx.make_tiled_copy_B(buffer_copy_128b, tiled_mma).get_slice(tid)
        thr_copy_r2g_C = fx.make_tiled_copy_C(buffer_copy_16b, tiled_mma).get_slice(tid)
        smem_ptr = fx.get_dyn_shared()
        smem_ptr_f16 = fx.recast_iter(fx.PointerType.get(fx.Float16.ir_type, fx.AddressSpace.Shared, 512), smem_ptr)
        composed_layout_A = fx.make_composed_layout(
            fx.static(fx.SwizzleType.get(3, 3, 3)), fx.make_ordered_layout((BLOCK_M, BLOCK_K, STAGES_A), (1, 0, 2))
        )
        sA = fx.make_view(smem_ptr_f16, composed_layout_A)
        thr_gA_k = thr_copy_g2s_A.partition_S(gA_k)
        thr_sA = thr_copy_g2s_A.partition_D(sA)
        thr_sA_s2r = thr_copy_s2r_A.partition_S(sA)
        thr_gB_k = thr_copy_g2r_B.partition_S(gB_k)
        thr_gC = thr_copy_r2g_C.partition_S(gC)
        copy_frag_A = fx.make_fragment_like(thr_sA[None, None, None, 0])
        mma_frag_A = thr_mma.make_fragment_A(sA[None, None, 0])
        mma_frag_B = fx.make_fragment_like(
            fx.flat_product(fx.get_layout(thr_mma.partition_B(gB_k))[None, None, None, 0], fx.make_layout(2, 1)),
            fx.Float16.ir_type,
        )
        mma_frag_C = thr_mma.make_fragment_C(gC)
        mma_frag_A_retile = thr_copy_s2r_A.retile(mma_frag_A)
        mma_frag_B_retile = thr_copy_g2r_B.retile(mma_frag_B)
        mma_frag_C_f16 = fx.make_fragment_like(mma_frag_C, fx.Float16.ir_type)
        mma_frag_C_retile = thr_copy_r2g_C.retile(mma_frag_C_f16)

        def run_pipeline_stage(read_stage, next_k, read_next=True):
            write_stage = read_stage ^ 1
            if read_next:
                next_k = fx.Int32(next_k)
                fx.copy(buffer_copy_128b, thr_gA_k[None, None, None, next_k], copy_frag_A)
                fx.copy(
                    buffer_copy_128b,
                    thr_gB_k[None, None, None, next_k],
                    mma_frag_B_retile[None, None, None, write_stage],
                )
            for block_k_iter in fx.range_constexpr(BLOCK_K // 32):
                fx.copy(
                    uni_copy_128b,
                    thr_sA_s2r[None, None, block_k_iter, read_stage],
                    mma_frag_A_retile[None, None, block_k_iter],
                )
                fx.gemm(
                    tiled_mma,
                    mma_frag_C,
                    mma_frag_A[None, None, (None, block_k_iter)],
                    mma_frag_B[None, None, (None, block_k_iter), read_stage],
                    mma_frag_C,
                )
            fx.copy(uni_copy_128b, copy_frag_A, thr_sA[None, None, None, write_stage])
            fx.gpu.barrier()

            def hot_loop_scheduler():
                fx.rocdl.sched_dsrd(2)

                def sched_main_iter(with_vmem=False, with_dswr=False):
                    if with_vmem:
                        fx.rocdl.sched_vmem(1)
                    fx.rocdl.sched_mfma(2)
                    if with_dswr:
                        fx.rocdl.sched_dswr(1)

                for _ in fx.range_constexpr(2):
                    sched_main_iter(with_vmem=True)
                sched_main_iter()
                fx.rocdl.sched_barrier(0)

            hot_loop_scheduler()

        fx.copy(buffer_copy_128b, thr_gA_k[None, None, None, 0], copy_frag_A)
        fx.copy(buffer_copy_128b, thr_gB_k[None, None, None, 0], mma_frag_B_retile[None, None, None, 0])
        count = fx.size(mma_frag_C).to_py_value()
        mma_frag_C.store(fx.arith.constant_vector(0.0, fx.T.vec(count, fx.T.f32)))
        fx.copy(uni_copy_128b, copy_frag_A, thr_sA[None, None, None, 0])
        fx.gpu.barrier()
        for k_iter in range(0, K // BLOCK_K - 2, 2):
            run_pipeline_stage(read_stage=0, next_k=k_iter + 1)
            run_pipeline_stage(read_stage=1, next_k=k_iter + 2)
        run_pipeline_stage(read_stage=0, next_k=K // BLOCK_K - 1)
        run_pipeline_stage(read_stage=1, next_k=None, read_next=False)
        mma_frag_C_f16.store(fx.arith.trunc_f(fx.T.vec(count, fx.T.f16), mma_frag_C.load()))
        fx.copy(buffer_copy_16b, mma_frag_C_retile, thr_gC)

    @flyc.jit
    def run(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, stream: fx.Stream = fx.Stream(None)):
        preshuffle_layout_B = fx.make_layout(((16, N // 16), (8, 4, K // 32)), ((8, 16 * K), (1, 8 * 16, 8 * 16 * 4)))
        preshuffle_B = fx.Tensor(fx.make_view(fx.get_iter(B), preshuffle_layout_B))
        val_per_thr = 8
        thrs_col = BLOCK_K // val_per_thr
        thrs_row = 256 // thrs_col
        tiled_copy_g2s_A = fx.make_tiled_copy(
            fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float16),
            fx.make_layout(((thrs_col, thrs_row), (1, val_per_thr)), ((thrs_row * val_per_thr, 1), (1, thrs_row))),
            fx.make_tile(thrs_row, BLOCK_K),
        )
        tiled_mma = fx.make_tiled_mma(
            fx.make_mma_atom(fx.rocdl.MFMA(16, 16, 16, fx.Float16)),
            fx.make_layout((1, 4, 1), (0, 1, 0)),
            fx.make_tile(16, 64, fx.make_layout((4, 4, 2), (1, 8, 4))),
        )
        gemm_kernel(A, preshuffle_B, C, tiled_mma, tiled_copy_g2s_A).launch(
            grid=(M // BLOCK_M, N // BLOCK_N, 1), block=(256, 1, 1), smem=2 * BLOCK_M * BLOCK_K * 2, stream=stream
        )

    return run


# 5 gather / scatter
TileM, TileN = 8, 32


def _row_kernel(gather):
    @flyc.kernel
    def kernel(Src: fx.Tensor, Dst: fx.Tensor, Idx: fx.Tensor):
        tid = fx.thread_idx.x
        bid_m, bid_n, _ = fx.block_idx
        atom_f32 = fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float32)
        atom_i32 = fx.make_copy_atom(fx.UniversalCopy32b(), fx.Int32)
        thr_copy = fx.make_tiled_copy_tv(
            atom_f32, fx.make_layout((TileM, TileN // 4), (TileN // 4, 1)), fx.make_layout((1, 4), (1, 1))
        ).get_slice(tid)
        Data = Dst if gather else Src
        R, N = Data.shape.unpack()
        idx_b = fx.make_view(fx.get_iter(Idx), fx.make_layout((R, N), (1, 0)))
        Col = fx.make_view(fx.make_int_tuple(0), fx.make_layout((R, N), (0, 1)))
        gIdx = fx.flat_divide(idx_b, (TileM, TileN))[None, None, bid_m, bid_n]
        gData = fx.flat_divide(Data, (TileM, TileN))[None, None, bid_m, bid_n]
        cCol = fx.flat_divide(Col, (TileM, TileN))[None, None, bid_m, bid_n]
        tI = thr_copy.partition_S(gIdx)[(0, None), None, None]
        tC = thr_copy.partition_S(cCol)[(0, None), None, None]
        tD = thr_copy.partition_D(gData)
        rI, rD = fx.make_fragment_like(tI), fx.make_fragment_like(tD)
        fx.copy(atom_i32, tI, rI)
        if fx.const_expr(gather):
            rI.store(rI.load() * N + tC.load())
            fx.gather(atom_f32, fx.get_iter(Src), rI, rD)
            fx.copy(atom_f32, rD, tD)
        else:
            fx.copy(atom_f32, tD, rD)
            rI.store(rI.load() * N + tC.load())
            fx.scatter(atom_f32, rD, fx.get_iter(Dst), rI)

    return kernel


gather_kernel, scatter_kernel = _row_kernel(True), _row_kernel(False)


@flyc.jit
def gather_jit(Src: fx.Tensor, Dst: fx.Tensor, Idx: fx.Tensor, stream: fx.Stream = fx.Stream(None)):
    R, N = Dst.shape.unpack()
    gather_kernel(Src, Dst, Idx).launch(
        grid=(R // TileM, N // TileN, 1), block=[TileM * (TileN // 4), 1, 1], stream=stream
    )


@flyc.jit
def scatter_jit(Src: fx.Tensor, Dst: fx.Tensor, Idx: fx.Tensor, stream: fx.Stream = fx.Stream(None)):
    R, N = Src.shape.unpack()
    scatter_kernel(Src, Dst, Idx).launch(
        grid=(R // TileM, N // TileN, 1), block=[TileM * (TileN // 4), 1, 1], stream=stream
    )


# 5b struct args
@fx.struct
class Affine:
    alpha: fx.Float32
    beta: fx.Float32
    n: fx.Int32
    relu: fx.Constexpr[bool]


@flyc.kernel
def affine_kernel(X: fx.Tensor, Y: fx.Tensor, p: Affine):
    i = fx.block_idx.x * 64 + fx.thread_idx.x
    if i < p.n:
        y = p.alpha * X[i] + p.beta
        if fx.const_expr(p.relu):
            y = fx.max(y, 0.0)
        Y[i] = y


@flyc.jit
def affine(X: fx.Tensor, Y: fx.Tensor, p: Affine):
    affine_kernel(X, Y, p).launch(grid=(p.n + 63) // 64, block=64)
