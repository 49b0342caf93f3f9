"""Run-time integers: every fold is checked against Python's integers, every lattice fact against the values."""

from __future__ import annotations

import operator
import pickle
from fractions import Fraction
from functools import reduce
from itertools import permutations, product
from math import gcd

import numpy as np
import pytest
from cpu import within
from hypothesis import given
from hypothesis import strategies as st

from tilewright.errors import LayoutError
from tilewright.layout.axes import term
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic import polynomial as poly
from tilewright.layout.symbolic.comparison import differs, divides, equals
from tilewright.layout.symbolic.conditions import UndecidedError, assuming
from tilewright.layout.symbolic.evaluation import holds
from tilewright.layout.symbolic.operators import maximum, minimum
from tilewright.layout.symbolic.symint import SymInt

M = SymInt("m", lower=1, upper=40)
N = SymInt("n", div=4, lower=-40, upper=40)
I = SymInt("i", width=64, lower=0, upper=63)
VALUES = {"m": st.integers(1, 40), "n": st.integers(-10, 10).map(lambda k: 4 * k), "i": st.integers(0, 63)}
ASSIGNMENTS = st.fixed_dictionaries(VALUES)

BINARY = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "min": minimum,
    "max": maximum,
}
DIVISIONS = {"//": operator.floordiv, "%": operator.mod}


@st.composite
def expressions(draw, depth=3):
    """A function of (m, n, i) that works on integers and on `SymInt`s alike."""
    if depth == 0 or draw(st.booleans()):
        leaf = draw(st.sampled_from(["m", "n", "i"]) | st.integers(-9, 9))
        return (lambda env: env[leaf]) if isinstance(leaf, str) else (lambda env: leaf)
    left = draw(expressions(depth=depth - 1))
    op = draw(st.sampled_from([*BINARY, *DIVISIONS, "//m", "%m", "^", "&", "|", ">>", "abs"]))
    if op == "abs":
        return lambda env: abs(left(env))
    if op in BINARY:
        right = draw(expressions(depth=depth - 1))
        return lambda env: BINARY[op](left(env), right(env))
    if op in DIVISIONS:
        number = draw(st.integers(-9, 9).filter(bool))
        return lambda env: DIVISIONS[op](left(env), number)
    if op in ("//m", "%m"):
        return lambda env: DIVISIONS[op.rstrip("m")](left(env), env["m"])
    number = draw(st.integers(-16, 15))
    return {
        "^": lambda env: left(env) ^ number,
        "&": lambda env: left(env) & number,
        "|": lambda env: left(env) | number,
        ">>": lambda env: left(env) >> (number & 3),
    }[op]


SYMBOLS = {"m": M, "n": N, "i": I}


@given(expressions(), ASSIGNMENTS)
def test_a_symbolic_value_substituted_is_the_integer_value(expression, values):
    symbolic, exact = expression(SYMBOLS), expression(values)
    found = symbolic.substitute(values) if isinstance(symbolic, SymInt) else symbolic
    assert found == exact
    assert type(found) is int


@given(expressions(), ASSIGNMENTS)
def test_every_known_fact_holds_at_every_value(expression, values):
    symbolic, exact = expression(SYMBOLS), expression(values)
    if not isinstance(symbolic, SymInt):
        return
    assert symbolic.div >= 1
    assert exact % symbolic.div == 0
    assert exact % symbolic.divisor == 0
    assert symbolic.lower is None or symbolic.lower <= exact
    assert symbolic.upper is None or exact <= symbolic.upper


@given(expressions(), expressions(), ASSIGNMENTS)
def test_decided_comparisons_are_right_and_conditions_hold_their_meaning(left, right, values):
    a, b = left(SYMBOLS), right(SYMBOLS)
    x, y = left(values), right(values)
    pairs = {"<": (a < b, x < y), ">=": (a >= b, x >= y), "==": (equals(a, b), x == y), "!=": (differs(a, b), x != y)}
    for relation, (found, truth) in pairs.items():
        assert holds(found, values) is truth, relation


def reads_as_the_value(expression, values):
    symbolic = expression(SYMBOLS)
    if isinstance(symbolic, SymInt):
        names = {"xor": lambda a, b: int(a) ^ int(b), "min": min, "max": max, **values, "n": Fraction(values["n"])}
        assert eval(symbolic.expression, names) == symbolic.substitute(values), symbolic.expression


@given(expressions(), ASSIGNMENTS)
def test_the_expression_reads_as_the_value(expression, values):
    reads_as_the_value(expression, values)


