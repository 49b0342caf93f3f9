"""Document 004: the derivation, the ownership, and the numbers where it slips."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.analysis.permutation.choices import permutation_choices
from tilewright.analysis.permutation.explained import compare_permutations, explain_permutation
from tilewright.atoms import catalog
from tilewright.atoms.tiled_mma import make_tiled_mma
from tilewright.atoms.universal import universal_fma
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.layout import Layout

MMA = "SM80_16x8x16_F32F16F16F32_TN"


def test_the_table_of_document_004():
    rows = [(c.group, c.period, c.repetitions, c.shape) for c in permutation_choices(16, 128, 32)]
    assert rows == [(1, 16, 8, (1, 8)), (2, 32, 4, (2, 4)), (4, 64, 2, (4, 2)), (8, 128, 1, (8, 1))]
    patterns = [c.elements(0) for c in permutation_choices(16, 128, 32)]
    assert patterns[0] == tuple((16 * i,) for i in range(8))
    assert patterns[1] == ((0, 1), (32, 33), (64, 65), (96, 97))
    assert patterns[2] == ((0, 1, 2, 3), (64, 65, 66, 67))
    assert patterns[3] == (tuple(range(8)),)


@given(st.integers(1, 12), st.integers(1, 24), st.sampled_from((4, 8, 16, 32, 64)))
def test_every_choice_shares_the_block_out_evenly(atoms, share, bits):
    choices = permutation_choices(atoms, atoms * share, bits)
    assert [c.group for c in choices] == [r for r in range(1, share + 1) if share % r == 0]
    for c in choices:
        owned = [e for t in range(atoms) for group in c.elements(t) for e in group]
        assert sorted(owned) == list(range(atoms * share))
        assert c.vector_bits * c.instructions == share * bits
        assert all(
            c.permutation(t + atoms * i) == g[i] for t in range(atoms) for g in c.elements(t)[:1] for i in range(len(g))
        )
    assert choices.best.vector_bits == max(c.vector_bits for c in choices)


@given(st.sampled_from((1, 2, 4)), st.sampled_from((1, 2, 4)), st.sampled_from((1, 2, 4)))
def test_a_permutation_gives_the_threads_the_chosen_groups(f, r, reps):
    """Law 64: the partition of a SIMT tile is the choice's list."""
    (choice,) = [c for c in permutation_choices(f, f * r * reps, 32) if c.group == r]
    tiled = make_tiled_mma(universal_fma(), Layout((f, 1, 1)), (choice.permutation, None, None))
    found = explain_permutation(tiled, (f * r * reps, 1, 1))
    for t in range(f):
        assert [m for m, _ in found.elements(t)] == [e for group in choice.elements(t) for e in group]


@pytest.mark.parametrize("permutation", [None, (32, 32, 16), (64, 64, 32), (128, 16, 16)])
def test_an_integer_never_changes_ownership(permutation):
    tiled = make_tiled_mma(catalog.mma(MMA), Layout((2, 2, 1)), permutation)
    assert not explain_permutation(tiled, (128, 128, 32)).changes_ownership


def test_a_layout_does():
    tiled = make_tiled_mma(catalog.mma(MMA), Layout((2, 2, 1)), (None, Layout((8, 2, 2), (1, 16, 8)), None))
    found = explain_permutation(tiled, (128, 128, 32))
    assert found.changes_ownership
    assert found.modes[1].runs()[:2] == ((0, 16), (32, 48))


def test_the_tensor_core_numbers():
    """128 accumulators, not 64; 32 MMAs a warp per K step, not 16; columns 0-7 and 16-23, not adjacent ones."""
    found = explain_permutation(make_tiled_mma(catalog.mma(MMA), Layout((2, 2, 1)), (32, 32, 16)), (128, 128, 32))
    assert (found.accumulators, found.accumulator_bytes) == (128, 512)
    assert (found.mma_per_k_step, found.k_steps, found.mma_per_k_tile, found.atoms) == (32, 2, 64, 4)
    assert found.steps == (4, 4)
    assert [mode.expansion for mode in found.modes] == [1, 2, 1]
    assert found.modes[1].runs()[:2] == ((0, 8), (16, 24))
    columns = {n for thread in range(32) for _, n in found.elements(thread) if n < 32}
    assert columns == {*range(8), *range(16, 24)}


def test_the_step_picture_counts_every_step_once():
    found = explain_permutation(make_tiled_mma(catalog.mma(MMA), Layout((2, 2, 1)), (32, 32, 16)), (128, 128, 32))
    body = [line.split()[1:] for line in found.step_picture().splitlines()[1:]]
    assert [int(cell) for row in body for cell in row] == list(range(16))


def test_the_comparison_has_a_column_each():
    a = explain_permutation(make_tiled_mma(universal_fma(), Layout((4, 4, 1)), (Layout((4, 2), (2, 1)),)), (16, 4, 1))
    b = explain_permutation(make_tiled_mma(catalog.mma(MMA)), (16, 8, 16))
    text = compare_permutations(a, b)
    assert "1x1x1" in text
    assert "16x8x16" in text
    assert "set by the permutation" in text
    assert "as without one" in text


@pytest.mark.parametrize(
    ("atoms", "block", "bits"), [(3, 128, 32), (0, 128, 32), (16, 0, 32), (16, 128, "zz"), (1, 2**20, 8)]
)
def test_numbers_that_cannot_be_are_refused(atoms, block, bits):
    with pytest.raises(UsageError):
        permutation_choices(atoms, block, bits)


def test_tiles_and_permutations_that_do_not_fit_are_refused():
    atom = catalog.mma(MMA)
    with pytest.raises(UsageError, match="M = 100 is no multiple of the permuted tile's 32"):
        explain_permutation(make_tiled_mma(atom, Layout((2, 2, 1))), (100, 128, 32))
    with pytest.raises(LayoutError, match="permutation of M: 24 has 24 elements"):
        make_tiled_mma(atom, Layout((2, 2, 1)), (24, None, None))
    with pytest.raises(UsageError):
        make_tiled_mma(atom, Layout((2, 2, 1, 1)))
    with pytest.raises(UsageError):
        make_tiled_mma(atom, Layout((2, 2, 1))).get_slice(128)
