"""What the tensor cores read of a tile through a matrix descriptor: its atoms, core matrices, steps, and 64 bits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from tilewright.analysis.descriptor.box import box_of
from tilewright.analysis.descriptor.matrix import Matrix, matrix
from tilewright.analysis.descriptor.recognise import CanonicalTile, recognise
from tilewright.analysis.descriptor.words import descriptor
from tilewright.asked.accesses import Question
from tilewright.errors import LayoutError
from tilewright.explorer.answer import Frame, Mark, Row, Table
from tilewright.figures.cell import Cell, Key
from tilewright.figures.domain import ruler
from tilewright.figures.scene import Panel, Ruler, Scene
from tilewright.figures.tones import hues
from tilewright.layout.layout import Layout

GRAIN, LINE, BANK = 16, 128, 4  # bytes: a row of a core matrix, a line of all banks, one bank's word
CORE_ROWS = 8
STEP_BITS = 256  # what an instruction takes along K
TMA = "tma"


@dataclass(frozen=True)
class Vector:
    """16 bytes of the operand, a row of a core matrix: where it is drawn, its first coordinate, and its first byte."""

    row: int
    column: int
    coordinate: tuple[int, int]
    byte: int
    atom: int


@dataclass(frozen=True)
class Described:
    """A tile that a descriptor of a unit describes."""

    asked: Question
    unit: str
    tile: CanonicalTile
    seen: Matrix

    @property
    def length(self) -> int:
        """Elements in 16 bytes."""
        return GRAIN * 8 // self.asked.element_bits

    @property
    def grain(self) -> tuple[int, int]:
        """Elements of a vector along MN and along K."""
        return (1, self.length) if self.tile.major == "K" else (self.length, 1)

    @property
    def atom(self) -> tuple[int, int]:
        """Vectors of an atom along MN and along K."""
        (rows, columns), (down, across) = (mode.size for mode in self.tile.atom_layout.inner), self.grain
        return rows // down, columns // across

    @cached_property
    def vectors(self) -> tuple[Vector, ...]:
        """All of them, column by column."""
        (rows, columns), (down, across), (tall, wide) = self.counts, self.grain, self.atom
        offsets = self.seen.offsets(Layout(rows, down), Layout(columns, across)).tolist()
        along, bits = rows // tall, self.asked.element_bits
        return tuple(
            Vector(r, c, (r * down, c * across), offset * bits // 8, r // tall + along * (c // wide))
            for offset, (c, r) in zip(offsets, product(range(columns), range(rows)), strict=True)
        )

    @property
    def counts(self) -> tuple[int, int]:
        """Vectors along MN and along K."""
        return self.tile.shape[0] // self.grain[0], self.tile.shape[1] // self.grain[1]


def described(asked: Question, unit: str) -> Described:
    """The tile as the unit reads it.

    Raises:
        LayoutError: no descriptor describes it; the message says which demand fails.
    """
    tile = recognise(asked.layout, asked.element_bits)
    return Described(asked, unit, tile, matrix(asked.layout))


def scene(one: Described) -> Scene:
    """The operand in vectors of 16 bytes, and the lines of shared memory where these lie, coloured by atom."""
    tones, legend = hues(sorted({vector.atom for vector in one.vectors}), "atom", _atom_name)
    (tall, wide), (rows, columns) = one.atom, one.counts
    lines = sorted({vector.byte // LINE for vector in one.vectors})
    operand = Panel(
        f"operand: {one.tile.shape[0]} (MN) x {one.tile.shape[1]} (K), each cell 16 bytes and its place in memory",
        _steps(rows, one.grain[0], tall, "MN"),
        _steps(columns, one.grain[1], wide, "K"),
        tuple(_cell(vector, vector.row, vector.column, str(vector.byte // GRAIN), tones) for vector in one.vectors),
        subject="vector",
    )
    at = {line: row for row, line in enumerate(lines)}
    memory = Panel(
        "shared memory: lines of 128 bytes, and which (MN,K) each 16 bytes begin with",
        Ruler(tuple(map(str, lines)), "line", tuple(range(CORE_ROWS, len(lines), CORE_ROWS))),
        ruler(LINE // GRAIN, "16 bytes, four banks"),
        tuple(
            _cell(vector, at[vector.byte // LINE], vector.byte % LINE // GRAIN, _text(vector.coordinate), tones)
            for vector in one.vectors
        ),
        subject="vector",
    )
    return Scene(f"{one.unit} reads {one.asked.text}", (operand, memory), legend)


def _steps(count: int, each: int, atom: int, title: str) -> Ruler:
    return Ruler(tuple(str(each * i) for i in range(count)), title, tuple(range(atom, count, atom)))


def _cell(one: Vector, row: int, column: int, label: str, tones: Mapping[int, int]) -> Cell:
    note = f"{_text(one.coordinate)} and on: byte {one.byte}, {_atom_name(one.atom)}"
    key = Key(
        (one.byte // GRAIN,),
        one.coordinate,
        byte=one.byte,
        bank=one.byte // BANK % (LINE // BANK),
        line=one.byte // LINE,
        group=one.atom,
    )
    return Cell(row, column, label, tones[one.atom], note, key=key)


def _atom_name(number: int) -> str:
    return f"atom {number}"


def _text(coordinate: tuple[int, int]) -> str:
    return f"({coordinate[0]},{coordinate[1]})"


def facts(one: Described) -> tuple[tuple[str, str], ...]:
    """The mode, the atom, how it repeats, and the two steps of a descriptor."""
    tile, (tall, wide) = one.tile, one.atom
    inner = " x ".join(str(mode.size) for mode in tile.atom_layout.inner)
    cores = tall * wide // CORE_ROWS
    counts = " x ".join(str(mode.size) for mode in tile.repeats)
    across = tile.major == "MN" and tile.mode != "none"
    held = f"{cores} core matri{'x' if cores == 1 else 'ces'}"
    return (
        ("layout atom", f"{tile.atom}: {tile.major}-major, {inner} elements, {held}"),
        ("core matrix", f"{CORE_ROWS} rows of {GRAIN} bytes"),
        ("swizzle mode", f"{tile.mode}: {tile.atom_layout.outer}"),
        ("atoms", f"{counts} at {tile.repeats}"),
        ("SBO", _step(tile.stride_bytes, "K" if across else "MN")),
        ("LBO", _step(tile.leading_bytes, "MN" if across else "K")),
        ("align to", f"{tile.alignment_bytes} bytes"),
    )


def _step(size: int | None, way: str) -> str:
    return "not used" if size is None else f"{size} bytes, from an atom to the next along {way}"


def table(one: Described) -> Table:
    """The 64 bits of the descriptor, field by field."""
    found = descriptor(one.asked.layout, one.asked.element_bits, unit=one.unit)
    rows = tuple(Row((bits, name, str(code), meaning)) for bits, name, code, meaning in found.rows())
    title = f"the matrix descriptor of {one.unit} for a tile at byte 0: {int(found):#018x}"
    return Table(title, ("bits", "field", "code", "meaning"), rows)


def frames(one: Described, drawn: Scene, number: int) -> Iterator[Frame]:
    """What each instruction along K reads of the scene that has this number, and where its descriptor starts."""
    step = STEP_BITS // one.asked.element_bits
    for first in range(0, one.tile.shape[1], step):
        own = {vector.byte // GRAIN for vector in one.vectors if first <= vector.coordinate[1] < first + step}
        marks = tuple(Mark(number, i, _numbers(panel, own)) for i, panel in enumerate(drawn.panels))
        yield Frame(f"instruction {first // step}: K {first} to {first + step - 1}", _started(one, first), marks)


def _numbers(panel: Panel, wanted: set[int]) -> tuple[int, ...]:
    return tuple(number for number, cell in enumerate(panel.cells) if cell.key.elements[0] in wanted)


def _started(one: Described, first: int) -> str:
    try:
        found = descriptor(one.asked.layout, one.asked.element_bits, unit=one.unit, at=(0, first))
    except LayoutError as error:
        return str(error)
    return f"descriptor {int(found):#018x}: it starts at byte {found.fields.start}"


def boxed(asked: Question) -> tuple[tuple[str, str], ...]:
    """The box by which TMA writes the tile.

    Raises:
        LayoutError: none does.
    """
    mode = "none"
    with suppress(LayoutError):  # plain rows are no atoms, and a box all the same
        mode = recognise(asked.layout, asked.element_bits).mode
    return (("TMA", str(box_of(asked.layout, mode, asked.element_bits))),)


def in_python(units: Iterable[str], asked: Question) -> str:
    """The lines that print the descriptors of the tile of a question."""
    own = (unit for unit in units if unit != TMA)
    return "".join(f"print(tw.descriptor(tile, {asked.element_bits}, unit={unit!r}))\n" for unit in own)
