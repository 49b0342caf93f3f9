"""The tile of shared memory through which a tensor changes hands: a layout of offsets that suits both sides.

What one instruction moves of a lane comes first, the banks next, then what tells groups of lanes apart, chosen so that
no two of their vectors share a bank where space allows, and last what store and load repeat round by round.
Source: the construction of "Linear Layouts" (arXiv 2505.23819), with the choices that Triton 3.9 makes where several
are as good; its instructions, for 600 random pairs of layouts on seven chips, are these, and on AMD's so are the
addresses of all lanes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from tilewright.analysis.lowering.columns import Columns
from tilewright.analysis.lowering.cost import Cost, cost
from tilewright.analysis.lowering.issue import VECTOR_BITS, Issue, Kind, issues, plain
from tilewright.analysis.lowering.scratch_tile import Tile, common, exponent, tile_of
from tilewright.arch import ArchSpec
from tilewright.layout.linear import f2

_REGISTER_BITS = 32
_TURN = 3  # 8 vectors of 16 bytes go through 32 banks at a time
_BANKS: Mapping[str, int] = MappingProxyType({"gfx950": 64})  # else 32; stores are laid out for as many
_WIDE = 32  # banks, beyond which narrow vectors are not widened by the order of the banks
# The lanes, whose XOR with one another are those whose 16 bytes are read at a time, where they are not the lowest ones.
_READ_LANES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {
        **dict.fromkeys(("gfx940", "gfx941", "gfx942"), (1, 2, 4 | 16)),
        "gfx950": (1, 2, 4 | 8, 4 | 16),
        **dict.fromkeys(("gfx11", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151"), (1, 2, 4 | 16)),
    }
)


@dataclass(frozen=True)
class Passage:
    """A store and a load through a tile."""

    store: Issue
    stored: Cost
    load: Issue
    loaded: Cost


@dataclass(frozen=True)
class _Form:
    """A way to move 16 bytes: the lane bits within them, beside registers, and those that number one turn's vectors."""

    within: tuple[int, ...]
    turns: tuple[int, ...]
    in_matrices: bool = True


_PLAIN = _Form((), (0, 1, 2), False)
_ROWS = _Form((0, 1), (2, 3, 4))
_ACROSS = _Form((2, 3, 4), (0, 1))


@dataclass(frozen=True)
class _Side:
    """The tensor indices that registers, lanes and warps stand for; a lane or warp of index 0 repeats others."""

    columns: Columns

    @cached_property
    def registers(self) -> tuple[int, ...]:
        return tuple(image for image in self._at("register") if image)

    @cached_property
    def lanes(self) -> tuple[int, ...]:
        return self._at("lane")

    @cached_property
    def warps(self) -> tuple[int, ...]:
        return tuple(image for image in self._at("warp") if image)

    def _at(self, level: str) -> tuple[int, ...]:
        return tuple(self.columns.at(self.columns.bits(level)))

    def parts(self, indices: Sequence[int]) -> list[tuple[int, int]]:
        """The registers, and the lanes, whose XOR with others each index is."""
        found = f2.solve_all((*self.registers, *self.lanes, *self.warps), indices) or ()
        own = len(self.registers)
        return [(used & (1 << own) - 1, used >> own & (1 << len(self.lanes)) - 1) for used in found]


def passage(source: Columns, target: Columns, bits: int, element_bits: int, spec: ArchSpec) -> Passage:
    """The way through shared memory of a tensor with 2^bits elements; columns of tensor indices, dimension 0 first.

    On NVIDIA vectors of 128 bits come first: of the pairs of instructions that move such on both sides the one with the
    fewest conflicts, of equals that with the most rounds, of those the first. Where there is none, the widest vector
    that registers of both sides share.
    """
    a, b = _Side(source), _Side(target)
    ways = list(_ways(a, b, bits, element_bits, spec)) if spec.vendor == "nvidia" else []
    if ways:
        _, tile, store, load = min(ways, key=lambda way: (way[0], -len(way[1].rounds)))
    else:
        tile, store, load = _of_vectors(a, b, bits, element_bits, spec), _PLAIN, _PLAIN
    stored, first = _issued(a, store, tile, element_bits, "store", spec)
    loaded, second = _issued(b, load, tile, element_bits, "load", spec)
    return Passage(first, cost(stored, first, element_bits, spec), second, cost(loaded, second, element_bits, spec))


# ---- vectors of 128 bits


def _ways(a: _Side, b: _Side, bits: int, element_bits: int, spec: ArchSpec) -> Iterator[tuple[int, Tile, _Form, _Form]]:
    """(conflicts, tile, form of the store, form of the load)."""
    for store in _forms("stmatrix", element_bits, spec):
        for load in _forms("ldmatrix", element_bits, spec):
            vector = _vector(a, b, store, load, exponent(VECTOR_BITS, element_bits))
            turns = [_turn(side, form, vector or ()) for side, form in ((a, store), (b, load))]
            one, other = turns
            if vector is not None and one is not None and other is not None:
                keep = min(len(form.within) + len(form.turns) - _TURN for form in (store, load))
                tile = tile_of(vector, one, other, bits, element_bits, _banks(spec)).in_rounds(_repeated(a, b), keep)
                yield tile.conflicts(one, other), tile, store, load


