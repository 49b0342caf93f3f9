"""The one reader of numbers in text: ASCII digits alone, and never more of them than the limit has."""

from __future__ import annotations

DIGITS = frozenset("0123456789")
HEX_DIGITS = DIGITS | frozenset("abcdefABCDEF")


def is_digits(text: str) -> bool:
    """Is it one ASCII digit or more, and nothing else? Python's own predicates also take `²` and `٣`.

    >>> is_digits("42"), is_digits("²"), is_digits("")
    (True, False, False)
    """
    return bool(text) and DIGITS.issuperset(text)


def natural(text: str, below: int) -> int | None:
    """The number that ASCII digits write; None for other text, and for numbers from `below` on, however long.

    >>> natural("0042", 100), natural("100", 100), natural("9" * 5000, 100), natural("1_0", 100)
    (42, None, None, None)
    """
    significant = text.lstrip("0") or "0"
    if not is_digits(text) or len(significant) > len(str(below)):
        return None
    value = int(significant)
    return value if value < below else None


def hexadecimal(text: str, below: int) -> int | None:
    """The number that `0x` and hexadecimal digits write; None for other text, and for numbers from `below` on.

    >>> hexadecimal("0x7f00", 1 << 16), hexadecimal("0x10000", 1 << 16), hexadecimal("0x", 16), hexadecimal("7f", 256)
    (32512, None, None, None)
    """
    digits = text[2:].lstrip("0") or text[2:3]
    if (
        text[:2] not in ("0x", "0X")
        or not digits
        or not HEX_DIGITS.issuperset(digits)
        or len(digits) > len(f"{below:x}")
    ):
        return None
    value = int(digits, 16)
    return value if value < below else None


def integer(text: str, below: int) -> int | None:
    """The number with its sign, |number| < `below`; None for other text.

    >>> integer("-7", 100), integer("+7", 100), integer("--7", 100)
    (-7, 7, None)
    """
    value = natural(text[1:] if text[:1] in ("-", "+") else text, below)
    return -value if value is not None and text.startswith("-") else value
