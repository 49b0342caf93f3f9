"""`suggest_swizzle`: which Swizzle<B,M,S> makes all accesses of a tile free of bank conflicts?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, overload

from tilewright.analysis.descriptor.demands import DESCRIPTORS, UNITS, check_type, units_of
from tilewright.analysis.held.table import all_resolved
from tilewright.analysis.model.access import Access, check_element_bits
from tilewright.analysis.model.memory import as_given, bare, without_swizzle
from tilewright.analysis.swizzle.advice import Proof, SwizzleAdvice, SwizzleRanking
from tilewright.analysis.swizzle.costs import TileAccess, least_alignment, tile_access
from tilewright.analysis.swizzle.descriptor import descriptor_advice
from tilewright.analysis.swizzle.padding import suggest_padding
from tilewright.analysis.swizzle.ranking import Rank, ranked, space_of
from tilewright.analysis.swizzle.retile import retiled
from tilewright.arch import ArchSpec
from tilewright.atoms.shared_modes import mode_of
from tilewright.dtypes import dtype, is_number
from tilewright.errors import UsageError
from tilewright.layout.base import LayoutBase, is_pair
from tilewright.layout.composed import ComposedLayout

if TYPE_CHECKING:
    from tilewright.analysis.held.question import Accessor
    from tilewright.analysis.model.memory import TileLike
    from tilewright.atoms.copy_atom import CopyAtom
    from tilewright.dtypes import DTypeLike
    from tilewright.layout.view import View
    from tilewright.tirx.compose_layout import ComposeLayout
    from tilewright.tirx.views import Tirx

SINGLE = (Access, LayoutBase, str)


@overload
def suggest_swizzle(
    layout: LayoutBase | View,
    accesses: Accessor | Iterable[Accessor],
    *,
    element_bits: int | DTypeLike | None = None,
    arch: str | ArchSpec | None = None,
    side: str | None = None,
    copy: CopyAtom | str | None = None,
) -> SwizzleRanking[ComposedLayout[int]]: ...
@overload
def suggest_swizzle(
    layout: Tirx,
    accesses: Accessor | Iterable[Accessor],
    *,
    element_bits: int | DTypeLike | None = None,
    arch: str | ArchSpec | None = None,
    side: str | None = None,
    copy: CopyAtom | str | None = None,
) -> SwizzleRanking[ComposeLayout]: ...
def suggest_swizzle(
    layout: TileLike,
    accesses: Accessor | Iterable[Accessor],
    *,
    element_bits: int | DTypeLike | None = None,
    arch: str | ArchSpec | None = None,
    side: str | None = None,
    copy: CopyAtom | str | None = None,
) -> SwizzleRanking:
    """Every useful swizzle of a tile, ranked: fewest wavefronts over all accesses first, then fewest bits.

    Among equals a mode of the hardware comes first, then positive shifts, then a base m near 16 bytes, then the shorter
    shift, then the lower base. The first entry is the smallest swizzle that makes every access conflict-free when there
    is one, among all that keep vectors whole and the tile within the next power of two; its `proof` says why nothing
    smaller does, or why nothing does, and then `retiled` the layout that has fewer conflicts, if one has. Lanes are
    taken not to merge.

    Args:
        layout: the tile's coordinates -> element offsets, aligned in shared memory, or a `tw.Tensor`. A swizzle around
            it is replaced.
        accesses: thread-value layouts (one element an instruction), `Access`es, or what users hold, as for
            `bank_conflicts` (a tiled copy whose atom does not say its side as `(tiled_copy, "D")`), several or one;
            `Access(instruction="tma")`, `"wgmma"` or `"tcgen05"`, alone or among others, stands for what reaches the
            tile through a descriptor. Then the answer is one of the hardware's modes on a layout that it can use: the
            modes, the contiguous one and the start stay, the places may change, and padding is not offered.
        element_bits: bits of one element, a power of two, or its type, which wgmma and tcgen05 must have; None is what
            the tile or the accesses say, who must agree.
        arch: the architecture; None is sm_90, or a later one or AMD's where an atom or a unit needs it.
        side, copy: as for `bank_conflicts`, of every access.

    Raises:
        LayoutError: an access that the layout does not allow, as `bank_conflicts` says, or a tile that a descriptor
            cannot reach in any mode.
        UsageError: no access, elements whose bits are no power of two, a type that a unit lacks, or a unit that the
            architecture lacks.

    >>> from tilewright.layout.layout import Layout
    >>> rows = Layout((8, 64), (64, 1))
    >>> by_rows = Access(Layout((8, 8), (1, 8)), instruction="ldmatrix.x1")
    >>> best = suggest_swizzle(rows, [by_rows], element_bits=16)[0]
    >>> print(best.swizzle, best.bytes, best.bits, best.mode)
    Sw<3,3,3> Sw<3,4,3> Sw<3,7,3> 128B
    >>> best = suggest_swizzle(Layout((64, 128), (128, 1)), Access(instruction="wgmma"), element_bits=16)[0]
    >>> print(best.layout, best.atom, best.box)
    Sw<3,3,3> o 0 o (64,(64,2)):(64,(1,4096)) Layout_K_SW128_Atom box {64, 64} 2 times, CU_TENSOR_MAP_SWIZZLE_128B
    """
    several = _several(accesses)
    if not several:
        raise UsageError("give at least one access of the tile")
    given = element_bits
    if given is not None:
        _whole(given)
    found = all_resolved(several, layout, element_bits=element_bits, arch=arch, side=side, copy=copy)
    tile, spec, element_bits, asked = (
        found[0].tile,
        found[0].spec,
        _whole(found[0].element_bits),
        [one.access for one in found],
    )
    descriptors = [access for access in asked if access.instruction in DESCRIPTORS]
    nameless = next((a for a in asked if a.thread_value is None and a.instruction not in DESCRIPTORS), None)
    if nameless is not None:
        without = ", ".join(UNITS)
        raise UsageError(f"say what each thread of {nameless} reads, as thread_value; only {without} have none")
    if descriptors:
        if given is not None and not is_number(given):
            check_type(units_of(access.instruction for access in descriptors), dtype(given))
        lanes = [access for access in asked if access.instruction not in DESCRIPTORS]
        return descriptor_advice(tile, lanes, descriptors, element_bits, spec)
    plain = without_swizzle(tile)
    tiles = [tile_access(bare(tile), access, element_bits, spec) for access in asked]
    space = space_of(tiles, element_bits)
    scored = ranked(tiles, element_bits)
    proof = prove(tiles, scored, space.most_bits)
    least = max(1 << space.least, 8 // element_bits)
    padding = suggest_padding(plain.inner, tiles, 1 << max(space.lines), least) if plain.offset == 0 else None
    if padding is not None:
        padding = replace(padding, layout=as_given(tile, padding.layout))
    placed_anew = retiled(tile, asked, element_bits, spec, scored[0].excess) if scored[0].excess else None
    ideal, alignment = sum(tile.ideal for tile in tiles), least_alignment(tiles, spec)

    def advice(rank: Rank) -> SwizzleAdvice:
        mode, placed = mode_of(rank.swizzle, element_bits), ComposedLayout(rank.swizzle, plain.offset, plain.inner)
        return SwizzleAdvice(
            rank.swizzle,
            element_bits,
            mode,
            as_given(tile, placed),
            ideal + rank.excess,
            ideal,
            proof,
            padding,
            tuple(asked),
            spec,
            least_alignment=alignment,
            retiled=placed_anew,
        )

    return SwizzleRanking(map(advice, scored))


def _whole(element_bits: int | DTypeLike) -> int:
    """The bits of elements that swizzles keep whole."""
    bits = check_element_bits(element_bits)
    if bits & (bits - 1):
        why = f"a swizzle moves powers of two; elements of {bits} bits do not stay whole"
        raise UsageError(f"{why}{_containers(element_bits)}")
    return bits


def _containers(given: int | DTypeLike) -> str:
    if is_number(given) or dtype(given).name not in ("float6_e2m3fn", "float6_e3m2fn"):
        return ""
    return "; in shared memory TMA and tcgen05 have 16 of them in 16 bytes, as elements of 8 bits: give element_bits=8"


def prove(tiles: Sequence[TileAccess], scored: Sequence[Rank], most_bits: int) -> Proof:
    """Why the first of the ranking is the smallest, or why none is free of conflicts.

    The ranks over F2 bound the bits from below: a group whose lanes reach 2^r words through 2^q banks needs r - q
    bits more, and a swizzle of b bits closes that gap by at most b. Where the bound is not met, the search was
    exhaustive over `Space`.
    """
    best = scored[0]
    hardest = max(tiles, key=lambda tile: tile.needed_bits)
    needed, who = hardest.needed_bits, f"{hardest.access}"
    ranks = f"By rank over F2, {who} needs at least {needed} swizzle bit{'s' * (needed != 1)}"
    if best.excess == 0 and needed == best.bits:
        return Proof("F2 rank", needed, len(scored), f"{ranks}; {best.swizzle} has no more, so none is smaller.")
    if best.excess and needed > most_bits:
        text = f"{ranks}, and vectors and banks leave room for {most_bits}, so no swizzle is free of conflicts."
        return Proof("F2 rank", needed, len(scored), text)
    smaller = sum(rank.bits < best.bits for rank in scored)
    count, fewer = (smaller, " with fewer bits") if best.excess == 0 else (len(scored), "")
    text = f"By exhaustive search: {count} swizzle{'s' * (count != 1)}{fewer} tried, each leaves conflicts."
    return Proof("exhaustive search", needed, len(scored), text)


def _several(accesses: object) -> list[object]:
    """The accesses as a list; a single one, which may be an iterable layout or a pair, counts as one."""
    is_named = isinstance(accesses, tuple) and len(accesses) == 2 and isinstance(accesses[1], str)
    if is_named or isinstance(accesses, SINGLE) or is_pair(accesses) or not isinstance(accesses, Iterable):
        return [accesses]
    return list(accesses)
