"""The texts that other libraries print: each parses, and prints as it came up to blanks and CuTe's `_4`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import tirx_rows

from tilewright.errors import LayoutError
from tilewright.layout.inttuple import leaves
from tilewright.notation import parse, parse_fly, parse_int_tuple, parse_tirx, text, to_fly
from tilewright.notation.printers import is_tiler
from tilewright.notation.tokens import tokenize

TEXTS = json.loads(gzip.decompress((Path(__file__).parents[1] / "data" / "notation_texts.json.gz").read_bytes()))


def plain(words: str) -> str:
    """Without blanks, the known bits of an offset (`M0|(192&192)=192`), and the mark of compile-time integers."""
    before, bits, after = words.partition("M0|(")
    tokens = (token.text for token in tokenize(before + after.partition("=")[2] if bits else words))
    return "".join(word[1:] if word.startswith("_") and word[1:].isdigit() else word for word in tokens)


def is_lawless(words: str) -> bool:
    """Does the text show a swizzle whose fields overlap, or an extent below 1?"""
    if words.startswith("S<") and " o " not in words:
        b, _, s = map(int, words[2:-1].split(","))
        return abs(s) < b
    shape, colon, _ = words.partition(":")
    tuple_like = colon and not shape.startswith(("[", "S"))
    return bool(tuple_like) and any(type(leaf) is int and leaf < 1 for leaf in leaves(parse_int_tuple(shape)))


def reads_back(words: str, x: Any, printed: str) -> bool:
    # A tiler of integers alone is a tuple, and prints as one.
    if isinstance(x, tuple) and words.startswith(("[", "(")) and (printed[0] != words[0] or is_tiler(x)):
        return bool(parse(printed) == x)
    return plain(printed) == plain(words)


def test_the_texts_of_cute() -> None:
    assert [words for words in TEXTS["cute"] if not reads_back(words, x := parse(words), text(x))] == []
    assert len(TEXTS["cute"]) > 5000


def test_the_texts_of_fly() -> None:
    good = [words for _, words in TEXTS["fly"] if not is_lawless(words)]
    assert [words for words in good if not reads_back(words, x := parse_fly(words), to_fly(x))] == []
    assert len(good) > 7000


def test_texts_of_lawless_objects_are_refused() -> None:
    lawless = [words for _, words in TEXTS["fly"] if is_lawless(words)]
    assert lawless
    for words in lawless:
        with pytest.raises(LayoutError, match=r"at least 1|overlap"):
            parse(words)


def tirx_texts(row: Any) -> list[tuple[str, Any]]:
    """Each printed layout of a row, with the same layout built from its parts."""
    if isinstance(row, list):
        return [pair for item in row for pair in tirx_texts(item)]
    if not isinstance(row, dict):
        return []
    own = [(row["str"], tirx_rows.build(row))] if "str" in row and "t" in row else []
    return own + [pair for value in row.values() for pair in tirx_texts(value)]


def test_the_texts_of_tirx_are_the_layouts_that_their_parts_say() -> None:
    pairs = tirx_texts(tirx_rows.rows())
    assert len(pairs) > 1500
    assert [words for words, layout in pairs if parse_tirx(words) != layout] == []
    assert [words for words, layout in pairs if str(layout) != tirx_rows.plain(words)] == []


def test_the_printed_rows_of_tirx() -> None:
    printed = [row for row in tirx_rows.rows() if row["op"] == "print"]
    assert [row["res"] for row in printed if parse_tirx(row["res"]) != tirx_rows.build(row["layout"])] == []
    assert len(printed) > 200
