"""What was worked out once for some lanes, and is the same whenever they come by again.

Loops come back to the same places: addresses that depend on the lane, and on counters with few values, are worked out
at the first turn, with everything that follows from them alone.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np

Number: TypeAlias = int | np.ndarray[Any, np.dtype[Any]]
T = TypeVar("T")

MOST_BYTES = 1 << 25  # of the numbers that are kept, and of what follows from them


class Kept:
    """Numbers by a key, which comes again with the same number; and what follows from a number.

    >>> kept = Kept()
    >>> one = kept.number("row", np.arange(3))
    >>> one is kept.numbers["row"], kept.following("sum", one, 8, lambda: int(one.sum()))
    (True, 3)
    """

    def __init__(self) -> None:
        self.numbers: dict[Hashable, Number] = {}
        self._left = MOST_BYTES
        self._own: set[int] = set()  # who they are: they live as long as this
        self._following: dict[tuple[Hashable, int], object] = {}

    def number(self, key: Hashable, found: Number) -> Number:
        """The number, kept where there is room; nobody may change it from now on."""
        size = found.nbytes if isinstance(found, np.ndarray) else 0
        if size <= self._left:
            self._left -= size
            if isinstance(found, np.ndarray):
                found.flags.writeable = False
            self.numbers[key] = found
            self._own.add(id(found))
        return found

    def following(self, what: Hashable, number: object, size: int, make: Callable[[], T]) -> T:
        """What `make` gives, remembered if the number is one that is kept; it takes so many bytes."""
        if id(number) not in self._own:
            return make()
        key = what, id(number)
        if key not in self._following:
            if size > self._left:
                return make()
            self._left -= size
            self._following[key] = make()
        return cast("T", self._following[key])
