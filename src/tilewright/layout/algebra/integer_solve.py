"""Linear equations over the integers."""

from __future__ import annotations

from collections.abc import Sequence


def solve(rows: Sequence[Sequence[int]], targets: Sequence[int]) -> list[int] | None:
    """Integers c with sum(row[j] * c[j]) == target for every row, or None if there are none.

    Columns are combined until each row has one pivot among those not used above it (Hermite's form). Every column
    carries below it how it was made, so that what is subtracted from the target below it is the solution.

    >>> solve([[2, 3], [4, 1]], [8, 6]), solve([[2, 4]], [3])
    ([1, 2], None)
    """
    unknowns = len(rows[0])
    columns = [[row[j] for row in rows] + [int(i == j) for i in range(unknowns)] for j in range(unknowns)]
    left = [*targets, *[0] * unknowns]
    for k in range(len(rows)):
        pivot = _pivot(columns, k)
        if pivot is None:
            if left[k]:
                return None
            continue
        quotient, remainder = divmod(left[k], pivot[k])
        if remainder:
            return None
        _subtract(left, quotient, pivot)
        columns = [column for column in columns if column is not pivot]
    return [-x for x in left[len(rows) :]]


def _pivot(columns: list[list[int]], k: int) -> list[int] | None:
    """The only column left with an entry in row k, after Euclid's algorithm among all that have one."""
    live = [column for column in columns if column[k]]
    while len(live) > 1:
        live.sort(key=lambda column: abs(column[k]))
        for column in live[1:]:
            _subtract(column, column[k] // live[0][k], live[0])
        live = [column for column in live if column[k]]
    return live[0] if live else None


def _subtract(column: list[int], times: int, other: list[int]) -> None:
    for i, x in enumerate(other):
        column[i] -= times * x
