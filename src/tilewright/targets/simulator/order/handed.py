"""What lanes have, and what their warps have since they met."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, Protocol, Self, TypeVar


class Joined(Protocol):
    """Values that can be put together."""

    def __or__(self, other: Self, /) -> Self: ...


V = TypeVar("V", bound=Joined)


class Handed(Generic[V]):
    """A value of some lanes and warps, by their numbers in the launch, in warps of so many lanes."""

    def __init__(self, lanes: int, nothing: V) -> None:
        self._width = lanes
        self._nothing = nothing
        self._lanes: dict[int, dict[int, V]] = {}  # by warp
        self._warps: dict[int, V] = {}

    def __bool__(self) -> bool:
        return bool(self._lanes or self._warps)

    def own(self, lane: int) -> V:
        """What the lane has, without its warp."""
        return self._lanes.get(lane // self._width, {}).get(lane, self._nothing)

    def of(self, lane: int) -> V:
        """What the lane has, and its warp."""
        return self.of_warp(lane // self._width) | self.own(lane)

    def of_warp(self, warp: int) -> V:
        """What the warp has."""
        return self._warps.get(warp, self._nothing)

    def put(self, lane: int, value: V) -> None:
        """The lane has this, instead of what it had."""
        self._lanes.setdefault(lane // self._width, {})[lane] = value

    def add(self, lane: int, value: V) -> None:
        """The lane has this, too."""
        if value:
            self.put(lane, self.own(lane) | value)

    def teach(self, warp: int, value: V) -> None:
        """The warp has this, too."""
        if value:
            self._warps[warp] = self.of_warp(warp) | value

    def gathered(self, warps: Iterable[int]) -> V:
        """What these warps and their lanes have, together."""
        found = self._nothing
        for warp in warps:
            found = found | self.of_warp(warp)
            for value in self._lanes.get(warp, {}).values():
                found = found | value
        return found

    def meet_warps(self, warps: Iterable[int]) -> None:
        """What lanes of these warps have, their warps have."""
        for warp in self._lanes.keys() & set(warps):
            self._warps[warp] = self.gathered([warp])
            del self._lanes[warp]

    def meet(self, warps: range) -> None:
        """What any of these warps has, all of them have."""
        found = self.gathered(warps)
        for warp in warps if found else ():
            self._warps[warp] = found
            self._lanes.pop(warp, None)
