"""The steps of evaluating are sums that hold, end with what was asked for, and are told of every kind of layout."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright import ComposedLayout, Layout, Swizzle, SymInt
from tilewright.layout.inttuple import leaves
from tilewright.layout.steps import Derivation

NESTED = Layout((4, (2, 6)), (1, (4, 8)))
TILE = ComposedLayout(Swizzle(2, 3, 3), 16, Layout((8, 64), (64, 1)))
OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Mult: operator.mul, ast.Mod: operator.mod, ast.FloorDiv: operator.floordiv,
    ast.BitAnd: operator.and_, ast.BitXor: operator.xor, ast.RShift: operator.rshift, ast.LShift: operator.lshift,
}  # fmt: skip


def worth(node: ast.expr) -> int:
    if isinstance(node, ast.BinOp):
        return OPERATORS[type(node.op)](worth(node.left), worth(node.right))
    return int(ast.literal_eval(node))


def sums(step: Derivation) -> Iterator[tuple[int, int]]:
    """Both sides of every equation in the texts of the steps."""
    for inner in step.steps:
        yield from sums(inner)
        if isinstance(inner.result, str) and " = " in inner.result:
            left, right = inner.result.split(" = ")
            yield worth(ast.parse(left, mode="eval").body), int(right)


def last(step: Derivation) -> int:
    """The number with which the steps end."""
    return int(str(step.steps[-1].result).rpartition("= ")[2])


@given(st.integers(0, 47))
def test_every_equation_holds_and_the_last_gives_the_value(index: int) -> None:
    for coord in (index, tw.idx2crd(index, NESTED.shape), (index % 4, index // 4)):
        told = tw.explain(NESTED, coord)
        assert all(left == right for left, right in sums(told))
        assert last(told) == told.result == NESTED(coord)
        assert str(tw.explain(tw.crd2idx, coord, NESTED.shape, NESTED.stride)).count("\n") == len(told.steps)


def test_a_coordinate_that_ends_early_ends_in_zeros() -> None:
    told = tw.explain(NESTED, (3,))
    assert last(told) == told.result == 3
    assert str(told.steps[0].result) == "(3,(0,0))"


@given(st.integers(0, 7), st.integers(0, 63))
def test_swizzled_layouts_are_told_from_the_inside(row: int, column: int) -> None:
    told = tw.explain(TILE, row, column)
    assert [step.rule for step in told.steps] == ["inner", "offset", "outer"]
    assert told.result == TILE(row, column) == last(told)
    assert list(sums(told))
    assert all(left == right for left, right in sums(told))


@pytest.mark.parametrize("swizzle", [Swizzle(3, 4, 3), Swizzle(2, 4, -3)])
def test_a_swizzle_reads_shifts_and_xors(swizzle: Swizzle) -> None:
    for offset in range(0, 1 << 11, 37):
        told = tw.explain(swizzle, offset)
        assert last(told) == swizzle(offset)
        assert all(left == right for left, right in sums(told))


@given(st.integers(0, 200))
def test_coordinates_are_digits(index: int) -> None:
    told = tw.explain(tw.idx2crd, index, (4, (2, 6)))
    digits = [int(str(step.result).rpartition("= ")[2]) for step in told.steps if "mode" in step.rule]
    assert tuple(digits) == tuple(leaves(tw.idx2crd(index, (4, (2, 6)))))
    assert all(left == right for left, right in sums(told))
    counted = tw.explain(NESTED.idx2crd, index).steps
    assert tuple(int(str(step.result).rpartition("= ")[2]) for step in counted) == tuple(leaves(NESTED.idx2crd(index)))


def test_recasts_say_what_becomes_of_each_mode() -> None:
    told = tw.explain(tw.recast_layout, Layout((8, 64), (64, 1)), 16, 8)
    assert [step.rule for step in told.steps] == ["downcast"]
    assert [str(step.result) for step in told.steps[0].steps] == ["8:128", "128:1"]
    both = tw.explain(tw.recast_layout, Layout((8, 64), (64, 1)), 16, 24)
    assert both.refusal or [step.rule for step in both.steps] == ["upcast", "downcast"]


def test_explaining_is_a_method() -> None:
    assert NESTED.explain(1, (1, 2)) == tw.explain(NESTED, 1, (1, 2))
    assert NESTED.explain(tw.coalesce) == tw.explain(tw.coalesce, NESTED)
    assert str(TILE.explain(tw.logical_divide, (4,))) == str(tw.explain(tw.logical_divide, TILE, (4,)))
    assert NESTED.explain(tw.coalesce[1]).rule == "coalesce[1]"


@pytest.mark.parametrize("coord", [np.arange(3), (None, 1), SymInt("i")])
def test_what_is_no_known_integer_is_told_by_its_result(coord: Any) -> None:
    told = tw.explain(NESTED, coord)
    assert told.steps == ()
    assert str(told.result) == str(NESTED(coord))


def test_sums_on_axes_are_terms_too() -> None:
    told = tw.explain(tw.make_identity_tensor((4, 8)), 3, 5)
    assert told.result == (3, 5)
    assert [str(step.result) for step in told.steps] == ["3*1@0 = 3@0", "5*1@1 = 5@1", "3@0 + 5@1 = 3@0+5@1"]


def test_arguments_that_hold_themselves_are_refused() -> None:
    endless: Any = []
    endless.append(endless)
    for what in ((NESTED, endless), (NESTED, 1, endless), (endless,), (tw.logical_divide, NESTED, endless)):
        with pytest.raises(tw.LayoutError, match="nested deeper than 64"):
            tw.explain(*what)
