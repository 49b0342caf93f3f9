"""TikZ text: every cell and word once, balanced and escaped; compiled where TeX is there."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from hypothesis import given
from scenes import scenes

from tilewright.figures.draw import draw
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Scene
from tilewright.figures.tikz import escaped
from tilewright.layout.layout import Layout

ALLOWED = re.compile(r"\\(textbackslash\{\}|\^\{\}|~\{\}|[#$%&_{}])")


@given(scenes())
def test_every_cell_is_filled_once_and_every_word_written(scene: Scene) -> None:
    text = Figure(scene).tex()
    cells = [cell for panel in scene.panels for cell in panel.cells]
    fills = re.findall(r"^\\path\[(?:fill=twtone(\d),draw=white|(tw blank))\] (.*);$", text, re.MULTILINE)
    drawn = sum(squares.count("rectangle") for _, _, squares in fills)
    assert drawn == len(cells)
    for tone in range(8):
        squares = "".join(found for number, _, found in fills if number == str(tone))
        assert squares.count("rectangle") == sum(cell.tone == tone for cell in cells)
    written = [line for line in text.splitlines() if line.startswith("\\node")]
    labels = sum(cell.label.count("\n") + 1 for cell in cells if cell.label)
    assert len(written) >= labels + bool(scene.title)


@given(scenes())
def test_no_label_can_end_its_group_or_start_a_command(scene: Scene) -> None:
    for line in Figure(scene).tex().splitlines():
        assert line.isascii()
        if line.startswith("\\node"):
            said = re.sub(r"\$\\(times|circ|to)\$", "", line.split(") {", 1)[1].removesuffix("};"))
            left = ALLOWED.sub("", said.removeprefix("\\bfseries "))
            assert not re.search(r"[\\{}#$%&_^~]", left)


def test_words_are_escaped_letter_by_letter() -> None:
    assert escaped("a_1 {x} 5% é \x1b") == "a\\_1 \\{x\\} 5\\% ? ?"


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
