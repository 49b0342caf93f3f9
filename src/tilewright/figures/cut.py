"""Pictures that are too large for where they are shown: a corner of them, and how much of it that is."""

from __future__ import annotations

from dataclasses import replace

from tilewright.figures.scene import Arrow, Panel, Scene

SIDE = 64  # rows and columns; of a narrow panel as many cells


def cut(scene: Scene, side: int = SIDE) -> Scene:
    """The scene with at most side x side cells of a panel and three times as many in all; titles and a note say so.

    >>> from tilewright import Layout, draw
    >>> cut(draw(Layout((128, 256))).scene).panels[0].title
    'the first 64 x 64 of 128 x 256'
    """
    panels: list[Panel] = []
    room = 3 * side * side
    for panel in (_corner(panel, side) for panel in scene.panels):
        room -= len(panel.cells)
        if panels and room < 0:
            break
        panels.append(panel)
    if tuple(panels) == scene.panels:
        return scene
    absent = len(scene.panels) - len(panels)
    left = f", {absent} more panel{'s' * (absent != 1)}" if absent else ""
    note = f"left out here: cells beyond the first {side} x {side}{left}; .svg() and .save() of the picture have all"
    arrows = tuple(arrow for arrow in scene.arrows if _within(arrow, panels))
    return replace(scene, panels=tuple(panels), arrows=arrows, notes=(*scene.notes, note))


def _corner(panel: Panel, side: int) -> Panel:
    rows, columns = panel.rows.count, panel.columns.count
    if rows * columns <= side * side:
        return panel
    high = min(rows, max(side, side * side // columns))
    wide = min(columns, max(side, side * side // rows))
    return panel.corner(high, wide, f"{panel.title} the first {high} x {wide} of {rows} x {columns}".strip())


def _within(arrow: Arrow, panels: list[Panel]) -> bool:
    return all(
        place.panel < len(panels)
        and place.row < panels[place.panel].rows.count
        and place.column < panels[place.panel].columns.count
        for place in arrow
    )
