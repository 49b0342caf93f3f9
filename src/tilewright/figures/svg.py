"""Writes a scene as one self-contained SVG text that follows the reader's light or dark setting."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby, starmap
from operator import itemgetter

from tilewright.figures.cell import Cell
from tilewright.figures.geometry import (
    ADVANCE,
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
from tilewright.figures.scene import Arrow, Panel, Ruler, Scene, printable

NO_BREAK = "\u00a0"
MONO = "ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace"
LIGHT = {"page": "#ffffff", "text": "#1f2328", "soft": "#59636e", "rule": "#1f2328", "faint": "#e3e6ea"}
DARK = {"page": "#0d1117", "text": "#f0f6fc", "soft": "#9aa5b1", "rule": "#f0f6fc", "faint": "#262c34"}


def svg(scene: Scene) -> str:
    """The scene as SVG text: no script, no outside reference, every label escaped."""
    page = arrange(scene)
    width, height = _number(page.width), _number(page.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        # What browsers read from the style sheet is told again to renderers that know SVG 1.1 only.
        f'xml:space="preserve" role="img" aria-label="{clean(scene.title)}">'
    )
    return "\n".join([head, f"<style>{_style(scene)}</style>", *_body(scene, page), "</svg>\n"])


def clean(text: str) -> str:
    """Text that XML may hold: escaped, characters that XML forbids replaced."""
    return escape(printable(text))


def _style(scene: Scene) -> str:
    def theme(colours: dict[str, str]) -> str:
        return (
            f".tw-page{{fill:{colours['page']}}}.tw-text{{fill:{colours['text']}}}.tw-soft{{fill:{colours['soft']}}}"
            f".tw-rule{{stroke:{colours['rule']}}}.tw-blank{{stroke:{colours['faint']}}}"
        )

    fills = "".join(f".tw-{scene.legend.palette}{i}{{fill:{c};stroke:{c}}}" for i, c in enumerate(_palette(scene)))
    base = (
        f"text{{font-family:{MONO};pointer-events:none;white-space:pre}}.tw-title{{font-weight:600}}"
        ".tw-label text{pointer-events:all}.tw-rule{pointer-events:none}"
        f".tw-label{{fill:{INK};text-anchor:middle}}.tw-end{{text-anchor:end}}.tw-mid{{text-anchor:middle}}"
        ".tw-blank,.tw-rule{fill:none}rect.tw-swatch{stroke:none}"
    )
    return f"{base}{theme(LIGHT)}{fills}@media (prefers-color-scheme:dark){{{theme(DARK)}}}"


def _body(scene: Scene, page: Page) -> Iterator[str]:
    yield '<rect class="tw-page" width="100%" height="100%"/>'
    if scene.title:
        yield _text(scene.title, MARGIN, MARGIN + TITLE_SIZE, TITLE_SIZE, "tw-text tw-title")
    for number, box in enumerate(page.boxes):
        yield from _panel(number, box, scene.legend.palette)
    yield from (_arrow(arrow, page) for arrow in scene.arrows)
    yield from _legend(scene, page)
    for line, note in enumerate(scene.notes):
        yield _text(note, MARGIN, page.notes_top + TEXT_SIZE + line * (TEXT_SIZE + 6), TEXT_SIZE, "tw-soft")


def _panel(number: int, box: PanelBox, palette: str) -> Iterator[str]:
    left, top = box.left - box.before, box.top - box.above
    if box.panel.title:
        yield _text(box.panel.title, left, top + TEXT_SIZE, TEXT_SIZE, "tw-text tw-title")
    yield from _rulers(box)
    yield from _fills(box, palette)
    yield f'<g class="tw-label" font-size="{_number(box.font)}" data-panel="{number}">{"".join(_labels(box))}</g>'
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


def _fills(box: PanelBox, palette: str) -> Iterator[str]:
    """The colours: a path for each tone, whose dashes are the cells; its units are a cell's width and height.

    So a row of cells takes one `M column row h count`, and the gaps between cells show the page.
    """
    place = f"translate({_number(box.left)} {_number(box.top + box.cell_height / 2)})"
    scale = f"scale({_number(box.cell_width)} {_number(box.cell_height)})"
    gap, height = 1 / box.cell_width, 1 - 1 / box.cell_height
    dashes = f"{1 - gap:.4f} {gap:.4f}"
    paths = {tone: "".join(starmap("M{} {}h{}".format, runs)) for tone, runs in sorted(_runs(box.panel).items())}
    yield (
        f'<g class="tw-cells" transform="{place} {scale}" stroke-width="{height:.4f}" stroke-dasharray="{dashes}" '
        f'stroke-dashoffset="{-gap / 2:.4f}">'
    )
    yield from (f'<path class="tw-{palette}{tone}" d="{path}"/>' for tone, path in paths.items())
    yield "</g>"
    blank = "".join(_outline(cell, box) for cell in box.panel.cells if cell.tone is None)
    if blank:
        yield f'<path class="tw-blank" d="{blank}"/>'


def _runs(panel: Panel) -> dict[int, list[tuple[int, int, int]]]:
    """tone -> (column, row, count) of neighbouring cells in one row."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    end, last = (-1, -1), None
    for cell in panel.cells:
        if cell.tone is None:
            continue
        runs = found.setdefault(cell.tone, [])
        if (cell.row, cell.column) == end and cell.tone == last:
            column, row, count = runs[-1]
            runs[-1] = column, row, count + 1
        else:
            runs.append((cell.column, cell.row, 1))
        end, last = (cell.row, cell.column + 1), cell.tone
    return found


