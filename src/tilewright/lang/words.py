"""`Row`: an instruction of PTX by its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from keyword import iskeyword
from typing import TypeAlias

from tilewright.lang.rows import Builder, Function

Words: TypeAlias = frozenset[str]


@dataclass(frozen=True)
class Row:
    """An instruction: the words that it needs, those that it may have, and what it does, given all of them.

    What it does is a function of the tracer and the operands, whose names and defaults are its signature.
    """

    needed: Words
    optional: Words
    builder: Callable[[Words], Builder]
    text: str
    summary: str

    @staticmethod
    def of(needed: str, optional: str, builder: Callable[[Words], Builder], summary: str) -> Row:
        """The row of these words, written with spaces between."""
        return Row(frozenset(needed.split()), frozenset(optional.split()), builder, needed.replace(" ", "."), summary)

    @property
    def signature(self) -> str:
        """The call as it is written, without the words that may be left out."""
        words = (word.replace("::", "__") + "_" * iskeyword(word) for word in self.text.split("."))
        return Function(f"ptx.{'.'.join(words)}", self.builder(frozenset(self.text.split("."))), "").signature

    def has(self, words: Words) -> bool:
        """Are these words the instruction?"""
        return self.needed <= words <= self.needed | self.optional
