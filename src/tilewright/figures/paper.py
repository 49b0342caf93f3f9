"""PNG and PDF of a picture: shapes from its SVG, words as text, by `typst`, whose own font makes them alike everywhere.

A word is one run of text, so that readers of PDF select and find words, not letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from itertools import chain
from json import dumps
from math import isfinite
from typing import Literal, Protocol, cast

from tilewright.errors import UsageError, shown
from tilewright.figures.geometry import arrange
from tilewright.figures.palette import INK
from tilewright.figures.scene import Scene, printable
from tilewright.figures.style import THEMES
from tilewright.figures.svg import shapes
from tilewright.figures.words import END, MIDDLE, START, Word, cell_words, words

DOTS = 96.0  # SVG units in an inch
MOST_SCALE = 16.0
BEFORE = {START: 0.0, MIDDLE: 0.5, END: 1.0}  # how much of a word lies before its anchor
ADVANCE = 0.602  # width of a character of the font, in units of its size
PAGE = b"""#let picture = json(bytes(sys.inputs.picture))
#let unit = 0.75pt
#set document(date: none, title: picture.title)
#set page(width: picture.width * unit, height: picture.height * unit, margin: 0pt, fill: none)
#set text(font: "DejaVu Sans Mono", top-edge: "baseline", bottom-edge: "baseline", ligatures: false)
#place(image(bytes(picture.svg), format: "svg", width: 100%))
#for (x, y, size, colour, bold, turned, words) in picture.words {
  let run = text(size: size * unit, fill: rgb(colour), weight: if bold { 700 } else { 400 }, words)
  place(dx: x * unit, dy: y * unit, if turned { rotate(-90deg, origin: bottom + left, run) } else { run })
}
"""
INSTALL = "needs the package typst: pip install 'tilewright[notebook]', or pip install typst"


class Typst(Protocol):
    """What of the package is used."""

    def compile(
        self,
        input: bytes,
        *,
        format: str,
        ppi: float,
        ignore_system_fonts: bool,
        sys_inputs: dict[str, str],
        pdf_tags: bool,
    ) -> bytes:
        """A document, written as the format says."""


def png(scene: Scene, *, scale: float = 2.0, dark: bool = False) -> bytes:
    """The scene as PNG, `scale` pixels to an SVG unit.

    Raises:
        UsageError: the package `typst` is not installed, or a scale that is none.
    """
    real = isinstance(scale, int | float) and not isinstance(scale, bool) and isfinite(scale)
    if not real or not 0 < scale <= MOST_SCALE:
        raise UsageError(f"scale is above 0 and at most {MOST_SCALE:g} pixels to a unit, got {shown(scale)}")
    return _written(scene, "png", DOTS * scale, dark)


def pdf(scene: Scene, *, dark: bool = False) -> bytes:
    """The scene as PDF of one page, as large as the picture, its text as text.

    Raises:
        UsageError: the package `typst` is not installed.
    """
    return _written(scene, "pdf", DOTS, dark)


def _written(scene: Scene, form: Literal["png", "pdf"], dots: float, dark: bool) -> bytes:
    page = arrange(scene)
    texts = chain(words(scene, page), *map(cell_words, page.boxes))
    picture = {
        "title": printable(scene.title),
        "width": page.width,
        "height": page.height,
        "svg": shapes(scene, page, dark=dark),
        "words": [_run(word, {**THEMES[dark], "ink": INK}) for word in texts],
    }
    return _typst(form).compile(
        PAGE, format=form, ppi=dots, ignore_system_fonts=True, sys_inputs={"picture": dumps(picture)}, pdf_tags=False
    )


def _run(word: Word, colours: Mapping[str, str]) -> tuple[float, float, float, str, bool, bool, str]:
    """Where the word begins, its size and looks, and its text."""
    before = len(word.text) * word.size * ADVANCE * BEFORE[word.anchor]
    x, y = (word.x, word.y + before) if word.turned else (word.x - before, word.y)
    return x, y, word.size, colours[word.role], word.bold, word.turned, printable(word.text)


def _typst(form: str) -> Typst:
    try:
        return cast(Typst, import_module("typst"))
    except ImportError:
        raise UsageError(f"a picture as {form.upper()} {INSTALL}; SVG, HTML and TeX need nothing") from None
