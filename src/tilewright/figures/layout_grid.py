"""The picture of a layout: its coordinates as a grid, what it answers in the cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tilewright.analysis.held.table import told_width
from tilewright.errors import UsageError, shown
from tilewright.figures.elements import Element, elements
from tilewright.figures.figure import Figure
from tilewright.figures.memory import Memory, memory
from tilewright.figures.scene import Legend, Panel, Scene
from tilewright.figures.tones import hues, steps
from tilewright.figures.values import axes, copies, places
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
    sample = items[0].value
    color = color or _default(sample)
    keys = [_key(color, item, store) for item in items]
    tones, legend = _tones(color, keys, store)
    labels = (seen.label(item.point.flat, item.value, item.copies) for item in items)
    cells = (item.cell(x, tones[key], key, store) for x, item, key in zip(labels, items, keys, strict=True))
    panel = Panel("", seen.domain.rows, seen.domain.columns, tuple(cells))
    return Figure(Scene(title or seen.title, (panel,), legend, notes=(seen.caption(sample), *copies(sample))))


def _default(value: object) -> str:
    found = axes(value)
    if not found:
        return "index"  # an empty TIRx layout lies on no axis
    return next((axis for axis in found if axis in AXES and AXES[axis].is_thread()), found[0]) or "offset"


def _key(color: str, item: Element, store: Memory | None) -> int:
    point, value = item.point, item.value
    if color in PLAIN:
        return (point.row, point.column, point.flat)[PLAIN.index(color)]
    if color == "bank":
        return _bank(value, store)
    if color == "offset" and type(value) is int:
        return value
    place = item.copies[0] if item.copies else places(value)[0]
    if color not in place:
        known = ", ".join([*filter(None, place), "offset", "bank", *PLAIN])
        raise UsageError(f"unknown color {shown(color)}; this layout can be coloured by {known}")
    return place[color]


def _bank(value: object, store: Memory | None) -> int:
    if store is None or type(value) is not int:
        raise UsageError('color="bank" needs element_bits, and a layout whose values are memory offsets')
    return store.group(store.bank(value))


def _tones(color: str, keys: list[int], store: Memory | None) -> tuple[Mapping[int, int], Legend]:
    if color == "bank" and store:
        return hues(keys, "bank", store.group_name)
    return steps(keys, color) if color in ("offset", "index") else hues(keys, color)
