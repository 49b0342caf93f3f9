"""`Held`: the cell of a picture that is held, as what it stands for; and the cell that stands for something."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from tilewright.errors import UsageError, close_names, shown
from tilewright.explorer.tab import Tab
from tilewright.figures.cell import Cell, Key, OnAxes, Owner
from tilewright.figures.links import BY
from tilewright.figures.scene import Scene
from tilewright.layout.inttuple import IntTuple, to_text

TOLD = ("coordinate", "index", "offset", "place", "thread", "value", "byte", "bank", "line", "phase")


@dataclass(frozen=True, slots=True, repr=False)
class Held:
    """A cell as what it stands for; what does not apply is None or empty.

    Attributes:
        at: the number of the scene, of the panel in it, and of the cell there.
        cell: the cell, with its row, column, label, note and formula.

    >>> from tilewright import Layout, draw
    >>> find((draw(Layout((4, 8), (8, 1))).scene,), {"offset": 13})
    Held(coordinate=(1, 5), index=21, offset=13)
    """

    at: tuple[int, int, int]
    cell: Cell

    @property
    def coordinate(self) -> IntTuple | None:
        """Of the first element."""
        return self.cell.key.coordinate

    @property
    def index(self) -> int | None:
        """The first element, as its panel numbers them."""
        return next(iter(self.elements), None)

    @property
    def elements(self) -> tuple[int, ...]:
        """All elements, as their panel numbers them."""
        return self.cell.key.elements

    @property
    def offset(self) -> int | None:
        """Where the layout puts it."""
        return self.cell.key.offset

    @property
    def place(self) -> tuple[OnAxes, ...]:
        """Where a layout with named axes puts it: a position on each axis, for each copy."""
        return self.cell.key.place

    @property
    def owner(self) -> tuple[Owner, ...]:
        """The threads and values that have it."""
        return self.cell.key.owner

    @property
    def thread(self) -> int | None:
        """Of the first owner."""
        return self.owner[0].thread if self.owner else None

    @property
    def value(self) -> int | None:
        """Of the first owner."""
        return self.owner[0].value if self.owner else None

    @property
    def byte(self) -> int | None:
        """Where it begins in shared memory."""
        return self.cell.key.byte

    @property
    def bank(self) -> int | None:
        """The bank of its first byte."""
        return self.cell.key.bank

    @property
    def line(self) -> int | None:
        """The line of banks: one word of each."""
        return self.cell.key.line

    @property
    def phase(self) -> int | None:
        """Which group of lanes is served."""
        return self.cell.key.phase

    @property
    def group(self) -> int | None:
        """What its colour stands for."""
        return self.cell.key.group

    def __repr__(self) -> str:
        told = ((name, getattr(self, name)) for name in TOLD)
        return f"Held({', '.join(f'{name}={value}' for name, value in told if value not in (None, ()))})"


def _of_key(read: Callable[[Key], Iterable[object]]) -> Callable[[Held], Iterable[object]]:
    return lambda one: read(one.cell.key)


# By what a cell is found: all that links cells, and where it is.
FOUND: Mapping[str, Callable[[Held], Iterable[object]]] = MappingProxyType(
    {
        **{name: _of_key(read) for name, (read, _) in BY.items()},
        "coordinate": lambda one: (one.coordinate,),
        "index": lambda one: one.elements,
        "scene": lambda one: one.at[:1],
        "panel": lambda one: one.at[1:2],
        "row": lambda one: (one.cell.row,),
        "column": lambda one: (one.cell.column,),
    }
)


def find(scenes: Sequence[Scene], wanted: Mapping[str, object]) -> Held:
    """The first cell of the scenes that stands for all that is wanted.

    Raises:
        UsageError: a name by which no cell is found, or no cell that stands for it.
    """
    unknown = next((name for name in wanted if name not in FOUND), None)
    if unknown is not None:
        close = close_names(unknown, FOUND)
        raise UsageError(f"a cell is found by {', '.join(FOUND)}, not by {shown(unknown)}" + _meant(close))
    for one in _cells(scenes):
        if all(any(_same(value, there) for there in FOUND[name](one)) for name, value in wanted.items()):
            return one
    said = ", ".join(f"{name}={shown(value)}" for name, value in wanted.items())
    raise UsageError(f"no cell of the picture has {said}")


def cell_at(scenes: Sequence[Scene], at: Sequence[int]) -> Held | None:
    """The cell with these numbers, if there is one."""
    scene, panel, number = at
    panels = scenes[scene].panels if scene < len(scenes) else ()
    cells = panels[panel].cells if panel < len(panels) else ()
    return Held((scene, panel, number), cells[number]) if number < len(cells) else None


def held_inputs(tab: Tab, one: Held) -> dict[str, str]:
    """The input by which the tab explains the cell, if it does.

    >>> from tilewright.explorer import Engine
    >>> tab = Engine().tabs["placement"]
    >>> held_inputs(tab, find(tab.answer(tab.inputs({})).scenes, {"coordinate": (2, 5)}))
    {'at': '(2,5)'}
    """
    holds = getattr(one, tab.holds) if tab.held else None
    return {} if holds is None else {tab.held: to_text(holds)}


def _cells(scenes: Sequence[Scene]) -> Iterable[Held]:
    return (
        Held((number, place, count), cell)
        for number, scene in enumerate(scenes)
        for place, panel in enumerate(scene.panels)
        for count, cell in enumerate(panel.cells)
    )


def _same(value: object, there: object) -> bool:
    return type(value) is type(there) and value == there if isinstance(there, int) else value == there


def _meant(close: Sequence[str]) -> str:
    return f"; did you mean {close[0]}?" if close else ""
