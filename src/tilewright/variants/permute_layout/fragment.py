"""Registers that a tile is spread over: which element each lane holds in each of its registers."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.analysis.banks.rank import xor_columns
from tilewright.analysis.permute.forms import F2Form, Form, Rows, TableForm, XorForm
from tilewright.ir.core.dependence import WARP
from tilewright.layout.axes import AXES, MEMORY
from tilewright.tirx.iters import terms
from tilewright.variants.call import Operand, Reject
from tilewright.variants.permute_layout.places import static, tables
from tilewright.variants.permute_layout.rules import plain

LANE: str = AXES["laneid"].name
LANE_BITS = WARP.bit_length() - 1


@dataclass(frozen=True)
class Fragment:
    """Lane l holds element `rows[r][l]` of a region in its register `registers[r]`; `elements` itself is none."""

    registers: tuple[int, ...]
    rows: Rows
    elements: int

    @property
    def full(self) -> bool:
        """Does every lane hold an element in each of these registers?"""
        return self.elements == WARP * len(self.registers)

    @property
    def form(self) -> Form:
        """The rows in a closed form where they have one, else as a table."""
        flat = [element for row in self.rows for element in row]
        if flat == list(range(len(flat))):
            return XorForm(WARP, LANE_BITS, 0)
        columns = xor_columns(flat) if self.full and flat[0] == 0 else None
        return TableForm(self.rows) if columns is None else F2Form(columns[:LANE_BITS], columns[LANE_BITS:])


def fragment(side: str, operand: Operand) -> Fragment | Reject:
    """The registers of a local operand whose layout says on which lane each element lies."""
    why = _no_fragment(operand)
    if why:
        return Reject("not a fragment", f"{side} {operand.name} {why}")
    lanes, cells = tables(operand, LANE, MEMORY)
    if min(lanes) < 0 or max(lanes) >= WARP:
        return Reject("not a fragment", f"{side} {operand.name} lies on lanes {min(lanes)} to {max(lanes)} of {WARP}")
    held = {place: element for element, place in enumerate(zip(lanes, cells, strict=True))}
    if len(held) < len(lanes):
        message = f"{side} {operand.name} puts {len(lanes)} elements into {len(held)} registers of lanes"
        return Reject("several elements in one place", message)
    registers = tuple(sorted(set(cells)))
    rows = tuple(tuple(held.get((lane, cell), len(lanes)) for lane in range(WARP)) for cell in registers)
    return Fragment(registers, rows, len(lanes))


def _no_fragment(operand: Operand) -> str:
    """Why the operand is none; "" where it is one."""
    tile = plain(operand)
    axes = {axis.name for it in tile.shard for axis, _ in terms(it.stride, it.axis)} | {a.name for a in tile.offset}
    if LANE not in axes or axes - {LANE, MEMORY}:
        return f"has no layout over {LANE} and registers: {operand.layout}"
    if not static(operand) or None in operand.starts or tile.replica or tile is not operand.layout:
        return f"is not told by constants: a run-time start or stride, a replica or a swizzle in {operand.layout}"
    return ""
