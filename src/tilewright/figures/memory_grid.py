"""The picture of shared memory itself: lines of banks, and which element lies in each word."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from tilewright.analysis.held.table import told_width
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import UsageError
from tilewright.figures.cell import Owner
from tilewright.figures.cells import Cells
from tilewright.figures.contents import contents
from tilewright.figures.domain import checked, ruler
from tilewright.figures.figure import Figure
from tilewright.figures.memory import Memory, elements_by_word, memory
from tilewright.figures.owners import owners
from tilewright.figures.scene import Panel, Scene
from tilewright.figures.series import Alone, picked, words
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
    domain, offsets = seen.domain, _offsets(seen)
    found = elements_by_word(offsets, range(domain.size), store)
    lines = checked((max(found) // store.banks + 1) * store.banks) // store.banks
    at = sorted(found)
    inside = contents(domain, _held([found[word] for word in at], domain.size))
    who = None if access is None else owners(access, _locate).of(domain.flat)
    groups = _groups(inside.first, who, domain.columns.count)
    tones, legend = hues((group for group in groups if group is not None), "row" if who is None else "instruction")
    cells = Cells(
        at,
        store.banks,
        label=picked(inside.names, inside.first),
        tone=[None if group is None else tones[group] for group in groups],
        note=words(len(at), "word ", at, ": ", inside.told),
        elements=inside.elements,
        coordinate=inside.coordinate,
        owner=[_distinct(who[number] for number in held) for held in inside.held] if who else (),
        byte=[word * BANK_BYTES for word in at],
        bank=[word % store.banks for word in at],
        line=[word // store.banks for word in at],
        group=groups,
    )
    panel = Panel("", ruler(lines, "line"), ruler(store.banks, "bank"), cells)
    return Figure(Scene(title or seen.title, (panel,), legend, notes=_notes(store, panel)))


def _held(words: Sequence[list[int]], count: int) -> Sequence[tuple[int, ...]]:
    """The numbers of the elements in each word, of so many elements."""
    return Alone([word[0] for word in words]) if len(words) == count else list(map(tuple, words))


def _notes(store: Memory, panel: Panel) -> tuple[str, ...]:
    blank = None in panel.cells.tone
    return (f"{CAPTION}; {store.caption}", *(("without a colour: words that are not accessed",) if blank else ()))


def _offsets(seen: View) -> Sequence[int]:
    found = seen.answers.picked(seen.domain.flat)
    offsets = found.offsets
    if offsets is None or min(offsets) < 0:
        number = 0 if offsets is None else next(n for n, offset in enumerate(offsets) if offset < 0)
        at = f"{found[number]} at {seen.domain.name[number]}"
        raise UsageError(f"a memory picture needs offsets from 0, {seen.title} gives {at}")
    return offsets


def _groups(first: Sequence[int], who: Sequence[tuple[Owner, ...]] | None, columns: int) -> Sequence[int | None]:
    """Of each word the row of its first element, or the instruction of the last thread that moves that."""
    if who is None:
        return [number // columns for number in first]
    return [who[number][-1].value if who[number] else None for number in first]


def _distinct(owners: Iterable[tuple[Owner, ...]]) -> tuple[Owner, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(owners)))


def _locate(place: object, owner: Owner) -> int:
    if type(place) is not int:
        raise UsageError(f"an access gives a coordinate's index, not {place} for value {owner.value}")
    return place