PARTS = [
    lambda e: e["m"],
    lambda e: e["n"],
    lambda e: e["n"] // 4,
    lambda e: e["m"] // 2,
    lambda e: e["n"] // 8,
    lambda e: e["i"] % 3,
    lambda e: e["m"] * e["n"] // 8,
    lambda e: -3,
]


@pytest.mark.parametrize("op", [operator.add, operator.sub, operator.mul])
def test_the_expression_of_two_parts_reads_as_the_value(op):
    for left, right, values in product(PARTS, PARTS, ({"m": 3, "n": 12, "i": 5}, {"m": 4, "n": -20, "i": 1})):
        for sign in (1, -1):
            reads_as_the_value(lambda e, a=left, b=right, sign=sign: sign * op(a(e), b(e)), values)


@given(expressions(), ASSIGNMENTS, st.integers(1, 9))
def test_divides_is_right_where_it_is_decided(expression, values, d):
    found, exact = divides(d, expression(SYMBOLS)), expression(values) % d == 0
    assert holds(found, values) is exact


@given(expressions(), ASSIGNMENTS)
def test_substituting_one_after_the_other_is_substituting_at_once(expression, values):
    symbolic = expression(SYMBOLS)
    for name, value in values.items():
        symbolic = symbolic.substitute({name: value}) if isinstance(symbolic, SymInt) else symbolic
    assert symbolic == expression(values)


@given(st.sampled_from([Swizzle(b, m, s) for b in range(4) for m in range(4) for s in (3, -3, 4)]), st.integers(0, 63))
def test_swizzles_of_run_time_offsets(swizzle, value):
    found = swizzle(I)
    assert (found.substitute({"i": value}) if isinstance(found, SymInt) else found) == swizzle(value)


