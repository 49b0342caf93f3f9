"""Parts of a picture in colour, the rest blank: slices of a layout, threads and values of a partition."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from tilewright.errors import UsageError, shown
from tilewright.figures.cell import Owner
from tilewright.figures.cells import Cells
from tilewright.figures.domain import extent
from tilewright.figures.figure import Figure
from tilewright.figures.palette import TONES
from tilewright.figures.scene import Legend, Panel, Swatch
from tilewright.figures.series import Owned
from tilewright.figures.views import View
from tilewright.layout.inttuple import to_text
from tilewright.layout.layout import Layout, idx2crd

MOST = 2**31  # threads and values, for slices without an end

Part = Callable[[Cells], Iterable[bool]]  # which cells belong to it?


def highlight(figure: Figure, parts: Sequence[tuple[str, Part]]) -> Figure:
    """The figure with each part in a colour of its own; cells of several parts have the first one's, and a frame."""
    scene = figure.scene
    panels = tuple(_panel(panel, [belongs for _, belongs in parts]) for panel in scene.panels)
    swatches = tuple(Swatch(i % TONES, name) for i, (name, _) in enumerate(parts))
    several = any(any(panel.cells.marked) for panel in panels)
    notes = (*scene.notes, *(["framed: in several of these"] if several else []))
    return Figure(replace(scene, panels=panels, legend=Legend("highlighted", swatches), notes=notes))


def _panel(panel: Panel, parts: Sequence[Part]) -> Panel:
    within = list(zip(*(belongs(panel.cells) for belongs in parts), strict=True))
    tones = [own.index(True) % TONES if True in own else None for own in within]
    return replace(panel, cells=replace(panel.cells, tone=tones, marked=[own.count(True) > 1 for own in within]))


def slices(seen: View, asked: Sequence[object]) -> list[tuple[str, Part]]:
    """The parts of a layout's picture that coordinates name, with None for a whole mode or a slice for some of it.

    Raises:
        UsageError: a coordinate that does not fit the layout's shape.
    """
    shape = tuple(seen.shape)
    held = [_holding(_inside(seen, one, shape)) for one in asked]  # which refuses what has no end to write
    return [(written(one), part) for one, part in zip(asked, held, strict=True)]


def owned(panels: Sequence[Panel], asked: Sequence[object]) -> list[tuple[str, Part]]:
    """The parts of a picture of owners that (thread, value) name, or a thread alone; None and slices as in `slices`.

    Raises:
        UsageError: neither, or who has nothing in these panels.
    """
    held = [_owned_by(*_pair(one)) for one in asked]
    for one, part in zip(asked, held, strict=True):
        if not any(any(part(panel.cells)) for panel in panels):
            raise UsageError(f"highlight {shown(one)} colours nothing: {_owner(one)} has no cell of this picture")
    return [(_owner(one), part) for one, part in zip(asked, held, strict=True)]


def written(coordinate: object) -> str:
    """A coordinate as it reads in a slice.

    >>> written((None, (3, slice(0, 4)))), written((slice(0, 8, 2), 1))
    ('(_,(3,0:4))', '(0:8:2,1)')
    """
    if isinstance(coordinate, tuple):
        return f"({','.join(map(written, coordinate))})"
    if isinstance(coordinate, slice):
        step = () if coordinate.step is None else (coordinate.step,)
        return ":".join("" if end is None else str(end) for end in (coordinate.start, coordinate.stop, *step))
    return "_" if coordinate is None else str(coordinate)


def _inside(seen: View, asked: object, shape: tuple[Any, ...]) -> set[int]:
    whole: Any = shape if isinstance(asked, tuple) or len(shape) != 1 else shape[0]
    if not fits(asked, whole):
        raise UsageError(
            f"highlight {shown(asked)} is no coordinate of the shape {to_text(whole)}: give integers within it, "
            "None or slices for what is free"
        )
    flat = len(shape) == 1 and isinstance(asked, tuple)
    points = seen.domain.points()
    return {p.flat for p in points if _meets((p.coordinate,) if flat else p.coordinate, asked, whole)}


def fits(asked: object, shape: Any) -> bool:
    """Is it a coordinate within the shape, perhaps with None or slices for what is free?

    >>> fits((1, None), (4, (2, 4))), fits((1, (1, 4)), (4, (2, 4))), fits(31, (4, (2, 4)))
    (True, False, True)
    """
    if isinstance(asked, tuple):
        return isinstance(shape, tuple) and len(asked) == len(shape) and all(map(fits, asked, shape))
    return _is_range(asked) or (type(asked) is int and 0 <= asked < extent(shape))


def _is_range(asked: object) -> bool:
    """Does it name some of the numbers of any mode: None all, a slice those that Python takes of a range?"""
    if not isinstance(asked, slice):
        return asked is None
    ends = (asked.start, asked.stop, asked.step)
    return asked.step != 0 and all(end is None or type(end) is int for end in ends)


def _meets(coordinate: Any, asked: object, shape: Any) -> bool:
    if isinstance(asked, tuple):
        parts = coordinate if isinstance(coordinate, tuple) else idx2crd(coordinate, shape)
        return all(map(_meets, parts, asked, shape))
    if asked is None:
        return True
    index = coordinate if type(coordinate) is int else Layout(shape)(coordinate)
    return _among(index, asked, extent(shape))


def _among(index: int, asked: object, size: int) -> bool:
    return index in range(*asked.indices(size)) if isinstance(asked, slice) else index == asked


def _holding(found: set[int]) -> Part:
    return lambda cells: (not found.isdisjoint(elements) for elements in cells.elements)


def _pair(asked: object) -> tuple[object, object]:
    pair = asked if isinstance(asked, tuple) else (asked, None)
    if len(pair) == 2 and all(_is_range(one) or type(one) is int for one in pair):
        return pair[0], pair[1]
    raise UsageError(
        f"highlight {shown(asked)} is no thread, and no (thread, value) with None or slices for what is free"
    )


def _owner(asked: object) -> str:
    thread, value = _pair(asked)
    names = [f"{letter}{written(one)}" for letter, one in (("T", thread), ("V", value)) if one is not None]
    return " ".join(names) or "all"


def _owned_by(thread: object, value: object) -> Part:
    has_thread, has_value = _named(thread), _named(value)

    def owns(owner: Owner) -> bool:
        return has_thread(owner[0]) and has_value(owner[1])

    def part(cells: Cells) -> Iterable[bool]:
        if not isinstance(cells.owner, Owned):
            return (any(map(owns, own)) for own in cells.owner)
        every = ([has_thread(t) and has_value(v) for t, v in zip(*pair, strict=True)] for pair in cells.owner.columns)
        return map(any, zip(*every, strict=True))

    return part


def _named(asked: object) -> Callable[[int | None], bool]:
    """Is a position among those asked for? None stands for all of them."""
    if asked is None:
        return lambda position: True
    wanted = range(*asked.indices(MOST)) if isinstance(asked, slice) else (asked,)
    return lambda position: position is None or position in wanted
