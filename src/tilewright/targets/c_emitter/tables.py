"""The dialects of C, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from tilewright.dtypes import DTYPES, IN_VECTORS, WORDS
from tilewright.ir.core.narrow import NARROW, NVIDIA, TF32
from tilewright.targets.c_emitter.helpers import HELPERS, ORDERED, PTX
from tilewright.targets.c_emitter.narrow import FUNCTIONS
from tilewright.targets.c_emitter.narrow import INSTRUCTIONS as NARROWING

AXES = ("x", "y", "z")


@dataclass(frozen=True)
class CTable:
    """One dialect of C: how a kernel begins, and how it names threads, memories and barriers.

    `headers` maps the C name of an element type to the line that declares it; `elements` names the element types that
    buffers can have, `computes` those that arithmetic is defined on, `converts` those that are
    converted to these and back. `shared_bytes` is what the arrays of a block may
    take; `pool` declares the shared memory that the launch adds to them. `assertion` is a statement that checks one;
    where it is empty the text has none. `context` are parameters before the kernel's own; `unrolls` is whether the text
    writes out the turns of loops that are marked so. `large` is said of arrays of registers that no stack should hold.
    `grid` and `threads` are the extents of a launch. `assembly`: are instructions written as inline PTX? `place` is a
    statement that says by number where a thread is that may have to wait, `loop` the same of a loop that asks for what
    others do.
    """

    name: str
    kernel: str
    function: str
    constant: str
    restrict: str
    shared: str
    pool: str
    thread: str
    block: str
    barriers: Mapping[str, str]
    headers: Mapping[str, str]
    helpers: Mapping[str, str]
    unroll: str
    elements: frozenset[str]
    computes: frozenset[str]
    converts: frozenset[str]
    shared_bytes: int
    assertion: str = ""
    grid: str = "gridDim.{axis}"
    threads: str = "blockDim.{axis}"
    block_type: str = "unsigned int"
    context: tuple[str, ...] = ()
    unrolls: bool = True
    large: str = ""
    assembly: bool = False
    place: str = ""
    loop: str = ""


_INTEGERS = frozenset(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)) | {"bool"}
_HALVES = frozenset({"float16", "bfloat16"})
_MOVED = frozenset({"float8_e4m3fn", "float8_e5m2", "float8_e8m0fnu", "complex64", "complex128"})
_LANES = (2, 4, 8, 16, 32, 64)
_SCALARS = tuple(element for element in DTYPES.values() if element.kind in IN_VECTORS)
_VECTORS = frozenset(f"{scalar}x{n}" for scalar in _SCALARS for n in _LANES if n * scalar.bits in WORDS)

CUDA = CTable(
    name="cuda",
    kernel='extern "C" __global__ void __launch_bounds__({threads}) {cluster}{name}({parameters}) {{',
    function="static __device__ __forceinline__",
    constant="static __device__ const {ctype} {name}[] = {{\n{numbers}\n}};",
    restrict="__restrict__",
    shared="__shared__",
    pool="alignas({alignment}) extern __shared__ unsigned char {name}[];",
    thread="threadIdx.{axis}",
    block="blockIdx.{axis}",
    barriers=MappingProxyType({"warp": "__syncwarp();", "cta": "__syncthreads();", "cluster": "tw_cluster_sync();"}),
    headers=MappingProxyType(
        {
            "__half": "#include <cuda_fp16.h>",
            "__nv_bfloat16": "#include <cuda_bf16.h>",
            "__nv_fp8_e4m3": "#include <cuda_fp8.h>",
            "__nv_fp8_e5m2": "#include <cuda_fp8.h>",
            "__nv_fp8_e8m0": "#include <cuda_fp8.h>",
            "__nv_fp6_e2m3": "#include <cuda_fp6.h>",
            "__nv_fp6_e3m2": "#include <cuda_fp6.h>",
            "__nv_fp4_e2m1": "#include <cuda_fp4.h>",
        }
    ),
    helpers=MappingProxyType({**HELPERS, **ORDERED, **PTX, **NARROWING}),
    unroll="#pragma unroll",
    elements=_INTEGERS | _HALVES | _MOVED | _VECTORS | {"float32", "float64", "tfloat32"},
    computes=_INTEGERS | _HALVES | {"float32", "float64"},
    converts=NVIDIA | {TF32},
    shared_bytes=48 * 1024,
    assembly=True,
)

# The literal text on the CPU, a fiber a thread, which validates what is emitted: headers (targets/host/shim/) define
# CUDA's words, and the floats of 16 bits; narrower ones are opaque bytes. Inline PTX is read into calls
# (targets/host/ptx/). Only the pool, which CUDA sizes at launch, is an array.
LITERAL = replace(
    CUDA,
    name="host",
    kernel=CUDA.kernel.replace('extern "C"', "static"),
    pool="alignas({alignment}) __shared__ unsigned char {name}[{size}];",
    headers=MappingProxyType({}),
    unroll="",
    assertion="tw::check({value}, {low}, {high}, {number});",
    place="tw::at({number});",
    loop="tw::within({number});",
)

# The fast path: one thread a block, which goes through the threads in loops (the pass `fission`). What is the block's
# are variables of the function, so that blocks can run at once; compilers unroll better than text does.
HOST = replace(
    LITERAL,
    kernel="static __attribute__((noinline)) void {name}({parameters}) {{",
    function="static inline",
    constant="static const {ctype} {name}[] = {{\n{numbers}\n}};",
    shared="",
    pool="alignas({alignment}) unsigned char {name}[{size}];",
    thread="0u",
    barriers=MappingProxyType({}),
    helpers=MappingProxyType({**HELPERS, **FUNCTIONS}),
    elements=LITERAL.elements | {name for name, row in NARROW.items() if row.element.bits == 8},
    converts=frozenset(NARROW) | {TF32},
    assembly=False,
    assertion="tw_check({value}, {low}, {high}, {number}, {thread});",
    place="",
    loop="",
    grid="blockIdx.grid.{axis}",
    block_type="long long",  # what an unsigned number may wrap, compilers do not make vectors of
    context=("const tw_block blockIdx",),
    unrolls=False,
    large="static thread_local",
)
