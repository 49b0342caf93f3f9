"""The bank rule by brute enumeration, written from its prose: sets of words, one lane after the other.

Shares nothing with `tilewright.analysis`: the tables of lanes are typed out again here. `addresses[i]` is the byte
address of lane i, None where it is inactive.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

Addresses = Sequence[int | None]


def lanes_of(text: str) -> list[list[int]]:
    """`0-3,20-23 4-7,16-19` as two lists of lanes."""
    ends = [[part.split("-") for part in group.split(",")] for group in text.split()]
    return [[lane for low, high in group for lane in range(int(low), int(high) + 1)] for group in ends]


READ_B128 = {
    "gfx942": lanes_of("0-3,20-23 32-35,52-55 4-7,16-19 36-39,48-51 8-11,28-31 40-43,60-63 12-15,24-27 44-47,56-59"),
    "gfx950": lanes_of("0-3,12-15,20-27 32-35,44-47,52-59 4-11,16-19,28-31 36-43,48-51,60-63"),
}


def cost(addresses: Addresses, lanes: Iterable[int], width: int, banks: int) -> int:
    wanted: dict[int, set[int]] = defaultdict(set)
    for lane in lanes:
        address = addresses[lane]
        if address is not None:
            for byte in range(address, address + width):
                wanted[(byte // 4) % banks].add(byte // 4)
    return max((len(words) for words in wanted.values()), default=0)


def blocks(lanes: int, size: int) -> list[list[int]]:
    return [list(range(start, start + size)) for start in range(0, lanes, size)]


def pair(addresses: Addresses, x: int) -> bool:
    def same(i: int) -> bool:
        mine, other = addresses[i], addresses[i ^ x]
        return mine is None or other is None or mine == other

    return all(same(i) for i in range(len(addresses)))


def nvidia_groups(addresses: Addresses, width: int, merge: bool, instruction: str = "load") -> list[list[int]]:
    if instruction.endswith("matrix"):
        return blocks(32, 8)
    if width <= 4:
        return blocks(32, 32)
    merged = merge and (pair(addresses, 1) or pair(addresses, 2))
    size = {8: 16, 16: 8}[width] * (2 if merged else 1)
    return blocks(32, size)


def amd_groups(width: int, arch: str, kind: str) -> tuple[list[list[int]], int]:
    banks = 64 if arch == "gfx950" and kind == "load" else 32
    if kind == "load" and width == 16:
        return READ_B128[arch], banks
    return blocks(64, min(32, banks * 4 // max(width, 4))), banks


def wavefronts(
    addresses: Addresses, width: int, arch: str = "sm_80", kind: str = "load", merge: bool = True, matrix: str = ""
) -> int:
    """The wavefronts of one instruction of one warp."""
    if arch.startswith("gfx"):
        groups, banks = amd_groups(width, arch, kind)
    else:
        groups, banks = nvidia_groups(addresses, width, merge, matrix or kind), 32
    return sum(cost(addresses, group, width, banks) for group in groups)
