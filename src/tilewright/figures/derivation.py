"""The picture of a derivation: its operands and its result in one scale of colours, and the steps between them."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.errors import UsageError, shown
from tilewright.figures.beside import Seen, looked_at, side_by_side
from tilewright.figures.domain import extent
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Scene
from tilewright.layout.base import LayoutBase
from tilewright.layout.steps import Derivation, show

MOST_CELLS = 4096
OPERANDS = "abcdefgh"


def picture(derivation: Derivation, *, title: str | None = None) -> Figure:
    """The layouts among the operands, and the result; below them the steps. A value has one colour in all panels.

    Where the result is a number, the cells of the operands that hold it are outlined.

    Args:
        derivation: what `explain` gives.
        title: instead of the call.

    Raises:
        UsageError: no derivation, or one without a layout of at most 4096 cells.
    """
    if not isinstance(derivation, Derivation):
        raise UsageError(f"a derivation picture needs what explain gives, got {shown(derivation)}")
    named = list(_layouts(derivation))
    if not named:
        raise UsageError(f"no picture of {derivation.rule}: no operand is a layout of 1 to {MOST_CELLS} cells")
    marked = [_where(seen, derivation.result) for _, seen in named]
    panels, legend = side_by_side(named, marked)
    framed = any(marked)
    notes = (*([f"framed: {show(derivation.result)}"] if framed else []), *str(derivation).splitlines())
    name = title or f"{derivation.rule}({', '.join(map(show, derivation.inputs))})"
    return Figure(Scene(name, panels, legend, notes=notes))


def _layouts(derivation: Derivation) -> Iterator[tuple[str, Seen]]:
    for letter, value in zip(OPERANDS, derivation.inputs, strict=False):
        if _drawable(value):
            yield f"{letter} = {show(value)}", looked_at(value)
    if _drawable(derivation.result):
        yield f"result = {show(derivation.result)}", looked_at(derivation.result)


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
