"""The corpus has ten faults of each kind that the simulator reports, for warps of both sizes where machines have it."""

from __future__ import annotations

from pathlib import Path

from corpus import cases
from fault_kinds import KINDS
from fault_table import CORPUS, WAVES, counted
from faults import kernels

LEAST, LEAST_FAULTS, LEAST_CLEAN = 10, 240, 150
# What only machines with warps of 32 have: tensor memory, warpgroups.
NARROW = {
    "out of bounds: tensor memory",
    "unwritten: tensor memory",
    "race: tensor memory without its fences",
    "asynchronous: registers of products and loads",
    "tensor memory: allocated, and given back",
}
PAGE = Path(__file__).parents[3] / "docs" / "simulator.md"


def test_the_corpus_has_enough_of_each_kind() -> None:
    found = counted()
    for kind in KINDS:
        assert found[kind.name, 0] >= LEAST, kind.name
        assert found[kind.name, 32], kind.name
        assert found[kind.name, WAVES] or kind.name in NARROW, kind.name
    assert sum(found[kind.name, 0] for kind in KINDS) >= LEAST_FAULTS
    rows = [line.split(" | ") for line in PAGE.read_text().splitlines() if line.count(" | ") == 3]
    told = {row[0].removeprefix("| "): int(row[1]) for row in rows if row[1].isdecimal()}
    assert told.keys() >= {kind.name for kind in KINDS}
    assert all(found[kind.name, 0] >= told[kind.name] for kind in KINDS), "the page promises no more than there is"


def test_the_corpus_has_enough_clean_kernels() -> None:
    assert sum(case.error is None for case in cases(CORPUS)) + len(kernels()[1]) >= LEAST_CLEAN
