"""What tiled copies refuse: threads or values that the atom does not divide, layouts and threads that leave a tile."""

import pytest

from tilewright.atoms import catalog
from tilewright.atoms.copy_universal import universal_copy
from tilewright.atoms.tiled_copy import (
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    tiled_copy,
)
from tilewright.atoms.tiled_mma import make_tiled_mma
from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout


@pytest.mark.parametrize("values", range(1, 13))
@pytest.mark.parametrize("vector", [1, 2, 4])
def test_the_values_are_whole_vectors(vector, values):
    atom = universal_copy(16 * vector).with_element(16)
    if values % vector:
        with pytest.raises(LayoutError, match=f"needs 1 thread with {vector} values? each, which do not divide"):
            make_tiled_copy(atom, Layout((4, values), (values, 1)), (4 * values,))
    else:
        tiled = make_tiled_copy(atom, Layout((4, values), (values, 1)), (4 * values,))
        assert (tiled.size, tiled.tiled_tv_layout_S.size) == (4, 4 * values)


@pytest.mark.parametrize("threads", [1, 16, 31, 32, 33, 64])
def test_the_threads_are_whole_atoms(threads):
    atom = catalog.copy("SM75_U32x1_LDSM_N").with_element(16)
    layout = Layout((threads, 2), (2, 1))
    if threads % 32:
        with pytest.raises(LayoutError, match="needs 32 threads with 2 values each"):
            make_tiled_copy(atom, layout, (2 * threads,))
    else:
        assert make_tiled_copy(atom, layout, (2 * threads,)).size == threads


@pytest.mark.parametrize("elements", range(1, 12))
def test_a_layout_stays_in_its_tile(elements):
    atom, layout = universal_copy(16).with_element(16), Layout((4, 2), (1, 4))
    if elements < 8:
        with pytest.raises(LayoutError, match=f"reaches coordinate 7 of a tile of {elements} elements"):
            make_tiled_copy(atom, layout, (elements,))
    else:
        assert make_tiled_copy(atom, layout, (elements,)).tile_shape == (elements,)


@pytest.mark.parametrize("layout", [Layout((4, 2), (1, 4)), Layout((4, 3), (2, 3)), Layout((2, (2, 2)), (5, (0, 3)))])
def test_a_thread_is_refused_exactly_where_one_of_its_values_leaves_the_tile(layout):
    atom, seen = universal_copy(16).with_element(16), set()
    for elements in range(1, layout.cosize + 3):
        tiled = tiled_copy(atom, layout, (elements,))
        for thread in range(tiled.size):
            last = max(layout(thread, value) for value in range(layout[1].size))
            leaves = last >= elements
            seen.add(leaves)
            if leaves:
                with pytest.raises(LayoutError, match=f"thread {thread} of .* reaches {last}, beyond the tile"):
                    tiled.get_slice(thread).check_reach()
            else:
                tiled.get_slice(thread).check_reach()
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("make", "name", "bits"),
    [
        (make_tiled_copy_A, "SM75_U32x4_LDSM_N", 16),
        (make_tiled_copy_B, "SM75_U32x2_LDSM_N", 16),
        (make_tiled_copy_C, "UniversalCopy64b", 32),
    ],
)
def test_an_atom_of_bits_moves_the_elements_of_the_operand_that_it_is_for(make, name, bits):
    mma = make_tiled_mma("SM80_16x8x16_F32F16F16F32_TN", Layout((2, 2, 1)))
    assert mma == make_tiled_mma(catalog.mma("SM80_16x8x16_F32F16F16F32_TN"), (2, 2, 1))
    atom = catalog.copy(name)
    assert make(name, mma) == make(atom, mma) == make(atom.with_element(bits), mma)
    with pytest.raises(LayoutError, match=r"it counts bits: \.with_element\(16\) gives it elements"):
        make_tiled_copy(atom, Layout((32, 2)), (64,))
