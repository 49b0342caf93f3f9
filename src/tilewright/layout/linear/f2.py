"""Linear algebra over F2: vectors are `int` bit masks, addition is XOR.

A linear map is the sequence of its columns: `columns[i]` is the image of the unit vector `1 << i`, so that
`apply(columns, x)` is the XOR of the columns that x selects. Every function is pure; widths are implied by the bits.

>>> kernel((1, 2, 3)), rank((1, 2, 3)), solve((1, 2, 4), 6)
((7,), 2, 6)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

# The highest bit of a reduced vector -> (the vector, the columns whose XOR it is).
Echelon: TypeAlias = dict[int, tuple[int, int]]


def apply(columns: Sequence[int], x: int) -> int:
    """The XOR of the columns that the bits of `x` select; bits beyond the last column select nothing.

    >>> apply((1, 2, 5), 0b101)
    4
    """
    out = 0
    for column in columns:
        if not x:
            break
        if x & 1:
            out ^= column
        x >>= 1
    return out


def multiply(outer: Sequence[int], inner: Iterable[int]) -> tuple[int, ...]:
    """The columns of the composition: `apply(multiply(A, B), x) == apply(A, apply(B, x))`.

    >>> multiply((2, 1), (3, 1))
    (3, 2)
    """
    return tuple(apply(outer, column) for column in inner)


def transpose(columns: Sequence[int], rows: int) -> tuple[int, ...]:
    """The `rows` rows as masks over the columns: bit j of row i is bit i of column j.

    >>> transpose((0b01, 0b11), 2)
    (3, 2)
    """
    return tuple(sum((column >> i & 1) << j for j, column in enumerate(columns)) for i in range(rows))


def eliminate(columns: Iterable[int]) -> tuple[Echelon, tuple[int, ...]]:
    """An echelon form of the columns' span, and a basis of the map's kernel, both with their combinations.

    A column is a pivot exactly when it is not in the span of the columns before it.

    >>> eliminate((1, 3, 2))
    ({1: (1, 1), 2: (3, 2)}, (7,))
    """
    echelon: Echelon = {}
    dependent = []
    for i, column in enumerate(columns):
        vector, used = reduce(echelon, column, 1 << i)
        if vector:
            echelon[vector.bit_length()] = vector, used
        else:
            dependent.append(used)
    return echelon, tuple(dependent)


def reduce(echelon: Echelon, vector: int, used: int = 0) -> tuple[int, int]:
    """`vector` modulo the span (0 exactly when it lies inside), and `used` XOR the columns taken away from it."""
    while vector:
        pivot = echelon.get(vector.bit_length())
        if pivot is None:
            break
        vector ^= pivot[0]
        used ^= pivot[1]
    return vector, used


def rank(vectors: Iterable[int]) -> int:
    """The dimension of the span.

    >>> rank((3, 5, 6, 0))
    2
    """
    pivots: dict[int, int] = {}
    for vector in vectors:
        while vector:
            found = pivots.setdefault(vector.bit_length(), vector)
            vector = 0 if found is vector else vector ^ found
    return len(pivots)


def kernel(columns: Iterable[int]) -> tuple[int, ...]:
    """A basis of { x : apply(columns, x) == 0 }.

    >>> kernel((1, 0, 1))
    (2, 5)
    """
    return eliminate(columns)[1]


def in_span(vectors: Iterable[int], target: int) -> bool:
    """Is `target` an XOR of some of the vectors?

    >>> in_span((3, 5), 6), in_span((3, 5), 1)
    (True, False)
    """
    return reduce(eliminate(vectors)[0], target)[0] == 0


def solve(columns: Iterable[int], target: int) -> int | None:
    """The x with `apply(columns, x) == target` that selects pivot columns only; None when there is none.

    Pivot columns are those outside the span of the columns before them, so x is 0 where it may be chosen.

    >>> solve((1, 1, 2), 3), solve((1, 1), 2)
    (5, None)
    """
    rest, used = reduce(eliminate(columns)[0], target)
    return None if rest else used


def solve_all(columns: Iterable[int], targets: Iterable[int]) -> tuple[int, ...] | None:
    """The columns of an X with columns * X = targets, each as `solve` chooses it; None when one has no solution.

    >>> solve_all((2, 1), (1, 3))
    (2, 3)
    """
    echelon, _ = eliminate(columns)
    solved = [reduce(echelon, target) for target in targets]
    return None if any(rest for rest, _ in solved) else tuple(used for _, used in solved)


def inverse(columns: Sequence[int], rows: int | None = None) -> tuple[int, ...] | None:
    """The columns of the inverse of a square map; None when it is singular. `rows` defaults to the columns' number.

    With more columns than `rows` the result is a right inverse, None when the map is not onto.

    >>> inverse((1, 3)), inverse((1, 1))
    ((1, 3), None)
    """
    return solve_all(columns, (1 << i for i in range(len(columns) if rows is None else rows)))


def span_basis(vectors: Iterable[int]) -> tuple[int, ...]:
    """The reduced basis of the span, ascending; equal spans have equal bases.

    >>> span_basis((6, 3)) == span_basis((5, 3))
    True
    """
    rows: list[int] = []
    for _, (vector, _) in sorted(eliminate(vectors)[0].items()):
        for smaller in rows:
            if vector >> (smaller.bit_length() - 1) & 1:
                vector ^= smaller
        rows.append(vector)
    return tuple(rows)


def intersection(a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
    """The reduced basis of the vectors that lie in both spans.

    >>> intersection((1, 2), (3, 4))
    (3,)
    """
    both = (*a, *b)
    return span_basis(apply(a, dependence) for dependence in kernel(both))


def complement_basis(vectors: Iterable[int], bits: int) -> tuple[int, ...]:
    """Unit vectors that extend the span to all of the `bits`-dimensional space.

    >>> complement_basis((3,), 3)
    (1, 4)
    """
    echelon, _ = eliminate(vectors)
    return tuple(1 << i for i in range(bits) if i + 1 not in echelon)
