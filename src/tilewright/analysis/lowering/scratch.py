"""The tile of shared memory through which a tensor changes hands: a layout of offsets that suits both sides.

What one instruction moves of a lane comes first, the banks next, and last what tells the groups of lanes apart: a space
that meets neither side's groups, so that no two of their vectors share a bank where such a space exists.
Source: the construction of "Linear Layouts" (arXiv 2505.23819), as Triton 3 applies it to `ttg.convert_layout`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilewright.analysis.lowering.columns import Columns
from tilewright.analysis.lowering.cost import Cost, cost
from tilewright.analysis.lowering.issue import VECTOR_BITS, Issue, Kind, issues, plain
from tilewright.arch import ArchSpec
from tilewright.layout.linear import f2

BANK_BITS = 1024  # bits of all banks
_REGISTER_BITS = 32


@dataclass(frozen=True)
class Passage:
    """A store and a load through a tile."""

    store: Issue
    stored: Cost
    load: Issue
    loaded: Cost


@dataclass(frozen=True)
class _Side:
    """One side's columns of tensor indices: what a vector must hold, what it may hold, who takes turns with whom."""

    vector: tuple[int, ...]
    registers: tuple[int, ...]
    group: tuple[int, ...]
    in_matrices: bool = False


def mixed_bits(source: Columns, target: Columns) -> int | None:
    """How many register bits become lane bits on the way; None where an element leaves its warp.

    >>> source = Columns(((("register", 0), 1), (("lane", 0), 2)))
    >>> mixed_bits(source, Columns(((("register", 0), 2), (("lane", 0), 1))))
    1
    """
    bits = [bit for bit, _ in source.table]
    unit = [1 << i for i in range(len(bits))]
    warps = sum(1 << i for i, (level, _) in enumerate(bits) if level == "warp")
    lanes = sum(1 << i for i, (level, _) in enumerate(bits) if level == "lane")
    found = f2.solve_all(source.at(bits), [image for _, image in target.table])
    if found is None:
        return None
    mixed = []
    for (level, i), used in zip((bit for bit, _ in target.table), found, strict=True):
        own = unit[bits.index((level, i))] if level == "warp" and (level, i) in bits else 0
        if used & warps != own & warps or (level == "warp" and own and used & ~warps):
            same = level == "warp" and not target[level, i] and not source[level, i]
            if not same:
                return None
        if level == "register":
            mixed.append(used & lanes)
    return f2.rank(mixed)


