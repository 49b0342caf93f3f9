"""`Swizzle`: CuTe's XOR permutation of offsets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

from tilewright.dtypes import bits_of
from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import MEMORY, AxisSum, from_terms
from tilewright.layout.indexing import as_index
from tilewright.layout.symbolic.expression import Expression

if TYPE_CHECKING:
    from numpy import int64, integer
    from numpy.typing import NDArray

    from tilewright.dtypes import DTypeLike
    from tilewright.layout.inttuple import Element
    from tilewright.layout.symbolic.symint import SymInt


@dataclass(frozen=True, slots=True)
class Swizzle:
    """`Sw<b,m,s>`: XORs the b-bit field at m+s into the field at m (s > 0), or the other way round (s < 0).

    An involution, bijective on every aligned block of 2^(m+b+|s|) offsets. b bits are XORed, the m low
    bits are left alone, |s| >= b is the distance of the two fields. Units are those of the offset.

    Raises:
        LayoutError: a negative b or m, or |s| < b (the fields would overlap).

    Source: CuTe's `Swizzle<B,M,S>`.

    >>> Swizzle(3, 3, 3)(3 * 64 + 5)
    221
    """

    b: int
    m: int
    s: int
    yyy_mask: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not all(type(field) is int for field in (self.b, self.m, self.s)):
            raise LayoutError(f"Swizzle takes three integers, got {shown(self.b)}, {shown(self.m)}, {shown(self.s)}")
        if self.b < 0 or self.m < 0:
            raise LayoutError(f"{self._fields}: bits and base must not be negative")
        if abs(self.s) < self.b:
            raise LayoutError(
                f"{self._fields}: |shift| = {shown(abs(self.s))} < bits = {shown(self.b)}, the fields overlap"
            )
        if self.m + self.b + abs(self.s) > 62:
            raise LayoutError(f"{self._fields} reaches beyond bit 62")
        object.__setattr__(self, "yyy_mask", ((1 << self.b) - 1) << (self.m + max(0, self.s)))

    @property
    def _fields(self) -> str:
        return f"Swizzle({shown(self.b)},{shown(self.m)},{shown(self.s)})"

    @property
    def zzz_mask(self) -> int:
        """The bits that are changed; `yyy_mask` has those that are read.

        >>> bin(Swizzle(2, 3, 3).yyy_mask), bin(Swizzle(2, 3, 3).zzz_mask)
        ('0b11000000', '0b11000')
        """
        return ((1 << self.b) - 1) << (self.m - min(0, self.s))

    @property
    def block(self) -> int:
        """The number of offsets in the aligned blocks that the swizzle maps to themselves.

        >>> Swizzle(2, 3, 3).block
        256
        """
        return 1 << (self.m + self.b + abs(self.s)) if self.b else 1

    @property
    def grain(self) -> int:
        """The number of offsets in the smallest aligned blocks that the swizzle maps to themselves.

        >>> Swizzle(2, 3, 3).grain, Swizzle(2, 3, -3).grain
        (32, 256)
        """
        return 1 << (self.m + self.b) if self.s >= 0 else self.block

    def closed(self, count: int) -> int:
        """The largest n <= count found for which the swizzle maps [0, n) to itself.

        >>> Swizzle(2, 3, 3).closed(100), Swizzle(2, 3, 3).closed(20)
        (96, 20)
        """
        if type(count) is not int and not isinstance(count, Expression):
            raise LayoutError(f"a number of offsets is an integer, got {shown(count)}")
        if self.b == 0:
            return count
        still = self.yyy_mask & -self.yyy_mask
        return max(count // self.grain * self.grain, min(count, still))

    @overload
    def __call__(self, offset: int | SymInt) -> int: ...
    @overload
    def __call__(self, offset: NDArray[integer[Any]]) -> NDArray[int64]: ...
    @overload
    def __call__(self, offset: AxisSum) -> int | AxisSum: ...
    def __call__(self, offset: Element | SymInt | NDArray[integer[Any]]) -> Element | NDArray[int64]:
        """The swizzled offset; arrays element by element, sums on axes in their memory part."""
        s = self.s
        number: int = offset  # type: ignore[assignment]  # all but sums on axes have the operators of integers
        if number.__class__ is not int and hasattr(number, "dtype"):
            number = as_index(number)  # 64 bits: a narrow type has no room for the bits that move up
        try:
            if s >= 0:
                return number ^ ((number & self.yyy_mask) >> s)
            return number ^ ((number & self.yyy_mask) << -s)
        except TypeError:
            return self._of_element(offset)

    def _of_element(self, element: object) -> Element:
        if not isinstance(element, AxisSum):
            raise LayoutError(f"{self} takes an offset, got {shown(element)}")
        others = [(axis, value) for axis, value in element.terms if axis != MEMORY]
        return from_terms([*others, (MEMORY, self(element.on(MEMORY)))])

    def __str__(self) -> str:
        return f"Sw<{self.b},{self.m},{self.s}>"

    def __repr__(self) -> str:
        return f"Swizzle({self.b}, {self.m}, {self.s})"


def compose_swizzles(a: Swizzle, b: Swizzle) -> Swizzle:
    """The one swizzle that does b, then a.

    Raises:
        LayoutError: the shifts differ, one reads what the other changes, or the changed bits are not neighbours.

    >>> print(compose_swizzles(Swizzle(1, 4, 3), Swizzle(1, 5, 3)))
    Sw<2,4,3>
    """
    if a.b == 0 or b.b == 0:
        return a if b.b == 0 else b
    changed = a.zzz_mask ^ b.zzz_mask
    low = (changed & -changed).bit_length() - 1
    bits = changed.bit_count()
    # At one distance, bits that one reads and the other changes would make the changed field longer than the distance.
    if a.s != b.s or changed != ((1 << bits) - 1) << max(0, low) or bits > abs(a.s):
        raise LayoutError(f"{a} o {b} is not one swizzle; compose both with a layout instead")
    return Swizzle(bits, low + min(0, a.s), a.s) if bits else Swizzle(0, a.m, a.s)


def recast_swizzle(
    swizzle: Swizzle, old_type_bits: int | DTypeLike, new_type_bits: int | DTypeLike, byte_addressed: bool = False
) -> Swizzle:
    """The swizzle of elements of one width in elements of another, in bits or types; exact on whole blocks of elements.

    Bits of the changed field that fall inside a wide element are dropped. The swizzle of a byte-addressed pointer is
    in bytes as long as elements are no wider than one, so that only the ratio of bytes counts.

    Raises:
        LayoutError: the ratio is no power of two.
        UsageError: bits that are none.

    Source: CuTe's `recast_layout` of swizzles and of shared-memory pointers.

    >>> print(recast_swizzle(Swizzle(3, 4, 3), 8, 16), recast_swizzle(Swizzle(3, 4, 3), 1, 16, byte_addressed=True))
    Sw<3,3,3> Sw<3,3,3>
    """
    old_bits, new_bits = bits_of(old_type_bits), bits_of(new_type_bits)
    if not isinstance(swizzle, Swizzle) or type(old_bits) is not int or type(new_bits) is not int:
        raise LayoutError(f"recast_swizzle takes a swizzle and two widths in bits, got {shown(swizzle)}")
    if byte_addressed:
        old_bits, new_bits = max(old_bits, 8), max(new_bits, 8)
    wide, narrow = max(old_bits, new_bits), min(old_bits, new_bits)
    steps = (wide // narrow).bit_length() - 1 if narrow > 0 else 0
    if narrow <= 0 or wide != narrow << steps:
        if swizzle.b == 0:
            return swizzle
        raise LayoutError(f"recast of {swizzle} from {old_bits} to {new_bits} bits: the ratio is no power of two")
    base = swizzle.m + (steps if new_bits < old_bits else -steps)
    return Swizzle(max(0, swizzle.b + min(0, base)), max(0, base), swizzle.s)
