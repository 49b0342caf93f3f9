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

__all__ = [
    "barrier",
    "block_dim",
    "block_id",
    "block_idx",
    "grid_dim",
    "known_block_size",
    "lane_id",
    "num_warp_threads",
    "shuffle",
    "shuffle_down",
    "shuffle_idx",
    "shuffle_up",
    "shuffle_xor",
    "thread_id",
    "thread_idx",
]
