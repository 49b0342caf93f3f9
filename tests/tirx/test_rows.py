"""Second opinion: 6,852 answers of another implementation. Where ours differs, the law decides between the two."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from tirx_laws import LAWS, holds
from tirx_rows import Row, agrees, ask, build, rows

from tilewright.errors import TilewrightError

# Unmarked rows in which the other answer breaks its law, and where ours keeps it or refuses.
BROKEN = {
    "canonicalize": 1,  # wgid is not renamed (it is in the replica)
    "compose_pack": 2,  # the offset is not scaled
    "is_direct_sum_left": 1,  # a replica that both summands have is lost
    "is_direct_sum_right": 1,
    "is_tile_inner": 11,  # the replica is divided by the inner span, which tiling does not multiply it by
    "is_tile_outer": 1,  # a replica that both factors have is lost, and the factor then not found
    "mma_shared_layout": 1,  # 64 x 24 elements in a layout of 1024
}


@cache
def by_op() -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows():
        found.setdefault(row["op"], []).append(row)
    return found


def answer(row: Row) -> Any:
    """Our answer, or the refusal."""
    try:
        return ask(row)
    except TilewrightError as refusal:
        return refusal


def lawful(row: Row, ours: Any) -> bool:
    return row["op"].removeprefix("compose_") in LAWS and holds(row, ours)


def recorded(row: Row) -> Any:
    res = row["res"]
    return build(res) if isinstance(res, dict) else res


@pytest.mark.parametrize("op", sorted(by_op()))
def test_rows(op: str) -> None:
    broken: Counter[str] = Counter()
    for row in by_op()[op]:
        ours = answer(row)
        refused = isinstance(ours, TilewrightError)
        if "err" in row or row.get("peer_wrong"):
            assert refused or lawful(row, ours), (row, ours)
        elif refused or not agrees(ours, row):
            assert refused or lawful(row, ours), (row, ours)
            assert not lawful(row, recorded(row)), (row, ours)
            broken[op] += 1
    assert broken[op] == BROKEN.get(op, 0)


def test_refusals_use_the_known_phrases() -> None:
    """The part of a recorded refusal that names the fault is in ours as well."""
    phrases = (
        "can not be grouped by shape",
        "group_many has incompatible cumulative boundaries",
        "disconnected scope chain",
        "can not be packed into",
        "num must be a power of 2",
        "per_element must be greater than or equal to",
        "is not well-formed",
        "must be a multiple of",
        "not in the PTX Table 49",
        "not divisible by the per-rep column factor",
        "fp32-only",
        "expects rows",
        "instr_shape must be one of",
        "must be a 32-bit or 16-bit type",
        "unknown datapath",
        "sub_slab must be 0",
        "ws=True only valid",
        "no supported datapath",
        "expects per-CTA rows",
        "operand must be 'A' or 'D'",
    )
    seen = set()
    for row in rows():
        ours = answer(row) if "err" in row else None
        for phrase in phrases:
            if isinstance(ours, TilewrightError) and phrase in row["err"]:
                seen.add(phrase)
                assert phrase in str(ours), (row, ours)
    assert seen == set(phrases)
