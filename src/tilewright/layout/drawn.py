"""`Drawn`: values that show themselves as pictures in notebooks."""

from __future__ import annotations

from tilewright.errors import TilewrightError


class Drawn:
    """Adds what notebooks ask for; what has no picture (too large, run-time extents) is shown as text."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        from tilewright.figures.draw import draw

        try:
            return draw(self)._repr_html_()
        except TilewrightError:
            return None
