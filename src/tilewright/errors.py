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

from collections.abc import Iterable
from dataclasses import dataclass
from reprlib import Repr
from typing import Any


class TilewrightError(Exception):
    """Base of every exception that the package raises on purpose."""


class LayoutError(TilewrightError, ValueError):
    """No layout satisfies the operation's law, or an operand is not well formed."""


class NotationError(TilewrightError, ValueError):
    """Text that is not in the notation; `text`, `position` locate the first wrong character."""

    def __init__(self, message: str, text: str = "", position: int = 0) -> None:
        super().__init__(f"{message}\n{caret(text, position)}" if text else message)
        self.text = text
        self.position = position


class UsageError(TilewrightError, ValueError):
    """A wrong option, file, dtype or shape; one line for the person who gave it."""


class KernelError(TilewrightError):
    """The source of a kernel is wrong; `location` says where."""

    def __init__(self, message: str, location: SourceLocation | None = None) -> None:
        super().__init__(f"{message}\n{location}" if location else message)
        self.location = location


class DispatchError(TilewrightError, RuntimeError):
    """No variant of a tile primitive accepts the operands; the message is the table of reasons.

    `reasons` holds its rows: (variant, why not).
    """

    def __init__(self, message: str, reasons: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(message)
        self.reasons = reasons


class CompileError(TilewrightError):
    """A pass, the emitter or an external compiler refused."""


class SimulationError(TilewrightError):
    """The simulated kernel did something that the machine leaves undefined."""


class RaceError(SimulationError):
    """Two threads touch one element, one of them writing, with no barrier between."""


class MisalignedError(SimulationError):
    """An access whose address is no multiple of what its instruction asks for."""


class OutOfBoundsError(SimulationError):
    """An access outside its buffer."""


class UninitializedError(SimulationError):
    """A read of an element that nothing has written."""


class BarrierError(SimulationError):
    """Threads that must meet at a barrier do not."""


class AlignmentError(SimulationError):
    """An access at an address that its instruction cannot take."""


@dataclass(frozen=True)
class SourceLocation:
    """A place in a source file; prints as `file:line:column`, the line and a caret."""

    file: str
    line: int
    column: int
    text: str = ""

    def __str__(self) -> str:
        where = f"  at {self.file}:{self.line}:{self.column + 1}"
        return f"{where}\n{caret(self.text, self.column)}" if self.text else where


def caret(text: str, position: int, width: int = 72) -> str:
    """The part of `text` around `position`, with a caret under it."""
    start = max(0, position - width // 2)
    part = text[start : start + width].replace("\n", " ").replace("\t", " ")
    return f"    {part}\n    {' ' * (position - start)}^"


def shown(value: Any) -> str:
    """Any value at all, for a message: short, and never an error itself.

    >>> shown("abc"), shown([1, (2, 3)]), shown(10**5000), shown(tuple(range(100)))
    ("'abc'", '[1, (2, 3)]', 'an integer of 16610 bits', '(0, 1, 2, 3, 4, 5, ...)')
    """
    text = _SHORT.repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 3]}..."


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
_SHORT = _Short()
