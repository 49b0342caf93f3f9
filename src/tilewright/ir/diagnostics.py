"""Diagnostics: what is wrong with IR text, and where; written as MLIR's tools do."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tilewright.errors import CompileError
from tilewright.ir.core.location import text_of

Severity: TypeAlias = Literal["error", "remark"]

MOST_SHOWN = 120
# A place as `location.place` writes it, and the excerpt that `location.shown` adds.
_PLACE = re.compile(
    r"(?:\n|(?<=`))  (?P<how>at|read from) (?P<file>.*):(?P<line>[0-9]{1,9}):(?P<column>[0-9]{1,9})"
    r"(?:\n    .*\n    *\^)?(?=\n|\Z)"
)
_FROM = "read from"
_READ, _OTHER = "as it stands in the dump", "the other access"


@dataclass(frozen=True)
class Diagnostic:
    """What is wrong at a line and column, both counted from 1; 0 where nobody knows. `text` is that line.

    `notes` are further sentences, each at the same place; `others` are notes with places of their own. `contradicts`:
    the text itself gives one value two types, whatever its ops mean. A `remark` says what a pass left as it was.
    """

    file: str
    line: int
    column: int
    message: str
    text: str = ""
    notes: tuple[str, ...] = ()
    others: tuple[Diagnostic, ...] = ()
    contradicts: bool = False
    kind: Severity = "error"

    def __str__(self) -> str:
        notes = [f"{self._place}: note: {note}" for note in self.notes]
        others = [line for other in self.others for line in other._lines("note")]
        return "\n".join([*self._lines(self.kind), *notes, *others])

    def _lines(self, kind: str) -> list[str]:
        return [f"{self._place}: {kind}: {self.message}", *self._excerpt()]

    @property
    def _place(self) -> str:
        return f"{self.file}:{self.line}:{self.column}" if self.line else self.file

    def _excerpt(self) -> list[str]:
        start = max(0, self.column - 1 - MOST_SHOWN // 2)
        part = self.text[start : start + MOST_SHOWN].replace("\t", " ")
        return [part, f"{' ' * (self.column - 1 - start)}^"] if self.text else []


class DiagnosticError(CompileError):
    """IR that is wrong; `diagnostic` says what and where."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic


def at(file: str, source: str, position: int, message: str, first_line: int = 1) -> Diagnostic:
    """The diagnostic for a position in a source that begins at a line of its file."""
    begin = source.rfind("\n", 0, position) + 1
    end = source.find("\n", position)
    line = first_line + source.count("\n", 0, begin)
    sentence, *notes = [part for part in message.split("\n") if part.strip()] or [""]
    text = source[begin : len(source) if end < 0 else end]
    return Diagnostic(file, line, position - begin + 1, sentence, text, tuple(note.strip() for note in notes))


def of_message(file: str, source: str, message: str, first_line: int = 1, kind: Severity = "error") -> Diagnostic:
    """The diagnostic for a message with places of ops, as `location.place` writes them: at the first.

    What follows on it is notes; other places are notes at these.
    """
    places = list(_PLACE.finditer(message))
    ends = [0, *(found.end() for found in places)]
    starts = [*(found.start() for found in places), len(message)]
    first, *between = [message[end:start] for end, start in zip(ends, starts, strict=True)]
    sentence, *notes = first.split("\n")
    plain = Diagnostic(file, 0, 0, sentence, "", _notes(notes), kind=kind)
    if not places:
        return plain
    lines = source.split("\n")

    def placed(found: re.Match[str], told: Diagnostic) -> Diagnostic:
        line, column = int(found["line"]), int(found["column"])
        inside = found["file"] == file and 0 <= line - first_line < len(lines)
        text = lines[line - first_line] if inside else text_of(found["file"], line)
        return replace(told, file=found["file"], line=line, column=column, text=text)

    heads = [_READ if found["how"] == _FROM else _OTHER for found in places[1:]]
    others = [
        placed(found, Diagnostic(file, 0, 0, "; ".join(_notes(text.split("\n"))) or head))
        for found, head, text in zip(places[1:], heads, between, strict=False)
    ]
    last = _notes(between[-1].split("\n"))
    return replace(placed(places[0], plain), notes=(*plain.notes, *last), others=tuple(others))


def _notes(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(line.strip() for line in lines if line.strip())
