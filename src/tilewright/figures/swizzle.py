"""The picture of a swizzle: which bits it changes by which, and the order in which it leaves what lies in memory."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.errors import UsageError, counted, shown
from tilewright.figures.cell import Cell, Key
from tilewright.figures.domain import checked, ruler
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Legend, Panel, Ruler, Scene, Swatch
from tilewright.layout.swizzle import Swizzle

READ, CHANGED, KEPT = 1, 0, 7
BLOCKS = (2, 3, 4, 5, 6)  # the other hues


def picture(swizzle: Swizzle, *, title: str | None = None) -> Figure:
    """The bits of an offset through the swizzle, step by step; beside them the index space before and after.

    A number of the index space stands for 2^m offsets that stay together; a row of it has as many as the two bit fields
    are apart. Numbers change places within a block of one colour only.

    Args:
        swizzle: the swizzle.
        title: instead of its text.

    Raises:
        UsageError: not a swizzle, or an index space of more than 65536 numbers.

    >>> print(picture(Swizzle(1, 0, 2)).text().split(chr(10) * 2)[1])
    bits, high to low
    right: bit
                              2     1     0
                   offset     y     -     z
    (offset & 0b100) >> 2     0     0     y
           XOR of the two     y     - z ^ y
    """
    if not isinstance(swizzle, Swizzle):
        raise UsageError(f"a swizzle picture needs a swizzle such as Sw<3,3,3>, got {shown(swizzle)}")
    panels = (
        _bits(swizzle),
        _space(swizzle, "numbers in order", False),
        _space(swizzle, "the number at each position", True),
    )
    return Figure(Scene(title or str(swizzle), panels, _legend(swizzle), notes=_notes(swizzle)))


def _bits(swizzle: Swizzle) -> Panel:
    width = max(1, swizzle.m + swizzle.b + abs(swizzle.s))
    cells = []
    for column, bit in enumerate(reversed(range(width))):
        read, changed = swizzle.yyy_mask >> bit & 1, swizzle.zzz_mask >> bit & 1
        tone = READ if read else CHANGED if changed else KEPT if bit < swizzle.m else None
        name = _name(swizzle, bit)
        moved = _name(swizzle, bit + swizzle.s) if changed else "0"
        steps = (name, moved, f"{name} ^ {moved}" if changed else name)
        tones = (tone, READ if changed else None, tone)
        key = Key((bit,))
        cells += [
            Cell(row, column, step, tone, f"bit {bit}: {step}", key=key)
            for row, (step, tone) in enumerate(zip(steps, tones, strict=True))
        ]
    rows, columns = Ruler(("offset", _read(swizzle), "XOR of the two")), Ruler(ruler(width).labels[::-1], "bit")
    return Panel("bits, high to low", rows, columns, tuple(cells), subject="bit")


def _read(swizzle: Swizzle) -> str:
    sign = ">>" if swizzle.s >= 0 else "<<"
    return f"(offset & {swizzle.yyy_mask:#b}) {sign} {abs(swizzle.s)}"


def _name(swizzle: Swizzle, bit: int) -> str:
    """y and z with the position in their field, where it has several bits."""
    for letter, mask in (("y", swizzle.yyy_mask), ("z", swizzle.zzz_mask)):
        if mask >> bit & 1:
            position = bit - ((mask & -mask).bit_length() - 1)
            return letter if swizzle.b == 1 else f"{letter}{position}"
    return "-"


def _space(swizzle: Swizzle, title: str, moved: bool) -> Panel:
    rows, columns = 1 << swizzle.b, 1 << abs(swizzle.s)
    checked(rows * columns)
    numbers = Swizzle(swizzle.b, 0, swizzle.s)
    cells = []
    for position in range(rows * columns):
        number = numbers(position) if moved else position
        note = f"position {position}: number {number}, offsets {number << swizzle.m} and on"
        block = _block(swizzle, number)
        key = Key((number,), offset=position, group=block)
        formula = f"{number} ^ {number ^ position} = {position}" if moved else ""
        tone = BLOCKS[block % len(BLOCKS)]
        cells.append(Cell(*divmod(position, columns), str(number), tone, note, key=key, formula=formula))
    sides = ruler(rows, "row"), ruler(columns, "position in the row")
    return Panel(title, *sides, tuple(cells), subject="number")


def _block(swizzle: Swizzle, number: int) -> int:
    """The block within which the number may move, a colour: b low bits change for s > 0, the row for s < 0."""
    column = number % (1 << abs(swizzle.s))
    return column >> swizzle.b if swizzle.s >= 0 else column


def _legend(swizzle: Swizzle) -> Legend:
    texts = {READ: "y: read", CHANGED: "z: changed", KEPT: f"{counted(swizzle.m, 'low bit')}: kept"}
    order = (*((READ, CHANGED) if swizzle.b else ()), *((KEPT,) if swizzle.m else ()))
    return Legend("colours", (*(Swatch(tone, texts[tone]) for tone in order), *_told(swizzle)))


def _told(swizzle: Swizzle) -> Iterator[Swatch]:
    """A swatch for each colour of blocks."""
    blocks = _block(swizzle, (1 << abs(swizzle.s)) - 1) + 1
    for number, tone in enumerate(BLOCKS[:blocks]):
        yield Swatch(tone, f"block {number}" if blocks <= len(BLOCKS) else f"blocks {number} mod {len(BLOCKS)}")


def _notes(swizzle: Swizzle) -> tuple[str, ...]:
    together = f"{1 << swizzle.m} offsets" if swizzle.m else "an offset"
    moves = "numbers change places within a block of one colour only"
    return (f"in each cell: a bit, or a number that stands for {together}; {moves}",)
