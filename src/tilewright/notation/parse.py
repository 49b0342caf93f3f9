"""The entry points: text in, object out, one function a notation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from tilewright.layout.linear import LinearLayout
from tilewright.notation.linear_text import linear
from tilewright.notation.reader import Reader
from tilewright.notation.triton import attribute_text
from tilewright.notation.triton_layouts import attribute_layout

Item = TypeVar("Item")


def _whole(r: Reader, rule: Callable[[Reader], Item]) -> Item:
    found = rule(r)
    r.expect_end()
    return found


def parse_linear(text: str) -> LinearLayout:
    """The linear layout of a text in our form or in the table that Triton prints.

    Raises:
        NotationError: the text cannot be read.
        LayoutError: the numbers are no linear layout.

    >>> print(parse_linear("- lane=1 -> (1) lane=2 -> (2) where out dims are: [offset (size 4)]"))
    {lane = [[1], [2]]} -> {offset = 4}
    """
    return _whole(Reader(text), linear)


def parse_triton(text: str, shape: Sequence[int] | None = None) -> LinearLayout:
    """The linear layout that a Triton layout attribute means for a tensor of that shape.

    The shape may also stand in the text, as the type `tensor<128x64xf16, #ttg.blocked<{...}>>`; without any, the
    smallest tensor that shows the whole attribute is taken. Aliases (`#blocked = #ttg.blocked<...>`) may go before.

    Raises:
        NotationError: the text cannot be read.
        LayoutError: the attribute is of a kind that is not read, or describes no layout of that shape.

    >>> text = "#ttg.blocked<{sizePerThread = [2], threadsPerWarp = [4], warpsPerCTA = [1], order = [0]}>"
    >>> print(parse_triton(text))
    {register = [[1]], lane = [[2], [4]], warp = [], block = []} -> {dim0 = 8}
    """
    attribute, own_shape = _whole(Reader(text), attribute_text)
    return attribute_layout(attribute, own_shape if shape is None else shape)
