"""Trees of integer operations: what a number is by, without places."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from tilewright.layout.symbolic.polynomial import Variable


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation, by its name in `arith` without the dialect, on formulas.

    `width` is that of the widest variable, and at least `needs`.
    """

    op: str
    args: tuple[Formula, Formula]
    needs: int = 32
    width: int = field(init=False, compare=False, repr=False)
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        left, right = (32 if isinstance(arg, int) else arg.width for arg in self.args)
        object.__setattr__(self, "width", max(left, right, self.needs))
        object.__setattr__(self, "_hash", hash((self.op, self.args, self.needs)))

    def __hash__(self) -> int:
        return self._hash  # of a tree, which would be walked whenever it is looked up


Formula: TypeAlias = "int | Variable | Apply"


def count(formula: Formula) -> int:
    """How many operations it takes, each once."""
    return len(_operations(formula))


@lru_cache(8192)
def _operations(formula: Formula) -> frozenset[Apply]:
    if not isinstance(formula, Apply):
        return frozenset()
    return frozenset({formula}).union(*map(_operations, formula.args))
