"""Writes a scene as TikZ, for papers: a `tikzpicture` for `\\input`, which needs the package tikz alone."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby, starmap

from tilewright.figures.geometry import LEGEND_ROW, Page, PanelBox, arrange, legend_places, number
from tilewright.figures.palette import INK, PALETTES
from tilewright.figures.scene import Scene, printable
from tilewright.figures.style import LIGHT
from tilewright.figures.words import END, MIDDLE, START, Word, cell_words, words

UNIT = 0.6  # points to an SVG unit
ANCHORS = {START: "base west", MIDDLE: "base", END: "base east"}
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
KINDS = {
    "every node": "inner sep=0pt",
    "tw rule": "draw=twrule,line width=1pt",
    "tw blank": "draw=twfaint",
    **{f"tw {anchor}": f"anchor={name}" for anchor, name in ANCHORS.items()},
    **{f"tw {role}": f"text=tw{role}" for role in ("text", "soft", "ink")},
}


def tex(scene: Scene) -> str:
    """The scene as TikZ text, on white; special characters are escaped, those that are not ASCII become `?`."""
    page = arrange(scene)
    texts = [*words(scene, page), *(word for box in page.boxes for word in cell_words(box))]
    styles = KINDS | {_font(size): _selects(size) for size in sorted({word.size for word in texts})}
    lines = [HEAD, *_colours(scene.legend.palette), *starmap("\\tikzset{{{}/.style={{{}}}}}".format, styles.items())]
    lines.append(f"\\begin{{tikzpicture}}[x={number(UNIT)}pt,y=-{number(UNIT)}pt]")
    lines.append(f"\\path[use as bounding box] (0,0) rectangle {_at(page.width, page.height)};")
    for box in page.boxes:
        lines += _cells(box)
    lines += [*_arrows(scene, page), *_swatches(scene, page), *map(_node, texts)]
    return "\n".join([*lines, "\\end{tikzpicture}\n"])


def escaped(text: str) -> str:
    r"""Text as TeX prints it letter by letter.

    >>> print(escaped("50% of A_1 ^ {2}"))
    50\% of A\_1 \^{} \{2\}
    """
    return "".join(SPECIAL.get(c, c if c.isascii() else "?") for c in printable(text))


def _colours(palette: str) -> Iterator[str]:
    named = {name: LIGHT[name] for name in ("text", "soft", "rule", "faint")} | {"ink": INK}
    named |= {f"tone{tone}": colour for tone, colour in enumerate(PALETTES[palette])}
    return (f"\\definecolor{{tw{name}}}{{HTML}}{{{colour[1:].upper()}}}" for name, colour in named.items())


def _cells(box: PanelBox) -> Iterator[str]:
    ordered = sorted(box.panel.cells, key=lambda cell: -1 if cell.tone is None else cell.tone)
    for tone, same in groupby(ordered, lambda cell: cell.tone):
        squares = " ".join(_square(box, cell.row, cell.column) for cell in same)
        yield f"\\path[tw blank] {squares};" if tone is None else f"\\path[fill=twtone{tone},draw=white] {squares};"
    for column in box.panel.columns.rules:
        yield f"\\path[tw rule] {_at(box.x(column), box.top)} -- {_at(box.x(column), box.bottom)};"
    for row in box.panel.rows.rules:
        yield f"\\path[tw rule] {_at(box.left, box.y(row))} -- {_at(box.right, box.y(row))};"
    marked = " ".join(_square(box, cell.row, cell.column) for cell in box.panel.cells if cell.marked)
    if marked:
        yield f"\\path[tw rule] {marked};"


def _arrows(scene: Scene, page: Page) -> Iterator[str]:
    for arrow in scene.arrows:
        start, end = (_at(*page.boxes[place.panel].centre(place.row, place.column)) for place in arrow)
        yield f"\\path[tw rule,->] {start} -- {end};"


def _swatches(scene: Scene, page: Page) -> Iterator[str]:
    places = list(legend_places(scene, page.width))[1:]
    for swatch, (row, x) in zip(scene.legend.swatches, places, strict=True):
        y = page.legend_top + row * LEGEND_ROW
        yield f"\\fill[fill=twtone{swatch.tone}] {_at(x, y + 1)} rectangle {_at(x + 15, y + 16)};"


def _node(word: Word) -> str:
    styles = [f"tw {word.role}", f"tw {word.anchor}", _font(word.size)]
    styles += ["rotate=90"] if word.turned else []
    text = f"\\bfseries {escaped(word.text)}" if word.bold else escaped(word.text)
    return f"\\node[{','.join(styles)}] at {_at(word.x, word.y)} {{{text}}};"


def _font(size: float) -> str:
    return f"tw font {number(10 * size)}"


def _selects(size: float) -> str:
    points = size * UNIT
    return f"font=\\ttfamily\\fontsize{{{number(points)}}}{{{number(1.2 * points)}}}\\selectfont"


def _square(box: PanelBox, row: int, column: int) -> str:
    return f"{_at(box.x(column), box.y(row))} rectangle {_at(box.x(column + 1), box.y(row + 1))}"


def _at(x: float, y: float) -> str:
    return f"({number(x)},{number(y)})"
