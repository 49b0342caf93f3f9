"""Law 63: an atom, applied through its layouts, is a matrix product."""

import numpy
import pytest

from tilewright.atoms import catalog, semantics
from tilewright.errors import UsageError


def distinct_atoms():
    """One atom for each combination of layouts."""
    found = {}
    for name in catalog.list(kind="mma"):
        atom = catalog.mma(name)
        if atom.shape_mnk[1] <= 64 and atom.blocks == 1:  # of several blocks see test_blocks.py
            found.setdefault((atom.shape_mnk, atom.tv_layout_A, atom.tv_layout_B, atom.tv_layout_C), atom)
    return list(found.values())


@pytest.mark.parametrize("atom", distinct_atoms(), ids=lambda atom: atom.name)
def test_mma_semantics(atom):
    rng = numpy.random.default_rng(63)
    m, n, k = atom.shape_mnk
    a, b, c = (rng.integers(-8, 8, shape).astype(float) for shape in ((m, k), (n, k), (m, n)))
    fragments = [semantics.distribute(atom.tv_layout(x), value) for x, value in zip("ABC", (a, b, c), strict=True)]
    d = semantics.mma(atom, *fragments)
    expected = numpy.einsum("mk,nk->mn", a, b, optimize=True) + c
    for _ in range(64):
        t, v = rng.integers(d.shape[0]), rng.integers(d.shape[1])
        element = atom.tv_layout_C(int(t), int(v))
        assert d[t, v] == expected[element % m, element // m]
    assert (semantics.collect(atom.tv_layout_C, d, (m, n)) == expected).all()


def test_fragments_of_another_shape_are_refused():
    atom = catalog.mma("SM80_16x8x8_F32F16F16F32_TN")
    with pytest.raises(UsageError, match=r"fragment of A has shape \(32, 2\), expected \(32, 4\)"):
        semantics.mma(atom, numpy.zeros((32, 2)), numpy.zeros((32, 2)), numpy.zeros((32, 4)))


def test_ldmatrix_gives_every_lane_its_pair():
    """Lane t of ldmatrix holds elements 2(t%4) and 2(t%4)+1 of row t//4, for each matrix."""
    atom = catalog.copy("SM75_U32x4_LDSM_N").with_element(16)
    rows = numpy.arange(32 * 8).reshape(32, 8)
    got = semantics.copy(atom, rows)
    for lane in range(32):
        for matrix in range(4):
            row = 8 * matrix + lane // 4
            assert list(got[lane, 2 * matrix : 2 * matrix + 2]) == [
                8 * row + 2 * (lane % 4),
                8 * row + 2 * (lane % 4) + 1,
            ]


def test_transposing_ldmatrix_gives_columns():
    atom = catalog.copy("SM75_U16x8_LDSM_T").with_element(16)
    rows = numpy.arange(32 * 8).reshape(32, 8)
    got = semantics.copy(atom, rows)
    for lane in range(32):
        for matrix in range(4):
            column, row = lane // 4, 2 * (lane % 4)
            assert list(got[lane, 2 * matrix : 2 * matrix + 2]) == [
                8 * (8 * matrix + row) + column,
                8 * (8 * matrix + row + 1) + column,
            ]


@pytest.mark.parametrize("name", [n for n in catalog.list(kind="copy") if "LDSM" in n or "UTCCP" in n or "XOR" in n])
def test_a_copy_loses_nothing(name):
    atom = catalog.copy(name).with_element(8)
    threads, values = atom.tv_layout_src[0].size, atom.tv_layout_src[1].size
    where = numpy.array([[atom.tv_layout_src(t, v) for v in range(values)] for t in range(threads)])
    got = semantics.copy(atom, where)
    assert set(got.ravel().tolist()) == set(where.ravel().tolist())
