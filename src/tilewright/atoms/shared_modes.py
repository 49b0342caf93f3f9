"""The swizzles of tensor maps and matrix descriptors, as data: which chunks of bytes trade places, and in what span."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.swizzle import Swizzle, recast_swizzle

CHUNK_BITS = 128  # what tensor cores read of a row at a time, and the grain of every mode but the three last
_ROW_BIT = 7  # the byte-address bit from which all modes read: the number of a 128-byte line of shared memory
_FLIP = Swizzle(1, 3, 4)  # swaps the 8-byte halves of 16 bytes in every other line


@dataclass(frozen=True, slots=True)
class SharedMode:
    """One swizzle of tensor maps and matrix descriptors: chunks of `chunk` bytes trade places within `span` bytes.

    The number of a chunk in its span is XORed with the number of its 128-byte line in shared memory. `flip` swaps the
    8-byte halves of every 16 bytes in odd lines as well. `since` is the first architecture that has the mode.

    Source: the driver API's `CUtensorMapSwizzle`; CUTLASS's `get_tma_swizzle_bits` and UMMA's `layout_type`.
    """

    name: str
    span: int
    chunk: int
    since: int
    tensor_map: str
    flip: bool = False

    @property
    def swizzled(self) -> bool:
        """Does anything move?"""
        return self.span > self.chunk

    @property
    def alignment(self) -> int:
        """The bytes after which the pattern repeats for descriptors; a tile starts at a multiple of them."""
        return 8 * self.span if self.swizzled else self.chunk

    @property
    def lines(self) -> int:
        """The rows of the span after which atoms repeat: one for each chunk of a line of shared memory."""
        return (1 << _ROW_BIT) // self.chunk

    def width(self, element_bits: int) -> int:
        """The elements of one row of the span.

        Raises:
            LayoutError: 16 bytes hold no whole number of elements.

        >>> MODES["128B"].width(16), MODES["none"].width(8)
        (64, 16)
        """
        return self.span * 8 * chunk_elements(element_bits) // CHUNK_BITS

    def swizzle(self, element_bits: int) -> Swizzle:
        """The XOR of chunks, on offsets in elements; `flipping` is what `flip` adds.

        >>> print(MODES["128B"].swizzle(16), MODES["64B"].swizzle(8), MODES["128B_ATOM_32B"].swizzle(32))
        Sw<3,3,3> Sw<2,4,3> Sw<2,3,2>
        """
        chunk_elements(element_bits)
        low = self.chunk.bit_length() - 1
        bits = (self.span // self.chunk).bit_length() - 1
        return recast_swizzle(Swizzle(bits, low, _ROW_BIT - low), 8, element_bits)

    def flipping(self, element_bits: int) -> Swizzle | None:
        """The XOR of 8-byte halves that comes on top; None where the mode has none.

        Raises:
            LayoutError: elements wider than 8 bytes, which would be cut.
        """
        chunk_elements(element_bits)
        if self.flip and element_bits > CHUNK_BITS // 2:
            raise LayoutError(f"mode {self.name} swaps halves of 16 bytes and would cut {element_bits}-bit elements")
        return recast_swizzle(_FLIP, 8, element_bits) if self.flip else None


def chunk_elements(element_bits: int) -> int:
    """The elements in 16 bytes.

    Raises:
        LayoutError: no whole number of them.
    """
    if type(element_bits) is not int or element_bits < 1 or CHUNK_BITS % element_bits:
        raise LayoutError(f"16 bytes hold no whole number of elements of {shown(element_bits)} bits")
    return CHUNK_BITS // element_bits


_ALL = (
    SharedMode("none", 16, 16, 90, "CU_TENSOR_MAP_SWIZZLE_NONE"),
    SharedMode("32B", 32, 16, 90, "CU_TENSOR_MAP_SWIZZLE_32B"),
    SharedMode("64B", 64, 16, 90, "CU_TENSOR_MAP_SWIZZLE_64B"),
    SharedMode("128B", 128, 16, 90, "CU_TENSOR_MAP_SWIZZLE_128B"),
    SharedMode("128B_ATOM_32B", 128, 32, 100, "CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B"),
    SharedMode("128B_ATOM_32B_FLIP_8B", 128, 32, 100, "CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B", True),
    SharedMode("128B_ATOM_64B", 128, 64, 100, "CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B"),
)
MODES: Mapping[str, SharedMode] = {mode.name: mode for mode in _ALL}


def shared_mode(name: object) -> SharedMode:
    """The mode of that name.

    Raises:
        UsageError: there is none.
    """
    if not isinstance(name, str) or name not in MODES:
        raise UsageError(f"the swizzle is one of {', '.join(MODES)}, got {shown(name)}")
    return MODES[name]


# The modes that TIRx numbers 0 to 3.
NUMBERED = _ALL[:4]


def mode_of(swizzle: Swizzle, element_bits: int) -> str | None:
    """The name of the mode with 16-byte chunks whose swizzle of elements this is, or None.

    >>> mode_of(Swizzle(3, 3, 3), 16), mode_of(Swizzle(3, 3, 3), 8), mode_of(Swizzle(0, 0, 0), 8)
    ('128B', None, 'none')
    """
    if swizzle.b == 0:
        return NUMBERED[0].name
    is_mode = swizzle.b < len(NUMBERED) and swizzle == NUMBERED[swizzle.b].swizzle(element_bits)
    return NUMBERED[swizzle.b].name if is_mode else None
