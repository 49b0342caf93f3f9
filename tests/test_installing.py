"""The page on installing names the extras and the front doors that there are."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")


def test_each_extra_has_a_row() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == list(project["optional-dependencies"])
    assert f"Python {project['requires-python'].removeprefix('>=')} or newer" in PAGE


def test_each_door_shows_its_names() -> None:
    doors = set(
        re.findall(
            r"`(tilewright[\w.]*?)(?:\.__all__)?`", PAGE.partition("## What a project")[2].partition("* The package")[0]
        )
    )
    assert len(doors) > 8
    assert all(importlib.import_module(door) for door in doors)
