"""Memory as pointers: allocations become `make_ptr`, an element's load or store one behind a moved pointer."""

from __future__ import annotations

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i64
from xdsl.ir import SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.location import place
from tilewright.ir.fly.dialect_types import type_of
from tilewright.ir.fly.kinds import ANY_LAYOUT, INTEGERS
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.normal_form import innermost
from tilewright.ir.fly.ops import FlyOp, make
from tilewright.ir.fly.rules.queries import cosize
from tilewright.ir.fly.type_reader import BUFFER
from tilewright.ir.fly.types import AnyLayout, MemRef, Pointer
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import IntTuple, product
from tilewright.layout.query import get_scalar
from tilewright.layout.swizzle import Swizzle
from tilewright.passes.fly.emission import Emission
from tilewright.passes.fly.held import Held, Place, fly_type
from tilewright.passes.fly.worked_out import Function, moved_by, worked_out


def allocate(op: FlyOp, function: Function, emission: Emission) -> bool:
    """A view of memory of its own: `make_ptr` with as many elements as the layout reaches.

    Raises:
        CompileError: how far the layout reaches is known at run time only.
    """
    kind = fly_type(op.results[0])
    view = kind.value
    assert isinstance(view, MemRef)
    count = _elements(view.layout)
    if not isinstance(count, int):
        raise CompileError(f"'{op.name}' op: the size of {kind} is known at run time only\n{place(op)}".rstrip())
    given = function.of(op.operands[0]).numbers if run_time_leaves(view) else ()
    numbers = tuple(map(emission.within_reach, given))
    emission.built(Held(kind, numbers).parts[1])
    size = DictionaryAttr({"allocSize": IntegerAttr(count, i64)})
    made = emission.add(make("make_ptr", [], {"dictAttrs": size}, [type_of(view.pointer)]))
    function.put(op.results[0], Held(kind, numbers, Place(made.results[0])), emission)
    return True


def _elements(layout: AnyLayout) -> int:
    # A swizzle moves offsets about within its period.
    reached = cosize(layout)
    while isinstance(layout, ComposedLayout):
        if isinstance(layout.outer, Swizzle):
            period = 1 << layout.outer.b + layout.outer.m + abs(layout.outer.s)
            reached = -(-(reached + get_scalar(layout.offset)) // period) * period
        layout = layout.inner
    return reached


def load(op: FlyOp, function: Function, emission: Emission) -> bool:
    """`ptr.load`."""
    pointer = _address(function.of(op.operands[0]), function.of(op.operands[1]), emission)
    loaded = emission.add(make("ptr.load", [pointer], results=op.result_types))
    op.results[0].replace_all_uses_with(loaded.results[0])
    return True


def store(op: FlyOp, function: Function, emission: Emission) -> bool:
    """`ptr.store`."""
    pointer = _address(function.of(op.operands[1]), function.of(op.operands[2]), emission)
    emission.add(make("ptr.store", [op.operands[0], pointer], results=()))
    return True


def _address(view: Held, coord: Held, emission: Emission) -> SSAValue:
    """The pointer to the element, of which it is asserted that it lies within the view, unless that is of a buffer."""
    pointer, layout = view.parts
    found, where = layout.value, coord.value
    assert ANY_LAYOUT.admits(found)
    assert INTEGERS.admits(where)
    assert isinstance(pointer.value, Pointer)
    checked = [] if pointer.value.space == BUFFER else _within(where, innermost(found).shape)
    for axis, (index, extent) in enumerate(checked):
        emission.bound(index, extent, f"mode {axis} of a view, which has extent {extent}")
    done, numbers = worked_out("crd2idx", [coord, layout], emission)
    by = moved_by(done.value, numbers)
    there, _ = worked_out("add_offset", [pointer, by], emission)
    assert isinstance(there.value, Pointer)
    assert view.place is not None
    return emission.pointer(Place(base=view.place, by=by, type=type_of(there.value)))


def _within(coord: IntTuple, shape: IntTuple) -> list[tuple[int, int]]:
    if isinstance(coord, tuple) and isinstance(shape, tuple):
        return [pair for c, s in zip(coord, shape, strict=True) for pair in _within(c, s)]
    assert not isinstance(coord, tuple), "inference has compared the profiles"
    return [(coord, product(shape))]
