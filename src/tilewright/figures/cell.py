"""`Cell`: one square of a picture, and its `Key`: what it stands for. Pictures are linked by keys alone."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from tilewright.layout.inttuple import IntTuple

OnAxes: TypeAlias = tuple[tuple[str, int], ...]  # one place: the position on each axis


class Owner(NamedTuple):
    """Who has an element: the thread, and the number of the value there. None: all of them."""

    thread: int | None
    value: int | None


class Key(NamedTuple):
    """What a cell stands for; what does not apply is empty or None.

    Attributes:
        elements: their flat indices, as the panel's `subject` numbers them: one in a grid, several in a word of memory.
        coordinate: of the first of them.
        offset: where the layout puts it, when that is a single number.
        place: where the layout puts it otherwise: a position on each axis, for each copy.
        owner: the threads and values that have the elements.
        byte, bank, line: where the cell begins in shared memory; a line has one word of each bank.
        phase: which group of lanes is served, counted over an access.
        group: what the cell's colour stands for, such as a lane, or the first of some banks.
    """

    elements: tuple[int, ...] = ()
    coordinate: IntTuple | None = None
    offset: int | None = None
    place: tuple[OnAxes, ...] = ()
    owner: tuple[Owner, ...] = ()
    byte: int | None = None
    bank: int | None = None
    line: int | None = None
    phase: int | None = None
    group: int | None = None


class Cell(NamedTuple):
    """One cell of a panel, at (row, column).

    Attributes:
        label: what is written into it, in one or several lines.
        tone: an index into the palette of the scene's legend; None: blank.
        note: the whole story in one sentence.
        marked: is it outlined?
        key: what the cell stands for.
        formula: how its value comes about, with the numbers.
    """

    row: int
    column: int
    label: str = ""
    tone: int | None = None
    note: str = ""
    marked: bool = False
    key: Key = Key()
    formula: str = ""
