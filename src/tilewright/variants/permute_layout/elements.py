"""Which element a lane moves through a register, as index arithmetic of the kernel."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import cast

from tilewright.analysis.permute.forms import F2Form, Form, XorForm, masked_shifts
from tilewright.ir.core.dependence import WARP
from tilewright.variants.emitter import Emitter, Index

DST, SRC = 0, 1  # operands of permute_layout


def element_of(form: Form, emitter: Emitter, lane: Index, register: Index) -> Index:
    """`form.element(lane, register)`."""
    i = emitter.index
    if isinstance(form, XorForm):
        turn = i.bits_and(i.shift_right(lane, form.shift), form.mask)
        return i.add(lane, i.mul(i.xor(register, turn), form.lanes))
    if isinstance(form, F2Form):
        return i.xor(_linear(emitter, lane, form.lane), _linear(emitter, register, form.register))
    table = [element for row in form.rows for element in row]
    return i.lookup(table, i.add(lane, i.mul(register, WARP)), "element")


def moving(full: bool, emitter: Emitter, element: Index, elements: int) -> AbstractContextManager[None]:
    """What follows is done by all lanes, or unless they are `full` by those whose element there is."""
    return nullcontext() if full else emitter.only_below(element, elements)


def _linear(emitter: Emitter, value: Index, columns: Sequence[int]) -> Index:
    """The XOR of the columns of the value's bits."""
    i, found = emitter.index, cast(Index, 0)
    for mask, distance in masked_shifts(columns):
        kept = value if mask + 1 == 1 << len(columns) else i.bits_and(value, mask)
        moved = i.shift_left(kept, distance) if distance > 0 else i.shift_right(kept, -distance)
        found = i.xor(found, moved)
    return found
