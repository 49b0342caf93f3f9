"""TikZ text: every cell and word once, balanced and escaped; compiled where TeX is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from scenes import scenes

from tilewright.figures.draw import draw
from tilewright.figures.figure import Figure
from tilewright.figures.geometry import arrange
from tilewright.figures.scene import Scene
from tilewright.figures.tikz import escaped
from tilewright.layout.layout import Layout

ALLOWED = re.compile(r"\\(textbackslash\{\}|\^\{\}|~\{\}|[#$%&_{} ])")
WORD = re.compile(
    r"^(?:\\tw(?:start|mid|end)\{[\d.-]+\}\{[\d.-]+\}|\\pgftext\[at=.*?,base\]\{.*?\\color\{\w+\}\}?)\{?(.*?)\}%?$"
)
BOX = re.compile(r"\(([\d.]+),([\d.]+)\) rectangle \(([\d.]+),([\d.]+)\)")


@given(scenes())
def test_every_cell_is_filled_once_and_every_word_written(scene: Scene) -> None:
    text = Figure(scene).tex()
    cells = [(cell, box) for box in arrange(scene).boxes for cell in box.panel.cells]
    for tone, style in ((None, "tw blank"), *((tone, f"fill=twtone{tone}") for tone in range(8))):
        painted = sum(area(line) for line in text.splitlines() if line.startswith(f"\\path[{style}] "))
        wanted = sum(box.cell_width * box.cell_height for cell, box in cells if cell.tone == tone)
        assert painted == pytest.approx(wanted, rel=1e-2)
    written = [line for line in text.splitlines() if WORD.match(line)]
    labels = sum(cell.label.count("\n") + 1 for cell, _ in cells if cell.label)
    assert len(written) >= labels + bool(scene.title)


def area(path: str) -> float:
    corners = (map(float, found) for found in BOX.findall(path))
    return sum((right - left) * (bottom - top) for left, top, right, bottom in corners)


@given(scenes())
def test_no_label_can_end_its_group_or_start_a_command(scene: Scene) -> None:
    for line in Figure(scene).tex().splitlines():
        assert line.isascii()
        if found := WORD.match(line):
            left = ALLOWED.sub("", re.sub(r"\$\\(times|circ|to)\$", "", found[1]))
            assert not re.search(r"[\\{}#$%&_^~]", left)


def test_words_are_escaped_letter_by_letter() -> None:
    assert escaped("a_1 {x} 5% é \x1b") == "a\\_1 \\{x\\} 5\\% ? ?"
    assert escaped("  1. a  b c") == "\\ \\ 1. a\\ \\ b c"


def said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, check=False, text=True).stdout


def test_tex_compiles_where_it_is(tmp_path: Path) -> None:
    """Without TeX the text is at least one whole environment."""
    text = draw(Layout((4, 8), (8, 1)), title="#1_2 ^ ~ {50%} \\ x").tex()
    assert text.count("\\begin{tikzpicture}") == text.count("\\end{tikzpicture}") == 1
    if (found := shutil.which("pdflatex")) and "standalone.cls" in said("kpsewhich", "standalone.cls"):
        page = f"\\documentclass[tikz]{{standalone}}\\begin{{document}}\n{text}\\end{{document}}\n"
        (tmp_path / "page.tex").write_text(page, encoding="utf-8")
        words = [found, "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=False, text=True)
        assert done.returncode == 0, done.stdout[-2000:]
