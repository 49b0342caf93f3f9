"""Where the elements of a view lie: its layout at its first coordinates, as indices."""

from __future__ import annotations

from typing import cast

from xdsl.ir import SSAValue

from tilewright.ir.core.emit import Emitter
from tilewright.ir.core.operations import Formula
from tilewright.ir.core.ranges import Index
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.leaves import mapped
from tilewright.ir.fly.memories import pointer_of
from tilewright.ir.fly.types import MemRef, Value
from tilewright.layout.symbolic.expression import as_polynomial
from tilewright.layout.symbolic.symint import SymInt
from tilewright.passes.fly.opened import Roots
from tilewright.passes.fly_flat.flat import Flat
from tilewright.passes.fly_flat.held import places


def offsets(out: Flat, value: SSAValue, count: int) -> list[Index]:
    """How many cells behind its pointer the first elements of a view lie, colexicographically."""
    view, pointer = cast("FlyType[Value]", value.type).value, pointer_of(value.type)
    assert isinstance(view, MemRef)
    assert pointer is not None
    leaves = out[value].numbers[places(pointer) :]
    if not leaves:
        return [_known(view.layout(i)) for i in range(count)]
    roots, known = Roots(), dict[tuple[Formula, int], SSAValue]()
    rest = iter(leaves)
    said = mapped(view, lambda _: roots.of(next(rest)))
    assert isinstance(said, MemRef)
    layout = said.layout
    emitter = Emitter(out.builder, roots.places, known)
    return [_emitted(out, emitter, layout(i)) for i in range(count)]


def _known(offset: object) -> int:
    assert isinstance(offset, int), "of a view of memory"
    return offset


def _emitted(out: Flat, emitter: Emitter, offset: object) -> Index:
    if not isinstance(offset, SymInt):
        return _known(offset)
    return out.as_index(emitter.number(as_polynomial(offset), 64))
