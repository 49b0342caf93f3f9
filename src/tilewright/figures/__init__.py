"""Pictures: neutral scenes, the writers of SVG, HTML, terminal text and JSON, and one file per kind of picture."""

from tilewright.figures.draw import draw
from tilewright.figures.figure import Figure
from tilewright.figures.fold import fold
from tilewright.figures.stack import stack

__all__ = ["draw", "Figure", "fold", "stack"]
