"""Cells as JSON: a column for each attribute of a cell or its key, in its shortest form (`docs/scenes.md`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from tilewright.figures.cell import OnAxes, Owner
from tilewright.figures.cells import DEFAULTS, Cells
from tilewright.figures.palette import TONES
from tilewright.figures.plain import below, lists, many, nested, optional, text, truth, whole
from tilewright.figures.series import Alone, Crossed, OnCopies, Same, Words

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Column:
    """One attribute: what its value is in JSON if not itself, how that is read, and the forms that it may have."""

    write: Callable[[Any], object] | None
    read: Callable[[object], Any]
    forms: tuple[str, ...] = ("all",)


def _on_axes(value: object) -> OnAxes:
    if not isinstance(value, dict):
        raise TypeError("an object with a position for each axis")
    return tuple((text(axis), whole(position)) for axis, position in value.items())


def _owner(value: object) -> Owner:
    pair = many(optional(whole))(value)
    if len(pair) != 2:
        raise TypeError("a thread and a value")
    return Owner(*pair)


def _elements(value: object) -> tuple[int, ...]:
    return (whole(value),) if type(value) is int else many(whole)(value)


def _alone(elements: tuple[int, ...]) -> object:
    return elements[0] if len(elements) == 1 else list(elements)


NUMBER = Column(None, optional(whole), ("all", "rows", "of"))
TEXT = Column(None, text, ("all", "rows", "text"))
# In the order in which they are read: a column may name those before it.
COLUMNS: Mapping[str, Column] = MappingProxyType(
    {
        "elements": Column(_alone, _elements, ("all", "rows")),
        "coordinate": Column(lists, optional(nested), ("all", "rows")),
        "offset": NUMBER,
        "place": Column(lambda copies: [dict(place) for place in copies], many(_on_axes), ("all", "copies")),
        "owner": Column(lambda owners: [list(owner) for owner in owners], many(_owner)),
        **dict.fromkeys(("byte", "bank", "line", "phase", "group"), NUMBER),
        "tone": Column(None, optional(below(TONES))),
        "marked": Column(None, truth),
        **dict.fromkeys(("label", "note", "formula"), TEXT),
    }
)


def written(cells: Cells) -> Json:
    """The columns of the cells; one in which every cell has the default is left out.

    >>> written(Cells((1,), 2, label=("7",), elements=((4,),), offset=(7,)))
    {'count': 1, 'row': [0], 'column': [1], 'elements': [4], 'offset': [7], 'label': ['7']}
    """
    found: Json = {"count": len(cells)}
    if not isinstance(cells.at, range):
        found |= {"row": cells.row, "column": cells.column}
    names: dict[int, str] = {}
    for name, column in COLUMNS.items():
        values = cells.columns[name]
        if not _is_default(name, values):
            found[name] = _form(values, column.write, names, name)
        names.setdefault(id(values), name)
    return found


def _is_default(name: str, values: Sequence[object]) -> bool:
    if isinstance(values, Same):
        return bool(values.value == DEFAULTS[name])
    return isinstance(values, list | tuple) and values.count(DEFAULTS[name]) == len(values)


def _form(
    values: Sequence[Any], write: Callable[[Any], object] | None, names: dict[int, str], name: str = ""
) -> object:
    """A column as JSON; one that was written before, by its name."""
    if id(values) in names:
        return {"of": names[id(values)]}
    match values:
        case Same():
            return {"all": write(values.value) if write else values.value}
        case Alone():
            return _form(values.numbers, None, names)
        case Crossed():
            return {"rows": _listed(values.rows, write), "columns": _listed(values.columns, write)}
        case Words():
            return {"text": [part if isinstance(part, str) else _form(part, None, names) for part in values.parts]}
        case OnCopies():
            return {"copies": [_axes(copy, names, f"{name}.{number}") for number, copy in enumerate(values.copies)]}
    return _listed(values, write)


def _axes(copy: Mapping[str, Sequence[int]], names: dict[int, str], name: str) -> Json:
    found = {axis: _form(positions, None, names) for axis, positions in copy.items()}
    names |= {id(positions): f"{name}.{axis}" for axis, positions in copy.items()}
    return found


def _listed(values: Sequence[Any], write: Callable[[Any], object] | None) -> list[object]:
    return list(map(write, values)) if write else list(values)
