"""How much reckoning with run-time integers may take: a count of terms, the same on every run.

Rules of the algebra are written for layouts of a few modes. Of many, each known at run time only, sums of products and
the conditions on them grow faster than the text that they come from; whoever takes texts of others sets a bound.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from tilewright.errors import LayoutError


class TooMuchWorkError(LayoutError):
    """More terms than the bound allows; whatever else is tried under it is refused at once."""


class _Purse:
    """What is left of so many terms; with what is taken from it, it is taken from the outer one."""

    __slots__ = ("left", "outer", "terms")

    def __init__(self, terms: int, outer: _Purse | None) -> None:
        self.terms = self.left = terms
        self.outer = outer

    def take(self, terms: int) -> None:
        self.left -= terms
        if self.left < 0:
            raise TooMuchWorkError(f"the run-time integers take more than {self.terms} terms to work out")
        if self.outer is not None:
            self.outer.take(terms)


_purse: ContextVar[_Purse | None] = ContextVar("purse", default=None)


@contextmanager
def bounded(terms: int) -> Iterator[None]:
    """Within it, expressions and conditions of run-time integers may have so many terms together.

    What is taken within a bound is taken from the one around it too.

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> with bounded(10):
    ...     sum(SymInt() for _ in range(10))
    Traceback (most recent call last):
    tilewright.layout.symbolic.work.TooMuchWorkError: the run-time integers take more than 10 terms to work out
    """
    token = _purse.set(_Purse(terms, _purse.get()))
    try:
        yield
    finally:
        _purse.reset(token)


def spend(terms: int) -> None:
    """Notes so many terms.

    Raises:
        TooMuchWorkError: they are more than are left.
    """
    purse = _purse.get()
    if purse is not None:
        purse.take(terms)
