"""`docs/pictures.md` names every kind, each of its options, and every form; its examples, which run, give them."""

from __future__ import annotations

import re
from inspect import signature
from pathlib import Path

import pytest

from tilewright.figures.draw import KINDS, draw
from tilewright.figures.figure import FORMS

PAGE = (Path(__file__).parents[2] / "docs" / "pictures.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\w+).*?\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
OF_ALL = {"title"}


def test_each_kind_has_a_section() -> None:
    assert [name for name in SECTIONS if name != "Options"] == list(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_each_option_is_told_and_given(kind: str) -> None:
    options = set(list(signature(KINDS[kind]).parameters)[1:]) - OF_ALL
    assert set(re.findall(r"^\* `(\w+)`:", SECTIONS[kind], re.MULTILINE)) == options
    assert [option for option in options if f"{option}=" not in SECTIONS[kind]] == []


def test_options_of_all_kinds_are_told() -> None:
    ours = set(list(signature(draw).parameters)[1:]) - {"options"} | OF_ALL
    assert set(re.findall(r"^\* `(\w+)`:", SECTIONS["Options"], re.MULTILINE)) == ours


def test_each_form_is_told() -> None:
    assert set(re.findall(r"^\| `(\.\w+)` \|", PAGE, re.MULTILINE)) == set(FORMS)
