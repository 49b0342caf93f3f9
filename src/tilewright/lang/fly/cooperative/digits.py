"""Keys as unsigned numbers of the same order, and some of their bits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Int32, Uint8, Uint16, Uint32, Uint64
from tilewright.lang.fly.cooperative.items import called, selected

_UNSIGNED: dict[int, type[Numeric]] = {8: Uint8, 16: Uint16, 32: Uint32, 64: Uint64}
Bits = Callable[[Numeric], Numeric]


def ordered(key: Numeric) -> Numeric:
    """An unsigned number that is larger where the key is; -0.0 is 0.0.

    Raises:
        KernelError: the key has no whole number of bytes.
    """
    element = key.number.element
    if key.dtype.width not in _UNSIGNED:
        raise KernelError(f"{key.dtype} has no bits to sort by; take numbers of 8 to 64 bits")
    unsigned, top = _UNSIGNED[key.dtype.width], 1 << (key.dtype.width - 1)
    if not element.is_float:
        found = key.bitcast(unsigned)
        return as_numeric(found ^ unsigned(top)) if element.kind == "int" else found
    found = selected(key == 0, type(key)(0), key).bitcast(unsigned)
    return selected((found & unsigned(top)) != 0, ~found, as_numeric(found | unsigned(top)))


def bits_of(dtype: type[Numeric], decomposer: object, begin: int, end: int | None) -> Bits:
    """A function that gives those of a key's bits, in the keys' order.

    Raises:
        KernelError: no such bits, or a decomposer's numbers have more than 64 together.
    """
    if decomposer is None:
        return _between(ordered, _checked(dtype.width, begin, end), dtype.width)
    split = called(decomposer)

    def bits(key: Numeric) -> Numeric:
        parts = split(key)
        fields = [as_numeric(x) for x in (parts if isinstance(parts, Sequence) else (cast("NumericLike", parts),))]
        width = sum(field.dtype.width for field in fields)
        if width > 64:
            raise KernelError(f"a decomposer's numbers have up to 64 bits together, got {width}")
        whole: Numeric = Uint64(0)
        for field in fields:
            whole = as_numeric((whole << min(field.dtype.width, 63)) | ordered(field).to(Uint64))
        return _between(lambda x: x, _checked(width, begin, end), 64)(whole)

    return bits


def digit(
    dtype: type[Numeric], extractor: object, begin: int, end: int | None, radix_bits: int | None
) -> tuple[Bits, int]:
    """A function that gives a key's digit, and how many bits it has.

    Raises:
        KernelError: no such bits, or an extractor without the number of bits.
    """
    if extractor is None:
        if dtype.element.is_float:
            raise KernelError(f"a digit is of whole numbers, got {dtype}; give a digit_extractor")
        start, stop = _checked(dtype.width, begin, end)
        unsigned = _UNSIGNED.get(dtype.width, Uint32)
        return _between(lambda key: key.bitcast(unsigned), (start, stop), dtype.width), stop - start
    if radix_bits is None or (end is not None and end != begin + radix_bits):
        raise KernelError(f"a digit_extractor gives a digit of radix_bits, got {shown(radix_bits)}")
    own = called(extractor)
    return (lambda key: as_numeric(cast("NumericLike", own(key))).to(Int32)), radix_bits


def _checked(width: int, begin: int, end: int | None) -> tuple[int, int]:
    stop = width if end is None else end
    if (
        not all(isinstance(x, int) and not isinstance(x, bool) for x in (begin, stop))
        or not 0 <= begin <= stop <= width
    ):
        raise KernelError(f"bits of a key of {width} are {begin} to {stop}: 0 <= begin_bit <= end_bit <= {width}")
    return begin, stop


def _between(of: Bits, bounds: tuple[int, int], width: int) -> Bits:
    begin, end = bounds
    if (begin, end) == (0, width):
        return of

    def bits(key: Numeric) -> Numeric:
        found = of(key)
        if begin >= width:
            return as_numeric(found & 0)
        return as_numeric((found >> begin) & type(found)((1 << (end - begin)) - 1))

    return bits
