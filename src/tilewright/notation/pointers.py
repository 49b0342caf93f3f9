"""Pointers as CuTe C++, CuTe DSL and FlyDSL print them: where a tensor begins, and which swizzle its bytes go through.

    pointer = [swizzle "_"] name "[" bits "b" "]" "(" address ")"     smem_ptr[16b](0x7f00), Sw<3,4,3>_smem_ptr[16b](..)
            | "raw_ptr" "(" address ":" type ")"                       of CuTe DSL
            | "ptr" "<" type ">"
    type    = element "," memory {"," ("align" "<" bytes ">" | swizzle)}
    address = "0x7f00" | "0x7f00.1" | 32512 | "unset" | a name            the last two are no known place: 0
            | "0x7f.." | ".."                                         nor is one that is cut short

A swizzle at a pointer permutes the bytes of memory, so that it acts on addresses. Offsets are counted in elements from
the last address before the tensor that begins a block of the swizzle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tilewright.dtypes import dtype
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle, recast_swizzle
from tilewright.notation.reader import Reader

BYTE = 8
MEMORIES = ("generic", "gmem", "smem", "rmem", "tmem", "global", "shared", "register")
TYPED = ("raw_ptr", "ptr")
_PRINTED = {f"{memory}{kind}" for memory in ("", "gmem_", "smem_", "rmem_") for kind in ("ptr", "subptr")} | {"tmem_"}
_SWIZZLED = {f"_{name}" for name in _PRINTED}


@dataclass(frozen=True, slots=True)
class Pointer:
    """The first element of a tensor: its bits, its byte address, and the swizzle of bytes on the way to memory.

    >>> print(Pointer(16, 1024 + 128, Swizzle(3, 4, 3)).before(Layout((8, 64), (64, 1))))
    Sw<3,3,3> o 64 o (8,64):(64,1)
    """

    bits: int
    address: int = 0
    swizzle: Swizzle | None = None

    def before(self, layout: Layout | ComposedLayout) -> Layout | ComposedLayout:
        """Where the elements of `layout` lie, in elements from the block of the swizzle in which the tensor begins.

        Raises:
            LayoutError: an element lies across two addresses that the swizzle parts, or begins between two.
        """
        if self.swizzle is None or not self.swizzle.b:
            return layout
        if self.bits > BYTE << self.swizzle.m:
            raise LayoutError(f"{self.swizzle} of bytes tears elements of {self.bits} bits apart")
        block = 1 << (self.swizzle.m + self.swizzle.b + abs(self.swizzle.s))
        offset, rest = divmod(self.address % block * BYTE, self.bits)
        if rest:
            raise LayoutError(f"the address {self.address:#x} is no multiple of the {self.bits} bits of an element")
        return ComposedLayout(recast_swizzle(self.swizzle, BYTE, self.bits), offset, layout)


def at_pointer(r: Reader) -> bool:
    """Does a pointer follow that says where it points, or of which type it is?"""
    bracket = r.look().kind
    if (r.at_name(*TYPED) and bracket in "(<") or (r.at_name(*_PRINTED) and bracket == "["):
        return True
    return bracket == "<" and any(r.look(n).text in _SWIZZLED for n in (8, 9))


def pointer(r: Reader, swizzle: Callable[[Reader], Swizzle]) -> Pointer:
    """The pointer that follows; `swizzle` reads one."""
    if r.at_name(*TYPED) and r.look().kind in "(<":
        return _typed(r, swizzle)
    of_bytes = None if r.look().kind == "[" else swizzle(r)
    r.expect_name(*(_PRINTED if of_bytes is None else _SWIZZLED))
    r.expect("[")
    bits = _bits(r)
    r.expect_name("b")
    r.expect("]")
    r.expect("(")
    address = _address(r)
    r.expect(")")
    return Pointer(bits, address, of_bytes)


def _bits(r: Reader) -> int:
    start = r.token
    bits = r.integer("the bits of an element")
    if not 0 < bits <= 1 << 16:
        r.refuse(f"elements have 1 to {1 << 16} bits, got {bits}", start)
    r.widths.add(bits)
    return bits


def _address(r: Reader) -> int:
    if r.accept("("):  # what C prints of a null pointer
        r.expect_name("nil")
        r.expect(")")
        return 0
    if r.at("name"):
        r.take()
        return 0
    found = 0 if r.at(".") else r.address()
    if not r.accept("."):
        return found
    if r.at("int"):  # the bit within a byte
        r.take()
        return found
    while r.accept("."):
        pass
    return 0  # one that is cut short is not known


def _typed(r: Reader, swizzle: Callable[[Reader], Swizzle]) -> Pointer:
    r.take()
    address = 0
    if r.accept("("):
        address = _address(r)
        r.expect(":")
        close = ")"
    else:
        r.expect("<")
        close = ">"
    bits = element(r)
    of_bytes = None
    while r.accept(","):
        if not qualifier(r):
            of_bytes = swizzle(r)
    r.expect(close)
    return Pointer(bits, address, of_bytes)


def element(r: Reader) -> int:
    """The bits of the type that is named, and behind a comma its memory, which says nothing about layouts."""
    start = r.token
    name = r.expect_name()
    try:
        bits = dtype(name).bits
    except UsageError as error:
        r.refuse(str(error), start)
    r.widths.add(bits)
    r.expect(",")
    r.expect_name(*MEMORIES)
    return bits


def qualifier(r: Reader) -> bool:
    """Pass `align<16>`, if it follows."""
    if not r.accept_name("align"):
        return False
    r.expect("<")
    r.integer("an alignment in bytes")
    r.expect(">")
    return True
