"""What the lanes of a warp do together: shuffles, votes, reductions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from xdsl.ir import SSAValue

from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.core.dependence import WARP
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.lanes import WARP_SIZES, WarpSizeOp
from tilewright.ir.tile.among import ShuffleAmongOp, VoteAmongOp
from tilewright.ir.tile.together import (
    BALLOTS,
    BLOCK_VOTES,
    SHUFFLES,
    VOTES,
    WHOLE,
    ActiveMaskOp,
    BlockVoteOp,
    ShuffleOp,
    VoteOp,
)
from tilewright.lang.choices import choose
from tilewright.lang.expressions import as_condition, is_element
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, is_index, show

ALL = {0xFFFFFFFF: 32, -1: 32, (1 << 64) - 1: 64}  # the masks of all lanes, and the bits of what they give
_REDUCTIONS: Mapping[str, str] = {"sum": "+", "max": "max", "min": "min"}
_VOTES = {
    "any": "Does it hold in any lane?",
    "all": "In all lanes?",
    "ballot": "In which lanes? Bit i for lane i: a uint32, by a mask of 64 bits a uint64, for warps of so many.",
}
_SHUFFLES = {
    "idx": "What the lane of that number in its segment holds.",
    "up": "What the lane that much lower holds.",
    "down": "What the lane that much higher holds.",
    "xor": "What the lane holds whose number differs in these bits.",
}


def whole(mask: Value, name: str) -> int:
    """The bits of a mask of all lanes.

    Raises:
        KernelError: it is another.
    """
    if type(mask) is not int or mask not in ALL:
        masks = "the mask 0xFFFFFFFF, or 0xFFFFFFFFFFFFFFFF for 64"
        raise KernelError(f"{name} is for all lanes of a warp, with {masks}, got {show(mask)}")
    return ALL[mask]


def _some(t: Tracer, mask: Value, name: str) -> SSAValue | None:
    """The mask of some lanes; None for that of all.

    Raises:
        KernelError: no number of 32 or 64 bits without a sign, or one that names no lane.
    """
    if type(mask) is int and mask in ALL:
        return None
    if type(mask) is int and 0 < mask < 1 << 64:
        return t.elements.constant(mask, dtype("uint32" if mask < 1 << 32 else "uint64"))
    if is_element(mask) and mask.type in BALLOTS.values():
        return mask
    raise KernelError(
        f"the mask of {name} is 0xFFFFFFFF, of all lanes, or a uint32 or uint64 of some; got {show(mask)}"
    )


def _movable(value: Value, name: str) -> SSAValue:
    if not is_element(value) or element_dtype(value.type).bits not in (32, 64):
        raise KernelError(f"{name} moves an element of 32 or 64 bits, got {show(value)}")
    return value


def _width(width: Value, name: str) -> int:
    """The lanes of a segment; WHOLE where it is the warp, the default."""
    if width is None:
        return WHOLE
    if isinstance(width, SSAValue) and isinstance(width.owner, WarpSizeOp):
        return WHOLE
    most = WARP_SIZES[-1]
    if type(width) is not int or not 1 <= width <= most or width & (width - 1):
        raise KernelError(f"the width of {name} is a power of two up to {most} or T.warp_size(), got {show(width)}")
    return width


def _shuffle(kind: str, name: str) -> Builder:
    def handler(t: Tracer, mask: Value, var: Value, by: Value, width: Value = None) -> SSAValue:
        some = _some(t, mask, name)
        given = _movable(var, name), _by(t, by, name), _width(width, name)
        if some is not None:
            return t.insert(ShuffleAmongOp(kind, *given, some)).results[0]
        return _shuffled(t, kind, *given)

    return handler


def _by(t: Tracer, by: Value, name: str) -> SSAValue:
    if type(by) is int or is_index(by):
        return t.index.value(by)
    if is_element(by) and element_dtype(by.type).is_integer:
        return t.elements.as_index(by)
    raise KernelError(f"{name} takes the number of a lane, or a distance, got {show(by)}")


def _shuffled(t: Tracer, kind: str, value: SSAValue, by: SSAValue, width: int) -> SSAValue:
    return t.insert(ShuffleOp(kind, value, by, width)).results[0]


def _vote(kind: str, name: str) -> Builder:
    def handler(t: Tracer, mask: Value, pred: Value) -> SSAValue:
        some = _some(t, mask, name)
        condition = as_condition(t, pred)
        if isinstance(condition, bool):
            condition = t.elements.constant(condition, dtype("bool"))
        if some is not None:
            return t.insert(VoteAmongOp(kind, condition, some)).results[0]
        return t.insert(VoteOp(kind, condition, BALLOTS[whole(mask, name)])).results[0]

    return handler


def _reduction(sign: str, name: str) -> Builder:
    def handler(t: Tracer, value: Value, width: Value = None) -> SSAValue:
        return reduced(t, sign, value, width, name)

    return handler


def reduced(t: Tracer, sign: str, value: Value, width: Value, name: str) -> SSAValue:
    """What the sign makes of the values in segments of so many lanes; `None` and `T.warp_size()`: of the warp.

    Raises:
        KernelError: no element of 32 or 64 bits, or no such width.
    """
    found, lanes = _movable(value, name), _width(width, name)
    if lanes == WHOLE:
        found, lanes = _halves(t, sign, found), WARP
    distance = lanes // 2
    while distance:
        found, distance = _met(t, sign, found, distance), distance // 2
    return found


def _met(t: Tracer, sign: str, value: SSAValue, distance: int) -> SSAValue:
    other = _shuffled(t, "xor", value, t.index.value(distance), max(WARP, 2 * distance))
    return t.elements.binary(sign, value, other)


def _halves(t: Tracer, sign: str, value: SSAValue) -> SSAValue:
    """What both halves of a warp of 64 lanes make of it; the value itself on one of 32."""
    lanes = t.index.value(t.builder.insert(WarpSizeOp()).result)
    wide = t.elements.compare("==", lanes, t.index.value(WARP_SIZES[-1]))
    return cast(SSAValue, choose(t, wide, lambda: _met(t, sign, value, WARP), lambda: value))


def _shuffle_row(kind: str, prefix: str = "__") -> Function:
    """TIRx's kernels also write one underscore."""
    name = f"cuda.{prefix}shfl_sync" if kind == "idx" else f"cuda.{prefix}shfl_{kind}_sync"
    return Function(name, _shuffle(kind, f"T.{name}"), _SHUFFLES[kind])


