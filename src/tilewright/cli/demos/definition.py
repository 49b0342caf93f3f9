"""The definition of a permutation of layouts, element by element: what every run of the demo is held against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tilewright.layout.axes import MEMORY
from tilewright.tirx.layout import TileLayout

if TYPE_CHECKING:
    import numpy

    Array = numpy.ndarray[Any, Any]


def mismatches(source: Array, result: Array, pre: TileLayout, post: TileLayout) -> list[int]:
    """The flat coordinates i at which result[post(i)] is not source[pre(i)], bit for bit.

    `source` and `result` are memory: one cell for each offset.
    """
    wanted, got = source[_offsets(pre)], result[_offsets(post)]
    different = (_bytes(wanted) != _bytes(got)).any(axis=1)
    return [int(index) for index in different.nonzero()[0]]


def _offsets(layout: TileLayout) -> Any:
    return layout.table()[MEMORY]


def _bytes(values: Array) -> Any:
    return values.reshape(-1, 1).view("u1").reshape(len(values), -1)
