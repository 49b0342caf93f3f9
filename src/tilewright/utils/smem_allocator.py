"""Shared memory by offsets: FlyDSL's older allocator."""

from tilewright.lang.fly.functions.arith import _to_raw as get_index_value
from tilewright.lang.fly.functions.arith import _to_raw as get_op_result_or_value
from tilewright.lang.fly.legacy_shared import (
    SmemAllocator,
    SmemPtr,
    get_mlir_type_align,
    get_mlir_type_size,
    lds_space,
)
from tilewright.runtime.device import (
    SMEM_CAPACITY_MAP,
    check_smem_capacity,
)

__all__ = [
    "SMEM_CAPACITY_MAP",
    "SmemAllocator",
    "SmemPtr",
    "check_smem_capacity",
    "get_index_value",
    "get_mlir_type_align",
    "get_mlir_type_size",
    "get_op_result_or_value",
    "lds_space",
]
