"""From the words of locations to MLIR's attributes of them: files, names, calls, and several in one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from xdsl.context import Context
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import Attribute
from xdsl.parser import Parser

from tilewright.notation.ttgir_places import Places
from tilewright.numerals import integer

LIMIT = 1 << 31
MOST_PARTS = 100  # of one location, its aliases written out


class _OtherError(Exception):
    """No location of these kinds, or a large one."""


class Resolver:
    """The locations of a text by its aliases."""

    def __init__(self, aliases: Mapping[str, tuple[str, ...]]) -> None:
        self._aliases = aliases
        self._places = Places(aliases)
        self._known: dict[tuple[str, ...], LocationAttr] = {}

    def __call__(self, words: tuple[str, ...]) -> LocationAttr:
        """The location as it is written; of one of another kind, or a large one, the first line that it names.

        >>> print(Resolver({"#k": ('"k.py"', ":", "7", ":", "9")})(('"x"', "(", "#k", ")")))
        loc("x"("k.py":7:9))
        """
        if words not in self._known:
            try:
                self._known[words] = _Reader(self._aliases).whole(words)
            except _OtherError:
                self._known[words] = self._line(words)
        return self._known[words]

    def _line(self, words: tuple[str, ...]) -> LocationAttr:
        file, _, column = (self._places.source(words) or "").rpartition(":")
        name, _, line = file.rpartition(":")
        return _file(f'"{name}"', line, column) or UNKNOWN_LOC


class _Reader:
    """Reads one location."""

    def __init__(self, aliases: Mapping[str, tuple[str, ...]]) -> None:
        self._aliases = aliases
        self._left = MOST_PARTS

    def whole(self, words: tuple[str, ...]) -> LocationAttr:
        """The location that is all of the words."""
        found, end = self._one(words, 0)
        if end != len(words):
            raise _OtherError
        return found

    def _one(self, words: tuple[str, ...], i: int) -> tuple[LocationAttr, int]:
        self._left -= 1
        first = words[i] if i < len(words) else ""
        if self._left < 0 or not first:
            raise _OtherError
        if first in self._aliases:
            return self.whole(self._aliases[first]), i + 1
        if first.startswith('"'):
            return self._file_or_name(words, i)
        if first in _NAMED:
            return _NAMED[first](self, words, i + 1)
        raise _OtherError

    def _file_or_name(self, words: tuple[str, ...], i: int) -> tuple[LocationAttr, int]:
        match words[i + 1 : i + 5]:
            case (":", line, ":", column) if (found := _file(words[i], line, column)) is not None:
                return found, i + 5
            case (":", *_):
                raise _OtherError
        name = StringAttr(_content(words[i]))
        if words[i + 1 : i + 2] != ("(",):
            return NameLoc(name, NoneAttr()), i + 1
        inner, end = self._one(words, i + 2)
        return NameLoc(name, inner), _past(")", words, end)

    def _unknown(self, words: tuple[str, ...], i: int) -> tuple[LocationAttr, int]:
        return UNKNOWN_LOC, i

    def _call(self, words: tuple[str, ...], i: int) -> tuple[LocationAttr, int]:
        callee, end = self._one(words, _past("(", words, i))
        caller, end = self._one(words, _past("at", words, end))
        return CallSiteLoc(callee, caller), _past(")", words, end)

    def _fused(self, words: tuple[str, ...], i: int) -> tuple[LocationAttr, int]:
        said: Attribute = NoneAttr()
        if words[i : i + 1] == ("<",) and words[i + 1 : i + 2] and words[i + 1].startswith('"'):
            said, i = StringAttr(_content(words[i + 1])), _past(">", words, i + 2)
        inner, end = self._one(words, _past("[", words, i))
        several = [inner]
        while words[end : end + 1] == (",",):
            inner, end = self._one(words, end + 1)
            several.append(inner)
        return FusedLoc(ArrayAttr(several), said), _past("]", words, end)


_NAMED: Mapping[str, Callable[[_Reader, tuple[str, ...], int], tuple[LocationAttr, int]]] = {
    "unknown": _Reader._unknown,
    "callsite": _Reader._call,
    "fused": _Reader._fused,
}


def _past(word: str, words: tuple[str, ...], i: int) -> int:
    if words[i : i + 1] != (word,):
        raise _OtherError
    return i + 1


def _file(name: str, line: str, column: str) -> FileLineColLoc | None:
    """The place; None for what is no line of a file."""
    numbers = [integer(word, LIMIT) for word in (line, column)]
    if len(name) < 3 or numbers[0] is None or numbers[1] is None:
        return None
    return FileLineColLoc(StringAttr(_content(name)), IntAttr(numbers[0]), IntAttr(numbers[1]))


@lru_cache(256)
def _content(literal: str) -> str:
    return Parser(Context(), literal).parse_str_literal() if "\\" in literal else literal[1:-1]
