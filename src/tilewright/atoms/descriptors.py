"""Matrix descriptors: the 64 bits by which tensor cores find an operand in shared memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from tilewright.atoms.shared_atoms import Major
from tilewright.atoms.shared_modes import CHUNK_BITS, MODES, SharedMode, chunk_elements
from tilewright.errors import LayoutError, shown
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    Addresses: TypeAlias = NDArray[numpy.int64]

GRAIN = CHUNK_BITS // 8  # addresses and offsets are multiples of 16 bytes
REACH = 1 << 18  # 14 bits of 16 bytes
WORD = 64


@dataclass(frozen=True, slots=True)
class Field:
    """Bits of a descriptor: the first one, and how many."""

    name: str
    first: int
    count: int

    def of(self, word: int) -> int:
        """The number that these bits of a word are."""
        return word >> self.first & (1 << self.count) - 1

    def __str__(self) -> str:
        last = self.first + self.count - 1
        return f"{self.first}-{last}" if self.count > 1 else f"{self.first}"


START, LEADING, STRIDE = Field("start", 0, 14), Field("leading", 16, 14), Field("stride", 32, 14)
VERSION, BASE, ABSOLUTE = Field("version", 46, 3), Field("base", 49, 3), Field("absolute", 52, 1)


@dataclass(frozen=True, slots=True)
class DescriptorFormat:
    """Where the bits of a unit's descriptors lie, and the codes of its modes; bits of no field are 0.

    The `version` tells the formats apart: wgmma's bits there are 0.

    Source: PTX ISA, "Matrix descriptor" of wgmma, and "Shared memory descriptor" of tcgen05.
    """

    name: str
    modes: Mapping[str, int]
    fields: tuple[Field, ...]
    version: int = 0

    def loose(self, bits: int) -> tuple[int, ...]:
        """The bits that are set and in no field."""
        known = sum((1 << field.count) - 1 << field.first for field in self.fields)
        return tuple(i for i in range(WORD) if bits >> i & 1 and not known >> i & 1)

    def mode_of(self, code: int) -> SharedMode:
        """The mode with that code.

        Raises:
            LayoutError: none has it.
        """
        found = [name for name, own in self.modes.items() if own == code]
        if not found:
            raise LayoutError(f"a descriptor of {self.name} has the code {code} for its swizzle, which no mode has")
        return MODES[found[0]]


_WGMMA_MODES, _TCGEN05_MODES = Field("mode", 62, 2), Field("mode", 61, 3)
WGMMA = DescriptorFormat(
    "wgmma",
    MappingProxyType({"none": 0, "128B": 1, "64B": 2, "32B": 3}),
    (START, LEADING, STRIDE, BASE, _WGMMA_MODES),
)
TCGEN05 = DescriptorFormat(
    "tcgen05",
    MappingProxyType({"none": 0, "128B_ATOM_32B": 1, "128B": 2, "64B": 4, "32B": 6}),
    (START, LEADING, STRIDE, VERSION, BASE, ABSOLUTE, _TCGEN05_MODES),
    1,
)
FORMATS: Mapping[str, DescriptorFormat] = MappingProxyType({x.name: x for x in (WGMMA, TCGEN05)})


@dataclass(frozen=True, slots=True)
class MatrixDescriptor:
    """Where an operand lies: its first byte, the two steps between its atoms in bytes, and how it is swizzled.

    `stride` (SBO) leads from atom to atom along MN, in swizzled MN-major operands along K; `leading` (LBO) the other
    way, and is not used by swizzled K-major ones. `base` is the number of the line at which the swizzle's pattern
    starts; `absolute` says that `leading` is an address, which tcgen05 has for K of 48 bytes.

    Raises:
        LayoutError: an address or a step that is no multiple of 16 bytes, or beyond 256 KiB; no such mode.

    >>> found = MatrixDescriptor(1024, 16, 1024, "128B")
    >>> hex(found.encode(WGMMA)), MatrixDescriptor.decode(found.encode(WGMMA), WGMMA) == found
    ('0x4000004000010040', True)
    >>> print(found.layout("K", 64, 16, 16))
    Sw<3,3,3> o 512 o ((8,8),16):((64,512),1)
    """

    start: int
    leading: int
    stride: int
    mode: str = "none"
    base: int = 0
    absolute: bool = False

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise LayoutError(f"the mode of a descriptor is one of {', '.join(MODES)}, got {shown(self.mode)}")
        for what, value in (("address", self.start), ("LBO", self.leading), ("SBO", self.stride)):
            if type(value) is not int or value % GRAIN or not 0 <= value < REACH:
                raise LayoutError(
                    f"the {what} of a descriptor is a multiple of {GRAIN} bytes below {REACH}, got {shown(value)}"
                )
        if type(self.base) is not int or not 0 <= self.base < 1 << BASE.count or type(self.absolute) is not bool:
            given = f"{shown(self.base)} and {shown(self.absolute)}"
            raise LayoutError(f"a descriptor has a base offset from 0 to 7, and is absolute or not; got {given}")

    def encode(self, form: DescriptorFormat) -> int:
        """The 64 bits.

        Raises:
            LayoutError: the unit has no such mode, or no absolute steps.
        """
        if self.mode not in form.modes:
            raise LayoutError(f"{form.name} has the modes {', '.join(form.modes)}, not {self.mode}")
        if self.absolute and ABSOLUTE not in form.fields:
            raise LayoutError(f"the LBO of a descriptor of {form.name} is a step, no address")
        codes = {
            "start": self.start // GRAIN, "leading": self.leading // GRAIN, "stride": self.stride // GRAIN,
            "version": form.version, "base": self.base, "absolute": int(self.absolute), "mode": form.modes[self.mode],
        }  # fmt: skip
        return sum(codes[field.name] << field.first for field in form.fields)

    @staticmethod
    def decode(bits: int, form: DescriptorFormat) -> MatrixDescriptor:
        """What the 64 bits say; undoes `encode`.

        Raises:
            LayoutError: they are no descriptor of the unit.
        """
        if type(bits) is not int or not 0 <= bits < 1 << WORD:
            raise LayoutError(f"a descriptor has {WORD} bits, got {shown(bits)}")
        code, loose = {field.name: field.of(bits) for field in form.fields}, form.loose(bits)
        if loose or code.get("version", 0) != form.version:
            why = f"bit {loose[0]} is set, which no field has" if loose else f"its version is not {form.version}"
            raise LayoutError(f"{bits:#x} is no descriptor of {form.name}: {why}")
        return MatrixDescriptor(
            code["start"] * GRAIN, code["leading"] * GRAIN, code["stride"] * GRAIN, form.mode_of(code["mode"]).name,
            code["base"], bool(code.get("absolute")),
        )  # fmt: skip

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

    def layout(self, major: Major, mn: int, k: int, element_bits: int) -> ComposedLayout[int]:
        """The layout of an operand: (MN, K) -> the place in shared memory, both in elements.

        Args:
            major: the mode along which elements follow each other; the instruction says it, the descriptor does not.
            mn, k: the operand's extents.
            element_bits: bits of an element.

        Raises:
            LayoutError: extents that are no whole atoms where there are several; a line that would leave the row of
                its swizzled atom; elements of which 16 bytes hold no whole number; a base offset, an absolute step.

        >>> print(MatrixDescriptor(0, 2048, 1024, "128B").layout("MN", 128, 16, 16))
        Sw<3,3,3> o 0 o ((64,2),(8,2)):((1,1024),(64,512))
        """
        for extent in (mn, k):
            if type(extent) is not int or extent < 1:
                raise LayoutError(f"an operand has extents of at least 1, got {shown(mn)} x {shown(k)}")
        found = self._placed(major, mn, k, element_bits)
        if found.inner.size != mn * k:
            shape = " x ".join(str(mode.size) for mode in found.inner)
            raise LayoutError(f"{mn} x {k} elements are no whole atoms of mode {self.mode}; {shape} are")
        return found

    def chunks(self, major: Major, mn: int, depth: int) -> Addresses:
        """The addresses of an operand's 16 bytes, by (line, chunk of a line); a line runs along the major mode.

        Args:
            major: the mode along which elements follow each other.
            mn: lines of a K-major operand; chunks of an MN-major one.
            depth: chunks along K of a K-major operand; lines of an MN-major one.

        Raises:
            LayoutError: as `layout`.

        >>> MatrixDescriptor(0, 128, 256).chunks("K", 16, 2)[[0, 1, 8]].tolist()
        [[0, 128], [16, 144], [256, 384]]
        """
        import numpy as np

        layout = self._placed(major, mn, depth, CHUNK_BITS)
        lines, along = (mn, depth) if major == "K" else (depth, mn)
        line, chunk = np.arange(lines)[:, None], np.arange(along)[None]
        across, within = (layout.inner[0], layout.inner[1]) if major == "K" else (layout.inner[1], layout.inner[0])
        placed = across(line) + within(chunk) + layout.offset
        return np.asarray(MODES[self.mode].swizzle(CHUNK_BITS)(placed) * GRAIN, np.int64)

    def _placed(self, major: Major, mn: int, k: int, element_bits: int) -> ComposedLayout[int]:
        """`layout`, with room for more where the last atom is not whole."""
        if not isinstance(major, str) or major not in ("K", "MN"):
            raise LayoutError(f"an operand is K- or MN-major, got {shown(major)}")
        mode, each = MODES[self.mode], chunk_elements(element_bits)
        swizzle, row = mode.swizzle(element_bits), mode.width(element_bits)
        lines, along = (mn, k) if major == "K" else (k, mn)
        self._check(major, along * GRAIN // each)
        down, right = (byte * each // GRAIN for byte in self._steps(major))
        across, within = _in_atoms(lines, mode.lines, row, down), _in_atoms(along, row, 1, right)
        first, second = (across, within) if major == "K" else (within, across)
        plain = Layout((first.shape, second.shape), (first.stride, second.stride))
        return ComposedLayout(swizzle, self.start * each // GRAIN, plain)

    def _steps(self, major: Major) -> tuple[int, int]:
        """Bytes from the lines of an atom to the next lines, and from its rows to what follows them."""
        usual = major == "K" or MODES[self.mode].swizzled
        return (self.stride, self.leading) if usual else (self.leading, self.stride)

    def _check(self, major: Major, line: int) -> None:
        """Raises `LayoutError` where lines of so many bytes are not found by two steps."""
        mode = MODES[self.mode]
        within = self.start % mode.span if mode.swizzled else 0
        if self.base or self.absolute:
            what = f"a base offset of {self.base}" if self.base else "an absolute LBO"
            raise LayoutError(f"where operands of descriptors with {what} lie is not known here")
        if mode.chunk != GRAIN and major == "K":
            raise LayoutError(f"operands of mode {mode.name} are MN-major")
        if within and within + line > mode.span:
            raise LayoutError(f"it starts {within} bytes into rows of {mode.span}, and a line takes {line}")
        if major == "K" and mode.swizzled and line > mode.span:
            raise LayoutError(f"a line takes {line} bytes, and rows of mode {mode.name} have {mode.span}")


def _in_atoms(extent: int, atom: int, unit: int, step: int) -> Layout[int]:
    """That many places, `unit` apart within an atom and `step` from atom to atom; whole atoms where there are more.

    >>> print(_in_atoms(64, 8, 64, 512), _in_atoms(4, 8, 64, 512))
    (8,8):(64,512) 4:64
    """
    return Layout(extent, unit) if extent <= atom else Layout((atom, -(-extent // atom)), (unit, step))
