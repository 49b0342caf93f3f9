"""From text to tokens: one scan, left to right, no regular expression.

A token's kind is `int`, `name`, `string`, `end`, or the punctuation itself: a parser asks for `"("`.
"""

from __future__ import annotations

from typing import NamedTuple

from tilewright.errors import NotationError, shown
from tilewright.numerals import DIGITS

MAX_TEXT = 2**20
MAX_TOKENS = 2**17
MAX_NAME = 256
MAX_QUOTED = 2**14

_NAME_START = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_NAME = _NAME_START | DIGITS
_PUNCTUATION = frozenset("()[]{}<>,:;|@+-*=?#&.!")
_COMPOSE = "∘"


class Token(NamedTuple):
    """A piece of text and where it starts."""

    kind: str
    text: str
    at: int

    @property
    def end(self) -> int:
        """The position after the last character."""
        return self.at + len(self.text)


def tokenize(text: str, start: int = 0, stop: int | None = None) -> list[Token]:
    """The tokens of `text[start:stop]`, the last one of kind `end`; blanks and line ends separate and vanish.

    Raises:
        NotationError: a character that no notation has, or text beyond the limits.

    >>> [token.kind for token in tokenize("(4, 8):_")]
    ['(', 'int', ',', 'int', ')', ':', 'name', 'end']
    """
    if len(text) > MAX_TEXT:
        raise NotationError(f"the text has {len(text)} characters, more than {MAX_TEXT}")
    tokens: list[Token] = []
    at, stop = start, len(text) if stop is None else stop
    while at < stop:
        if text[at].isspace():
            at += 1
            continue
        token = _token(text, at)
        if len(tokens) == MAX_TOKENS:
            raise NotationError(f"the text has more than {MAX_TOKENS} tokens", text, at)
        tokens.append(token)
        at = token.end
    tokens.append(Token("end", "", stop))
    return tokens


def _token(text: str, at: int) -> Token:
    char = text[at]
    if char in DIGITS:
        return Token("int", _run(text, at, DIGITS), at)
    if char in _NAME_START:
        return _name(text, at)
    if char == "-" and text[at + 1 : at + 2] == ">":
        return Token("->", "->", at)
    if char in _PUNCTUATION:
        return Token(char, char, at)
    if char == _COMPOSE:
        return Token("name", char, at)
    if char == '"':
        return _string(text, at)
    raise NotationError(f"unexpected character {shown(char)}", text, at)


def _run(text: str, at: int, allowed: frozenset[str]) -> str:
    end = at
    while end < len(text) and text[end] in allowed:
        end += 1
    return text[at:end]


def _name(text: str, at: int) -> Token:
    name = _run(text, at, _NAME)
    if len(name) > MAX_NAME:
        raise NotationError(f"a name of {len(name)} characters, more than {MAX_NAME}", text, at)
    return Token("name", name, at)


def _string(text: str, at: int) -> Token:
    end = text.find('"', at + 1, at + MAX_QUOTED + 2)
    if end < 0:
        raise NotationError(f"a quoted text without its closing quote within {MAX_QUOTED} characters", text, at)
    return Token("string", text[at : end + 1], at)
