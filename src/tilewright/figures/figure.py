"""`Figure`: a scene, and every form it can be written in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from types import MappingProxyType

from tilewright.errors import UsageError, shown, typed_fields
from tilewright.figures import html, paper, svg, terminal, tikz
from tilewright.figures.files import write
from tilewright.figures.scene import Scene


@dataclass(frozen=True, slots=True, repr=False)
@typed_fields
class Figure:
    """A picture that is still data; shows itself in notebooks, and as text where it is printed.

    Raises:
        UsageError: no scene.

    >>> from tilewright import Layout, draw
    >>> draw(Layout((4, 4)))
    <Figure '(4,4):(1,4)': 1 panel, 16 cells; .text() .svg() .html() .png() .pdf() .tex() .json() .save(path)>
    """

    scene: Scene

    def svg(self, *, dark: bool | None = None) -> str:
        """One self-contained SVG text; `dark` is None where it is to follow the reader's light or dark setting."""
        return svg.svg(self.scene, dark=dark)

    def html(self) -> str:
        """A page of its own around the SVG."""
        return html.html(self.scene)

    def png(self, *, scale: float = 2.0, dark: bool = False) -> bytes:
        """A PNG image, `scale` pixels to a unit of the SVG.

        Raises:
            UsageError: the package `typst` (of the extra `notebook`) is not installed, or a scale that is none.
        """
        return paper.png(self.scene, scale=scale, dark=dark)

    def pdf(self, *, dark: bool = False) -> bytes:
        """A PDF page as large as the picture, in vectors.

        Raises:
            UsageError: the package `typst` (of the extra `notebook`) is not installed.
        """
        return paper.pdf(self.scene, dark=dark)

    def tex(self) -> str:
        r"""A `tikzpicture` for LaTeX: `\input` it where the package tikz is used."""
        return tikz.tex(self.scene)

    def text(self, *, width: int | None = None, color: bool = False) -> str:
        """Plain text for a terminal, folded to `width` characters; `color` adds 24-bit colours."""
        return terminal.text(self.scene, width=width, color=color)

    def json(self) -> str:
        """The scene as JSON text, for pages and other programs: `docs/scenes.md` is its schema."""
        return dumps(self.scene.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"

    def save(self, path: str | Path, *, force: bool = False) -> Path:
        """Writes the form that the suffix names (.svg, .html, .png, .pdf, .tex, .txt, .json) and gives the path back.

        Raises:
            UsageError: another suffix, a folder that is not there, or a file that is there already, unless `force`.
        """
        target = writable(path)
        return write(target, FORMS[target.suffix](self), force=force)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        panels = self.scene.panels
        counts = f"{len(panels)} panel{'s' * (len(panels) != 1)}, {sum(len(panel.cells) for panel in panels)} cells"
        forms = " ".join(f".{form}()" for form in ("text", "svg", "html", "png", "pdf", "tex", "json"))
        return f"<Figure {shown(self.scene.title)}: {counts}; {forms} .save(path)>"

    def _repr_html_(self) -> str:
        return html.inline(self.scene)


FORMS: Mapping[str, Callable[[Figure], str | bytes]] = MappingProxyType(
    {
        ".svg": Figure.svg,
        ".html": Figure.html,
        ".png": Figure.png,
        ".pdf": Figure.pdf,
        ".tex": Figure.tex,
        ".txt": Figure.text,
        ".json": Figure.json,
    }
)


def writable(path: object) -> Path:
    """The path, if its suffix names a form of pictures.

    Raises:
        UsageError: no path, or another suffix.
    """
    if not isinstance(path, str | Path):
        raise UsageError(f"a picture is saved under a path, got {shown(path)}")
    target = Path(path)
    if target.suffix not in FORMS:
        raise UsageError(f"cannot write {str(target)!r:.300}: the suffix must be one of {', '.join(FORMS)}")
    return target
