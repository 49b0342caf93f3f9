"""What comes before what, and the places that items have in order: each is compared with all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Int32
from tilewright.lang.fly.cooperative.items import called, repeated, selected

Before: TypeAlias = "Callable[[Numeric, Numeric], Numeric]"
Placed: TypeAlias = tuple[Numeric, Numeric]
"""A key, and its place in the given order."""


def less_than(compare_op: object = None, descending: bool = False) -> Before:
    """A strict order of keys: `<` or a user's; the other way round where it descends."""
    own = None if compare_op is None else called(compare_op)

    def before(a: Numeric, b: Numeric) -> Numeric:
        a, b = (b, a) if descending else (a, b)
        found = as_numeric(a < b if own is None else own(a, b))
        return as_numeric(found != 0)

    return before


def precedes(before: Before, one: Placed, other: Placed, valid: NumericLike | None) -> Numeric:
    """Whether one comes first: by its key, by its place where keys are equal or one is not valid."""
    (a, at), (b, there) = one, other
    sooner = as_numeric(at < there)
    by_key = as_numeric(before(a, b) | (sooner & (before(b, a) == 0)))
    if valid is None:
        return by_key
    count = as_numeric(valid)
    return selected((at < count) & (there < count), by_key, sooner)


def ranks(
    own: Sequence[Placed],
    others: Callable[[Int32], Sequence[Placed]],
    rounds: int,
    before: Before,
    valid: NumericLike | None = None,
) -> list[Numeric]:
    """How many items come before each of the thread's own, where a round shows some of all items."""

    def counted(found: list[Numeric], number: Int32) -> list[Numeric]:
        seen = others(number)
        return [
            as_numeric(sum((precedes(before, other, mine, valid).to(Int32) for other in seen), count))
            for mine, count in zip(own, found, strict=True)
        ]

    return repeated(rounds, counted, [Int32(0) for _ in own])


def paired(keys: Sequence[Numeric], values: Sequence[Numeric] | None) -> Sequence[Numeric] | None:
    """The values, as many as keys.

    Raises:
        KernelError: fewer or more.
    """
    if values is not None and len(values) != len(keys):
        raise KernelError(f"{len(keys)} keys have {len(values)} values")
    return values
