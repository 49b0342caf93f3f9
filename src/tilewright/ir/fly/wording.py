"""Spellings in which versions of FlyDSL differ: all are read, and a text is printed in those that it has itself.

The release's are printed where a text does not tell.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

ONE_IN_BRACKETS = "one operand in brackets"
BARE_SPACE = "a memory space without its dialect"

# By what a text has each of them, which are not the release's.
FOUND: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {
        ONE_IN_BRACKETS: re.compile(r"fly\.(?:gemm|mma_atom_call|mma_atom_call_ssa)\([^\n)]{0,400}\[%[\w#.$-]{1,80}\]"),
        BARE_SPACE: re.compile(r"!fly\.(?:ptr|memref)<[^<>\n]{1,80}, ?buffer_desc\b"),
    }
)
# What the release writes, and what is written instead.
SPACES: Mapping[str, tuple[str, str]] = MappingProxyType({BARE_SPACE: ("#fly_rocdl.buffer_desc", "buffer_desc")})


def wording(text: str) -> frozenset[str]:
    """The spellings of a text that are not the release's.

    >>> wording("%v = fly.make_view(%p, %l) : (!fly.ptr<f16, buffer_desc>, !fly.layout<4:1>) -> ..")
    frozenset({'a memory space without its dialect'})
    """
    return frozenset(name for name, pattern in FOUND.items() if pattern.search(text))


def in_words(text: str, words: frozenset[str]) -> str:
    """The text of a type in these spellings.

    >>> in_words("<f16, #fly_rocdl.buffer_desc>", frozenset({BARE_SPACE}))
    '<f16, buffer_desc>'
    """
    for name in SPACES.keys() & words:
        text = text.replace(*SPACES[name])
    return text
