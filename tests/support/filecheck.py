"""A small FileCheck: do the comments of a test file describe an output?

CHECK, CHECK-NEXT, CHECK-SAME, CHECK-NOT, CHECK-LABEL, CHECK-DAG (in any order among neighbours), CHECK-EMPTY and
CHECK-COUNT-n; `{{regex}}` within, `[[NAME:regex]]` defines and `[[NAME]]` uses. Runs of blanks are one blank.
What follows `COM:` on a line is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

_PIECE = re.compile(r"\{\{(?P<regex>.*?)\}\}|\[\[(?P<name>\w+)(?::(?P<body>.*?)\]\](?!\])|\]\])")

_COMMENT = re.compile(r"(?<![\w-])COM:")


@dataclass(frozen=True)
class Directive:
    kind: str
    pattern: str
    line: int

    def __str__(self) -> str:
        return f"line {self.line}: CHECK{'-' * bool(self.kind)}{self.kind}: {self.pattern}"


def directives(text: str, prefix: str = "CHECK") -> list[Directive]:
    """Those of a test file, in order."""
    form = re.compile(rf"(?<![\w-]){re.escape(prefix)}(?:-(?P<kind>[A-Z]+(?:-\d+)?))?:(?P<pattern>.*)$")
    return list(_directives(text, form))


def _directives(text: str, form: re.Pattern[str]) -> Iterator[Directive]:
    for number, line in enumerate(text.split("\n"), 1):
        found = form.search(_COMMENT.split(line)[0])
        if found:
            kind, _, count = (found["kind"] or "").partition("-")
            for _ in range(int(count or 1)):
                yield Directive("" if kind == "COUNT" else kind, _blanks(found["pattern"].strip()), number)


def mismatch(test: str, output: str, prefix: str = "CHECK") -> str:
    """Which directive the output does not meet; empty where it meets all."""
    checks = directives(test, prefix)
    if not checks:
        return f"there is no {prefix} directive"
    return _Matcher(_blanks(output)).all(checks)


def _blanks(text: str) -> str:
    return re.sub(r"[ \t]+", " ", text)


class _Matcher:
    def __init__(self, text: str) -> None:
        self.text, self.position = text, 0
        self.names: dict[str, str] = {}

    def all(self, checks: list[Directive]) -> str:
        forbidden: list[Directive] = []
        for kind, group in groupby(checks, lambda check: check.kind):
            for together in [list(group)] if kind in ("NOT", "DAG") else [[check] for check in group]:
                if kind == "NOT":
                    forbidden = together
                    continue
                begin, end, missing = self.dags(together) if kind == "DAG" else self.one(together[0])
                if missing:
                    return f"not found: {missing}\n{self.text[self.position :][:300]}"
                if wrong := self.forbidden(forbidden, begin):
                    return wrong
                forbidden, self.position = [], end
        return self.forbidden(forbidden, len(self.text))

    def forbidden(self, checks: list[Directive], end: int) -> str:
        part = self.text[self.position : end]
        return next((f"found: {check}" for check in checks if self.pattern(check).search(part)), "")

    def one(self, check: Directive) -> tuple[int, int, str]:
        found = self.pattern(check).search(self.text, self.position)
        if found is None or not self.placed(check.kind, found.start()):
            return 0, 0, str(check)
        self.bind(found)
        return *found.span(), ""

    def dags(self, checks: list[Directive]) -> tuple[int, int, str]:
        spans: list[tuple[int, int]] = []
        for check in checks:
            places = self.pattern(check).finditer(self.text, self.position)
            found = next((f for f in places if all(f.end() <= a or b <= f.start() for a, b in spans)), None)
            if found is None:
                return 0, 0, str(check)
            self.bind(found)
            spans.append(found.span())
        return min(start for start, _ in spans), max(end for _, end in spans), ""

    def placed(self, kind: str, start: int) -> bool:
        breaks = self.text.count("\n", self.position, start)
        return {"NEXT": breaks == 1, "SAME": breaks == 0, "EMPTY": breaks == 1}.get(kind, True)

    def bind(self, found: re.Match[str]) -> None:
        self.names |= {name: value for name, value in found.groupdict().items() if value is not None}

    def pattern(self, check: Directive) -> re.Pattern[str]:
        parts, last, defined = list[str](), 0, set[str]()
        for piece in _PIECE.finditer(check.pattern):
            parts += [re.escape(check.pattern[last : piece.start()]), self.piece(piece, defined)]
            last = piece.end()
        return re.compile("".join([*parts, re.escape(check.pattern[last:])]) or "(?m)^$")

    def piece(self, piece: re.Match[str], defined: set[str]) -> str:
        if piece["regex"] is not None:
            return f"(?:{piece['regex']})"
        name = piece["name"]
        if piece["body"] is not None:
            defined.add(name)
            return f"(?P<{name}>{piece['body']})"
        return f"(?P={name})" if name in defined else re.escape(self.names.get(name, "\0"))
