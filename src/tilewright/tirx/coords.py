"""`CoordSet`: the places of one logical element, where a replica gives it several."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, overload

from tilewright.errors import LayoutError, shown
from tilewright.tirx.frozen import Frozen

Key: TypeAlias = frozenset[tuple[str, int]]


class CoordSet(Frozen, Sequence[Mapping[str, int]]):
    """A frozen set of coordinates `{axis: value}`, kept in replica order and without duplicates.

    It equals any iterable of the same coordinates, whatever their order; an axis that is missing counts as 0.

    Raises:
        LayoutError: points that are no dictionaries of integers.

    >>> places = CoordSet([{"laneid": 3, "warpid": 5}, {"laneid": 3, "warpid": 9}])
    >>> len(places), {"warpid": 9, "laneid": 3} in places, places.base()
    (2, True, {'laneid': 3, 'warpid': 5})
    >>> places == [{"laneid": 3, "warpid": 9}, {"laneid": 3, "warpid": 5}]
    True
    """

    __slots__ = ("_points",)
    _points: tuple[Mapping[str, int], ...]

    def __init__(self, points: Iterable[Mapping[str, int]]) -> None:
        unique: dict[Key, Mapping[str, int]] = {}
        for point in _points(points):
            unique.setdefault(_key(point), point)
        object.__setattr__(self, "_points", tuple(unique.values()))

    @classmethod
    def of_distinct(cls, points: Iterable[Mapping[str, int]]) -> CoordSet:
        """The set of points that are known to differ."""
        made = cls.__new__(cls)
        object.__setattr__(made, "_points", tuple(points))
        return made

    @property
    def _keys(self) -> frozenset[Key]:
        return frozenset(map(_key, self._points))

    def base(self) -> dict[str, int]:
        """The place of the first copy, all replica digits 0."""
        return dict(self._points[0])

    @overload
    def __getitem__(self, position: int) -> dict[str, int]: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[Mapping[str, int]]: ...
    def __getitem__(self, position: int | slice) -> dict[str, int] | Sequence[Mapping[str, int]]:
        return dict(self._points[position]) if isinstance(position, int) else self._points[position]

    def __iter__(self) -> Iterator[Mapping[str, int]]:
        return map(dict, self._points)

    def __len__(self) -> int:
        return len(self._points)

    def __contains__(self, point: object) -> bool:
        return isinstance(point, Mapping) and _key(point) in self._keys

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CoordSet):
            return self._keys == other._keys
        if isinstance(other, Mapping | str) or not isinstance(other, Iterable):
            return False
        points = list(other)
        return all(isinstance(p, Mapping) for p in points) and frozenset(map(_key, points)) == self._keys

    def __hash__(self) -> int:
        return hash(self._keys)

    def __reduce__(self) -> tuple[type[CoordSet], tuple[tuple[Mapping[str, int], ...]]]:
        return CoordSet, (self._points,)

    def __repr__(self) -> str:
        return f"CoordSet({list(self._points)!r})"


def _key(point: Mapping[str, int]) -> Key:
    return frozenset((axis, value) for axis, value in point.items() if not (isinstance(value, int) and value == 0))


def _points(points: Iterable[Mapping[str, int]]) -> list[Mapping[str, int]]:
    found = list(points) if isinstance(points, Iterable) else [points]
    for point in found:
        if not isinstance(point, Mapping) or not all(isinstance(axis, str) for axis in point):
            raise LayoutError(f"a coordinate is a dictionary {{axis: value}}, got {shown(point)}")
    return found
