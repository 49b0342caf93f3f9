"""What carries a value of a fly type into functions, loops and branches: pointers, and structures of its integers.

A static value is carried by nothing. An int tuple is a packed structure of its run-time leaves; a layout, a composed
layout and a coordinate tensor are structures of those of their parts that have run-time leaves; a memref is a pointer
and its layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.builder import Builder
from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.llvm import UndefOp
from xdsl.ir import Attribute, SSAValue

from tilewright.ir.fly.dialect_types import FlyType, IntTupleType, type_of
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.ops import make
from tilewright.ir.fly.types import Atom, CoordTensor, MemRef, Pointer, Value
from tilewright.ir.mlir.llvm import ExtractValueOp, InsertValueOp, StructType
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout

_STATEFUL = ("fly_rocdl.cdna3.buffer", "_scale", "tdm")


def carriers(kind: Attribute) -> tuple[Attribute, ...]:
    """The types that carry a value of that type; itself, where it is none of fly's or keeps a state.

    >>> from tilewright.ir.fly.dialect_types import from_text
    >>> [str(x) for x in carriers(from_text("!fly.memref<f16, shared, (16,?):(1,?)>"))]
    ['!fly.ptr<f16, shared>', '!llvm.struct<packed (struct<packed (i32)>, struct<packed (i32)>)>']
    """
    value = kind.value if isinstance(kind, FlyType) else None
    if not isinstance(kind, FlyType) or isinstance(value, Pointer) or _keeps_state(value):
        return (kind,)
    if isinstance(value, MemRef):
        return (type_of(value.pointer), *carriers(type_of(value.layout)))
    return (_struct(value),) if run_time_leaves(value) else ()


def _keeps_state(value: Value) -> bool:
    return isinstance(value, Atom) and any(word in value.text for word in _STATEFUL)


def _struct(value: Value) -> StructType:
    parts = _parts_of(value)
    if parts is None:
        return StructType.of([IntegerType(leaf.width) for leaf in run_time_leaves(value)])
    return StructType.of([_struct(part) for _, part in parts if run_time_leaves(part)])


def _parts_of(value: Value) -> Sequence[tuple[str, Value]] | None:
    """The parts of a value in the order of its structure, with the op that reads each."""
    match value:
        case Layout():
            return ("get_shape", value.shape), ("get_stride", value.stride)
        case ComposedLayout():
            return ("composed_get_outer", value.inner), ("composed_get_offset", value.offset)
        case CoordTensor():
            return ("get_iter", value.base), ("get_layout", value.layout)
    return None


# ---- from the carriers to the value


def unpacked(kind: Attribute, given: Sequence[SSAValue], builder: Builder) -> SSAValue:
    """The value that the carriers carry."""
    assert isinstance(kind, FlyType)
    value = kind.value
    if isinstance(value, MemRef):
        layout = unpacked(type_of(value.layout), given[1:], builder)
        return builder.insert(make("make_view", [given[0], layout], results=[kind])).results[0]
    if not given:
        return builder.insert(make("static", [], results=[kind])).results[0]
    return _read(kind, given[0], builder)


def _read(kind: FlyType[Value], struct: SSAValue, builder: Builder) -> SSAValue:
    value = kind.value
    if isinstance(kind, IntTupleType):
        leaves = [_field(struct, i, builder) for i in range(len(run_time_leaves(value)))]
        return builder.insert(make("make_int_tuple", leaves, results=[kind])).results[0]
    parts = list(_read_parts(_parts_of(value) or (), struct, builder))
    if isinstance(value, ComposedLayout):
        outer = builder.insert(make("static", [], results=[type_of(value.outer)])).results[0]
        return builder.insert(make("make_composed_layout", [outer, parts[1], parts[0]], results=[kind])).results[0]
    name = "make_layout" if isinstance(value, Layout) else "make_view"
    return builder.insert(make(name, parts, results=[kind])).results[0]


def _read_parts(parts: Sequence[tuple[str, Value]], struct: SSAValue, builder: Builder) -> Iterator[SSAValue]:
    field = 0
    for _, part in parts:
        kind = type_of(part)
        assert isinstance(kind, FlyType)
        if run_time_leaves(part):
            yield _read(kind, _field(struct, field, builder), builder)
            field += 1
        elif isinstance(kind, IntTupleType):
            yield builder.insert(make("make_int_tuple", [], results=[kind])).results[0]
        else:
            yield builder.insert(make("static", [], results=[kind])).results[0]


def _field(struct: SSAValue, place: int, builder: Builder) -> SSAValue:
    return builder.insert(ExtractValueOp.of(struct, place)).res


# ---- from the value to its carriers


def packed(value: SSAValue, builder: Builder) -> tuple[SSAValue, ...]:
    """The carriers of a value."""
    kind = value.type
    if carriers(kind) == (kind,):
        return (value,)
    assert isinstance(kind, FlyType)
    said = kind.value
    if isinstance(said, MemRef):
        pointer = builder.insert(make("get_iter", [value])).results[0]
        if not run_time_leaves(said):
            return (pointer,)
        return pointer, *packed(builder.insert(make("get_layout", [value])).results[0], builder)
    return (_written(value, builder),) if run_time_leaves(said) else ()


def _written(value: SSAValue, builder: Builder) -> SSAValue:
    assert isinstance(value.type, FlyType)
    said = value.type.value
    fields = list(_fields(value, said, builder))
    struct = builder.insert(UndefOp(_struct(said))).res
    for i, field in enumerate(fields):
        struct = builder.insert(InsertValueOp.of(struct, field, i)).res
    return struct


def _fields(value: SSAValue, said: Value, builder: Builder) -> Iterator[SSAValue]:
    parts = _parts_of(said)
    if parts is None:
        types = [IntegerType(leaf.width) for leaf in run_time_leaves(said)]
        yield from builder.insert(make("get_leaves", [value], {"dynamicOnly": True}, types)).results
        return
    for name, part in parts:
        if run_time_leaves(part):
            yield _written(builder.insert(make(name, [value])).results[0], builder)
