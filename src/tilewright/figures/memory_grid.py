"""The picture of shared memory itself: lines of banks, and which element lies in each word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import UsageError
from tilewright.figures.domain import Point, checked
from tilewright.figures.figure import Figure
from tilewright.figures.memory import Memory, memory
from tilewright.figures.scene import Cell, Panel, Ruler, Scene
from tilewright.figures.tones import hues
from tilewright.figures.views import View, view
from tilewright.layout.inttuple import product

Contents = dict[int, list[Point]]  # word -> the elements that touch it


def picture(
    layout: Any,
    *,
    element_bits: int,
    access: Any = None,
    arch: str = "sm_90",
    shape: Sequence[int] | None = None,
    title: str | None = None,
) -> Figure:
    """Lines of 4-byte words, a column for each bank; a cell names the coordinate of the first element in the word.

    With an access, the colour is the instruction that touches the word: an access of one word per thread is free of
    bank conflicts exactly when no column holds a colour twice. Without one it is the element's row.

    Args:
        layout: tile coordinates -> element offsets in shared memory.
        element_bits: the width of an element.
        access: (thread, value) -> coordinate index in the layout's own order, one instruction for each value.
        arch: the architecture's name.
        shape: (rows, columns) of the tile, instead of the layout's own modes.
        title: instead of the layout's text.

    Raises:
        UsageError: more than 65536 words, or values that are no memory offsets.
    """
    seen, store = view(layout, shape), memory(element_bits, arch)
    contents = _contents(seen, store)
    last = max(contents)
    lines = checked((last // store.banks + 1) * store.banks) // store.banks
    keys = {word: points[0].row for word, points in contents.items()}
    if access is not None:
        keys = _instructions(contents, access)
    tones, legend = hues(keys.values(), "row" if access is None else "instruction")
    cells = tuple(_cell(word, points, keys, tones, store.banks) for word, points in sorted(contents.items()))
    rows = Ruler(tuple(map(str, range(lines))), "line")
    panel = Panel("", rows, Ruler(tuple(map(str, range(store.banks))), "bank"), cells)
    return Figure(Scene(title or seen.title, (panel,), legend))


def _contents(seen: View, store: Memory) -> Contents:
    found: Contents = {}
    for point in seen.domain.points():
        offset = seen.at(point.flat)
        if type(offset) is not int or offset < 0:
            raise UsageError(f"a memory picture needs offsets from 0, {seen.title} gives {offset} at {point.name}")
        last = (store.byte(offset + 1) + (store.element_bits % 8 != 0) - 1) // BANK_BYTES
        for word in range(store.word(offset), max(last, store.word(offset)) + 1):
            found.setdefault(word, []).append(point)
    return found


def _instructions(contents: Contents, access: Any) -> dict[int, int]:
    shape = getattr(access, "shape", None)
    if not isinstance(shape, tuple) or len(shape) < 2:
        raise UsageError(f"an access has the modes (thread, value), got {access}")
    threads = product(shape[0])
    order = {access(i): i // threads for i in range(checked(access.size))}
    return {word: order[p.flat] for word, points in contents.items() for p in points[:1] if p.flat in order}


def _cell(word: int, points: list[Point], keys: Mapping[int, int], tones: Mapping[int, int], banks: int) -> Cell:
    tone = tones[keys[word]] if word in keys else None
    note = f"word {word}: " + ", ".join(point.name for point in points)
    return Cell(word // banks, word % banks, points[0].name.strip("()"), tone, note)
