"""Random tiles with accesses, and the best swizzle of each by enumeration: the reference for `suggest_swizzle`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from strategies import Dice

from tilewright import Access, Layout, LayoutError, Swizzle, suggest_swizzle
from tilewright.analysis.banks.rule import wavefronts_at

ELEMENT_BITS = (4, 8, 8, 16, 16, 32, 64)
ARCHS = ("sm_90", "sm_90", "sm_90", "gfx942", "gfx950")
LARGEST = 1 << 13


@dataclass(frozen=True)
class Case:
    """A tile, accesses of it (each with the elements of its vectors), the bits of an element, and the architecture."""

    tile: Layout
    accesses: tuple[Access, ...]
    lengths: tuple[int, ...]
    element_bits: int
    arch: str

    @property
    def lanes(self) -> int:
        return 64 if self.arch.startswith("gfx") else 32


def case(pick: Dice) -> Case:
    """Rows and columns with strides of every kind: compact, padded, odd, powers of two, both ways round."""
    bits = pick.one(ELEMENT_BITS)
    tile = _tile(pick)
    kinds = [_access(pick, tile, bits) for _ in range(pick.one((1, 1, 1, 2, 3)))]
    return Case(tile, tuple(a for a, _ in kinds), tuple(n for _, n in kinds), bits, pick.one(ARCHS))


def _tile(pick: Dice) -> Layout:
    rows, columns = pick.one((2, 4, 8, 16, 31, 32)), pick.one((4, 8, 16, 32, 64, 24))
    pitch = columns + pick.one((0, 0, 0, 1, 4, 8, 16, 33, columns))
    powers, odd = ((64, 1), (128, 1), (1, rows), (1, 64), (64, 2)), ((129, 128), (1, 33), (5, 256), (17, 32))
    strides = pick.one(((pitch, 1), (pitch, 1), *powers, *odd))
    tile = Layout((rows, columns), strides)
    return tile if tile.cosize <= LARGEST else Layout((rows, columns), (columns, 1))


def _access(pick: Dice, tile: Layout, bits: int) -> tuple[Access, int]:
    """Lanes at steps of the tile's coordinates; vectors, where there are any, along the contiguous mode."""
    rows, columns = tile.shape
    along = {tile.stride[0]: (1, rows), tile.stride[1]: (rows, columns)}.get(1)
    length = pick.one([n for n in (1, 1, 2, 4, 8, 16) if n == 1 or (along and n <= along[1] and n * bits <= 128)])
    if along and length > 1:
        step, extent = along
        other, count = (rows, columns) if step == 1 else (1, rows)
        first, second = (count, other), (extent // length, step * length)
        if pick.integer(0, 1):
            first, second = second, first
        lanes: tuple[tuple[int, ...], tuple[int, ...]] = ((first[0], second[0]), (first[1], second[1]))
        layout = Layout((lanes[0], length), (lanes[1], step))
        whole = length * bits % 8 == 0
        return Access(layout, length * bits if whole else None, pick.one(("load", "store"))), length if whole else 1
    size = rows * columns
    count = pick.one((4, 7, 8, 16, 31, 32, 32, 40, 64))
    most = (size - 1) // max(1, count - 1)
    step = pick.one((1, rows, rows + 1, most, most, pick.integer(0, most), pick.integer(1, max(1, most))))
    step = step if step <= most else most
    values = pick.one((1, 1, 2))
    more = pick.integer(0, size - 1 - step * (count - 1))
    return Access(Layout((count, values), (step, more)), None, pick.one(("load", "store"))), 1


def starts(one: Case) -> list[Any]:
    """Element offsets of the vectors of each access: (instruction and warp, lane), -1 where there is none."""
    found = []
    for access, length in zip(one.accesses, one.lengths, strict=True):
        tv = access.thread_value
        threads, values = tv[0].size, tv[1].size
        cells = [[one.tile(tv(t, v)) for t in range(threads)] for v in range(0, values, length)]
        found.append(np.array([row + [-1] * (-threads % one.lanes) for row in cells]).reshape(-1, one.lanes))
    return found


def every_swizzle(top: int) -> list[Swizzle]:
    """The identity, and every swizzle of both signs with its fields below bit `top`.

    A field beyond the offsets of a tile is no other: it reads zeros, or it moves elements out of the 2^top.
    """
    return [Swizzle(0, 0, 0)] + [
        Swizzle(bits, base, shift)
        for bits in range(1, top)
        for distance in range(bits, top - bits + 1)
        for base in range(top - bits - distance + 1)
        for shift in (distance, -distance)
    ]


def moved(offsets: Any, swizzles: list[Swizzle]) -> Any:
    """The offsets under each swizzle, by the definition: the upper field is XORed into the lower, or the reverse."""
    bits, base, shift = (np.array(column)[:, None] for column in zip(*((s.b, s.m, s.s) for s in swizzles), strict=True))
    low, high, field = base, base + abs(shift), (1 << bits) - 1
    source, target = np.where(shift >= 0, high, low), np.where(shift >= 0, low, high)
    return offsets ^ (offsets >> source & field) << target


def wavefronts(one: Case, swizzles: list[Swizzle]) -> Any:
    """Wavefronts over all accesses under each swizzle, without merging of lanes; none where a vector is torn."""
    total = np.zeros(len(swizzles), dtype=int)
    whole = np.ones(len(swizzles), dtype=bool)
    for access, length, rows in zip(one.accesses, one.lengths, starts(one), strict=True):
        flat, width = rows.reshape(-1), -(-length * one.element_bits // 8)
        placed = moved(flat, swizzles)
        for k in range(1, length):
            whole &= (moved(flat + k, swizzles) == placed + k)[:, flat >= 0].all(axis=1)
        addresses = np.where(flat >= 0, placed * one.element_bits // 8, -1).reshape(-1, one.lanes)
        counted = wavefronts_at(addresses, width, access.kind, one.arch, merge=False)
        total += counted.reshape(len(swizzles), -1).sum(axis=1)
    return np.where(whole, total, 1 << 40)


def order(swizzle: Swizzle, count: int, bits: int) -> tuple[int, ...]:
    """The documented order: wavefronts, bits, modes first, positive shifts, near 16 bytes, short shift, low base."""
    unit = bits.bit_length() - 1
    mode = swizzle.b == 0 or (swizzle.b <= 3 and swizzle.m == 7 - unit and swizzle.s == 3)
    return (count, swizzle.b, not mode, swizzle.s < 0, abs(swizzle.m - (7 - unit)), abs(swizzle.s), swizzle.m)


def verdict(pick: Dice) -> tuple[str, str]:
    """What kind of answer a random tile gets, and how enumeration beats it or counts otherwise, or nothing."""
    one = case(pick)
    try:
        best = suggest_swizzle(one.tile, one.accesses, element_bits=one.element_bits, arch=one.arch)[0]
    except LayoutError as error:
        return "misaligned", "" if "not a multiple of" in str(error) else f"{one}: {error}"
    swizzles = every_swizzle((one.tile.cosize - 1).bit_length())
    counts = wavefronts(one, swizzles).tolist()
    ranked = min(zip(swizzles, counts, strict=True), key=lambda pair: order(*pair, one.element_bits))
    kind = f"{_kind(best.swizzle)}{'' if best.conflict_free else ' with conflicts left'}"
    if best.wavefronts != ranked[1] or (best.swizzle != ranked[0] and (best.swizzle.b or ranked[0].b)):
        return kind, f"{one}: {best.swizzle} with {best.wavefronts}, but {ranked[0]} takes {ranked[1]}"
    room = re.search(r"leave room for (\d+)", best.proof.text)
    if room and best.proof.needed_bits <= int(room[1]):
        return kind, f"{one}: no proof: {best.proof}"
    return kind, ""


def _kind(swizzle: Swizzle) -> str:
    return "plain" if swizzle.b == 0 else "shift up" if swizzle.s < 0 else "shift down"
