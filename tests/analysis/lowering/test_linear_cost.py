"""`linear_cost` is what counting gives, wherever it tells anything."""

from __future__ import annotations

import random

import pytest

from tilewright.analysis.banks.conflicts import bank_conflicts_at
from tilewright.analysis.lowering.linear_cost import linear_cost
from tilewright.arch import get, names
from tilewright.errors import LayoutError
from tilewright.layout.linear import f2

ROWS = {"load": "auto", "store": "auto", "ldmatrix": "ldmatrix.x1", "stmatrix": "stmatrix.x1"}


def drawn(random_of: random.Random, bits: int, element_bits: int, width: int) -> tuple[int, ...]:
    """Images of bits of the lane: mostly aligned to the width; some are 0, and some twice."""
    unit = max(1, 8 * width // element_bits)
    found = [random_of.choice((unit, unit, unit, 1)) * random_of.randrange(256) for _ in range(bits)]
    for at in range(bits):
        if random_of.random() < 0.2:
            found[at] = random_of.choice((0, *found))
    return tuple(found)


@pytest.mark.parametrize("arch", names())
def test_the_rank_tells_what_counting_tells(arch: str) -> None:
    """Every row of the tables, with all lanes or the first ones, of elements of 8 to 64 bits."""
    spec, random_of, told = get(arch), random.Random(arch), 0
    for (row, width), _ in spec.rules.items():
        if row not in ROWS:
            continue
        kind = "store" if row in ("store", "stmatrix") else "load"
        for _ in range(40):
            lanes = 3 if "matrix" in row else random_of.choice((spec.lanes.bit_length() - 1,) * 3 + (0, 2, 4))
            element_bits = random_of.choice((8, 16, 32, 64))
            images = drawn(random_of, lanes, element_bits, width)
            found = linear_cost(images, element_bits, width, kind, ROWS[row], spec)
            if found is None:
                continue
            told += 1
            addresses: list[int | None] = [f2.apply(images, lane) * element_bits // 8 for lane in range(1 << lanes)]
            try:
                counted = bank_conflicts_at(addresses, width, kind=kind, instruction=ROWS[row], arch=spec)
            except LayoutError:
                pytest.fail(f"{row} {width} {images}: counting refuses it")
            assert found == (counted.wavefronts, counted.ideal, counted.notes), (row, width, element_bits, images)
    assert told > 40 or not spec.rules


def test_what_is_not_linear_is_not_told() -> None:
    assert linear_cost((1, 2, 4, 8, 16), 32, 8, "load", "auto", get("sm_90")) is None  # misaligned
    assert linear_cost((1, 2, 4, 8, 16), 32, 12, "load", "auto", get("sm_90")) is None
    assert linear_cost((1,) * 6, 32, 4, "load", "auto", get("sm_90")) is None  # more lanes than a warp has
