"""The picture of a layout: its coordinates as a grid, what it answers in the cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tilewright.analysis.held.table import told_width
from tilewright.errors import UsageError, shown
from tilewright.figures.elements import Elements, elements
from tilewright.figures.figure import Figure
from tilewright.figures.memory import Memory, memory
from tilewright.figures.scene import Legend, Panel, Scene
from tilewright.figures.tones import hues, steps
from tilewright.figures.values import axes, copies
from tilewright.figures.views import view
from tilewright.layout.axes import AXES

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

PLAIN = ("row", "column", "index")


def picture(
    layout: object,
    *,
    shape: Sequence[int] | None = None,
    color: str | None = None,
    element_bits: int | DTypeLike | None = None,
    arch: str = "sm_90",
    title: str | None = None,
) -> Figure:
    """The grid of a layout of any kind: every cell shows the offset, coordinate or places of its coordinate.

    Rank 1 is wrapped every 32 cells; beyond rank 2 the modes are flattened in the layout's own order, see the axis
    titles. Heavy rules separate the inner modes.

    Args:
        layout: a `Layout`, `ComposedLayout`, `Swizzle` or TIRx layout; a `Tensor`, whose cells show its elements.
        shape: (rows, columns) of the plane, instead of the layout's own modes.
        color: `offset` (light to dark), `bank`, `row`, `column`, `index`, or the name of an axis such as `laneid`.
        element_bits: the width of an element; bytes in the tooltips need it, and `color="bank"` where the layout, as
            that of a `Tensor`, does not tell it.
        arch: the architecture that the banks are of.
        title: instead of the layout's text.

    Raises:
        UsageError: more than 65536 cells, an unknown colouring, a shape of another size.
    """
    seen = view(layout, shape)
    store = memory(told_width(layout, element_bits), arch) if element_bits is not None or color == "bank" else None
    items = elements(layout, seen)
    sample = items.answers[0]
    color = color or _default(sample)
    keys = _keys(color, items, store)
    tones, legend = _tones(color, keys, store)
    cells = items.cells(list(map(tones.__getitem__, keys)), keys, store)
    panel = Panel("", seen.domain.rows, seen.domain.columns, cells)
    return Figure(Scene(title or seen.title, (panel,), legend, notes=(seen.caption(sample), *copies(sample))))


def _default(value: object) -> str:
    found = axes(value)
    if not found:
        return "index"  # an empty TIRx layout lies on no axis
    return next((axis for axis in found if axis in AXES and AXES[axis].is_thread()), found[0]) or "offset"


def _keys(color: str, items: Elements, store: Memory | None) -> Sequence[int]:
    """What the colours stand for, cell by cell."""
    width, offsets = items.domain.columns.count, items.answers.offsets
    if color in PLAIN:
        rows, columns = [at // width for at in range(len(items))], [at % width for at in range(len(items))]
        return (rows, columns, items.domain.flat)[PLAIN.index(color)]
    if color == "bank":
        return _groups(offsets, store)
    if color == "offset" and offsets is not None:
        return offsets
    found = items.answers.on(color) if offsets is None and isinstance(color, str) else None
    if found is None:
        axes_ = filter(None, axes(items.answers[0]))
        known = ", ".join([*axes_, "offset", "bank", *PLAIN])
        raise UsageError(f"unknown color {shown(color)}; this layout can be coloured by {known}")
    return found


def _groups(offsets: Sequence[int] | None, store: Memory | None) -> Sequence[int]:
    if store is None or offsets is None:
        raise UsageError('color="bank" needs element_bits, and a layout whose values are memory offsets')
    return [store.group(bank) for bank in store.columns(offsets)[1]]


def _tones(color: str, keys: Sequence[int], store: Memory | None) -> tuple[Mapping[int, int], Legend]:
    if color == "bank" and store:
        return hues(keys, "bank", store.group_name)
    if color in ("offset", "index"):
        return steps(keys, color)
    return hues(keys, color if color[:1].isalpha() else f"position {color}")  # of a coordinate
