"""Writes a scene as TikZ, for papers: a `tikzpicture` for `\\input`, which needs the package tikz alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, starmap
from re import sub

from tilewright.figures.geometry import LEGEND_ROW, Page, PanelBox, arrange, legend_places, number
from tilewright.figures.outlines import border
from tilewright.figures.palette import INK, PALETTES
from tilewright.figures.scene import Scene, printable
from tilewright.figures.style import LIGHT
from tilewright.figures.svg import runs
from tilewright.figures.words import END, MIDDLE, START, Word, cell_words, words

UNIT = 0.6  # points to an SVG unit
# A word is a box that is put at its place: 10,000 nodes of TikZ are more than TeX's memory holds.
PLACING = {START: r"\rlap{#3}", MIDDLE: r"\hbox to0pt{\hss#3\hss}", END: r"\llap{#3}"}
SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\^{}",
    "~": r"\~{}",
    "—": "---",
    "×": r"$\times$",
    "∘": r"$\circ$",
    "→": r"$\to$",
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
}
HEAD = r"""% \usepackage{tikz}; as a page of its own: \documentclass[tikz]{standalone}"""
KINDS = {"tw rule": "draw=twrule,line width=1pt", "tw blank": "draw=twfaint"}


def tex(scene: Scene) -> str:
    """The scene as TikZ text, on white; special characters are escaped, those that are not ASCII become `?`."""
    page = arrange(scene)
    texts = [*words(scene, page), *(word for box in page.boxes for word in cell_words(box))]
    lines = [HEAD, *_colours(scene.legend.palette), *starmap("\\tikzset{{{}/.style={{{}}}}}".format, KINDS.items())]
    lines += starmap("\\def\\tw{}#1#2#3{{\\rlap{{\\kern#1pt\\lower#2pt{}}}}}".format, PLACING.items())
    lines.append(f"\\begin{{tikzpicture}}[x={number(UNIT)}pt,y=-{number(UNIT)}pt]")
    lines.append(f"\\path[use as bounding box] (0,0) rectangle {_at(page.width, page.height)};")
    for box in page.boxes:
        lines += filter(None, _cells(box))
    lines += [*_arrows(scene, page), *_swatches(scene, page), *_words(texts)]
    return "\n".join([*lines, "\\end{tikzpicture}\n"])


def escaped(text: str) -> str:
    r"""Text as TeX prints it letter by letter, with every space of several.

    >>> print(escaped("50% of A_1 ^ {2}"))
    50\% of A\_1 \^{} \{2\}
    """
    written = "".join(SPECIAL.get(c, c if c.isascii() else "?") for c in printable(text))
    return sub("  +", lambda spaces: "\\ " * len(spaces[0]), written)


def _colours(palette: str) -> Iterator[str]:
    named = {name: LIGHT[name] for name in ("text", "soft", "rule", "faint")} | {"ink": INK}
    named |= {f"tone{tone}": colour for tone, colour in enumerate(PALETTES[palette])}
    return (f"\\definecolor{{tw{name}}}{{HTML}}{{{colour[1:].upper()}}}" for name, colour in named.items())


def _cells(box: PanelBox) -> Iterator[str]:
    """Fills row by row with white lines between them, edges of blank cells, rules, frames."""
    panel = box.panel
    for tone, found in sorted(runs(panel).items()):
        for row, same in groupby(found, lambda run: run[1]):
            yield f"\\path[fill=twtone{tone}] {' '.join(_run(box, row, at, count) for at, _, count in same)};"
    lines = [_line(box.x(i), box.top, box.x(i), box.bottom) for i in range(1, panel.columns.count)]
    lines += [_line(box.left, box.y(i), box.right, box.y(i)) for i in range(1, panel.rows.count)]
    yield f"\\path[draw=white] {' '.join(lines)};" if lines else ""
    blank = " ".join(_run(box, cell.row, cell.column, 1) for cell in panel.cells if cell.tone is None)
    yield f"\\path[tw blank] {blank};" if blank else ""
    for column in panel.columns.rules:
        yield f"\\path[tw rule] {_line(box.x(column), box.top, box.x(column), box.bottom)};"
    for row in panel.rows.rules:
        yield f"\\path[tw rule] {_line(box.left, box.y(row), box.right, box.y(row))};"
    frame = " ".join(starmap(_line, border(panel.cells.marked, box)))
    yield f"\\path[tw rule] {frame};" if frame else ""


def _arrows(scene: Scene, page: Page) -> Iterator[str]:
    for arrow in scene.arrows:
        start, end = (_at(*page.boxes[place.panel].centre(place.row, place.column)) for place in arrow)
        yield f"\\path[tw rule,->] {start} -- {end};"


def _swatches(scene: Scene, page: Page) -> Iterator[str]:
    places = list(legend_places(scene, page.width))[1:]
    for swatch, (row, x) in zip(scene.legend.swatches, places, strict=True):
        y = page.legend_top + row * LEGEND_ROW
        yield f"\\fill[fill=twtone{swatch.tone}] {_at(x, y + 1)} rectangle {_at(x + 15, y + 16)};"


def _words(texts: Sequence[Word]) -> Iterator[str]:
    """The words, those of one style after each other; turned ones alone."""
    for style, alike in groupby(sorted((word for word in texts if not word.turned), key=_style), _style):
        yield f"\\pgftext[left,base]{{{style}%"
        yield from (f"\\tw{word.anchor}{_points(word)}{{{escaped(word.text)}}}%" for word in alike)
        yield "}"
    for word in texts:
        if word.turned:
            at = f"at=\\pgfpointxy{{{number(word.x)}}}{{{number(word.y)}}},rotate=90,base"
            yield f"\\pgftext[{at}]{{{_style(word)}{escaped(word.text)}}}"


def _points(word: Word) -> str:
    return f"{{{number(word.x * UNIT)}}}{{{number(word.y * UNIT)}}}"


def _style(word: Word) -> str:
    points = word.size * UNIT
    size = f"\\fontsize{{{number(points)}}}{{{number(1.2 * points)}}}"
    series = "\\bfseries" if word.bold else ""
    return f"\\frenchspacing\\ttfamily{series}{size}\\selectfont\\color{{tw{word.role}}}"


def _run(box: PanelBox, row: int, column: int, count: int) -> str:
    return f"{_at(box.x(column), box.y(row))} rectangle {_at(box.x(column + count), box.y(row + 1))}"


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f"{_at(x1, y1)} -- {_at(x2, y2)}"


def _at(x: float, y: float) -> str:
    return f"({number(x)},{number(y)})"
