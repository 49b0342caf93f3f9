"""MFMA of several blocks: lanes and registers as AMD's calculator has them, and what they compute."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tilewright as tw
from tilewright.arch import get
from tilewright.atoms import catalog, semantics
from tilewright.atoms.available import has_atom
from tilewright.atoms.cdna import mfma_blocks
from tilewright.errors import LayoutError, UsageError
from tilewright.tirx.hardware.fragments import mma_fragment_layout

ATOMS = [atom for atom in map(catalog.mma, catalog.list("cdna", kind="mma")) if atom.blocks > 1]

# tile, is it of doubles? -> lane of A[i][k] and B[k][j] of a block, lane and register of D[i][j]; register of A is k
CALCULATOR = {
    (32, False): (lambda i, k, b: 32 * b + i, lambda i, j, b: (32 * (i // 4) % 64 + j, 16 * b + 4 * (i // 8) + i % 4)),
    (16, False): (lambda i, k, b: 16 * b + i, lambda i, j, b: (16 * (i // 4) + j, 4 * b + i % 4)),
    (4, False): (lambda i, k, b: 4 * b + i, lambda i, j, b: (4 * b + j, i)),
    (4, True): (lambda i, k, b: 16 * k + 4 * b + i, lambda i, j, b: (16 * i + 4 * b + j, 0)),
}


def test_they_are_all_there() -> None:
    """Source: the CDNA3 ISA's list of instructions with `_2b`, `_4b` and `_16b`."""
    names = {re.sub("v_mfma_", "", atom.instruction) for atom in ATOMS if atom.arch == "gfx942"}
    forms = [f"{shape}_{blocks}b" for shape, blocks in (("32x32x{}", 2), ("16x16x{}", 4), ("4x4x{}", 16))]
    known = (("f32", "f32", 1), ("f32", "f16", 4), ("f32", "bf16", 4), ("i32", "i8", 4))
    told = {f"{d}_{form.format(k)}_{a}" for d, a, k in known for form in forms}
    assert names == {*told, "f64_4x4x4_4b_f64"}
    assert {atom.arch: sum(x.arch == atom.arch for x in ATOMS) for atom in ATOMS} == {
        "gfx908": 12, "gfx90a": 16, "gfx942": 13, "gfx950": 13,
    }  # fmt: skip


@pytest.mark.parametrize("atom", ATOMS, ids=lambda atom: atom.name)
def test_lanes_and_registers_are_the_calculators(atom: tw.MmaAtom) -> None:
    m, n, k = atom.shape_mnk
    double = atom.types[0] == "float64"
    lane_of, place_of = CALCULATOR[m, double]
    assert (n, atom.blocks) == (m, 4 if double else 64 // m)
    for b in range(atom.blocks):
        for i in range(m):
            for x in range(k):
                lane, register = lane_of(i, x, b), 0 if double else x
                assert atom.tv_layout_A(lane, register) == atom.tv_layout_B(lane, register) == i + m * x + m * k * b
            assert all(atom.tv_layout_C(*place_of(i, j, b)) == i + m * j + m * n * b for j in range(n))


@pytest.mark.parametrize("atom", ATOMS[::5], ids=lambda atom: atom.name)
def test_each_block_is_a_product_of_its_own(atom: tw.MmaAtom) -> None:
    (m, n, k), rng = atom.shape_mnk, np.random.default_rng(7)
    a, b, c = (rng.integers(-8, 8, (atom.blocks, rows, columns)) for rows, columns in ((m, k), (n, k), (m, n)))
    held = [
        semantics.distribute(atom.tv_layout(x), np.moveaxis(matrix, 0, 2))
        for x, matrix in zip("ABC", (a, b, c), strict=True)
    ]
    wanted = np.moveaxis(a @ b.swapaxes(1, 2) + c, 0, 2)
    assert (semantics.mma(atom, *held) == semantics.distribute(atom.tv_layout_C, wanted)).all()
    for x, matrix in (("A", a), ("C", c)):
        layout, fragment = mma_fragment_layout(atom, x), held["ABC".index(x)]
        for at in rng.integers(0, matrix.size, 16).tolist():
            point = layout.apply(at)
            assert fragment[point.get("laneid", 0), point.get("m", 0)] == matrix.reshape(-1)[at]


def test_they_are_found_and_drawn_and_are_no_tile() -> None:
    *older, found, newer = tw.atoms.find(4, 4, 4, a="f16", arch="gfx942")
    assert [*older, found, newer] == [*tw.atoms.find(4, a="f16", blocks=16, arch="gfx942")]
    assert tw.atoms.find(4, 4, 4, a="f16", blocks=1) == ()
    assert {atom.tv_layout_C for atom in (*older, newer)} == {found.tv_layout_C}
    assert catalog.list("llvm.amdgcn.mfma.f32.4x4x4f16", arch="gfx942") == (found.name,)
    assert catalog.list("v_mfma_f32_4x4x4f16") == ("CDNA1_4x4x4_16B_F32F16F16F32", "CDNA2_4x4x4_16B_F32F16F16F32")
    assert has_atom(get("gfx950"), found)
    assert not has_atom(get("gfx1100"), found)
    assert "between the 16 blocks" in tw.draw(found).svg()
    with pytest.raises(LayoutError, match="16 products at once"):
        tw.make_tiled_mma(found)


@pytest.mark.parametrize(("m", "k", "kind"), [(8, 4, "float32"), (4, 9, "float32"), (16, 4, "float64"), (4, 2, "f64")])
def test_what_is_none(m: int, k: int, kind: str) -> None:
    with pytest.raises(UsageError, match="of several blocks are"):
        mfma_blocks(m, k, (kind,) * 4)
