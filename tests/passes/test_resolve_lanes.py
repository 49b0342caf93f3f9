"""Where a kernel asks for the lanes of a warp, the target's number stands, in all that is worked out of it."""

from __future__ import annotations

import pytest
from final_kernels import kernel
from xdsl.context import Context
from xdsl.dialects.arith import ConstantOp

from tilewright.ir.core.ranges import constant_of
from tilewright.ir.text import parse_module
from tilewright.passes.dce import Dce
from tilewright.passes.resolve_lanes import ResolveLanes


@pytest.mark.parametrize("lanes", [32, 64])
def test_what_is_worked_out_of_the_lanes_is_a_constant(lanes: int) -> None:
    """However long the chain is: ((lanes * 2 + 2) * lanes)."""
    module = parse_module(
        kernel(
            """%lanes = tile.warp_size
      %twice = arith.muli %lanes, %c2 : index
      %more = arith.addi %twice, %c2 : index
      %all = arith.muli %more, %lanes : index
      memref.store %x, %A[%all] : memref<9000xf32>""",
            "%A: memref<9000xf32>, %x: f32",
        )
    )
    ResolveLanes(lanes).apply(Context(), module)
    Dce().apply(Context(), module)
    (store,) = (op for op in module.walk() if op.name == "memref.store")
    assert constant_of(store.operands[2]) == (2 * lanes + 2) * lanes
    assert sum(isinstance(op, ConstantOp) for op in module.walk()) == 1