def _forms(name: str, element_bits: int, spec: ArchSpec) -> Iterator[_Form]:
    yield _PLAIN
    if (name, 16) in spec.rules and element_bits <= _REGISTER_BITS:
        yield _ROWS
        if element_bits == 16:
            yield _ACROSS


def _vector(a: _Side, b: _Side, one: _Form, other: _Form, length: int) -> tuple[int, ...] | None:
    """What lies together for both: registers of both, then lanes of one that are registers or lanes of the other."""
    if len(one.within) > len(other.within):
        return _vector(b, a, other, one, length)
    shared = common(a.registers, b.registers)
    count = length - len(other.within)
    if len(shared) < count or max((*one.within, *other.within), default=0) >= min(len(a.lanes), len(b.lanes)):
        return None
    lanes = [b.lanes[i] for i in other.within]
    if 0 in (*lanes, *(a.lanes[i] for i in one.within)):
        return None
    parts, split = a.parts(lanes), len(other.within) - len(one.within)
    fits = all(registers for registers, _ in parts[:split])
    same = all(on == 1 << i for i, (_, on) in zip(one.within, parts[split:], strict=True))
    return (*shared[:count], *lanes) if fits and same else None


def _turn(side: _Side, form: _Form, vector: tuple[int, ...]) -> tuple[int, ...] | None:
    """The indices that tell 8 vectors of one turn apart."""
    wanted = _TURN - len(form.turns)
    registers = [image for image in side.registers if image not in vector][:wanted]
    if len(registers) < wanted or max(form.turns) >= len(side.lanes):
        return None
    return (*registers, *(side.lanes[i] for i in form.turns))


def _repeated(a: _Side, b: _Side) -> tuple[int, ...]:
    return tuple(image for image in a.registers if image in b.registers)


# ---- plain vectors


def _of_vectors(a: _Side, b: _Side, bits: int, element_bits: int, spec: ArchSpec) -> Tile:
    """The tile for plain instructions of the registers that both sides share, filled up to a word."""
    shared = common(a.registers, b.registers)[: exponent(VECTOR_BITS, element_bits)]
    missing = exponent(_REGISTER_BITS, element_bits) - len(shared)
    vector, ours = _filled(a, b, shared, missing) if missing > 0 else (shared, None)
    words = max(1, (element_bits << len(vector)) // _REGISTER_BITS)
    one, other = _turns(a, b, words, spec)
    tile = tile_of(vector, one, other, bits, element_bits, _banks(spec)).in_rounds(_repeated(a, b), 0)
    if words > 2 or _banks(spec) > _WIDE:
        return tile
    return replace(tile, banks=_vectors_first(tile.banks, a.registers, b.registers, ours))


def _turns(a: _Side, b: _Side, words: int, spec: ArchSpec) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The lanes of `a` that store, and of `b` that load, so many words each at a time."""
    lowest = tuple(1 << i for i in range(min(len(a.lanes), exponent(_banks(spec), words))))
    reading = _READ_LANES.get(spec.name, lowest) if words * _REGISTER_BITS == VECTOR_BITS else lowest
    return tuple(f2.apply(a.lanes, lane) for lane in lowest), tuple(f2.apply(b.lanes, lane) for lane in reading)


def _banks(spec: ArchSpec) -> int:
    return _BANKS.get(spec.name, _WIDE)


def _filled(a: _Side, b: _Side, shared: tuple[int, ...], missing: int) -> tuple[tuple[int, ...], bool]:
    """The vector up to a word: registers of one side that are warps of the other, then warps; is it `a` whose they are?

    Neither has lanes of the other side in one bank.
    """
    mine, theirs = (
        common([image for image in one.registers if image not in shared], other.warps)
        for one, other in ((a, b), (b, a))
    )
    ours = min(mine) < min(theirs) if mine and len(mine) == len(theirs) else len(mine) > len(theirs)
    warps = [*common(a.warps, b.warps), *_alternating(a.warps, b.warps)]
    more = dict.fromkeys((*(mine if ours else theirs), *warps))
    return (*shared, *[image for image in more if image not in shared][:missing]), ours


def _alternating(one: Sequence[int], other: Sequence[int]) -> Iterator[int]:
    for i in range(max(len(one), len(other))):
        yield from (*one[i : i + 1], *other[i : i + 1])


def _vectors_first(
    banks: tuple[int, ...], mine: Sequence[int], theirs: Sequence[int], ours: bool | None
) -> tuple[int, ...]:
    """The banks in an order in which one side's registers follow its vector: the side that filled it, or has more."""
    own, others = ([image for image in banks if image in side] for side in (mine, theirs))
    first = own if ours or (ours is None and len(own) > len(others)) else others
    return (*first, *(image for image in banks if image not in first))


# ---- instructions


def _issued(
    side: _Side, form: _Form, tile: Tile, element_bits: int, kind: Kind, spec: ArchSpec
) -> tuple[Columns, Issue]:
    """The side's columns of offsets, and the instruction of one round; the rounds are repeated."""
    found = f2.solve_all(tile.basis, [image for _, image in side.columns.table])
    assert found is not None
    placed = Columns(tuple(zip((bit for bit, _ in side.columns.table), found, strict=True))).distinct()
    if not form.in_matrices:
        return placed, plain(placed, element_bits, kind, spec)
    within = 1 << len(tile.basis) - len(tile.rounds)
    once = Columns(tuple((bit, image) for bit, image in placed.table if bit[0] != "register" or image < within))
    return placed, next(issues(once, element_bits, kind, spec))
