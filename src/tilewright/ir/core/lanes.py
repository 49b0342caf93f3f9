"""How many lanes a warp has: the target's affair, so that a kernel only asks for it."""

from __future__ import annotations

from xdsl.dialects.builtin import IndexType
from xdsl.irdl import IRDLOperation, irdl_op_definition, result_def, traits_def
from xdsl.traits import Pure

WARPS_OF_GROUP = 4  # of a warpgroup
WARP_SIZES = (32, 64)  # the fewest and the most lanes


@irdl_op_definition
class WarpSizeOp(IRDLOperation):
    """The lanes of a warp; a constant once the target is known."""

    name = "tile.warp_size"
    result = result_def(IndexType())
    traits = traits_def(Pure())
    assembly_format = "attr-dict"

    def __init__(self) -> None:
        super().__init__(result_types=[IndexType()])
