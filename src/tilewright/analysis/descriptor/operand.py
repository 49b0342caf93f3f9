"""`OperandDescriptor`: a matrix descriptor of wgmma or tcgen05, what its fields mean, and the layouts that it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tilewright.atoms.descriptors import (
    ABSOLUTE,
    BASE,
    FORMATS,
    GRAIN,
    LEADING,
    START,
    STRIDE,
    VERSION,
    DescriptorFormat,
    Field,
    MatrixDescriptor,
)
from tilewright.atoms.shared_atoms import Major, checked_bits
from tilewright.atoms.shared_modes import MODES
from tilewright.errors import LayoutError, UsageError, shown, typed_fields
from tilewright.layout.composed import ComposedLayout

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

OPERAND_BITS = 256  # what one instruction takes along K
ROWS = 64


@dataclass(frozen=True, slots=True)
@typed_fields
class OperandDescriptor:
    """A matrix descriptor: `int(it)` is its 64 bits, its text says field by field what they mean.

    Attributes:
        unit: whose it is, `wgmma` or `tcgen05`.
        fields: the fields, in bytes: `start`, `leading` (LBO), `stride` (SBO), `mode`, `base`, `absolute`.
        major: the major of the tile that it was made of, `K` where none is known: the bits do not say it.
        element_bits: the width of the elements of that tile; None where it is not known, likewise.

    Raises:
        LayoutError: another unit, or fields that it has no bits for.
        UsageError: a field of another type.

    >>> hex(OperandDescriptor("wgmma", MatrixDescriptor(start=1024, leading=16, stride=1024, mode="128B")))
    '0x4000004000010040'
    """

    unit: str
    fields: MatrixDescriptor
    major: Major = field(default="K", compare=False)
    element_bits: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if self.unit not in FORMATS:
            raise LayoutError(f"descriptors are of {' or '.join(FORMATS)}, not of {shown(self.unit)}")
        self.fields.encode(self.form)

    @property
    def form(self) -> DescriptorFormat:
        """Where the unit's bits lie."""
        return FORMATS[self.unit]

    def __int__(self) -> int:
        return self.fields.encode(self.form)

    __index__ = __int__

    def layout(
        self, dtype: int | DTypeLike | None = None, shape: tuple[int, int] | None = None, major: Major | None = None
    ) -> ComposedLayout[int]:
        """The layout of an operand that begins there: (MN, K) -> its place in shared memory, in elements.

        `tw.descriptor` undoes it where the operand is whole atoms. A descriptor says neither the extents nor the major:
        these are the instruction's, and so are its element types.

        Args:
            dtype: an element type, its name, or its bits; None: that of the tile that it was made of.
            shape: (MN, K) in elements; None: 64 rows, and what one instruction takes along K, 32 bytes.
            major: the mode along which elements follow each other, `K` or `MN`; None: that of the tile, where it was
                made of one, else `K`.

        Raises:
            LayoutError: no such operand has this descriptor; the message says why.
            UsageError: no type is given, and it was made of no tile.

        >>> found = OperandDescriptor("wgmma", MatrixDescriptor(1024, 16, 1024, "128B"))
        >>> print(found.layout("f16"), found.layout("e4m3", (128, 64)))
        Sw<3,3,3> o 512 o ((8,8),16):((64,512),1) Sw<3,4,3> o 1024 o ((8,16),64):((128,1024),1)
        """
        told = self.element_bits if dtype is None else dtype
        if told is None:
            raise UsageError("64 bits do not say how wide an element is: give its type, such as layout('f16')")
        bits = checked_bits(told)
        mn, k = (ROWS, max(1, OPERAND_BITS // bits)) if shape is None else checked_pair(shape, "shape is (MN, K)")
        return self.fields.layout(self.major if major is None else major, mn, k, bits)

    def rows(self) -> tuple[tuple[str, str, int, str], ...]:
        """Of every field its bits, its name, the number in them, and what this means.

        >>> OperandDescriptor("wgmma", MatrixDescriptor(1024, 16, 1024, "128B")).rows()[0]
        ('0-13', 'start', 64, 'the operand begins at byte 1024 of shared memory')
        """
        word = int(self)
        return tuple((str(x), _NAMES.get(x, x.name), x.of(word), self._meaning(x)) for x in self.form.fields)

    def _meaning(self, part: Field) -> str:
        meaning = _MEANINGS.get(part)
        return meaning(self.fields) if meaning else _swizzle(self.fields)

    def to_json(self) -> dict[str, object]:
        """The descriptor as plain values."""
        names = ("bits", "field", "code", "meaning")
        rows = [dict(zip(names, row, strict=True)) for row in self.rows()]
        return {"descriptor": f"{int(self):#018x}", "unit": self.unit, "fields": rows}

    def __str__(self) -> str:
        rows = [("bits", "field", "code", "meaning"), *((a, b, str(c), d) for a, b, c, d in self.rows())]
        wide = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = ("  ".join((*(x.ljust(n) for x, n in zip(row, wide, strict=False)), row[3])) for row in rows)
        return "\n".join((f"matrix descriptor of {self.unit}, {int(self):#018x}", *lines))


def checked_pair(value: object, what: str) -> tuple[int, int]:
    """The two integers that `what` says.

    Raises:
        LayoutError: it is no pair of integers.
    """
    if not isinstance(value, Sequence) or len(value) != 2 or not all(type(x) is int for x in value):
        raise LayoutError(f"{what}, got {shown(value)}")
    return value[0], value[1]


# ---- what the fields mean


def _leading(x: MatrixDescriptor) -> str:
    if x.absolute:
        return f"byte {x.leading}: where what follows lies"
    if MODES[x.mode].swizzled:
        unused = f"{x.leading} bytes; not used by K-major operands of this swizzle"
        return unused if x.leading <= GRAIN else f"{x.leading} bytes from an atom to the next along MN, if MN-major"
    return f"{x.leading} bytes from an atom to the next along K"


def _stride(x: MatrixDescriptor) -> str:
    if MODES[x.mode].swizzled:
        return f"{x.stride} bytes from an atom to the next, along MN if K-major, along K if MN-major"
    return f"{x.stride} bytes from an atom to the next along MN"


def _base(x: MatrixDescriptor) -> str:
    if x.base:
        return (
            f"the swizzle's pattern starts {x.base} lines of 128 bytes beside a multiple of {MODES[x.mode].alignment}"
        )
    if not MODES[x.mode].swizzled:
        return "nothing is swizzled"
    return f"the swizzle's pattern starts at a multiple of {MODES[x.mode].alignment} bytes"


def _swizzle(x: MatrixDescriptor) -> str:
    mode = MODES[x.mode]
    return f"{x.mode}: {mode.swizzle(8)} on byte addresses" if mode.swizzled else "none: rows of 16 bytes, 8 an atom"


_MEANINGS: Mapping[Field, Callable[[MatrixDescriptor], str]] = {
    START: lambda x: f"the operand begins at byte {x.start} of shared memory",
    LEADING: _leading,
    STRIDE: _stride,
    VERSION: lambda x: "the version of tcgen05's descriptors",
    BASE: _base,
    ABSOLUTE: lambda x: "LBO is an address" if x.absolute else "LBO is a step",
}
_NAMES: Mapping[Field, str] = {
    LEADING: "LBO", STRIDE: "SBO", BASE: "base offset", ABSOLUTE: "LBO mode",
    **{form.fields[-1]: "swizzle" for form in FORMATS.values()},
}  # fmt: skip
