"""Every advice under TMA has a tensor map; where there is none the advice says why."""

from __future__ import annotations

import pytest

import tilewright as tw
from tilewright import Access, Layout

TMA = Access(instruction="tma")


@pytest.mark.parametrize("tile", [Layout((64, 128), (128, 1)), Layout((8, 64), (64, 1)), Layout((128, 64))])
@pytest.mark.parametrize("bits", [8, 16, 32])
def test_under_tma_there_is_always_one(tile: Layout[int], bits: int) -> None:
    ranking = tw.suggest_swizzle(tile, TMA, element_bits=bits)
    assert [advice.tensor_map for advice in ranking] == [advice.box for advice in ranking]


def test_without_tma_it_is_there_or_the_reason_is() -> None:
    ranking = tw.suggest_swizzle(Layout((8, 64), (64, 1)), Layout((8, 8), (1, 8)), element_bits=16)
    without = [advice for advice in ranking if advice.box is None]
    assert without
    assert len(without) < len(ranking)
    for advice in without:
        with pytest.raises(tw.LayoutError, match=r"no mode of the hardware|TMA|rows|box"):
            _ = advice.tensor_map
