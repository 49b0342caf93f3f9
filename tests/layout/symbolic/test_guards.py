"""Laws of guards and of decisions: guards stay with a layout through every operation, and no decision is too early."""

from __future__ import annotations

import operator
from itertools import product

import pytest

from tilewright.errors import LayoutError, TilewrightError
from tilewright.layout import operations as tw
from tilewright.layout.axes import term
from tilewright.layout.base import LayoutBase
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.comparison import differs, divides, equals
from tilewright.layout.symbolic.conditions import Condition, all_of, any_of, assuming
from tilewright.layout.symbolic.evaluation import holds
from tilewright.layout.symbolic.guards import GuardedLayout, guarded
from tilewright.layout.symbolic.operators import maximum, minimum
from tilewright.layout.symbolic.substitution import substitute
from tilewright.layout.symbolic.symint import SymInt

N, Z = SymInt("n"), SymInt("z", lower=0)
EVEN = GuardedLayout(Layout((N // 2, 2), (2, 1)), (divides(2, N),))
SWIZZLE = Swizzle(1, 0, 1)

TAKES_A_LAYOUT = {
    "select": lambda a: tw.select(a, 1, 0),
    "coalesce": tw.coalesce,
    "right_inverse": tw.right_inverse,
    "composition": lambda a: tw.composition(a, (None, 2)),
    "the right side of one": lambda a: tw.composition(Layout(64, 3), a),
    "a tile in a tuple": lambda a: tw.logical_product(Layout((4, 2)), (a, None)),
    "zip": lambda a: tw.zip(a, a),
    "inside of a swizzle": lambda a: tw.coalesce(ComposedLayout(SWIZZLE, 0, a)),
    "by a keyword": lambda a: tw.append(Layout((2, 3)), elem=a),
    "a divide that asks for more": lambda a: tw.logical_divide(a, (Layout(2, 3), None)),
}


def points(layout):
    return [layout(i) for i in range(layout.size)]


@pytest.mark.parametrize("name", TAKES_A_LAYOUT)
def test_guards_go_along(name):
    function = TAKES_A_LAYOUT[name]
    found = function(EVEN)
    assert set(EVEN.guards) <= set(found.guards)
    for n in range(2, 13, 2):
        try:
            at = substitute(found, {"n": n})
        except LayoutError:
            continue
        assert points(at) == points(function(substitute(EVEN, {"n": n})))
    for n in range(3, 13, 2):
        with pytest.raises(LayoutError, match="is right only where"):
            substitute(found, {"n": n})


def test_guards_add_up():
    more = (N >= 4, divides(3, N))
    assert set(guarded(guarded(Layout(N), EVEN.guards), more).guards) == {*EVEN.guards, *more}
    assert guarded(Layout(4), ()) == Layout(4)


def test_vectors_of_a_guarded_layout_ask_for_nothing_more():
    for a, b in ((EVEN, Layout((N, 4), (4, 1))), (GuardedLayout(Layout((16, N), (1, N)), EVEN.guards), Layout(16))):
        assert tw.max_common_layout(a, b).guards == EVEN.guards
    assert tw.max_alignment.__wrapped__(Layout((16, N), (1, 8 * N))) == 8


RUN_TIME_INSIDE = {
    "strides on axes": lambda a: tw.left_inverse(tw.make_layout(Layout(4, term(a, (0,))))),
    "an inner layout": lambda a: tw.filter(ComposedLayout(SWIZZLE, 0, Layout((4, 8), (a, 1)))),
    "an offset": lambda a: tw.select(ComposedLayout(SWIZZLE, a, tw.filter(Layout((4, 8), (a, 1)))), 0),
}


@pytest.mark.parametrize("name", RUN_TIME_INSIDE)
def test_a_run_time_integer_is_found_wherever_it_stands(name):
    function = RUN_TIME_INSIDE[name]
    found = function(Z)
    assert isinstance(found, GuardedLayout)
    for z in range(3):
        try:
            at = substitute(found, {"z": z})
        except LayoutError:
            continue
        assert points(at) == points(function(z))


def test_guards_that_stay_open_are_asked_later():
    m, n = SymInt("m"), SymInt("n")
    found = GuardedLayout(Layout((n, m), (m, 1)), (divides(m, n), n >= 2 * m))
    for x, y in product(range(1, 5), range(1, 13)):
        half = substitute(found, {"m": x})
        if y % x == 0 and y >= 2 * x:
            assert substitute(half, {"n": y}) == substitute(found, {"m": x, "n": y}) == Layout((y, x), (x, 1))
        else:
            with pytest.raises(LayoutError, match="is right only where"):
                substitute(half, {"n": y})


# ---- decisions

RANGES = [(lower, upper) for lower in range(-2, 3) for upper in range(lower, 3)]
RELATIONS = {
    ">=": lambda x, y: x >= y,
    ">": lambda x, y: x > y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
}
ASKED = RELATIONS | {"==": equals, "!=": differs}


@pytest.mark.parametrize("relation", RELATIONS)
def test_an_order_is_decided_exactly_where_all_values_agree(relation):
    for (lower, upper), scale, shift in product(RANGES, (-2, -1, 1, 3), range(-3, 4)):
        n = SymInt("n", lower=lower, upper=upper)
        found = ASKED[relation](n * scale + shift, 0)
        truths = {value: RELATIONS[relation](value * scale + shift, 0) for value in range(lower, upper + 1)}
        assert [holds(found, {"n": value}) for value in truths] == list(truths.values())
        if relation not in ("==", "!="):
            assert isinstance(found, Condition) == (len(set(truths.values())) == 2)


BINARY = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": operator.floordiv,
    "%": operator.mod,
    "^": operator.xor,
    "min": minimum,
    "max": maximum,
}


@pytest.mark.parametrize("op", BINARY)
def test_bounds_and_divisors_hold_at_all_values(op):
    """A divisor is taken to be positive, whatever its lower bound says."""
    for (a, b), (c, d), div in product([(-3, 2), (0, 3), (1, 4), (5, 9)], [(-2, 3), (-3, -1), (0, 5), (2, 4)], (1, 2)):
        m, n = SymInt("m", lower=a, upper=b), SymInt("n", lower=c, upper=d, div=div)
        positive = op in ("//", "%")
        rights = [y for y in range(c, d + 1) if y % div == 0 and (y > 0 or not positive)]
        if not rights:
            continue
        found = BINARY[op](m, n)
        values = [BINARY[op](x, y) for x in range(a, b + 1) for y in rights]
        if isinstance(found, int):
            assert set(values) == {found}
            continue
        assert found.lower is None or found.lower <= min(values)
        assert found.upper is None or max(values) <= found.upper
        assert all(value % found.divisor == 0 for value in values)
        if op in ("+", "-", "min", "max") and div == 1:
            assert (found.lower, found.upper) == (min(values), max(values))


@pytest.mark.parametrize("op", [operator.and_, operator.or_, operator.xor, operator.mul, operator.floordiv])
def test_operations_with_an_integer_at_all_values(op):
    for number, (lower, div) in product(range(-9, 18), [(0, 1), (-7, 1), (0, 3), (0, 4)]):
        if op is operator.floordiv and not number:
            continue
        found = op(SymInt("n", lower=lower, upper=20, div=div), number)
        for n in range(-(-lower // div) * div, 21, div):
            assert substitute(found, {"n": n}) == op(n, number)
            if isinstance(found, SymInt):
                assert found.div >= 1
                assert op(n, number) % found.div == 0


def test_signs_and_shifts_at_all_values():
    n = SymInt("n", lower=-9, upper=9)
    for value, k in product(range(-9, 10), range(4)):
        found = (abs(n), -n, +n, k - n, n << k, n >> k)
        exact = (abs(value), -value, value, k - value, value << k, value >> k)
        assert substitute(found, {"n": value}) == exact


def test_a_variable_takes_exactly_its_values():
    for lower, upper, div in product((-3, 0, 1, 2), (3, 5, 6), (1, 2, 3)):
        n = SymInt("n", lower=lower, upper=upper, div=div)
        taken = []
        for value in range(-5, 9):
            try:
                taken.append((n + 0 * value).substitute({"n": value}))
            except LayoutError:
                continue
        assert taken == [value for value in range(lower, upper + 1) if value % div == 0]


def test_and_and_or_hold_as_their_parts_do():
    parts = [N > 2, divides(2, N), N <= 3, True, False]
    for a, b in product(parts, repeat=2):
        for n in range(1, 6):
            x, y = holds(a, {"n": n}), holds(b, {"n": n})
            assert holds(all_of(a, b), {"n": n}) is (x and y)
            assert holds(any_of(a, b), {"n": n}) is (x or y)
            for joined in (all_of(a, b), any_of(a, b)):
                if isinstance(joined, Condition):
                    assert holds(joined.negated(), {"n": n}) is not holds(joined, {"n": n})


def test_the_divisor_of_an_xor_divides_it():
    for a, b in product((1, 2, 3, 4, 6, 12), repeat=2):
        found = SymInt("m", div=a) ^ SymInt("n", div=b)
        assert all((x ^ y) % found.div == 0 for x in range(a, 40, a) for y in range(b, 40, b))


def test_an_xor_is_a_sum_only_where_the_bits_are_apart():
    for upper, div in product(range(10), (1, 2, 4, 8, 12)):
        found = SymInt("m", lower=0, upper=upper) ^ SymInt("n", lower=0, upper=24, div=div)
        for x, y in product(range(upper + 1), range(0, 25, div)):
            assert substitute(found, {"m": x, "n": y}) == x ^ y


def test_an_extent_that_may_be_1_leaves_its_axis_out():
    """An integer is the cotarget of the only axis: there is only one where the extent on the other is 1."""
    layout = Layout((N, 4), (term(1, (0,)), term(2, (1,))))
    found = tw.complement(layout, 16)
    assert substitute(found, {"n": 1}) == tw.complement(Layout((1, 4), (term(1, (0,)), term(2, (1,)))), 16)
    with pytest.raises(LayoutError, match="is right only where n == 1"):
        substitute(found, {"n": 2})


def test_no_operation_loses_the_guards_of_an_operand():
    """Every operation, with every operand under a guard: a layout that comes out is under it too."""
    plain: list[object] = [Layout(8), Layout((4, 2), (2, 8)), 2, (2, 2), 0, 1]
    operands = [EVEN, GuardedLayout(Layout((4, 2), (2, 1)), EVEN.guards)]
    answered = 0
    for operate, operand, other in product(tw.FUNCTIONS.values(), operands, plain):
        for args in ((operand,), (operand, other), (other, operand)):
            try:
                found = operate(*args)
            except (TilewrightError, TypeError):
                continue
            made = [
                value for value in (found if isinstance(found, tuple) else (found,)) if isinstance(value, LayoutBase)
            ]
            assert made, (operate.__name__, args)
            assert all(isinstance(value, GuardedLayout) and EVEN.guards[0] in value.guards for value in made)
            answered += 1
    assert answered > 100


def test_what_holds_under_an_assumption_is_not_remembered():
    question = Layout(24), (Layout(N, 2),)
    (condition,) = tw.logical_divide(*question).guards
    with assuming({condition: True}):
        assert isinstance(tw.logical_divide(*question), Layout)
    assert tw.logical_divide(*question).guards == (condition,)


@pytest.mark.parametrize("swizzle", [Swizzle(1, 0, 2), Swizzle(2, 1, 3), Swizzle(1, 0, -2)])
@pytest.mark.parametrize("stride", [0, 3, "run-time"])
def test_slices_of_swizzles_do_not_ask_for_the_stride_of_an_extent_of_1(swizzle, stride):
    """L'(x) + offset == L(x in place of None), whatever the stride that is never stepped."""
    step = SymInt("k") * SymInt("n") if stride == "run-time" else stride
    layout = ComposedLayout(swizzle, 0, Layout((1, 2, 4), (step, 8, 2)))
    for where in ((None, None, None), (None, 1, None), (0, None, None)):
        sliced, offset = tw.slice_and_offset(layout, where)
        values = {"k": 5, "n": 7}
        at = substitute(sliced, values) if stride == "run-time" else sliced
        whole = ComposedLayout(swizzle, 0, Layout((1, 2, 4), (35 if stride == "run-time" else step, 8, 2)))
        rows = [range(extent) if w is None else (w,) for extent, w in zip((1, 2, 4), where, strict=True)]
        wanted = [whole(i, j, k) for k in rows[2] for j in rows[1] for i in rows[0]]
        assert [at(x) + offset for x in range(at.size)] == wanted


@pytest.mark.parametrize("swizzle", [Swizzle(0, 0, 1), Swizzle(1, 0, 2), Swizzle(2, 1, 3), Swizzle(1, 0, -2)])
def test_right_inverses_of_swizzles_over_run_time_extents_are_answered(swizzle):
    """A(R(i)) == i, as far as the swizzle maps the offsets to themselves."""
    for extent in (8 * SymInt("k"), SymInt("k", div=8)):
        layout = ComposedLayout(swizzle, 0, Layout((4, extent), (1, 4)))
        found = tw.right_inverse(layout)
        for k in (8, 16, 24):
            a, r = (substitute(x, {"k": k}) for x in (layout, found))
            assert r.size > 1
            assert [a(r(i)) for i in range(r.size)] == list(range(r.size))
