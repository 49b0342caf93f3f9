"""Which instruction moves a tensor between registers and shared memory, by the rules of Triton 3.

Matrix instructions come first where a matrix's rows of 16 bytes lie whole in memory, then plain ones of the widest
vector: the most registers, a power of two, with consecutive offsets that all other bits leave aligned, up to 128 bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tilewright.analysis.lowering.columns import Bit, Columns
from tilewright.arch import ArchSpec

VECTOR_BITS = 128
ROW_BITS = 128  # a row of an 8 x 8 matrix
TRANSPOSED_BITS = 64  # what a lane of ds_read_tr moves
_REGISTER_BITS = 32
_MATRICES = 2  # an .x4 moves 2^2 matrices

Kind = Literal["load", "store"]


@dataclass(frozen=True)
class Issue:
    """How a tensor is moved.

    Attributes:
        text: the instruction that Triton's rules lead to.
        counted: the name by which the bank tables know it.
        kind: `load` or `store`.
        vector: the bits of the elements that one lane's address stands for.
        lanes: the bits that number the addresses of one instruction of one warp.
        rest: the bits that number the instructions of all warps.
    """

    text: str
    counted: str
    kind: Kind
    vector: tuple[Bit, ...]
    lanes: tuple[Bit, ...]
    rest: tuple[Bit, ...]

    def width(self, element_bits: int) -> int:
        """Bytes of one address."""
        return max(1, (element_bits << len(self.vector)) // 8)


def issues(
    columns: Columns, element_bits: int, kind: Kind, spec: ArchSpec, most_bits: int = VECTOR_BITS
) -> Iterator[Issue]:
    """The instructions that can move it, the one that Triton takes first; plain vectors have at most `most_bits`."""
    if spec.vendor == "nvidia" and ("ldmatrix" if kind == "load" else "stmatrix", 16) in spec.rules:
        yield from _matrices(columns, element_bits, kind)
    if spec.name == "gfx950" and kind == "load" and length(columns, element_bits) * element_bits < TRANSPOSED_BITS:
        yield from _transposed(columns, element_bits)
    yield plain(columns, element_bits, kind, spec, most_bits)


# ---- plain vectors


def length(columns: Columns, element_bits: int, most_bits: int = VECTOR_BITS) -> int:
    """The elements of the widest vector.

    >>> length(Columns(((("register", 0), 1), (("register", 1), 2), (("lane", 0), 4))), 16)
    4
    """
    most = max(1, most_bits // element_bits)
    while most > 1 and _whole(columns, _bits_at(columns, "register", most)) is None:
        most //= 2
    return most


def plain(columns: Columns, element_bits: int, kind: Kind, spec: ArchSpec, most_bits: int = VECTOR_BITS) -> Issue:
    """A load or store of the widest vector."""
    vector = _bits_at(columns, "register", length(columns, element_bits, most_bits))
    width = max(8, element_bits << len(vector))
    lanes = columns.bits("lane")
    name = plain_name(kind, width, spec)
    return Issue(name, name, kind, vector, lanes, _others(columns, vector, lanes))


def plain_name(kind: Kind, bits: int, spec: ArchSpec) -> str:
    """What the vendor calls a load or store of so many bits a lane."""
    if spec.vendor == "amd":
        letter = "u" if kind == "load" and bits < _REGISTER_BITS else "b"
        return f"ds_{'read' if kind == 'load' else 'write'}_{letter}{bits}"
    count = f".v{bits // _REGISTER_BITS}" if bits > _REGISTER_BITS else ""
    return f"{'ld' if kind == 'load' else 'st'}.shared{count}.b{min(bits, _REGISTER_BITS)}"


def _bits_at(columns: Columns, level: str, length: int) -> tuple[Bit, ...]:
    """The bits whose images are 1, 2, .. below `length`; none where one is missing."""
    found = {image: bit for bit, image in columns.table if image < length and bit[0] == level}
    wanted = [1 << i for i in range(length.bit_length() - 1)]
    return tuple([found[image] for image in wanted]) if found.keys() >= {*wanted} else ()


def _whole(columns: Columns, vector: Sequence[Bit]) -> Sequence[Bit] | None:
    """The bits, if they give consecutive offsets that all other bits leave aligned."""
    below = (1 << len(vector)) - 1
    if not vector or sorted(columns.at(vector)) != [1 << i for i in range(len(vector))]:
        return None
    within = [bit for bit, image in columns.table if image & below]
    return vector if len(within) == len(vector) else None


def _others(columns: Columns, *taken: Iterable[Bit]) -> tuple[Bit, ...]:
    gone = {bit for bits in taken for bit in bits}
    return tuple(bit for bit, _ in columns.table if bit not in gone)


# ---- rows of matrices


def _lane_bits(*numbers: int) -> tuple[Bit, ...]:
    return tuple(("lane", i) for i in numbers)


def _matrices(columns: Columns, element_bits: int, kind: Kind) -> Iterator[Issue]:
    name = "ldmatrix" if kind == "load" else "stmatrix"
    if len(columns.bits("lane")) != 5 or element_bits > _REGISTER_BITS or element_bits < 8:
        return
    pair = _bits_at(columns, "register", _REGISTER_BITS // element_bits)
    row = (*pair, *_lane_bits(0, 1))
    if 1 << len(row) == ROW_BITS // element_bits and columns.at(row) == [1 << i for i in range(len(row))]:
        yield from _rows(columns, row, _lane_bits(2, 3, 4), name, "", kind)
    registers = columns.bits("register")
    if element_bits == 16 and registers and columns.at(_lane_bits(2, 3, 4)) == [1, 2, 4]:
        yield from _rows(columns, _lane_bits(2, 3, 4), (registers[0], *_lane_bits(0, 1)), name, ".trans", kind)


def _rows(
    columns: Columns, row: tuple[Bit, ...], rows: tuple[Bit, ...], name: str, suffix: str, kind: Kind
) -> Iterator[Issue]:
    if _whole(columns, row) is None:
        return
    more = tuple(bit for bit in columns.bits("register") if bit not in {*row, *rows})[:_MATRICES]
    text = f"{name}.x{1 << len(more)}"
    lanes = (*rows, *more)
    yield Issue(f"{text}{suffix}", text, kind, row, lanes, _others(columns, row, lanes))


def _transposed(columns: Columns, element_bits: int) -> Iterator[Issue]:
    """`ds_read_b64_tr_b16`: 16 lanes read rows of 16 elements, each of them a piece of 8 bytes."""
    count = (TRANSPOSED_BITS // element_bits).bit_length() - 1
    piece, registers = _lane_bits(*range(count)), columns.bits("register")[:count]
    if element_bits in (8, 16) and len(registers) == count and _whole(columns, piece):
        lanes = (*registers, *_lane_bits(*range(count, len(columns.bits("lane")))))
        name = f"ds_read_b64_tr_b{element_bits}"
        yield Issue(name, "ds_read_b64", "load", piece, lanes, _others(columns, piece, lanes))
