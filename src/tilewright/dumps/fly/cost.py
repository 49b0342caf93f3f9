"""What one access of a FlyDSL dump costs: from the addresses of all threads to wavefronts and sectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tilewright.analysis.banks.conflicts import bank_conflicts_at
from tilewright.analysis.global_memory.sectors import coalescing_at
from tilewright.analysis.lowering.issue import Kind, plain_name
from tilewright.analysis.swizzle.joint import Asked
from tilewright.arch import ArchSpec
from tilewright.dumps.finding import Finding
from tilewright.dumps.fly.repair import FlyUse
from tilewright.dumps.fly.values import Array
from tilewright.errors import LayoutError

MOST_BITS = 128
MOST_ROWS = 256
MOST_ASKED = 1 << 14  # addresses of one access for which a swizzle is searched
# Addresses in global memory begin here, so that none before the beginning of an argument is negative.
ORIGIN = 1 << 40


@dataclass(frozen=True, eq=False)
class Request:
    """What all threads ask for in one operation: a row of byte addresses for each of its vectors.

    Attributes:
        kind: `load` or `store`.
        rows: the byte address of each vector, of every thread.
        plain: the same in elements, and without any swizzle.
        bits: of an element.
        length: elements of a vector.
        active: the threads that take part.
        name: the instruction, where it is not a plain load or store.
    """

    kind: Kind
    rows: Array
    plain: Array
    bits: int
    length: int
    active: Array
    name: str = ""


def shared(op: str, request: Request, spec: ArchSpec) -> Finding:
    """Wavefronts of all waves together.

    Raises:
        LayoutError: misaligned addresses, or none at all.
    """
    rows, width = _split(request, spec, tuple(w for w in (16, 12, 8, 4, 2, 1) if ("load", w) in spec.rules))
    counted = plain_name(request.kind, 8 * width, spec)
    report = bank_conflicts_at(_near(rows, spec), width, kind=request.kind, instruction=counted, arch=spec)
    name = request.name.format(8 * width) if request.name else counted
    return Finding(
        op, request.kind, name, report.wavefronts, report.ideal, None, None, len(rows), report.notes, _use(request)
    )  # fmt: skip


def globally(op: str, request: Request, spec: ArchSpec) -> Finding:
    """Sectors of all waves together."""
    rows, width = _split(request, spec, tuple(sorted(spec.global_widths, reverse=True)))
    report = coalescing_at(np.where(rows >= 0, rows + ORIGIN, -1), width, kind=request.kind, arch=spec)
    name = request.name.format(8 * width) if request.name else f"global {request.kind} {8 * width} bits"
    return Finding(op, f"global {request.kind}", name, None, report.ideal, None, report.sectors, len(rows))


def _split(request: Request, spec: ArchSpec, widths: Sequence[int]) -> tuple[Array, int]:
    """The rows in instructions of the widest kind that the addresses allow; -1 where a thread takes no part."""
    whole = max(1, request.bits * request.length // 8)
    live = request.rows[:, request.active]
    if not live.size:
        raise LayoutError("no thread of the block takes part")
    if len(request.rows) > MOST_ROWS:
        raise LayoutError(f"one operation makes {len(request.rows)} accesses; at most {MOST_ROWS} are counted")
    fitting = (w for w in widths if whole % w == 0 and not (live % spec.alignment(w)).any())
    width = next(fitting, None)
    if width is None:
        raise LayoutError(f"vectors of {whole} bytes at these addresses are no whole number of instructions")
    pieces = np.arange(0, whole, width)
    rows = (request.rows[:, None, :] + pieces[None, :, None]).reshape(-1, request.rows.shape[1])
    return np.where(request.active, rows, -1), width


def _near(rows: Array, spec: ArchSpec) -> Array:
    """The same banks and words near 0."""
    least = int(rows[rows != -1].min())
    span = max(rule.banks for rule in spec.rules.values()) * 4
    return np.where(rows != -1, rows - least // span * span, -1)


def _use(request: Request) -> FlyUse | None:
    rows = np.where(request.active, request.plain, -1)
    if request.name or rows.size > MOST_ASKED or int(request.plain[:, request.active].min()) < 0:
        return None
    asked = Asked(tuple(map(tuple, rows.tolist())), request.length, request.kind, "auto")
    return FlyUse(request.bits, asked)
