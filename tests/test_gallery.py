"""The gallery: each of its pictures is what its lines or its command make, and each file has a section."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

from tilewright.figures.style import DARK, LIGHT

ROOT = Path(__file__).parents[1]
GALLERY: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "gallery"))
OPENING, SECTIONS = GALLERY["sections"]()
FOLDER = ROOT / "docs" / "gallery"
MOST, MOST_IN_ALL = 100_000, 4_000_000  # bytes


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.file)
def test_the_picture_is_what_its_section_makes(section: Any) -> None:
    kept = (FOLDER / section.file).read_text(encoding="utf-8")
    if GALLERY["drawn"](section, OPENING) != kept:
        pytest.fail(f"docs/gallery/{section.file} is another picture now: look at it, and run scripts/gallery")


def test_each_file_has_one_section() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(section.file for section in SECTIONS)
    assert len(SECTIONS) >= 40


def test_files_are_small_and_follow_the_reader_s_setting() -> None:
    texts = [path.read_bytes() for path in FOLDER.iterdir()]
    assert max(map(len, texts)) <= MOST
    assert sum(map(len, texts)) <= MOST_IN_ALL
    for text in texts:
        assert LIGHT["page"].encode() in text
        dark = text.index(b"@media (prefers-color-scheme:dark)")
        assert DARK["page"].encode() in text[dark:]
