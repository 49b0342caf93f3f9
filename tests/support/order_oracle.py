"""What comes before what in a kernel of `order_programs`, by PTX's memory model: sets of events, thread by thread.

Two accesses of one element race where one of them writes, neither happens before the other, and they are not both
atomic with scopes that reach each other. What happens before is what a thread knows: all that it did, what those did
whom it met at a barrier, what was released to an acquire of its, and copies for which it has waited. Knows nothing of
the simulator, shares no code with it, and asks every pair.

Beyond PTX's words fences count for whoever meets the fencing thread at a barrier, as docs/simulator.md says.

Source: PTX ISA, "Memory Consistency Model": release and acquire patterns, causality order, data races; `barrier`,
`mbarrier` and `cp.async`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from order_programs import BLOCKS, LANES, THREADS, Program, Statement

ACTORS = BLOCKS * THREADS
CTA, GPU = range(2)
SCOPES = {"cta": CTA, "gpu": GPU}
Events = int  # a set of events, a bit each


@dataclass(frozen=True)
class Access:
    """One access: who, which event it is, what came before it, and its scope where it is atomic."""

    actor: int
    event: int
    past: Events
    writes: bool
    scope: int | None


@dataclass
class Thread:
    """What a thread knows, what it has fenced for whom, and what it has seen that a fence of that scope acquires."""

    at: int = 0
    come: bool = False
    knows: Events = 0
    fenced: list[Events] = field(default_factory=lambda: [0, 0])
    seen: list[Events] = field(default_factory=lambda: [0, 0])
    read: Events = 0
    handed: Events = 0  # reads before a shuffle of its warp
    copies: Events = 0
    committed: Events = 0

    def hears(self, other: Thread) -> None:
        """What the other has, it has too."""
        self.knows |= other.knows
        for scope in (CTA, GPU):
            self.fenced[scope] |= other.fenced[scope]
            self.seen[scope] |= other.seen[scope]


@dataclass
class Numbered:
    """A numbered barrier: who came, by events: to the open phase, the last one of several warps, those of one since."""

    expected: int = 0
    open: list[tuple[int, Events, bool]] = field(default_factory=list)
    last: list[tuple[int, Events]] = field(default_factory=list)
    single: list[tuple[int, Events]] = field(default_factory=list)
    given: Thread = field(default_factory=Thread)


@dataclass
class Word:
    """An mbarrier in its first phase."""

    come: int = 0
    given: Thread = field(default_factory=Thread)


def together(one: int, other: int, scope: int) -> bool:
    """Does the scope of each reach the other?"""
    return scope == GPU or one // THREADS == other // THREADS


class World:
    """A run of a program, in the order of threads: what it finds holds in every order, or `unsure` is set."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.threads = [Thread() for _ in range(ACTORS)]
        self.events = 0
        self.accesses: dict[tuple[str, int, int], list[Access]] = {}
        self.races: set[tuple[str, int, frozenset[int]]] = set()  # memory, element, who
        self.hazards: list[str] = []
        self.unsure = False
        self.flags: dict[int, list[tuple[int, int, list[tuple[int, Events]]]]] = {}
        self.words: dict[tuple[int, int], Word] = {}
        self.numbered: dict[tuple[int, int], Numbered] = {}

    def run(self) -> World:
        """Threads go on, one after the other, until all have ended, or nobody can, or a barrier's phases are chance."""
        while not self.hazards and any(thread.at < len(self.program.statements) for thread in self.threads):
            moved = False
            for actor in range(ACTORS):
                while not self.hazards and self.step(actor):
                    moved = True
            if not (moved or self.meet() or self.hazards):
                self.hazards.append("deadlock")
        return self

    def event(self) -> Events:
        """A new one."""
        self.events += 1
        return 1 << self.events

    def step(self, actor: int) -> bool:
        """The thread does its next statement; False where it has to wait, or has none."""
        me = self.threads[actor]
        if me.come or me.at == len(self.program.statements):
            return False
        statement, (block, thread) = self.program.statements[me.at], divmod(actor, THREADS)
        if statement.does(block, thread) and not self.do(statement, actor):
            return False
        me.at += 1
        return True

    def do(self, one: Statement, actor: int) -> bool:
        """Does it; False where the thread waits."""
        me, (block, thread) = self.threads[actor], divmod(actor, THREADS)
        match one.kind:
            case "store" | "load":
                self.access(one.memory, one.at(block, thread), actor, one.kind == "store")
            case "add":
                self.add(one, actor)
            case "spin":
                return self.spin(one, actor)
            case "fence":
                for scope in range(SCOPES[one.scope] + 1):
                    me.knows |= me.seen[scope]
                for scope in range(SCOPES[one.scope] + 1):
                    me.fenced[scope] |= me.knows
            case "copy":
                self.copy(one, actor)
            case "commit":
                me.committed = me.copies
            case "copies":
                me.knows |= me.committed
            case "arrive":
                word = self.word(block, one.number)
                word.given.hears(me)
                word.come += 1
            case "copies arrive":
                word = self.word(block, one.number)
                word.given.knows |= me.copies
                word.come += 1
            case "wait":
                word = self.word(block, one.number)
                if word.come < self.program.arrivals(one.number, block):
                    return False
                me.hears(word.given)
            case _:
                me.come = True
                return False
        return True

    def word(self, block: int, number: int) -> Word:
        """An mbarrier."""
        return self.words.setdefault((block, number), Word())

    # ---- accesses

    def access(self, memory: str, element: int, actor: int, writes: bool, scope: int | None = None) -> None:
        """A thread accesses an element."""
        me = self.threads[actor]
        event = self.check(memory, element, actor, writes, scope)
        me.knows |= event
        if not writes and scope is None:
            me.read |= event

    def copy(self, one: Statement, actor: int) -> None:
        """A copy begins: it knows what its thread does, which does not know of it."""
        block, thread = divmod(actor, THREADS)
        for memory, element, writes in (("A", actor, False), (one.memory, one.at(block, thread), True)):
            self.threads[actor].copies |= self.check(memory, element, actor, writes, None)

    def check(self, memory: str, element: int, actor: int, writes: bool, scope: int | None) -> Events:
        """The event of an access, which is compared with all before."""
        me, event = self.threads[actor], self.event()
        place = memory, actor // THREADS if memory == "S" else 0, element
        known = me.knows
        for other in reversed(self.accesses.setdefault(place, [])):  # who knows of a copy knows what it has overwritten
            known |= other.past if known & other.event else 0
        for other in self.accesses[place]:
            if not (writes or other.writes):
                continue
            strong = scope is not None and other.scope is not None
            strong = strong and together(actor, other.actor, min(scope or 0, other.scope or 0))
            before = known & other.event or (writes and me.handed & other.event)
            if not (before or strong):
                self.races.add((memory, element, frozenset((actor, other.actor))))
            elif scope is not None and not strong:
                self.unsure = True  # what a read of it sees of those before hangs on who comes between
        self.accesses[place].append(Access(actor, event, me.knows, writes, scope))
        return event

    # ---- flags

    def add(self, one: Statement, actor: int) -> None:
        """A change of a flag, with what it releases: of whom, and for whom."""
        me, scope = self.threads[actor], SCOPES[one.scope]
        self.access("F", one.number, actor, True, scope)
        told = [(reach, me.fenced[reach]) for reach in (CTA, GPU)]
        told += [(scope, me.knows)] if one.order == "release" else []
        self.flags.setdefault(one.number, []).append((actor, scope, told))

    def spin(self, one: Statement, actor: int) -> bool:
        """A loop ends when all changes are there."""
        me, scope, changes = self.threads[actor], SCOPES[one.scope], self.flags.get(one.number, [])
        if len(changes) < len(list(self.program.doing("add", number=one.number))):
            return False
        if not changes:  # it asks for 0, and does not ask
            return True
        self.access("F", one.number, actor, False, scope)
        for who, its, told in changes:
            for reach, events in told if together(who, actor, min(scope, its)) else ():
                if together(who, actor, reach):
                    for mine in (CTA, GPU):
                        if together(who, actor, mine) and one.order == "acquire" and mine <= scope:
                            me.knows |= events
                        elif together(who, actor, mine):
                            me.seen[mine] |= events
        return True

    # ---- meetings

    def meet(self) -> bool:
        """Groups of threads that have come to one place as a whole go on; are there any?"""
        moved = False
        for first in range(0, ACTORS, LANES):
            warp = range(first, first + LANES)
            if (one := self.place_of(warp)) is not None and one.kind != "cta":
                moved |= self.meet_warp(one, warp)
        for first in range(0, ACTORS, THREADS):
            block = range(first, first + THREADS)
            if (one := self.place_of(block)) is not None and one.kind == "cta":
                self.join(block)
                moved = True
        return moved

    def place_of(self, group: range) -> Statement | None:
        """Where all of the group have come."""
        places = {self.threads[actor].at if self.threads[actor].come else -1 for actor in group}
        return self.program.statements[places.pop()] if len(places) == 1 and -1 not in places else None

    def go_on(self, group: range) -> None:
        """They have waited."""
        for actor in group:
            self.threads[actor].at += 1
            self.threads[actor].come = False

    def join(self, group: range) -> None:
        """They know what each of them knows, and go on."""
        whole = self.gathered(group)
        for actor in group:
            self.threads[actor].hears(whole)
        self.go_on(group)

    def gathered(self, group: range) -> Thread:
        """What they have together."""
        whole = Thread()
        for actor in group:
            whole.hears(self.threads[actor])
        return whole

    def meet_warp(self, one: Statement, warp: range) -> bool:
        """A whole warp has come to a barrier, or to a shuffle."""
        if one.kind == "warp":
            self.join(warp)
        elif one.kind == "shuffle":
            read = 0
            for actor in warp:
                read |= self.threads[actor].read
            for actor in warp:
                self.threads[actor].handed |= read
            self.go_on(warp)
        else:
            return self.come_by_number(one, warp)
        return True

    def come_by_number(self, one: Statement, warp: range) -> bool:
        """A warp comes to a numbered barrier, once; False where it has come before and still waits."""
        barrier = self.numbered.setdefault((warp.start // THREADS, one.number), Numbered())
        if any(who == warp.start for who, _, waits in barrier.open if waits):
            return False
        whole, several = self.gathered(warp), one.threads > LANES
        due = [*barrier.last, *(barrier.single if several else [])]
        if any(who != warp.start and not whole.knows & event for who, event in due):
            self.hazards.append(f"two groups at barrier {one.number}")
        if barrier.open and barrier.expected != one.threads:
            self.hazards.append(f"two counts at barrier {one.number}")
        event = self.event()
        for actor in warp:
            self.threads[actor].knows |= event
        whole.knows |= event
        barrier.given.hears(whole)
        barrier.expected = one.threads
        barrier.open.append((warp.start, event, one.kind == "bar sync"))
        if one.kind == "bar arrive":
            self.go_on(warp)
        if len(barrier.open) * LANES >= one.threads:
            self.complete(barrier, several)
        return True

    def complete(self, barrier: Numbered, several: bool) -> None:
        """As many have come as are expected."""
        came = [(who, event) for who, event, _ in barrier.open]
        for who, _, waits in barrier.open:
            if waits:
                for actor in range(who, who + LANES):
                    self.threads[actor].hears(barrier.given)
                self.go_on(range(who, who + LANES))
        barrier.last, barrier.single = (came, []) if several else (barrier.last, [*barrier.single, *came])
        barrier.open, barrier.given = [], Thread()
