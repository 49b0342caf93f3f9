"""Writes a scene as one self-contained SVG text that follows the reader's light or dark setting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import starmap

from tilewright.figures.geometry import LEGEND_ROW, Page, PanelBox, arrange, legend_places, number
from tilewright.figures.labels import bare, clean, fitting, labels
from tilewright.figures.outlines import Line, border, outlines
from tilewright.figures.scene import Arrow, Panel, Scene
from tilewright.figures.style import sheet
from tilewright.figures.words import END, MIDDLE, START, Word, words

SHRUNK = 0.75  # how small a page may make a picture before its reader has to scroll
CLASSES = {START: "", MIDDLE: " tw-mid", END: " tw-end"}


def svg(scene: Scene, *, dark: bool | None = None, shrinks: bool = False) -> str:
    """The scene as SVG text: no script, no outside reference, every label escaped.

    `dark` chooses the page; None leaves it to the reader's own setting. One that `shrinks` fits narrower pages.
    """
    scene = fitting(scene)
    page = arrange(scene)
    return _document(scene, page, dark, _body(scene, page), _shrinking(page) if shrinks else "")


def shapes(scene: Scene, page: Page, *, dark: bool) -> str:
    """The same picture without any text, for those who write that themselves."""
    return _document(scene, page, dark, _drawn(scene, page, lambda which, box: ()))


def _document(scene: Scene, page: Page, dark: bool | None, body: Iterable[str], style: str = "") -> str:
    width, height = number(page.width), number(page.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        # What browsers read from the style sheet is told again to renderers that know SVG 1.1 only.
        f'{style}class="tw" xml:space="preserve" role="img" aria-label="{clean(scene.title)}">'
    )
    return "\n".join([head, f"<style>{sheet(scene.legend.palette, dark)}</style>", *body, "</svg>\n"])


def _shrinking(page: Page) -> str:
    return f'style="max-width:100%;min-width:{number(page.width * SHRUNK)}px;height:auto" '


def _body(scene: Scene, page: Page) -> Iterator[str]:
    yield from _drawn(scene, page, _names)
    yield from map(_text, words(scene, page))


def _drawn(scene: Scene, page: Page, names: Callable[[int, PanelBox], Iterable[str]]) -> Iterator[str]:
    """All but the words, the labels as `names` writes them: rules lie above them."""
    yield '<rect class="tw-page" width="100%" height="100%"/>'
    for which, box in enumerate(page.boxes):
        yield from _fills(box, scene.legend.palette)
        yield from names(which, box)
        yield from _rules(box)
    yield from (_arrow(arrow, page) for arrow in scene.arrows)
    yield from _swatches(scene, page)


def _names(which: int, box: PanelBox) -> Iterator[str]:
    """The labels, in a group that says where the first cell begins and what a cell measures."""
    classes = "tw-label tw-bare" if bare(box.panel) else "tw-label"
    corner, size = f"{number(box.left)} {number(box.top)}", f"{number(box.cell_width)} {number(box.cell_height)}"
    yield (
        f'<g class="{classes}" font-size="{number(box.font)}" data-panel="{which}" '
        f'data-corner="{corner}" data-cell="{size}">{"".join(labels(box))}</g>'
    )


def _fills(box: PanelBox, palette: str) -> Iterator[str]:
    """The colours: a path for each tone, whose dashes are the cells; its units are a cell's width and height.

    So a row of cells takes one `M column row h count`, and the gaps between cells show the page.
    """
    place = f"translate({number(box.left)} {number(box.top + box.cell_height / 2)})"
    scale = f"scale({number(box.cell_width)} {number(box.cell_height)})"
    gap, height = 1 / box.cell_width, 1 - 1 / box.cell_height
    dashes = f"{1 - gap:.4f} {gap:.4f}"
    paths = {tone: "".join(starmap("M{} {}h{}".format, found)) for tone, found in sorted(runs(box.panel).items())}
    yield (
        f'<g class="tw-cells" transform="{place} {scale}" stroke-width="{height:.4f}" stroke-dasharray="{dashes}" '
        f'stroke-dashoffset="{-gap / 2:.4f}">'
    )
    yield from (f'<path class="tw-{palette}{tone}" d="{path}"/>' for tone, path in paths.items())
    yield "</g>"
    blank = _path(outlines((tone is None for tone in box.panel.cells.tone), box))
    if blank:
        yield f'<path class="tw-blank" d="{blank}"/>'


def runs(panel: Panel) -> dict[int, list[tuple[int, int, int]]]:
    """tone -> (column, row, count) of neighbouring cells in one row."""
    found: dict[int, list[tuple[int, int, int]]] = {}
    width, begin, end, last = panel.cells.width, 0, -1, None
    for at, tone in zip((*panel.cells.at, -1), (*panel.cells.tone, None), strict=True):
        if tone == last and at == end and at % width:
            end += 1
            continue
        if last is not None:
            found.setdefault(last, []).append((begin % width, begin // width, end - begin))
        begin, end, last = at, at + 1, tone
    return found


def _rules(box: PanelBox) -> Iterator[str]:
    lines = [(box.x(column), box.top, box.x(column), box.bottom) for column in box.panel.columns.rules]
    lines += [(box.left, box.y(row), box.right, box.y(row)) for row in box.panel.rows.rules]
    yield from _cased(_path(lines), 1.6)
    yield from _cased(_path(border(box.panel.cells.marked, box)), 2)


def _path(lines: Iterable[Line]) -> str:
    return "".join(
        f"M{number(x1)} {number(y1)}" + (f"H{number(x2)}" if y1 == y2 else f"V{number(y2)}") for x1, y1, x2, y2 in lines
    )


def _cased(path: str, width: float) -> Iterator[str]:
    """A line in the colour of text; where that is light, between dark ones, so that it stands out from fills."""
    if path:
        yield f'<path class="tw-case" stroke-width="{number(width + 2.4)}" d="{path}"/>'
        yield f'<path class="tw-rule" stroke-width="{number(width)}" d="{path}"/>'


def _arrow(arrow: Arrow, page: Page) -> str:
    (x1, y1), (x2, y2) = (page.boxes[place.panel].centre(place.row, place.column) for place in arrow)
    bend, down = (y2 - y1) * 0.4, 5 if y2 >= y1 else -5
    path = " ".join(map(number, (x1, y1 + bend, x2, y2 - bend, x2, y2)))
    tip = f"m-3.5 {-down}l3.5 {down}l3.5 {-down}"
    return f'<path class="tw-rule" stroke-width="1.6" d="M{number(x1)} {number(y1)}C{path}{tip}"/>'


def _swatches(scene: Scene, page: Page) -> Iterator[str]:
    places = list(legend_places(scene, page.width))[1:]
    for swatch, (row, x) in zip(scene.legend.swatches, places, strict=True):
        shape = f'x="{number(x)}" y="{number(page.legend_top + row * LEGEND_ROW + 1)}" width="15" height="15" rx="2"'
        yield f'<rect class="tw-swatch tw-{scene.legend.palette}{swatch.tone}" {shape}/>'


def _text(word: Word) -> str:
    classes = f"tw-{word.role}{CLASSES[word.anchor]}{' tw-title' if word.bold else ''}"
    x, y = number(word.x), number(word.y)
    turn = f' transform="rotate(-90 {x} {y})"' if word.turned else ""
    return f'<text class="{classes}" font-size="{number(word.size)}" x="{x}" y="{y}"{turn}>{clean(word.text)}</text>'
