"""Copies of a Triton dump from global to shared memory past the registers: both sides move vectors of one width."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from tilewright.analysis.lowering.columns import Columns, columns_of
from tilewright.analysis.lowering.issue import Issue, plains
from tilewright.arch import ArchSpec
from tilewright.dumps.finding import Finding, Unknown
from tilewright.dumps.triton.axes import vector_of
from tilewright.dumps.triton.context import Context
from tilewright.dumps.triton.global_memory import operand, through
from tilewright.dumps.triton.shared import moved, widest
from tilewright.errors import LayoutError
from tilewright.notation.ttgir_op import Op

_NAMES = {"nvidia": "cp.async", "amd": "global_load_lds"}
_MOST = {"gfx90a": 4, "gfx942": 4}  # bytes; newer chips move 16
MASK = 2


def async_copy(op: Op, context: Context) -> Iterator[Finding | Unknown]:
    """`ttg.async_copy_global_to_local %pointers, %view mask %mask`: what it writes, and what it reads."""
    pointers, memory = context.tile(op.inputs, "tensor"), context.tile((*op.inputs, *op.outputs), "memdesc")
    bits, mask = memory.bits, "".join(op.operands[MASK : MASK + 1]) if "mask" in op.words else ""
    found = vector_of(operand(op, 0), pointers, bits, context, mask)
    choose = partial(_asynchronous, max(op.integer("contiguity") or 1, found) * bits, context.spec)
    issue = next(choose(columns_of(pointers.layout, memory.layout), bits, widest(memory)))
    _check_width(issue.width(bits), context.spec)
    yield moved(op, memory, pointers, choose, context)
    try:
        yield through(op, pointers, "global load", 8 * issue.width(bits), context)
    except LayoutError as error:
        yield Unknown(op.name, str(error).splitlines()[0], False)


def _check_width(width: int, spec: ArchSpec) -> None:
    most = _MOST.get(spec.name, width)
    if width > most:
        raise LayoutError(f"{spec.name} moves at most {most} bytes a lane past its registers, not {width}")


def _asynchronous(together: int, spec: ArchSpec, columns: Columns, bits: int, most: int) -> Iterator[Issue]:
    for issue in plains(columns, bits, "store", spec, max(bits, min(most, together))):
        yield replace(issue, text=f"{_NAMES[spec.vendor]} {issue.width(bits)} bytes")
