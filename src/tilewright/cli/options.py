"""What options hold: integers, as `numerals` reads them, and names of files."""

from __future__ import annotations

from argparse import ArgumentTypeError

from tilewright.numerals import integer as read

LIMIT = 2**63
SHOWN = 40


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


def shortened(text: str) -> str:
    """The text as a message may show it.

    >>> shortened("9" * 1000)
    '9999999999999999999999999999999999999999..'
    """
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}.."
