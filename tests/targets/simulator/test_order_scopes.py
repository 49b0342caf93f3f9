"""Who learns of whom by flags and fences, of every scope: PTX's rule, told with sets of events instead of clocks."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import product

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import RaceError
from tilewright.script import tirx as T
from tilewright.targets.simulator.order.beyond import Sync
from tilewright.targets.simulator.order.clocks import Clocks
from tilewright.targets.simulator.order.ordered import fence, synchronise
from tilewright.targets.simulator.order.past import NOTHING, Past
from tilewright.targets.simulator.order.present import Present, actor_of
from tilewright.targets.simulator.order.scopes import Scope
from tilewright.targets.simulator.order.shadow import Shadow

LANES, WARPS, BLOCKS, CLUSTER = 2, 2, 4, 2
BLOCK = LANES * WARPS
ACTORS = BLOCKS * BLOCK
WORDS = {Scope.BLOCK: "cta", Scope.CLUSTER: "cluster", Scope.ALL: "gpu"}
SIZES = {Scope.BLOCK: BLOCK, Scope.CLUSTER: BLOCK * CLUSTER, Scope.ALL: ACTORS}


def together(one: int, other: int, scope: Scope) -> bool:
    return one // SIZES[scope] == other // SIZES[scope]


@dataclass
class Machine:
    """The simulator's clocks, an action of one lane at a time."""

    clocks: Clocks = field(default_factory=lambda: Clocks(np.arange(BLOCKS), WARPS, LANES, cluster=CLUSTER))

    def lane(self, lane: int) -> Present:
        return Present(self.clocks, np.array([lane]))

    def write(self, lane: int) -> int:
        return int(self.lane(lane).epoch[0])

    def sync(self, lane: int, place: int, sync: Sync) -> None:
        synchronise(self.lane(lane), 0, np.array([place]), sync)

    def fence(self, lane: int, scope: Scope) -> None:
        fence(self.lane(lane), scope)

    def meet_warp(self, warp: int) -> None:
        self.clocks.meet_warps(np.arange(BLOCKS * WARPS).reshape(BLOCKS, WARPS) == warp)

    def meet_block(self, block: int) -> None:
        self.clocks.meet_blocks(np.arange(BLOCKS) == block)

    def knows(self, lane: int, epoch: int) -> bool:
        return bool(self.lane(lane).after(np.array([epoch]))[0])


GIVES = [(scope, scope, scope) for scope in Scope] + [(None, one, two) for one, two in product(Scope, Scope)]


@pytest.mark.parametrize("distance", Scope)
def test_each_scope_must_reach_the_other(distance: Scope) -> None:
    """A flag of its own scope, released and acquired by itself or by a fence: each scope is as wide as it is far."""
    reader = {Scope.BLOCK: LANES, Scope.CLUSTER: BLOCK, Scope.ALL: BLOCK * CLUSTER}[distance]
    for (released, fenced, stored), (acquired, after, loaded) in product(GIVES, GIVES):
        machine = Machine()
        written = machine.write(0)
        if released is None:
            machine.fence(0, fenced)
        machine.sync(0, 0, Sync.of("release" if released is not None else "relaxed", WORDS[stored], changes=False))
        machine.sync(reader, 0, Sync.of("acquire" if acquired is not None else "relaxed", WORDS[loaded], writes=False))
        if acquired is None:
            machine.fence(reader, after)
        wide = min(scope for scope in (fenced, stored, after, loaded)) >= distance
        assert machine.knows(reader, written) == wide, (released, fenced, stored, acquired, after, loaded)


Events = frozenset[int]
Step = tuple[str | int, int, Scope | Sync]


def by_scope() -> list[dict[Scope, set[int]]]:
    return [{scope: set() for scope in Scope} for _ in range(ACTORS)]


