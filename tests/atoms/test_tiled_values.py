"""What a tiled MMA is made of: an atom layout of M, N and K, and a permutation that takes each element once."""

from __future__ import annotations

from itertools import product

import pytest

from tilewright.atoms.permutation import check_permutation
from tilewright.atoms.tiled_mma import TiledMma, make_tiled_mma
from tilewright.atoms.universal import universal_fma
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.layout import Layout

ATOM = universal_fma()


@pytest.mark.parametrize("extent", [0, -1, -8])
@pytest.mark.parametrize("mode", [0, 1, 2])
def test_a_mode_of_a_permutation_is_positive(extent: int, mode: int) -> None:
    own = tuple(extent if i == mode else None for i in range(3))
    with pytest.raises(LayoutError, match="at least one element"):
        make_tiled_mma(ATOM, Layout((2, 2, 1)), own)


def test_an_atom_layout_has_three_modes_at_most() -> None:
    for rank in range(1, 6):
        layout = Layout((1,) * rank)
        if rank <= 3:
            assert make_tiled_mma(ATOM, layout).size == 1
            continue
        for make in (make_tiled_mma, TiledMma):
            with pytest.raises(UsageError, match=f"M, N and K, not {rank}"):
                make(ATOM, layout)


def test_a_permutation_has_three_modes_at_most() -> None:
    for rank in range(1, 6):
        if rank <= 3:
            assert make_tiled_mma(ATOM, (1, 1, 1), (None,) * rank).permutation == (None, None, None)
            continue
        with pytest.raises(UsageError, match="a tiler for M, N and K"):
            make_tiled_mma(ATOM, (1, 1, 1), (None,) * rank)


def test_a_permutation_takes_each_element_once() -> None:
    for shape, stride in product(((2, 3), (4, 2), (2, 2, 2)), product(range(7), repeat=3)):
        own = Layout(shape, stride[: len(shape)])
        once = sorted(own(i) for i in range(own.size)) == list(range(own.size))
        if once:
            check_permutation("M", own, 1)
            continue
        with pytest.raises(LayoutError, match="does not take each"):
            check_permutation("M", own, 1)
