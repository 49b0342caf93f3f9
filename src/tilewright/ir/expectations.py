"""What a test file expects of a tool: `// expected-error @+1 {{words}}`, as MLIR's `-verify-diagnostics` reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilewright.ir.diagnostics import Diagnostic

_EXPECTED = re.compile(
    r"expected-(?P<kind>error|note|remark|warning)(?P<regex>-re)?\s*"
    r"(?:@(?P<where>[+-][0-9]{1,9}|above|below|unknown))?\s*\{\{(?P<words>.*)\}\}\s*$"
)
_PART = re.compile(r"\{\{(.*?)\}\}")


@dataclass(frozen=True)
class Expectation:
    """A diagnostic of a kind that holds the words, at a line; at any where `line` is 0."""

    kind: str
    line: int
    words: str
    regex: bool
    written: int

    def holds(self, kind: str, line: int, message: str) -> bool:
        """Is it this diagnostic?"""
        there = self.line in (0, line)
        return there and kind == self.kind and re.search(self._pattern, message) is not None

    @property
    def _pattern(self) -> str:
        if not self.regex:
            return re.escape(self.words)
        parts = _PART.split(self.words)
        return "".join(part if i % 2 else re.escape(part) for i, part in enumerate(parts))


def expectations(text: str, first_line: int = 1) -> list[Expectation]:
    """Those that the comments of a text state.

    >>> expectations("// expected-error @+2 {{no such}}")[0].line
    3
    """
    return list(_expectations(text, first_line))


def _expectations(text: str, first_line: int) -> Iterator[Expectation]:
    lines = text.split("\n")
    designators = [_EXPECTED.search(line) if "expected-" in line else None for line in lines]
    # Designators may stand one below the other: what is above or below them is the nearest line that is none.
    above = _nearest(designators, range(len(lines)))
    below = _nearest(designators, range(len(lines) - 1, -1, -1))
    for i, found in enumerate(designators):
        if found:
            where = found["where"] or "+0"
            near = {"above": above[i], "below": below[i]}
            at = 0 if where == "unknown" else first_line + (near[where] if where in near else i + int(where))
            yield Expectation(found["kind"], at, found["words"], bool(found["regex"]), first_line + i)


def _nearest(designators: Sequence[re.Match[str] | None], order: range) -> dict[int, int]:
    """For each line the last one before it in that order that is no designator, or the one outside the text."""
    found, nearest = order.start - order.step, dict[int, int]()
    for i in order:
        nearest[i] = found
        found = found if designators[i] else i
    return nearest


def unmet(expected: Sequence[Expectation], told: Sequence[Diagnostic], only_expected: bool = False) -> list[Diagnostic]:
    """What differs: diagnostics that nobody expects, and expectations that no diagnostic meets, each once.

    Args:
        only_expected: other diagnostics may come too.
    """
    waiting, wrong = list(expected), list[Diagnostic]()
    for diagnostic in told:
        met = _meet(waiting, diagnostic.kind, diagnostic.line, diagnostic.message)
        if not met and not only_expected:
            wrong.append(_as_unexpected(diagnostic))
        for note in diagnostic.notes:  # MLIR says some of them as errors of their own
            _meet(waiting, "note", diagnostic.line, note) or _meet(waiting, "error", diagnostic.line, note)
        for other in diagnostic.others:
            _meet(waiting, "note", other.line, other.message)
    file = told[0].file if told else ""
    missing = (f'expected {e.kind} "{e.words}" was not produced' for e in waiting)
    return [*wrong, *(Diagnostic(file, e.written, 1, words) for e, words in zip(waiting, missing, strict=True))]


def _as_unexpected(diagnostic: Diagnostic) -> Diagnostic:
    words = f"unexpected {diagnostic.kind}: {diagnostic.message}"
    return Diagnostic(diagnostic.file, diagnostic.line, diagnostic.column, words, diagnostic.text, diagnostic.notes)


def _meet(waiting: list[Expectation], kind: str, line: int, message: str) -> bool:
    met = next((e for e in waiting if e.holds(kind, line, message)), None)
    if met is not None:
        waiting.remove(met)
    return met is not None
