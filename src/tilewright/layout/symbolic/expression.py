"""Run-time integers as expressions: a polynomial, its width and its divisor; what is known of them, and their text."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, TypeVar

from tilewright.errors import LayoutError, shown
from tilewright.layout.symbolic import polynomial as poly
from tilewright.layout.symbolic.polynomial import Polynomial
from tilewright.layout.symbolic.ranges import bounds
from tilewright.layout.symbolic.text import text

E = TypeVar("E", bound="Expression")


class Expression:
    """A polynomial in run-time variables, of `width` bits and a multiple of `div`: frozen, and equal by its form."""

    __slots__ = ("div", "polynomial", "width")
    is_layout_leaf = True
    width: int
    div: int
    polynomial: Polynomial

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"SymInt is frozen; cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"SymInt is frozen; cannot delete {name}")

    @property
    def lower(self) -> int | None:
        """The least value, as far as it is proved.

        >>> from tilewright.layout.symbolic.symint import SymInt
        >>> n = SymInt("n", lower=1, upper=100)
        >>> (n * 4 - 1).lower, (n // 3).upper, (n % 8).upper
        (3, 33, 7)
        """
        return bounds(self.polynomial)[0]

    @property
    def upper(self) -> int | None:
        """The largest value, as far as it is proved."""
        return bounds(self.polynomial)[1]

    @property
    def divisor(self) -> int:
        """The greatest integer that is known to divide the value: a multiple of `div`, often more.

        >>> from tilewright.layout.symbolic.symint import SymInt
        >>> n = SymInt("n")
        >>> (n + n).div, (n + n).divisor
        (1, 2)
        """
        return poly.content(self.polynomial)

    @property
    def expression(self) -> str:
        """The expression in the variables' names.

        >>> from tilewright.layout.symbolic.symint import SymInt
        >>> m, n = SymInt("m"), SymInt("n")
        >>> (4 * m + n // 2 - 1).expression
        '4*m + n//2 - 1'
        """
        return text(self.polynomial)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self.polynomial == other.polynomial

    def __hash__(self) -> int:
        return hash(self.polynomial)

    if not TYPE_CHECKING:  # so that checkers say of `range(n)` what it does

        def __index__(self) -> int:
            raise LayoutError(f"{self.expression} is known at run time only; an integer is needed here")

    def __str__(self) -> str:
        facts = ["i64"] * (self.width == 64) + [f"div={shown(self.div)}"] * (self.div > 1)
        return "?{" + " ".join(facts) + "}" if facts else "?"

    def __repr__(self) -> str:
        return f"<SymInt {self.expression}: {self}>"


def filled(expression: E, polynomial: Polynomial, width: int, div: int) -> E:
    """The new expression, with its polynomial, width and divisor."""
    object.__setattr__(expression, "polynomial", polynomial)
    object.__setattr__(expression, "width", width)
    object.__setattr__(expression, "div", div)
    return expression


def as_polynomial(value: int | Expression) -> Polynomial:
    """The normal form of an integer or a `SymInt`; a TypeError for anything else."""
    return value.polynomial if isinstance(value, Expression) else poly.constant(index(value))


def width_of(value: int | Expression) -> int:
    """The bits of an integer or a `SymInt`."""
    return value.width if isinstance(value, Expression) else 32


def div_of(value: int | Expression) -> int:
    """What is known to divide an integer or a `SymInt`."""
    return value.div if isinstance(value, Expression) else abs(index(value))


def value_text(value: int | Expression) -> str:
    """The expression of a `SymInt`, the digits of an integer."""
    return value.expression if isinstance(value, Expression) else str(value)
