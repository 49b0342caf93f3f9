"""What users give as plain numbers: byte addresses of lanes, and which threads are active."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from tilewright.analysis.model.vector import Backend, Vector, shape_of, vectors
from tilewright.errors import UsageError, shown

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    # Which threads take part: a mask, their numbers, or a bit mask.
    Active: TypeAlias = Sequence[int] | NDArray[numpy.integer[Any]] | NDArray[numpy.bool_] | int
    # A row of addresses, or a row an instruction; None for lanes that are inactive.
    Addresses: TypeAlias = Sequence[int | None] | Sequence[Sequence[int | None]] | NDArray[numpy.integer[Any]]

MAX_WIDTH = 128


def integer(value: SupportsIndex, what: str, low: int, high: int) -> int:
    """`value` as an `int` from `low` to `high`.

    Raises:
        UsageError: it is no integer, or outside.
    """
    try:
        found = index(value)
    except TypeError:
        found = low - 1
    if not low <= found <= high:
        raise UsageError(f"{what} is an integer from {low} to {high}, got {shown(value)}")
    return found


def active_mask(active: Any, threads: int) -> list[int]:
    """One 0 or 1 a thread, from a mask, an integer bit mask (bit t: thread t) or the numbers of the active threads.

    Raises:
        UsageError: an entry that names no thread.

    >>> active_mask([0, 3], 4), active_mask(0b0110, 4), active_mask([True, False, True, True], 4)
    ([1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 1, 1])
    """
    if type(active) is int:
        if active < 0 or active >> threads:
            raise UsageError(f"the active mask {active:#x} names threads beyond the {threads} there are")
        return [active >> t & 1 for t in range(threads)]
    given = active.tolist() if hasattr(active, "tolist") else active
    entries = list(given) if hasattr(given, "__iter__") else [given]
    if any(not isinstance(entry, int) for entry in entries):
        raise UsageError(f"active is a mask or the numbers of threads, got {shown(entries[:4])}")
    if len(entries) == threads and (all(type(e) is bool for e in entries) or (threads > 2 and set(entries) <= {0, 1})):
        return [int(entry) for entry in entries]
    wrong = [e for e in entries if type(e) is bool or not 0 <= e < threads]
    if wrong:
        raise UsageError(f"active has {len(entries)} entries, such as {shown(wrong[0])}; there are {threads} threads")
    return [int(t in set(entries)) for t in range(threads)]


def raw_addresses(byte_addresses: Any, base_bytes: int) -> tuple[Backend, Vector, int]:
    """Addresses given as numbers, None for inactive: (backend, flat vector with -1, threads).

    Raises:
        UsageError: not one row of integers per instruction, or an address below 0.
    """
    given = byte_addresses if hasattr(byte_addresses, "__array__") else _without_none(byte_addresses)
    shape = shape_of(given)
    if len(shape) not in (1, 2) or 0 in shape:
        raise UsageError(f"byte_addresses is a row of addresses, or one row per instruction; its shape is {shape}")
    xp = vectors(prod(shape))
    flat = xp.vector(given)
    if len(flat) != prod(shape):
        raise UsageError(f"byte_addresses has rows of different lengths: {len(flat)} entries in shape {shape}")
    if int(flat.min()) < -1:
        raise UsageError(f"byte addresses must not be negative, got {int(flat.min())} (None or -1: inactive)")
    return xp, xp.where(flat >= 0, flat + base_bytes, -1), shape[-1]


def _without_none(values: Any) -> list[Any]:
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise UsageError(f"byte_addresses is a sequence of integers, got {shown(values)}")
    return [list(map(_present, v)) if isinstance(v, Sequence) else _present(v) for v in values]


def _present(address: Any) -> Any:
    return -1 if address is None else address
