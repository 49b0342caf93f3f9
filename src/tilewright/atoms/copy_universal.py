"""Copies of one thread: plain loads and stores, cp.async, bulk and TMA copies, atomics.

All of them move a run of bits from one place to another, (1, bits):(0, 1) on every side; the TMA copies of a pair of
CTAs two runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict, Unpack

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.registry import Row
from tilewright.errors import UsageError, shown
from tilewright.layout.layout import Layout

WIDTHS = (8, 16, 32, 64, 128, 256)


class CopyFacts(TypedDict, total=False):
    """Fields of a copy beside its layouts, by name."""

    spaces: tuple[str, str]
    alignment: int
    asynchronous: bool
    broadcast: int


def run_of_bits(
    name: str,
    bits: int,
    arch: str = "any",
    *,
    threads: int = 1,
    instruction: str = "",
    source: str = "",
    **more: Unpack[CopyFacts],
) -> CopyAtom:
    """A copy of `bits` neighbouring bits by each thread, aligned to its own size."""
    run = Layout((threads, bits), (bits if threads > 1 else 0, 1 if bits > 1 else 0))
    more.setdefault("alignment", max(1, min(16, bits // 8)))
    return CopyAtom(name, Layout(threads, int(threads > 1)), run, run, run, arch, instruction, source, **more)


def universal_copy(bits: int) -> CopyAtom:
    """The plain copy of `bits` bits a thread: a register, or a vector load or store.

    Raises:
        UsageError: not a width between 8 and 256 bits that memory instructions have.

    >>> print(universal_copy(128).with_element(16).tv_layout_src)
    (1,8):(0,1)
    """
    if type(bits) is not int or bits not in WIDTHS:
        raise UsageError(f"a universal copy moves {', '.join(map(str, WIDTHS))} bits, not {shown(bits)}")
    return run_of_bits(f"UniversalCopy{bits}b", bits, source="CuTe UniversalCopy; FlyDSL UniversalCopy")


def universal_atomic(operation: str, bits: int) -> CopyAtom:
    """An atomic read-modify-write of one element of `bits` bits in memory: add, max, min, and, or, inc, dec."""
    if not isinstance(operation, str) or operation not in ATOMICS or bits not in (16, 32, 64):
        raise UsageError(
            f"atomics are {', '.join(ATOMICS)} on 16, 32 or 64 bits, not {shown(operation)} on {shown(bits)}"
        )
    return run_of_bits(f"UniversalAtomic{operation.capitalize()}{bits}b", bits, instruction=f"atomic.{operation}")


ATOMICS = ("add", "max", "min", "and", "or", "inc", "dec")


# cache policy of cp.async -> (PTX qualifier, widths in bits)
_CACHES = {"ALWAYS": ("ca", (32, 64, 128)), "GLOBAL": ("cg", (128,))}
_FILLS = ("", "_ZFILL")


def cp_async(cache: str, fill: str, bits: int) -> CopyAtom:
    """The asynchronous copy to shared memory; `cache` is "ALWAYS" or "GLOBAL", `fill` "" or "_ZFILL".

    Raises:
        UsageError: no such policy or filling, or a width that the policy does not have.
    """
    if not isinstance(cache, str) or cache not in _CACHES or not isinstance(fill, str) or fill not in _FILLS:
        raise UsageError(f"cp.async caches {', '.join(_CACHES)}, fills '' or _ZFILL, not {shown(cache)}, {shown(fill)}")
    policy, widths = _CACHES[cache]
    if type(bits) is not int or bits not in widths:
        raise UsageError(f"cp.async.{policy} moves {', '.join(map(str, widths))} bits, not {shown(bits)}")
    return run_of_bits(
        _cp_async_name(cache, fill, bits), bits, "sm_80", instruction=f"cp.async.{policy}.shared.global",
        source="CuTe copy_traits_sm80", spaces=("global", "shared"), asynchronous=True,
    )  # fmt: skip


def _cp_async_name(cache: str, fill: str, bits: int) -> str:
    return f"SM80_CP_ASYNC_CACHE{cache}{fill}<uint{bits}_t>"


def tma(name: str, bits: int) -> CopyAtom:
    """A TMA or bulk copy of `bits` bits, issued by one thread (of each CTA of a pair).

    Raises:
        UsageError: no such copy, or no multiple of 16 bytes.

    >>> tma("SM90_TMA_LOAD", 8 * 8192).asynchronous
    True
    """
    if not isinstance(name, str) or name not in TMA or type(bits) is not int or bits < 128 or bits % 128:
        given = f"{shown(name)} of {shown(bits)} bits"
        raise UsageError(f"TMA copies are {', '.join(TMA)} of a multiple of 16 bytes, not {given}")
    arch, instruction, spaces = TMA[name]
    return run_of_bits(
        f"{name}<{bits}>", bits, arch, threads=2 if "2SM" in name else 1, instruction=instruction,
        source="CuTe copy_traits_sm90_tma, copy_traits_sm100_tma; PTX ISA", spaces=spaces, asynchronous=True,
        alignment=16,
    )  # fmt: skip


_IN, _OUT = ("global", "shared"), ("shared", "global")
_TENSOR, _BULK = "cp.async.bulk.tensor", "cp.async.bulk"
TMA = {
    "SM90_TMA_LOAD": ("sm_90", f"{_TENSOR}.shared::cluster.global.tile.mbarrier::complete_tx::bytes", _IN),
    "SM90_TMA_LOAD_MULTICAST": (
        "sm_90", f"{_TENSOR}.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster", _IN),
    "SM90_TMA_STORE": ("sm_90", f"{_TENSOR}.global.shared::cta.tile.bulk_group", _OUT),
    "SM90_TMA_REDUCE_ADD": ("sm_90", "cp.reduce.async.bulk.tensor.global.shared::cta.add.tile.bulk_group", _OUT),
    "SM90_BULK_COPY_G2S": ("sm_90", f"{_BULK}.shared::cluster.global.mbarrier::complete_tx::bytes", _IN),
    "SM90_BULK_COPY_S2G": ("sm_90", f"{_BULK}.global.shared::cta.bulk_group", _OUT),
    "SM100_TMA_2SM_LOAD": (
        "sm_100a", f"{_TENSOR}.cta_group::2.shared::cluster.global.tile.mbarrier::complete_tx::bytes", _IN),
    "SM100_TMA_2SM_LOAD_MULTICAST": (
        "sm_100a",
        f"{_TENSOR}.cta_group::2.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster", _IN),
}  # fmt: skip


def _vector_256(name: str) -> CopyAtom:
    op = "ld.global" if "LOAD" in name else "st.global"
    return run_of_bits(
        name, 256, "sm_100", instruction=f"{op}.L1::no_allocate.v8.f32", source="CuTe copy_sm100", alignment=32
    )


def copy_rows() -> Iterator[Row[CopyAtom]]:
    """The rows of this file for the catalog."""
    for bits in WIDTHS:
        yield f"UniversalCopy{bits}b", universal_copy, (bits,)
    yield "DefaultCopy", run_of_bits, ("DefaultCopy", 1)
    for operation in ATOMICS:
        for bits in (16, 32, 64):
            yield f"UniversalAtomic{operation.capitalize()}{bits}b", universal_atomic, (operation, bits)
    for fill in _FILLS:
        for cache, (_, widths) in _CACHES.items():
            for bits in widths:
                yield _cp_async_name(cache, fill, bits), cp_async, (cache, fill, bits)
    for name in ("SM100_LOAD_256bit_CACHE_NOALLOCATION", "SM100_STORE_256bit_CACHE_NOALLOCATION"):
        yield name, _vector_256, (name,)
    for name in TMA:
        yield f"{name}<65536>", tma, (name, 65536)