def _labels(box: PanelBox) -> Iterator[str]:
    """A text for each row, in it a tspan for each cell, in the order of the panel's cells: the n-th is cell n."""
    xs = [f"{box.left + (i + 0.5) * box.cell_width:.1f}" for i in range(box.panel.columns.count)]
    wide = int(box.cell_width / (box.font * ADVANCE))
    for row, group in groupby(box.panel.cells, itemgetter(0)):
        cells, middle = list(group), box.top + (row + 0.5) * box.cell_height + box.font * 0.35
        heights = {n: _heights(n, middle, box.font * 1.15) for n in {cell.label.count("\n") + 1 for cell in cells}}
        if heights.keys() == {1}:
            spans = [f'<tspan x="{xs[cell.column]}">{_padded(cell.label, wide)}{_note(cell)}</tspan>' for cell in cells]
        else:
            spans = [_lines(cell, xs[cell.column], heights[cell.label.count("\n") + 1], wide) for cell in cells]
        yield f'<text y="{_number(middle)}">{"".join(spans)}</text>'


def _heights(count: int, middle: float, step: float) -> tuple[str, ...]:
    return tuple(_number(middle + (i - (count - 1) / 2) * step) for i in range(count))


def _lines(cell: Cell, x: str, ys: tuple[str, ...], wide: int) -> str:
    lines = zip(cell.label.split("\n"), ys, strict=True)
    spans = [f'<tspan x="{x}" y="{y}">{_padded(line, wide)}</tspan>' for line, y in lines]
    return f"<tspan>{''.join(spans)}{_note(cell)}</tspan>"


def _padded(label: str, wide: int) -> str:
    """The label with as much (unbreakable) space on both sides as the cell has, so that it can be pointed at."""
    space = NO_BREAK * ((wide - len(label) + 1) // 2)
    return f"{space}{label if label.isalnum() else clean(label)}{space}"


def _note(cell: Cell) -> str:
    # XML asks for an escaped ">" only after "]]".
    return f"<title>{clean(cell.note).replace(' -&gt; ', ' -> ')}</title>" if cell.note else ""


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
        yield f'<rect class="tw-swatch tw-{scene.legend.palette}{swatch.tone}" {shape}/>'
        yield _text(swatch.text, x + 20, y + 13, TEXT_SIZE, "tw-text")


def _text(text: str, x: float, y: float, size: float, classes: str, extra: str = "") -> str:
    place = f'font-size="{_number(size)}" x="{_number(x)}" y="{_number(y)}"{extra}'
    return f'<text class="{classes}" {place}>{clean(text)}</text>'


def _palette(scene: Scene) -> tuple[str, ...]:
    return PALETTES[scene.legend.palette]


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
