"""`SymInt`: an integer that is known at run time only, as a leaf of layouts.

A `SymInt` is an expression in variables; what is known folds at once, so `n - n` is the int 0. Equality is identity
of expressions in normal form and never raises; an order that is not proved is a `Condition`, which has no truth.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import TYPE_CHECKING, SupportsIndex

from tilewright.errors import LayoutError, shown
from tilewright.layout.symbolic import polynomial as poly
from tilewright.layout.symbolic.comparison import Ordered
from tilewright.layout.symbolic.evaluation import evaluate
from tilewright.layout.symbolic.expression import filled
from tilewright.layout.symbolic.operators import Arithmetic
from tilewright.layout.symbolic.polynomial import Nameless, Polynomial, Variable

if TYPE_CHECKING:
    from collections.abc import Callable

LIMIT = 1 << 64


class SymInt(Arithmetic, Ordered):
    """A run-time integer of `width` bits, a multiple of `div`, in [lower, upper]; prints as `?`, `?{i64 div=8}`.

    Arithmetic with integers and other `SymInt`s gives an int as soon as the value is known, else a `SymInt` whose
    width is the larger one and whose `div` follows the lattice of fly: + - % min max keep the greatest common
    divisor, * multiplies, // forgets. Folding uses all that the expression tells, not only `div`. Values are exact
    integers: they never wrap.

    Args:
        name: two `SymInt`s of one name and the same facts are the same number; without a name it is a new number.
        width: 32 or 64 bits.
        div: an integer that is known to divide the value.
        lower: the least value; 1 without it, as extents and strides are. A coordinate starts at 0.
        upper: the largest value; the largest of that width without it.

    Raises:
        LayoutError: another width, a divisor below 1, an empty range.

    Source: the run-time leaves of FlyDSL's int tuples.

    >>> n = SymInt("n", div=8)
    >>> print(n, n + 4, n * n, n % 4, n * 8 // 8 - n, n // 4 * 4 == n)
    ?{div=8} ?{div=4} ?{div=64} 0 0 True
    """

    __slots__ = ()

    def __init__(
        self, name: str = "", *, width: int = 32, div: int = 1, lower: int | None = None, upper: int | None = None
    ) -> None:
        if not isinstance(name, str):
            raise LayoutError(f"the name of a run-time integer is a text, got {shown(name)}")
        if type(width) is not int or width not in (32, 64):
            raise LayoutError(f"a run-time integer has 32 or 64 bits, got {shown(width)}")
        if type(div) is not int or not 1 <= div < LIMIT:
            raise LayoutError(f"a divisor is an integer from 1 to 2^64, got {shown(div)}")
        least = 1 if lower is None else _bound(lower)
        most = (1 << width - 1) - 1 if upper is None else _bound(upper)
        if -(-least // div) > most // div:
            raise LayoutError(f"no multiple of {shown(div)} lies in [{shown(least)}, {shown(most)}]")
        variable = Variable(name or Nameless(), width, div, least, most)
        filled(self, poly.of_atom(variable, div), width, div)

    def __reduce__(self) -> tuple[Callable[[Polynomial, int, int], SymInt], tuple[Polynomial, int, int]]:
        return SymInt.of_result, (self.polynomial, self.width, self.div)

    @property
    def variables(self) -> frozenset[SymInt]:
        """The variables that occur in the expression."""
        return frozenset(SymInt.of_variable(v) for v in poly.variables(self.polynomial))

    def substitute(self, values: Values) -> int:
        """The value where the variables have the given ones; variables are named by `SymInt` or by name.

        Raises:
            LayoutError: a value outside the facts of its variable, a division by what is not positive.

        >>> m, n = SymInt("m"), SymInt("n", div=8)
        >>> (m * n // 16).substitute({m: 3, "n": 16}), print((m * n // 16).substitute({n: 16}))
        ?
        (3, None)
        """
        return evaluate(self, values)


Integer = int | SymInt
# What variables are taken to be, by `SymInt` or by name.
Given = SupportsIndex | SymInt
Values = Mapping[str, Given] | Mapping[SymInt, Given] | Mapping[str | SymInt, Given]


def _bound(value: SupportsIndex) -> int:
    try:
        if -LIMIT < (bound := index(value)) < LIMIT:
            return bound
    except TypeError:
        pass
    raise LayoutError(f"the bounds of a run-time integer are integers of 64 bits, got {shown(value)}")
