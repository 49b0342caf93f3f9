"""Bulk and tensor copies, and stores that count their bytes on an mbarrier, as rows of the table of instructions.

Source: PTX ISA; the operands are in its order, coordinates one by one, the mask of blocks last.
"""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.ir.tile.bulk import REDUCTIONS, BulkCopyOp, TensorCopyOp
from tilewright.ir.tile.cluster import StAsyncOp
from tilewright.lang.addresses import TensorMapParameter
from tilewright.lang.asynchronous import checked, number, pointer
from tilewright.lang.ordered import element_at
from tilewright.lang.rows import Builder
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, show
from tilewright.lang.variables import fitting
from tilewright.lang.words import Row, Words

MULTICAST = "multicast::cluster"


def _bulk_load(words: Words) -> Builder:
    def load(t: Tracer, dst: Value, src: Value, size: Value, mbar: Value, mask: SSAValue | None = None) -> None:
        target, source = pointer(t, dst, "dst"), pointer(t, src, "src")
        checked(t, BulkCopyOp("load", target, source, number(t, size, "size"), pointer(t, mbar, "mbar"), mask=mask))

    def handler(t: Tracer, dst: Value, src: Value, size: Value, mbar: Value) -> None:
        load(t, dst, src, size, mbar)

    def multicast(t: Tracer, dst: Value, src: Value, size: Value, mbar: Value, ctaMask: Value) -> None:
        load(t, dst, src, size, mbar, number(t, ctaMask, "ctaMask"))

    return multicast if MULTICAST in words else handler


def _bulk_share(words: Words) -> Builder:
    def handler(t: Tracer, dst: Value, src: Value, size: Value, mbar: Value) -> None:
        target, source = pointer(t, dst, "dst"), pointer(t, src, "src")
        count, barrier = number(t, size, "size"), pointer(t, mbar, "mbar")
        checked(t, BulkCopyOp("share", target, source, count, barrier, _reduction(words)))

    return handler


def _bulk_store(words: Words) -> Builder:
    def handler(t: Tracer, dst: Value, src: Value, size: Value) -> None:
        reduction = _reduction(words)
        target, source = pointer(t, dst, "dst"), pointer(t, src, "src")
        checked(t, BulkCopyOp("store", target, source, number(t, size, "size"), reduction=reduction))

    return handler


def _tensor_load(words: Words) -> Builder:
    def handler(t: Tracer, dst: Value, tensor_map: Value, *operands: Value) -> None:
        mask = None
        if MULTICAST in words and operands:
            operands, mask = operands[:-1], number(t, operands[-1], "ctaMask")
        coordinates = _coordinates(t, words, operands[:-1])
        barrier = pointer(t, operands[-1] if operands else None, "mbar")
        checked(t, TensorCopyOp("load", pointer(t, dst, "dst"), _map(tensor_map), coordinates, barrier, mask=mask))

    return handler


def _tensor_store(words: Words) -> Builder:
    def handler(t: Tracer, tensor_map: Value, *operands: Value) -> None:
        reduction = _reduction(words)
        coordinates = _coordinates(t, words, operands[:-1])
        source = pointer(t, operands[-1] if operands else None, "src")
        checked(t, TensorCopyOp("store", source, _map(tensor_map), coordinates, reduction=reduction))

    return handler


def _coordinates(t: Tracer, words: Words, given: tuple[Value, ...]) -> list[SSAValue]:
    rank = next((int(word[0]) for word in words if word in DIMENSIONS), None)
    flat = given[0] if len(given) == 1 and isinstance(given[0], tuple) else given
    if rank is None or rank != len(flat):
        raise KernelError(f"a tensor copy says its dimension, 1d to 5d, and has as many coordinates, got {len(flat)}")
    return [number(t, value, "a coordinate") for value in flat]


def _map(value: Value) -> SSAValue:
    if not isinstance(value, TensorMapParameter):
        raise KernelError(f"a tensor copy takes a parameter with the annotation T.TensorMap(), got {show(value)}")
    return value.map


def _reduction(words: Words) -> str | None:
    found = [word for word in REDUCTIONS if word in words]
    if "reduce" in words and len(found) != 1:
        raise KernelError(f"a reduction is one of {', '.join(REDUCTIONS)}")
    return found[0] if found else None


