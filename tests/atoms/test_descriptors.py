"""Matrix descriptors: their bits as documented, back again, and where the operands lie that they describe."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.analysis.descriptor.fields import descriptor_of, operand_tile
from tilewright.analysis.descriptor.recognise import recognise
from tilewright.atoms.descriptors import FORMATS, GRAIN, TCGEN05, WGMMA, DescriptorFormat, MatrixDescriptor
from tilewright.atoms.shared_atoms import SHARED_ATOMS, SharedAtom
from tilewright.atoms.shared_modes import MODES
from tilewright.errors import LayoutError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.tirx.hardware.shared import mma_shared_layout

HOPPER = [atom for atom in SHARED_ATOMS.values() if atom.arch == "sm_90"]
steps = st.integers(0, (1 << 14) - 1).map(lambda n: n * GRAIN)


@given(st.sampled_from(list(FORMATS.values())), st.data(), steps, steps, steps, st.integers(0, 7))
def test_bits_and_back(
    form: DescriptorFormat, data: st.DataObject, start: int, leading: int, stride: int, base: int
) -> None:
    mode = data.draw(st.sampled_from(sorted(form.modes)))
    absolute = form is TCGEN05 and data.draw(st.booleans())
    made = MatrixDescriptor(start, leading, stride, mode, base, absolute)
    assert MatrixDescriptor.decode(made.encode(form), form) == made
    assert 0 <= made.encode(form) < 1 << 64


def test_the_documented_fields() -> None:
    """PTX ISA: address in bits 0-13, LBO 16-29, SBO 32-45, base 49-51; wgmma's swizzle 62-63, tcgen05's 61-63."""
    fields = {"start": 0, "leading": 16, "stride": 32}
    plain = {"start": 0, "leading": 0, "stride": 0}
    for name, first in fields.items():
        assert MatrixDescriptor(**plain | {name: 16 * 0x2A5B}).encode(WGMMA) == 0x2A5B << first
    assert MatrixDescriptor(0, 0, 0, "none", 5).encode(WGMMA) == 5 << 49
    assert MatrixDescriptor(0, 0, 0, "none", 5, True).encode(TCGEN05) == 5 << 49 | 1 << 52 | 1 << 46
    codes = [MatrixDescriptor(0, 0, 0, mode).encode(WGMMA) >> 62 for mode in ("none", "128B", "64B", "32B")]
    assert codes == [0, 1, 2, 3]
    wide = [MatrixDescriptor(0, 0, 0, mode).encode(TCGEN05) for mode in ("none", "128B_ATOM_32B", "128B", "64B", "32B")]
    assert [bits >> 61 for bits in wide] == [0, 1, 2, 4, 6]
    assert {bits & (1 << 61) - 1 for bits in wide} == {1 << 46}


@pytest.mark.parametrize("atom", HOPPER, ids=str)
@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize("start", [0, 5 << 10])
def test_chunks_are_where_the_layout_has_them(atom: SharedAtom, bits: int, start: int) -> None:
    """Every 16 bytes of a tile of several atoms, by its descriptor and by its layout."""
    m, k = atom.extents(bits)
    count = 8 * GRAIN // bits
    plain = Layout(((m, 3), (k, 2)), (_strides(atom, m, k)[0], _strides(atom, m, k)[1]))
    layout = ComposedLayout(atom.mode.swizzle(bits), 0, plain)
    tile = recognise(layout, bits)
    described = descriptor_of(tile, start)
    rows, columns = tile.shape
    if atom.major == "K":
        lines, along = rows, min(columns, k if atom.mode.swizzled else columns) // count
        at = [[layout(i, c * count) for c in range(along)] for i in range(lines)]
        found = described.chunks("K", lines, along)
    else:
        at = [[layout(c * count, i) for c in range(rows // count)] for i in range(columns)]
        found = described.chunks("MN", rows // count, columns)
    assert (found == np.array(at) * bits // 8 + start).all()


@pytest.mark.parametrize("atom", [atom for atom in HOPPER if atom.major == "K" and atom.mode.swizzled], ids=str)
def test_a_start_within_a_row_is_a_step_along_it(atom: SharedAtom) -> None:
    """What wgmma's next K is: 32 bytes further on, as long as the row reaches."""
    inner = atom.layout(16)
    for k in range(0, atom.extents(16)[1], 16):
        described = MatrixDescriptor(2048 + inner(0, k) * 2, GRAIN, atom.mode.alignment, atom.mode.name)
        at = [[inner(i % 8, k + 8 * c) * 2 + i // 8 * atom.mode.alignment + 2048 for c in range(2)] for i in range(24)]
        assert described.misplaced is None
        assert (described.chunks("K", 24, 2) == np.array(at)).all()


def test_steps_that_are_not_used_are_16_bytes() -> None:
    single = recognise(SHARED_ATOMS["Layout_K_INTER_Atom"].layout(16), 16)
    assert descriptor_of(single) == MatrixDescriptor(0, 16, 16, "none")


def _strides(atom: SharedAtom, m: int, k: int) -> tuple[tuple[int, int], tuple[int, int]]:
    inner = (k, 1) if atom.major == "K" else (1, m)
    return (inner[0], m * k), (inner[1], 3 * m * k)


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
@pytest.mark.parametrize("shape", [(64, 128), (2, 64, 128), (3, 2, 16, 64)])
def test_tiles_of_buffers(mode: int, shape: tuple[int, ...]) -> None:
    """A stage of TIRx's shared tiles is a tile of CuTe's, either way round."""
    layout = mma_shared_layout("float16", mode, shape)
    names = [operand_tile(layout, shape, 16, transposed=flag).atom for flag in (False, True)]
    word = ("INTER", "SW32", "SW64", "SW128")[mode]
    assert names == [f"Layout_K_{word}_Atom", f"Layout_MN_{word}_Atom"]
    assert operand_tile(layout, shape, 16).shape == shape[-2:]


@pytest.mark.parametrize(
    ("start", "mode", "why"),
    [
        (0, "128B", None),
        (96, "128B", None),
        (128, "128B", "128 bytes into the pattern"),
        (1024 + 512, "128B", "512 bytes into the pattern"),
        (512, "64B", None),
        (64, "64B", "64 bytes into the pattern"),
        (256, "32B", None),
        (32, "32B", "32 bytes into the pattern"),
        (48, "none", None),
    ],
)
def test_where_patterns_may_start(start: int, mode: str, why: str | None) -> None:
    found = MatrixDescriptor(start, 16, 16, mode).misplaced
    assert (found is None) == (why is None)
    assert why is None or (found is not None and why in found)
    assert MatrixDescriptor(start, 16, 16, mode, 1).misplaced is not None


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: MatrixDescriptor(8, 0, 0),
        lambda: MatrixDescriptor(0, 1 << 18, 0),
        lambda: MatrixDescriptor(0, 0, -16),
        lambda: MatrixDescriptor(0, 0, 0, "256B"),
        lambda: MatrixDescriptor(0, 0, 0, "128B_ATOM_32B").encode(WGMMA),
        lambda: MatrixDescriptor.decode(1 << 14, WGMMA),
        lambda: MatrixDescriptor.decode(0, TCGEN05),
        lambda: MatrixDescriptor.decode(3 << 61 | 1 << 46, TCGEN05),
        lambda: MatrixDescriptor(0, 16, 16, "128B_ATOM_32B").chunks("K", 8, 2),
        lambda: MatrixDescriptor(112, 16, 1024, "128B").chunks("K", 64, 2),
        lambda: MatrixDescriptor(0, 16, 256, "32B").chunks("K", 64, 3),
        lambda: operand_tile(Layout(64), (64,), 16),
        lambda: descriptor_of(recognise(Layout(((8, 2, 2), 8), ((8, 64, 512), 1)), 16)),
        lambda: operand_tile(Layout((64, 64), (64, 1)), (64, 64), 16),
    ],
)
def test_what_is_no_descriptor(wrong: Callable[[], object]) -> None:
    with pytest.raises(LayoutError):
        wrong()


def test_modes_are_those_of_the_table() -> None:
    assert all(mode in MODES for form in FORMATS.values() for mode in form.modes)