@dataclass
class World:
    """The same with sets: which events each lane knows, has fenced for whom, and has seen of whom."""

    knows: list[set[int]] = field(default_factory=lambda: [set() for _ in range(ACTORS)])
    fenced: list[dict[Scope, set[int]]] = field(default_factory=by_scope)
    seen: list[dict[Scope, set[int]]] = field(default_factory=by_scope)
    left: dict[int, tuple[int, Scope, list[tuple[int, Scope, Events]]]] = field(default_factory=dict)

    def sync(self, lane: int, place: int, sync: Sync) -> None:
        writer, scope, parts = self.left.get(place, (-1, Scope.BLOCK, []))
        strong = writer >= 0 and together(writer, lane, scope) and together(writer, lane, sync.scope)
        heard = [(who, events) for who, meant, events in parts if strong and together(who, lane, meant)]
        if sync.reads:
            for who, events in heard:
                for reach in Scope:
                    if together(who, lane, reach):
                        into = self.knows[lane] if sync.acquires and reach <= sync.scope else self.seen[lane][reach]
                        into |= events
        if sync.writes:
            kept = parts if sync.changes and strong else []
            mine = [(lane, reach, frozenset(self.fenced[lane][reach])) for reach in Scope]
            if sync.releases:
                mine.append((lane, sync.scope, frozenset(self.knows[lane])))
            self.left[place] = lane, sync.scope, kept + mine

    def fence(self, lane: int, scope: Scope) -> None:
        for reach in Scope:
            if reach <= scope:
                self.knows[lane] |= self.seen[lane][reach]
        for reach in Scope:
            if reach <= scope:
                self.fenced[lane][reach] |= self.knows[lane]

    def meet(self, lanes: range) -> None:
        for sets in (self.knows, *([told[s] for told in of] for of in (self.fenced, self.seen) for s in Scope)):
            union = set().union(*(sets[lane] for lane in lanes))
            for lane in lanes:
                sets[lane] |= union


ORDERS = ("relaxed", "acquire", "release", "acq_rel")


def drawn(rng: random.Random, lanes: list[int]) -> Step:
    """A step of one of these lanes, or of a warp or a block of theirs."""
    lane, scope = rng.choice(lanes), rng.choice(list(Scope))
    kind = rng.choices(("write", "sync", "fence", "warp", "block"), (3, 8, 3, 1, 1))[0]
    if kind != "sync":
        return kind, lane, scope
    order = rng.choice(ORDERS)
    writes, changes = {"acquire": rng.choice([(False, False), (True, True)]), "acq_rel": (True, True)}.get(
        order, rng.choice([(True, False), (True, True)] + [(False, False)] * (order == "relaxed"))
    )
    return rng.randrange(2), lane, Sync.of(order, WORDS[scope], writes, changes)


def test_clocks_know_what_sets_know() -> None:
    """Of few lanes, near and far, at two elements."""
    for seed in range(400):
        machine, world, epochs = played(random.Random(seed))
        for lane in range(ACTORS):
            known = {number for number, epoch in enumerate(epochs) if machine.knows(lane, epoch)}
            assert known == world.knows[lane], (seed, lane)


