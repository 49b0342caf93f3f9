"""What another lane of the warp has."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr, i1

from tilewright.errors import KernelError, shown
from tilewright.ir.mlir.foreign import TEXT, foreign
from tilewright.lang.core.numerics.number import Number
from tilewright.lang.core.trace import tracing

MODES = ("xor", "up", "down", "idx")
WIDTHS = (1, 2, 4, 8, 16, 32, 64)


def shuffled(mode: str, number: Number, offset: Number, width: Number) -> Number:
    """The number that another lane has: by `xor`, `up`, `down` or `idx`, within groups of `width` lanes.

    Args:
        offset, width: of Int32.

    Raises:
        KernelError: another mode, or a known width that is no power of two up to 64.
    """
    if mode not in MODES:
        raise KernelError(f"a shuffle is by {', '.join(MODES)}, got {shown(mode)}")
    if width.integer is not None and width.integer not in WIDTHS:
        raise KernelError(f"the lanes of a shuffle are a power of two up to {WIDTHS[-1]}, got {width.integer}")
    op = foreign("gpu.shuffle").create(
        operands=[number.ssa(), offset.ssa(), width.ssa()],
        result_types=[number.type, i1],
        attributes={TEXT: StringAttr(f" {mode} %, %, % : {number.type}")},
    )
    return number.of(tracing().emit(op).results[0])
