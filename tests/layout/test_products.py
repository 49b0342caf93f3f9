"""Products from their definition: mode 0 is the block, mode 1 moves copies of it that touch nowhere."""

from itertools import product

import pytest

import tilewright as tw
from tilewright import Layout, LayoutError

EXTENTS = range(1, 4)
BLOCKS = [Layout(shape, stride) for shape in product(EXTENTS, EXTENTS) for stride in product(range(7), range(7))]


def offsets(layout):
    return [layout(i) for i in range(layout.size)]


def modes_lie_apart(block):
    """Does each mode that counts start where those of smaller strides have ended?"""
    reach = 1
    for stride, extent in sorted((d, s) for s, d in zip(block.shape, block.stride, strict=True) if s > 1 and d):
        if stride < reach:
            return False
        reach = stride * extent
    return True


@pytest.mark.parametrize("copies", [1, 2, 3, 5])
def test_every_block_whose_elements_or_modes_lie_apart_is_repeated_without_overlap(copies):
    for block in BLOCKS:
        if not modes_lie_apart(block) and len(set(offsets(block))) < block.size:
            with pytest.raises(LayoutError):
                tw.logical_product(block, Layout(copies))
            continue
        whole, repeats = repeated(block, copies)
        assert offsets(whole) == offsets(block), block
        places = offsets(repeats)
        assert places == sorted(set(places)), block
        reached = {offset + place for offset in set(offsets(block)) for place in places}
        assert len(reached) == len(set(offsets(block))) * repeats.size, block


def repeated(block, copies):
    """The product; where the gaps of the block take a part of the copies only, with enough copies to fill them."""
    try:
        return tw.logical_product(block, Layout(copies))
    except LayoutError:
        return tw.logical_product(block, Layout(copies * 60))
