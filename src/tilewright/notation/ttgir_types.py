"""The types of a Triton GPU dump that carry layouts: tensors, views of shared memory, tensor descriptors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod

from tilewright.dtypes import dtype
from tilewright.errors import LayoutError, NotationError
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.reader import Reader
from tilewright.notation.triton import Aliases, attribute, of_element
from tilewright.notation.triton_attribute import Attribute
from tilewright.notation.triton_fields import order_of
from tilewright.notation.triton_layouts import attribute_layout
from tilewright.notation.triton_padded import KIND as PADDED
from tilewright.notation.triton_padded import Padding, paddings_of, unpadded
from tilewright.numerals import natural

POINTER_BITS = 64
MAX_EXTENT = 2**31
# In place of an extent of 2^31 and more, of however many digits: nothing has a layout of so many.
TOO_LARGE = MAX_EXTENT + 1
MAX_DEPTH = 32
_ALIAS = re.compile(r"#[\w$.]+", re.ASCII)
_SHAPE = re.compile(r"((?:[0-9]+x)*)(.*)")
_OPEN, _CLOSE = frozenset("([{<"), frozenset(")]}>")


@dataclass(frozen=True)
class Tiled:
    """A type with extents: `tensor<128x64xf16, #blocked>`, `!ttg.memdesc<64x16xf16, #shared, #smem, mutable, 64x64>`.

    Attributes:
        kind: `tensor`, `memdesc` or `tensordesc`.
        element: the text of the element type.
        whole: the extents of the allocation that a view is cut from; those of the type where it says none.
        encoding: the layout attribute; None where there is none.
        space: the memory that a view is in, such as `#ttg.shared_memory`.
        refused: why the attribute could not be read.
    """

    kind: str
    shape: tuple[int, ...]
    element: str
    whole: tuple[int, ...]
    encoding: Attribute | None
    space: str = ""
    refused: str = ""

    @cached_property
    def bits(self) -> int:
        """Bits of an element in memory."""
        return POINTER_BITS if self.element.startswith("!tt.ptr") else _bits(self.element)

    @cached_property
    def pointee_bits(self) -> int:
        """Bits of what the elements, pointers, point to."""
        return pointee_bits(self.element)

    @property
    def is_shared(self) -> bool:
        """Is it a view of shared memory?"""
        return self.kind == "memdesc" and self.space in ("#ttg.shared_memory", "#triton_gpu.shared_memory", "")

    @property
    def is_barrier(self) -> bool:
        """Is it a view of barriers, 64 bits each?"""
        return self.is_shared and self.element == "i64" and len(self.shape) <= 2 and self.shape[-1] == 1

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @cached_property
    def attribute(self) -> Attribute:
        """The layout attribute.

        Raises:
            LayoutError: there is none, or it could not be read.
        """
        if self.encoding is None:
            raise LayoutError(self.refused or "the type has no layout")
        return self.encoding

    @cached_property
    def layout(self) -> LinearLayout:
        """Registers, lanes and warps, or offsets of the whole allocation -> coordinates."""
        rank = len(self.shape)
        if self.attribute.kind == PADDED:
            return unpadded(self.attribute, self.whole[-rank:])
        return attribute_layout(self.attribute, self.whole[-rank:])

    @cached_property
    def paddings(self) -> tuple[Padding, ...]:
        """The gaps of a padded layout."""
        return paddings_of(self.attribute)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The dimensions of memory, the contiguous one first."""
        found, rank = self.attribute, len(self.shape)
        if isinstance(found.get("order"), tuple):
            order = order_of(found)
            if len(order) != rank:
                raise LayoutError(f"order = {list(order)} of a tile of rank {rank}")
            return order
        return tuple(range(rank)) if found.get("transposed") is True else tuple(reversed(range(rank)))


def pointee_bits(text: str) -> int:
    """Bits of what pointers of a type point to, itself or a tensor's.

    >>> pointee_bits("!tt.ptr<f16>"), pointee_bits("tensor<64x!tt.ptr<f32,1>,#b>")
    (16, 32)
    """
    return _bits(text.rpartition("!tt.ptr<")[2].partition(",")[0].partition(">")[0])


