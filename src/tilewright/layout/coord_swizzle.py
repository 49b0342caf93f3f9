"""`CoordSwizzle`: an XOR between two positions of a coordinate, as fly has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import AxisSum, coordinate_of, element_at, from_terms
from tilewright.layout.inttuple import MAX_DEPTH, IntTuple, as_int_tuple

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element, IntTupleLike, Tree

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CoordSwizzle:
    """`CS<b,from,[p],to,[q]>`: the b bits of position p from bit `from` on are XORed into position q from bit `to` on.

    Positions are paths from the outermost tuple inwards; an involution, since p is not q. Of no bits it is the
    identity, whose positions may be empty: `CS<0,0,[],0,[]>`.

    Raises:
        LayoutError: fields that are no integers, a negative one, equal positions, bits beyond 62.

    Source: fly's `coord_swizzle`.

    >>> swizzle = CoordSwizzle(3, 0, (1,), 0, (2,))
    >>> print(swizzle, swizzle((1, 5, 6)))
    CS<3,0,[1],0,[2]> (1, 5, 3)
    """

    b: int
    row_base: int
    row: Path
    column_base: int
    column: Path

    def __post_init__(self) -> None:
        fields = (self.b, self.row_base, self.column_base)
        if not all(type(field) is int and field >= 0 for field in fields):
            raise LayoutError(f"CoordSwizzle takes natural numbers, got {', '.join(map(shown, fields))}")
        if self.b + max(self.row_base, self.column_base) > 62:
            raise LayoutError(f"{self} reaches beyond bit 62")
        for path in (self.row, self.column):
            if type(path) is not tuple or not bool(self.b) <= len(path) <= MAX_DEPTH:
                raise LayoutError(f"a position of CoordSwizzle is a path such as (1, 0), got {shown(path)}")
            if not all(type(step) is int and step >= 0 for step in path):
                raise LayoutError(f"a position of CoordSwizzle is a path such as (1, 0), got {shown(path)}")
        if self.b and self.row == self.column:
            raise LayoutError(f"{self} would XOR a position into itself")

    def at(self, element: Element) -> Element:
        """The swizzled element of the module of coordinates."""
        if self.b == 0 or not isinstance(element, AxisSum):
            return element
        bits = (element.on(self.row) >> self.row_base) & ((1 << self.b) - 1)
        others = [(axis, value) for axis, value in element.terms if axis != self.column]
        return from_terms([*others, (self.column, element.on(self.column) ^ (bits << self.column_base))])

    def __call__(self, coord: IntTupleLike) -> IntTuple:
        """The swizzled coordinate.

        Raises:
            LayoutError: the coordinate has no such positions.
        """
        checked = as_int_tuple(coord)
        for path in (self.row, self.column) if self.b else ():
            _require_position(checked, path)
        return coordinate_of(self.at(element_at(checked)), checked)

    def __str__(self) -> str:
        row, column = (",".join(map(str, path)) for path in (self.row, self.column))
        return f"CS<{self.b},{self.row_base},[{row}],{self.column_base},[{column}]>"


def _require_position(coord: Tree, path: Path) -> None:
    node = coord
    for step in path:
        if not isinstance(node, tuple) or step >= len(node):
            raise LayoutError(f"the coordinate {shown(coord)} has no position {list(path)}")
        node = node[step]
    if isinstance(node, tuple) or node is None:
        raise LayoutError(f"position {list(path)} of the coordinate {shown(coord)} is no integer")
