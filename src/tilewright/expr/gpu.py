"""`fx.gpu`: where a thread is, and what threads do together."""

from tilewright.lang.fly.functions.gpu import (
    barrier,
    block_dim,
    block_id,
    block_idx,
    grid_dim,
    known_block_size,
    lane_id,
    num_warp_threads,
    shuffle,
    shuffle_down,
    shuffle_idx,
    shuffle_up,
    shuffle_xor,
    thread_id,
    thread_idx,
)
from tilewright.lang.fly.legacy_shared import (
    lds_space,
)
from tilewright.lang.fly.legacy_shared import lds_space as smem_space
from tilewright.lang.fly.shared import (
    SharedAllocator,
)

__all__ = [
    "SharedAllocator",
    "barrier",
    "block_dim",
    "block_id",
    "block_idx",
    "grid_dim",
    "known_block_size",
    "lane_id",
    "lds_space",
    "num_warp_threads",
    "shuffle",
    "shuffle_down",
    "shuffle_idx",
    "shuffle_up",
    "shuffle_xor",
    "smem_space",
    "thread_id",
    "thread_idx",
]