FOLDS = {
    "n - n": lambda n, k: (n - n, 0),
    "0 * n": lambda n, k: (0 * n, 0),
    "n + 0": lambda n, k: (n + 0, n),
    "1 * n": lambda n, k: (1 * n, n),
    "n // 1": lambda n, k: (n // 1, n),
    "n % 1": lambda n, k: (n % 1, 0),
    "n * 8 // 8": lambda n, k: (n * 8 // 8, n),
    "k % 4, 4 divides k": lambda n, k: (k % 4, 0),
    "k // 4 * 4, 4 divides k": lambda n, k: (k // 4 * 4, k),
    "n // 4 * 4 + n % 4": lambda n, k: (n // 4 * 4 + n % 4, n),
    "(n * k) // n": lambda n, k: (n * k // n, k),
    "n // n": lambda n, k: (n // n, 1),
    "(4*n + 3) // 4": lambda n, k: ((4 * n + 3) // 4, n),
    "(n - 1) // 4 against (n + 3) // 4": lambda n, k: ((n - 1) // 4 + 1, (n + 3) // 4),
    "n // 2 // 3 against n // 6": lambda n, k: (n // 2 // 3, n // 6),
    "two ceilings": lambda n, k: (-(-n // 4), (n + 3) // 4),
    "n % 7 // 7": lambda n, k: (n % 7 // 7, 0),
    "n % k // k": lambda n, k: (n % k // k, 0),
    "(n - 1) // (n + k)": lambda n, k: ((n - 1) // (n + k), 0),
    "(n * k + n - 1) // (n * k + n)": lambda n, k: ((n * k + n - 1) // (n * k + n), 0),
    "n ^ n": lambda n, k: (n ^ n, 0),
    "(k ^ 3) - k, 4 divides k": lambda n, k: ((k ^ 3) - k, 3),
    "min(n, n + 1)": lambda n, k: (minimum(n, n + 1), n),
    "min(n, 1)": lambda n, k: (minimum(n, 1), 1),
    "max(n, 1)": lambda n, k: (maximum(n, 1), n),
    "n % 8 // k, k at least 8": lambda n, k: (n % 8 // k, 0),
    "n % 8 % k, k at least 8": lambda n, k: (n % 8 % k, n % 8),
    "max(n, -1)": lambda n, k: (maximum(n, -1), n),
    "n & 0": lambda n, k: (n & 0, 0),
    "k & -4, 4 divides k": lambda n, k: (k & -4, k),
    "k | 3": lambda n, k: (k | 3, k + 3),
    "n << 3 >> 3": lambda n, k: (n << 3 >> 3, n),
    "(n + k) * (n - k)": lambda n, k: ((n + k) * (n - k), n * n - k * k),
}


@pytest.mark.parametrize("name", FOLDS)
def test_folds_as_soon_as_it_is_known(name):
    found, expected = FOLDS[name](SymInt("n"), SymInt("k", div=8, lower=8))
    assert found == expected
    assert type(found) is type(expected)


def lattice(width, div):
    return SymInt(width=width, div=div)


@pytest.mark.parametrize("a", [(32, 1), (32, 6), (64, 8), (64, 12)])
@pytest.mark.parametrize("b", [(32, 1), (64, 4), (32, 18)])
def test_width_and_div_follow_the_lattice_of_fly(a, b):
    x, y = lattice(*a), lattice(*b)
    rules = {x + y: gcd, x - y: gcd, x % y: gcd, minimum(x, y): gcd, maximum(x, y): gcd}
    for result, rule in rules.items():
        assert (result.width, result.div) == (max(a[0], b[0]), rule(a[1], b[1]))
    assert ((x * y).width, (x * y).div) == (max(a[0], b[0]), a[1] * b[1])
    assert ((x // y).width, (x // y).div) == (max(a[0], b[0]), 1)


@pytest.mark.parametrize("div", [1, 4, 6, 8, 12, 24, 48])
@pytest.mark.parametrize("base", [0, 1, 2, 3, 4])
def test_a_swizzle_keeps_the_divisor_up_to_its_base(div, base):
    assert Swizzle(2, base, 3)(SymInt("n", div=div)).div % gcd(div, 2**base) == 0


PRINTED = {
    "?": SymInt(),
    "?{div=8}": SymInt(div=8),
    "?{i64}": SymInt(width=64),
    "?{i64 div=8}": SymInt(width=64, div=8),
}


@pytest.mark.parametrize("text", PRINTED)
def test_prints_as_fly_does(text):
    assert str(PRINTED[text]) == text


def test_a_name_is_an_identity_and_no_name_is_a_new_one():
    assert SymInt("n") == SymInt("n")
    assert hash(SymInt("n")) == hash(SymInt("n"))
    assert SymInt("n") != SymInt("n", div=2)
    assert SymInt() != SymInt()
    assert SymInt("n") != 3
    assert pickle.loads(pickle.dumps(SymInt("n") * 4 + 1)) == SymInt("n") * 4 + 1


def test_an_undecided_condition_has_no_truth_and_names_itself():
    n = SymInt("n")
    for condition, text in ((n > 3, "n > 3"), (n * 4 + 1 <= SymInt("m"), r"4\*n \+ 1 <= m"), (equals(n, 7), "n == 7")):
        with pytest.raises(UndecidedError, match=f"undecided before run time: {text}"):
            bool(condition)
    with pytest.raises(UndecidedError, match="n != 0"):
        bool(SymInt("n", lower=0))
    assert bool(n) is True
    assert issubclass(UndecidedError, LayoutError)


def test_the_opposite_of_a_condition_says_so():
    n = SymInt("n")
    opposites = {"n > 3": n <= 3, "n >= 3": n < 3, "n < 3": n >= 3, "n <= 3": n > 3, "n != 3": equals(n, 3)}
    for text, condition in opposites.items():
        assert str(condition.negated()) == text
        assert all(holds(condition.negated(), {n: value}) is not holds(condition, {n: value}) for value in range(1, 6))


def test_an_assumption_decides_its_opposite():
    n = SymInt("n")
    with assuming({n > 3: True, equals(n, 9): False}):
        assert bool(n > 3) is True
        assert bool(n <= 3) is False
        assert bool(differs(n, 9)) is True


def test_a_shift_keeps_a_divisor_only_whole():
    assert [(SymInt("n", div=40) >> bits).div for bits in range(5)] == [40, 20, 10, 5, 1]


def test_what_is_known_at_run_time_only_is_no_python_integer():
    for use in (range, lambda n: [0][n], lambda n: 1 << n, hex):
        with pytest.raises((LayoutError, TypeError)):
            use(SymInt("n"))


def test_terms_on_axes_carry_run_time_values():
    n = SymInt("n")
    stride = term(n, "laneid")
    assert str(stride) == "?@laneid"
    assert (stride * 4 + stride).on("laneid") == 5 * n
    assert stride - stride == 0


REFUSED = {
    "32 or 64": lambda: SymInt("n", width=16),
    "divisor": lambda: SymInt("n", div=0),
    "no multiple": lambda: SymInt("n", div=8, lower=1, upper=7),
    "bounds": lambda: SymInt("n", lower=0.5),
    "by zero": lambda: SymInt("n") // 0,
    "multiple of 8": lambda: SymInt("n", div=8).substitute({"n": 4}),
    r"in \[1, 9\]": lambda: SymInt("n", upper=9).substitute({"n": 10}),
    "is an integer": lambda: SymInt("n").substitute({"n": 1.5}),
    "division of 3 by 0": lambda: (3 // SymInt("n", lower=0)).substitute({"n": 0}),
    "shifted": lambda: SymInt("n") >> -1,
    "more than 256": lambda: sum(SymInt() for _ in range(100)) * sum(SymInt() for _ in range(100)),
    "nested deeper": lambda: reduce(lambda n, k: (n + 1) // SymInt() + 1, range(14), SymInt()),
}


@pytest.mark.parametrize("message", REFUSED)
def test_wrong_input_is_refused_with_the_reason(message):
    with pytest.raises(LayoutError, match=message):
        REFUSED[message]()


def test_large_values_never_wrap():
    m, n = SymInt("m"), SymInt("n")
    assert (m * n).substitute({m: 2**31 - 1, n: 2**31 - 1}) == (2**31 - 1) ** 2
    assert (m * n).upper == (2**31 - 1) ** 2


def test_expressions_read_as_they_are_meant():
    m, n = SymInt("m"), SymInt("n", div=8)
    assert (n // 16).expression == "n//16"
    assert (n // 4).expression == "2*(n/8)"
    assert (3 * m * n - m % 4 + 1).expression == "-(m % 4) + 3*m*n + 1"
    assert (m % 4).expression == "m % 4"
    assert (2 * (m % n) + m % 3).expression == "(m % 3) + 2*(m % n)"
    assert minimum(m, 3 * n).expression == "min(3*n, m)"
    assert ((m + 1) // (2 * n)).expression == "(m + 1)//(2*n)"
    assert (5 * (n // m)).expression == "5*(n//m)"
    assert str(divides(m + 1, 3 * n)) == "(3*n) % (m + 1) == 0"


def test_a_quotient_by_a_sum_stays_one():
    m, n = SymInt("m"), SymInt("n")
    assert ((2 * m + 3 * n) // (m + n)).expression == "(2*m + 3*n)//(m + n)"
    assert (2 * m + 2 * n) // (m + n) == 2


def test_variables_have_one_order():
    variables = [next(iter(poly.variables(SymInt(name).polynomial))) for name in ("m", "n", "k", "", "")]
    assert {tuple(sorted(some)) for some in permutations(variables)} == {tuple(sorted(variables))}


def test_numpy_integers_and_arrays_of_them_are_integers():
    m = SymInt("m")
    assert np.int64(3) * m == 3 * m == m * np.int32(3)
    assert np.int64(7) // m == 7 // m
    assert (np.arange(3) * m).tolist() == [0, m, 2 * m]
    assert SymInt("n", upper=np.int64(9)).substitute({"n": np.int8(4)}) == 4


def test_the_bounds_of_many_remainders_take_no_longer_than_they_may() -> None:
    """Choices among remainders double with every one: thirty of them end in a second, and still in true bounds."""
    i, j = SymInt("i", lower=0, upper=4095), SymInt("j", lower=0, upper=255)
    index = sum((i // k % 7) * k + (j + i) % (k + 1) * 3 for k in range(2, 17))
    with within(1):
        lower, upper = index.lower, index.upper
    ends = [(a, b) for a in (0, 4095) for b in (0, 99, 255)]
    values = [sum((a // k % 7) * k + (b + a) % (k + 1) * 3 for k in range(2, 17)) for a, b in ends]
    assert lower is None or lower <= min(values)
    assert upper is None or max(values) <= upper


@pytest.mark.parametrize("op", [maximum, minimum, operator.xor])
def test_operands_that_may_be_swapped_stand_in_the_order_of_their_names(op):
    """The expression is the same in every process, whatever the hashes of names are there."""
    for a, b in permutations("abcdefgh", 2):
        for p, q in ((SymInt(a), SymInt(b)), (SymInt(a) * 3, SymInt(b) * SymInt(b))):
            (found,) = poly.atoms(op(p, q).polynomial)
            assert op(q, p) == op(p, q)
            assert isinstance(found, poly.Call)
            first, second = (min(str(v) for v in poly.variables(side)) for side in found.args)
            assert first < second