def played(rng: random.Random) -> tuple[Machine, World, list[int]]:
    """A random program, done by both; and the epochs of its events."""
    lanes = [*rng.sample(range(ACTORS), 3), 0, 1, LANES]
    machine, world, epochs = Machine(), World(), list[int]()
    for _ in range(rng.randrange(4, 60)):
        match drawn(rng, lanes):
            case ("write", lane, _):
                epochs.append(machine.write(lane))
                world.knows[lane].add(len(epochs) - 1)
                machine.clocks.step()
            case (int(place), lane, Sync() as sync):
                machine.sync(lane, place, sync)
                world.sync(lane, place, sync)
            case ("fence", lane, Scope() as scope):
                machine.fence(lane, scope)
                world.fence(lane, scope)
            case ("warp", lane, _):
                machine.meet_warp(lane // LANES)
                world.meet(range(lane // LANES * LANES, (lane // LANES + 1) * LANES))
            case ("block", lane, _):
                machine.meet_block(lane // BLOCK)
                world.meet(range(lane // BLOCK * BLOCK, (lane // BLOCK + 1) * BLOCK))
    return machine, world, epochs


def test_a_past_knows_what_its_parts_know() -> None:
    """However deep they lie; and nothing is lost where what was left later takes the place of what was left before."""
    past = NOTHING
    for lane in range(500):
        past |= Past(lanes={lane: lane + 1, lane + 1: 1}).left_by(lane, lane + 1)
    assert all(past.knows(lane, 1, lane + 1) and not past.knows(lane, 1, lane + 2) for lane in range(500))
    first = Past({}, {1: 5}).left_by(1, 5)
    second = (first | Past({}, {2: 6})).left_by(2, 6)
    heard = Past({}, {3: 7}) | first | second
    assert all(heard.knows(lane, 1, when) for lane, when in ((1, 5), (2, 6), (3, 7)))


def test_accesses_race_where_the_scope_of_one_leaves_out_the_other() -> None:
    """Changes with all, reads with changes, only where neither lies before the other; whichever scope was narrow."""
    for seed in range(200):
        rng = random.Random(seed)
        machine, world, shadow = Machine(), World(), Shadow(2, BLOCK, edges=True, scoped=True)
        lanes, done = [*rng.sample(range(ACTORS), 3), 0, 1, BLOCK], list[tuple[int, int, Scope, bool]]()
        for _ in range(rng.randrange(2, 20)):
            lane, scope, element = rng.choice(lanes), rng.choice(list(Scope)), rng.randrange(2)
            if rng.random() < 0.3:
                sync = Sync.of(rng.choice(("acquire", "release", "acq_rel")), WORDS[scope])
                machine.sync(lane, element, sync)
                world.sync(lane, element, sync)
                continue
            writes = rng.random() < 0.6
            told = shadow.reaching(np.array([element]), machine.lane(lane), scope, writes)
            rivals = {
                changed: [
                    who
                    for number, (who, where, its, wrote) in enumerate(done)
                    if where == element and wrote == changed and (writes or wrote)
                    if number not in world.knows[lane] and not together(lane, who, min(its, scope))
                ]
                for changed in (True, False)
            }
            for found, changed in zip(told, (True, False), strict=True):
                assert (found is not None) == bool(rivals[changed]), seed
                assert found is None or actor_of(found)[0] in rivals[changed], seed
            world.knows[lane].add(len(done))
            done.append((lane, element, scope, writes))
            machine.clocks.step()


COUNTED = [("cta", 1, True), ("cta", 2, False), ("cluster", 1, True), ("cluster", 2, True), ("gpu", 4, True)]


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize(("scope", "blocks", "right"), COUNTED)
def test_blocks_count_together_within_their_scope_only(scope: str, blocks: int, right: bool, first: bool) -> None:
    """So many blocks, clusters of two, count at one element; one of them for all, before the others or behind them."""
    count = f"red.relaxed.{scope}.global.add.s32"

    @T.prim_func
    def kernel(A: T.Buffer((4,), "int32")) -> None:
        T.device_entry()
        bx = T.cta_id([4])
        T.cta_id_in_cluster([2])
        T.thread_id([32])
        if bx < blocks:
            if first and bx == 0:
                T.cuda.atomic_add(T.address_of(A[0]), 1)
            (T.ptx[count])(A.ptr_to([0]), 1)
            if bx == 0 and not first:
                T.cuda.atomic_add(T.address_of(A[0]), 1)

    found = np.zeros(4, np.int32)
    if right:
        tw.compile(kernel, target="simulator:sm_90a")(found)
        assert found[0] == 32 * (blocks + 1)
    else:
        with pytest.raises(RaceError, match="scope of one leaves out the other"):
            tw.compile(kernel, target="simulator:sm_90a")(found)


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize("scope", ["cta", "gpu"])
def test_whoever_else_of_the_block_came_between(scope: str, asks: bool) -> None:
    """A block changes an element for all, one lane of another, too; then its neighbour changes or reads it."""
    count, look = f"red.relaxed.{scope}.global.add.u32", f"ld.relaxed.{scope}.global.u32"

    @T.prim_func
    def kernel(F: T.Buffer((4,), "uint32"), B: T.Buffer((4,), "uint32")) -> None:
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([2])
        if t == 1:
            T.cuda.atomic_add(T.address_of(F[0]), 1)
        if bx == 1 and t == 0:
            if asks:
                f: T.uint32 = 0
                (T.ptx[look])(f, F.ptr_to([0]))
                B[0] = f * T.uint32(0)
            else:
                (T.ptx[count])(F.ptr_to([0]), 1)

    given = np.zeros(4, np.uint32), np.zeros(4, np.uint32)
    if scope == "gpu":
        tw.compile(kernel)(*given)
        assert given[0][0] == 3 - asks
    else:
        with pytest.raises(RaceError, match=r"block \(0,0,0\) thread \(1,0,0\) .* scope of one leaves out the other"):
            tw.compile(kernel)(*given)
