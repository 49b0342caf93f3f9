"""Pictures of operands in shared memory: of what descriptors, tensor maps, recognised tiles and atoms stand for."""

from __future__ import annotations

import pytest

import tilewright as tw
from tilewright.analysis.descriptor.recognise import recognise
from tilewright.atoms.shared_atoms import SHARED_ATOMS
from tilewright.errors import LayoutError, UsageError
from tilewright.figures import Figure

BITS = {name: 32 if "32B" in name else 16 for name in SHARED_ATOMS}


def labels(figure: Figure) -> list[str]:
    (panel,) = figure.scene.panels
    cells = sorted(panel.cells, key=lambda cell: (cell.column, cell.row))
    return [cell.label for cell in cells]


def offsets(layout: tw.Layout | tw.ComposedLayout) -> list[str]:
    return [str(layout(i)) for i in range(layout.size)]


@pytest.mark.parametrize("name", SHARED_ATOMS)
def test_tile_atom_descriptor_and_map_are_drawn_as_their_layouts(name: str) -> None:
    bits, atom = BITS[name], SHARED_ATOMS[name]
    rows, columns = atom.extents(bits)
    tile = tw.tile_to_shape(atom.layout(bits), (2 * rows, 2 * columns), (0, 1))
    found = recognise(tile, bits)
    assert labels(tw.draw(found)) == offsets(tile) == offsets(found.layout)
    assert labels(tw.draw(atom, element_bits=bits)) == offsets(atom.layout(bits))
    told = tw.descriptor(tile, bits, unit="tcgen05")
    shape = (2 * rows, columns if "_K_SW" in name else 2 * columns)  # what one descriptor reaches
    assert labels(tw.draw(told, element_bits=bits, shape=shape)) == offsets(told.layout(bits, shape))


def test_the_box_of_a_tensor_map_knows_its_type() -> None:
    box = tw.tile_to_shape(tw.atoms.smem("K_SW128", "f16"), (32, 64))
    found = tw.tensor_map(tw.Layout((4096, 1024), (1024, 1)), box, "f16")
    assert labels(tw.draw(found)) == offsets(found.tile)
    with pytest.raises(UsageError, match="has elements of 16 bits, not of 8"):
        tw.draw(found, element_bits=8)


def test_a_width_is_asked_for_where_nobody_says_it() -> None:
    for name, atom in SHARED_ATOMS.items():
        if "32B" in name:
            assert labels(tw.draw(atom)) == offsets(atom.layout(32))
            continue
        with pytest.raises(UsageError, match="give it, such as element_bits=16"):
            tw.draw(atom)
    word = tw.descriptor(0x4000004000010040)
    with pytest.raises(UsageError, match="give it, such as element_bits=16"):
        tw.draw(word)
    with pytest.raises(LayoutError):
        tw.draw(word, element_bits="f16", shape=(64, 128))
    with pytest.raises(UsageError, match="are for a descriptor"):
        tw.draw(recognise(tw.atoms.smem("K_SW64", 16), 16), shape=(8, 8))
    with pytest.raises(UsageError, match="as an operand"):
        tw.draw(3, kind="operand")