def _bits(element: str) -> int:
    """Bits of an element in memory; integers have at least a byte each."""
    found = dtype(element).bits
    if found & (found - 1) or not found:
        raise LayoutError(f"elements of {found} bits; only powers of two are read")
    return max(8, found) if element.startswith("i") else found


class Types:
    """The types of a dump by their texts, each read once; `aliases` are the texts of its attributes."""

    def __init__(self, aliases: Mapping[str, str]) -> None:
        self._aliases = aliases
        self._known: Aliases = {}
        self._refused: dict[str, str] = {}
        self._depth: dict[str, int] = {}
        self._types: dict[str, Tiled | None] = {}
        for name, text in aliases.items():
            self._read(name, text)

    def _read(self, name: str, text: str) -> None:
        self._depth[name] = 1 + max((self._depth.get(inner, 0) for inner in _ALIAS.findall(text)), default=0)
        if self._depth[name] > MAX_DEPTH:
            self._refused[name] = f"{name}: attributes are nested deeper than {MAX_DEPTH}"
            return
        try:
            self._known[name.removeprefix("#")] = attribute(Reader(text), self._known)
        except (NotationError, LayoutError) as error:
            self._refused[name] = f"{name}: {str(error).splitlines()[0]}"

    def tiled(self, text: str) -> Tiled | None:
        """The type of that text; None where it has no extents.

        >>> Types({"#l": "#ttg.shared_linear<{offset=[[1],[2],[4]],block=[]}>"}).tiled("<8xf16,#l,#smem,mutable>").shape
        (8,)
        """
        if text not in self._types:
            self._types[text] = self._tiled(text)
        return self._types[text]

    def _tiled(self, text: str) -> Tiled | None:
        head, less, inside = text.partition("<")
        kind = {"tensor": "tensor", "!tt.tensordesc": "tensordesc", "": "memdesc"}.get(head)
        kind = "memdesc" if head in ("!ttg.memdesc", "!triton_gpu.memdesc", "!tt.memdesc") else kind
        if not less or kind is None:
            return None
        first, *rest = _parts(inside[:-1])
        if kind == "tensordesc" and first.startswith("tensor<"):
            first, *rest = _parts(first.removeprefix("tensor<")[:-1])
        shape, element = _extents(first)
        whole = next((found for found, tail in map(_extents, rest) if found and not tail), shape)
        name, space, *_ = [*(part for part in rest if part.startswith("#")), "", ""]
        told, refused = self._attribute(name) if name else (None, "")
        known = told and of_element(told, element)
        whole = whole if len(whole) >= len(shape) else shape
        return Tiled(kind, shape, element, whole, known, self._aliases.get(space, space), refused)

    def _attribute(self, text: str) -> tuple[Attribute | None, str]:
        if text in self._refused:
            return None, self._refused[text]
        try:
            return attribute(Reader(text), self._known), ""
        except (NotationError, LayoutError) as error:
            return None, str(error).splitlines()[0]


def _parts(text: str) -> list[str]:
    """What commas outside brackets separate."""
    depth, start, parts = 0, 0, []
    for i, char in enumerate(f"{text},"):
        depth += (char in _OPEN) - (char in _CLOSE)
        if char == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return parts or [text]


def _extents(text: str) -> tuple[tuple[int, ...], str]:
    """`128x64xf16` as its extents and the rest; `128x64` has the rest empty."""
    found = _SHAPE.fullmatch(text)
    numbers, tail = (found[1], found[2]) if found else ("", text)
    if natural(tail, MAX_EXTENT) is not None:
        numbers, tail = f"{numbers}{tail}x", ""
    extents = [natural(digits, MAX_EXTENT) for digits in numbers.split("x")[:-1]]
    return tuple(TOO_LARGE if extent is None else extent for extent in extents), tail
