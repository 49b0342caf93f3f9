"""`Kind`: a name for the values of a union, such as `IntTuple`: checkers see the union, `isinstance` a predicate."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from tilewright.errors import LayoutError


class Kind(type):
    """The class of such names: `isinstance(value, kind)` is `accepts(value)`; there is nothing to construct.

    >>> Even = Kind("Even", lambda value: isinstance(value, int) and value % 2 == 0, "An even integer.")
    >>> isinstance(4, Even), isinstance(5, Even), isinstance("4", Even)
    (True, False, False)
    """

    accepts: Callable[[object], bool]

    def __new__(cls, name: str, accepts: Callable[[object], bool], doc: str) -> Kind:
        """The kind of that name."""
        return super().__new__(cls, name, (), {"__doc__": doc, "accepts": staticmethod(accepts)})

    def __init__(cls, name: str, accepts: Callable[[object], bool], doc: str) -> None:
        super().__init__(name, (), {})

    def __instancecheck__(cls, value: object) -> bool:
        return cls.accepts(value)

    def __call__(cls, *args: object) -> NoReturn:
        """Refused: a kind tells values apart and makes none."""
        raise LayoutError(f"{cls.__name__} names a kind of values, and makes none: write the value itself")
