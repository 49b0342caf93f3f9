"""What the lanes of a wave tell each other, by AMD's names: votes, values of one lane, permutes."""

from __future__ import annotations

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute

from tilewright.dtypes import DType
from tilewright.errors import KernelError
from tilewright.ir.mlir.foreign import TEXT, foreign
from tilewright.lang.core.numerics.elements import element_of, ir_type
from tilewright.lang.core.numerics.number import of_ssa
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric, class_of, numeric_type, scalar
from tilewright.lang.core.numerics.types import Boolean, Int32
from tilewright.lang.core.trace import tracing
from tilewright.lang.fly.kernels import current_kernel

__all__ = ["SyncScope", "ballot", "ds_bpermute", "readfirstlane", "readlane"]


class SyncScope:
    """For which threads an access is atomic, on AMD's targets."""

    Agent = "agent"
    Workgroup = "workgroup"
    Wavefront = "wavefront"
    OneAs = "one-as"
    AgentOneAs = "agent-one-as"
    WorkgroupOneAs = "workgroup-one-as"
    WavefrontOneAs = "wavefront-one-as"
    SingleThreadOneAs = "singlethread-one-as"


def _element(res: object) -> DType:
    return element_of(res) if isinstance(res, Attribute) else numeric_type(res).element


def _told(name: str, res: object, *operands: Numeric) -> Numeric:
    """The number of a type that an op of the wave gives."""
    kind = ir_type(_element(res))
    given = ", ".join(str(operand.number.type) for operand in operands)
    types = f"({given}) -> {kind}" if len(operands) > 1 else str(kind)
    op = foreign(f"rocdl.{name}").create(
        operands=[operand.number.ssa() for operand in operands],
        result_types=[kind],
        attributes={TEXT: StringAttr(f" {', '.join('%' * len(operands))} : {types}")},
    )
    return scalar(of_ssa(tracing().emit(op).results[0]))


def _alike(res: object, src: NumericLike) -> Numeric:
    """What a lane has, which is of the type that is asked for."""
    found = as_numeric(src)
    if _element(res).bits != found.number.element.bits:
        wanted = class_of(_element(res))
        raise KernelError(f"a lane's {found.dtype} is asked for as {wanted}; convert it with .to(fx.{wanted})")
    return found


def ballot(res: object, pred: NumericLike) -> Numeric:
    """A bit for each lane of the wave that is there and holds.

    Args:
        res: the type of the result: of 64 bits for waves of 64 lanes, of 32 or 64 for those of 32.

    Raises:
        KernelError: the type has fewer bits than the wave lanes.
    """
    lanes = current_kernel().lanes
    if _element(res).bits < lanes:
        raise KernelError(f"a ballot of {lanes} lanes has {lanes} bits, which {class_of(_element(res))} has not")
    return _told("ballot", res, Boolean(pred))


def readfirstlane(res: object, src: NumericLike) -> Numeric:
    """What the first lane that is there has."""
    return _told("readfirstlane", res, _alike(res, src))


def readlane(res: object, src: NumericLike, lane: NumericLike) -> Numeric:
    """What the lane of that number has; all lanes ask for the same one."""
    return _told("readlane", res, _alike(res, src), Int32(lane))


def ds_bpermute(res: object, index: NumericLike, src: NumericLike) -> Numeric:
    """What the lane has whose number is a fourth of `index`."""
    return _told("ds_bpermute", res, Int32(index), _alike(res, src))
