"""Each name in the tables of `docs/porting.md` is one that its project has: recorded from the release, or read here."""

from __future__ import annotations

import gzip
import json
import re
from operator import attrgetter
from pathlib import Path

import pytest

import tilewright as tw
import tilewright.tirx.layout
from tilewright.notation.triton_layouts import RULES
from tilewright.notation.triton_padded import KIND

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data"
NAME = re.compile(r"`([\w.]+)`")


def operations(file: str) -> set[str]:
    with gzip.open(DATA / file, "rt", encoding="utf-8") as rows:
        return {json.loads(row)["op"] for row in rows}


def words(file: str) -> set[str]:
    text = (DATA / file).read_text(encoding="utf-8")
    return {word for line in text.splitlines() if line[:1] != "#" for word in re.split(r"[\s:.]+", line)}


def listed(text: str) -> set[str]:
    return set(text.split())


# What no recording names: classes and macros of CUTLASS's headers, and what CuTe DSL calls otherwise.
CUTE = listed(
    "LayoutRight Swizzle ComposedLayout MMA_Atom Copy_Atom make_tiled_mma make_tiled_copy make_tiled_copy_A "
    "partition_A partition_S retile local_tile local_partition Layout_K_SW128_Atom"
)
DSL = listed(
    "slice_ group_modes make_swizzle make_composed_layout make_smem_layout_atom make_mma_atom make_copy_atom "
    "make_tiled_copy_tv"
)
# triton.tools.LinearLayout, and Gluon's counter.
TRITON = listed("LinearLayout identity_1d apply compose invert pseudoinvert bank_conflicts")
NAMES = {
    "CuTe C++": operations("cute.jsonl.gz") | CUTE,
    "CuTe DSL": operations("cute.jsonl.gz") | CUTE | DSL,
    "FlyDSL": words("fx_names.txt"),
    "TIRx": operations("tirx.jsonl.gz") | words("tirx_names.txt") | {"tile_to"},
    "Triton": {*RULES, KIND} | TRITON,
}


def cells() -> dict[str, list[str]]:
    """The names of each column, of all tables."""
    found: dict[str, list[str]] = {}
    heads: list[str] = []
    for line in (ROOT / "docs" / "porting.md").read_text(encoding="utf-8").splitlines():
        row = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if "here" in row:
            heads = row
        elif row and heads:
            assert len(row) == len(heads), line
            for head, cell in zip(heads[1:], row[1:], strict=True):
                found.setdefault(head, []).extend(NAME.findall(cell))
    return found


@pytest.mark.parametrize("project", NAMES)
def test_a_project_has_its_names(project: str) -> None:
    named = cells()[project]
    assert len(named) > 10
    assert [name for name in named if name not in NAMES[project]] == []


def test_ours_are_there() -> None:
    named = cells()["here"]
    assert len(named) > 50
    assert all(callable(attrgetter(name)(tw)) for name in named)


def test_a_row_says_where_to_go() -> None:
    text = (ROOT / "docs" / "porting.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| |")]
    assert all(NAME.search(row.rstrip("|").rpartition("|")[2]) for row in rows)
