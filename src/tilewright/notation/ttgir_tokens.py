"""From the text of a Triton GPU dump to tokens with their lines: one scan, linear in the text.

A token is its text: `%x_3`, `%acc#1`, `#blocked`, `!ttg.memdesc`, `@name`, `"a string"`, `->`, a word with its dots
(`ttg.local_load`, `128x64xf16`, `0.5`), or one character of punctuation. Blanks and comments separate and vanish.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tilewright.errors import NotationError, shown

MAX_TEXT = 2**20

# Every alternative begins with another character and repeats one class only: no backtracking.
_TOKEN = re.compile(
    r"(?P<newline>\n)|[ \t\r\f\v]+|//[^\n]*"
    r'|(?P<token>%(?:[\w$.]|-(?!>))+(?:[#:][0-9]+)?|[#!@^][\w$.]+|[\w$][\w$.]*|->|"(?:[^"\\\n]|\\.)*"|[()\[\]{}<>,:=*+\-?/|.&;#@!^~\'])'
    r"|(?P<other>.)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens, and for each its line, counted from 1, and its place in the text; the last one is empty."""

    text: str
    words: list[str]
    lines: list[int]
    places: list[int]


def tokenize_dump(text: str) -> Tokens:
    """The tokens of a dump.

    Raises:
        NotationError: no text, more than 2^20 characters, or a character that no dump has.

    >>> tokenize_dump("%0 = tt.splat %N : i32 -> tensor<64xi32>").words[:6]
    ['%0', '=', 'tt.splat', '%N', ':', 'i32']
    """
    if not isinstance(text, str):
        raise NotationError(f"expected text, got {type(text).__name__}")
    if len(text) > MAX_TEXT:
        raise NotationError(f"the dump has {len(text)} characters, more than {MAX_TEXT}")
    words: list[str] = []
    lines: list[int] = []
    places: list[int] = []
    line = 1
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup
        if kind == "token":
            words.append(found.group())
            lines.append(line)
            places.append(found.start())
        elif kind == "newline":
            line += 1
        elif kind == "other":
            raise NotationError(f"line {line}: unexpected character {shown(found.group())}", text, found.start())
    # The end stands on a line of its own, so that it ends whatever is open.
    return Tokens(text, [*words, ""], [*lines, line + 1], [*places, len(text)])
