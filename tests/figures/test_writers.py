"""The writers: well-formed, nothing outside the page, readable colours, harmless labels, quick."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scenes import scenes

from tilewright.errors import UsageError
from tilewright.figures.cell import Cell
from tilewright.figures.cut import cut
from tilewright.figures.draw import draw
from tilewright.figures.figure import Figure
from tilewright.figures.geometry import PanelBox, arrange, measure, number
from tilewright.figures.labels import GLYPH, MOST_BLANK, labels, without_notes
from tilewright.figures.outlines import border, outlines
from tilewright.figures.palette import INK, PALETTES
from tilewright.figures.scene import Legend, Panel, Ruler, Scene, Swatch
from tilewright.figures.stack import stack
from tilewright.figures.style import DARK, LIGHT
from tilewright.layout.layout import Layout
from tilewright.tirx.layout import R, S, TileLayout, laneid, warpid

SVG = "{http://www.w3.org/2000/svg}"
TILE = Layout((4, (2, 3)), (2, (1, 8)))
FRAGMENT = TileLayout(S[(8, 8, 4, 16) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2 : 16 @ warpid])


def numbers(element: ElementTree.Element, *names: str) -> tuple[float, ...]:
    return tuple(float(element.get(name, "0")) for name in names)


@given(scenes())
@example(without_notes(draw(Layout((2, 60), (60, 1))).scene))  # in runs, with an odd and an even number of letters
def test_svg_is_well_formed_and_holds_every_label(scene: Scene) -> None:
    figure = Figure(scene)
    root = ElementTree.fromstring(figure.svg())
    for panel, box in enumerate(arrange(scene).boxes):
        told = {
            (number(box.baseline(cell.row, line, cell.label.count("\n") + 1)), cell.column): (
                plain(words).replace(" ", ""),
                plain(cell.note),
            )
            for cell in box.panel.cells
            for line, words in enumerate(cell.label.split("\n"))
            if words.replace(" ", "") or cell.note
        }
        assert labels_of(root, panel, box) == told
    assert len(list(root.iter(f"{SVG}rect"))) == 1 + len(scene.legend.swatches)


def labels_of(root: ElementTree.Element, panel: int, box: PanelBox) -> dict[tuple[str, int], tuple[str, str]]:
    """(height, column) -> a line of a label, without spaces, and the cell's note."""
    found: dict[tuple[str, int], tuple[str, str]] = {}
    for group in root.findall(f".//{SVG}g[@data-panel='{panel}']/{SVG}g"):
        _, height = str(group.get("transform")).removeprefix("translate(").removesuffix(")").split()
        for text in group.iter(f"{SVG}text"):
            note = text.findtext(f"{SVG}title", "")
            for column, part in words_of(text, box):
                place, letters = (height, column), part.replace(" ", "")  # which a run has between its words, too
                if letters or note:
                    found[place] = found.get(place, ("", ""))[0] + letters, note
    return found


