"""`tw.descriptor`: bits made of layouts and read again, and what the simulator finds by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerAttr, IntegerType, MemRefType, Signedness, i64
from xdsl.dialects.memref import AllocaOp

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, OperandDescriptor, UsageError
from tilewright.atoms.descriptors import FORMATS, MatrixDescriptor
from tilewright.atoms.shared_atoms import SHARED_ATOMS, SharedAtom
from tilewright.atoms.shared_modes import MODES
from tilewright.dtypes import dtype
from tilewright.ir.core.attributes import OFFSET
from tilewright.ir.tile.shared import Allocation
from tilewright.targets.simulator.collective.described import Described
from tilewright.targets.simulator.memory.addresses import SharedMap

BITS = (4, 8, 16, 32, 64)
TYPES = {4: "uint4", 8: "uint8", 16: "uint16", 32: "uint32"}


def cases() -> Iterator[tuple[str, SharedAtom, int, int]]:
    """Every unit, atom that it has, and width; with the byte at which the buffer begins."""
    for unit, atom, bits in product(FORMATS, SHARED_ATOMS.values(), BITS):
        if atom.mode.name in FORMATS[unit].modes:
            yield unit, atom, bits, 0
            yield unit, atom, bits, 5 * atom.mode.alignment


@cache
def tile(atom: SharedAtom, bits: int, gap: int = 2) -> tuple[ComposedLayout[int], tuple[int, int]]:
    """3 atoms along MN by 2 along K, or by 1 where descriptors have no step along it; with gaps between them."""
    m, k = atom.extents(bits)
    along = 1 if atom.major == "K" and atom.mode.swizzled else 2
    size = gap * m * k
    near, far = ((k, 1), (1, m))[atom.major == "MN"]
    plain = Layout(((m, 3), (k, along)), ((near, size), (far, 3 * size)))
    return ComposedLayout(atom.mode.swizzle(bits), 0, plain), (3 * m, along * k)


@pytest.mark.parametrize(("unit", "atom", "bits", "start"), list(cases()))
def test_a_layout_its_descriptor_and_the_layout_of_that(unit: str, atom: SharedAtom, bits: int, start: int) -> None:
    """Law: the layout that a descriptor gives is the one that it was made of, `start` bytes on; and back again."""
    layout, shape = tile(atom, bits)
    found = tw.descriptor(layout, bits, unit=unit, start=start)
    again = found.layout(bits, shape)
    assert again == found.layout(None, shape) == tw.descriptor(int(found)).layout(bits, shape, atom.major)
    every = np.arange(layout.size)
    assert (again(every) == layout(every) + start * 8 // bits).all()
    assert tw.descriptor(int(found)) == tw.descriptor(int(found), unit=unit) == found
    assert tw.descriptor(again, bits, unit=unit) == found


@pytest.mark.parametrize("bits", BITS)
def test_the_next_k_of_a_k_major_tile_is_further_on_in_its_row(bits: int) -> None:
    """Law: by the descriptor of the operand at (0, k), element (i, j) lies where the tile has (i, k + j)."""
    for atom in SHARED_ATOMS.values():
        if atom.major != "K":
            continue
        layout, (rows, columns) = tile(atom, bits)
        for k in range(0, columns, max(atom.extents(bits)[1] if not atom.mode.swizzled else 0, 256 // bits)):
            wide = min(256 // bits, columns - k)
            part = tw.descriptor(layout, bits, start=2048, at=(0, k)).layout(bits, (rows, wide))
            every = np.arange(part.size)
            assert (part(every) == layout(every + rows * k) + 2048 * 8 // bits).all()


def memory_of(size: int) -> tuple[SharedMap, int]:
    """A map of shared memory with one pool of bytes, and where that begins."""
    op = AllocaOp.get(IntegerType(8, Signedness.UNSIGNED), shape=[size])
    op.attributes[OFFSET] = IntegerAttr(0, i64)
    kind = op.memref.type
    assert isinstance(kind, MemRefType)
    return SharedMap(((1024, Allocation(op, kind)),)), 1024


@pytest.mark.parametrize(("unit", "atom", "bits", "start"), [case for case in cases() if case[2] in TYPES and case[3]])
def test_the_simulator_sees_what_the_layout_says(unit: str, atom: SharedAtom, bits: int, start: int) -> None:
    """Law: element (i, j) that a unit finds by the descriptor is what lies where the layout has (i, j)."""
    layout, (rows, columns) = tile(atom, bits)
    element, rng = dtype(TYPES[bits]), np.random.default_rng(bits)
    values = rng.integers(0, 1 << min(bits, 31), (rows, columns)).astype(element.numpy())
    places = layout(np.arange(layout.size)) + start * 8 // bits
    size = (int(places.max()) + 1) * bits // 8
    elements = np.zeros(size * 8 // bits, element.numpy() if bits > 4 else np.uint8)
    elements[places] = values.reshape(-1, order="F")
    image = elements[0::2] | elements[1::2] << 4 if bits == 4 else elements.view(np.uint8)
    shared, first = memory_of(size)
    word = int(tw.descriptor(layout, bits, unit=unit, start=first + start))
    operand = Described(FORMATS[unit], rows, columns, element, atom.major)
    _, found = operand.place(word, shared)
    assert (operand.matrices(image[found][None])[0] == values).all()


@pytest.mark.parametrize("name", FORMATS)
def test_every_field_is_told(name: str) -> None:
    form = FORMATS[name]
    for mode in form.modes:
        found = OperandDescriptor(name, MatrixDescriptor(1024, 4096, 2048, mode, 3, name == "tcgen05"))
        rows = {first: (field, code) for first, field, code, _ in found.rows()}
        assert sum(code << int(bits.split("-")[0]) for bits, (_, code) in rows.items()) == int(found)
        assert (rows["0-13"], rows["16-29"], rows["32-45"]) == (("start", 64), ("LBO", 256), ("SBO", 128))
        assert f"{mode}: " in str(found)
        assert found.to_json()["descriptor"] == f"{int(found):#018x}"


def test_the_mode_of_128_bytes_in_32_is_tcgen05s() -> None:
    layout, _ = tile(SHARED_ATOMS["Layout_MN_SW128_32B_Atom"], 32)
    assert tw.descriptor(layout, "tf32").unit == "tcgen05"
    with pytest.raises(LayoutError, match="wgmma has the modes"):
        tw.descriptor(layout, "tf32", unit="wgmma")


ARRAY: Any = np.zeros(2)  # which is unequal to everything in no one way
HALVES = tw.tile_to_shape(tw.atoms.smem("Layout_K_SW128_Atom", "f16"), (64, 128), (0, 1))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (lambda: tw.descriptor(HALVES), UsageError, "give its type"),
        (lambda: tw.descriptor(0, "f16"), UsageError, "say no element type"),
        (lambda: tw.descriptor(0, unit="mma"), UsageError, "wgmma or tcgen05"),
        (lambda: tw.descriptor(0, unit=ARRAY), UsageError, "wgmma or tcgen05"),
        (lambda: tw.descriptor(HALVES, "f16").layout("f16", None, ARRAY), LayoutError, "K- or MN-major"),
        (lambda: tw.descriptor(1 << 64), LayoutError, "64 bits"),
        (lambda: tw.descriptor(True), LayoutError, "64 bits"),
        (lambda: tw.descriptor(2 << 46), LayoutError, "bits 46-48 are 2; wgmma has 0, tcgen05 has 1"),
        (lambda: tw.descriptor(1 << 14), LayoutError, "bit 14 is set, which no field has"),
        (lambda: tw.descriptor(1 << 46, unit="wgmma"), LayoutError, "bit 46 is set"),
        (lambda: tw.descriptor(0, unit="tcgen05"), LayoutError, "version"),
        (lambda: tw.descriptor(HALVES, "f16", start=512), LayoutError, "a multiple of 1024 bytes, got 512"),
        (lambda: tw.descriptor(HALVES, "f16", at=(0, 4)), LayoutError, "16 bytes of a line"),
        (lambda: tw.descriptor(HALVES, "f16", at=(1, 0)), LayoutError, "bytes into the pattern"),
        (lambda: tw.descriptor(HALVES, "f16", at=(64, 0)), LayoutError, "a coordinate"),
        (lambda: tw.descriptor(HALVES, "f16", at=3), LayoutError, "a coordinate"),  # type: ignore[arg-type]  # is none
        (lambda: tw.descriptor(HALVES, "f16").layout("f16", (64, 128)), LayoutError, "a line takes 256 bytes"),
        (lambda: tw.descriptor(HALVES, "f16").layout("f16", (60, 64)), LayoutError, "no whole atoms"),
        (lambda: tw.descriptor(HALVES, "f16").layout("f16", (0, 64)), LayoutError, "at least 1"),
        (lambda: tw.descriptor(HALVES, "e2m3").layout("e2m3"), LayoutError, "6 bits"),
        (lambda: OperandDescriptor("mma", MatrixDescriptor(0, 16, 16)), LayoutError, "wgmma or tcgen05"),
        (lambda: MatrixDescriptor(0, 16, 16, "none", 8), LayoutError, "base offset"),
        (lambda: MatrixDescriptor(0, 16, 16, absolute=True).encode(FORMATS["wgmma"]), LayoutError, "no address"),
        (lambda: tw.descriptor(1 << 46 | 1 << 52).layout("f16"), LayoutError, "absolute LBO lie is not known here"),
        (lambda: tw.descriptor(1 << 49).layout("f16"), LayoutError, "base offset of 1 lie is not known here"),
    ],
)  # fmt: skip
def test_what_is_no_descriptor(wrong: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        wrong()


def test_modes_have_as_many_lines_as_their_pattern() -> None:
    """The swizzle of an atom's lines is a permutation of them: the pattern repeats with the atom."""
    assert {name: mode.lines for name, mode in MODES.items() if mode.chunk < 64} == {
        "none": 8, "32B": 8, "64B": 8, "128B": 8, "128B_ATOM_32B": 4, "128B_ATOM_32B_FLIP_8B": 4,
    }  # fmt: skip


def test_a_descriptor_made_of_a_tile_knows_its_elements_and_64_bits_do_not() -> None:
    found = tw.descriptor(tw.tile_to_shape(tw.atoms.smem("K_SW128", "f16"), (64, 64)), "f16")
    told, bits = tw.draw(found), tw.descriptor(int(found))
    assert told.scene == tw.draw(bits, element_bits=16).scene
    assert tw.draw(found, element_bits=8).scene == tw.draw(bits, element_bits=8).scene
    for asked in (bits.layout, lambda: tw.draw(bits)):
        with pytest.raises(UsageError, match="how wide an element is"):
            asked()
