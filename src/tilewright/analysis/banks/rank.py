"""Bank conflicts by rank over F2, for accesses whose word address is XOR-linear in the bits of the lane.

With P_b the map from lane bits to bank bits and P the map to all word bits: two lanes meet in a bank when they differ
by an element of ker P_b, and want the same word when they differ by one of ker P. So a group is free of conflicts
exactly when ker P_b lies in ker P, and otherwise costs 2^(rank P - rank P_b) wavefronts.
"""

from __future__ import annotations

from collections.abc import Sequence

from tilewright.errors import UsageError, shown
from tilewright.layout.linear.f2 import apply, kernel, rank

MAX_BITS = 64


def f2_ways(columns: Sequence[int], banks: int) -> int:
    """The wavefronts of a group of 2^len(columns) lanes: lane bit i contributes word address `columns[i]` by XOR.

    A constant added by XOR changes nothing. `banks` is a power of two.

    Raises:
        UsageError: columns that are no natural numbers or more than 64, or another number of banks.

    Source: laws 67 and 68; Triton pull request 9661 has the like.

    >>> f2_ways((1, 2, 4, 8, 16), 32), f2_ways((2, 4, 8, 16, 32), 32), f2_ways((0, 0, 0, 0, 0), 32)
    (1, 2, 1)
    """
    return 1 << missing_rank(columns, banks)


def missing_rank(columns: Sequence[int], banks: int) -> int:
    """rank P - rank P_b: how many more independent bank bits the group needs to be free of conflicts.

    An XOR swizzle of b bits adds a matrix of rank at most b to P_b, so it needs b of at least this.

    >>> missing_rank((32, 64, 128), 32)
    3
    """
    words, mask = _checked(columns, banks)
    return rank_above(words, mask)


def rank_above(words: Sequence[int], mask: int) -> int:
    """`missing_rank` of word addresses known to be natural, under the mask of the bank bits."""
    return rank(words) - rank(word & mask for word in words)


def f2_conflict_free(columns: Sequence[int], banks: int) -> bool:
    """Does every combination of lanes that meets in a bank want one and the same word there?

    >>> f2_conflict_free((4, 8, 16), 32), f2_conflict_free((32, 64, 128), 32)
    (True, False)
    """
    words, mask = _checked(columns, banks)
    meeting = kernel(word & mask for word in words)
    return not any(apply(words, lanes) for lanes in meeting)


def _checked(columns: Sequence[int], banks: int) -> tuple[tuple[int, ...], int]:
    """The columns, and the mask of the bank bits."""
    words = tuple(columns) if isinstance(columns, Sequence) else (-1,)
    if len(words) > MAX_BITS or any(type(word) is not int or word < 0 for word in words):
        raise UsageError(
            f"columns are word addresses, natural numbers, one for each bit of the lane; got {shown(columns)}"
        )
    if type(banks) is not int or banks < 1 or banks & (banks - 1):
        raise UsageError(f"the number of banks is a power of two, got {shown(banks)}")
    return words, banks - 1


def xor_columns(values: Sequence[int]) -> tuple[int, ...] | None:
    """The columns of the XOR-affine map i -> values[i] over 2^k points (its constant is values[0]), or None.

    >>> xor_columns((5, 4, 7, 6)), xor_columns((0, 1, 2, 4))
    ((1, 2), None)
    """
    n = len(values)
    if n & (n - 1) or not n:
        return None
    columns = tuple(values[1 << k] ^ values[0] for k in range(n.bit_length() - 1))
    expected = [values[0]]
    for column in columns:
        expected += [value ^ column for value in expected]
    return columns if list(values) == expected else None
