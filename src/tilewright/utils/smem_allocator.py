"""Shared memory by offsets: FlyDSL's older allocator."""

from tilewright.lang.fly.functions.arith import _to_raw as get_index_value
from tilewright.lang.fly.functions.arith import _to_raw as get_op_result_or_value
from tilewright.lang.fly.legacy_shared import *
from tilewright.runtime.device import SMEM_CAPACITY_MAP as SMEM_CAPACITY_MAP
from tilewright.runtime.device import check_smem_capacity as check_smem_capacity
