"""Intervals of integers, and what an operation makes of two of them.

Each rule takes intervals that hold the operands and gives one that holds every result, whatever 64 bits do.
"""

from __future__ import annotations

from typing import TypeAlias

# Lowest and highest value; None where there is no bound.
Range: TypeAlias = tuple[int | None, int | None]

UNKNOWN: Range = (None, None)
NATURAL: Range = (0, None)
BITS = 64


def is_natural(found: Range) -> bool:
    """Is every value at least 0?"""
    return found[0] is not None and found[0] >= 0


def single(found: Range) -> int | None:
    """The one value of the interval, if it has one."""
    return found[0] if found[0] == found[1] else None


def added(left: Range, right: Range) -> Range:
    """Of the sums.

    >>> added((0, 7), (1, None))
    (1, None)
    """
    (a, b), (c, d) = left, right
    return (None if a is None or c is None else a + c), (None if b is None or d is None else b + d)


def subtracted(left: Range, right: Range) -> Range:
    """Of the differences."""
    (a, b), (c, d) = left, right
    return (None if a is None or d is None else a - d), (None if b is None or c is None else b - c)


def multiplied(left: Range, right: Range) -> Range:
    """Of the products."""
    (a, b), (c, d) = left, right
    if a is not None and b is not None and c is not None and d is not None:
        corners = [x * y for x in (a, b) for y in (c, d)]
        return min(corners), max(corners)
    return NATURAL if is_natural(left) and is_natural(right) else UNKNOWN


def floor_divided(left: Range, right: Range) -> Range:
    """Of the quotients by one positive number, rounded down.

    >>> floor_divided((-5, 7), (2, 2))
    (-3, 3)
    """
    (a, b), divisor = left, single(right)
    if divisor is None or divisor <= 0:
        return UNKNOWN
    return (None if a is None else a // divisor), (None if b is None else b // divisor)


def divided(left: Range, right: Range) -> Range:
    """Of the quotients of natural numbers by one positive number."""
    return floor_divided(left, right) if is_natural(left) else UNKNOWN


def remainders(left: Range, right: Range) -> Range:
    """Of the remainders of natural numbers by one positive number."""
    divisor = single(right)
    return (0, divisor - 1) if divisor and divisor > 0 and is_natural(left) else UNKNOWN


def masked(left: Range, right: Range) -> Range:
    """Of `&`: no more than either natural side."""
    tops = [side[1] for side in (left, right) if is_natural(side)]
    return (0, min((top for top in tops if top is not None), default=None)) if tops else UNKNOWN


def natural_bits(left: Range, right: Range) -> Range:
    """Of `|` and `^` of natural numbers: nothing but that, on purpose (see `ranges.Ranges`)."""
    return NATURAL if is_natural(left) and is_natural(right) else UNKNOWN


def joined_bits(left: Range, right: Range) -> Range:
    """Of `|` and `^` of natural numbers: no more bits than the longer has.

    >>> joined_bits((0, 4), (0, 9))
    (0, 15)
    """
    if not (is_natural(left) and is_natural(right)):
        return UNKNOWN
    if left[1] is None or right[1] is None:
        return NATURAL
    return 0, (1 << max(left[1].bit_length(), right[1].bit_length())) - 1


def shifted_left(left: Range, right: Range) -> Range:
    """Of natural numbers shifted by one number of places."""
    (a, b), places = left, single(right)
    if a is None or a < 0 or places is None or not 0 <= places < BITS:
        return UNKNOWN
    return a << places, (None if b is None else b << places)


def shifted_right(left: Range, right: Range) -> Range:
    """Of numbers, read as unsigned, shifted by one number of places.

    >>> shifted_right((8, 31), (2, 2)), shifted_right((-2, 7), (60, 60))
    ((2, 7), (0, 15))
    """
    (a, b), places = left, single(right)
    if places is None or not 0 <= places < BITS:
        return UNKNOWN
    if a is None or a < 0:
        return (0, (1 << BITS - places) - 1) if places else UNKNOWN
    return a >> places, (None if b is None else b >> places)


def either(left: Range, right: Range) -> Range:
    """Of a choice between the two."""
    (a, b), (c, d) = left, right
    return (None if a is None or c is None else min(a, c)), (None if b is None or d is None else max(b, d))


def either_natural(left: Range, right: Range) -> Range:
    """Of a choice between two natural numbers; read as unsigned, a negative one is the larger."""
    return either(left, right) if is_natural(left) and is_natural(right) else UNKNOWN
