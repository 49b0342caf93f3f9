"""Matrix descriptors: the 64 bits by which tensor cores find an operand in shared memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from tilewright.atoms.shared_atoms import Major
from tilewright.atoms.shared_modes import CHUNK_BITS, MODES, SharedMode
from tilewright.errors import LayoutError, shown

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Addresses: TypeAlias = NDArray[numpy.int64]

GRAIN = CHUNK_BITS // 8  # addresses and offsets are multiples of 16 bytes
LINES = 8
REACH = 1 << 18  # 14 bits of 16 bytes


@dataclass(frozen=True, slots=True)
class DescriptorFormat:
    """Where the bits of a unit's descriptors lie: the first bit and the number of each field, the codes of modes.

    Source: PTX ISA, "Matrix descriptor" of wgmma, and "Shared memory descriptor" of tcgen05.
    """

    name: str
    modes: Mapping[str, int]
    mode_bits: tuple[int, int]
    fixed: int = 0

    def mode_of(self, code: int) -> SharedMode:
        """The mode with that code.

        Raises:
            LayoutError: none has it.
        """
        found = [name for name, own in self.modes.items() if own == code]
        if not found:
            raise LayoutError(f"a descriptor of {self.name} has the code {code} for its swizzle, which no mode has")
        return MODES[found[0]]


START, LEADING, STRIDE, BASE = (0, 14), (16, 14), (32, 14), (49, 3)
WGMMA = DescriptorFormat("wgmma", MappingProxyType({"none": 0, "128B": 1, "64B": 2, "32B": 3}), (62, 2))
TCGEN05 = DescriptorFormat(
    "tcgen05",
    MappingProxyType({"none": 0, "128B_ATOM_32B": 1, "128B": 2, "64B": 4, "32B": 6}),
    (61, 3),
    1 << 46,  # the version of sm_100
)
FORMATS: Mapping[str, DescriptorFormat] = MappingProxyType({x.name: x for x in (WGMMA, TCGEN05)})


@dataclass(frozen=True, slots=True)
class MatrixDescriptor:
    """Where an operand lies: its first byte, the two steps between its atoms in bytes, and how it is swizzled.

    `stride` (SBO) leads from atom to atom along MN, in swizzled MN-major operands along K; `leading` (LBO) the other
    way, and is not used by swizzled K-major ones.

    Raises:
        LayoutError: an address or a step that is no multiple of 16 bytes, or beyond 256 KiB; no such mode.

    >>> found = MatrixDescriptor(1024, 16, 1024, "128B")
    >>> hex(found.encode(WGMMA)), MatrixDescriptor.decode(found.encode(WGMMA), WGMMA) == found
    ('0x4000004000010040', True)
    """

    start: int
    leading: int
    stride: int
    mode: str = "none"
    base: int = 0

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise LayoutError(f"the mode of a descriptor is one of {', '.join(MODES)}, got {shown(self.mode)}")
        for what, value in (("address", self.start), ("LBO", self.leading), ("SBO", self.stride)):
            if type(value) is not int or value % GRAIN or not 0 <= value < REACH:
                raise LayoutError(
                    f"the {what} of a descriptor is a multiple of {GRAIN} bytes below {REACH}, got {shown(value)}"
                )

    def encode(self, form: DescriptorFormat) -> int:
        """The 64 bits.

        Raises:
            LayoutError: the unit has no such mode.
        """
        if self.mode not in form.modes:
            raise LayoutError(f"{form.name} has the modes {', '.join(form.modes)}, not {self.mode}")
        parts = (
            (START, self.start // GRAIN),
            (LEADING, self.leading // GRAIN),
            (STRIDE, self.stride // GRAIN),
            (BASE, self.base),
            (form.mode_bits, form.modes[self.mode]),
        )
        return form.fixed | sum(value << first for (first, _), value in parts)

    @staticmethod
    def decode(bits: int, form: DescriptorFormat) -> MatrixDescriptor:
        """What the 64 bits say; undoes `encode`.

        Raises:
            LayoutError: they are no descriptor of the unit.
        """
        start, leading, stride, base, mode = (
            bits >> first & (1 << count) - 1 for first, count in (START, LEADING, STRIDE, BASE, form.mode_bits)
        )
        named = MatrixDescriptor(start * GRAIN, leading * GRAIN, stride * GRAIN, form.mode_of(mode).name, base)
        if named.encode(form) != bits:
            raise LayoutError(f"{bits:#x} is no descriptor of {form.name}: {named} is {named.encode(form):#x}")
        return named

    @property
    def misplaced(self) -> str | None:
        """Why the swizzle would not be that of the tile; None where it is.

        Rows of a swizzled tile start where the pattern of the addresses does; a start within a row is a step along it.
        """
        mode = MODES[self.mode]
        if self.base:
            return f"it has the base offset {self.base}; patterns start at multiples of {mode.alignment} bytes"
        if mode.swizzled and self.start % mode.alignment >= mode.span:
            inside = self.start % mode.alignment
            return f"its address {self.start} is {inside} bytes into the pattern of mode {mode.name}"
        return None

    def chunks(self, major: Major, mn: int, depth: int) -> Addresses:
        """The addresses of an operand's 16 bytes, by (line, chunk of a line); a line runs along the major mode.

        Args:
            major: the mode along which elements follow each other.
            mn: lines of a K-major operand; chunks of an MN-major one.
            depth: chunks along K of a K-major operand; lines of an MN-major one.

        Raises:
            LayoutError: a line would leave the row of its swizzled atom; a mode whose chunks are wider than 16 bytes.

        >>> MatrixDescriptor(0, 128, 256).chunks("K", 16, 2)[[0, 1, 8]].tolist()
        [[0, 128], [16, 144], [256, 384]]
        """
        import numpy as np

        mode = MODES[self.mode]
        row = mode.span // GRAIN  # chunks
        if mode.chunk != GRAIN:
            raise LayoutError(f"where operands of mode {mode.name} lie is not known here")
        lines, along = (mn, depth) if major == "K" else (depth, mn)
        line, chunk = np.arange(lines)[:, None], np.arange(along)[None]
        within = self.start % mode.span // GRAIN if mode.swizzled else 0
        if within and within + along > row:
            raise LayoutError(
                f"it starts {within * GRAIN} bytes into rows of {mode.span}, and a line takes {along * GRAIN}"
            )
        steps = (self.stride, self.leading) if major == "K" or mode.swizzled else (self.leading, self.stride)
        if major == "K" and mode.swizzled:
            steps = self.stride, 0
            if along > row:
                raise LayoutError(f"a line takes {along * GRAIN} bytes, and rows of mode {mode.name} have {mode.span}")
        placed = line % LINES * row * GRAIN + line // LINES * steps[0] + chunk % row * GRAIN + chunk // row * steps[1]
        return np.asarray(mode.swizzle(8)(placed + self.start), np.int64)
