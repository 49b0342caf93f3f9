"""Clusters of blocks, by AMD's names: here each has one block."""

from __future__ import annotations

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import as_numeric
from tilewright.lang.core.numerics.types import Boolean, Index, Int32
from tilewright.lang.fly.cooperative.items import thread_number
from tilewright.lang.fly.functions.gpu import barrier
from tilewright.lang.fly.kernels import current_kernel

__all__ = [
    "CLUSTER_BARRIER_ID",
    "CLUSTER_WAIT_ALL",
    "cluster_barrier",
    "cluster_signal_once_per_wg",
    "cluster_wait",
    "cluster_workgroup_id_x",
    "cluster_workgroup_id_y",
    "cluster_workgroup_id_z",
    "compute_cluster_position",
    "is_wave_leader",
    "s_barrier_signal",
    "s_barrier_wait",
    "wave_id",
]

CLUSTER_BARRIER_ID = -3
CLUSTER_WAIT_ALL = CLUSTER_BARRIER_ID
BLOCK_BARRIER_ID = -1


def wave_id() -> Int32:
    """The wave's number in its block."""
    return Int32(as_numeric(thread_number() // current_kernel().lanes))


def is_wave_leader() -> Boolean:
    """Is it the block's first wave?"""
    return Boolean(wave_id() == 0)


def cluster_workgroup_id_x() -> Int32:
    """The block's place in its cluster along x."""
    return Int32(0)


def cluster_workgroup_id_y() -> Int32:
    """The block's place in its cluster along y."""
    return Int32(0)


def cluster_workgroup_id_z() -> Int32:
    """The block's place in its cluster along z."""
    return Int32(0)


def compute_cluster_position() -> tuple[Index, Index]:
    """The block's place in its cluster."""
    return Index(0), Index(0)


def cluster_signal_once_per_wg() -> None:
    """The block comes to the cluster's barrier: it is its only one."""


def cluster_wait() -> None:
    """Waits for the cluster's blocks: there is no other."""


def cluster_barrier() -> None:
    """All threads of the cluster meet."""
    barrier()


def s_barrier_signal(id: int = BLOCK_BARRIER_ID) -> None:
    """The wave comes to a barrier, and goes on; `s_barrier_wait` is where the block's threads meet here.

    Raises:
        KernelError: it is neither the block's barrier nor the cluster's.
    """
    _known(id)


def s_barrier_wait(id: int = BLOCK_BARRIER_ID) -> None:
    """Waits until all waves have come to a barrier.

    Raises:
        KernelError: it is neither the block's barrier nor the cluster's.
    """
    if _known(id) == BLOCK_BARRIER_ID:
        barrier()


def _known(id: int) -> int:
    if id not in (BLOCK_BARRIER_ID, CLUSTER_BARRIER_ID):
        raise KernelError(f"a barrier is -1, of the block, or -3, of the cluster; got {shown(id)}")
    return id
