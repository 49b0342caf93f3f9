"""Operands under descriptors as accesses: the cores that a tensor core reads, of 8 lines of 16 bytes each."""

from __future__ import annotations

from dataclasses import replace

from tilewright.analysis.banks.instructions import Instruction
from tilewright.analysis.descriptor.demands import DESCRIPTORS, UNITS, Placed, check_start, check_units
from tilewright.analysis.descriptor.matrix import matrix
from tilewright.analysis.descriptor.recognise import recognise
from tilewright.analysis.held.stored import in_tile, stored_half
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.memory import Tile, without_swizzle
from tilewright.analysis.model.patterns import plane, walking
from tilewright.arch import ArchSpec
from tilewright.atoms.shared_modes import MODES
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.layout import Layout

CORE_BYTES = 16
READERS = ("wgmma", "tcgen05")
MODEL = "counted as cores of 8 lines of 16 bytes, a wavefront each where their banks differ; no measurement is public"


def operand_read(layout: Tile, access: Access, element_bits: int, spec: ArchSpec) -> Access:
    """The access by which a tensor core reads a tile that its descriptors describe: 8 lines of 16 bytes at once.

    Raises:
        UsageError: what reads the tile is no tensor core, or the architecture lacks it.
        LayoutError: no descriptor of the unit describes the tile.
    """
    unit = DESCRIPTORS.get(access.instruction, "")
    if unit not in READERS:
        where = "suggest_swizzle and tilewright swizzle know its mode"
        raise UsageError(f"{access} has no lanes, and no bank conflicts that are known; {where}")
    check_units([UNITS[unit]], spec)
    found, below = recognise(layout, element_bits), without_swizzle(layout)
    if not isinstance(below.inner, Layout):
        raise LayoutError(f"{layout} is no layout under one swizzle; {unit} describes none other")
    placed = Placed(below.inner, MODES[found.mode], element_bits, found.offset)
    check_start(placed, max(MODES[found.mode].alignment, UNITS[unit].alignment))
    UNITS[unit].check(placed, matrix(layout))
    half = stored_half(layout)
    stored = half[0] if half else layout
    lines = walking(stored, plane(stored).across, CORE_BYTES, element_bits=element_bits, threads=spec.lanes)
    said = f"{unit} describes it as {found.atom}, mode {found.mode}; {MODEL}"
    lines = in_tile(lines, half[1]) if half else lines
    return replace(access, thread_value=lines.thread_value, vector_bits=8 * CORE_BYTES, notes=(*access.notes, said))


def operand_instruction(access: Access) -> Instruction:
    """A descriptor's reading, as the bank table knows it: 8 lanes of 16 bytes are served together, as in ldmatrix."""
    return Instruction(access.instruction, "ldmatrix", "load", CORE_BYTES, None, "nvidia")
