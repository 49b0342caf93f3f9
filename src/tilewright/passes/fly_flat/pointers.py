"""Pointers, layouts and views of a flat kernel: which numbers they consist of, and the memory that is set aside."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, IntegerType, StringAttr, i64
from xdsl.ir import Attribute, SSAValue

from tilewright.ir.core.attributes import OFFSET
from tilewright.ir.core.ranges import Index, constant_of
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.memories import cell_bits, pointer_of, space_of
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.storage import SIZES
from tilewright.ir.fly.types import Pointer, Value
from tilewright.ir.tile.types import GLOBAL, LOCAL
from tilewright.passes.fly_flat.bits import width
from tilewright.passes.fly_flat.flat import Flat, Handlers, refused
from tilewright.passes.fly_flat.held import places, types_of

WHOLE = 0xFFFFFFFF  # the bytes of a descriptor, an unsigned number of 32 bits
MOST_SHARED = 64 << 10  # bytes of shared memory behind `get_dyn_shared`, where no launch says how many


def _together(out: Flat, op: FlyOp) -> None:
    """A value made of others has their numbers."""
    result = op.results[0]
    numbers = out.spread(op.operands)
    kinds = types_of(result.type)
    made = [_wide(out, number, kind) for number, kind in zip(numbers, kinds, strict=True)] if kinds else []
    out.set(result, made, out.root(result, op))


def _wide(out: Flat, number: SSAValue, kind: Attribute) -> SSAValue:
    if number.type == kind:
        return number
    assert isinstance(kind, IntegerType)
    assert isinstance(number.type, IntegerType)
    kind_of_cast = arith.TruncIOp if number.type.width.data > kind.width.data else arith.ExtSIOp
    return out.insert(kind_of_cast(number, kind)).result


def _part(begin: Callable[[FlyOp], int]) -> Callable[[Flat, FlyOp], None]:
    """The numbers of a part of a value, from so many on."""

    def take(out: Flat, op: FlyOp) -> None:
        (value,), result = op.operands, op.results[0]
        start = begin(op)
        out.set(result, out[value].numbers[start : start + len(types_of(result.type))], out.root(result, op))

    return take


def _behind_pointer(op: FlyOp) -> int:
    pointer = pointer_of(op.operands[0].type)
    return 0 if pointer is None else places(pointer)


def _last(op: FlyOp) -> int:
    return len(types_of(op.operands[0].type)) - len(types_of(op.results[0].type))


def _leaves(out: Flat, op: FlyOp) -> None:
    for result, number in zip(op.results, out[op.operands[0]].numbers, strict=True):
        out.set(result, [_wide(out, number, result.type)])


def _moved(out: Flat, op: FlyOp) -> None:
    value, step = op.operands
    first, *rest = out[value].numbers
    at = out.index.add(first, _offset(out, op, step))
    out.set(op.results[0], [out.index.value(at), *rest], out[value].memory)


def _offset(out: Flat, op: FlyOp, step: SSAValue) -> Index:
    numbers = out[step].numbers
    if numbers:
        return out.as_index(out[step].one)
    value = cast("FlyType[Value]", step.type).value
    while isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    if type(value) is not int:
        raise refused(op, f"moves by {step.type}, which is no integer")
    return value


def _seen_anew(out: Flat, op: FlyOp) -> None:
    """A pointer to elements of another type counts its cells in these."""
    (value,), result = op.operands, op.results[0]
    before, after = pointer_of(value.type), pointer_of(result.type)
    assert before is not None
    assert after is not None
    made = [out.index.value(in_cells(out, number, before, cell_bits(after))) for number in out[value].numbers]
    out.set(result, made, out[value].memory)


def in_cells(out: Flat, place: Index, pointer: Pointer, bits: int) -> Index:
    """A number of a pointer's cells as one of cells of so many bits."""
    own = cell_bits(pointer)
    return out.index.mul(place, own // bits) if own >= bits else out.index.div(place, bits // own)


# ---- memory


def _made(out: Flat, op: FlyOp) -> None:
    """`make_ptr`: an allocation of so many elements, or a buffer of a pointer's memory."""
    pointer = pointer_of(op.results[0].type)
    assert pointer is not None
    if op.operands:
        _buffer(out, op, pointer)
        return
    facts = op.properties.get("dictAttrs")
    said = facts.data if isinstance(facts, DictionaryAttr) else {}
    found = {name: size.value.data for name, size in said.items() if isinstance(size, IntegerAttr)}
    elements = next((found[name] for name in SIZES if name in found), None)
    if elements is None and "allocBytes" not in found:
        raise refused(op, "says no allocSize, and has no operands")
    bits = 8 * found["allocBytes"] if elements is None else elements * cell_bits(pointer)
    _allocated(out, op, pointer, bits)


def _allocated(out: Flat, op: FlyOp, pointer: Pointer, bits: int) -> None:
    result, space = op.results[0], space_of(pointer)
    if space == GLOBAL:
        raise refused(op, f"allocates registers or shared memory, not {pointer.space} memory")
    unit = out.memories.units[result]
    made = alloca(unit, -(-bits // width(unit)), space)
    made.memref.name_hint = result.name_hint or {LOCAL: "registers"}.get(space, "shared_memory")
    out.memory[result] = out.insert(made).memref
    out.set(result, [out.index.value(0)], made.memref)


def alloca(unit: Attribute, count: int, space: str) -> memref.AllocaOp:
    """Memory of a thread or a block."""
    return memref.AllocaOp.get(unit, shape=[count], memory_space=StringAttr(space))


def _dynamic(out: Flat, op: FlyOp) -> None:
    """The shared memory of the launch, which all who ask for it share: the pool."""
    result = op.results[0]
    begins = out.memories.of(result)
    known = next((out.memory[begin] for begin in begins if begin in out.memory), None)
    if known is None:
        unit = out.memories.units[result]
        made = alloca(unit, 8 * out.dynamic // width(unit), "shared")
        made.attributes[OFFSET] = IntegerAttr(0, i64)
        made.memref.name_hint = "dynamic_shared"
        known = out.insert(made).memref
    out.memory[result] = known
    out.set(result, [out.index.value(0)], known)


def _buffer(out: Flat, op: FlyOp, pointer: Pointer) -> None:
    """`make_ptr(%base, %stride, %bytes, %flags)`: what lies beyond so many bytes reads as 0, and is not written."""
    if len(op.operands) != 4 or pointer_of(op.operands[0].type) is None:
        raise refused(op, "makes a buffer of a pointer, a stride, its bytes and flags")
    base, stride, size, _ = op.operands
    if constant_of(stride) != 0:
        raise refused(op, "buffers with a stride are not simulated")
    index = out.index
    known = constant_of(size)
    count: Index = out.as_index(out.one(size)) if known is None else known
    cells = index.div(index.bits_and(count, WHOLE), cell_bits(pointer) // 8)
    place = out[base].numbers[0]
    out.set(op.results[0], [place, place, index.value(cells)], out[base].memory)


POINTERS: Handlers = {
    **{
        OPS[name]: _together
        for name in (
            "make_int_tuple", "make_shape", "make_stride", "make_coord", "make_layout", "make_composed_layout",
            "make_view", "static", "make_copy_atom", "make_mma_atom", "make_tiled_copy", "make_tiled_mma", "make_tile",
        )
    },
    **dict.fromkeys((OPS["get_iter"], OPS["get_shape"]), _part(lambda op: 0)),
    OPS["get_layout"]: _part(_behind_pointer),
    OPS["get_stride"]: _part(_last),
    OPS["composed_get_outer"]: _part(lambda op: 0),
    OPS["composed_get_inner"]: _part(_last),
    **dict.fromkeys((OPS["get_leaves"], OPS["get_scalar"]), _leaves),
    OPS["add_offset"]: _moved,
    OPS["recast_iter"]: _seen_anew,
    OPS["make_ptr"]: _made,
    OPS["get_dyn_shared"]: _dynamic,
}  # fmt: skip
