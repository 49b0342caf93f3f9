"""Laws 60, 61, 64, 65 and 66 on random tiled operations."""

import numpy
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.analysis.permutation.ownership import fragments_match, prove_ownership
from tilewright.atoms import catalog
from tilewright.atoms.copy_universal import universal_copy
from tilewright.atoms.tiled_copy import make_tiled_copy_A, make_tiled_copy_C, make_tiled_copy_tv
from tilewright.atoms.tiled_mma import make_tiled_mma
from tilewright.atoms.universal import universal_fma
from tilewright.layout.construct import make_identity_tensor
from tilewright.layout.layout import Layout
from tilewright.layout.operations import right_inverse
from tilewright.tensor.predicate import predicate

WARP_ATOMS = (
    "SM80_16x8x16_F32F16F16F32_TN",
    "SM80_16x8x8_F32TF32TF32F32_TN",
    "SM80_8x8x4_F64F64F64F64_TN",
    "SM80_16x8x32_S32S8S8S32_TN",
    "CDNA3_16x16x16_F32F16F16F32",
    "CDNA3_32x32x8_F32F16F16F32",
    "RDNA4_16x16x16_F32F16F16F32",
    "UniversalFMA<float32>",
)
ORDERS = ((1, 0), (0, 1))


@st.composite
def tiled_mmas(draw):
    atom = catalog.mma(draw(st.sampled_from(WARP_ATOMS)))
    m, n = draw(st.sampled_from((1, 2, 4))), draw(st.sampled_from((1, 2, 4)))
    stride = (1, m, 0) if draw(st.booleans()) else (n, 1, 0)
    permutation = []
    for extent, atoms in zip(atom.shape_mnk[:2], (m, n), strict=True):
        factor = draw(st.sampled_from((1, 2, 4)))
        covered = extent * atoms
        choices = [None, covered * factor]
        if factor > 1:  # factor neighbours of an atom together, as in document 004
            choices.append(Layout((extent, atoms, factor), (1, extent * factor, extent)))
        permutation.append(draw(st.sampled_from(choices)))
    return make_tiled_mma(atom, Layout((m, n, 1), stride), tuple(permutation))


@st.composite
def tiled_copies(draw):
    powers = st.sampled_from((1, 2, 4, 8))
    thr, val = (draw(powers), draw(powers)), (draw(powers), draw(powers))
    orders = [draw(st.sampled_from(ORDERS)) for _ in range(2)]
    layouts = [Layout(s, (1, s[0]) if o == (0, 1) else (s[1], 1)) for s, o in zip((thr, val), orders, strict=True)]
    values = val[0] * val[1]
    bits = draw(st.sampled_from([b for b in (16, 32, 64, 128) if (b // 16) <= values]))
    return make_tiled_copy_tv(universal_copy(bits).with_element(16), *layouts)


@settings(max_examples=100)
@given(tiled_mmas())
def test_tv_own_every_operand_is_owned_as_declared(tiled):
    shared = {"A": tiled.atom_layout[1].size, "B": tiled.atom_layout[0].size, "C": 1}
    for found in prove_ownership(tiled):
        replicas = tiled.atom.replicas["ABC".index(found.operand)]
        assert found.count == found.declared == shared[found.operand] * replicas


@settings(max_examples=50)
@given(tiled_mmas(), st.data())
def test_tv_inverse_finds_the_owner(tiled, data):
    """Law 61: right_inverse(TV) o TV is the identity on the accumulators."""
    tv = tiled.tiled_tv_layout_C
    inverse = right_inverse(tv)
    m, n, _ = tiled.tile_size_mnk
    assert inverse.size == m * n
    element = data.draw(st.integers(0, m * n - 1))
    assert tv(inverse(element)) == element


@settings(max_examples=20)
@given(tiled_mmas())
def test_perm_keeps_the_image_and_the_count(tiled):
    """Law 64: with a permutation the threads share out the same elements, as many each."""
    m, n, _ = tiled.tile_size_mnk
    plain = make_tiled_mma(tiled.atom, tiled.atom_layout)
    for x in (tiled, plain):
        frag = x.thrfrg("C", Layout((m, n)))
        assert (numpy.sort(frag(numpy.arange(frag.size))) == numpy.arange(m * n)).all()
    assert tiled.partition_fragment("C", (m, n)).size == plain.partition_fragment("C", (m, n)).size


@settings(max_examples=40)
@given(tiled_copies())
def test_copy_partitions_match_element_by_element(copy):
    """Law 65: source and destination partitions of one tiled copy hold the same coordinates."""
    tensor = make_identity_tensor(copy.tile_shape)
    seen = []
    for thread in range(copy.size):
        mine = copy.get_slice(thread)
        source, target = mine.partition_S(tensor), mine.partition_D(tensor)
        assert [source(i) for i in range(source.size)] == [target(i) for i in range(target.size)]
        seen += [source(i) for i in range(source.size)]
    assert len(set(seen)) == len(seen) == numpy.prod(copy.tile_shape)


@settings(max_examples=6)
@given(tiled_mmas())
def test_retile_keeps_every_thread_s_elements(tiled):
    """Law 65: a fragment retiled for the matching copy shows what that copy brings."""
    m, n, k = tiled.tile_size_mnk
    copy = make_tiled_copy_A(universal_copy(16).with_element(16), tiled)
    assert fragments_match(copy, tiled, "A", (m, k))
    copy = make_tiled_copy_C(universal_copy(32).with_element(32), tiled)
    assert fragments_match(copy, tiled, "C", (m, n))


def test_ldmatrix_matches_the_mma():
    tiled = make_tiled_mma(catalog.mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)), (32, 32, 16))
    ldmatrix = catalog.copy("SM75_U32x4_LDSM_N").with_element(16)
    assert fragments_match(make_tiled_copy_A(ldmatrix, tiled), tiled, "A", (64, 32))


@settings(max_examples=30)
@given(tiled_copies(), st.integers(1, 40), st.integers(1, 40))
def test_copy_pred_touches_exactly_the_in_bounds_set(copy, rows, columns):
    """Law 66: over all threads and tiles, the masked places are the tensor's elements, each once."""
    tile = copy.tile_shape
    whole = tuple(-(-extent // t) * t for extent, t in zip((rows, columns), tile, strict=True))
    tensor = make_identity_tensor(whole)
    touched = []
    for thread in range(copy.size):
        part = copy.get_slice(thread).partition_S(tensor)
        mask = predicate(part, (rows, columns)).load()
        touched += [part(i) for i in range(part.size) if mask[i]]
    assert sorted(touched) == sorted((i, j) for i in range(rows) for j in range(columns))


def test_document_004_lists():
    """Document 004, section 7: thread 0's rows for R = 1, 2, 4, 8 (its section 5 list for R = 1 is a slip)."""
    lists = {
        1: [0, 16, 32, 48, 64, 80, 96, 112],
        2: [0, 1, 32, 33, 64, 65, 96, 97],
        4: [0, 1, 2, 3, 64, 65, 66, 67],
        8: [0, 1, 2, 3, 4, 5, 6, 7],
    }
    for r, expected in lists.items():
        permutation = (Layout((16, r), (r, 1)), Layout((16, r), (r, 1)))
        tiled = make_tiled_mma(universal_fma(), Layout((16, 16, 1)), permutation)
        part = tiled.get_slice(0).partition_C(make_identity_tensor((128, 128)))
        assert sorted({part(i)[0] for i in range(part.size)}) == expected
