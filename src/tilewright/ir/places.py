"""The locations that MLIR text says: `loc("k.py":7:9)`, aliases, call sites.

They are taken out before the text is read, which no other position changes: blanks stand in their place.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass

# A string, a comment, or the beginning of a location; perhaps of an alias.
_SPOT = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|//[^\n]*'
    r"|(?P<loc>(?:(?P<alias>#[\w$.-]+)\s*=\s*)?(?<![\w%@^!.$#-])loc\s*\()"
)
_INSIDE = re.compile(r'"(?:[^"\\\n]|\\.)*"|(?P<bracket>[()])')
_WORD = re.compile(r'"(?:[^"\\\n]|\\.)*"|#?[\w$.-]+|[^\s\w]')


@dataclass(frozen=True)
class Located:
    """A text without its locations, and where they stood, in their order, with what each of them says."""

    text: str
    spots: tuple[tuple[int, int, tuple[str, ...]], ...]
    aliases: Mapping[str, tuple[str, ...]]

    def at(self, start: int, end: int) -> tuple[str, ...]:
        """The words of the location that ends the text from start to end; none where another thing does."""
        i = bisect_left(self.spots, (end,)) - 1
        if i < 0 or self.spots[i][0] < start:
            return ()
        _, stop, words = self.spots[i]
        return words if not self.text[stop:end].strip() else ()


def located(text: str) -> Located:
    """The text without locations; brackets that do not match are left to the parser.

    >>> found = located('f loc(#a)\\n#a = loc("k.py":7:9)')
    >>> found.text.split(), found.at(0, 10), found.aliases["#a"]
    (['f'], ('#a',), ('"k.py"', ':', '7', ':', '9'))
    """
    if "loc" not in text:
        return Located(text, (), {})
    parts, spots, aliases, last = [], [], {}, 0
    for found in _SPOT.finditer(text):
        if not found["loc"] or found.start() < last:
            continue
        end = _end(text, found.end())
        if end is None:  # and no bracket around it closes either
            break
        words = tuple(_WORD.findall(text[found.end() : end - 1]))
        if found["alias"]:
            aliases[found["alias"]] = words
        else:
            spots.append((found.start(), end, words))
        parts += [text[last : found.start()], re.sub(r"[^\n]", " ", text[found.start() : end])]
        last = end
    return Located("".join((*parts, text[last:])), tuple(spots), aliases)


def _end(text: str, start: int) -> int | None:
    """Behind the bracket that closes the one before `start`."""
    depth = 1
    for found in _INSIDE.finditer(text, start):
        depth += {"(": 1, ")": -1, None: 0}[found["bracket"]]
        if depth == 0:
            return found.end()
    return None
