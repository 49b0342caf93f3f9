"""`fx.rocdl.cluster`: clusters of blocks."""

from tilewright.lang.fly.functions.clusters import (
    CLUSTER_BARRIER_ID,
    CLUSTER_WAIT_ALL,
    cluster_barrier,
    cluster_signal_once_per_wg,
    cluster_wait,
    compute_cluster_position,
    is_wave_leader,
)

__all__ = [
    "CLUSTER_BARRIER_ID",
    "CLUSTER_WAIT_ALL",
    "cluster_barrier",
    "cluster_signal_once_per_wg",
    "cluster_wait",
    "compute_cluster_position",
    "is_wave_leader",
]