def _async_store(words: Words) -> Builder:
    """`st.async`, or `red.async`: the values, as many as the word says, then the mbarrier."""
    count = next((int(word[1]) for word in VECTORS if word in words), 1)

    def handler(t: Tracer, addr: Value, *operands: Value) -> None:
        if len(operands) != count + 1:
            raise KernelError(f"the instruction takes {count} values and an mbarrier, got {len(operands)} operands")
        reduction = _reduction(words | {"reduce"}) if "red" in words else None
        _, kind = element_at(words, addr, "an asynchronous store")
        values = [fitting(t, value, kind) for value in operands[:-1]]
        checked(t, StAsyncOp(pointer(t, addr, "addr"), values, pointer(t, operands[-1], "mbar"), reduction))

    return handler


DIMENSIONS = tuple(f"{rank}d" for rank in range(1, 6))
_LOAD = "shared::cta shared::cluster cta_group::1 tile"
_STORE = "shared::cta tile"
_RANKS = " ".join(DIMENSIONS)
_REDUCED = f"{_STORE} {' '.join(REDUCTIONS)} noftz f16 bf16 f32 f64 s32 u32 s64 u64 b32 b64"
_TYPES = "b32 b64 u32 u64 s32 s64 f32 f64"
VECTORS = ("v2", "v4")

BULK_ROWS: tuple[Row, ...] = (
    Row.of(
        "cp async bulk global mbarrier::complete_tx::bytes",
        _LOAD,
        _bulk_load,
        "Begins to copy so many bytes to shared memory, which count on the mbarrier.",
    ),
    Row.of("cp async bulk global bulk_group", _STORE, _bulk_store, "Begins to copy so many bytes to global memory."),
    Row.of(
        "cp reduce async bulk global bulk_group",
        _REDUCED,
        _bulk_store,
        "Begins to add so many bytes of elements to global memory, or what else the word says.",
    ),
    Row.of(
        "cp async bulk tensor global mbarrier::complete_tx::bytes",
        f"{_LOAD} {_RANKS}",
        _tensor_load,
        "Begins to copy a box of a tensor to shared memory; coordinates fastest first, then the mbarrier.",
    ),
    Row.of(
        "cp async bulk tensor global bulk_group",
        f"{_STORE} {_RANKS}",
        _tensor_store,
        "Begins to copy a box to a tensor; coordinates fastest first, then the tile.",
    ),
    Row.of(
        "cp reduce async bulk tensor global bulk_group",
        f"{_REDUCED} {_RANKS}",
        _tensor_store,
        "Begins to add a box to a tensor, or what else the word says.",
    ),
    Row.of(
        "cp async bulk global mbarrier::complete_tx::bytes multicast::cluster",
        _LOAD,
        _bulk_load,
        "The same to this place of each block of the cluster whose bit is set, counting on the mbarrier there.",
    ),
    Row.of(
        "cp async bulk tensor global mbarrier::complete_tx::bytes multicast::cluster",
        f"{_LOAD} {_RANKS}",
        _tensor_load,
        "The same of a box; the mask of blocks comes last.",
    ),
    Row.of(
        "cp async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes",
        "",
        _bulk_share,
        "Begins to copy so many bytes to another block of the cluster, which count on an mbarrier there.",
    ),
    Row.of(
        "cp reduce async bulk shared::cluster shared::cta mbarrier::complete_tx::bytes",
        f"{' '.join(REDUCTIONS)} s32 u32 s64 u64 b32 b64",
        _bulk_share,
        "Begins to add so many bytes of elements there, or what else the word says.",
    ),
    Row.of(
        "st async mbarrier::complete_tx::bytes",
        f"weak shared::cluster {' '.join(VECTORS)} {_TYPES}",
        _async_store,
        "Values begin to go to a block of the cluster, and their bytes count on an mbarrier there.",
    ),
    Row.of(
        "red async mbarrier::complete_tx::bytes",
        f"relaxed cluster shared::cluster {' '.join(REDUCTIONS)} {_TYPES}",
        _async_store,
        "The same, added to what is there, or what else the word says.",
    ),
)
