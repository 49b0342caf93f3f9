"""`Figure`: a scene, and every form it can be written in."""

from __future__ import annotations

from dataclasses import dataclass
from json import dumps
from pathlib import Path

from tilewright.errors import UsageError, shown, typed_fields
from tilewright.figures import html, svg, terminal
from tilewright.figures.files import write
from tilewright.figures.scene import Scene


@dataclass(frozen=True, slots=True, repr=False)
@typed_fields
class Figure:
    """A picture that is still data; shows itself in notebooks, and as text where it is printed.

    >>> from tilewright import Layout, draw
    >>> draw(Layout((4, 4)))
    <Figure '(4,4):(1,4)': 1 panel, 16 cells; .text() .svg() .html() .json() .save(path)>
    """

    scene: Scene

    def svg(self) -> str:
        """One self-contained SVG text, which follows the reader's light or dark setting."""
        return svg.svg(self.scene)

    def html(self) -> str:
        """A page of its own around the SVG."""
        return html.html(self.scene)

    def text(self, *, width: int | None = None, color: bool = False) -> str:
        """Plain text for a terminal, folded to `width` characters; `color` adds 24-bit colours."""
        return terminal.text(self.scene, width=width, color=color)

    def json(self) -> str:
        """The scene as JSON text, for pages and other programs: `docs/scenes.md` is its schema."""
        return dumps(self.scene.to_json(), ensure_ascii=False, separators=(",", ":")) + "\n"

    def save(self, path: str | Path, *, force: bool = False) -> Path:
        """Writes the form that the suffix names (.svg, .html, .txt, .json) and gives the path back.

        Raises:
            UsageError: another suffix, a folder that is not there, or a file that is there already, unless `force`.
        """
        if not isinstance(path, str | Path):
            raise UsageError(f"a picture is saved under a path, got {shown(path)}")
        target = Path(path)
        forms = {".svg": self.svg, ".html": self.html, ".txt": self.text, ".json": self.json}
        if target.suffix not in forms:
            raise UsageError(f"cannot write {str(target)!r}: the suffix must be one of {', '.join(forms)}")
        return write(target, forms[target.suffix](), force=force)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        panels = self.scene.panels
        counts = f"{len(panels)} panel{'s' * (len(panels) != 1)}, {sum(len(panel.cells) for panel in panels)} cells"
        return f"<Figure {shown(self.scene.title)}: {counts}; .text() .svg() .html() .json() .save(path)>"

    def _repr_svg_(self) -> str:
        return self.svg()
