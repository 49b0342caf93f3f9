"""`op[mode]` is the operation on one mode, and all other modes stay; called without a mode it is the operation."""

from __future__ import annotations

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tilewright as tw
from tilewright import ComposedLayout, Layout, Swizzle
from tilewright.layout import operations
from tilewright.layout.by_mode import ByMode
from tilewright.layout.operation_table import TABLE

OPERATIONS = [getattr(operations, op.public) for op in TABLE if op.by_mode]
NESTED = Layout(((4, (2, 6)), 8), ((1, (4, 8)), 100))
TILE = Layout(2)
ALONE = {"coalesce", "simplify", "filter", "filter_zeros", "complement"}


def arguments(op: Callable[..., Any]) -> tuple[Layout, ...]:
    return () if op.__name__ in ALONE else (TILE,)


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.__name__)
@pytest.mark.parametrize("path", [(0,), (1,), (0, 1), (0, 1, 1), (-1,)])
def test_one_mode_is_what_the_operation_makes_of_it(op: Any, path: tuple[int, ...]) -> None:
    found = op[path](NESTED, *arguments(op))
    assert tw.get(found, *path) == op(tw.get(NESTED, *path), *arguments(op))
    top = path[0] % 2
    assert found[1 - top] == NESTED[1 - top]
    if len(path) > 1:
        assert found[0][0] == NESTED[0][0]


def test_a_path_is_the_modes_one_after_the_other() -> None:
    divide = tw.logical_divide
    assert divide[0, 1](NESTED, TILE) == divide[0][1](NESTED, TILE) == divide[[0, 1]](NESTED, TILE)


def test_a_mode_is_that_of_a_tiler_with_holes() -> None:
    whole = Layout((8, 12), (12, 1))
    assert tw.composition[1](whole, Layout(3, 2)) == tw.composition(whole, (None, Layout(3, 2)))
    assert tw.logical_divide[0](whole, Layout(4)) == tw.logical_divide(whole, (Layout(4), None))


def test_swizzled_layouts_are_changed_below_the_swizzle() -> None:
    inner = Layout((8, (8, 8)), (64, (1, 8)))
    found = tw.coalesce[1](ComposedLayout(Swizzle(3, 3, 3), 5, inner))
    assert found == ComposedLayout(Swizzle(3, 3, 3), 5, Layout((8, 64), (64, 1)))


def test_tensors_are_seen_through_the_changed_layout() -> None:
    memory = tw.Tensor(np.arange(64), Layout((8, 8), (8, 1)))
    assert tw.logical_divide[0](memory, Layout(2)).layout == tw.logical_divide[0](memory.layout, Layout(2))


def test_steps_are_told() -> None:
    told = tw.explain(tw.coalesce[1], Layout((3, (2, 6)), (1, (3, 6))))
    assert (told.rule, str(told.result), told.steps[0].rule) == ("coalesce[1]", "(3,12):(1,3)", "coalesce")


@pytest.mark.parametrize("op", OPERATIONS, ids=lambda op: op.__name__)
def test_it_is_the_function_in_every_other_way(op: ByMode) -> None:
    plain = next(row.plain for row in TABLE if row.by_mode and row.public == op.__name__)
    assert inspect.signature(op) == inspect.signature(plain)
    assert (op.__doc__, inspect.isroutine(op)) == (plain.__doc__, True)
    assert pickle.loads(pickle.dumps(op)) is op
    assert copy.deepcopy(op) is op
    for part in (op[0], op[0][1]):
        again = pickle.loads(pickle.dumps(part))
        assert again(NESTED, *arguments(op)) == part(NESTED, *arguments(op))
    assert repr(op[0, 1]) == f"<operation {op.__name__}[0, 1]>"


@pytest.mark.parametrize("mode", ["x", 1.5, None, (0, "a"), True])
def test_a_mode_is_a_position(mode: Any) -> None:
    with pytest.raises(tw.LayoutError, match="a mode is a position or a path of positions"):
        tw.coalesce[mode]


def test_a_mode_that_there_is_not_is_refused() -> None:
    with pytest.raises(tw.LayoutError, match="has no mode 2: its rank is 2"):
        tw.coalesce[2](NESTED)


def test_a_position_of_any_length_is_no_mode() -> None:
    with pytest.raises(tw.LayoutError, match="no mode an integer of 19932 bits"):
        tw.coalesce[10**6000](NESTED)
