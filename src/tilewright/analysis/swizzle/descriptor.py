"""Advice for a tile that a descriptor reads or writes: its layout, its mode, and what the lanes' accesses cost then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilewright.analysis.descriptor.candidates import candidates
from tilewright.analysis.descriptor.demands import Placed, Unit, check_start, check_units, units_of
from tilewright.analysis.descriptor.matrix import Matrix, matrix
from tilewright.analysis.descriptor.outline import Outline, outline
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.memory import Tile, as_given
from tilewright.analysis.swizzle.advice import Proof, SwizzleAdvice, SwizzleRanking
from tilewright.analysis.swizzle.costs import least_alignment
from tilewright.analysis.swizzle.placements import Priced, priced
from tilewright.arch import ArchSpec
from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout


def descriptor_advice(
    layout: Tile,
    lanes: Sequence[Access],
    descriptors: Sequence[Access],
    element_bits: int,
    spec: ArchSpec,
) -> SwizzleRanking:
    """Every mode and canonical layout of the tile that all units can use, ranked.

    Fewest wavefronts over the accesses of lanes first, then the longest span, chunks of 16 bytes, the fewest boxes
    where TMA moves the tile, the tile's own layout. The modes, contiguous elements and start of the tile are kept;
    where its elements lie may change.

    Raises:
        LayoutError: no unit can use the tile in any mode, or an access that no such layout allows.
        UsageError: the architecture lacks a unit.
    """
    units = units_of(access.instruction for access in descriptors)
    capability = check_units(units, spec)
    tile = matrix(layout)
    check_tile(layout, tile, element_bits, spec)
    in_boxes = any(unit.name == "tma" for unit in units)
    tried = list(candidates(layout, tile, element_bits, capability, in_boxes=in_boxes))
    usable, refused = _usable(layout, tile, tried, units)
    if not usable:
        raise LayoutError(_refusal(layout, units, refused) + _hint(outline(layout, tile)))
    found = priced(layout, usable, lanes, element_bits, spec, in_boxes=in_boxes)
    scored = sorted(found, key=lambda one: one.key)
    proof = Proof("every mode", 0, len(tried), _proof(len(tried), len(usable), scored[0], units))
    ideal = sum(one.ideal for one in scored[0].tiles)

    def advice(one: Priced) -> SwizzleAdvice:
        placed = one.placed
        return SwizzleAdvice(
            placed.mode.swizzle(element_bits),
            element_bits,
            placed.mode.name,
            as_given(layout, placed.layout),
            ideal + one.excess,
            ideal,
            proof,
            None,
            tuple(lanes),
            spec,
            tuple(descriptors),
            max(_alignment(placed, units), least_alignment(one.tiles, spec)),
            (tile.rows, tile.columns),
        )

    return SwizzleRanking(map(advice, scored))


def check_tile(layout: Tile, tile: Matrix, element_bits: int, spec: ArchSpec) -> None:
    """What no placement changes: elements have places of their own, and shared memory has room for them.

    Raises:
        LayoutError: they have not, or it has not.
    """
    count = tile.rows * tile.columns
    if count * element_bits > 8 * spec.shared_per_block:
        size, most = count * element_bits // 8, spec.shared_per_block
        raise LayoutError(f"{layout} takes {size} bytes; a block of {spec.name} has {most} bytes of shared memory")
    places = len(set(tile.offsets(Layout(tile.rows), Layout(tile.columns)).tolist()))
    if places < count:
        raise LayoutError(f"{layout} has {count} elements at {places} places; a tile under a descriptor shares none")


def _usable(
    layout: Tile, tile: Matrix, tried: Sequence[Placed], units: Sequence[Unit]
) -> tuple[list[Placed], dict[str, str]]:
    """What every unit accepts, and the last reason of each mode that none of its layouts got past."""
    usable, refused = [], {}
    for placed in tried:
        try:
            as_given(layout, placed.layout)  # TIRx has one swizzle on a tile, never two
            check_start(placed, _alignment(placed, units))
            for unit in units:
                unit.check(placed, replace(tile, place=placed.layout))
            usable.append(placed)
        except LayoutError as error:
            refused[placed.mode.name] = str(error).splitlines()[0]
    return usable, refused


def _alignment(placed: Placed, units: Sequence[Unit]) -> int:
    """The bytes that the tile's address is a multiple of."""
    return max(placed.mode.alignment, *(unit.alignment for unit in units))


def _refusal(layout: Tile, units: Sequence[Unit], refused: dict[str, str]) -> str:
    names = " and ".join(unit.name for unit in units)
    modes: dict[str, list[str]] = {}
    for mode, why in refused.items():
        modes.setdefault(why, []).append(mode)
    reasons = "; ".join(f"mode {', '.join(found)}: {why}" for why, found in modes.items())
    return f"{names} can use {layout} in no mode, however its elements are placed; {reasons}"


def _hint(known: Outline) -> str:
    """What to do where a mode that is not contiguous is counted before the one that is."""
    if not known.before or not known.has_runs:
        return ""
    first, length = " and ".join(map(str, known.before)), known.modes[known.along].size
    return f". Modes of {first} are counted before the {length} elements that follow each other: order the modes"


def _proof(tried: int, usable: int, best: Priced, units: Sequence[Unit]) -> str:
    names = " and ".join(unit.name for unit in units)
    end = "it is free of conflicts" if best.excess == 0 else "none has fewer wavefronts"
    if not best.tiles:
        end = "none has longer lines; what lanes do with it was not asked"
    return f"Of {tried} placements, every mode with every canonical layout, {names} can use {usable}; {end}."
