"""`movmatrix`: a matrix of 8 x 8 16-bit elements in the registers of a warp, transposed, by two shuffles.

Source: PTX ISA, "movmatrix".
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.core.dependence import WARP
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.lanes import WarpSizeOp
from tilewright.ir.tile.together import ShuffleOp
from tilewright.lang.expressions import is_element
from tilewright.lang.ordered import destination
from tilewright.lang.rows import Builder
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, show
from tilewright.lang.words import Row, Words

_WORD = dtype("uint32")


def transposed(t: Tracer, word: SSAValue) -> SSAValue:
    """Lane l holds elements 2 (l % 4) and 2 (l % 4) + 1 of row l // 4; so it does of the transposed matrix."""
    lane = t.index.mod(t.index.mod(t.thread("x"), t.builder.insert(WarpSizeOp()).result), WARP)
    row, pair = t.index.div(lane, 4), t.index.mod(lane, 4)
    shift = t.elements.cast(t.index.value(t.index.mul(t.index.mod(row, 2), 16)), _WORD)
    halves = []
    for which in (0, 1):  # of row 2 pair + which, the element in column `row`
        holder = t.index.add(t.index.mul(t.index.add(t.index.mul(pair, 2), which), 4), t.index.div(row, 2))
        found = t.insert(ShuffleOp("idx", word, t.index.value(holder), WARP)).results[0]
        shifted = t.elements.binary(">>", found, shift)
        halves.append(t.elements.binary("&", shifted, t.elements.constant(0xFFFF, _WORD)))
    low, high = halves
    return t.elements.binary("|", low, t.elements.binary("<<", high, t.elements.constant(16, _WORD)))


def _movmatrix(words: Words) -> Builder:
    def build(t: Tracer, d: Value, a: Value) -> None:
        if not isinstance(a, SSAValue) or not is_element(a) or element_dtype(a.type) != _WORD:
            raise KernelError(f"movmatrix takes a uint32 register, two elements of 16 bits, got {show(a)}")
        destination(t, d, "movmatrix")(transposed(t, a))

    return build


MOVMATRIX_ROWS = (
    Row.of("movmatrix sync aligned m8n8 trans b16", "", _movmatrix, "D is the register of the transposed matrix."),
)
