"""Which instruction moves a tensor between registers and shared memory, by the rules of Triton 3.

Matrix instructions come first where a matrix's rows of 16 bytes lie whole in memory, then plain ones of the widest
vector: the most registers, a power of two, with consecutive offsets that all other bits leave aligned, up to 128 bits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tilewright.analysis.lowering.columns import Bit, Columns
from tilewright.arch import ArchSpec

VECTOR_BITS = 128
ROW_BITS = 128  # a row of an 8 x 8 matrix
TRANSPOSED_BITS = 64  # what a lane of ds_read_tr moves
_RENAMED = ("gfx11", "gfx12")  # whose ds_read and ds_write are called ds_load and ds_store
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
    """

    text: str
    counted: str
    kind: Kind
    vector: tuple[Bit, ...]
    lanes: tuple[Bit, ...]

    def width(self, element_bits: int) -> int:
        """Bytes of one address."""
        return max(1, (element_bits << len(self.vector)) // 8)

    def turns(self, columns: Columns) -> tuple[Bit, ...]:
        """The bits that number the instructions of all warps."""
        taken = {*self.vector, *self.lanes}
        return tuple([bit for bit, _ in columns.table if bit not in taken])


def issues(
    columns: Columns, element_bits: int, kind: Kind, spec: ArchSpec, most_bits: int = VECTOR_BITS
) -> Iterator[Issue]:
    """The instructions that can move it, the one that Triton takes first; plain vectors have at most `most_bits`.

    Law: the first one is of the widest vectors that are whole, and all narrower ones follow it.
    """
    if spec.vendor == "nvidia" and ("ldmatrix" if kind == "load" else "stmatrix", 16) in spec.rules:
        yield from _matrices(columns, element_bits, kind)
    if spec.name == "gfx950" and kind == "load" and length(columns, element_bits) * element_bits < TRANSPOSED_BITS:
        yield from _transposed(columns, element_bits)
    yield from plains(columns, element_bits, kind, spec, most_bits)


# ---- plain vectors


def length(columns: Columns, element_bits: int, most_bits: int = VECTOR_BITS) -> int:
    """The elements of the widest vector.

    >>> length(Columns(((("register", 0), 1), (("register", 1), 2), (("lane", 0), 4))), 16)
    4
    """
    return 1 << len(next(_vectors(columns, most_bits // element_bits)))


def plain(columns: Columns, element_bits: int, kind: Kind, spec: ArchSpec, most_bits: int = VECTOR_BITS) -> Issue:
    """A load or store of the widest vector."""
    return next(plains(columns, element_bits, kind, spec, most_bits))


def plains(
    columns: Columns, element_bits: int, kind: Kind, spec: ArchSpec, most_bits: int = VECTOR_BITS
) -> Iterator[Issue]:
    """Loads or stores of every vector that is whole, the widest first."""
    lanes = columns.bits("lane")
    for vector in _vectors(columns, most_bits // element_bits):
        name = plain_name(kind, max(8, element_bits << len(vector)), spec)
        yield Issue(name, name, kind, vector, lanes)


def plain_name(kind: Kind, bits: int, spec: ArchSpec) -> str:
    """What the vendor calls a load or store of so many bits a lane.

    >>> from tilewright.arch import get
    >>> [plain_name("load", 16, get(name)) for name in ("gfx942", "gfx1201")], plain_name("store", 64, get("sm_90"))
    (['ds_read_u16', 'ds_load_u16'], 'st.shared.v2.b32')
    """
    if spec.vendor == "amd":
        letter = "u" if kind == "load" and bits < _REGISTER_BITS else "b"
        loads, stores = ("load", "store") if spec.name.startswith(_RENAMED) else ("read", "write")
        return f"ds_{loads if kind == 'load' else stores}_{letter}{bits}"
    count = f".v{bits // _REGISTER_BITS}" if bits > _REGISTER_BITS else ""
    return f"{'ld' if kind == 'load' else 'st'}.shared{count}.b{min(bits, _REGISTER_BITS)}"


def _vectors(columns: Columns, most: int) -> Iterator[tuple[Bit, ...]]:
    """The registers of at most `most` elements with consecutive offsets that all other bits leave aligned.

    The most come first, none last.
    """
    exponent = max(1, most).bit_length() - 1
    near = [(image, bit) for bit, image in columns.table if image & (1 << exponent) - 1]
    for count in range(exponent, 0, -1):
        within = sorted([(image, bit) for image, bit in near if image & (1 << count) - 1])
        whole = [image for image, _ in within] == [1 << i for i in range(count)]
        if whole and all(level == "register" for _, (level, _) in within):
            yield tuple([bit for _, bit in within])
    yield ()


def _whole(columns: Columns, row: Sequence[Bit]) -> bool:
    """Have the bits, in some order, consecutive offsets that all other bits leave aligned?"""
    below = (1 << len(row)) - 1
    within = [bit for bit, image in columns.table if image & below]
    return len(within) == len(row) and sorted(columns.at(row)) == [1 << i for i in range(len(row))]


# ---- rows of matrices


def _lane_bits(*numbers: int) -> tuple[Bit, ...]:
    return tuple(("lane", i) for i in numbers)


_PAIR, _EIGHT = _lane_bits(0, 1), _lane_bits(2, 3, 4)  # which word of a row a lane holds, and which of 8 rows


def _matrices(columns: Columns, element_bits: int, kind: Kind) -> Iterator[Issue]:
    name = "ldmatrix" if kind == "load" else "stmatrix"
    if len(columns.bits("lane")) != 5 or element_bits > _REGISTER_BITS or element_bits < 8:
        return
    per_word = _REGISTER_BITS // element_bits
    if columns.at(_PAIR) == [per_word, 2 * per_word]:
        row = (*next(_vectors(columns, per_word)), *_PAIR)
        if 1 << len(row) == ROW_BITS // element_bits:
            yield from _rows(columns, row, _EIGHT, name, "", kind)
    registers = columns.bits("register")
    if element_bits == 16 and registers and columns.at(_EIGHT) == [1, 2, 4]:
        yield from _rows(columns, _EIGHT, (registers[0], *_PAIR), name, ".trans", kind)


def _rows(
    columns: Columns, row: tuple[Bit, ...], rows: tuple[Bit, ...], name: str, suffix: str, kind: Kind
) -> Iterator[Issue]:
    if not _whole(columns, row):
        return
    more = tuple(bit for bit in columns.bits("register") if bit not in {*row, *rows})[:_MATRICES]
    text = f"{name}.x{1 << len(more)}"
    lanes = (*rows, *more)
    yield Issue(f"{text}{suffix}", text, kind, row, lanes)


def _transposed(columns: Columns, element_bits: int) -> Iterator[Issue]:
    """`ds_read_b64_tr_b16`: 16 lanes read rows of 16 elements, each of them a piece of 8 bytes."""
    count = (TRANSPOSED_BITS // element_bits).bit_length() - 1
    piece, registers = _lane_bits(*range(count)), columns.bits("register")[:count]
    if element_bits in (8, 16) and len(registers) == count and _whole(columns, piece):
        lanes = (*registers, *_lane_bits(*range(count, len(columns.bits("lane")))))
        name = f"ds_read_b64_tr_b{element_bits}"
        yield Issue(name, "ds_read_b64", "load", piece, lanes)