def _of_tvm(kind: str) -> Function:
    """TVM's own name says how many lanes a warp has, too."""
    name = "tvm_warp_shuffle" if kind == "idx" else f"tvm_warp_shuffle_{kind}"
    moved = _shuffle(kind, f"T.{name}")

    def build(t: Tracer, mask: Value, value: Value, lane: Value, width: Value = None, warp_size: Value = None) -> Value:
        return moved(t, mask, value, lane, width)

    return Function(name, build, _SHUFFLES[kind])


def _vote_row(kind: str) -> Function:
    return Function(f"cuda.{kind}_sync", _vote(kind, f"T.cuda.{kind}_sync"), _VOTES[kind])


def _reduction_row(what: str) -> Function:
    name = f"cuda.warp_{what}"
    return Function(name, _reduction(_REDUCTIONS[what], f"T.{name}"), f"The {what} over `width` lanes, else the warp.")


def _elect(t: Tracer) -> SSAValue:
    lane = t.index.value(t.index.mod(t.thread("x"), t.builder.insert(WarpSizeOp()).result))
    return t.elements.compare("==", lane, t.index.value(0))


def _block_vote(kind: str) -> Builder:
    def handler(t: Tracer, cond: Value) -> SSAValue:
        condition = as_condition(t, cond)
        if isinstance(condition, bool):
            condition = t.elements.constant(condition, dtype("bool"))
        return t.insert(BlockVoteOp(kind, condition)).results[0]

    return handler


def _active_mask(t: Tracer, bits: Value = 32) -> SSAValue:
    if type(bits) is not int or bits not in BALLOTS:
        raise KernelError(f"T.cuda.__activemask has 32 bits, or 64 for warps of so many lanes; got {show(bits)}")
    return t.insert(ActiveMaskOp(bits)).results[0]


_BLOCK_VOTES = {"and": "does it hold in all?", "or": "in any?", "count": "in how many?"}
BLOCK: tuple[Function, ...] = tuple(
    Function(f"cuda.{name}", _block_vote(kind), f"The threads of the block meet: {_BLOCK_VOTES[kind]}")
    for kind in BLOCK_VOTES
    for name in (f"syncthreads_{kind}", f"__syncthreads_{kind}")
)
ACTIVE = Function("cuda.__activemask", _active_mask, "Which lanes happen to be here together? Bit i for lane i.")
ELECT = Function("cuda.elect_sync", _elect, "Is this the lane that acts for its warp?")
WARPS = (
    ELECT,
    ACTIVE,
    *map(_shuffle_row, SHUFFLES),
    *(_shuffle_row(kind, "_") for kind in SHUFFLES),
    *map(_of_tvm, SHUFFLES),
    *map(_vote_row, VOTES),
    *map(_reduction_row, _REDUCTIONS),
)
