"""Where registers, lanes and warps lie in shared memory, bit by bit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TypeAlias

from tilewright.errors import LayoutError
from tilewright.layout.linear import dims
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
        return self._levels.get(level, ())

    def at(self, bits: Iterable[Bit]) -> list[int]:
        """The images of some bits."""
        known = self._images
        return [known[bit] for bit in bits]

    @cached_property
    def _images(self) -> dict[Bit, int]:
        return dict(self.table)

    @cached_property
    def _levels(self) -> dict[str, tuple[Bit, ...]]:
        found: dict[str, list[Bit]] = {}
        for bit, _ in self.table:
            found.setdefault(bit[0], []).append(bit)
        return {level: tuple(bits) for level, bits in found.items()}

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
    (low, *_), size = dims.bit_positions((("offset", 2),), found.outs), found.get_out_dim_size("offset")
    images = iter(found.columns)
    for level, count in found.ins:
        for i, image in enumerate(islice(images, dims.log2(count))):
            offset = image >> low & size - 1
            if level in LEVELS and image != offset << low:
                raise LayoutError("the accesses go to the shared memory of another block of the cluster")
            if level in LEVELS and (offset or level != "register"):
                table.append(((level, i), offset))
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
