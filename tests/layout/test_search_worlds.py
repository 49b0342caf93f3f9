"""The decisions and searches below the algebra against enumeration: linear runs, carries, equations, inverses."""

from __future__ import annotations

from itertools import product

import pytest
from oracle import has_left_inverse, is_injective, table

import tilewright as tw
from tilewright import Layout, LayoutError
from tilewright.layout.algebra.bends import carry, linear_run
from tilewright.layout.algebra.complement import reach_of
from tilewright.layout.algebra.exact import SumOfFloors
from tilewright.layout.algebra.integer_solve import solve

PARTS = [
    ([2, 3, 2], (1, 3, 2)),
    ([2, 2, 2], (1, 4, 3)),
    ([2, 3, 4], (2, 1, 6)),
    ([3, 2, 2], (1, 0, 5)),
    ([4, 2], (1, 3)),
]
CHAINS = [*([part] for part in PARTS), *([a, b] for a, b in product(PARTS[:4], repeat=2))]


def test_a_run_ends_where_the_function_stops_being_linear():
    for modes, extent in product(CHAINS, (1, 2, 3, 7, 12)):
        floors = SumOfFloors(modes)
        for step in product(range(8), repeat=len(modes)):
            unit = floors.value(step)
            values = [floors.value(tuple(i * x for x in step)) for i in range(extent)]
            linear = next((i for i, value in enumerate(values) if value != i * unit), extent)
            assert linear_run(floors.bends, extent, step) == linear, (modes, step, extent)


CANCELLING = [([6, 3], [2, -1]), ([6, 6], [-2, 1])]  # carries at the likely points cancel, elsewhere they do not
SUMS = [
    *((chain, (3, 4), range(0, 7, 2), range(5)) for chain in [chain for chain in CHAINS if len(chain) == 2][::2]),
    (CANCELLING, (5, 7), (3, 5), (3, 9)),
]


@pytest.mark.parametrize(("modes", "counts", "firsts", "seconds"), SUMS, ids=str)
def test_points_of_several_parts_add_up_or_a_witness_says_where_not(modes, counts, firsts, seconds):
    floors = SumOfFloors(modes)

    def value(i, a, j, b):
        return floors.value(tuple(i * x + j * y for x, y in zip(a, b, strict=True)))

    for a, b in product(product(firsts, seconds), product((1, 3, 6), (0, 1, 3, 4))):
        found = carry(floors.bends, [(counts[0], a), (counts[1], b)])
        broken = {
            (i, j)
            for i, j in product(*map(range, counts))
            if value(i, a, j, b) != value(i, a, 0, b) + value(0, a, j, b)
        }
        assert found in broken if broken else found is None, (modes, a, b)


def test_equations_are_solved_wherever_they_can_be():
    entries, triples = (-2, 0, 1, 3), [(1, 3, -2), (2, 4, 6), (0, 2, 3), (4, -2, 2), (3, 3, 1), (0, 0, 2)]
    for rows in [*product(product(entries, repeat=2), repeat=2), *product(triples, repeat=2)]:
        reached = {
            tuple(sum(a * b for a, b in zip(row, x, strict=True)) for row in rows)
            for x in product(range(-2, 3), repeat=len(rows[0]))
        }
        for targets in product((-2, 0, 1, 3), (0, 1, 4)):
            found = solve(rows, targets)
            if found is None:
                assert targets not in reached, (rows, targets)
            else:
                assert tuple(sum(a * b for a, b in zip(row, found, strict=True)) for row in rows) == targets


NEGATIVE = [
    Layout(shape, strides)
    for shape, strides in product(((2, 3), (4, 2), (3, 3)), product((-3, -2, -1, 1, 2, 3, 4), repeat=2))
    if min(strides) < 0
]


def test_a_right_inverse_of_negative_strides_is_the_longest():
    for layout in NEGATIVE:
        found = tw.right_inverse(layout)
        assert [layout(found(i)) for i in range(found.size)] == list(range(found.size))
        broadcast = tw.right_inverse(Layout((*layout.shape, 2), (*layout.stride, 0)))
        assert broadcast.size >= found.size
        values = table(layout)
        if is_injective(layout):
            where = [values.index(i) for i in range(next(i for i in range(len(values) + 1) if i not in values))]
            longest = max(n for n in range(1, len(where) + 1) if _is_a_layout(where[:n]))
            assert found.size == longest, layout


def _is_a_layout(values):
    """Is there a layout of these values?"""
    if len(values) == 1:
        return values[0] == 0
    run = next((i for i, v in enumerate(values) if v != i * values[1]), len(values))
    if len(values) % run:
        return False
    blocks = [values[i : i + run] for i in range(0, len(values), run)]
    return all(v == block[0] + k * values[1] for block in blocks for k, v in enumerate(block)) and (
        len(blocks) == 1 or _is_a_layout([block[0] for block in blocks])
    )


def test_a_left_inverse_is_found_wherever_there_is_one():
    shapes = [(2, 2), (3, 2), (2, 2, 2)]
    layouts = [Layout(s, d) for s in shapes for d in product((1, 2, 3, 5, 7), repeat=len(s))]
    for layout in layouts:
        try:
            found = tw.left_inverse(layout)
        except LayoutError:
            assert not (is_injective(layout) and has_left_inverse(layout)), layout
            continue
        values = table(layout)
        if is_injective(layout):
            assert [found(v) for v in values] == list(range(len(values))), layout
        else:
            assert [layout(found(v)) for v in values] == values, layout


def test_the_reach_is_the_end_of_the_outermost_mode():
    for shape, strides in product(product((1, 2, 3, 4), repeat=2), product((0, 1, 2, 6, 9), repeat=2)):
        layout = Layout(shape, strides)
        ends = [(d, s * d) for s, d in layout.flat if s > 1 and d]
        if len({d for d, _ in ends}) == len(ends):
            assert reach_of(layout) == max(ends, default=(0, 1))[1], layout
    assert reach_of(Layout((1, 1))) == 1
