"""Values that an operand refuses are refused by what was made of it, whether the result still shows them or not."""

from __future__ import annotations

import pickle

import pytest
from run_time_cases import CASES, World, answered
from strategies import Dice

from tilewright.errors import LayoutError
from tilewright.layout import operations as tw
from tilewright.layout.base import LayoutBase
from tilewright.layout.construct import make_identity_layout
from tilewright.layout.layout import Layout, sources_of, with_sources
from tilewright.layout.symbolic.guards import depends_on_run_time
from tilewright.layout.symbolic.substitution import substitute
from tilewright.layout.symbolic.symint import SymInt

EACH = 20
M, N = SymInt("m", upper=100), SymInt("n", div=2)
SHORT = SymInt("n") - 3


def layouts(found):
    if isinstance(found, tuple):
        return [part for item in found for part in layouts(item)]
    return [found] if isinstance(found, LayoutBase) else []


@pytest.mark.parametrize("name", CASES)
def test_values_outside_the_facts_of_an_operand_are_outside_those_of_the_result(name):
    for seed in range(EACH):
        pick = Dice(seed)
        world = World(pick)
        args = answered(CASES[name], world)
        if isinstance(args, LayoutError) or not depends_on_run_time(args):
            continue
        found = answered(getattr(tw, name), *args)
        for symbol in world.symbols:
            values = {**world.values(pick), str(symbol.expression): symbol.upper + symbol.div}
            if isinstance(answered(substitute, args, values), LayoutError):
                for made in layouts(found):
                    assert isinstance(answered(substitute, made, values), LayoutError), (args, made, values)


VANISHING = [
    (tw.nullspace, Layout((4, SHORT), (0, 1))),
    (tw.make_layout_like, Layout((4, 8), (M + 1, 1))),
    (tw.make_fragment_like, Layout((4, 8), (M, 1))),
    (lambda x: x[0], Layout((4, SHORT))),
    (lambda x: next(iter(x)), Layout((4, SHORT))),
    (lambda x: x(None, 3), Layout((4, SHORT))),
    (lambda x: tw.select(x, 0), Layout((SHORT - 2, 2 * SHORT))),
    (lambda x: tw.coalesce(tw.take(x, 1, 2)), make_identity_layout((SHORT, 4))),
    (lambda x: tw.flatten(tw.nullspace(tw.group(x, 0, 2))), Layout((4, SHORT, N), (0, 1, 1))),
    (lambda x: tw.composition(x, 2), Layout((4, SHORT), (1, 1))),
    (lambda x: tw.composition(Layout(8), tw.select(x, 0)), Layout((4, SHORT))),
    (lambda x: tw.right_inverse(tw.filter(x)), Layout((4, SHORT, 2), (1, 0, N))),
]


@pytest.mark.parametrize(("function", "layout"), VANISHING)
def test_what_vanished_is_asked_all_the_same(function, layout):
    for n in range(-2, 9):
        for m in (0, 1, 5, 100, 101):
            values = {"n": n, "m": m}
            operand = answered(substitute, layout, values)
            at = answered(substitute, function(layout), values)
            if isinstance(operand, LayoutError):
                assert isinstance(at, LayoutError), values
            elif not isinstance(at, LayoutError):
                assert at == function(operand), values
                assert sources_of(at) == ()


def test_what_is_not_given_stays_to_be_asked():
    made = tw.nullspace(Layout((4, SymInt("n") - 3, M), (0, 1, 1)))
    later = substitute(made, {"m": 7})
    assert later == Layout(4)
    assert substitute(later, {"n": 4}) == Layout(4)
    for values in ({"n": 3}, {"n": SymInt("k", upper=3)}):
        with pytest.raises(LayoutError, match="at least 1"):
            substitute(later, values)
    with pytest.raises(LayoutError, match=r"m = 101"):
        substitute(made, {"m": 101})


def test_sources_go_with_copies_and_stay_with_what_they_belong_to():
    static, made = Layout(4), tw.nullspace(Layout((4, M), (0, 1)))
    assert made == static
    assert hash(made) == hash(static)
    assert str(made) == str(static)
    for layout in (pickle.loads(pickle.dumps(made)), tw.coalesce(made), tw.select(tw.append(made, Layout(3, 4)), 0)[0]):
        assert isinstance(answered(substitute, layout, {"m": 0}), LayoutError)
    for layout in (tw.coalesce(static), with_sources(made, ())):
        assert substitute(layout, {"m": 0}) == static


def test_chains_of_operations_keep_what_they_need_once():
    layout = Layout((4, M, N))
    for _ in range(50):
        layout = tw.select(tw.append(layout, Layout(1, 0)), 0, 1, 2)
    assert sources_of(layout) == ()
    for _ in range(50):
        layout = tw.select(layout, 0)
    assert len(sources_of(layout)) <= 3
