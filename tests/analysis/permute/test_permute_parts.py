"""What permute schedules are made of: flows within bounds, matchings, ways to share wavefronts out, places."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tilewright.analysis.permute import decompose
from tilewright.analysis.permute.blocks import blocks
from tilewright.analysis.permute.budget import FEW, all_budgets, budgets
from tilewright.analysis.permute.bundles import FREE, matched
from tilewright.analysis.permute.decompose import classes
from tilewright.analysis.permute.exchange import MORE_MOVES, exchange, lower
from tilewright.analysis.permute.flow import Bounds, Ends, subgraph
from tilewright.analysis.permute.matching import colour_edges, matchings
from tilewright.analysis.permute.occupancy import Occupancy
from tilewright.analysis.permute.schedule import permute_schedule
from tilewright.analysis.permute.side import Side
from tilewright.arch import get

SEEDS = st.integers(0, 2**32)
EDGES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=6)


def degrees(edges: Sequence[tuple[int, int]], side: int) -> Counter[int]:
    return Counter(edge[side] for edge in edges)


@given(st.integers(1, 6), st.integers(1, 6), SEEDS)
def test_colours_of_edges(vertices: int, degree: int, seed: int) -> None:
    rng = random.Random(seed)
    ends = [[v for v in range(vertices) for _ in range(degree)] for _ in range(2)]
    rng.shuffle(ends[1])
    edges = list(zip(*ends, strict=True))
    colours = colour_edges(edges, degree)
    for side in (0, 1):
        assert len({(edge[side], colour) for edge, colour in zip(edges, colours, strict=True)}) == len(edges)
    assert set(Counter(colours).values()) == {vertices}


@given(st.integers(1, 6), st.integers(1, 6), st.integers(1, 6), SEEDS)
def test_matchings_spread_every_vertex_evenly(count: int, size: int, vertices: int, seed: int) -> None:
    """König, with the number of edges in each set bounded too (de Werra)."""
    rng = random.Random(seed)
    edges = [(rng.randrange(vertices), rng.randrange(vertices)) for _ in range(rng.randint(1, count * size))]
    found = matchings(edges, count, size)
    assert sorted(edge for part in found for edge in part) == list(range(len(edges)))
    assert len(found) == count
    assert all(len(part) <= size for part in found)
    for side, part in product((0, 1), found):
        of_all, of_part = degrees(edges, side), degrees([edges[i] for i in part], side)
        assert all(of_part[v] <= -(-of_all[v] // count) for v in of_part)


@given(EDGES, st.data())
def test_a_flow_finds_a_subgraph_when_there_is_one(edges: list[tuple[int, int]], data: st.DataObject) -> None:
    """Against all subsets of the edges."""
    bounds = st.tuples(st.integers(0, 2), st.integers(0, 3))
    sides = [{v: data.draw(bounds) for v in sorted(degrees(edges, side))} for side in (0, 1)]
    size = data.draw(st.tuples(st.integers(0, 4), st.integers(0, 6)))

    def within(chosen: Sequence[tuple[int, int]]) -> bool:
        found = [degrees(chosen, side) for side in (0, 1)]
        held = all(low <= found[side][v] <= high for side in (0, 1) for v, (low, high) in sides[side].items())
        return held and size[0] <= len(chosen) <= size[1]

    subsets = product((False, True), repeat=len(edges))
    possible = any(within([edge for edge, taken in zip(edges, subset, strict=True) if taken]) for subset in subsets)
    taken = subgraph(Counter(edges), *sides, size)
    assert (taken is not None) == possible
    if taken is not None:
        assert all(times <= edges.count(edge) for edge, times in taken.items())
        assert within([edge for edge, times in taken.items() for _ in range(times)])


@given(st.integers(1, 5), st.integers(0, 6), st.integers(0, 6))
def test_budgets_share_all_wavefronts_out(groups: int, read: int, write: int) -> None:
    every = all_budgets(groups, groups + read, groups + write)
    some, _ = budgets(groups, groups + read, groups + write)
    assert (every is None) == (read + write > FEW)
    assert every is None or set(some) <= set(every)
    for shares in (some, every or some):
        assert shares
        assert len(set(shares)) == len(shares)
        for budget in shares:
            assert sum(count for _, count in budget) == groups
            sums = [sum(costs[side] * count for costs, count in budget) for side in (0, 1)]
            assert sums == [groups + read, groups + write]
            assert all(min(costs) >= 1 for costs, _ in budget)


def test_all_ways_to_share_out() -> None:
    """As many as there are multisets of pairs."""
    for groups, read, write in product((1, 2, 3), range(4), range(3)):
        pairs = list(product(range(1, read + 2), range(1, write + 2)))
        sums = (groups + read, groups + write)
        every = combinations_with_replacement(pairs, groups)
        count = sum(tuple(map(sum, zip(*costs, strict=True))) == sums for costs in every)
        assert len(all_budgets(groups, *sums) or ()) == count


@given(st.integers(1, 40), st.integers(1, 8), SEEDS)
def test_classes_keep_what_their_budget_promises(count: int, slots: int, seed: int) -> None:
    rng = random.Random(seed)
    edges = [(rng.randrange(slots), rng.randrange(slots)) for _ in range(count)]
    groups = -(-count // 4)
    found = classes(edges, 4, range(groups, groups + 2))
    assert found.least <= sum((m + n) * number for (m, n), number in found.budget)
    assert sum((Counter(part) for part in found.edges), Counter()) == Counter(edges)
    for (costs, number), part in zip(found.budget, found.edges, strict=True):
        chosen = [edge for edge, times in part.items() for _ in range(times)]
        assert len(chosen) <= 4 * number
        for side in (0, 1):
            assert all(degree <= costs[side] * number for degree in degrees(chosen, side).values())


@given(st.lists(st.lists(st.integers(0, 4), unique=True), max_size=5))
def test_as_many_rows_have_seats_as_can(options: list[list[int]]) -> None:
    chosen = matched(options, 5)
    seated = [seat for seat in chosen if seat != FREE]
    assert len(set(seated)) == len(seated)
    assert all(seat == FREE or seat in row for seat, row in zip(chosen, options, strict=True))
    every = product(*[[*row, FREE] for row in options])
    assert len(seated) == max(
        len(taken) for taken in ([s for s in seats if s != FREE] for seats in every) if len(set(taken)) == len(taken)
    )


@given(st.integers(1, 200), st.sampled_from(["sm_90", "gfx942", "gfx950"]), st.sampled_from([4, 8, 16]), SEEDS)
def test_blocks_are_what_both_sides_serve_together(count: int, arch: str, width: int, seed: int) -> None:
    spec, offsets = get(arch), tuple(range(count))
    sides = [Side(offsets, width, spec.rule(kind, width), spec.lanes) for kind in ("load", "store")]
    made = blocks(*sides)
    assert sorted(place for places in made.places for place in places) == [
        (register, lane) for register in range(sides[0].registers) for lane in range(spec.lanes)
    ]
    for block, places in enumerate(made.places):
        for side, turns in zip(sides, made.turns, strict=True):
            register, group = divmod(turns[block], len(side.groups))
            assert all(r == register and lane in side.groups[group] for r, lane in places)
    seats = [block for block, places in enumerate(made.places) for _ in places]
    random.Random(seed).shuffle(seats)
    rows = made.rows(seats[:count], offsets)
    assert sorted(element for row in rows for element in row) == list(range(sides[0].registers * spec.lanes))
    assert made.block_of(rows, count) == seats[:count]


@settings(max_examples=12)
@given(st.integers(1, 70), st.sampled_from(["sm_90", "gfx950"]), st.sampled_from([1, 2, 16]), SEEDS)
def test_costs_are_only_lowered(count: int, arch: str, width: int, seed: int) -> None:
    """And what is counted on the way is what is there at the end: elements, cells, wavefronts, excess."""
    spec, rng = get(arch), random.Random(seed)
    sides = [
        Side(tuple(rng.sample(range(2 * count), count)), width, spec.rule(k, width), spec.lanes)
        for k in ("load", "store")
    ]
    made = blocks(*sides)
    state = Occupancy(sides, made, [[1] * (1 + max(turns)) for turns in made.turns])
    seats = [block for block, places in enumerate(made.places) for _ in places]
    for element, block in enumerate(rng.sample(seats, count)):
        state.enter(element, block)
    exchange(state)
    before = state.wavefronts
    lower(state, 0)
    assert state.wavefronts <= before
    assert state.excess == 0
    again = Occupancy(sides, made, state.allowed)
    for element, block in enumerate(state.block_of):
        again.enter(element, block)
    assert (again.cells, again.filled, again.excess) == (state.cells, state.filled, 0)
    assert state.wavefronts == sum(side.cost(made.rows(state.block_of, sides[0].cells)).wavefronts for side in sides)


def test_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """However hard the question: edges of flows, and elements that are moved."""
    flows: list[int] = []
    moves: list[int] = []
    move = Occupancy.move

    def counted(
        edges: dict[Ends, int], left: Mapping[int, Bounds], right: Mapping[int, Bounds], size: Bounds
    ) -> dict[Ends, int] | None:
        flows.append(len(edges))
        return subgraph(edges, left, right, size)

    def moved(state: Occupancy, element: int, block: int) -> None:
        moves.append(element)
        move(state, element, block)

    monkeypatch.setattr(decompose, "subgraph", counted)
    monkeypatch.setattr(Occupancy, "move", moved)
    rng = random.Random(0)
    for work in (0, 2_000, 10_000):
        edges = [(rng.randrange(8) ** 2 // 4, rng.randrange(8) ** 2 // 4) for _ in range(100)]
        flows.clear()
        classes(edges, 8, range(13, 17), work)
        assert sum(flows) <= work * 5 // 4 + 8 * len(edges)
    for seed in (1, 2):
        source, destination = (random.Random(seed + i).sample(range(900), 300) for i in (0, 9))
        permute_schedule(source, destination, element_bytes=1)
    assert 0 < len(moves) <= 2 * 4 * MORE_MOVES
