"""The picture of a derivation: its operands and its result in colours that link them, and the steps between them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat

from tilewright.errors import UsageError, shown
from tilewright.figures.beside import Seen, coloured, looked_at
from tilewright.figures.domain import extent
from tilewright.figures.figure import Figure
from tilewright.figures.kinship import OPERANDS, RESULT, Kinship, kinship
from tilewright.figures.scene import Scene
from tilewright.layout.base import LayoutBase
from tilewright.layout.steps import Derivation, show

CAPTION = "in each cell: what the layout says of its coordinate"
MOST_CELLS = 4096


def picture(derivation: Derivation, *, title: str | None = None) -> Figure:
    """The layouts among the operands, and the result; below them the steps. What belongs together has one colour.

    That is a tile of a divide, a copy of a product, A(B(c)) of a composition, and so on (see `kinship`); elsewhere a
    value. Where the result is a number, the cells of the operands that hold it are outlined.

    Args:
        derivation: what `explain` gives.
        title: instead of the call.

    Raises:
        UsageError: no derivation, or one without a layout of at most 4096 cells.
    """
    if not isinstance(derivation, Derivation):
        raise UsageError(f"a derivation picture needs what explain gives, got {shown(derivation)}")
    kin = kinship(derivation)
    named = list(_layouts(derivation, kin))
    if not named:
        raise UsageError(f"no picture of {derivation.rule}: no operand is a layout of 1 to {MOST_CELLS} cells")
    keys = [kin.keys(name, items) for name, _, (_, items) in named]
    tones, legend = kin.tones((key for own in keys for key in own), kin.title)
    marked = [_where(seen, derivation.result) for *_, seen in named]
    titled = [(title, seen) for _, title, seen in named]
    panels = tuple(map(coloured, titled, keys, repeat(tones), marked))
    framed = any(marked)
    notes = (CAPTION, *([f"framed: {show(derivation.result)}"] if framed else []), *str(derivation).splitlines())
    name = title or f"{derivation.rule}({', '.join(map(show, derivation.inputs))})"
    return Figure(Scene(name, panels, legend, notes=notes))


def _layouts(derivation: Derivation, kin: Kinship) -> Iterator[tuple[str, str, Seen]]:
    """The name of each layout, what it is called above its panel, and what is seen of it."""
    given = [*zip(OPERANDS, derivation.inputs, strict=False), (RESULT, derivation.result)]
    for name, found in given:
        if _drawable(found):
            yield name, f"{name} = {show(found)}", looked_at(found)
    yield from ((name, name, looked_at(found)) for name, (found, _) in kin.more.items() if _drawable(found))


def _drawable(value: object) -> bool:
    if not isinstance(value, LayoutBase):
        return False
    try:
        return 1 <= extent(getattr(value, "shape", ())) <= MOST_CELLS
    except UsageError:  # extents of run time
        return False


def _where(seen: Seen, result: object) -> set[tuple[int, int]]:
    if isinstance(result, LayoutBase) or result is None:
        return set()
    return {(item.point.row, item.point.column) for item in seen[1] if item.value == result}
