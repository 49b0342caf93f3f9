"""Asynchronous work, as rows of the table of instructions: cp.async, bulk and tensor copies, mbarriers, proxy fences.

Source: PTX ISA; the operands are in its order, coordinates one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.utils.exceptions import VerifyException

from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.address import AddressOp, address_of
from tilewright.ir.tile.asynchronous import ALL, AsyncCommitOp, AsyncWaitOp, CpAsyncOp, FenceOp
from tilewright.ir.tile.mbarriers import MbarrierOp, MbarrierTestOp, MbarrierWaitOp
from tilewright.ir.tile.remote import remote_of
from tilewright.lang.addresses import Address
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


def checked(t: Tracer, op: IRDLOperation) -> IRDLOperation:
    """Inserts the op.

    Raises:
        KernelError: it is none that there is.
    """
    try:
        op.verify_()
    except VerifyException as error:
        raise KernelError(str(error)) from None
    t.insert(op)
    return op


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
        checked(t, CpAsyncOp(target, source, count, None if src_size is None else number(t, src_size, "src_size")))

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
    def made(words: Words) -> Builder:
        def counted(t: Tracer, bar: Value, count: Value) -> None:
            at, order = _word(t, words, bar), _order(words) if kind.startswith("arrive") else None
            checked(t, MbarrierOp(kind, at, number(t, count, "count"), order))

        def arrives(t: Tracer, bar: Value, count: Value = default) -> None:
            counted(t, bar, count)

        return counted if default is None else arrives

    return made


def _word(t: Tracer, words: Words, bar: Value) -> SSAValue:
    """The mbarrier, in the block of which the words may be."""
    found = pointer(t, bar, "bar")
    if words & {"shared", "shared::cta"} and remote_of(address_of(found).memory) is not None:
        raise KernelError("an mbarrier of another block is shared::cluster, not shared or shared::cta")
    return found


def _order(words: Words) -> str | None:
    if {"release", "relaxed"} <= words or {"cta", "cluster"} <= words:
        raise KernelError("an arrival is release or relaxed, of cta or of cluster")
    return "relaxed" if "relaxed" in words else None


def _plain(kind: str) -> Made:
    def made(words: Words) -> Builder:
        chosen = f"{kind}.noinc" if "noinc" in words else kind

        def handler(t: Tracer, bar: Value) -> None:
            checked(t, MbarrierOp(chosen, pointer(t, bar, "bar")))

        return handler

    return made


def mbarrier_wait(t: Tracer, bar: Value, phase: Value) -> None:
    """`T.cuda.mbarrier_wait`: waits until the phase of this parity has completed."""
    checked(t, MbarrierWaitOp(pointer(t, bar, "bar"), number(t, phase, "phase")))


def _mbarrier_test(t: Tracer, bar: Value, phase: Value) -> SSAValue:
    return checked(t, MbarrierTestOp(pointer(t, bar, "bar"), number(t, phase, "phase"))).results[0]


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


_ON_SHARED = "shared shared::cta b64"
_ARRIVES = "release relaxed cta cluster shared::cluster"

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
    Row.of("mbarrier init", _ON_SHARED, _counted("init"), "A uint64 of shared memory becomes an mbarrier."),
    Row.of("mbarrier inval", _ON_SHARED, _plain("inval"), "The word is memory again."),
    Row.of("mbarrier arrive", f"{_ARRIVES} {_ON_SHARED}", _counted("arrive", 1), "So many arrivals come."),
    Row.of(
        "mbarrier arrive expect_tx",
        f"{_ARRIVES} {_ON_SHARED}",
        _counted("arrive.expect_tx"),
        "One arrival comes, and so many bytes more are to come.",
    ),
    Row.of(
        "mbarrier expect_tx",
        f"relaxed cta cluster shared::cluster {_ON_SHARED}",
        _counted("expect_tx"),
        "So many bytes are to come.",
    ),
    Row.of(
        "mbarrier try_wait",
        f"parity acquire cta cluster {_ON_SHARED}",
        lambda words: mbarrier_wait,
        "Waits until the phase of this parity has completed.",
    ),
    Row.of(
        "mbarrier test_wait",
        f"parity acquire cta cluster {_ON_SHARED}",
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
WAITING = tuple(
    Function(f"cuda.{name}", mbarrier_wait, "Waits until the phase of this parity has completed.")
    for name in ("mbarrier_wait", "mbarrier_wait_acquire_cluster")
)
