"""Writes a scene as plain text for a terminal; colours only where asked for."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.figures.palette import INK, PALETTES
from tilewright.figures.scene import Panel, Scene, printable


def text(scene: Scene, *, width: int | None = None, color: bool = False) -> str:
    """The scene as text; panels wider than `width` characters are folded, `color` adds 24-bit backgrounds."""
    paint = PALETTES[scene.legend.palette] if color else ()
    parts = [[line(scene.title)]] if scene.title else []
    parts += [list(_panel(panel, width, paint)) for panel in scene.panels]
    parts += [[_legend(scene, paint)]] if scene.legend.swatches else []
    parts += [list(map(line, scene.notes))] if scene.notes else []
    return "\n\n".join("\n".join(row.rstrip() for row in part) for part in parts) + "\n"


def line(words: str) -> str:
    """The text on one line, without anything that could steer a terminal."""
    return " ".join(printable(words).split())


def _panel(panel: Panel, width: int | None, paint: tuple[str, ...]) -> Iterator[str]:
    if panel.title:
        yield line(panel.title)
    for title, side in ((panel.rows.title, "down"), (panel.columns.title, "right")):
        if title:
            yield f"{side}: {line(title)}"
    rows, columns = ([line(label) for label in side.labels] for side in (panel.rows, panel.columns))
    where = [divmod(at, panel.cells.width) for at in panel.cells.at]
    labels = dict(zip(where, map(line, panel.cells.label), strict=True))
    tones = dict(zip(where, panel.cells.tone, strict=True))
    before = max(map(len, rows), default=0)
    wide = max(map(len, [*columns, *labels.values()]), default=1)
    for fold in _folds(len(columns), wide, before, width):
        yield _row("".rjust(before), [columns[c].rjust(wide) for c in fold], fold, panel)
        for r, name in enumerate(rows):
            if r in panel.rows.rules:
                yield " " * (before + 1) + "-" * (len(fold) * (wide + 1) - 1)
            cells = [_painted(labels.get((r, c), "").rjust(wide), tones.get((r, c)), paint) for c in fold]
            yield _row(name.rjust(before), cells, fold, panel)


def _row(name: str, cells: list[str], fold: range, panel: Panel) -> str:
    return name + "".join(
        ("|" if c in panel.columns.rules else " ") + cell for c, cell in zip(fold, cells, strict=True)
    )


def _folds(count: int, wide: int, before: int, width: int | None) -> Iterator[range]:
    step = count if width is None else max(1, (width - before) // (wide + 1))
    return (range(start, min(start + step, count)) for start in range(0, count, step))


def _legend(scene: Scene, paint: tuple[str, ...]) -> str:
    entries = (_painted(f" {line(swatch.text)}", swatch.tone, paint) for swatch in scene.legend.swatches)
    return f"{line(scene.legend.title)}: {'  '.join(entries)}"


def _painted(words: str, tone: int | None, paint: tuple[str, ...]) -> str:
    if not paint or tone is None:
        return words
    return f"\x1b[48;2;{_rgb(paint[tone])};38;2;{_rgb(INK)}m{words}\x1b[0m"


def _rgb(colour: str) -> str:
    return ";".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
