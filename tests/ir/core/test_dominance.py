"""Dominance against its definition: a dominates b when b cannot be reached once a is taken away."""

from __future__ import annotations

from cpu import within
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects import test
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Block, Operation, Region

from tilewright.ir.core.dominance import Dominance, Visibility


def region_of(edges: list[list[int]]) -> Region:
    blocks = [Block() for _ in edges]
    for block, targets in zip(blocks, edges, strict=True):
        block.add_op(test.TestTermOp(successors=[blocks[target % len(blocks)] for target in targets]))
    return Region(blocks)


def reachable(region: Region, without: Block | None = None) -> set[Block]:
    found, waiting = set[Block](), [region.blocks[0]]
    while waiting:
        block = waiting.pop()
        if block is not without and block not in found:
            found.add(block)
            waiting += block.last_op.successors if block.last_op else ()
    return found


@given(st.lists(st.lists(st.integers(0, 11), max_size=3), min_size=1, max_size=12))
def test_dominance_is_that_no_way_leads_around(edges: list[list[int]]) -> None:
    region = region_of(edges)
    dominance, live = Dominance(region), reachable(region)
    for a in region.blocks:
        around = reachable(region, without=a)
        for b in region.blocks:
            assert dominance.dominates(a, b) == (b not in live or b not in around)


@given(st.lists(st.lists(st.integers(0, 5), max_size=2), min_size=1, max_size=6), st.integers(0, 5), st.integers(0, 5))
def test_values_are_seen_where_their_block_dominates_and_within(edges: list[list[int]], home: int, user: int) -> None:
    region = region_of(edges)
    a, b = (region.blocks[number % len(edges)] for number in (home, user))
    nested = test.TestOp()
    use, value = test.TestOp(regions=[Region(Block([nested]))]), test.TestOp(result_types=[IndexType()])
    _at_start(b, use)
    _at_start(a, value)
    argument = a.insert_arg(IndexType(), 0)
    visible, sees = Visibility(test.TestOp(regions=[region])), Dominance(region).dominates(a, b)
    for op in (use, nested):
        assert visible.reaches(argument, op) == visible.reaches(value.results[0], op) == sees
    assert not visible.reaches(value.results[0], value)
    assert visible.reaches(argument, value)


def _at_start(block: Block, op: Operation) -> None:
    assert block.first_op is not None
    block.insert_op_before(op, block.first_op)


def test_many_blocks_are_soon_done() -> None:
    """Two chains whose blocks all lead to one end, which an iteration over dominators walks again and again."""
    n = 8000
    chain = [[i + 1, 2 * n + 1] for i in range(1, n)] + [[2 * n + 1]]
    other = [[i + 1, 2 * n + 1] for i in range(n + 1, 2 * n)] + [[2 * n + 1]]
    region = region_of([[1, n + 1], *chain, *other, []])
    with within(1):
        dominance = Dominance(region)
    assert dominance.dominates(region.blocks[1], region.blocks[n])
    assert not dominance.dominates(region.blocks[1], region.blocks[2 * n + 1])
