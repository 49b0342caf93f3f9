"""Accesses of a dump below `fly`: copies of bytes, and the buffers and transposing reads of MLIR's `amdgpu`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tilewright.dumps.fly.access import (
    TRANSPOSED,
    Reading,
    Threads,
    at,
    behind_each_other,
    place_at_indices,
    space_of,
    vector_of,
)
from tilewright.dumps.fly.cost import Request
from tilewright.dumps.fly.gpu import groups
from tilewright.dumps.fly.operands import MANY, takes
from tilewright.dumps.fly.values import Missing, Value, are_numbers
from tilewright.errors import LayoutError
from tilewright.ir.fly.types import MemRef
from tilewright.notation.ttgir_op import Op


@takes(3, MANY)
def copied_bytes(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`llvm.intr.memcpy` of so many bytes to a pointer from another."""
    to, source, count = given[:3]
    if not isinstance(count, int) or count < 1:
        raise LayoutError("the number of bytes that it copies is not known")
    for place, kind in ((source, "load"), (to, "store")):
        if isinstance(place, Missing):
            raise LayoutError(place.why)
        if space := space_of(place):
            yield space, at(place, 8, count, "store" if kind == "store" else "load", threads)


@takes(1, MANY)
def buffer_load(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`amdgpu.raw_buffer_load %view[%i, %j] sgprOffset %s : memref<..>, i32, i32 -> T`: offsets in elements."""
    yield "global", _indexed(given, 0, op, op.output, threads)


@takes(2, MANY)
def buffer_store(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`amdgpu.raw_buffer_store %value -> %view[%i] : T -> memref<..>, i32`."""
    yield "global", _indexed(given, 1, op, op.input(0), threads, stores=True)


@takes(1, MANY)
def transposed(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`amdgpu.transpose_load %view[%i, %j] : memref<..> -> T`, out of shared memory."""
    yield "shared", _indexed(given, 0, op, op.output, threads, name=TRANSPOSED)


@takes(2, MANY)
def gathered(op: Op, given: list[Value], threads: Threads) -> Iterator[tuple[str, Request]]:
    """`amdgpu.gather_to_lds %from[%i], %to[%j] : T, memref<..>, memref<..>`: the lanes write behind each other."""
    moved = next((text for text in op.inputs if not text.startswith("memref<")), "")
    split = 1 + sum(word.startswith("%") for word in (groups(op.words) or [[]])[0])
    if split >= len(given):
        raise LayoutError(f"{op.name} on line {op.line} has no second view behind its {split - 1} indices")
    yield "global", _request(given[0], given[1:split], moved, threads)
    yield "shared", behind_each_other(_request(given[split], given[split + 1 :], moved, threads, True), threads)


def _indexed(
    given: list[Value], view: int, op: Op, moved: str, threads: Threads, stores: bool = False, name: str = ""
) -> Request:
    """A view and as many indices as it has dimensions; what follows are offsets that all threads have."""
    count = len((groups(op.words) or [[]])[0])
    return _request(given[view], given[view + 1 : view + 1 + count], moved, threads, stores, name)


def _request(
    view: Value, indices: Sequence[Value], moved: str, threads: Threads, stores: bool = False, name: str = ""
) -> Request:
    if not isinstance(view, MemRef):
        raise LayoutError(view.why if isinstance(view, Missing) else "it points nowhere known")
    if not are_numbers(indices):
        why = next((index.why for index in indices if isinstance(index, Missing)), "its address is not known")
        raise LayoutError(why)
    place, offset = place_at_indices(view, indices, threads)
    return at(place, *vector_of(moved), "store" if stores else "load", threads, offset, name)


READINGS: dict[str, Reading] = {
    "llvm.intr.memcpy": copied_bytes,
    "amdgpu.raw_buffer_load": buffer_load,
    "amdgpu.raw_buffer_store": buffer_store,
    "amdgpu.transpose_load": transposed,
    "amdgpu.gather_to_lds": gathered,
}
