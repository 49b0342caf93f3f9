"""Ops around those of `fly` in its dumps: who a thread is, views of memory, pointers of LLVM."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from tilewright.dumps.fly import scalars as fly_scalars
from tilewright.dumps.fly.access import Threads, vector_of
from tilewright.dumps.fly.addresses import number_of, place_at
from tilewright.dumps.fly.arguments import SIZE, llvm_pointer, view
from tilewright.dumps.fly.operands import MANY, takes
from tilewright.dumps.fly.scalars import DATA, bits_of, wrapped
from tilewright.dumps.fly.values import Array, Missing, Place, Struct, Value, are_numbers, is_number, place_of
from tilewright.ir.fly.types import MemRef
from tilewright.layout.inttuple import product
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.operators import as_int
from tilewright.notation.ttgir_op import Op
from tilewright.numerals import integer

LIMIT = 1 << 40
MOST_FIELDS = 64
AXES = "xyz"
ARRAY = "!llvm.array<"
# The block that is looked at: not the first, which often has less to do.
BLOCK_ID = 1

Rule = Callable[[Op, list[Value], Threads], Value]


def thread_ids(shape: tuple[int, ...]) -> list[Array]:
    """The coordinates of every thread of a block, the first fastest."""
    flat = np.arange(int(np.prod(shape)), dtype=np.int64)
    return [flat % shape[0], flat // shape[0] % shape[1], flat // (shape[0] * shape[1])]


def identities(shape: tuple[int, ...], lanes: int) -> dict[str, Value]:
    """The values of ops that ask who and where a thread is, by their names with the axis."""
    ids, flat = thread_ids(shape), np.arange(int(np.prod(shape)), dtype=np.int64)
    found: dict[str, Value] = {
        "gpu.lane_id": flat % lanes, "gpu.subgroup_id": flat // lanes, "gpu.subgroup_size": lanes,
        "gpu.num_subgroups": -(-len(flat) // lanes), "rocdl.wave_id": flat // lanes, "rocdl.wave.id": flat // lanes,
    }  # fmt: skip
    for axis, own, extent in zip(AXES, ids, shape, strict=True):
        found |= dict.fromkeys((f"gpu.thread_id {axis}", f"rocdl.workitem.id.{axis}"), own)
        found |= dict.fromkeys((f"gpu.global_id {axis}",), own + extent * BLOCK_ID)
        found |= dict.fromkeys((f"gpu.block_id {axis}", f"rocdl.workgroup.id.{axis}"), BLOCK_ID)
        found |= dict.fromkeys((f"gpu.block_dim {axis}", f"rocdl.workgroup.dim.{axis}"), extent)
        found |= dict.fromkeys((f"gpu.grid_dim {axis}", f"rocdl.grid.dim.{axis}"), SIZE)
    return found


def identity_of(op: Op) -> str:
    """The name by which `identities` knows an op: `gpu.thread_id x`, in generic text `dimension = #gpu<dim x>`."""
    word = op.words[0] if op.words and op.words[0] in AXES else op.attributes.get("dimension", "").rstrip(" >")[-1:]
    return f"{op.name} {word}" if word in tuple(AXES) else op.name


# ---- views


def _fresh_view(op: Op, given: list[Value], threads: Threads) -> Value:
    name = f"{op.results[0] if op.results else op.name} of line {op.line}"
    symbol = next((word for word in op.words if word.startswith("@")), None)
    return view(symbol or name, op.output)


@takes(1, MANY)
def _seen_as(op: Op, given: list[Value], threads: Threads) -> Value:
    """`memref.view %bytes[%offset][]`: other elements, and perhaps further on."""
    source, *offset = given
    found = view("", op.output)
    if not isinstance(source, MemRef) or not isinstance(source.pointer, Place):
        return _missing([source])
    place = source.pointer.of(replace(found.pointer, space=source.pointer.space))
    if offset and op.name == "memref.view":
        if not is_number(first := offset[0]):
            return _missing(offset)
        place = place.moved(threads.leaves.leaf(first) * 8)
        if place.space == "shared" and isinstance(place.at, int):
            place = replace(place, origin=place.at)  # a view of its own, as allocators lay out shared memory
    return MemRef(place, found.layout)


@takes(1, MANY)
def _subview(op: Op, given: list[Value], threads: Threads) -> Value:
    """`memref.subview %m[%i, 8] [16, 16] [1, 1]`: offsets as written, extents and strides those of its type."""
    source, *rest = given
    brackets = groups(op.words)
    found = view("", op.output)
    if not isinstance(source, MemRef) or not isinstance(source.pointer, Place) or len(brackets) != 3:
        return _missing([source])
    offsets = _written(brackets[0], rest)
    strides = source.layout.stride if isinstance(source.layout, Layout) else ()
    if not isinstance(strides, tuple) or len(strides) != len(offsets) or not are_numbers(offsets):
        return _missing(offsets)
    leaves = map(threads.leaves.leaf, offsets)
    by: int = sum((as_int(leaf) * product(d) for leaf, d in zip(leaves, strides, strict=True)), start=0)
    return MemRef(source.pointer.moved(by * source.pointer.bits), found.layout)


def _written(words: list[str], operands: list[Value]) -> list[Value]:
    """Numbers among which some are operands: `%i`, `8`, `-`, `8`."""
    values, sign, rest = [], 1, iter(operands)
    for word in words:
        value = next(rest, DATA) if word.startswith("%") else integer(word, LIMIT)
        if word == "-":
            sign = -1
        else:
            values.append(sign * value if isinstance(value, int) else value)
            sign = 1
    return values


def groups(words: tuple[str, ...]) -> list[list[str]]:
    """What stands in square brackets, bracket by bracket."""
    found: list[list[str]] = []
    inside = False
    for word in words:
        if word == "[":
            found.append([])
        elif inside and word not in ("]", ","):
            found[-1].append(word)
        inside = word == "[" or (inside and word != "]")
    return found


def _missing(values: list[Value]) -> Missing:
    return next((value for value in values if isinstance(value, Missing)), Missing("its address is not known"))


# ---- pointers of LLVM


def _address_of(op: Op, given: list[Value], threads: Threads) -> Value:
    symbol = next((word for word in op.words if word.startswith("@")), op.name)
    return llvm_pointer(symbol, op.output)


def _private(op: Op, given: list[Value], threads: Threads) -> Value:
    """`llvm.alloca`: memory of a thread, whatever its address space is called."""
    return replace(llvm_pointer(f"{op.name} of line {op.line}", op.output), space="register")


@takes(1, MANY)
def _element_pointer(op: Op, given: list[Value], threads: Threads) -> Value:
    """`llvm.getelementptr %p[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32`."""
    base, *rest = given
    if not isinstance(base, Place):
        return _missing(given)
    by, element = _written((groups(op.words) or [[]])[0], rest), op.output
    if len(by) == 2 and element.startswith(ARRAY):  # of an array the first index chooses the whole, the second within
        by, element = by[1:] if isinstance(by[0], int) and by[0] == 0 else by, element.partition("x")[2].strip("> ")
    if len(by) != 1 or not is_number(by[0]):
        return _missing(by) if len(by) == 1 else Missing("a pointer into a structure is not followed")
    bits, count = vector_of(element)
    return base.moved(threads.leaves.leaf(by[0]) * bits * count)


@takes(1)
def _field(op: Op, given: list[Value], threads: Threads) -> Value:
    """`llvm.extractvalue %s[0, 1]` of the extents and strides that a kernel is given."""
    where = [integer(word, LIMIT) for word in (groups(op.words) or [[]])[0]]
    found: Value = given[0]
    for i in where:
        if i is None or not isinstance(found, tuple) or not 0 <= i < len(found):
            return _missing([found])
        found = found[i]
    return found


@takes(2)
def _with_field(op: Op, given: list[Value], threads: Threads) -> Value:
    """`llvm.insertvalue %x, %s[1]`: of structures in one another the outer field alone is followed."""
    value, before = given
    where = [integer(word, LIMIT) for word in (groups(op.words) or [[]])[0]]
    fields = list(before) if isinstance(before, tuple) else []
    if len(where) != 1 or where[0] is None or where[0] >= MOST_FIELDS:
        return DATA
    fields += [DATA] * (where[0] + 1 - len(fields))
    return Struct((*fields[: where[0]], value, *fields[where[0] + 1 :]))


@takes(1, MANY)
def _same(op: Op, given: list[Value], threads: Threads) -> Value:
    return given[0]


@takes(1)
def _address(op: Op, given: list[Value], threads: Threads) -> Value:
    """`llvm.ptrtoint`, and `memref.extract_aligned_pointer_as_index`."""
    place = place_of(given[0])
    return _missing(given) if place is None else number_of(place, threads.leaves)


@takes(1)
def _pointer(op: Op, given: list[Value], threads: Threads) -> Value:
    """`llvm.inttoptr %i : i32 to !llvm.ptr<3>`."""
    if not is_number(given[0]):
        return _missing(given)
    return place_at(given[0], llvm_pointer("", op.output), threads.leaves)


@takes(1)
def _first_lane(op: Op, given: list[Value], threads: Threads) -> Value:
    """Every lane has what the first active lane of its wave has."""
    (value,) = given
    if not isinstance(value, np.ndarray):
        return value
    flat = np.arange(threads.count)
    waves = flat // threads.lanes
    firsts = [int(np.argmax(threads.active & (waves == wave))) for wave in range(int(waves[-1]) + 1)]
    chosen: Array = value[np.array(firsts)[waves]]
    return chosen


def _llvm_constant(op: Op, given: list[Value], threads: Threads) -> Value:
    """`llvm.mlir.constant(4 : i32) : i32`."""
    words = [word for word in op.words if word not in ("(", ")")]
    sign, rest = (-1, words[1:]) if words[:1] == ["-"] else (1, words)
    number = integer(rest[0], 1 << 64) if rest else None
    bits = bits_of((op.inputs or op.outputs or ("",))[0])
    return DATA if number is None or bits is None else wrapped(sign * number, bits)


@takes(1)
def _cast(op: Op, given: list[Value], threads: Threads) -> Value:
    return fly_scalars.cast(op, given)


@takes(2)
def _compared(op: Op, given: list[Value], threads: Threads) -> Value:
    return fly_scalars.compared(op, given)


@takes(3)
def _selected(op: Op, given: list[Value], threads: Threads) -> Value:
    return fly_scalars.selected(given)


RULES: Mapping[str, Rule] = {
    "arith.constant": lambda op, given, threads: fly_scalars.constant(op),
    **dict.fromkeys(("arith.cmpi", "llvm.icmp"), _compared),
    **dict.fromkeys(("arith.select", "llvm.select"), _selected),
    **dict.fromkeys(("arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui", "arith.trunci"), _cast),
    **dict.fromkeys(("llvm.sext", "llvm.zext", "llvm.trunc"), _cast),
    **dict.fromkeys(("memref.get_global", "memref.alloc", "memref.alloca"), _fresh_view),
    **dict.fromkeys(("memref.view", "memref.cast", "memref.memory_space_cast"), _seen_as),
    "amdgpu.fat_raw_buffer_cast": _seen_as,
    **dict.fromkeys(("memref.extract_aligned_pointer_as_index", "llvm.ptrtoint"), _address),
    "llvm.inttoptr": _pointer,
    **dict.fromkeys(("llvm.addrspacecast", "llvm.freeze"), _same),
    "memref.subview": _subview,
    "llvm.mlir.addressof": _address_of,
    "llvm.alloca": _private,
    "llvm.getelementptr": _element_pointer,
    "llvm.extractvalue": _field,
    "llvm.insertvalue": _with_field,
    "llvm.mlir.constant": _llvm_constant,
    "rocdl.make.buffer.rsrc": _same,
    "rocdl.readfirstlane": _first_lane,
    "builtin.unrealized_conversion_cast": _same,
}
