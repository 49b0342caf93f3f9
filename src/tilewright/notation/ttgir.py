"""The structure of Triton GPU IR text: regions, operations, aliases, locations.

    dump   = {alias | op}
    alias  = "#" name "=" ("loc" "(" .. ")" | attribute)
    op     = [result {"," result} "="] name {word | brackets | dictionary | region} [":" types] ["loc" "(" .. ")"]
    region = "{" line end {op | "^" block arguments ":"} "}"

How an operation spells its operands is its own affair: only brackets are followed. It ends with the line on which all
brackets are closed; a region is a brace with nothing behind it on its line. Types lie behind the last colon outside
brackets.
"""

from __future__ import annotations

import re
from typing import NoReturn

from tilewright.errors import NotationError
from tilewright.notation.ttgir_op import BLOCK, Dump, Op
from tilewright.notation.ttgir_signature import arguments, bindings_of, captures_of, dictionary, signature
from tilewright.notation.ttgir_tokens import Tokens, tokenize_dump

MAX_DEPTH = 64
CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
_CLOSERS = frozenset(CLOSING.values())
_SPECIALIZE = "ttg.warp_specialize"
# Words that go on with the operation of the line before.
_GOES_ON = re.compile(r"default|else|do|attributes|partition[0-9]+|iter_args|blocks|threads|args|->|[:,=]")
# Words after which an operation goes on, on whatever line.
_UNFINISHED = frozenset((":", ",", "=", "->"))


def read_dump(text: str) -> Dump:
    """The operations and aliases of a dump; linear in its length.

    Raises:
        NotationError: no text, more than 2^20 characters, brackets that do not match or are nested deeper than 64,
            something that is no operation of a dialect where one begins, or no operation at all.

    >>> dump = read_dump('#b = #ttg.blocked<{order = [0]}>\\n%0 = tt.splat %x : f16 -> tensor<8xf16, #b> loc(#a)')
    >>> [(op.name, op.line, op.operands, op.outputs) for op in dump.walk()], dump.aliases
    ([('tt.splat', 2, ('%x',), ('tensor<8xf16,#b>',))], {'#b': '#ttg.blocked<{order=[0]}>'})
    """
    reader = _Reader(tokenize_dump(text))
    ops: list[Op] = []
    while reader.word:
        if reader.word.startswith("#") and reader.words[reader.at + 1] == "=":
            reader.alias()
        elif reader.word == "{":  # resources of the file
            reader.balanced()
        else:
            ops.append(reader.top())
    if not ops:
        raise NotationError("the text has no operation; a dump is the text of a module")
    return Dump(tuple(ops), reader.aliases, reader.locations)


