"""Reading JSON that others may have written: every value is checked, and an error names the place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from tilewright.errors import UsageError, shown
from tilewright.layout.inttuple import IntTuple

T = TypeVar("T")
MAX_NUMBER = 2**63
MAX_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Reader:
    """A value and where it stands.

    >>> Reader({"rows": [3, "x"]}).field("rows").items()[1].read(whole)
    Traceback (most recent call last):
    tilewright.errors.UsageError: scene.rows[1] must be an integer, got 'x'
    """

    value: object
    path: str = "scene"

    def field(self, name: str) -> Reader:
        """A field of an object; None where it is left out."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        return Reader(self.value.get(name), f"{self.path}.{name}")

    def items(self) -> list[Reader]:
        """The items of a list; none where it is left out."""
        return [Reader(item, f"{self.path}[{i}]") for i, item in enumerate(self.values())]

    def values(self) -> Sequence[object]:
        """The items of a list as they are."""
        if self.value is None:
            return ()
        if not isinstance(self.value, list):
            raise self.wrong("a list")
        return self.value

    def read(self, kind: Callable[[object], T]) -> T:
        """The value, if `kind` takes it."""
        try:
            return kind(self.value)
        except TypeError as error:
            raise self.wrong(str(error)) from None

    def all(self, kind: Callable[[object], T]) -> tuple[T, ...]:
        """The items of a list, if `kind` takes each of them."""
        try:
            return tuple(map(kind, self.values()))
        except TypeError:
            return tuple(item.read(kind) for item in self.items())  # the slow way finds the place

    def wrong(self, expected: str) -> UsageError:
        """The error that something else was expected here."""
        return UsageError(f"{self.path} must be {expected}, got {shown(self.value)}")


def whole(value: object) -> int:
    """An integer of 64 bits."""
    if type(value) is not int or not -MAX_NUMBER < value < MAX_NUMBER:
        raise TypeError("an integer")
    return value


def below(limit: int) -> Callable[[object], int]:
    """An integer from 0 on, smaller than the limit."""

    def read(value: object) -> int:
        if type(value) is not int or not 0 <= value < limit:
            raise TypeError(f"an integer from 0 to {limit - 1}")
        return value

    return read


def text(value: object) -> str:
    """A text; empty where it is left out. Halves of characters, which JSON can say, no file or page can hold."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TypeError("a text")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise TypeError("a text of whole characters")
    return value


def truth(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise TypeError("true or false")
    return value


def optional(kind: Callable[[object], T]) -> Callable[[object], T | None]:
    """What `kind` takes, or null."""
    return lambda value: None if value is None else kind(value)


def many(kind: Callable[[object], T]) -> Callable[[object], tuple[T, ...]]:
    """A list of what `kind` takes."""

    def read(value: object) -> tuple[T, ...]:
        if not isinstance(value, list):
            raise TypeError("a list")
        return tuple(map(kind, value))

    return read


def nested(value: object, depth: int = 0) -> IntTuple:
    """An integer, or a list of such, as tuples."""
    if isinstance(value, list) and depth < MAX_DEPTH:
        return tuple(nested(item, depth + 1) for item in value)
    return whole(value)


def lists(value: IntTuple) -> object:
    """The inverse of `nested`."""
    return [lists(item) for item in value] if isinstance(value, tuple) else value
