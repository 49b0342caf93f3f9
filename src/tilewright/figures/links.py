"""Which cells stand for the same: from an element to its owners, from A to C, from a layout to its banks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

from tilewright.errors import UsageError, shown
from tilewright.figures.cell import Key
from tilewright.figures.scene import Panel, Place, Scene


def _single(name: str) -> Callable[[Key], Iterable[object]]:
    def read(key: Key) -> Iterable[object]:
        value = getattr(key, name)
        return () if value is None else (value,)

    return read


# What links cells, and whether it does so between panels of different subjects.
BY: Mapping[str, tuple[Callable[[Key], Iterable[object]], bool]] = MappingProxyType(
    {
        "element": (lambda key: key.elements, False),
        "place": (lambda key: key.place, False),
        "owner": (lambda key: key.owner, False),
        "thread": (lambda key: (owner.thread for owner in key.owner), True),
        **{
            name: (_single(name), name not in ("offset", "byte"))
            for name in ("offset", "byte", "bank", "line", "phase", "group")
        },
    }
)


def holders(panel: Panel) -> Mapping[int, Sequence[int]]:
    """element -> the numbers of the panel's cells that it is in.

    >>> from tilewright import Layout, draw
    >>> holders(draw(Layout((2, 2))).scene.panels[0])
    {0: [0], 2: [1], 1: [2], 3: [3]}
    """
    found: dict[int, list[int]] = {}
    for number, elements in enumerate(panel.cells.elements):
        for element in elements:
            found.setdefault(element, []).append(number)
    return found


def holding(held: Mapping[int, Sequence[int]], elements: Iterable[int]) -> tuple[int, ...]:
    """The numbers of all cells that hold one of the elements, ascending."""
    return tuple(sorted({number for element in elements for number in held.get(element, ())}))


def linked(scene: Scene, place: Place, by: str = "element") -> tuple[Place, ...]:
    """The places of all cells that share an element, an owner, a thread, a bank .. with the cell at `place`.

    Elements, offsets, places and owners link cells of panels with one subject; threads, banks, lines, phases and colour
    groups link all panels. The thread None, which is all threads, links its own cells alone.

    Raises:
        UsageError: no cell is at `place`, or nothing of the name `by` links cells.
    """
    if by not in BY:
        raise UsageError(f"cells are linked by {', '.join(BY)}, not by {shown(by)}")
    read, everywhere = BY[by]
    cells = {
        Place(number, cell.row, cell.column): cell.key
        for number, panel in enumerate(scene.panels)
        for cell in panel.cells
    }
    if place not in cells:
        raise UsageError(f"no cell is at {tuple(place)}")
    subject = scene.panels[place.panel].subject
    wanted = set(read(cells[place]))
    return tuple(
        there
        for there, key in cells.items()
        if (everywhere or scene.panels[there.panel].subject == subject) and not wanted.isdisjoint(read(key))
    )
