"""What options hold: integers, as `numerals` reads them, and names of files."""

from __future__ import annotations

from argparse import ArgumentTypeError

from tilewright.errors import UsageError, shortened
from tilewright.numerals import integer as read

LIMIT = 2**63


def integer(text: str) -> int:
    """The value of an option that is an integer.

    Raises:
        ArgumentTypeError: it is none, or too large.
    """
    value = read(text.strip(), LIMIT)
    if value is None:
        raise ArgumentTypeError(f"{shortened(text)!r} is no integer below 2^63")
    return value


def file_name(text: str) -> str:
    """The value of an option that names a file.

    Raises:
        ArgumentTypeError: it is empty.
    """
    if not text:
        raise ArgumentTypeError("the name of a file is empty")
    return text


def extents(option: str, text: str) -> tuple[int, int, int]:
    """The three extents that an option says.

    Raises:
        UsageError: it says none.
    """
    found = [read(part.strip(), 1 << 31) for part in text.replace("x", ",").split(",")]
    numbers = [number for number in found if number is not None and number >= 1]
    if not 1 <= len(numbers) == len(found) <= 3:
        raise UsageError(f"--{option} takes one to three extents of at least 1, such as 4,1,1; got {text!r:.100}")
    x, y, z = [*numbers, 1, 1][:3]
    return x, y, z