def words_of(text: ElementTree.Element, box: PanelBox) -> list[tuple[int, str]]:
    """The words of a text, each with the column in which its middle lies; a run has so many letters to a cell."""
    words, x = text.text or "", float(text.get("x", ""))
    if text.get("textLength") is None:
        return [(int(x // box.cell_width), words.strip("\u00a0"))]
    step = (float(text.get("textLength", "")) - box.font * 0.602) / max(len(words) - 1, 1)
    begin = x - step * len(words) / 2
    middles = [begin + step * (at + 0.5) for at in range(len(words))]
    letters = zip(middles, words, strict=True)  # what is between words is no part of them
    return [(int(middle // box.cell_width), letter) for middle, letter in letters if letter != " "]


@given(
    st.dictionaries(st.integers(0, 90), st.text("0128,x", min_size=1, max_size=4) | st.just("é1"), min_size=1),
    st.integers(4, 30).map(lambda half: 2 * half),
)
@example({0: "1", 1: "22", 5: "333", 90: "4444"}, 24)
@example({0: "1", 1: "22", 3: "33", 43: "55"}, 24)
def test_every_word_stands_in_the_middle_of_its_cell(words: dict[int, str], width: int) -> None:
    """Also in cells that are wider than they need be, or too narrow; a run has few blanks, and letters of one width."""
    columns = Ruler(("",) * 91)
    panel = Panel("", Ruler(("",)), columns, [Cell(0, column, word) for column, word in words.items()])
    box = replace(measure(panel, 12), left=0.0, top=0.0, cell_width=width)
    found: dict[int, str] = {}
    for text in ElementTree.fromstring(f"<svg>{''.join(labels(box))}</svg>").iter("text"):
        for middle, word in placed(text, width):
            column = round(middle / width - 0.5)
            assert abs(middle - (column + 0.5) * width) < 0.03
            found[column] = word
        assert text.get("textLength") is None or str(text.text).isascii()
        assert " " * (MOST_BLANK + 1) not in str(text.text)
    assert found == words


def placed(text: ElementTree.Element, width: int) -> list[tuple[float, str]]:
    """The middle of each word of a text; the letters of a run are as far apart as its length tells, a word a cell."""
    run, x, length = str(text.text), float(text.get("x", "")), text.get("textLength")
    if length is None:
        return [(x, run)]
    letter = 12 * GLYPH
    step = (float(length) - letter) / max(len(run) - 1, 1)
    middles = [x - float(length) / 2 + letter / 2 + at * step for at in range(len(run))]
    letters = [(middle, one) for middle, one in zip(middles, run, strict=True) if one != " "]
    cells = [list(cell) for _, cell in itertools.groupby(letters, key=lambda found: found[0] // width)]
    return [((cell[0][0] + cell[-1][0]) / 2, "".join(one for _, one in cell)) for cell in cells]


def plain(words: str) -> str:
    return words.translate(UNPRINTABLE)


def anchors(root: ElementTree.Element) -> Iterator[tuple[float, float]]:
    """Where every text is anchored, on the page."""
    shifts = {
        text: numbers_in(str(group.get("transform")))
        for group in root.findall(f".//{SVG}g[@data-panel]/{SVG}g")
        for text in group.iter(f"{SVG}text")
    }
    for text in root.iter(f"{SVG}text"):
        right, down = shifts.get(text, (0.0, 0.0))
        for x in str(text.get("x")).split():
            yield float(x) + right, float(text.get("y", "0")) + down


def numbers_in(text: str) -> tuple[float, float]:
    x, y = (float(found) for found in re.findall(r"-?[\d.]+", text))
    return x, y


SPOTS = st.sets(st.tuples(st.integers(0, 4), st.integers(0, 5)))


def asked(cells: set[tuple[int, int]], others: set[tuple[int, int]], size: int) -> tuple[list[bool], PanelBox]:
    """Which cells of a panel of both are the first, and a box in which a cell has this size."""
    rows, columns = (Ruler(tuple(map(str, range(count)))) for count in (5, 6))
    panel = Panel("", rows, columns, [Cell(*spot) for spot in cells | others])
    box = replace(measure(panel, 12), left=0.0, top=0.0, cell_width=size, cell_height=size)
    return [(cell.row, cell.column) in cells for cell in panel.cells], box


@given(SPOTS, SPOTS)
def test_outlines_are_the_edges_of_the_cells_once(cells: set[tuple[int, int]], others: set[tuple[int, int]]) -> None:
    edges: list[tuple[str, int, int]] = []
    for x, y, x2, y2 in outlines(*asked(cells, others, 2)):
        way, line, start, end = ("H", y, x, x2) if y == y2 else ("V", x, y, y2)
        edges += [(way, int(line), at) for at in range(int(start), int(end), 2)]
    wanted = {("H", 2 * row + d, 2 * column) for row, column in cells for d in (0, 2)}
    wanted |= {("V", 2 * column + d, 2 * row) for row, column in cells for d in (0, 2)}
    assert sorted(edges) == sorted(wanted)


@given(SPOTS, SPOTS)
def test_a_border_is_the_edges_that_cells_do_not_share(
    cells: set[tuple[int, int]], others: set[tuple[int, int]]
) -> None:
    length = sum(x2 - x + y2 - y for x, y, x2, y2 in border(*asked(cells, others, 1)))
    around = [(r + d, c + e) for r, c in cells for d, e in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    assert length == sum(spot not in cells for spot in around)


@given(scenes())
def test_the_dashes_of_a_tone_are_its_cells(scene: Scene) -> None:
    groups = ElementTree.fromstring(Figure(scene).svg()).findall(f".//{SVG}g[@class='tw-cells']")
    for panel, group in zip(scene.panels, groups, strict=True):
        painted = {
            (int(row), int(column) + i): int(str(path.get("class"))[-1])
            for path in group
            for column, row, count in re.findall(r"M(\d+) (\d+)h(\d+)", str(path.get("d")))
            for i in range(int(count))
        }
        assert painted == {(cell.row, cell.column): cell.tone for cell in panel.cells if cell.tone is not None}


class _Unprintable(dict[int, int]):
    def __missing__(self, code: int) -> int:
        return code if chr(code).isprintable() or code == 10 else 0xFFFD


UNPRINTABLE = _Unprintable()


@given(scenes())
def test_nothing_lies_outside_the_page(scene: Scene) -> None:
    root = ElementTree.fromstring(Figure(scene).svg())
    width, height = numbers(root, "width", "height")
    for box in arrange(scene).boxes:
        assert box.left >= 0
        assert box.top >= 0
        assert box.right <= width
        assert box.bottom <= height
    for rect in list(root.iter(f"{SVG}rect"))[1:]:
        x, y, w, h = numbers(rect, "x", "y", "width", "height")
        assert x >= 0
        assert y >= 0
        assert x + w <= width
        assert y + h <= height
    for x, y in anchors(root):
        assert 0 <= x <= width
        assert 0 < y <= height


def test_start_anchored_text_ends_inside_the_page() -> None:
    long = Scene("t" * 150, draw(TILE).scene.panels, notes=("n" * 170,))
    root = ElementTree.fromstring(Figure(long).svg())
    (width,) = numbers(root, "width")
    for text in root.iter(f"{SVG}text"):
        if not re.search(r"tw-(mid|end)", text.get("class", "tw-mid")):
            x, size = numbers(text, "x", "font-size")
            assert x + size * 0.6 * len(text.text or "") <= width


@pytest.mark.parametrize("write", [Figure.svg, Figure.html])
def test_labels_cannot_inject(write: Callable[[Figure], str]) -> None:
    evil = "</text><script>alert(1)</script>&\"'\x00\x1b[2J"
    scene = Scene(evil, (Panel(evil, Ruler((evil,), evil), Ruler((evil,), evil), (Cell(0, 0, evil, 0, evil),)),))
    scene = Scene(evil, scene.panels, Legend(evil, (Swatch(0, evil),)), notes=(evil,))
    written = write(Figure(scene))
    assert "<script" not in written
    assert "\x1b" not in written
    assert "\x00" not in written


@given(scenes())
def test_terminal_text_cannot_steer_the_terminal(scene: Scene) -> None:
    written = Figure(scene).text()
    assert all(c.isprintable() or c == "\n" for c in written)


def test_terminal_text_reads_back() -> None:
    lines = draw(TILE).text().splitlines()
    table = [line for line in lines if re.match(r"\d ", line)]
    assert [[int(n) for n in re.findall(r"\d+", line)][1:] for line in table] == [
        [TILE(row, column) for column in range(6)] for row in range(4)
    ]


@pytest.mark.parametrize("width", [12, 20, 40, 80])
def test_terminal_text_folds(width: int) -> None:
    layout = Layout((8, 64), (64, 1))
    figure = Figure(Scene("", draw(layout).scene.panels))
    lines = figure.text(width=width).splitlines()
    assert max(map(len, lines[2:])) <= width
    assert sorted(
        int(n) for line in lines if line[:2] in {f"{r} " for r in range(8)} for n in line.split()[1:]
    ) == list(range(512))


def test_colour_in_the_terminal_changes_no_character() -> None:
    figure = draw(TILE)
    coloured = figure.text(color=True)
    assert "\x1b[48;2;" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == figure.text()


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("palette", PALETTES)
def test_labels_are_readable_on_every_fill(palette: str) -> None:
    """The Web Content Accessibility Guidelines ask for 4.5."""
    assert min(contrast(INK, fill) for fill in PALETTES[palette]) >= 4.5


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_text_is_readable_on_the_page(theme: dict[str, str]) -> None:
    assert min(contrast(theme["page"], theme[name]) for name in ("text", "soft", "rule")) >= 4.5


def test_steps_keep_their_order_in_grey() -> None:
    grey = [luminance(colour) for colour in PALETTES["steps"]]
    assert grey == sorted(grey, reverse=True)


# Simulation of complete dichromacy in linear RGB (Machado, Oliveira, Fernandes 2009).
DICHROMACY = {
    "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}


def seen(colour: str, matrix: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    linear = [(int(colour[i : i + 2], 16) / 255) ** 2.2 for i in (1, 3, 5)]
    r, g, b = (255 * max(0.0, sum(m * c for m, c in zip(row, linear, strict=True))) ** (1 / 2.2) for row in matrix)
    return r, g, b


@pytest.mark.parametrize("eyes", DICHROMACY)
def test_hues_stay_apart_for_colour_blind_eyes(eyes: str) -> None:
    points = [seen(colour, DICHROMACY[eyes]) for colour in PALETTES["hues"]]
    apart = min(
        sum((a - b) ** 2 for a, b in zip(p, q, strict=True)) ** 0.5 for p, q in itertools.combinations(points, 2)
    )
    assert apart > 20


@pytest.mark.parametrize(
    "figure",
    [
        draw(Layout((64, 64), (64, 1)), color="row"),
        draw(Layout((64, 64), (64, 1)), color="bank", element_bits=16),
        draw(Layout((256, 16), (1, 256)), kind="tv", tile=(64, 64)),
        draw(Layout(((64, 2), 64), ((1, 0), 64)), kind="tv", tile=(64, 64)),
        draw(TileLayout(S[(64, 8, 8) : (8 @ warpid, 1 @ laneid, 1)] + R[2 : 4 @ laneid]), shape=(64, 64)),
        draw(FRAGMENT, kind="placement", shape=(64, 64)),
    ],
    ids=["grid", "banks", "owners", "several owners", "named axes", "placement"],
)
def test_a_64_by_64_picture_takes_at_most_300_kb(figure: Figure) -> None:
    assert len(figure.svg().encode()) <= 300_000


def test_a_picture_that_would_be_too_large_drops_what_it_tells_of_cells_and_says_so() -> None:
    small, large = (draw(Layout((n, n)), color="bank", element_bits=16).svg() for n in (32, 64))
    assert small.count("<title>") == 1024
    assert "left out" not in small
    assert "<title>" not in large
    assert "is left out of this one" in large


def test_notes_of_all_panels_and_of_every_column_are_counted() -> None:
    """Two panels that fit alone; one in which every other column alone has long notes."""
    one = draw(Layout((44, 44)), element_bits=16, color="bank")
    assert "left out" not in one.svg()
    assert "left out" in stack("two", {"a": one, "b": one}).svg()
    rows, columns = Ruler(("",) * 55), Ruler(("",) * 100)
    notes = [Cell(at // 100, at % 100, note="n" * 100 * (at % 2)) for at in range(5500)]
    assert len(Figure(Scene("", (Panel("", rows, columns, notes),))).svg()) < 300_000


def test_notebooks_are_given_a_corner_of_large_pictures_and_told_so() -> None:
    whole = draw(Layout((256, 256), (256, 1)))
    shown = whole._repr_html_()
    assert len(shown) <= 300_000 < len(whole.svg())
    assert "the first 64 x 64 of 256 x 256" in shown
    assert "left out here: cells beyond the first 64 x 64; .svg() and .save()" in shown
    figures = stack("four", {str(n): draw(Layout((64, 64))) for n in range(4)})
    assert len(cut(figures.scene).panels) == 3
    assert "beyond the first 64 x 64, 1 more panel;" in cut(figures.scene).notes[-1]


@given(scenes())
def test_what_is_small_is_not_cut(scene: Scene) -> None:
    assert cut(scene) == scene


def test_the_place_of_a_cell_is_told_by_its_panel() -> None:
    figure = draw(TILE)
    (box,) = arrange(figure.scene).boxes
    (group,) = ElementTree.fromstring(figure.svg()).findall(f".//{SVG}g[@data-panel='0']")
    assert numbers_in(str(group.get("data-corner"))) == (box.left, box.top)
    assert numbers_in(str(group.get("data-cell"))) == (box.cell_width, box.cell_height)


def test_save_writes_the_form_of_the_suffix(tmp_path: Path) -> None:
    figure = draw(TILE)
    for suffix, form in (
        (".svg", figure.svg()),
        (".html", figure.html()),
        (".tex", figure.tex()),
        (".txt", figure.text()),
        (".json", figure.json()),
    ):
        assert figure.save(tmp_path / f"a{suffix}").read_text(encoding="utf-8") == form
    assert figure.svg().split("<style>")[1] in figure._repr_html_()


def test_save_refuses_what_it_must_not_do(tmp_path: Path) -> None:
    figure = draw(TILE)
    there = tmp_path / "there.svg"
    there.write_text("mine")
    with pytest.raises(UsageError, match="there already"):
        figure.save(there)
    assert there.read_text() == "mine"
    assert figure.save(there, force=True).read_text(encoding="utf-8") == figure.svg()
    for path in (tmp_path / "a.gif", tmp_path / "no" / "a.svg", tmp_path / "nul\0.svg"):
        with pytest.raises(UsageError, match="cannot write"):
            figure.save(path)


def test_golden_svg(golden: Callable[[str, str], None]) -> None:
    golden("figures/grid.svg", draw(TILE, element_bits=32).svg())
