"""What a thread of a tiled copy or MMA has of a tensor is what it has of the layout; together they move the tile."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilewright as tw
from tilewright import Layout, Tensor

ATOM = tw.make_copy_atom(tw.UniversalCopy64b(), 16)
TILED = tw.make_tiled_copy_tv(ATOM, Layout((8, 4), (4, 1)), Layout((1, 4)))
MMA = tw.make_tiled_mma(tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 1, 1)))
LAYOUTS = [Layout((16, 32), (32, 1)), Layout((16, 32), (1, 16)), tw.parse("Sw<2,3,3> o 0 o (16,32):(32,1)")]


def tile(layout: Any) -> Tensor:
    return Tensor(numpy.arange(layout.cosize, dtype="float16"), layout)


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("side", ["partition_S", "partition_D"])
def test_a_thread_of_a_copy(layout: Any, side: str) -> None:
    for thread in range(0, TILED.size, 5):
        part, expected = (getattr(TILED.get_slice(thread), side)(x) for x in (tile(layout), layout))
        assert part.load().tolist() == [expected(i) for i in range(expected.size)]
        assert part.shape == expected.shape


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
def test_all_threads_together_copy_the_tile_by_the_vector_of_the_atom(layout: Any) -> None:
    src, dst = tile(layout), tile(Layout((16, 32), (32, 1)))
    widths = set()
    for thread in range(TILED.size):
        mine = TILED.get_slice(thread)
        widths.add(tw.copy(mine.partition_S(src), mine.partition_D(dst)).vector)
    assert (src.numpy() == dst.numpy()).all()
    assert widths == {1 if layout(0, 1) != 1 else 4}


@pytest.mark.parametrize("operand", "ABC")
def test_a_thread_of_an_mma(operand: str) -> None:
    layout = Layout((32, 16), (16, 1))
    for thread in range(0, MMA.size, 7):
        mine = MMA.get_slice(thread)
        part, expected = (getattr(mine, f"partition_{operand}")(x) for x in (tile(layout), layout))
        assert part.load().tolist() == [expected(i) for i in range(expected.size)]


def test_a_fragment_goes_by_the_copy_that_matches_the_mma() -> None:
    """Memory to registers by the copy's view of them; what the MMA's view has then is its part of the tile."""
    copy = tw.make_tiled_copy_A(tw.make_copy_atom(tw.UniversalCopy32b(), 16), MMA)
    whole = tile(Layout((32, 16), (16, 1)))
    for thread in (0, 5, 63):
        fragment = MMA.get_slice(thread).make_fragment_A(whole)
        assert not fragment.load().any()
        moved = tw.copy(copy.get_slice(thread).partition_S(whole), copy.get_slice(thread).retile(fragment))
        assert moved.vector == 2
        assert fragment.load().tolist() == MMA.get_slice(thread).partition_A(whole).load().tolist()
