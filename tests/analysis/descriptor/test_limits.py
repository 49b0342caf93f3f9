"""Where the fields of descriptors and the boxes of tensor maps end, at the last value and the first one beyond."""

from __future__ import annotations

from itertools import product

import pytest

from tilewright import Layout, LayoutError
from tilewright.analysis.descriptor.box import box_of
from tilewright.analysis.descriptor.demands import UNITS, Placed
from tilewright.analysis.descriptor.matrix import matrix
from tilewright.atoms.shared_modes import MODES


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_a_box_is_one_piece_of_shared_memory(bits: int) -> None:
    """Its rows follow each other without a gap, so that it has several only where they are whole rows of the tile."""
    lengths = [k * 128 // bits for k in (8, 16, 24, 64, 128)]
    for lines, length in product((1, 2, 8, 300, 512), lengths):
        box = box_of(Layout((lines, length), (length, 1)), "none", bits)
        width, high = box.extents
        assert width * high * box.copies == lines * length
        assert length % width == 0
        assert lines % high == 0
        assert width == length or high == 1
        assert max(width, high) <= 256
        assert box.copies == 1 or width * high * bits % 1024 == 0


@pytest.mark.parametrize("unit", ["wgmma", "tcgen05"])
def test_atoms_lie_as_far_apart_as_a_field_of_14_bits_says(unit: str) -> None:
    for far in range(2**18 - 2048, 2**18 + 2048, 1024):
        tile = Placed(Layout(((8, 2), 64), ((64, far // 2), 1)), MODES["128B"], 16)
        if far // 16 < 1 << 14:
            UNITS[unit].check(tile, matrix(tile.layout))
        else:
            with pytest.raises(LayoutError, match="bytes apart"):
                UNITS[unit].check(tile, matrix(tile.layout))