class _Reader:
    """A cursor over tokens."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.words = tokens.words
        self.lines = tokens.lines
        self.at = 0
        self.aliases: dict[str, str] = {}
        self.locations: dict[str, tuple[str, ...]] = {}

    @property
    def word(self) -> str:
        """The next token; empty at the end."""
        return self.words[self.at]

    def refuse(self, message: str, at: int | None = None) -> NoReturn:
        """Refuse at a token."""
        at = self.at if at is None else at
        raise NotationError(f"line {self.lines[at]}: {message}", self.tokens.text, self.tokens.places[at])

    def first_on_line(self) -> bool:
        """Does the next token begin a line?"""
        return self.at == 0 or self.lines[self.at] != self.lines[self.at - 1]

    def balanced(self) -> list[str]:
        """The tokens of a bracket and all that it holds, which are passed."""
        start, open_ = self.at, [self.word]
        self.at += 1
        while open_:
            self.follow(open_)
            self.at += 1
        return self.words[start : self.at]

    def follow(self, open_: list[str]) -> None:
        """What the next token does to the open brackets."""
        word = self.word
        if not word:
            self.refuse(f"the text ends inside {open_[-1]!r}")
        if word in CLOSING:
            open_.append(word)
            if len(open_) > MAX_DEPTH:
                self.refuse(f"brackets are nested deeper than {MAX_DEPTH}")
        elif word in _CLOSERS and CLOSING[open_.pop()] != word:
            self.refuse(f"{word!r} closes another bracket")

    # ---- aliases

    def alias(self) -> None:
        """`#name = loc(..)`, or `#name = #ttg.kind<..>`."""
        name, start = self.word, self.at + 2
        self.at = start
        if self.word == "loc":
            self.locations[name] = tuple(self.location())
            return
        if not self.word or self.first_on_line():
            self.refuse(f"{name} is given no value")
        self.at += 1
        while not self.first_on_line():
            self.balanced() if self.word in CLOSING else self._pass()
        self.aliases[name] = "".join(self.words[start : self.at])

    def _pass(self) -> None:
        if self.word in _CLOSERS:
            self.refuse(f"{self.word!r} closes no bracket")
        self.at += 1

    def location(self) -> list[str]:
        """The tokens inside `loc(..)`."""
        self.at += 1
        if self.word != "(":
            self.refuse("a location is loc(..)")
        return self.balanced()[1:-1]

    # ---- operations

    def top(self) -> Op:
        """An operation outside all others, which is a module or spelled with its dialect."""
        start = self.at
        op = self.op(0)
        if "." not in op.name and op.name != "module":
            self.refuse(f"{op.name[:40]!r} is no operation: its name has no dialect, as tt.load has", start)
        return op

    def op(self, depth: int) -> Op:
        """One operation, and all that its regions hold."""
        line, start = self.lines[self.at], self.at
        results = self._results()
        name = self.word.strip('"')
        if not name[:1].isalpha() and not name.startswith("_"):
            self.refuse(
                f"expected an operation, got {self.word[:40]!r}" if self.word else "the text ends here", self.at
            )
        self.at += 1
        found = _Body()
        while self._inside(found, start):
            self._step(found, depth)
        words, inputs, outputs = signature(found.words)
        operands = tuple(word for word in words if word.startswith("%"))
        attributes = {key: value for part in found.dictionaries for key, value in dictionary(part).items()}
        bindings = captures_of(words) if name == _SPECIALIZE else bindings_of(words)
        return Op(
            name, line, results, operands, inputs, outputs, attributes, words, bindings,
            tuple(found.regions), tuple(found.location),
        )  # fmt: skip

    def _results(self) -> tuple[str, ...]:
        if not self.word.startswith("%"):
            return ()
        names = []
        sign = ","
        while sign == "," and self.word.startswith("%"):
            names.append(self.word.partition(":")[0])
            self.at += 1
            sign = self.word
            self.at += bool(sign)
        if sign != "=":
            self.refuse("expected '=' after the results of an operation")
        return tuple(names)

    def _inside(self, found: _Body, start: int) -> bool:
        """Does the next token still belong to the operation?"""
        if found.open_:
            return True
        if not self.word or (self.word in _CLOSERS and self.word != ">"):
            return False
        if not self.first_on_line() or self.at == start or self.words[self.at - 1] in _UNFINISHED:
            return True
        return bool(_GOES_ON.fullmatch(self.word))

    def _step(self, found: _Body, depth: int) -> None:
        if self.word == "{" and self.lines[self.at + 1] != self.lines[self.at]:
            found.regions.append(self.region(depth + 1 + len(found.open_)))
        elif self.word == "{" and not found.open_:
            found.dictionaries.append(self.balanced()[1:-1])
        elif self.word == "<" and self.words[self.at + 1] == "{" and not found.open_:
            found.dictionaries.append(self.balanced()[2:-2])
        elif self.word == "loc" and self.words[self.at + 1] == "(":
            inside = self.location()
            found.location = found.location if found.open_ else inside
        else:
            if found.open_ or self.word in CLOSING:
                self.follow(found.open_)
            elif self.word in _CLOSERS:
                self.refuse(f"{self.word!r} closes no bracket")
            found.words.append(self.word)
            self.at += 1

    def region(self, depth: int) -> tuple[Op, ...]:
        """The operations between braces."""
        opened = self.at
        if depth > MAX_DEPTH:
            self.refuse(f"regions are nested deeper than {MAX_DEPTH}")
        self.at += 1
        ops: list[Op] = []
        while self.word != "}":
            if not self.word:
                self.refuse("the text ends inside this region", opened)
            ops.append(self._block() if self.word.startswith("^") else self.op(depth))
        self.at += 1
        return tuple(ops)

    def _block(self) -> Op:
        """`^bb0(%a: f32):`, as an operation whose results are its arguments."""
        line = self.lines[self.at]
        self.at += 1
        words = self.balanced()[1:-1] if self.word == "(" else []
        if self.word != ":":
            self.refuse("expected ':' after a block's name and arguments")
        self.at += 1
        given = arguments(words)
        return Op(BLOCK, line, tuple(given), outputs=tuple(given.values()))


class _Body:
    """What is gathered of an operation while it is read."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.dictionaries: list[list[str]] = []
        self.regions: list[tuple[Op, ...]] = []
        self.location: list[str] = []
        self.open_: list[str] = []
