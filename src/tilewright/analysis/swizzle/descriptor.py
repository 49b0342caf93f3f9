"""Advice for a tile that a descriptor reads or writes: its layout, its mode, and what the lanes' accesses cost then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.analysis.descriptor.candidates import candidates
from tilewright.analysis.descriptor.demands import Placed, Unit, check_start, check_units, units_of
from tilewright.analysis.descriptor.matrix import matrix
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.memory import Tile, as_given
from tilewright.analysis.swizzle.advice import Proof, SwizzleAdvice, SwizzleRanking
from tilewright.analysis.swizzle.costs import TileAccess, tile_access
from tilewright.arch import ArchSpec
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.swizzle import Swizzle


@dataclass(frozen=True, slots=True)
class Priced:
    """A candidate with what the lanes' accesses cost on it."""

    placed: Placed
    tiles: tuple[TileAccess, ...]
    excess: int

    @property
    def key(self) -> tuple[int, int, int, bool]:
        """The order of the ranking: conflicts, then long spans (few boxes, whole lines), then the usual chunks."""
        mode = self.placed.mode
        return self.excess, -mode.span, mode.chunk, mode.flip


def descriptor_advice(
    layout: Tile,
    lanes: Sequence[Access],
    descriptors: Sequence[Access],
    element_bits: int,
    spec: ArchSpec,
) -> SwizzleRanking:
    """Every mode and canonical layout of the tile that all units can use, ranked.

    Fewest wavefronts over the accesses of lanes first, then the longest span, chunks of 16 bytes, the tile's own
    layout. The rows, columns, contiguous mode and start of the tile are kept; where its elements lie may change.

    Raises:
        LayoutError: no unit can use the tile in any mode, or an access that no such layout allows.
        UsageError: the architecture lacks a unit.
    """
    units = units_of(access.instruction for access in descriptors)
    capability = check_units(units, spec)
    tile = matrix(layout)
    tried = list(candidates(tile, element_bits, capability))
    usable, refused = _usable(layout, tried, units)
    if not usable:
        raise LayoutError(_refusal(layout, units, refused))
    priced = _priced(usable, lanes, element_bits, spec)
    scored = sorted(priced, key=lambda one: one.key)
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
            _alignment(placed, units),
            (tile.rows, tile.columns),
        )

    return SwizzleRanking(map(advice, scored))


def _usable(layout: Tile, tried: Sequence[Placed], units: Sequence[Unit]) -> tuple[list[Placed], dict[str, str]]:
    """What every unit accepts, and the last reason of each mode that none of its layouts got past."""
    usable, refused = [], {}
    for placed in tried:
        try:
            as_given(layout, placed.layout)  # TIRx has one swizzle on a tile, never two
            check_start(placed, _alignment(placed, units))
            for unit in units:
                unit.check(placed)
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


def _priced(usable: Sequence[Placed], lanes: Sequence[Access], bits: int, spec: ArchSpec) -> list[Priced]:
    found, first = [], None
    for placed in usable:
        try:
            tiles = tuple(_tile(placed, access, bits, spec) for access in lanes)
            found.append(Priced(placed, tiles, sum(tile.excess(_mover(placed)) for tile in tiles)))
        except (LayoutError, UsageError) as error:
            first = first or error
    if first and not found:
        raise first
    return found


def _tile(placed: Placed, access: Access, bits: int, spec: ArchSpec) -> TileAccess:
    plain = ComposedLayout(Swizzle(0, 0, 0), 0, placed.plain)
    tile = tile_access(plain, access, bits, spec)
    whole = min((1 << swizzle.m for swizzle in _swizzles(placed) if swizzle.b), default=tile.length)
    if tile.length > whole:
        raise LayoutError(f"{access}: mode {placed.mode.name} cuts its vectors of {tile.length} elements")
    return tile


def _swizzles(placed: Placed) -> tuple[Swizzle, ...]:
    flip = placed.mode.flipping(placed.element_bits)
    return (placed.mode.swizzle(placed.element_bits), *([flip] if flip else []))


def _mover(placed: Placed) -> Callable[[int], int]:
    first, *others = _swizzles(placed)
    return (lambda offset: others[0](first(offset))) if others else first


def _proof(tried: int, usable: int, best: Priced, units: Sequence[Unit]) -> str:
    names = " and ".join(unit.name for unit in units)
    end = "it is free of conflicts" if best.excess == 0 else "none has fewer wavefronts"
    return f"Of {tried} placements, every mode with every canonical layout, {names} can use {usable}; {end}."
