"""PNG and PDF of a picture, from its SVG: by `typst`, which brings its fonts, so that they look alike everywhere."""

from __future__ import annotations

from importlib import import_module
from math import isfinite
from typing import Literal, Protocol, cast

from tilewright.errors import UsageError, shown
from tilewright.figures.labels import without_notes
from tilewright.figures.scene import Scene
from tilewright.figures.svg import svg

DOTS = 96.0  # SVG units in an inch
MOST_SCALE = 16.0
PAGE = b"""#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt, fill: none)
#image(bytes(sys.inputs.svg), format: "svg")
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
    picture = svg(without_notes(scene), dark=dark)
    return _typst(form).compile(
        PAGE, format=form, ppi=dots, ignore_system_fonts=True, sys_inputs={"svg": picture}, pdf_tags=False
    )


def _typst(form: str) -> Typst:
    try:
        return cast(Typst, import_module("typst"))
    except ImportError:
        raise UsageError(f"a picture as {form.upper()} {INSTALL}; SVG, HTML and TeX need nothing") from None
