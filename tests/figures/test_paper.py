"""PNG and PDF show what the SVG shows, in light and dark; without the library that writes them an error says how."""

from __future__ import annotations

import re
import sys
import zlib
from typing import Any

import pytest

from tilewright.errors import UsageError
from tilewright.figures.cell import Cell
from tilewright.figures.draw import draw
from tilewright.figures.figure import Figure
from tilewright.figures.geometry import arrange
from tilewright.figures.palette import PALETTES
from tilewright.figures.scene import Legend, Panel, Ruler, Scene
from tilewright.figures.style import THEMES
from tilewright.figures.words import cell_words
from tilewright.figures.words import words as placed
from tilewright.layout.layout import Layout

SIDE = Ruler(("0", "1", "2"))
TONES = Figure(
    Scene("tones", (Panel("", SIDE, SIDE, tuple(Cell(i // 3, i % 3, "", i) for i in range(8))),), Legend("", ()))
)


def pixels(png: bytes) -> list[list[tuple[int, ...]]]:
    """Rows of pixels of an RGBA image of 8 bits."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, kind = int.from_bytes(png[16:20]), int.from_bytes(png[20:24]), png[24], png[25]
    channels = {2: 3, 6: 4}[kind]
    assert depth == 8
    data = zlib.decompress(b"".join(_chunks(png)))
    rows, before = [], bytes(width * channels)
    for start in range(0, height * (width * channels + 1), width * channels + 1):
        before = _unfiltered(data[start], data[start + 1 : start + 1 + width * channels], before, channels)
        rows.append([tuple(before[i : i + 3]) for i in range(0, len(before), channels)])
    return rows


def _chunks(png: bytes) -> list[bytes]:
    found, at = [], 8
    while at < len(png):
        size, name = int.from_bytes(png[at : at + 4]), png[at + 4 : at + 8]
        found += [png[at + 8 : at + 8 + size]] if name == b"IDAT" else []
        at += size + 12
    return found


def _unfiltered(kind: int, line: bytes, above: bytes, step: int) -> bytes:
    out = bytearray(line)
    for i in range(len(out)):
        left, up = out[i - step] if i >= step else 0, above[i]
        corner = above[i - step] if i >= step else 0
        guess = left + up - corner
        paeth = min((left, up, corner), key=lambda near: abs(guess - near))
        out[i] = (out[i] + (0, left, up, (left + up) // 2, paeth)[kind]) % 256
    return bytes(out)


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


@pytest.mark.parametrize("dark", [False, True])
def test_every_cell_of_a_png_has_its_tone_on_the_page_asked_for(dark: bool) -> None:
    image = pixels(TONES.png(scale=1, dark=dark))
    (box,) = arrange(TONES.scene).boxes
    for cell in box.panel.cells:
        x, y = box.centre(cell.row, cell.column)
        assert image[int(y)][int(x)] == rgb(PALETTES["hues"][cell.tone or 0])
    x, y = box.centre(2, 2)
    assert image[int(y)][int(x)] == image[1][1] == rgb(THEMES[dark]["page"])


@pytest.mark.parametrize("scale", [0.5, 1, 3])
def test_scale_is_pixels_to_a_unit(scale: float) -> None:
    png, page = TONES.png(scale=scale), arrange(TONES.scene)
    for found, wanted in zip((png[16:20], png[20:24]), (page.width, page.height), strict=True):
        assert abs(int.from_bytes(found) - wanted * scale) <= 1


@pytest.mark.parametrize("scale", [0, -1, 17, float("nan"), True, "2", None])
def test_wrong_scales_are_refused(scale: Any) -> None:
    with pytest.raises(UsageError, match="scale is above 0"):
        TONES.png(scale=scale)


def test_a_pdf_is_one_page_as_large_as_the_picture() -> None:
    figure = draw(Layout((8, 8), (8, 1)))
    written, page = figure.pdf(), arrange(figure.scene)
    assert written[:5] == b"%PDF-"
    (box,) = re.findall(rb"/MediaBox\s*\[([\d. ]+)\]", written)
    _, _, width, height = map(float, box.split())
    assert (width, height) == pytest.approx((page.width * 0.75, page.height * 0.75), abs=0.5)  # points


def test_the_same_picture_is_the_same_bytes() -> None:
    for write in (Figure.png, Figure.pdf):
        assert write(TONES) == write(TONES)


def test_without_the_library_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    for write in (Figure.png, Figure.pdf):
        with pytest.raises(UsageError, match=r"pip install 'tilewright\[notebook\]'"):
            write(TONES)


def test_every_word_of_a_pdf_is_one_run_of_text() -> None:
    scene = draw(Layout((8, 8), (8, 1)), title="rows and columns").scene
    page = arrange(scene)
    words = [*placed(scene, page), *(word for box in page.boxes for word in cell_words(box))]
    runs = sum(len(re.findall(rb"T[jJ]\n", text)) for text in streams(Figure(scene).pdf()))
    assert runs == len(words) > 64


def streams(pdf: bytes) -> list[bytes]:
    """What the compressed parts of a PDF hold; the others empty."""
    return [_inflated(part) for part in re.findall(rb"stream\r?\n(.*?)endstream", pdf, re.DOTALL)]


def _inflated(part: bytes) -> bytes:
    try:
        return zlib.decompress(part)
    except zlib.error:
        return b""
