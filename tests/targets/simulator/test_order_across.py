"""What passes from block to block at mbarriers and at barriers of clusters: what was done, learnt and fenced."""

from __future__ import annotations

import numpy as np

from tilewright.targets.simulator.order.across import hear, meet_clusters, told, told_by_fences
from tilewright.targets.simulator.order.beyond import Handing, Sync
from tilewright.targets.simulator.order.clocks import Clocks
from tilewright.targets.simulator.order.handed import Handed
from tilewright.targets.simulator.order.ordered import fence, synchronise
from tilewright.targets.simulator.order.past import NOTHING, Past
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.order.scopes import Scope

LANES, WARPS = 2, 2
BLOCK = LANES * WARPS
NUMBERS = (4, 5, 8)  # of the blocks in rows 0, 1 and 2; 4 and 5 are a cluster
RELEASE, ACQUIRE = Sync.of("release", "gpu", changes=False), Sync.of("acquire", "gpu", writes=False)


class Machine:
    """Lanes by row and number."""

    def __init__(self) -> None:
        self.clocks = Clocks(np.array(NUMBERS), WARPS, LANES, cluster=2)

    def lane(self, row: int, lane: int) -> Present:
        return Present(self.clocks, np.array([NUMBERS[row] * BLOCK + lane]))

    def write(self, row: int, lane: int) -> int:
        epoch = int(self.lane(row, lane).epoch[0])
        self.clocks.step()
        return epoch

    def flag(self, row: int, lane: int, sync: Sync) -> None:
        synchronise(self.lane(row, lane), 0, np.array([0]), sync)

    def knows(self, row: int, lane: int, epoch: int) -> bool:
        return bool(self.lane(row, lane).after(np.array([epoch]))[0])

    def arrive(self, row: int, lane: int, relaxed: bool = False) -> Handing:
        rows, lanes = np.array([row]), np.arange(BLOCK)[None] == lane
        return (told_by_fences if relaxed else told)(self.clocks, rows, lanes)[1][0]

    def wait(self, row: int, lane: int, past: Handing) -> None:
        hear(self.clocks, np.array([row]), np.arange(BLOCK)[None] == lane, [past])


def test_who_arrives_tells_what_it_did_and_what_it_learnt() -> None:
    machine = Machine()
    far = machine.write(2, 1)
    machine.flag(2, 1, RELEASE)
    machine.flag(0, 3, ACQUIRE)
    near = machine.write(0, 3)
    machine.wait(1, 0, machine.arrive(0, 3))
    assert machine.knows(1, 0, far)
    assert machine.knows(1, 0, near)
    assert not machine.knows(1, 1, near)
    assert not machine.knows(1, 0, machine.write(0, 3))


def test_who_arrives_relaxed_tells_what_it_fenced_for_the_cluster() -> None:
    for scope in Scope:
        machine = Machine()
        before = machine.write(0, 3)
        fence(machine.lane(0, 3), scope)
        after = machine.write(0, 3)
        machine.wait(1, 0, machine.arrive(0, 3, relaxed=True))
        assert machine.knows(1, 0, before) == (scope >= Scope.CLUSTER)
        assert not machine.knows(1, 0, after)


def test_a_cluster_that_meets_knows_what_each_of_it_did_and_learnt() -> None:
    machine = Machine()
    far = machine.write(2, 1)
    machine.flag(2, 1, RELEASE)
    machine.flag(0, 3, ACQUIRE)
    near = machine.write(0, 2)
    meet_clusters(machine.clocks, np.array([True, True, False]), 2)
    assert all(machine.knows(row, lane, epoch) for row in (0, 1) for lane in range(BLOCK) for epoch in (far, near))
    assert not machine.knows(2, 0, near)


def test_a_narrower_fence_takes_nothing_from_what_a_wider_one_held() -> None:
    machine = Machine()
    first = machine.write(0, 0)
    fence(machine.lane(0, 0), Scope.ALL)
    second = machine.write(0, 0)
    fence(machine.lane(0, 0), Scope.BLOCK)
    machine.flag(0, 0, Sync.of("relaxed", "gpu", changes=False))
    for row, lane in ((2, 0), (0, LANES)):
        machine.flag(row, lane, ACQUIRE)
    assert machine.knows(2, 0, first)
    assert not machine.knows(2, 0, second)
    assert machine.knows(0, LANES, second)


def test_a_warp_keeps_what_it_had_when_it_is_told_more() -> None:
    handed = Handed(LANES, NOTHING)
    handed.teach(0, Past({7: 3}))
    handed.teach(0, Past({9: 4}))
    assert all(handed.of(0).knows(warp * LANES, LANES, when) for warp, when in ((7, 3), (9, 4)))
