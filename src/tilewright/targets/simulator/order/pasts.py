"""What is known of others: pasts, and what is to become one at the next fence, or write."""

from __future__ import annotations

from dataclasses import dataclass, field

from tilewright.targets.simulator.order.times import Times

NEVER = Times()
MOST_APART = 4  # pasts that a lane has taken, before they are joined


@dataclass
class Past:
    """Up to which time the accesses of each warp and of each lane are known, by their numbers in the launch.

    Engines count among the lanes. `made`: up to which time the mbarriers that a lane made are.
    """

    warps: Times = NEVER
    lanes: Times = NEVER
    made: Times = NEVER

    def __bool__(self) -> bool:
        return bool(self.warps or self.lanes or self.made)

    def learn(self, other: Past) -> None:
        """Knows what the other does, too."""
        self.warps = self.warps.joined(other.warps)
        self.lanes = self.lanes.joined(other.lanes)
        self.made = self.made.joined(other.made)

    def knows(self, actor: int, lanes: int, when: int, words: bool = False) -> bool:
        """Does it know what the actor did at that time, in warps of so many lanes; if `words`, what it made then?"""
        time = max(self.lanes[actor], self.warps[actor // lanes])
        return (max(time, self.made[actor]) if words else time) >= when

    def covers(self, other: Past) -> bool:
        """Does it know all that the other knows?"""
        pairs = (self.warps, other.warps), (self.lanes, other.lanes), (self.made, other.made)
        return all(mine.joined(theirs) is mine for mine, theirs in pairs)

    def copy(self) -> Past:
        """The same, to go on by itself."""
        return Past(self.warps, self.lanes, self.made)


NOTHING = Past()  # for those who only ask


@dataclass
class Lore:
    """What a lane hands on where it meets others: its `past`, and what waits for them to write, or to fence.

    `fenced`: what a relaxed write tells, as a fence came before; `seen`: what relaxed reads have come upon, which a
    fence makes the past. Each has a part `nearby`: of which only the own block learns, or that comes from there.
    """

    past: Past = field(default_factory=Past)
    fenced: Past = field(default_factory=Past)
    fenced_nearby: Past = field(default_factory=Past)
    seen: Past = field(default_factory=Past)
    seen_nearby: Past = field(default_factory=Past)

    def __bool__(self) -> bool:
        return bool(self.past) or self.holds

    @property
    def holds(self) -> bool:
        """Has anybody fenced, or seen anything?"""
        return bool(self.fenced or self.fenced_nearby or self.seen or self.seen_nearby)

    def learn(self, other: Lore) -> None:
        """All that the other has, too."""
        self.past.learn(other.past)
        if other.holds:
            self.fenced.learn(other.fenced)
            self.fenced_nearby.learn(other.fenced_nearby)
            self.seen.learn(other.seen)
            self.seen_nearby.learn(other.seen_nearby)


@dataclass
class Learnt:
    """What a lane has learnt by itself, and the last of each course that it has taken or seen: to be joined yet."""

    lore: Lore = field(default_factory=Lore)
    taken: dict[int, Past] = field(default_factory=dict)
    seen: dict[int, Past] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[Past, ...]:
        """What it knows is in one of these."""
        return self.lore.past, *self.taken.values()

    def take(self, course: int, past: Past) -> None:
        """It learns the next of a course, which knows what those before it did."""
        self.taken[course] = past
        self._join(MOST_APART)

    def see(self, course: int, past: Past) -> None:
        """It sees that."""
        self.seen[course] = past
        self._join(MOST_APART)

    def whole(self) -> Lore:
        """All of it, with what was to be joined."""
        self._join(0)
        return self.lore

    def _join(self, most: int) -> None:
        for apart, joined in ((self.taken, self.lore.past), (self.seen, self.lore.seen)):
            if len(apart) > most:
                for past in apart.values():
                    joined.learn(past)
                apart.clear()


@dataclass(frozen=True)
class Left:
    """What a lane of a block left at an element for all, and `nearby` for its block.

    `course` is the same number as long as each who leaves something knows what was left there before.
    """

    past: Past
    nearby: Past
    block: int
    course: int
