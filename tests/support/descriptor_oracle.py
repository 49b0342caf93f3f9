"""What TMA and tensor cores do in shared memory, bit by bit, and all placements of a tile, written from the manuals.

Shares nothing with `tilewright.analysis` and `tilewright.atoms`: the table of modes is typed out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from bank_oracle import wavefronts

import tilewright as tw

# name -> bytes of the span and of a chunk, whether 8-byte halves flip, first compute capability
MODES = {
    "none": (16, 16, False, 90),
    "32B": (32, 16, False, 90),
    "64B": (64, 16, False, 90),
    "128B": (128, 16, False, 90),
    "128B_ATOM_32B": (128, 32, False, 100),
    "128B_ATOM_32B_FLIP_8B": (128, 32, True, 100),
    "128B_ATOM_64B": (128, 64, False, 100),
}
Place = Callable[[int, int], int]  # (row, column) -> element, before the swizzle


def moved(bit: int, mode: str) -> int:
    """Where the hardware puts a bit of shared memory, by its address in bits."""
    span, chunk, flip, _ = MODES[mode]
    byte, rest = divmod(bit, 8)
    line = byte // 128
    byte ^= line % (span // chunk) * chunk
    return (byte ^ (line % 2 * 8 if flip else 0)) * 8 + rest


@dataclass(frozen=True)
class Case:
    """A tile of `across` lines of `along` elements; K-major ones have the lines as rows."""

    bits: int
    along: int
    across: int
    k_major: bool
    units: tuple[str, ...]
    capability: int
    layout: Any
    accesses: tuple[Any, ...]

    @property
    def shape(self) -> tuple[int, int]:
        return (self.across, self.along) if self.k_major else (self.along, self.across)

    @property
    def asked(self) -> list[Any]:
        return [*self.accesses, *(tw.Access(instruction=unit) for unit in self.units)]

    @property
    def arch(self) -> str:
        return f"sm_{self.capability}"


def placements(case: Case) -> Iterator[tuple[str, str, Place]]:
    """(mode, order, place) of everything that all units of the case can use, tensor maps of two dimensions."""
    for mode, (span, _, _, since) in MODES.items():
        width = span * 8 // case.bits
        if since > case.capability:
            continue
        for order in ("rows",) * (mode == "none") + ("lines", "blocks"):
            fits = order == "rows" or (case.along % width == 0 and (order == "lines" or case.across % 8 == 0))
            if fits and all(_valid(unit, case, mode, order) for unit in case.units):
                yield mode, order, _place(case, width, order)


def _place(case: Case, width: int, order: str) -> Place:
    def place(row: int, column: int) -> int:
        line, i = (row, column) if case.k_major else (column, row)
        block, rest = divmod(i, width)
        if order == "rows":
            return line * case.along + i
        if order == "lines":
            return block * width * case.across + line * width + rest
        return line // 8 * 8 * case.along + block * 8 * width + line % 8 * width + rest

    return place


def _valid(unit: str, case: Case, mode: str, order: str) -> bool:
    span, chunk, flip, _ = MODES[mode]
    if unit == "tma":
        if order == "rows":
            return case.along * case.bits % 128 == 0
        blocks = case.along * case.bits // (8 * span)
        return blocks == 1 or order == "blocks" or case.across * span % 128 == 0
    mn, k = case.shape
    whole = mn % 8 == 0 and k * case.bits % 256 == 0 and case.across % 8 == 0
    whole = whole and (order != "rows" or case.along * case.bits == 128) and not flip and chunk <= 32
    if unit == "wgmma":
        return whole and chunk == 16 and case.bits in (1, 8, 16, 32) and (case.k_major or case.bits == 16)
    narrow = chunk == 32
    return (
        whole
        and case.bits in (4, 8, 16, 32)
        and narrow == (not case.k_major and case.bits == 32)
        and (case.k_major or case.bits != 4)
    )


def excess(case: Case, address: Callable[[int], int]) -> int | None:
    """Wavefronts above the ideal, over the accesses; `address` maps a coordinate's index to bits. None: vectors cut."""
    counts = [_excess(access, case.bits, address) for access in case.accesses]
    return None if None in counts else sum(count for count in counts if count is not None)


def _excess(access: Any, bits: int, address: Callable[[int], int]) -> int | None:
    tv, matrix = access.thread_value, "ldmatrix" if "matrix" in access.instruction else ""
    size = 128 if matrix else access.vector_bits or bits
    chunk, width = size // bits, size // 8
    threads, values, total = tw.size(tv[0]), tw.size(tv[1]), 0
    for v in range(0, values, chunk):
        found = [[address(tv(t, v + k)) for k in range(chunk)] for t in range(threads)]
        if any(a[0] % size or a != list(range(a[0], a[0] + size, bits)) for a in found):
            return None
        row: list[int | None] = [a[0] // 8 for a in found]
        for start in range(0, threads, 32):
            warp = row[start : start + 32] + [None] * (32 - len(row[start : start + 32]))
            group = 8 if matrix else min(32, 128 // width)
            ideal = sum(any(a is not None for a in warp[i : i + group]) for i in range(0, 32, group))
            total += wavefronts(warp, width, "sm_90", access.kind, False, matrix) - ideal
    return total


def tma_writes(case: Case, advice: Any) -> dict[tuple[int, int], int]:
    """(row, column) -> bit address, where the advised boxes put the elements; their starts are read off the layout."""
    wide, high = advice.box.extents
    written = {}
    for first in range(0, case.across, high):
        for start in range(0, case.along, wide):
            origin = _origin(case, advice, first, start)
            assert origin % 1024 == 0, "TMA writes to multiples of 128 bytes"
            for line in range(high):
                for i in range(wide):
                    at = (first + line, start + i) if case.k_major else (start + i, first + line)
                    written[at] = moved(origin + (line * wide + i) * case.bits, advice.mode)
    assert len(written) == case.along * case.across == wide * high * advice.box.copies
    return written


def operand_reads(case: Case, advice: Any) -> dict[tuple[int, int], int]:
    """(row, column) -> bit address, where instructions with the descriptor's offsets look for the elements."""
    span, chunk, _, _ = MODES[advice.mode]
    tile, lines = advice.canonical, 4 if chunk == 32 else 8
    sbo, lbo = 8 * (tile.stride_bytes or 0), 8 * (tile.leading_bytes or 0)
    line_step, block_step = (sbo, lbo) if case.k_major or span > 16 else (lbo, sbo)
    width, deep, read = span * 8 // case.bits, 256 // case.bits, {}
    mn, k = case.shape
    for first in range(0, k, deep):
        origin = _origin(case, advice, *((0, first) if case.k_major else (first, 0)))
        for row in range(mn):
            for column in range(deep):
                line, i = (row, column) if case.k_major else (column, row)
                inside = line // lines * line_step + line % lines * span * 8 + i % width * case.bits
                # A swizzled K-major instruction stays within one span.
                beyond = i // width * block_step if not case.k_major or span == 16 else 0
                read[row, first + column] = moved(origin + inside + beyond, advice.mode)
    return read


def _origin(case: Case, advice: Any, line: int, i: int) -> int:
    """The bit address at which a piece of the tile starts; swizzling it twice undoes it."""
    index = line + i * case.across if case.k_major else i + line * case.along
    return moved(int(advice.layout(index)) * case.bits, advice.mode)


def answers(case: Case, advice: Any) -> dict[tuple[int, int], int]:
    """(row, column) -> bit address, by the advised layout."""
    rows, columns = case.shape
    return {(r, c): int(advice.layout(r + c * rows)) * case.bits for c in range(columns) for r in range(rows)}
