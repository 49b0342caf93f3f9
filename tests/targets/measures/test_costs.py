"""What rows of addresses cost, lane by lane."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr

from tilewright.arch import get
from tilewright.targets.simulator.observers.costs import instructions, sectors
from tilewright.targets.simulator.sites import Site

OP = ConstantOp(IntegerAttr(0, 64))
SPEC = get("sm_80")


def site(space: str, width: int) -> Site:
    return Site(OP, "load", OP.result, "m", space, width)


@given(
    st.lists(st.lists(st.integers(-1, 60), min_size=32, max_size=32), min_size=1, max_size=3),
    st.sampled_from([1, 2, 4, 8, 16]),
)
def test_sectors_are_those_of_the_bytes_that_lanes_touch(places: list[list[int]], width: int) -> None:
    """The fewest are those that hold as many bytes, the last one not full."""
    elements, size = np.array(places), SPEC.sector_bytes
    rows = np.where(elements < 0, -1, elements * width)
    found = sectors(SPEC, site("global", width), rows)
    asked = instructions(SPEC, site("global", width), rows)
    for number, row in enumerate(places):
        touched = {place * width + byte for place in row if place >= 0 for byte in range(width)}
        assert asked["distinct_bytes"][number] == len(touched)
        assert asked["bytes"][number] == width * sum(place >= 0 for place in row)
        assert found["sectors"][number] == len({byte // size for byte in touched})
        assert found["ideal_sectors"][number] == -(-len(touched) // size)


@pytest.mark.parametrize("space", ["global", "shared"])
def test_bytes_of_each_memory_are_those_of_lanes_and_different_ones(space: str) -> None:
    rows = np.array([[12] * 16 + [-1] * 16])
    found = instructions(SPEC, site(space, 4), rows)
    assert (sectors(SPEC, site(space, 4), rows) == {}) == (space == "shared")
    assert {name: costs.tolist() for name, costs in found.items()} == {
        "accesses": [1],
        "bytes": [64],
        "distinct_bytes": [4],
    }
