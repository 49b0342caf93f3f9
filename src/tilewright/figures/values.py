"""What a layout answers at a coordinate, as a cell shows it: an offset, a coordinate, places on axes, or several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

SHOWN = 2  # copies of a replicated element that a label names
TOLD = 32  # copies that a sentence names


Places = list[dict[str, int]]  # of each copy of an element


def places(value: Any) -> Places:  # numbers of any kind, which `int` reads or refuses
    """A value as dictionaries from axis to position, one for each copy; an offset lies on "", a coordinate on 0, 1, ..

    >>> places(7), places((3, 5)), places({"laneid": 2})
    ([{'': 7}], [{'0': 3, '1': 5}], [{'laneid': 2}])
    """
    if isinstance(value, Mapping):
        return [dict(zip(map(str, value), map(int, value.values()), strict=True))]
    if isinstance(value, tuple):
        return [{str(i): int(leaf) for i, leaf in enumerate(_leaves(value))}]
    if isinstance(value, Iterable):
        return [place for copy in value for place in places(copy)]
    return [{"": int(value)}]


def label(value: object, copies: Places) -> str:
    """The value at these places in as few characters as tell it: a line for each named axis, bars between copies.

    >>> [label(value, places(value)) for value in ((3, 5), {"laneid": 12, "m": 1}, [{"warpid": 5}, {"warpid": 9}])]
    ['3,5', '12\\n1', '5|9']
    """
    if type(value) is int:
        return str(value)
    between = "," if isinstance(value, tuple) else "\n"
    if len(copies) == 1:
        return between.join(map(str, copies[0].values()))
    return between.join(_copies([copy.get(axis, 0) for copy in copies]) for axis in copies[0])


def story(value: object) -> str:
    """The value in words.

    >>> story(7), story({"laneid": 12, "m": 1})
    ('7', 'laneid 12, m 1')
    """
    return str(value) if type(value) is int else told(places(value))


def told(copies: Places) -> str:
    """Places in words."""
    words = (", ".join([f"{axis} {position}".strip() for axis, position in copy.items()]) for copy in copies[:TOLD])
    return shortened(words, len(copies), "; ")


def shortened(told: Iterable[str], count: int, between: str) -> str:
    """The first sentences of `count`, and dots where there are more."""
    return between.join([*told, *(["..."] if count > TOLD else [])])


def copies(value: object) -> tuple[str, ...]:
    """What bars in a label mean: for each axis on which copies of an element differ, where they lie.

    >>> copies([{"laneid": 3, "warpid": 5}, {"laneid": 3, "warpid": 9}])
    ('5|9: 2 copies, at warpid 5 and 9',)
    """
    found = places(value)
    by_axis = {axis: list(dict.fromkeys(copy.get(axis, 0) for copy in found)) for axis in found[0]}
    return tuple(
        f"{_copies(positions)}: {len(positions)} copies, at {axis} {_listed(positions)}"
        for axis, positions in by_axis.items()
        if len(positions) > 1
    )


def _listed(positions: list[int]) -> str:
    *rest, last = [*map(str, positions[:TOLD]), *([".."] if len(positions) > TOLD else [])]
    return f"{', '.join(rest)} and {last}"


def axes(value: object) -> tuple[str, ...]:
    """The axes that a value lies on."""
    return tuple(places(value)[0])


def _copies(positions: list[int]) -> str:
    distinct = list(dict.fromkeys(positions))
    return "|".join(map(str, distinct)) if len(distinct) <= SHOWN else f"{distinct[0]}|..|{distinct[-1]}"


def _leaves(value: tuple[Any, ...]) -> Iterable[Any]:
    for item in value:
        yield from _leaves(item) if isinstance(item, tuple) else (item,)
