"""`fx.coop`: reductions and scans of a warp and of a block."""

from tilewright.lang.fly.functions.coop import (
    BlockReduce,
    BlockReduceAlgorithm,
    BlockScan,
    BlockScanAlgorithm,
    warp_exclusive_scan,
    warp_inclusive_scan,
    warp_reduce,
    warp_scan,
    warp_scan_with_aggregate,
)

__all__ = [
    "BlockReduce",
    "BlockReduceAlgorithm",
    "BlockScan",
    "BlockScanAlgorithm",
    "warp_exclusive_scan",
    "warp_inclusive_scan",
    "warp_reduce",
    "warp_scan",
    "warp_scan_with_aggregate",
]
