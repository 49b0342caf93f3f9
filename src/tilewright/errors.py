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

A message says what is wrong, with the numbers; then where; then what to do.
"""

from __future__ import annotations

from dataclasses import dataclass


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


class OutOfBoundsError(SimulationError):
    """An access outside its buffer."""


class UninitializedError(SimulationError):
    """A read of an element that nothing has written."""


class BarrierError(SimulationError):
    """Threads that must meet at a barrier do not."""


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
    shown = text[start : start + width].replace("\n", " ").replace("\t", " ")
    return f"    {shown}\n    {' ' * (position - start)}^"
