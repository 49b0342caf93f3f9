"""Operations that access memory in a way that is not counted, and why: they are listed, never passed over."""

from __future__ import annotations

_DESCRIBED = "its descriptor says what it moves, and descriptors are not followed"
_ATOMIC = "how many passes an atomic operation takes is not known here"
_MASKED = "which of its elements take part, or where they lie, depends on data"
_OTHER = "it accesses memory in a way that is not followed"

# What an operation's name begins with -> why; the first that fits counts.
_WHY: tuple[tuple[str, str], ...] = (
    ("rocdl.tensor.", _DESCRIBED),
    ("amdgpu.tensor_", _DESCRIBED),
    ("llvm.atomicrmw", _ATOMIC),
    ("llvm.cmpxchg", _ATOMIC),
    ("memref.atomic_rmw", _ATOMIC),
    ("memref.generic_atomic_rmw", _ATOMIC),
    ("amdgpu.raw_buffer_atomic", _ATOMIC),
    ("rocdl.raw.ptr.buffer.atomic", _ATOMIC),
    ("rocdl.raw.buffer.atomic", _ATOMIC),
    ("rocdl.ds.atomic", _ATOMIC),
    ("rocdl.global.atomic", _ATOMIC),
    ("vector.transfer_", _MASKED),
    ("vector.masked", _MASKED),
    ("vector.gather", _MASKED),
    ("vector.scatter", _MASKED),
    ("vector.compressstore", _MASKED),
    ("vector.expandload", _MASKED),
    ("llvm.intr.masked", _MASKED),
    ("llvm.intr.mem", _OTHER),
    ("memref.copy", _OTHER),
    ("memref.dma_", _OTHER),
    ("rocdl.raw.", _OTHER),
    ("rocdl.buffer.", _OTHER),
    ("rocdl.global.", _OTHER),
    ("rocdl.flat.", _OTHER),
    ("rocdl.cluster.load", _OTHER),
    ("rocdl.load.", _OTHER),
    ("rocdl.ds.", _OTHER),
    ("amdgpu.raw_buffer_", _OTHER),
    ("amdgpu.gather_to_lds", _OTHER),
    ("amdgpu.transpose_load", _OTHER),
    ("nvvm.cp.", _OTHER),
    ("nvvm.ldmatrix", _OTHER),
    ("nvvm.stmatrix", _OTHER),
    ("nvgpu.", _OTHER),
)
# They ask how many are under way, or wait for them.
_SILENT = ("rocdl.global.prefetch", "nvvm.cp.async.wait", "nvvm.cp.async.commit", "nvvm.cp.async.bulk.wait",
           "nvvm.cp.async.bulk.commit", "nvgpu.device_async_wait", "nvgpu.device_async_create", "nvgpu.mma",
           "nvgpu.mbarrier", "nvgpu.tma.prefetch")  # fmt: skip


def why_unread(name: str) -> str | None:
    """Why an operation of that name is not counted; None of one that accesses no memory.

    >>> why_unread("llvm.atomicrmw"), why_unread("rocdl.ds_bpermute")
    ('how many passes an atomic operation takes is not known here', None)
    """
    if name.startswith(_SILENT):
        return None
    return next((why for prefix, why in _WHY if name.startswith(prefix)), None)
