"""TIRx's names that the language does not have: whoever asks for one is told what to write instead."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from types import MappingProxyType

_FOREIGN = "it embeds text that one target reads; write the function in the language, and call it"
_NOTHING = "what other machines and libraries do is no part of the language"
_TIME = "nothing in a kernel tells the time; kernel.profile and kernel.trace count and show"
_ELEMENTS = "each lane works out its own elements in a loop: D[i] = "
# Tile primitives but permute_layout, by what does it here.
_TILES: Mapping[str, str] = MappingProxyType(
    {
        **{
            name: f"{_ELEMENTS}A[i] {sign} B[i]"
            for name, sign in (("add", "+"), ("sub", "-"), ("mul", "*"), ("fdiv", "/"))
        },
        **{f"{name}imum": f"{_ELEMENTS}T.{name}(A[i], B[i])" for name in ("max", "min")},
        **{name: f"{_ELEMENTS}T.{name}(A[i])" for name in ("sqrt", "exp", "exp2", "log2")},
        "fma": f"{_ELEMENTS}T.fma(A[i], B[i], C[i])",
        "select": f"{_ELEMENTS}T.if_then_else(condition, A[i], B[i])",
        "reciprocal": f"{_ELEMENTS}1.0 / A[i]",
        "silu": f"{_ELEMENTS}A[i] / (1.0 + T.exp(-A[i]))",
        "cast": f"{_ELEMENTS}T.cast(A[i], dtype)",
        **dict.fromkeys(("fill", "memset"), f"{_ELEMENTS}value"),
        "zero": f"{_ELEMENTS}0",
        **{
            name: f"each lane takes its own elements in a loop, then T.cuda.warp_{name}(x) "
            f"or, of the block, T.cuda.cta_{name}(x, warps, scratch)"
            for name in ("sum", "max", "min")
        },
        "copy": "D[i] = A[i] in a loop of the lanes, D.vstore([i], A.vload([i], 'float32x4')) for vectors, "
        "T.copy_atom(name, D, A) for ldmatrix and its like",
        "copy_async": "T.ptx.cp.async_ moves up to 16 bytes a lane, T.ptx.cp.async_.bulk rows, "
        "and boxes of a T.TensorMap()",
        "gemm": "T.mma_atom(name, D, A, B, C) multiplies fragments, and T.ptx.mma; T.copy_atom loads them",
        "gemm_async": "T.ptx.wgmma.mma_async and T.ptx.tcgen05.mma multiply tiles of shared memory",
        **dict.fromkeys(
            ("unary_reduce", "binary_reduce", "binary_chain", "reduce_negate"),
            "it is Trainium's; write its steps in one loop of the lanes, then T.cuda.warp_sum(x)",
        ),
    }
)
_MAKERS = "sizes are Python's: a function of them that makes a kernel, or parameters of type T.int32"
_HINTS = "it tunes what TVM makes of a kernel; T.thread_id, T.SMEMPool and T.unroll say what is to be here"
_LAUNCH = "T.cta_id([..]) and T.thread_id([..]) say how a kernel is launched, and give its coordinates"
_FRAGMENTS = "registers are T.alloc_local((n,), dtype), one array a lane; T.ptx.tcgen05.ld and .st name them"
_REGISTERS = "x: T.int32 = 0 is a register, T.shared_scalar(dtype) a number of the block"
_TYPES = "types are told by what a value is, T.int32(x) or T.cast(x, 'int32')"
_PACKED = "lanes hold numbers one by one: T.min, T.max and T.cast take and give them"
_ADDRESSES = "the addresses that instructions take are B.ptr_to([i, j]) and T.address_of(B[i, j])"
_PREDICATES = "write it as an expression, `if` or T.if_then_else; comparisons are values"
_MULTIMEM = "memory of several devices is no part of the language"
_RUBIN = "machines after sm_120 are no target here"

_SCOPES = ("tile*", "thread", "warp", "wg", "warpgroup", "cta", "cluster")

ABSENT: Mapping[str, str] = MappingProxyType(
    {
        "cuda.func_call": _FOREIGN,
        "call_extern": _FOREIGN,
        "call_packed": _FOREIGN,
        **dict.fromkeys(("nvshmem", "nki", "metal", "webgpu", "ptx_legacy*"), _NOTHING),
        **dict.fromkeys(("cuda.iket*", "cuda.clock64", "cuda.timer_*"), _TIME),
        "cuda.grid_sync": "blocks of a launch need not run at once; T.cuda.cluster_sync() is for those of a cluster",
        "elected": "write T.cuda.elect_sync()",
        "jit": _MAKERS,
        "constexpr": _MAKERS,
        "Optional": _MAKERS,
        "meta_class": "objects that a kernel captures are read as they are: classes with numbers, texts, layouts",
        **dict.fromkeys(("attr", "func_attr", "hint", "filter"), _HINTS),
        **dict.fromkeys(("launch_thread", "env_thread", "thread_binding", "scope_id"), _LAUNCH),
        **dict.fromkeys(("alloc_cast_frag", "alloc_tcgen05_ldst_frag", "wg_reg_tile"), _FRAGMENTS),
        **dict.fromkeys(("decl_scalar", "local_cell"), _REGISTERS),
        **dict.fromkeys(("Ptr", "Tuple", "Var"), _TYPES),
        **dict.fromkeys(("Iter", "Layout"), "tilewright.tirx.layout has it; kernels write T.TileLayout and T.S"),
        "Shuffle": "the parts of a vector are v[i], and B.vstore([i], v) stores them",
        "break_loop": "write `break`",
        "continue_loop": "write `continue`",
        "ptr_byte_offset": "T.decl_buffer(shape, dtype, data=B.data, byte_offset=n) views what lies further on",
        "tvm_stack_alloca": "a tensor map is a parameter: M: T.TensorMap()",
        **dict.fromkeys(("cuda.hmin2", "cuda.hmax2", "cuda.float22half2"), _PACKED),
        **dict.fromkeys(("cuda.half8tofloat8", "cuda.float8tohalf8"), _PACKED),
        **dict.fromkeys(("cuda.cvta_*", "cuda.smem_addr_from_uint64"), _ADDRESSES),
        "cuda.sm100_2sm_leader_smem_addr": "T.ptx.mapa gives the address in the other CTA of a pair",
        "cuda.mov_sreg": "T.lane_id(), T.warp_id() and T.cta_id_in_cluster() give what these registers hold",
        "cuda.mma_fill": "set the elements of the array that holds the tile to 0",
        "cuda.mma_store": "T.copy_atom stores a tile; the atom's layouts say which lane holds what",
        "cuda.runtime_instr_desc": "T.cuda.tcgen05.encode_instr_descriptor takes the ids of the factors",
        "cuda.wait_until": "ask in a loop by T.ptx.ld with `acquire`: while f == 0",
        "ptx.SINK": "name a register for what is not used",
        "ptx.addr": _ADDRESSES,
        **dict.fromkeys(("ptx.pred", "ptx.setp", "ptx.set"), _PREDICATES),
        "ptx.mov": "write x = y",
        "ptx.shfl_sync": "T.cuda.__shfl_sync, and _up, _down and _xor, give the value",
        "ptx.vote_sync": "T.cuda.any_sync, all_sync and ballot_sync give the value",
        "ptx.prefetch": "it changes no result, and nothing here says when memory is read; leave it out",
        "ptx.griddepcontrol": "launches follow one another; leave it out",
        "ptx.st_bulk": "set the elements in a loop of the block's threads",
        "ptx.fns": "T.cuda.ffs_u32 and T.popcount find bits",
        "ptx.cvt_pack": "T.cast converts, and shifts put numbers together",
        "ptx.clusterlaunchcontrol": "blocks are launched once; a loop over T.cta_id takes the tiles of many",
        "ptx.multimem_*": _MULTIMEM,
        **dict.fromkeys(("ptx.clmad", "ptx.fabric", "ptx.spcompress", "ptx.spdecompress"), _RUBIN),
        **{f"{scope}.{op}": reason for op, reason in _TILES.items() for scope in _SCOPES},
    }
)


def refused(path: str) -> str:
    """Why the language has no such name; empty where nothing is known of it.

    >>> refused("elected")
    'write T.cuda.elect_sync()'
    """
    return next((reason for pattern, reason in ABSENT.items() if fnmatchcase(path, pattern)), "")
