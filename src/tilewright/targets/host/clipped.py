"""Elements that AMD's buffer instructions access one by one: beyond their memory these read 0, and write nothing."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, IntegerType, MemRefType
from xdsl.ir import Attribute, SSAValue

from tilewright.ir.core.ranges import Index
from tilewright.ir.tile.atoms import CopyAtomOp, Place
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.host.lane_code import Code


def can_clip(op: CopyAtomOp) -> bool:
    """Is it known where its memories end, and have their elements a 0?"""
    return all(isinstance(kind_of(one), AnyFloat | IntegerType) and one.size >= 0 for one in op.places)


def read(code: Code, op: CopyAtomOp, there: Place, at: Index) -> SSAValue:
    """The element there; 0 where the copy reads beyond its memory, and may."""
    if not op.clips or there.space == LOCAL:
        return code.load(there.memory, at)
    yes, no = Code.apart(), Code.apart()
    either = yes.load(there.memory, at), no.number(0, kind_of(there))
    return code.either(_inside(code, there, at), yes, no, [either])[0]


def write(code: Code, op: CopyAtomOp, there: Place, at: Index, value: SSAValue) -> None:
    """Puts it there; nowhere where the copy writes beyond its memory, and may."""
    if not op.clips or there.space == LOCAL:
        code.store(value, there.memory, at)
        return
    inside = Code.apart()
    inside.store(value, there.memory, at)
    code.either(_inside(code, there, at), inside, Code.apart(), [])


def kind_of(place: Place) -> Attribute:
    """The type of its elements."""
    kind = place.memory.type
    assert isinstance(kind, MemRefType), "flat memory"
    element: Attribute = kind.element_type
    return element


def _inside(code: Code, there: Place, at: Index) -> SSAValue:
    """Without its sign a negative number is greater than any size."""
    return code.compare("ult", code.index.value(at), code.index.value(there.size))
