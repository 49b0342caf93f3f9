"""What a tab asks for: fields as data, of which a page makes a form; and what was given, read field by field."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from tilewright.errors import NotationError, TilewrightError, UsageError, shown
from tilewright.numerals import integer

Value = TypeVar("Value")
KINDS = ("text", "lines", "number", "choice", "flag", "trace")
MOST = 4096  # characters of one field
SET = "1"  # a flag that is on


@dataclass(frozen=True, slots=True)
class Field:
    """One input of a tab, whose value is a text: a number in decimals, a choice by its name, a flag "1" or "".

    Attributes:
        kind: `text`, `lines` (text of several lines), `number`, `choice`, `flag`, or `trace`: one of the options, or
            the name that `Engine.drop` gave to a file's content.
        default: what it is where nothing is given.
        help: what may be written there.
        options: of a choice or a trace, the values.
        least, most: of a number.
        wanted: (field, values): it is asked for only while another field has one of these values.
    """

    name: str
    label: str
    kind: str = "text"
    default: str = ""
    help: str = ""
    options: tuple[str, ...] = ()
    least: int = 0
    most: int = 1 << 16
    wanted: tuple[str, tuple[str, ...]] | None = None

    def to_json(self) -> dict[str, object]:
        """As a page reads it."""
        data: dict[str, object] = {
            "name": self.name,
            "label": self.label,
            "kind": self.kind,
            "default": self.default,
            "help": self.help,
        }
        data |= {"options": list(self.options)} if self.kind in ("choice", "trace") else {}
        data |= {"least": self.least, "most": self.most} if self.kind == "number" else {}
        return data | ({"wanted": [self.wanted[0], list(self.wanted[1])]} if self.wanted else {})


class FieldError(UsageError):
    """A field that cannot be read or shown; `position` is the wrong character, -1: all of it."""

    def __init__(self, field: str, message: str, position: int = -1) -> None:
        super().__init__(message)
        self.field, self.position = field, position

    def to_json(self) -> dict[str, object]:
        """As a page reads it."""
        return {"field": self.field, "message": str(self), "position": self.position}


@dataclass(frozen=True, slots=True)
class Inputs:
    """The texts given for the fields of a tab."""

    fields: Mapping[str, Field]
    given: Mapping[str, str]

    def text(self, name: str) -> str:
        """What was given, or the default.

        Raises:
            FieldError: a choice that there is not, more than 4096 characters.
        """
        field = self.fields[name]
        value = self.given.get(name, field.default)
        if len(value) > MOST:
            raise FieldError(name, f"{len(value)} characters are too many, the limit is {MOST}", MOST)
        if field.kind == "choice" and value not in field.options:
            raise FieldError(name, f"choose one of {', '.join(field.options)}, not {shown(value)}")
        return value

    def flag(self, name: str) -> bool:
        """Is it set?"""
        return self.text(name) == SET

    def number(self, name: str) -> int:
        """The integer given.

        Raises:
            FieldError: no integer, or one outside of the field's range.
        """
        field, text = self.fields[name], self.text(name)
        value = integer(text.strip(), 1 << 62)
        if value is None or not field.least <= value <= field.most:
            raise FieldError(name, f"{field.label} is a number from {field.least} to {field.most}, got {shown(text)}")
        return value

    def read(self, name: str, reader: Callable[[str], Value]) -> Value:
        """What the reader makes of the text.

        Raises:
            FieldError: what the reader refuses, at the place that it names.
        """
        with blaming(name):
            return reader(self.text(name))


@contextmanager
def blaming(name: str) -> Iterator[None]:
    """What is refused within is said of the field.

    >>> from tilewright.notation import parse
    >>> try:
    ...     with blaming("layout"):
    ...         layout = parse("(4,8):(1,4")
    ... except FieldError as error:
    ...     print(error.field, error.position)
    layout 10
    """
    try:
        yield
    except FieldError:
        raise
    except NotationError as error:
        raise FieldError(name, str(error).split("\n")[0], error.position) from None
    except TilewrightError as error:
        raise FieldError(name, str(error)) from None
