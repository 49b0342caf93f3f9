"""The bank rule, counted: how many wavefronts the shared-memory accesses of whole warps take.

A warp's instruction is a row of byte addresses, one a lane, negative where the lane is inactive. The lanes of a group
(`arch.PhaseRule`) are served together, and the group costs as many wavefronts as the bank most in demand has distinct
4-byte words wanted from it. This is the one place where that is counted: reports, searches, the simulator and the
dispatcher call it.

Source: NVIDIA and AMD documents and measurements as `arch/` names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod
from operator import index
from typing import Any

from tilewright.analysis.model.vector import Backend, Vector, shape_of, vectors
from tilewright.arch import ArchSpec, PhaseRule
from tilewright.arch import get as get_arch
from tilewright.arch.spec import BANK_BYTES, Groups
from tilewright.errors import UsageError, shown

KINDS = ("load", "store")
# From so many rows on, equal ones are looked for and counted once.
MANY_ROWS = 1 << 7


@dataclass(frozen=True, slots=True)
class Counted:
    """The cost of every group of every row: without merging, and as the hardware serves it.

    `costs[i]` are the costs by row with `len(groups[i])` entries each: index 0 without merging, index 1 with.
    `merges` says of each row whether its lanes merge; it is None where no merging is asked for or known.
    """

    xp: Backend
    groups: tuple[Groups, ...]
    costs: tuple[Vector, ...]
    merges: Vector | None

    def wavefronts(self) -> Vector:
        """Wavefronts by row."""
        return self._by_row([self.xp.row_sum(c, len(g)) for g, c in self.tables()])

    def ideal(self) -> Vector:
        """By row, what the same instruction takes without any conflict: one a group that has an active lane."""
        return self._by_row([self.xp.row_sum((c > 0) * 1, len(g)) for g, c in self.tables()])

    def ways(self) -> Vector:
        """By row, the cost of the worst group."""
        return self._by_row([self.xp.row_max(c, len(g)) for g, c in self.tables()])

    def unmerged(self) -> Counted:
        """The same rows when no lanes merge."""
        return Counted(self.xp, self.groups[:1], self.costs[:1], None)

    def tables(self) -> Iterable[tuple[Groups, Vector]]:
        """The groups, and their costs by row, without merging and with."""
        return zip(self.groups, self.costs, strict=True)

    def _by_row(self, tables: Sequence[Vector]) -> Vector:
        if self.merges is None:
            return tables[0]
        plain, merged = tables
        return merged * (self.merges * 1) + plain * ((self.merges == 0) * 1)


def count(xp: Backend, addresses: Vector, lanes: int, width: int, rule: PhaseRule, merge: bool) -> Counted:
    """The costs of rows of `lanes` byte addresses (negative: inactive), each lane moving `width` bytes."""
    if len(addresses) <= MANY_ROWS * lanes:
        return _count(xp, addresses, lanes, width, rule, merge)
    rows, which = xp.distinct_rows(_near(xp, addresses, lanes), lanes)
    found = _count(xp, rows, lanes, width, rule, merge)
    costs = tuple(xp.rows(costs, len(groups), which) for groups, costs in found.tables())
    return Counted(xp, found.groups, costs, None if found.merges is None else xp.rows(found.merges, 1, which))


def _near(xp: Backend, addresses: Vector, lanes: int) -> Vector:
    """The rows, each moved down by whole words to where memory starts: the banks turn, and no count changes."""
    far = int(addresses.max()) + 1
    lowest = xp.row_min(xp.where(addresses >= 0, addresses, far), lanes)
    return xp.where(addresses >= 0, addresses - xp.repeat(lowest // BANK_BYTES * BANK_BYTES, lanes), -1)


def _count(xp: Backend, addresses: Vector, lanes: int, width: int, rule: PhaseRule, merge: bool) -> Counted:
    plain = group_costs(xp, addresses, lanes, width, rule.groups, rule.banks)
    if not (merge and rule.merged):
        return Counted(xp, (rule.groups,), (plain,), None)
    merged = group_costs(xp, addresses, lanes, width, rule.merged, rule.banks)
    return Counted(xp, (rule.groups, rule.merged), (plain, merged), lanes_merge(xp, addresses, lanes))


def group_costs(xp: Backend, addresses: Vector, lanes: int, width: int, groups: Groups, banks: int) -> Vector:
    """By row and group: the most distinct words that the group's lanes want from one bank; 0 without active lanes."""
    words, per_lane = units_wanted(xp, xp.columns(addresses, lanes, lanes_of(groups)), width, BANK_BYTES)
    wanted, group = xp.distinct(words, per_lane * len(groups[0]))
    used = wanted >= 0
    demand = (xp.keep(group, used) * banks) + (xp.keep(wanted, used) % banks)
    return xp.row_max(xp.count(demand, banks * (len(words) // (per_lane * len(groups[0])))), banks)


def lanes_of(groups: Groups) -> Sequence[int]:
    """The lanes of the groups one after the other: a range where they are all lanes in order."""
    order = [lane for group in groups for lane in group]
    return range(len(order)) if order == list(range(len(order))) else order


def units_wanted(xp: Backend, addresses: Vector, width: int, unit: int) -> tuple[Vector, int]:
    """The cells of `unit` bytes that each lane touches, -1 for none, and how many entries a lane has."""
    first, last = addresses // unit, (addresses + (width - 1)) // unit
    per_lane = max(1, int((last - first).max()) + 1)
    if per_lane == 1:
        return xp.where(addresses >= 0, first, -1), 1
    words = xp.outer(first, xp.arange(per_lane))
    inside = (words <= xp.repeat(last, per_lane)) & xp.repeat(addresses >= 0, per_lane)
    return xp.where(inside, words, -1), per_lane


def lanes_merge(xp: Backend, addresses: Vector, lanes: int) -> Vector:
    """The pair condition by row: for x = 1 or x = 2, every active lane i has i^x inactive or at its address."""

    def paired(x: int) -> Vector:
        partner = xp.columns(addresses, lanes, [lane ^ x for lane in range(lanes)])
        holds = (addresses < 0) | (partner < 0) | (addresses == partner)
        return xp.row_min(holds * 1, lanes) == 1

    return paired(1) | paired(2)


def wavefronts_at(
    addresses: Any,
    width_bytes: int,
    kind: str = "load",
    arch: str | ArchSpec = "sm_90",
    active: Any = None,
    *,
    instruction: str = "auto",
    merge: bool | str = "auto",
) -> Any:
    """The wavefronts of each warp's access, for whole batches of warps at once.

    Args:
        addresses: byte addresses in shared memory, an array of shape (..., lanes) with at most a warp's lanes;
            negative for an inactive lane.
        width_bytes: bytes that each lane moves.
        kind: `load` or `store`.
        arch: the architecture, a name or an `ArchSpec`.
        active: a mask of the same shape, or None.
        instruction: `auto`, or the name of a row in the architecture's table such as `ldmatrix`.
        merge: whether pairs of lanes merge; `auto` is yes for loads and no for stores.

    Returns:
        An integer array of shape (...); without numpy, a flat vector.

    Raises:
        UsageError: more addresses than lanes, or an access that the architecture does not have.

    >>> import numpy as np
    >>> lanes = np.arange(32)
    >>> wavefronts_at(np.stack([4 * lanes, 8 * lanes, 128 * lanes]), 4).tolist()
    [1, 2, 32]
    """
    spec = get_arch(arch)
    if not isinstance(instruction, str) or type(width_bytes) is not int:
        raise UsageError(
            f"expected an instruction and a number of bytes, got {shown(instruction)} and {shown(width_bytes)}"
        )
    check_kind(kind)
    rule = spec.rule(kind if instruction == "auto" else instruction, width_bytes)
    shape = shape_of(addresses)
    if not shape or 0 in shape:
        raise UsageError(f"addresses is an array with one entry a lane, got {shown(addresses)}")
    xp = vectors(prod(shape))
    rows = _rows(xp, xp.vector(addresses), shape, spec.lanes)
    if active is not None:
        mask = _rows(xp, xp.vector(active), shape, spec.lanes)
        rows = xp.where(mask == 1, rows, -1)
    same = _common_row(xp, rows, spec.lanes)
    counted = count(xp, rows if same is None else same, spec.lanes, width_bytes, rule, merges(merge, kind))
    found = counted.wavefronts()
    found = found if same is None else xp.repeat(found, len(rows) // spec.lanes)
    return found.reshape(shape[:-1]) if hasattr(found, "reshape") else found


def merges(merge: bool | str, kind: str) -> bool:
    """Do lanes merge? `auto`: loads do, stores do not (no measurement of stores is public).

    Raises:
        UsageError: `kind` or `merge` is none of the known values.
    """
    check_kind(kind)
    if isinstance(merge, bool):
        return merge
    if not isinstance(merge, str) or merge != "auto":
        raise UsageError(f"merge is True, False or 'auto', got {shown(merge)}")
    return kind == "load"


def check_kind(kind: str) -> None:
    """Raises `UsageError` unless `kind` is `load` or `store`."""
    if not isinstance(kind, str) or kind not in KINDS:
        raise UsageError(f"kind is 'load' or 'store', got {shown(kind)}")


def distinct_start_banks(addresses: Iterable[int], banks: int = 32) -> bool:
    """Do the first words of all lanes lie in different banks?

    The test of TIRx's `warp_xor_swizzle`, stricter than the hardware: it knows no groups of lanes, so
    8- and 16-byte accesses never pass, and no broadcast.

    Raises:
        UsageError: no integers, or no number of banks.

    >>> distinct_start_banks(4 * lane for lane in range(32)), distinct_start_banks(8 * lane for lane in range(32))
    (True, False)
    """
    try:
        starts = [index(address) // BANK_BYTES % index(banks) for address in addresses]
    except (TypeError, ZeroDivisionError):
        raise UsageError(
            f"expected byte addresses and a number of banks, got {shown(addresses)} and {shown(banks)}"
        ) from None
    return len(set(starts)) == len(starts)


def _rows(xp: Backend, values: Vector, shape: tuple[int, ...], lanes: int) -> Vector:
    """Rows of exactly `lanes` entries; the lanes that are not given are inactive."""
    given = shape[-1]
    if given > lanes:
        raise UsageError(f"{given} addresses for a warp of {lanes} lanes")
    if len(values) != prod(shape):
        raise UsageError(f"{len(values)} entries where shape {shape} needs {prod(shape)}")
    if given == lanes:
        return values
    padded = xp.columns(values, given, [min(lane, given - 1) for lane in range(lanes)])
    column = xp.arange(len(padded)) % lanes
    return xp.where(column < given, padded, -1)


def _common_row(xp: Backend, rows: Vector, lanes: int) -> Vector | None:
    """The row that all rows equal when moved by whole words, which changes no count; None when they differ.

    The warps of a grid mostly do the same at another place, so that one row stands for a batch.
    """
    if len(rows) == lanes or int(rows.min()) < 0:
        return None
    return xp.common_row(_near(xp, rows, lanes), lanes)
