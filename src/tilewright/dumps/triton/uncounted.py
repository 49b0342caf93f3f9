"""The operations of a Triton dump that nothing reads: why each is not counted, if it may access memory at all."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.notation.ttgir_op import Op
from tilewright.notation.ttgir_types import Types

# Their addresses are known at run time only, or the compiler has not yet chosen how they use shared memory.
OPEN: Mapping[str, str] = {
    "tt.scan": "how a scan across warps uses shared memory is chosen by the lowering",
    "tt.histogram": "its addresses in shared memory are data",
    "tt.gather": "its addresses in shared memory are data",
    "ttg.local_gather": "its addresses in shared memory are data",
    "ttg.local_scatter": "its addresses in shared memory are data",
    "tt.atomic_rmw": "its result may go round the warps through shared memory, as the lowering chooses",
    "tt.atomic_cas": "its result may go round the warps through shared memory, as the lowering chooses",
    **dict.fromkeys(
        ("amdg.buffer_atomic_rmw", "amdg.buffer_atomic_cas"),
        "what atomics at the same address cost is data, and its result may go round the warps through shared memory",
    ),
    "tt.descriptor_load": "the tile has no place in shared memory yet; dump a later stage",
    "tt.descriptor_store": "the tile has no place in shared memory yet; dump a later stage",
}

# They name memory and access none of its data.
_SILENT = (
    "ttg.memdesc_", "ttg.local_dealloc", "ttg.async_wait", "ttg.async_commit", "ttg.warp_", "ttng.wait_barrier",
    "ttng.init_barrier", "ttng.inval_barrier", "ttng.arrive_barrier", "ttng.barrier_expect", "ttng.warp_group_dot_wait",
    "ttng.tc_gen5_commit", "ttng.async_copy_mbarrier_arrive", "ttng.fence", "scf.", "cf.", "tt.return", "tt.call",
    "ttg.mask", "ttng.tmem_alloc", "ttng.tmem_load", "ttng.tmem_store", "ttng.tmem_subslice", "ttng.cluster",
    "arith.select", "builtin.", "tt.func", "ub.poison", "amdg.memory_counter_wait", "rocdl.", "amdg.init_barrier",
    "amdg.arrive_barrier", "amdg.wait_barrier", "ttng.tensormap_", "ttng.reinterpret_tensor_descriptor",
    "ttg.global_scratch_alloc",
)  # fmt: skip

# They make pointers and descriptors of others, or numbers of them.
_ARITHMETIC = frozenset((
    "tt.addptr", "tt.splat", "tt.unsplat", "tt.broadcast", "tt.expand_dims", "tt.reshape", "tt.trans", "tt.bitcast",
    "tt.int_to_ptr", "tt.ptr_to_int", "tt.join", "tt.split", "tt.cat", "tt.make_tensor_ptr", "tt.advance",
    "tt.make_tensor_descriptor", "amdg.extract_slice", "amdg.concat", "amdg.in_thread_transpose",
))  # fmt: skip
_POINTERS = ("!tt.ptr<", "!llvm.ptr", "memref<", "!tt.tensordesc<")


def why_uncounted(op: Op, types: Types) -> str:
    """The reason; empty for an operation that accesses no data.

    Law: an operation that nobody knows and that takes pointers, descriptors or views of memory has one.

    >>> why_uncounted(Op("new.fetch", 1, (), ("%p",), ("tensor<8x!tt.ptr<f16>>",)), Types({}))
    'it takes pointers to memory, and what it accesses there is not known here'
    """
    if op.name in OPEN:
        return OPEN[op.name]
    if op.name.startswith(_SILENT):
        return ""
    if names_shared(op, types):
        return "it names shared memory, and what it accesses there is not known here"
    if any(_is_view(text, types) for text in op.inputs):
        return "it takes a view of memory, and what it accesses there is not known here"
    if op.name not in _ARITHMETIC and any(word in text for text in op.inputs for word in _POINTERS):
        return "it takes pointers to memory, and what it accesses there is not known here"
    return ""


def names_shared(op: Op, types: Types) -> bool:
    """Does it name a view of shared memory?"""
    found = (types.tiled(text) for text in (*op.inputs, *op.outputs))
    return any(tiled is not None and tiled.is_shared for tiled in found)


def _is_view(text: str, types: Types) -> bool:
    tiled = types.tiled(text)
    return tiled is not None and tiled.kind == "memdesc"
