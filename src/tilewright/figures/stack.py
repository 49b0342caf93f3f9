"""Several pictures as one, to compare them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tilewright.errors import UsageError, shown
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Panel, Scene


def stack(title: str, figures: Mapping[str, Figure]) -> Figure:
    """One picture of all panels, each under the name that its figure has in `figures`; the first one's legend.

    Raises:
        UsageError: no figure at all, or legends of different palettes.

    >>> from tilewright.figures.draw import draw
    >>> from tilewright.layout.layout import Layout
    >>> stack("two", {"a": draw(Layout(4)), "b": draw(Layout(8))}).scene.panels[1].title
    'b'
    """
    if not isinstance(figures, Mapping) or not all(isinstance(figure, Figure) for figure in figures.values()):
        raise UsageError(f"stack takes figures by their names, got {shown(figures)}")
    scenes = [figure.scene for figure in figures.values()]
    if not scenes or len({scene.legend.palette for scene in scenes}) > 1:
        raise UsageError("a stack takes figures that share one palette, at least one of them")
    panels = tuple(panel for name, figure in figures.items() for panel in _named(name, figure.scene))
    notes = tuple(dict.fromkeys(note for scene in scenes for note in scene.notes))
    return Figure(Scene(title, panels, scenes[0].legend, notes=notes))


def _named(name: str, scene: Scene) -> list[Panel]:
    first, *rest = scene.panels
    return [replace(first, title=f"{name}: {first.title}" if first.title else name), *rest]
