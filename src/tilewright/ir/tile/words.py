"""Words that ops take."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.utils.exceptions import VerifyException


def check_one_of(what: str, found: str, known: Sequence[str]) -> None:
    """Raises `VerifyException` unless the word is one of these."""
    if found not in known:
        raise VerifyException(f"{what} {found!r} is none of {', '.join(known)}")
