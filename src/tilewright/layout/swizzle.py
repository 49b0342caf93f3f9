"""`Swizzle`: CuTe's XOR permutation of offsets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewright.errors import LayoutError


@dataclass(frozen=True, slots=True)
class Swizzle:
    """`Sw<b,m,s>`: XORs the b-bit field at m+s into the field at m (s > 0), or the other way round (s < 0).

    An involution, bijective on every aligned block of 2^(m+b+|s|) offsets. b bits are XORed, the m low
    bits are left alone, |s| >= b is the distance of the two fields. Units are those of the offset.

    Raises:
        LayoutError: a negative b or m, or |s| < b (the fields would overlap).

    Source: CuTe's `Swizzle<B,M,S>`; document 001.

    >>> Swizzle(3, 3, 3)(3 * 64 + 5)
    221
    """

    b: int
    m: int
    s: int

    def __post_init__(self) -> None:
        if not all(type(field) is int for field in (self.b, self.m, self.s)):
            raise LayoutError(f"Swizzle takes three integers, got {self.b!r}, {self.m!r}, {self.s!r}")
        if self.b < 0 or self.m < 0:
            raise LayoutError(f"Swizzle({self.b},{self.m},{self.s}): bits and base must not be negative")
        if abs(self.s) < self.b:
            raise LayoutError(
                f"Swizzle({self.b},{self.m},{self.s}): |shift| = {abs(self.s)} < bits = {self.b}, the fields overlap"
            )
        if self.m + self.b + abs(self.s) > 62:
            raise LayoutError(f"Swizzle({self.b},{self.m},{self.s}) reaches beyond bit 62")

    @property
    def yyy_mask(self) -> int:
        """The bits that are read.

        >>> bin(Swizzle(2, 3, 3).yyy_mask), bin(Swizzle(2, 3, 3).zzz_mask)
        ('0b11000000', '0b11000')
        """
        return ((1 << self.b) - 1) << (self.m + max(0, self.s))

    @property
    def zzz_mask(self) -> int:
        """The bits that are changed."""
        return ((1 << self.b) - 1) << (self.m - min(0, self.s))

    def __call__(self, offset: Any) -> Any:
        """The swizzled offset; numpy integer arrays element by element."""
        read = offset & self.yyy_mask
        return offset ^ (read >> self.s if self.s >= 0 else read << -self.s)

    def __str__(self) -> str:
        return f"Sw<{self.b},{self.m},{self.s}>"
