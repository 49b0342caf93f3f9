"""Asynchronous work, as rows of the table of instructions: cp.async, bulk and tensor copies, mbarriers, proxy fences.

Source: PTX ISA; the operands are in its order, coordinates one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.address import AddressOp
from tilewright.ir.tile.asynchronous import ALL, AsyncCommitOp, AsyncWaitOp, CpAsyncOp, FenceOp
from tilewright.ir.tile.bulk import REDUCTIONS, BulkCopyOp, TensorCopyOp
from tilewright.ir.tile.mbarriers import MbarrierOp, MbarrierTestOp, MbarrierWaitOp
from tilewright.lang.addresses import Address, TensorMapParameter
from tilewright.lang.expressions import is_element
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, is_index, show
from tilewright.lang.words import Row, Words

Made: TypeAlias = Callable[[Words], Builder]


def pointer(t: Tracer, value: Value, what: str) -> SSAValue:
    """The address that an operand gives.

    Raises:
        KernelError: it gives none.
    """
    if not isinstance(value, Address):
        raise KernelError(f"{what} is an address, such as buffer.ptr_to([i]), got {show(value)}")
    return t.insert(AddressOp(value.buffer, value.indices)).results[0]


def number(t: Tracer, value: Value, what: str) -> SSAValue:
    """The integer that an operand gives, as an index.

    Raises:
        KernelError: it is none.
    """
    if type(value) is int or is_index(value):
        return t.index.value(value)
    if is_element(value) and element_dtype(value.type).is_integer:
        return t.elements.as_index(value)
    raise KernelError(f"{what} is an integer, got {show(value)}")


def constant(value: Value, what: str) -> int:
    """The constant natural number that an operand is.

    Raises:
        KernelError: it is none.
    """
    if type(value) is not int or value < 0:
        raise KernelError(f"{what} is a constant of at least 0, got {show(value)}")
    return value


# ---- cp.async


def _cp_async(words: Words) -> Builder:
    def handler(t: Tracer, dst: Value, src: Value, cp_size: Value, src_size: Value = None) -> None:
        count = constant(cp_size, "cp_size")
        if "cg" in words and count != 16:
            raise KernelError(f"cp.async.cg copies 16 bytes, got {count}; cp.async.ca copies 4, 8 or 16")
        target, source = pointer(t, dst, "dst"), pointer(t, src, "src")
        t.insert(CpAsyncOp(target, source, count, None if src_size is None else number(t, src_size, "src_size")))

    return handler


def _commit(kind: str) -> Made:
    return lambda words: lambda t: t.insert(AsyncCommitOp(kind)) and None


def _wait(kind: str) -> Made:
    def made(words: Words) -> Builder:
        def handler(t: Tracer, n: Value) -> None:
            t.insert(AsyncWaitOp(f"{kind}.read" if "read" in words else kind, constant(n, "n")))

        return handler

    return made


def _wait_all(words: Words) -> Builder:
    def handler(t: Tracer) -> None:
        t.insert(AsyncWaitOp("cp", ALL))

    return handler


# ---- mbarriers


def _counted(kind: str, default: int | None = None) -> Made:
    def counted(t: Tracer, bar: Value, count: Value) -> None:
        t.insert(MbarrierOp(kind, pointer(t, bar, "bar"), number(t, count, "count")))

    def arrives(t: Tracer, bar: Value, count: Value = default) -> None:
        counted(t, bar, count)

    return lambda words: counted if default is None else arrives


def _plain(kind: str) -> Made:
    def made(words: Words) -> Builder:
        chosen = f"{kind}.noinc" if "noinc" in words else kind

        def handler(t: Tracer, bar: Value) -> None:
            t.insert(MbarrierOp(chosen, pointer(t, bar, "bar")))

        return handler

    return made


def mbarrier_wait(t: Tracer, bar: Value, phase: Value) -> None:
    """`T.cuda.mbarrier_wait`: waits until the phase of this parity has completed."""
    t.insert(MbarrierWaitOp(pointer(t, bar, "bar"), number(t, phase, "phase")))


def _mbarrier_test(t: Tracer, bar: Value, phase: Value) -> SSAValue:
    return t.insert(MbarrierTestOp(pointer(t, bar, "bar"), number(t, phase, "phase"))).results[0]


# ---- fences

_FENCED: Mapping[str, str] = {
    "shared::cta": "proxy.async.shared",
    "shared::cluster": "proxy.async.shared",
    "global": "proxy.async.global",
}


def _fence(words: Words) -> Builder:
    kinds = {_FENCED[word] for word in words if word in _FENCED} or {"proxy.async"}
    kind = "mbarrier_init" if "mbarrier_init" in words else kinds.pop()

    def handler(t: Tracer) -> None:
        t.insert(FenceOp(kind))

    return handler


# ---- bulk copies


def _bulk_load(words: Words) -> Builder:
    def handler(t: Tracer, dst: Value, src: Value, size: Value, mbar: Value) -> None:
        target, source = pointer(t, dst, "dst"), pointer(t, src, "src")
        t.insert(BulkCopyOp("load", target, source, number(t, size, "size"), pointer(t, mbar, "mbar")))

    return handler


def _bulk_store(words: Words) -> Builder:
    def handler(t: Tracer, dst: Value, src: Value, size: Value) -> None:
        reduction = _reduction(words)
        target, source = pointer(t, dst, "dst"), pointer(t, src, "src")
        t.insert(BulkCopyOp("store", target, source, number(t, size, "size"), reduction=reduction))

    return handler


def _tensor_load(words: Words) -> Builder:
    def handler(t: Tracer, dst: Value, tensor_map: Value, *operands: Value) -> None:
        coordinates = _coordinates(t, words, operands[:-1])
        barrier = pointer(t, operands[-1] if operands else None, "mbar")
        t.insert(TensorCopyOp("load", pointer(t, dst, "dst"), _map(tensor_map), coordinates, barrier))

    return handler


def _tensor_store(words: Words) -> Builder:
    def handler(t: Tracer, tensor_map: Value, *operands: Value) -> None:
        reduction = _reduction(words)
        coordinates = _coordinates(t, words, operands[:-1])
        source = pointer(t, operands[-1] if operands else None, "src")
        t.insert(TensorCopyOp("store", source, _map(tensor_map), coordinates, reduction=reduction))

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


DIMENSIONS = tuple(f"{rank}d" for rank in range(1, 6))
_ON_SHARED = "shared shared::cta b64"
_LOAD = "shared::cta shared::cluster cta_group::1 tile"
_STORE = "shared::cta tile"
_RANKS = " ".join(DIMENSIONS)
_REDUCED = f"{_STORE} {' '.join(REDUCTIONS)} noftz f16 bf16 f32 f64 s32 u32 s64 u64 b32 b64"

ASYNC_ROWS: tuple[Row, ...] = (
    Row.of(
        "cp async",
        "ca cg shared shared::cta global L2::64B L2::128B L2::256B",
        _cp_async,
        "The thread begins to copy 4, 8 or 16 bytes to shared memory; with `src_size` the rest of them is zero.",
    ),
    Row.of("cp async commit_group", "", _commit("cp"), "The thread's copies in no group yet become one."),
    Row.of("cp async wait_group", "", _wait("cp"), "Waits until at most the latest n groups are not done."),
    Row.of("cp async wait_all", "", _wait_all, "Waits for all copies that the thread has begun."),
    Row.of(
        "cp async mbarrier arrive",
        f"noinc {_ON_SHARED}",
        _plain("cp_async.arrive"),
        "Arrives when the copies that the thread has begun are done; `noinc`: as one of the pending arrivals.",
    ),
    Row.of("cp async bulk commit_group", "", _commit("bulk"), "The thread's bulk stores in no group become one."),
    Row.of(
        "cp async bulk wait_group",
        "read",
        _wait("bulk"),
        "Waits until at most the latest n groups are not done; `read`: have not read all of shared memory.",
    ),
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
    Row.of("mbarrier init", _ON_SHARED, _counted("init"), "A uint64 of shared memory becomes an mbarrier."),
    Row.of("mbarrier inval", _ON_SHARED, _plain("inval"), "The word is memory again."),
    Row.of("mbarrier arrive", f"release cta {_ON_SHARED}", _counted("arrive", 1), "So many arrivals come."),
    Row.of(
        "mbarrier arrive expect_tx",
        f"release cta {_ON_SHARED}",
        _counted("arrive.expect_tx"),
        "One arrival comes, and so many bytes more are to come.",
    ),
    Row.of("mbarrier expect_tx", f"relaxed cta {_ON_SHARED}", _counted("expect_tx"), "So many bytes are to come."),
    Row.of(
        "mbarrier try_wait",
        f"parity acquire cta {_ON_SHARED}",
        lambda words: mbarrier_wait,
        "Waits until the phase of this parity has completed.",
    ),
    Row.of(
        "mbarrier test_wait",
        f"parity acquire cta {_ON_SHARED}",
        lambda words: _mbarrier_test,
        "Has the phase of this parity completed?",
    ),
    Row.of(
        "fence proxy async",
        "shared::cta shared::cluster global",
        _fence,
        "What the thread knows of is ordered for bulk copies, too.",
    ),
    Row.of("fence mbarrier_init release cluster", "", _fence, "As `fence.proxy.async`, of mbarriers alone."),
)
WAITING = (Function("cuda.mbarrier_wait", mbarrier_wait, "Waits until the phase of this parity has completed."),)
