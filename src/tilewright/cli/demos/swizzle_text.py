"""What the swizzle demo finds and prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields

from tilewright.analysis.model.access import Access
from tilewright.analysis.model.slip import Slip, listed
from tilewright.analysis.swizzle.half_tile import SWIZZLE, Movement, Step, movements
from tilewright.analysis.swizzle.half_tile_tables import Table, slips, tables
from tilewright.analysis.swizzle.search import suggest_swizzle
from tilewright.figures import Figure, draw
from tilewright.layout.swizzle import Swizzle

SHOWN_LANES = 8
SOURCE = "the note on swizzling half tiles"


@dataclass(frozen=True)
class Report:
    """The tables of a swizzle, the movements with it, and the note's slips where it is the note's swizzle."""

    swizzle: Swizzle
    tables: tuple[Table, ...]
    movements: tuple[Movement, ...]
    slips: tuple[Slip, ...]

    @property
    def fine(self) -> bool:
        """Is every movement free of conflicts, and every element where it belongs?"""
        return all(m.report().conflict_free and not lost(m) for m in self.movements)

    def costs(self) -> list[tuple[str, int, int, int]]:
        """By movement: wavefronts with the swizzle, without it, and the ideal."""
        pairs = [(m.name, m.report(), m.without_swizzle().report()) for m in self.movements]
        return [(name, own.wavefronts, plain.wavefronts, own.ideal) for name, own, plain in pairs]

    def least(self) -> Swizzle:
        """The smallest swizzle that frees the movements of one tile of conflicts."""
        one = [m for m in self.movements if m.instructions == 1]
        asked = [Access(m.thread_value, m.bits, m.kind, name=m.name) for m in one]
        return suggest_swizzle(one[0].tile.layout, asked, element_bits=one[0].tile.element_bits)[0].swizzle

    def picture(self, which: int) -> Figure:
        """Picture 0: the bits; the others: a movement without and with the swizzle."""
        if which == 0:
            return draw(self.swizzle, kind="swizzle")
        return draw(self.movements[which - 1], plain=True)

    def to_json(self) -> dict[str, object]:
        """Everything as plain values."""
        names = ("movement", "wavefronts", "without_swizzle", "ideal")
        return {
            "swizzle": str(self.swizzle),
            "yyy_mask": self.swizzle.yyy_mask,
            "zzz_mask": self.swizzle.zzz_mask,
            "tables": [table._asdict() for table in self.tables],
            "costs": [dict(zip(names, row, strict=True)) for row in self.costs()],
            "addresses": {
                m.name: [[asdict(s) for s in m.steps(i)] for i in range(m.instructions)] for m in self.movements
            },
            "smallest_swizzle": str(self.least()),
            "slips": [slip._asdict() for slip in self.slips],
        }


def report(swizzle: Swizzle) -> Report:
    """Everything that the demo shows of a swizzle."""
    return Report(swizzle, tables(swizzle), movements(swizzle), slips() if swizzle == SWIZZLE else ())


def lost(movement: Movement) -> list[int]:
    """The elements that do not lie at the swizzled offset, or that several threads move."""
    length = movement.bits // movement.tile.element_bits
    steps = [step for i in range(movement.instructions) for step in movement.steps(i)]
    placed = [(step.number + k, step.swizzled + k) for step in steps for k in range(length)]
    seen = sorted(number for number, _ in placed)
    wrong = {number for number, place in placed if movement.tile.swizzle(number) != place}
    return sorted(wrong | (set(range(movement.tile.layout.size)) ^ {n for n in seen if seen.count(n) == 1}))


def text(found: Report, lane: int | None = None) -> str:
    """The report as text."""
    shown = [_table(table, found.slips) for table in found.tables]
    parts = [_head(found.swizzle), *shown, _addresses(found.movements[0], lane), _costs(found)]
    return "\n\n".join([*parts, *([listed(SOURCE, found.slips)] if found.slips else [])])


def _head(swizzle: Swizzle) -> str:
    sign = ">>" if swizzle.s >= 0 else "<<"
    width = swizzle.m + swizzle.b + abs(swizzle.s)
    return "\n".join(
        [
            f"{swizzle}(offset) = offset ^ ((offset & yyy) {sign} {abs(swizzle.s)}), offsets in elements of 16 bits",
            f"bits of the mask  {(1 << swizzle.b) - 1:b}",
            f"yyy, read         {swizzle.yyy_mask:0{width}b}",
            f"zzz, changed      {swizzle.zzz_mask:0{width}b}",
            "",
            draw(swizzle, kind="swizzle").text().split("\n\n")[1],
        ]
    )


def _table(table: Table, slips: Sequence[Slip]) -> str:
    header = [table.header] if table.header else []
    corrected = [slip.where for slip in slips if slip.table == table.title]
    title = f"{table.title} (corrected: {', '.join(corrected)})" if corrected else table.title
    return "\n".join([title, *aligned([*header, *table.rows], names=len(header))])


def _addresses(movement: Movement, lane: int | None) -> str:
    lanes = range(SHOWN_LANES) if lane is None else [lane]
    header = tuple(field.name for field in fields(Step))
    rows = [tuple(str(value) for value in asdict(movement.step(number)).values()) for number in lanes]
    steps = "lane -> its row and column -> (i,j) in the tile -> number 0 to 255 -> swizzled number -> byte, line, place"
    return "\n".join([f"{movement.name}: {steps}", *aligned([header, *rows])])


def _costs(found: Report) -> str:
    rows = [("movement", "wavefronts", "without swizzle", "ideal")]
    rows += [(name, str(own), str(plain), str(ideal)) for name, own, plain, ideal in found.costs()]
    wrong = sum(len(lost(m)) for m in found.movements)
    moved = sum(m.tile.layout.size for m in found.movements)
    return "\n".join(
        [
            "wavefronts of shared memory: 8 lanes of 16 bytes or 16 lanes of 8 bytes fill one line of 128 bytes",
            *aligned(rows, names=1),
            f"for the two movements of one tile {found.least()} is enough",
            f"check: {moved - wrong} of {moved} elements lie at their swizzled offset, each moved by one thread",
        ]
    )


def aligned(rows: Iterable[Sequence[str]], names: int = 0) -> Iterator[str]:
    """Rows of texts with their columns aligned: the first `names` columns to the left, the others to the right.

    >>> list(aligned([("a", "b"), ("ccc", "10")], names=1))
    ['  a     b', '  ccc  10']
    """
    table = list(rows)
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        sides = zip(row, widths, range(len(row)), strict=True)
        cells = (cell.ljust(width) if column < names else cell.rjust(width) for cell, width, column in sides)
        yield f"  {'  '.join(cells)}".rstrip()
