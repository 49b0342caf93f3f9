"""Run-time integers at given values. What is left of an expression is an integer of the same class."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import floordiv, index
from typing import TYPE_CHECKING, TypeAlias

from tilewright.errors import LayoutError, shown
from tilewright.layout.inttuple import in_64_bits
from tilewright.layout.symbolic import polynomial as poly
from tilewright.layout.symbolic.comparison import divides
from tilewright.layout.symbolic.conditions import Comparison, Compound, Condition, Truth, all_of, any_of, decide
from tilewright.layout.symbolic.expression import Expression, as_polynomial, value_text
from tilewright.layout.symbolic.operators import Arithmetic, as_int, maximum, minimum, truncated_quotient
from tilewright.layout.symbolic.polynomial import Polynomial, Variable

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.symbolic.symint import Given, Values

Kind: TypeAlias = type[Arithmetic]
Calls: TypeAlias = Mapping[str, Callable[[int, int], int]]


def evaluate(value: int | Arithmetic, values: Values) -> int:
    """An integer or `SymInt` where variables have the given values; those without a value stay.

    `values` maps variables, as `SymInt` or by name, to integers or to `SymInt`s.

    Raises:
        LayoutError: a value outside the facts of its variable, a division by what is not positive, a result that 64
            bits do not hold.
    """
    check_values(values)
    if not isinstance(value, Arithmetic):
        return value
    return in_64_bits(value_at(value.polynomial, _assignment(value.polynomial, values), type(value)))


def in_bulk(value: int | Arithmetic, arrays: Mapping[str, NDArray[int64]], calls: Calls) -> int | NDArray[int64]:
    """An integer or `SymInt` elementwise, where every variable, by its name, has an array of values.

    `calls` are the operations that arrays take otherwise than integers do: `trunc`, `min` and `max`.
    """
    if not isinstance(value, Arithmetic):
        return value
    found = {variable: arrays[str(variable.key)] for variable in poly.variables(value.polynomial)}
    in_arrays = {**_CALLS, "floor": floordiv, **calls}
    return value_at(value.polynomial, found, type(value), in_arrays)  # type: ignore[arg-type]  # with int's operators


def check_values(values: object) -> None:
    """Refuses values that do not say which variable has which."""
    if not isinstance(values, Mapping) or not all(isinstance(key, str | Expression) for key in values):
        raise LayoutError(f"expected {{name or SymInt: value}}, got {shown(values)}")


def holds(condition: Truth, values: Values | Mapping[Arithmetic, int]) -> Truth:
    """The truth of the condition at the values; a condition again where they do not decide it.

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> holds(SymInt("n") > 3, {"n": 4}), holds(SymInt("n") > 3, {"n": 3})
    (True, False)
    """
    if isinstance(condition, Compound):
        join = any_of if condition.word == "or" else all_of
        return join(*(holds(part, values) for part in condition.parts))
    if not isinstance(condition, Comparison):
        return condition
    value = value_at(condition.polynomial, _assignment(condition.polynomial, values), Arithmetic)
    return decide(as_polynomial(value), condition.relation, condition.says)


def is_typical(condition: Condition) -> bool:
    """Does the condition hold for large, highly divisible, different values?

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> n = SymInt("n")
    >>> [is_typical(c) for c in (n > 100, divides(24, n), n * 2 <= n + 7)]
    [True, True, False]
    """
    values = {Arithmetic.of_variable(v): _typical_value(v, i) for i, v in enumerate(sorted(variables_of(condition)))}
    try:
        return holds(condition, values) is True
    except LayoutError:  # a quotient by what is no divisor there: the condition comes of assumptions that do not hold
        return False


def variables_of(condition: Condition) -> frozenset[Variable]:
    """The variables on which the condition depends."""
    if isinstance(condition, Compound):
        return frozenset().union(*map(variables_of, condition.parts))
    return poly.variables(condition.polynomial) if isinstance(condition, Comparison) else frozenset()


def _typical_value(variable: Variable, position: int) -> int:
    # 2^12 * 3^3 * 5 * 7 and fewer of these factors; a later variable is a multiple of an earlier one.
    sizes = (size << position for size in (3870720, 20160, 720, 24, 4, 1))
    fitting = (size * variable.step for size in sizes)
    least = -(-variable.lower // variable.step) * variable.step
    return next((value for value in fitting if variable.lower <= value <= variable.upper), least)


def _assignment(p: Polynomial, values: Values | Mapping[Arithmetic, int]) -> dict[Variable, int | Arithmetic]:
    # The variables of p that have a value, each with its value.
    given: dict[object, Given] = dict(values.items())
    found: dict[Variable, int | Arithmetic] = {}
    for variable in poly.variables(p):
        for key in (variable.key, Arithmetic.of_variable(variable)):
            if key in given:
                found[variable] = _checked(variable, given[key])
    return found


def _checked(variable: Variable, given: Given) -> int:
    value = _integer(variable, given)
    inside = (value >= variable.lower, value <= variable.upper, divides(variable.step, value))
    if inside == (True, True, True):
        return value
    raise LayoutError(
        f"{variable} = {value_text(value)}, which is not known to be a multiple of {variable.step} "
        f"in [{variable.lower}, {variable.upper}]"
    )


def _integer(variable: Variable, value: Given) -> int:
    if isinstance(value, Arithmetic):
        return as_int(value)
    try:
        return index(value)
    except TypeError:
        raise LayoutError(f"the value of {variable} is an integer, got {shown(value)}") from None


def value_at(
    p: Polynomial, values: Mapping[Variable, int | Arithmetic], kind: Kind = Arithmetic, calls: Calls | None = None
) -> int:
    """The polynomial where variables have the given values, which are not checked; variables without one stay."""
    total = 0
    for mono, coefficient in p:
        product = coefficient
        for atom, power in mono:
            value = _atom_value(atom, values, kind, calls)
            for _ in range(power):
                product = value if _is(product, 1) else product * value
        total = product if _is(total, 0) else total + product
    return total


def _is(value: int, known: int) -> bool:
    return value.__class__ is int and value == known


def _atom_value(atom: poly.Atom, values: Mapping[Variable, int | Arithmetic], kind: Kind, calls: Calls | None) -> int:
    if isinstance(atom, Variable):
        if atom not in values:
            return as_int(kind.of_result(poly.of_atom(atom), atom.width, 1))
        value = values[atom]
        if atom.step == 1 and getattr(value, "div", 0) == 1:
            return as_int(value)
        return as_int(values[atom] // atom.step)  # which forgets what divides the value
    a, b = (value_at(p, values, kind, calls) for p in atom.args)
    return (calls or _CALLS)[atom.op](a, b)


def _positive_quotient(a: int, b: int) -> int:
    if isinstance(b, int) and b <= 0:
        raise LayoutError(f"division of {value_text(a)} by {b}: run-time divisors are positive")
    return a // b


def _towards_zero(a: int, b: int) -> int:
    if isinstance(a, int) and isinstance(b, int):
        return -_positive_quotient(-a, b) if a < 0 else _positive_quotient(a, b)
    return truncated_quotient(a, b)


_CALLS: Calls = {
    "floor": _positive_quotient,
    "trunc": _towards_zero,
    "min": minimum,
    "max": maximum,
    "xor": lambda a, b: a ^ b,
}
