"""Does a tensor change hands without shared memory? By registers alone, or by shuffles within a warp."""

from __future__ import annotations

from tilewright.analysis.lowering.columns import Columns
from tilewright.layout.linear import f2


def mixed_bits(source: Columns, target: Columns) -> int | None:
    """How many bits change between registers and lanes on the way; None where an element leaves its warp.

    A warp whose elements others hold too may take them from its own lanes, but not from other registers.

    >>> source = Columns(((("register", 0), 1), (("lane", 0), 2)))
    >>> mixed_bits(source, Columns(((("register", 0), 2), (("lane", 0), 1))))
    1
    """
    bits = [bit for bit, _ in source.table]
    of = {level: sum(1 << i for i, (own, _) in enumerate(bits) if own == level) for level in ("register", "lane")}
    live = {bit: 1 << i for i, bit in enumerate(bits) if bit[0] == "warp" and source[bit]}
    found = f2.solve_all(source.at(bits), [image for _, image in target.table])
    if found is None:
        return None
    into: dict[str, list[int]] = {"register": [], "lane": []}
    for (level, i), used in zip((bit for bit, _ in target.table), found, strict=True):
        if used & sum(live.values()) != live.get((level, i), 0) or (level == "warp" and used & of["register"]):
            return None
        if level != "warp":
            into[level].append(used & of["lane" if level == "register" else "register"])
    return max(map(f2.rank, into.values()))
