"""What somebody knows of the accesses of others: up to which time, of each warp and of each lane of the launch.

A `Past` is a value: joining two makes a third, which remembers the two; all that they know is put together when someone
asks for it. So lanes may hear of each other as often as they like.

Source: L. Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, 1978.
"""

from __future__ import annotations

from collections.abc import Mapping

WARP, LANE, WORDS = range(3)  # of what: a warp, a lane, the mbarriers that a lane made
KINDS = 3
DEEPEST = 64  # joins that are remembered before they are put together
MANY = 32  # parts that are asked one by one before they are


class Past:
    """Up to which time the accesses of each warp and of each lane are known, by their numbers in the launch.

    Engines count among the lanes. `made`: up to which time the mbarriers that a lane made are.

    >>> both = Past({0: 3}) | Past({0: 2}, {40: 5})
    >>> both.knows(7, 32, 3), both.knows(40, 32, 6), bool(NOTHING | NOTHING)
    (True, False, False)
    """

    __slots__ = ("_depth", "_known", "_leaver", "_parts")

    def __init__(
        self, warps: Mapping[int, int] = {}, lanes: Mapping[int, int] = {}, made: Mapping[int, int] = {}
    ) -> None:
        kinds = ((WARP, warps), (LANE, lanes), (WORDS, made))
        self._known = {KINDS * who + kind: when for kind, given in kinds for who, when in given.items() if when}
        self._parts: tuple[Past, ...] = ()
        self._depth = 0
        self._leaver: tuple[int, int] | None = None

    def __bool__(self) -> bool:
        return bool(self._known or self._parts)

    def __or__(self, other: Past) -> Past:
        """What both know."""
        if other is self or not other or other in self._parts:
            return self
        if not self or self in other._parts:
            return other
        if self._parts and other._leaver and other.includes(self._parts[-1]):
            return self._parts[0] | other
        return _joined((self, other))

    def left_by(self, lane: int, when: int) -> Past:
        """The same, all that this lane knew then: who knows what the lane did then knows it, too."""
        made = _joined((self,))
        made._leaver = lane, when
        return made

    def knows(self, actor: int, lanes: int, when: int, words: bool = False) -> bool:
        """Does it know what the actor did at that time, in warps of so many lanes; if `words`, what it made then?"""
        lane, warp = KINDS * actor + LANE, KINDS * (actor // lanes) + WARP
        ask, asked = [self], 0
        while ask:
            past = ask.pop()
            known = past._known
            if known.get(lane, 0) >= when or known.get(warp, 0) >= when:
                return True
            if words and known.get(KINDS * actor + WORDS, 0) >= when:
                return True
            ask += past._parts
            asked += 1
            if asked == MANY:
                self._all()
                return self.knows(actor, lanes, when, words)
        return False

    def includes(self, older: Past) -> bool:
        """Does it know all of that for sure, since it knows who left it?"""
        if older._leaver is None:
            return False
        lane, when = older._leaver
        return self._all().get(KINDS * lane + LANE, 0) >= when

    def _all(self) -> dict[int, int]:
        """All that it knows, put together once."""
        if self._parts:
            seen, found, ask = {self}, [self._known], [self]
            while ask:
                for part in ask.pop()._parts:
                    if part not in seen:
                        seen.add(part)
                        ask.append(part)
                        found.append(part._known)
            largest = max(found, key=len)
            self._known = dict(largest)
            for known in found:
                if known is not largest:
                    for who, when in known.items():
                        if self._known.get(who, 0) < when:
                            self._known[who] = when
            self._parts, self._depth = (), 0
        return self._known


def _joined(parts: tuple[Past, ...]) -> Past:
    made = Past()
    made._parts, made._depth = parts, 1 + max(part._depth for part in parts)
    if made._depth > DEEPEST:
        made._all()
    return made


NOTHING = Past()
