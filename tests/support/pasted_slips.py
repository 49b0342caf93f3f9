"""Slips of whoever pastes: words and characters that go missing, come twice or are others, and other numbers."""

from __future__ import annotations

import copy
import itertools
import random
import re
from collections.abc import Iterator
from typing import Any

from parser_fuzz import outcome
from pasted import Row, agrees, leaves, rows

from tilewright.errors import LayoutError, NotationError
from tilewright.notation import parse

WORD = re.compile(r"\w+|\s+|.", re.DOTALL)
NUMBER = re.compile(r"(?<![\w#])_?(\d+)(?![\w.])")
LETTERS = "<>()[]{},:;@*&=._ 0123456789CSotx-#\"'é"
REFUSALS = ("cannot be read", "no such object")


def slips(seed: int, count: int) -> Iterator[str]:
    """So many texts with one or two slips each."""
    rng = random.Random(seed)
    for _ in range(count):
        text = rng.choice(rows())["text"]
        for _ in range(rng.choice([1, 1, 2])):
            text = rng.choice(_SLIPS)(rng, text)
        yield text


def _of_words(rng: random.Random, text: str) -> str:
    words = WORD.findall(text) or [""]
    at = rng.randrange(len(words))
    words[at : at + 1] = rng.choice([[], [words[at]] * 2, [rng.choice(words)], [words[at], rng.choice(words)]])
    return "".join(words)


def _of_characters(rng: random.Random, text: str) -> str:
    at = rng.randrange(len(text) + 1)
    return text[:at] + rng.choice(["", rng.choice(LETTERS), text[at : at + 1] * 2]) + text[at + 1 :]


def _cut(rng: random.Random, text: str) -> str:
    return text[: rng.randrange(len(text) + 1)]


_SLIPS = (_of_words, _of_words, _of_characters, _cut)


def wrong(text: str) -> tuple[str, str]:
    """What came of a text, and what is wrong with that: a caret of ours or a right parse is not."""
    came, seconds = outcome(text, parse)
    if came not in ("read", *REFUSALS):
        return came, came
    if seconds > 1:
        return came, f"took {seconds:.2f} s"
    return came, "" if came == "read" or not text.strip() or _has_caret(text) else "is refused without a caret"


def _has_caret(text: str) -> bool:
    try:
        parse(text)
    except (NotationError, LayoutError) as error:
        return str(error).endswith("^")
    return False


def renumbered(seed: int, count: int) -> Iterator[tuple[str, Row]]:
    """Texts in which one number is another, and so is the statement's: another known form, whose values follow."""
    rng = random.Random(seed)
    plain = [row for row in rows() if _numbers(row["text"]) == _said(row)]
    for _ in range(count):
        row = rng.choice(plain)
        k, value = rng.randrange(len(_numbers(row["text"]))), rng.choice([1, 2, 3, 5, 7, 8, 16, 64])
        place = [found.span(1) for found in NUMBER.finditer(row["text"])][k]
        text = row["text"][: place[0]] + str(value) + row["text"][place[1] :]
        yield text, _with(row, k, value)


def _numbers(text: str) -> list[int]:
    return [int(found[1]) for found in NUMBER.finditer(text)]


def _said(row: Row) -> list[Any] | None:
    if "shape" not in row or {"swizzle", "offset"} & {*row}:
        return None
    found = [*leaves(row["shape"]), *leaves(row["stride"])]
    return found if all(isinstance(x, int) for x in found) else None


def _with(row: Row, k: int, value: int) -> Row:
    changed = copy.deepcopy(row)
    extents = len([*leaves(row["shape"])])
    key, at = ("shape", k) if k < extents else ("stride", k - extents)
    changed[key] = _replaced(changed[key], itertools.count(at, -1), value)
    return changed


def _replaced(tree: Any, left: Iterator[int], value: int) -> Any:
    """The leaf at which the count reaches 0 is another."""
    if isinstance(tree, list):
        return [_replaced(item, left, value) for item in tree]
    return value if next(left) == 0 else tree


def follows(text: str, row: Row) -> bool:
    """Is the text read, with the values that the statement says?"""
    return agrees(parse(text), row)
