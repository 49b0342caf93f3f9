"""The exception tree, and how a message is built.

    TilewrightError
    +-- LayoutError(ValueError)        a layout operation whose law does not hold for these operands
    +-- NotationError(ValueError)      text that cannot be read; carries a caret
    +-- KernelError                    a kernel's source is wrong; carries file, line and caret
    +-- DispatchError(RuntimeError)    no variant of a tile primitive accepts the operands
    +-- CompileError                   a compiler or an IR pass refused
    +-- UsageError(ValueError)         a wrong option, file, dtype or shape given by the user
    +-- SimulationError                the simulated kernel did something undefined
        +-- RaceError
        +-- OutOfBoundsError
        +-- UninitializedError
        +-- BarrierError
        +-- AlignmentError

A message says what is wrong, with the numbers; then where; then what to do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from re import Match
from reprlib import Repr
from typing import TypeVar

from tilewright.fields import misfit

Class = TypeVar("Class", bound=type)


class TilewrightError(Exception):
    """Base of every exception that the package raises on purpose. What it says is text, of whatever it is given.

    Shapes and other values of hundreds of parts are cut in their middle.

    >>> issubclass(LayoutError, TilewrightError), issubclass(LayoutError, ValueError)
    (True, True)
    """

    def __init__(self, *said: object) -> None:
        super().__init__(*(without_middles(as_text(part)) for part in said))


class LayoutError(TilewrightError, ValueError):
    """No layout satisfies the operation's law, or an operand is not well formed.

    >>> from tilewright.layout.layout import Layout
    >>> Layout((4, 8), (1,))
    Traceback (most recent call last):
        ...
    tilewright.errors.LayoutError: shape (4,8) and stride (1) have different profiles
    """


class NotationError(TilewrightError, ValueError):
    """Text that is not in the notation; `text`, `position` locate the first wrong character.

    >>> from tilewright.notation.parse import parse
    >>> parse("(4,8]:(1,4)")
    Traceback (most recent call last):
        ...
    tilewright.errors.NotationError: expected ',' or ')', got ']'
        (4,8]:(1,4)
            ^
    """

    def __init__(self, message: str, text: str = "", position: int = 0) -> None:
        self.text = as_text(text)
        self.position = max(0, min(position, len(self.text))) if isinstance(position, int) else 0
        super().__init__(f"{as_text(message)}\n{caret(self.text, self.position)}" if text else message)


class UsageError(TilewrightError, ValueError):
    """A wrong option, file, dtype or shape; one line for the person who gave it.

    >>> from tilewright.dtypes import dtype
    >>> dtype("f17")
    Traceback (most recent call last):
        ...
    tilewright.errors.UsageError: unknown element type 'f17'; did you mean 'f16'?
    """


class KernelError(TilewrightError):
    """The source of a kernel is wrong; `location` says where.

    >>> print(KernelError("no such name", SourceLocation("kernel.py", 3, 4, "a = b")))
    no such name
      at kernel.py:3:5
        a = b
            ^
    """

    def __init__(self, message: str, location: SourceLocation | None = None) -> None:
        super().__init__(f"{as_text(message)}\n{as_text(location)}" if location else message)
        self.location = location

    def called_by(self, name: str, place: str) -> None:
        """Adds to the message from where the function is called in which this is wrong."""
        self.args = (f"{self.args[0]}\n  called by {as_text(name)} at {as_text(place)}",)


class DispatchError(TilewrightError, RuntimeError):
    """No variant of a tile primitive accepts the operands; the message is the table of reasons.

    `reasons` holds its rows: (variant, why not).

    >>> DispatchError("no variant", (("xor", "extents differ"),)).reasons
    (('xor', 'extents differ'),)
    """

    def __init__(self, message: str, reasons: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(message)
        self.reasons = reasons


class CompileError(TilewrightError):
    """A pass, the emitter or an external compiler refused.

    >>> raise CompileError("the emitter has no such type")
    Traceback (most recent call last):
        ...
    tilewright.errors.CompileError: the emitter has no such type
    """


class SimulationError(TilewrightError):
    """The simulated kernel did something that the machine leaves undefined; `turns` are those of the loops around it.

    `sides` are the accesses that it is about, where they are known. `trace` is what traced lanes did until then, if
    any were: a `Trace`, whose last step is this.

    >>> error = SimulationError("it went wrong")
    >>> error.within("j = 2"), error.within("i = 0")
    (None, None)
    >>> print(error)
    it went wrong
      in the turn i = 0, j = 2
    """

    turns: tuple[str, ...] = ()
    sides: tuple[object, ...] = ()
    trace: object = None

    def within(self, turn: str) -> None:
        """It happened in this turn of a loop around those that are known."""
        self.turns = (turn, *self.turns)

    def __str__(self) -> str:
        text = super().__str__()
        return f"{text}\n  in the turn {', '.join(self.turns)}" if self.turns else text


class RaceError(SimulationError):
    """Two threads touch one element, one of them writing, with no barrier between.

    >>> issubclass(RaceError, SimulationError)
    True
    """


class OutOfBoundsError(SimulationError):
    """An access outside its buffer.

    >>> issubclass(OutOfBoundsError, SimulationError)
    True
    """


class UninitializedError(SimulationError):
    """A read of an element that nothing has written.

    >>> issubclass(UninitializedError, SimulationError)
    True
    """


class BarrierError(SimulationError):
    """Threads that must meet at a barrier do not.

    >>> issubclass(BarrierError, SimulationError)
    True
    """


class AlignmentError(SimulationError):
    """An access at an address that its instruction cannot take.

    >>> issubclass(AlignmentError, SimulationError)
    True
    """


class MisalignedError(AlignmentError):
    """An access whose address is no multiple of what its instruction asks for."""


def typed_fields(cls: Class) -> Class:
    """Makes a dataclass refuse fields that are not of their declared types, before its own `__post_init__` looks.

    Raises:
        UsageError: when a value is made, one of its fields is of another type.

    >>> @dataclass(frozen=True)
    ... @typed_fields
    ... class Box:
    ...     extents: tuple[int, int]
    >>> Box((4, "8"))
    Traceback (most recent call last):
        ...
    tilewright.errors.UsageError: Box: extents is of type tuple[int, int], got (4, '8')
    """
    own = cls.__dict__.get("__post_init__")

    def __post_init__(self: object) -> None:  # noqa: N807  # the name that dataclasses look for
        if wrong := misfit(self):
            given = shown(getattr(self, wrong.name))
            raise UsageError(f"{type(self).__name__}: {wrong.name} is of type {wrong.declared}, got {given}")
        if own:
            own(self)

    cls.__post_init__ = __post_init__  # type: ignore[attr-defined]  # what dataclasses call
    return cls


@dataclass(frozen=True)
@typed_fields
class SourceLocation:
    """A place in a source file; prints as `file:line:column`, the line and a caret.

    Raises:
        UsageError: a field of another type.

    >>> print(SourceLocation("kernel.py", 3, 4, "a = b"))
      at kernel.py:3:5
        a = b
            ^
    """

    file: str
    line: int
    column: int
    text: str = ""

    def __str__(self) -> str:
        where = f"  at {self.file}:{self.line}:{self.column + 1}"
        return f"{where}\n{caret(self.text, self.column)}" if self.text else where


def caret(text: str, position: int, width: int = 100) -> str:
    """The text, or so much of it around `position`, with a caret under it; dots stand where it goes on.

    >>> caret("total = total + s[t]", 16, width=8).split("\\n")
    ['    ...l + s[t]', '           ^']
    """
    start = max(0, position - width // 2) if len(text) > width else 0
    before, after = "..." * (start > 0), "..." * (start + width < len(text))
    part = text[start : start + width].replace("\n", " ").replace("\t", " ")
    return f"    {before}{part}{after}\n    {' ' * (len(before) + position - start)}^"


def as_text(value: object) -> str:
    """A text as it is, a place in a source as it prints, anything else `shown`."""
    return str(value) if isinstance(value, str | SourceLocation) else shown(value)


def without_middles(text: str) -> str:
    """The text, of whose long values, parts between commas or semicolons without words, both ends are left.

    >>> len(without_middles(f"shape {'(2,3),' * 999} differs")), without_middles("(2,3) differs")
    (330, '(2,3) differs')
    """
    return text if len(text) <= MOST_VALUE else _VALUE.sub(_ends, text)


def _ends(value: Match[str]) -> str:
    whole = value.group()
    return whole if len(whole) <= MOST_VALUE else f"{whole[:MOST_END]} .. {whole[-MOST_END:]}"


def counted(n: int, what: str) -> str:
    """`1 wavefront`, `2 wavefronts`."""
    return f"{n} {what}{'' if n == 1 else 's'}"


def shown(value: object) -> str:
    """Any value at all, for a message: short, and never an error itself.

    >>> shown("abc"), shown([1, (2, 3)]), shown(10**5000), shown(tuple(range(100)))
    ("'abc'", '[1, (2, 3)]', 'an integer of 16610 bits', '(0, 1, 2, 3, 4, 5, ...)')
    """
    text = _SHORT.repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


def shortened(text: str) -> str:
    """The text as a message may show it.

    >>> shortened("9" * 1000)
    '9999999999999999999999999999999999999999..'
    """
    return text if len(text) <= MOST_TOLD else f"{text[:MOST_TOLD]}.."


def close_names(name: str, known: Iterable[str], most: int = 1, likeness: float = 0.6) -> list[str]:
    """The known names that were perhaps meant, the closest first.

    >>> close_names("laneld", ["warpid", "laneid"])
    ['laneid']
    """
    from difflib import get_close_matches  # here: only what is misspelled needs it

    return get_close_matches(name[:MOST_SHOWN], list(known), most, likeness)


class _Short(Repr):
    """`repr` with bounds, of integers of any length too, which Python itself refuses to write."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = 4 * MOST_SHOWN

    def repr_int(self, x: int, level: int) -> str:
        return repr(x) if x.bit_length() <= 2 * MOST_SHOWN else f"an integer of {x.bit_length()} bits"


MOST_SHOWN = 80
MOST_VALUE, MOST_END = 400, 160  # characters of a value; of each end of a longer one
# A separator between each two parts, which hold none: what is searched is passed once.
_VALUE = re.compile(r"[^\s,;|]+(?:[,;|] ?[^\s,;|]+)*[,;|]*")
MOST_TOLD = 40  # characters of what somebody wrote
_SHORT = _Short()
