"""The corpus has ten faults of each kind that the simulator reports, for warps of both sizes where machines have it.

    python tests/fuzz/fuzz_fault_kinds.py

Runs each planted fault for each size of warps (a minute), prints the table, and compares it with docs/simulator.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from fault_kinds import KINDS
from fault_table import WAVES, counted, table

LEAST = 10
# What only machines with warps of 32 have: tensor memory, warpgroups.
NARROW = {
    "out of bounds: tensor memory",
    "unwritten: tensor memory",
    "race: tensor memory without its fences",
    "asynchronous: registers of products and loads",
    "tensor memory: allocated, and given back",
}
PAGE = Path(__file__).parents[2] / "docs" / "simulator.md"


def main() -> None:
    """Prints the table, and fails where it has too few."""
    found = counted()
    print(table(found))
    for kind in KINDS:
        assert found[kind.name, 0] >= LEAST, kind.name
        assert found[kind.name, 32] >= LEAST, kind.name
        assert found[kind.name, WAVES] >= LEAST or kind.name in NARROW, kind.name
    rows = [line.split(" | ") for line in PAGE.read_text().splitlines() if line.count(" | ") == 3]
    told = {row[0].removeprefix("| "): int(row[1]) for row in rows if row[1].isdecimal()}
    assert told.keys() >= {kind.name for kind in KINDS}
    assert all(found[kind.name, 0] >= told[kind.name] for kind in KINDS), "the page promises no more than there is"


if __name__ == "__main__":
    main()
