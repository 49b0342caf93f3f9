"""The picture of an MMA atom is what the atom says, for atoms of every generation."""

from __future__ import annotations

import pytest

import tilewright.atoms as atoms
from tilewright.atoms.tiled_mma import TiledMma, make_tiled_mma
from tilewright.errors import UsageError
from tilewright.figures.draw import draw
from tilewright.figures.geometry import arrange
from tilewright.figures.scene import Panel
from tilewright.layout.layout import Layout

ARCHES = ("sm_70", "sm_75", "sm_80", "sm_89", "sm_90", "sm_120", "gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1200")
LARGEST = 2048  # elements of an operand; the larger ones are no other code


def smallest(arch: str) -> atoms.MmaAtom | None:
    """The last of the small atoms of an architecture."""
    fit = (atom for atom in map(atoms.mma, atoms.list(kind="mma", arch=arch)[:40]) if "shared" not in atom.spaces)
    fit = [atom for atom in fit if max(rows * columns for rows, columns in map(atom.tile, "ABC")) <= LARGEST]
    return fit[-1] if fit else None


BLOCKS = [atoms.mma(name) for name in ("CDNA1_4x4x4_16B_F32F16F16F32", "CDNA1_32x32x4_2B_F32F16F16F32")]
ATOMS = [*(atom for atom in map(smallest, ARCHES) if atom), *BLOCKS]


def owners(panel: Panel, atom: atoms.MmaAtom, operand: str) -> dict[tuple[int, int], list[str]]:
    """Who has what, by row and column of the operand's tile; blocks follow each other."""
    upright = panel.transposed() if operand == "B" else panel
    rows, columns = atom.tile(operand)
    found = {}
    for cell in upright.cells:
        down, block = (cell.row % rows, cell.row // rows) if operand == "B" else (cell.row, 0)
        found[down, cell.column + columns * block] = cell.note.split(": ")[1].split(", ")
    return found


@pytest.mark.parametrize("atom", ATOMS, ids=lambda atom: atom.name)
def test_every_owner_is_told(atom: atoms.MmaAtom) -> None:
    for operand, panel in zip("ABC", draw(atom).scene.panels, strict=True):
        found, layout = owners(panel, atom, operand), atom.tv_layout(operand)
        rows = atom.tile(operand)[0]
        for thread in range(0, layout[0].size, 5):
            for value in range(layout[1].size):
                index = layout(thread, value)
                assert f"thread {thread} value {value}" in found[index % rows, index // rows]


MMA = atoms.mma("SM80_16x8x16_F32F16F16F32_TN")


@pytest.mark.parametrize(
    "mma",
    [
        MMA,
        make_tiled_mma(MMA, Layout((2, 2, 1)), (32, 32, 16)),
        make_tiled_mma(MMA, Layout((1, 1, 2))),
        atoms.mma("SM80_8x8x4_F64F64F64F64_TN"),
    ],
    ids=str,
)
def test_the_operands_are_aligned_as_in_the_product(mma: atoms.MmaAtom | TiledMma) -> None:
    a, b, c = arrange(draw(mma).scene).boxes
    assert (a.top, a.bottom, a.cell_height) == (c.top, c.bottom, c.cell_height)
    assert (b.left, b.right, b.cell_width) == (c.left, c.right, c.cell_width)
    assert a.right < c.left
    assert b.bottom < c.top


@pytest.mark.parametrize("atom", BLOCKS, ids=lambda atom: atom.name)
def test_blocks_lie_side_by_side_and_leave_no_page_blank(atom: atoms.MmaAtom) -> None:
    scene = draw(atom).scene
    a, b, c = arrange(scene).boxes
    assert a.bottom < b.top < b.bottom < c.top
    assert b.left == c.left
    assert [box.panel.columns.count for box in (a, b, c)] == [atom.blocks * atom.shape_mnk[i] for i in (2, 1, 1)]
    assert all(len(panel.columns.rules) == atom.blocks - 1 for panel in scene.panels)


@pytest.mark.parametrize(
    "name",
    [
        "SM90_64x16x16_F32F16F16_SS",
        "SM90_64x16x16_F32F16F16_RS",
        "SM90_64x128x32_F32E4M3E4M3_SS_TN",
        "SM90_SPARSE_64x8x32_F32F16F16_SS",
    ],
)
def test_operands_read_through_a_descriptor_are_drawn_by_their_core_matrices(name: str) -> None:
    atom = atoms.mma(name)
    figure = draw(atom)
    panels = dict(zip("ABC", figure.scene.panels, strict=True))
    for operand in "AB" if "_SS" in name else "B":
        rows, columns = atom.tile(operand)
        bits = atom.dtypes["DABC".index(operand)].bits
        whole = atom.stored(operand)
        panel = panels[operand]
        assert sorted(e for cell in panel.cells for e in cell.key.elements) == list(range(rows * columns))
        assert len(panel.cells) == whole[0] // 8 * (whole[1] * bits // 128)
        for cell in panel.cells:
            near, far = ({e % rows // 8 for e in cell.key.elements}, {e // rows for e in cell.key.elements})
            assert len(near) == 1
            assert max(far) - min(far) + 1 == len(far) == len(cell.key.elements) // 8
            assert all(atom.tv_layout(operand)(5, o.value) in cell.key.elements for o in cell.key.owner)
    shared = [note[0] for note in figure.scene.notes if "read from shared memory through a descriptor" in note]
    assert shared == list("AB" if "_SS" in name else "B")
    assert len(figure.svg()) <= 300_000


def test_only_mma_atoms() -> None:
    with pytest.raises(UsageError, match="as an MMA atom"):
        draw(Layout(4), kind="mma")