def passage(source: Columns, target: Columns, bits: int, element_bits: int, spec: ArchSpec) -> Passage:
    """The cheapest way through shared memory of a tensor with 2^bits elements; columns of tensor indices.

    Vectors of 128 bits come first, of registers on both sides or of a matrix's rows on one; else the widest that both
    sides' registers share.
    """
    sides = _sides(source, target, element_bits, spec)
    wide = [_through(source, target, bits, element_bits, spec, a, b) for a, b in sides]
    if wide:  # of equals the first
        return min(wide, key=lambda way: way.stored.wavefronts + way.loaded.wavefronts)
    shared = f2.intersection(_registers(source), _registers(target))[: _vector_length(element_bits)]
    group = (BANK_BITS // max(element_bits << len(shared), _REGISTER_BITS)).bit_length() - 1
    a, b = (_Side(shared, (), tuple(side.at(side.bits("lane"))[:group])) for side in (source, target))
    return _through(source, target, bits, element_bits, spec, a, b)


def _vector_length(element_bits: int) -> int:
    return max(0, (VECTOR_BITS // element_bits).bit_length() - 1)


def _registers(side: Columns) -> tuple[int, ...]:
    return tuple(image for image in side.at(side.bits("register")) if image)


def _plain_side(side: Columns) -> _Side:
    return _Side((), _registers(side), tuple(side.at(side.bits("lane"))[:3]))


def _matrix_sides(side: Columns, element_bits: int) -> Iterator[_Side]:
    """As rows of matrices: pairs of registers and two lane bits, or, transposed, three lane bits."""
    lanes, registers = side.at(side.bits("lane")), _registers(side)
    pair = (_REGISTER_BITS // element_bits).bit_length() - 1 if element_bits <= _REGISTER_BITS else 99
    if len(lanes) == 5 and len(registers) >= pair:
        yield _Side((*registers[:pair], *lanes[:2]), (), tuple(lanes[2:]), True)
    if len(lanes) == 5 and element_bits == 16 and registers:
        yield _Side(tuple(lanes[2:]), (), (registers[0], *lanes[:2]), True)


def _sides(source: Columns, target: Columns, element_bits: int, spec: ArchSpec) -> Iterator[tuple[_Side, _Side]]:
    """The pairs of instructions that move vectors of 128 bits on both sides, those with matrices first."""
    a, b = _plain_side(source), _plain_side(target)
    length = _vector_length(element_bits)
    for matrix in _matrix_sides(target, element_bits) if ("ldmatrix", 16) in spec.rules else ():
        if _within(matrix.vector, a.registers):
            yield _Side(matrix.vector, (), a.group), matrix
    for matrix in _matrix_sides(source, element_bits) if ("stmatrix", 16) in spec.rules else ():
        if _within(matrix.vector, b.registers):
            yield matrix, _Side(matrix.vector, (), b.group)
    shared = f2.intersection(a.registers, b.registers)[:length]
    if len(shared) == length:
        yield _Side(shared, (), a.group), _Side(shared, (), b.group)


def _within(vectors: Sequence[int], span: Sequence[int]) -> bool:
    return f2.rank(vectors) == len(vectors) and all(f2.in_span(span, vector) for vector in vectors)


def _through(
    source: Columns, target: Columns, bits: int, element_bits: int, spec: ArchSpec, a: _Side, b: _Side
) -> Passage:
    basis = _offsets(a, b, bits, element_bits)
    stored, loaded = (_placed(side, basis) for side in (source, target))
    store, load = _issue(a, stored, element_bits, "store", spec), _issue(b, loaded, element_bits, "load", spec)
    return Passage(store, cost(stored, store, element_bits, spec), load, cost(loaded, load, element_bits, spec))


def _issue(side: _Side, placed: Columns, element_bits: int, kind: Kind, spec: ArchSpec) -> Issue:
    if side.in_matrices:
        return next(issues(placed, element_bits, kind, spec))
    return plain(placed, element_bits, kind, spec)


def _offsets(a: _Side, b: _Side, bits: int, element_bits: int) -> tuple[int, ...]:
    """The tensor index at every power of two of the offset."""
    vector = a.vector
    count = max(0, bits - (BANK_BITS // element_bits).bit_length() + 1)
    # Vectors narrower than a word share one: what lies beside them must be apart as well.
    beside = max(0, (_REGISTER_BITS // (element_bits << len(vector))).bit_length() - 1)
    apart = _apart(vector, a.group, b.group, bits)
    turns, low = apart[:count], apart[count : count + beside]
    spare = f2.complement_basis((*vector, *turns, *low), bits)
    banks = len(spare) - (count - len(turns))
    return (*vector, *low, *spare[:banks], *turns, *spare[banks:])


def _apart(vector: Sequence[int], one: Sequence[int], other: Sequence[int], bits: int) -> tuple[int, ...]:
    """A basis of a space that meets neither the span of vector and one, nor that of vector and other."""
    free = f2.complement_basis((*vector, *one, *other), bits)
    mine = _fresh(one, (*vector, *other))
    theirs = _fresh(other, (*vector, *one))
    return (*free, *(x ^ y for x, y in zip(mine, theirs, strict=False)))


def _fresh(vectors: Sequence[int], known: Sequence[int]) -> list[int]:
    """Those vectors that are outside the span of what is known and of those before them."""
    span, found = list(known), []
    for vector in vectors:
        if not f2.in_span(span, vector):
            span.append(vector)
            found.append(vector)
    return found


def _placed(side: Columns, basis: Sequence[int]) -> Columns:
    """Columns of offsets instead of tensor indices."""
    found = f2.solve_all(basis, [image for _, image in side.table])
    assert found is not None
    pairs = zip((bit for bit, _ in side.table), found, strict=True)
    return Columns(tuple(pairs)).distinct()
