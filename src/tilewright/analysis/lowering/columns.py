"""Where registers, lanes and warps lie in shared memory, bit by bit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from tilewright.errors import LayoutError
from tilewright.layout.linear.linear import LinearLayout

Bit: TypeAlias = tuple[str, int]

LEVELS = ("register", "lane", "warp")


@dataclass(frozen=True)
class Columns:
    """The image of every bit of the register, lane and warp number: an offset in elements; images XOR.

    Registers that hold the same as another one have no bit here; lanes and warps that do have the image 0.
    """

    table: tuple[tuple[Bit, int], ...]

    def __getitem__(self, bit: Bit) -> int:
        return self._images[bit]

    def bits(self, level: str) -> tuple[Bit, ...]:
        """The bits of the level, in their order."""
        return tuple([bit for bit, _ in self.table if bit[0] == level])

    def at(self, bits: Iterable[Bit]) -> list[int]:
        """The images of some bits."""
        known = self._images
        return [known[bit] for bit in bits]

    @cached_property
    def _images(self) -> dict[Bit, int]:
        return dict(self.table)

    def distinct(self) -> Columns:
        """Without the registers that hold the same as another one."""
        return Columns(tuple((bit, image) for bit, image in self.table if image or bit[0] != "register"))


def columns_of(distributed: LinearLayout, shared: LinearLayout) -> Columns:
    """The columns of a tensor in a tile of shared memory that holds it, or a larger one.

    Raises:
        LayoutError: the tile lacks an element, or another block of the cluster holds it; layouts of other things.

    >>> from tilewright.notation import parse_linear
    >>> owner = parse_linear("{register = [[1], [2]], lane = [[4]], warp = []} -> {dim0 = 8}")
    >>> columns_of(owner, parse_linear("{offset = [[1], [2], [4]]} -> {dim0 = 8}")).table
    ((('register', 0), 1), (('register', 1), 2), (('lane', 0), 4))
    """
    table: list[tuple[Bit, int]] = []
    _check_levels(distributed, "lane", "a tensor in registers")
    _check_levels(shared, "offset", "a tile of shared memory")
    found = distributed.invert_and_compose(shared)
    place = found.get_out_dim_names().index("offset")
    for level, images in found.bases:
        for i, image in enumerate(images):
            if level in LEVELS and any(value for d, value in enumerate(image) if d != place):
                raise LayoutError("the accesses go to the shared memory of another block of the cluster")
            if level in LEVELS and (image[place] or level != "register"):
                table.append(((level, i), image[place]))
    return Columns(tuple(table))


def _check_levels(layout: LinearLayout, level: str, what: str) -> None:
    if level not in layout.get_in_dim_names():
        raise LayoutError(f"{what} has a layout of {level}s, not of {', '.join(layout.get_in_dim_names())}")


def coordinates_of(distributed: LinearLayout, order: Iterable[int], extents: Iterable[int]) -> Columns:
    """The columns of a tensor in a plain tile whose dimension order[0] is contiguous."""
    _check_levels(distributed, "lane", "a tensor in registers")
    strides, step = {}, 1
    sizes = list(extents)
    for d in order:
        strides[d] = step
        step *= sizes[d]
    table = [
        ((level, i), sum(value * strides[d] for d, value in enumerate(image)))
        for level, images in distributed.bases
        if level in LEVELS
        for i, image in enumerate(images)
    ]
    return Columns(tuple(table))
