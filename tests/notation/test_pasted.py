"""What people paste is read as what it says: by values, against statements that stand beside the texts."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from pasted import agrees, rows
from pasted_slips import follows, renumbered, slips, wrong

from tilewright.notation import parse

SAMPLE = 200


@pytest.mark.parametrize("where", sorted({row["from"] for row in rows()}))
def test_pasted_texts_are_what_their_statements_say(where: str) -> None:
    assert [row["text"] for row in rows() if row["from"] == where and not agrees(parse(row["text"]), row)] == []


def test_there_are_two_hundred_of_them() -> None:
    assert len({row["text"] for row in rows()}) == len(rows()) >= 200


def test_statements_tell_texts_apart() -> None:
    """A text of another layout is refused: what is compared can fail."""
    layouts = [row for row in rows() if "shape" in row]
    pairs = [(a, b) for a, b in pairwise(layouts) if (a["shape"], a["stride"]) != (b["shape"], b["stride"])]
    assert len(pairs) > 40
    assert [a["text"] for a, b in pairs if agrees(parse(a["text"]), b)] == []


def test_a_slip_gives_a_caret_or_a_right_parse() -> None:
    found = [(text, *wrong(text)) for text in slips(14, SAMPLE)]
    assert [(text, why) for text, _, why in found if why] == []
    came = Counter(what for _, what, _ in found)
    assert came["read"] > SAMPLE // 20
    assert came["cannot be read"] > SAMPLE // 4


def test_another_number_is_read_as_that_number() -> None:
    assert [text for text, row in renumbered(14, SAMPLE // 2) if not follows(text, row)] == []
