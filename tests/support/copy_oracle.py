"""What a copy atom leaves in the lanes of a warp, bit by bit from its layouts."""

from __future__ import annotations

from tilewright.atoms.copy_atom import CopyAtom


def groups(atom: CopyAtom, warp: int) -> list[list[int]]:
    """The lanes of each group of the atom's threads, in the order of the threads."""
    own = [atom.thr_layout(thread) for thread in range(atom.threads)]
    found: list[list[int]] = []
    for lane in range(warp):
        if not any(lane in group for group in found):
            found.append([lane + other for other in own])
    return found


def moved(atom: CopyAtom, warp: int, held: list[list[int]]) -> list[list[int]]:
    """The bits that each lane gets, from those that each holds or addresses; of equal sources the first lane counts."""
    result: list[list[int]] = [[] for _ in range(warp)]
    for group in groups(atom, warp):
        data: dict[int, int] = {}
        for thread, lane in enumerate(group):
            for bit, value in enumerate(held[lane]):
                data.setdefault(atom.src_bits(thread, bit), value)
        for thread, lane in enumerate(group):
            result[lane] = [data[atom.dst_bits(thread, bit)] for bit in range(atom.dst_bits[1].size)]
    return result
