"""The picture of shared memory itself: lines of banks, and which element lies in each word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tilewright.analysis.held.table import told_width
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import UsageError
from tilewright.figures.cell import Cell, Key, Owner
from tilewright.figures.domain import Point, checked, ruler
from tilewright.figures.figure import Figure
from tilewright.figures.memory import Memory, elements_by_word, memory
from tilewright.figures.owners import Owners, owners
from tilewright.figures.scene import Panel, Scene
from tilewright.figures.tones import hues
from tilewright.figures.views import View, view

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

CAPTION = "in each cell: the coordinate of the first element in the word"


def picture(
    layout: object,
    *,
    element_bits: int | DTypeLike | None = None,
    access: object = None,
    arch: str = "sm_90",
    shape: Sequence[int] | None = None,
    title: str | None = None,
) -> Figure:
    """Lines of 4-byte words, a column for each bank; a cell names the coordinate of the first element in the word.

    With an access, the colour is the instruction that touches the word: an access of one word per thread is free of
    bank conflicts exactly when no column holds a colour twice. Without one it is the element's row.

    Args:
        layout: tile coordinates -> element offsets in shared memory, or a `tw.Tensor`.
        element_bits: the width of an element, where the tile does not tell it.
        access: (thread, value) -> coordinate index in the layout's own order, one instruction for each value.
        arch: the architecture's name.
        shape: (rows, columns) of the tile, instead of the layout's own modes.
        title: instead of the layout's text.

    Raises:
        UsageError: more than 65536 words, or values that are no memory offsets.
    """
    seen, store = view(layout, shape), memory(told_width(layout, element_bits), arch)
    points = [(_offset(seen, point), point) for point in seen.domain.points()]
    contents = elements_by_word(points, store)
    lines = checked((max(contents) // store.banks + 1) * store.banks) // store.banks
    who = {} if access is None else owners(access, _locate)
    keys = {word: group for word, inside in contents.items() if (group := _group(inside[0], access, who)) is not None}
    tones, legend = hues(keys.values(), "row" if access is None else "instruction")
    cells = []
    for word, inside in contents.items():
        line, bank = divmod(word, store.banks)
        note = f"word {word}: " + ", ".join(point.name for point in inside)
        elements = tuple(point.flat for point in inside)
        owner = tuple(dict.fromkeys(owner for index in elements for owner in who.get(index, ())))
        group = keys.get(word)
        key = Key(elements, inside[0].coordinate, None, (), owner, word * BANK_BYTES, bank, line, group=group)
        tone = None if group is None else tones[group]
        cells.append(Cell(line, bank, inside[0].name.strip("()"), tone, note, key=key))
    panel = Panel("", ruler(lines, "line"), ruler(store.banks, "bank"), tuple(cells))
    return Figure(Scene(title or seen.title, (panel,), legend, notes=_notes(store, panel)))


def _notes(store: Memory, panel: Panel) -> tuple[str, ...]:
    blank = None in panel.cells.tone
    return (f"{CAPTION}; {store.caption}", *(("without a colour: words that are not accessed",) if blank else ()))


def _offset(seen: View, point: Point) -> int:
    offset = seen.answers[point.flat]
    if type(offset) is not int or offset < 0:
        raise UsageError(f"a memory picture needs offsets from 0, {seen.title} gives {offset} at {point.name}")
    return offset


def _group(first: Point, access: object, who: Owners) -> int | None:
    """The row of the first element in a word, or the instruction of the last thread that moves it."""
    if access is None:
        return first.row
    return who[first.flat][-1].value if first.flat in who else None


def _locate(place: object, owner: Owner) -> int:
    if type(place) is not int:
        raise UsageError(f"an access gives a coordinate's index, not {place} for value {owner.value}")
    return place
