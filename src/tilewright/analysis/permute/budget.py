"""How many wavefronts each group of lanes may cost on either side: the ways to share out a total that can matter.

A `Budget` is a list of classes: so many groups of lanes that may cost m wavefronts in the read and n in the write.

Few of them matter. The elements of two groups are a bipartite graph with a vertex for each slot. It splits into two
halves of all degrees, so that two groups whose costs have an even sum on either side may as well cost the same. And
exchanging the elements of alternating trails brings costs that differ by more than one on one side, and are equal on
the other, nearer to each other. So a budget has at most four classes, one for each parity of the costs.

Source: D. de Werra, 1971 (equitable colourings of bipartite multigraphs).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from itertools import combinations, islice
from typing import TypeAlias

Costs: TypeAlias = tuple[int, int]  # of one group: in the read, in the write
Class: TypeAlias = tuple[Costs, int]  # and how many groups cost as much
Budget: TypeAlias = tuple[Class, ...]
NOTHING: Costs = (0, 0)
MANY = 100
SMALL, FEW = 20, 8  # wavefronts beyond one a group of which the ways to share them out are listed


def budgets(groups: int, read: int, write: int) -> tuple[list[Budget], bool]:
    """Ways to share the wavefronts out among `groups` groups, the most even ones first; are these all that matter?

    >>> budgets(2, 3, 3)
    ([(((1, 2), 1), ((2, 1), 1)), (((1, 1), 1), ((2, 2), 1))], True)
    >>> budgets(16, 30, 16)
    ([(((1, 1), 2), ((2, 1), 14))], True)
    """
    more = read - groups, write - groups
    if 0 in more or sum(more) > SMALL:
        return list(islice(_even(groups, read, write), MANY)), 0 in more
    shares = [share for share in _shares(*more, groups, (), _evened) if _evened(set(share))]
    return sorted(map(_budget, shares), key=_unevenness), True


def all_budgets(groups: int, read: int, write: int) -> list[Budget] | None:
    """All ways to share the wavefronts out, the most even ones first; None where these are too many.

    >>> all_budgets(3, 5, 3), all_budgets(4, 8, 40)
    ([(((1, 1), 1), ((2, 1), 2)), (((1, 1), 2), ((3, 1), 1))], None)
    """
    more = read - groups, write - groups
    if sum(more) > FEW:
        return None
    return sorted(map(_budget, _shares(*more, groups, (), lambda _: True)), key=_unevenness)


def _budget(share: tuple[Costs, ...]) -> Budget:
    return tuple(sorted(Counter((m + 1, n + 1) for m, n in share).items()))


def _shares(
    read: int, write: int, groups: int, given: tuple[Costs, ...], holds: Callable[[Collection[Costs]], bool]
) -> Iterator[tuple[Costs, ...]]:
    """Multisets of `groups` pairs that sum to (read, write), in falling order; what they are but (0, 0) `holds`."""
    if not (read or write):
        yield given + (NOTHING,) * groups
    elif groups:
        last = given[-1] if given else (read, write)
        for m in range(min(read, last[0]), -1, -1):
            for n in range(min(write, last[1]) if m == last[0] else write, -1, -1):
                if (m, n) != NOTHING and holds({*given, (m, n)}):
                    yield from _shares(read - m, write - n, groups - 1, (*given, (m, n)), holds)


def _evened(costs: Collection[Costs]) -> bool:
    """Are all pairs different in parity, and those that are equal on one side neighbours on the other?"""
    differences = [(abs(m - k), abs(n - l)) for (m, n), (k, l) in combinations(costs, 2)]
    return all((dm % 2 or dn % 2) and (dm <= 1 or dn) and (dn <= 1 or dm) for dm, dn in differences)


def _even(groups: int, read: int, write: int) -> Iterator[Budget]:
    """Costs that differ by at most one on either side; those that are high on both sides are few at first."""
    (m, a), (n, b) = divmod(read, groups), divmod(write, groups)
    for both in range(max(0, a + b - groups), min(a, b) + 1):
        counts = {(m + 1, n + 1): both, (m + 1, n): a - both, (m, n + 1): b - both, (m, n): groups - a - b + both}
        yield tuple(sorted((costs, count) for costs, count in counts.items() if count))


def _unevenness(budget: Budget) -> tuple[int, Budget]:
    # Of equally even ones those come first whose groups are high on one side only.
    return sum(count * (m + n) ** 2 for (m, n), count in budget), budget
