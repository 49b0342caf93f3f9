"""Writes a scene as one self-contained SVG text that follows the reader's light or dark setting."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from tilewright.figures.geometry import (
    LEGEND_ROW,
    MARGIN,
    TEXT_SIZE,
    TITLE_SIZE,
    Page,
    PanelBox,
    arrange,
    legend_places,
)
from tilewright.figures.palette import INK, PALETTES
from tilewright.figures.scene import Arrow, Cell, Ruler, Scene, printable

MONO = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"
LIGHT = {"page": "#ffffff", "text": "#1f2328", "soft": "#59636e", "rule": "#1f2328", "faint": "#e3e6ea"}
DARK = {"page": "#0d1117", "text": "#f0f6fc", "soft": "#9aa5b1", "rule": "#f0f6fc", "faint": "#262c34"}


def svg(scene: Scene) -> str:
    """The scene as SVG text: no script, no outside reference, every label escaped."""
    page = arrange(scene)
    width, height = _number(page.width), _number(page.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{clean(scene.title)}">'
    )
    return "\n".join([head, f"<style>{_style(scene)}</style>", *_body(scene, page), "</svg>\n"])


def clean(text: str) -> str:
    """Text that XML may hold: escaped, characters that XML forbids replaced."""
    return escape(printable(text))


def _style(scene: Scene) -> str:
    def theme(colours: dict[str, str]) -> str:
        return (
            f".tw-page{{fill:{colours['page']}}}.tw-text{{fill:{colours['text']}}}.tw-soft{{fill:{colours['soft']}}}"
            f".tw-rule{{stroke:{colours['rule']}}}.tw-cells{{stroke:{colours['page']}}}.tw-blank{{stroke:{colours['faint']}}}"
        )

    fills = "".join(f".tw-{scene.legend.palette}{i}{{fill:{c}}}" for i, c in enumerate(_palette(scene)))
    base = (
        f"text{{font-family:{MONO};pointer-events:none;white-space:pre}}.tw-title{{font-weight:600}}"
        f".tw-label{{fill:{INK};text-anchor:middle}}.tw-end{{text-anchor:end}}.tw-mid{{text-anchor:middle}}"
        ".tw-blank,.tw-rule{fill:none}"
    )
    return f"{base}{theme(LIGHT)}{fills}@media (prefers-color-scheme:dark){{{theme(DARK)}}}"


def _body(scene: Scene, page: Page) -> Iterator[str]:
    yield '<rect class="tw-page" width="100%" height="100%"/>'
    if scene.title:
        yield _text(scene.title, MARGIN, MARGIN + TITLE_SIZE, TITLE_SIZE, "tw-text tw-title")
    for box in page.boxes:
        yield from _panel(box, scene.legend.palette)
    yield from (_arrow(arrow, page) for arrow in scene.arrows)
    yield from _legend(scene, page)
    for line, note in enumerate(scene.notes):
        yield _text(note, MARGIN, page.notes_top + TEXT_SIZE + line * (TEXT_SIZE + 6), TEXT_SIZE, "tw-soft")


def _panel(box: PanelBox, palette: str) -> Iterator[str]:
    left, top = box.left - box.before, box.top - box.above
    if box.panel.title:
        yield _text(box.panel.title, left, top + TEXT_SIZE, TEXT_SIZE, "tw-text tw-title")
    yield from _rulers(box)
    yield from _cells(box, palette)
    yield from _rules(box)


def _rulers(box: PanelBox) -> Iterator[str]:
    rows, columns = box.panel.rows, box.panel.columns
    labels_y = box.top - 5
    if columns.title:
        middle = (box.left + box.right) / 2
        yield _text(
            columns.title, middle, labels_y - (box.font + 6 if any(columns.labels) else 0), TEXT_SIZE, "tw-soft tw-mid"
        )
    if rows.title:
        x, y = box.left - box.before + TEXT_SIZE, (2 * box.top + box.outer_height - box.above) / 2
        turn = f' transform="rotate(-90 {_number(x)} {_number(y)})"'
        yield _text(rows.title, x, y, TEXT_SIZE, "tw-soft tw-mid", turn)
    for i in _shown(columns, box.cell_width, max(map(len, columns.labels)) * box.font * 0.62 + 2):
        yield _text(columns.labels[i], box.left + (i + 0.5) * box.cell_width, labels_y, box.font, "tw-soft tw-mid")
    for i in _shown(rows, box.cell_height, box.font):
        y = box.top + (i + 0.5) * box.cell_height + box.font * 0.35
        yield _text(rows.labels[i], box.left - 6, y, box.font, "tw-soft tw-end")


def _shown(ruler: Ruler, room: float, need: float) -> range:
    # Every label where there is room, else every 2nd, 4th, 8th ...
    step = 1
    while step * room < need:
        step *= 2
    return range(0, ruler.count, step)


def _cells(box: PanelBox, palette: str) -> Iterator[str]:
    width, height = _number(box.cell_width), _number(box.cell_height)
    xs = [_number(box.left + i * box.cell_width) for i in range(box.panel.columns.count)]
    ys = [_number(box.top + i * box.cell_height) for i in range(box.panel.rows.count)]
    by_tone: dict[int | None, list[str]] = {}
    for cell in box.panel.cells:
        end = f"><title>{clean(cell.note)}</title></rect>" if cell.note else "/>"
        shape = f'<rect x="{xs[cell.column]}" y="{ys[cell.row]}" width="{width}" height="{height}"{end}'
        by_tone.setdefault(cell.tone, []).append(shape)
    yield '<g class="tw-cells">'
    for tone, shapes in sorted(by_tone.items(), key=lambda item: -1 if item[0] is None else item[0]):
        yield f'<g class="{"tw-blank" if tone is None else f"tw-{palette}{tone}"}">{"".join(shapes)}</g>'
    yield "</g>"
    yield f'<g class="tw-label" font-size="{_number(box.font)}">{"".join(_labels(box))}</g>'


def _labels(box: PanelBox) -> Iterator[str]:
    xs = [_number(box.left + (i + 0.5) * box.cell_width) for i in range(box.panel.columns.count)]
    middle = box.top + box.cell_height / 2 + box.font * 0.35
    step = box.font * 1.15
    for cell in box.panel.cells:
        if not cell.label:
            continue
        lines = cell.label.split("\n")
        first = middle + cell.row * box.cell_height - step * (len(lines) - 1) / 2
        for i, line in enumerate(lines):
            yield f'<text x="{xs[cell.column]}" y="{_number(first + i * step)}">{clean(line)}</text>'


def _rules(box: PanelBox) -> Iterator[str]:
    lines = [
        f"M{_number(x)} {_number(box.top)}V{_number(box.bottom)}"
        for x in _edges(box.panel.columns, box.left, box.cell_width)
    ]
    lines += [
        f"M{_number(box.left)} {_number(y)}H{_number(box.right)}"
        for y in _edges(box.panel.rows, box.top, box.cell_height)
    ]
    if lines:
        yield f'<path class="tw-rule" stroke-width="1.6" d="{"".join(lines)}"/>'
    marked = "".join(_outline(cell, box) for cell in box.panel.cells if cell.marked)
    if marked:
        yield f'<path class="tw-rule" stroke-width="2" d="{marked}"/>'


def _edges(ruler: Ruler, start: float, size: float) -> list[float]:
    return [start + i * size for i in ruler.rules]


def _outline(cell: Cell, box: PanelBox) -> str:
    x, y = box.left + cell.column * box.cell_width, box.top + cell.row * box.cell_height
    return (
        f"M{_number(x)} {_number(y)}h{_number(box.cell_width)}v{_number(box.cell_height)}h{_number(-box.cell_width)}z"
    )


def _arrow(arrow: Arrow, page: Page) -> str:
    (x1, y1), (x2, y2) = (_centre(page.boxes[place.panel], place.row, place.column) for place in arrow)
    bend, down = (y2 - y1) * 0.4, 5 if y2 >= y1 else -5
    path = " ".join(map(_number, (x1, y1 + bend, x2, y2 - bend, x2, y2)))
    tip = f"m-3.5 {-down}l3.5 {down}l3.5 {-down}"
    return f'<path class="tw-rule" stroke-width="1.6" d="M{_number(x1)} {_number(y1)}C{path}{tip}"/>'


def _centre(box: PanelBox, row: int, column: int) -> tuple[float, float]:
    return box.left + (column + 0.5) * box.cell_width, box.top + (row + 0.5) * box.cell_height


def _legend(scene: Scene, page: Page) -> Iterator[str]:
    if not scene.legend.swatches:
        return
    (row, x), *places = legend_places(scene, page.width)
    yield _text(scene.legend.title, x, page.legend_top + row * LEGEND_ROW + 13, TEXT_SIZE, "tw-soft")
    for swatch, (row, x) in zip(scene.legend.swatches, places, strict=True):
        y = page.legend_top + row * LEGEND_ROW
        shape = f'x="{_number(x)}" y="{_number(y + 1)}" width="15" height="15" rx="2"'
        yield f'<rect class="tw-{scene.legend.palette}{swatch.tone}" {shape}/>'
        yield _text(swatch.text, x + 20, y + 13, TEXT_SIZE, "tw-text")


def _text(text: str, x: float, y: float, size: float, classes: str, extra: str = "") -> str:
    place = f'font-size="{_number(size)}" x="{_number(x)}" y="{_number(y)}"{extra}'
    return f'<text class="{classes}" {place}>{clean(text)}</text>'


def _palette(scene: Scene) -> tuple[str, ...]:
    return PALETTES[scene.legend.palette]


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
