"""Wraps a picture into a page of its own."""

from __future__ import annotations

from tilewright.figures.cut import cut
from tilewright.figures.labels import clean
from tilewright.figures.scene import Scene
from tilewright.figures.style import DARK, LIGHT
from tilewright.figures.svg import svg

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>body{{margin:1rem;background:{light}}}@media (prefers-color-scheme:dark){{body{{background:{dark}}}}}</style>
</head>
<body>
{picture}</body>
</html>
"""


def html(scene: Scene) -> str:
    """The scene as a self-contained HTML page."""
    return _PAGE.format(
        title=clean(scene.title), light=LIGHT["page"], dark=DARK["page"], picture=svg(scene, shrinks=True)
    )


def inline(scene: Scene) -> str:
    """The scene as a part of a page, such as a notebook: what is too large for it is cut, which the picture says."""
    return f'<div style="overflow-x:auto">{svg(cut(scene), shrinks=True)}</div>'
