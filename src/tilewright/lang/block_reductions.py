"""Reductions of a block, as TIRx has them: of each warp by shuffles, of the warps through shared memory."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.lanes import WarpSizeOp
from tilewright.ir.tile.ops import LoadOp, StoreOp
from tilewright.ir.tile.together import SyncOp
from tilewright.ir.tile.types import SHARED
from tilewright.lang.carrying import branch
from tilewright.lang.launch import thread_rank
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, is_buffer, show
from tilewright.lang.warps import reduced

_SIGNS: Mapping[str, str] = {"sum": "+", "max": "max", "min": "min"}


def _cta_reduce(t: Tracer, value: Value, op: Value, num_warps: Value, scratch: Value) -> SSAValue:
    """All threads get it; the block meets before and behind, so that `scratch` may be used again."""
    if not isinstance(op, str) or op not in _SIGNS:
        raise KernelError(f"T.cuda.cta_reduce takes one of {', '.join(_SIGNS)}, got {show(op)}")
    mine, memory = reduced(t, _SIGNS[op], value, None, "T.cuda.cta_reduce"), _scratch(scratch, value, num_warps)
    lanes = t.index.value(t.builder.insert(WarpSizeOp()).result)
    rank = t.index.value(thread_rank(t))
    warp, lane = t.index.value(t.index.div(rank, lanes)), t.index.value(t.index.mod(rank, lanes))
    branch(t, t.elements.compare("==", lane, t.index.value(0)), (), lambda: _put(t, mine, memory, warp))
    t.insert(SyncOp("cta"))
    found = _taken(t, memory, 0)
    for number in range(1, _count(num_warps)):
        found = t.elements.binary(_SIGNS[op], found, _taken(t, memory, number))
    t.insert(SyncOp("cta"))
    return found


def _put(t: Tracer, value: SSAValue, memory: SSAValue, place: SSAValue) -> None:
    t.insert(StoreOp(value, memory, [place]))


def _taken(t: Tracer, memory: SSAValue, place: int) -> SSAValue:
    return t.insert(LoadOp(memory, [t.index.value(place)])).results[0]


def _count(num_warps: Value) -> int:
    if type(num_warps) is not int or num_warps < 1:
        raise KernelError(f"num_warps is how many warps the block has, a constant, got {show(num_warps)}")
    return num_warps


def _scratch(scratch: Value, value: Value, num_warps: Value) -> SSAValue:
    """A place of shared memory for each warp."""
    if is_buffer(scratch) and isinstance(value, SSAValue):
        kind = buffer_type(scratch)
        fits = len(kind.shape) == 1 and kind.shape[0] >= _count(num_warps)
        if fits and kind.scope == SHARED and kind.element == value.type:
            return scratch
    wanted = "scratch is a buffer in shared memory, an element of the value's type for each warp"
    raise KernelError(f"{wanted}; got {show(scratch)}")


def _of(op: str) -> Builder:
    def build(t: Tracer, value: Value, num_warps: Value, scratch: Value) -> SSAValue:
        return _cta_reduce(t, value, op, num_warps, scratch)

    return build


BLOCK_REDUCTIONS: tuple[Function, ...] = (
    *(Function(f"cuda.cta_{op}", _of(op), f"The {op} over the block, through `scratch`.") for op in _SIGNS),
    Function("cuda.cta_reduce", _cta_reduce, 'The "sum", "max" or "min" over the block, through `scratch`.'),
)
