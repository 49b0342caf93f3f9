"""Each of the questions is answered in three lines or by one command; what these print is compared by `test_readme`."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import NamedTuple

import pytest

TEXT = (Path(__file__).parents[1] / "docs" / "questions.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LEAST, LINES = 40, 3


class Question(NamedTuple):
    title: str
    answer: str

    @property
    def lines(self) -> list[str]:
        """What is typed: lines of Python, or commands."""
        blocks = FENCE.findall(self.answer)
        typed = [
            e.source
            for language, text in blocks
            if language == "python"
            for e in doctest.DocTestParser().get_examples(text)
        ]
        commands = [
            line for language, text in blocks if language == "console" for line in text.splitlines() if line[:1] == "$"
        ]
        return [*"".join(typed).splitlines(), *commands * LINES]

    @property
    def words(self) -> str:
        return FENCE.sub("", self.answer)


def questions() -> list[Question]:
    parts = re.split(r"^### (.*)$", TEXT, flags=re.MULTILINE)[1:]
    return [Question(*pair) for pair in zip(parts[::2], parts[1::2], strict=True)]


def test_there_are_forty_and_none_twice() -> None:
    assert len({question.title for question in questions()}) == len(questions()) >= LEAST


@pytest.mark.parametrize("question", questions(), ids=lambda question: question.title[:40])
def test_an_answer_is_a_sentence_and_three_lines(question: Question) -> None:
    assert question.title.endswith("?")
    assert 1 <= len(question.lines) <= LINES
    assert question.words.strip()


def test_most_questions_lead_to_a_public_thread() -> None:
    assert sum("](https://" in question.words for question in questions()) >= LEAST
