"""`CopyAtom`: one copy instruction as a frozen value, in bits, and recast to an element type."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from tilewright.atoms.alias import alias
from tilewright.atoms.coverage import owners
from tilewright.atoms.told import Told
from tilewright.dtypes import bits_of
from tilewright.errors import LayoutError, UsageError, counted, shown, typed_fields
from tilewright.layout.algebra.recast import upcast_rounding_up
from tilewright.layout.layout import Layout
from tilewright.layout.operations import coalesce

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike


_WIDENED = {"b8x16.b4x16_p64": 4, "b8x16.b6x16_p32": 6}


@dataclass(frozen=True, repr=False)
@typed_fields
class CopyAtom(Told):
    """Moves bits from where the source threads hold (or address) them to where the destination threads do.

    `src_bits`, `dst_bits`, `ref_bits` map (thread, bit) to the bit of the atom's data; ref is the side that lives in
    registers, by which tiled copies are partitioned. `tv_layout_src` and its kin are the same in elements of
    `val_bits` bits; `with_element` gives the atom for another element width.

    Args:
        spaces: source and destination memory ("global", "shared", "register", "tmem").
        alignment: bytes that each thread's address must be a multiple of.
        asynchronous: does the copy complete later, after a wait?
        broadcast: how many copies of the source the destination holds.

    Raises:
        LayoutError: layouts that hold different bits, or some bit unevenly often; or elements that the
            atom would cut.
        UsageError: a field of another type.

    >>> from tilewright.atoms.catalog import copy
    >>> atom = copy("SM75_U32x2_LDSM_N").with_element(16)
    >>> print(atom.tv_layout_src, atom.tv_layout_dst)
    ((16,2),8):((8,0),1) (32,(2,2)):(2,(1,64))
    """

    name: str
    thr_layout: Layout[int]
    src_bits: Layout[int]
    dst_bits: Layout[int]
    ref_bits: Layout[int]
    arch: str
    instruction: str = ""
    source: str = ""
    spaces: tuple[str, str] = ("", "")
    val_bits: int = 1
    alignment: int = 1
    asynchronous: bool = False
    broadcast: int = 1

    def __post_init__(self) -> None:
        if min(self.val_bits, self.alignment, self.broadcast) < 1:
            given = f"{self.val_bits}, {self.alignment} and {self.broadcast}"
            raise UsageError(f"{self.name}: val_bits, alignment and broadcast are positive, got {given}")
        sides = {"source": self.src_bits, "destination": self.dst_bits, "reference": self.ref_bits}
        for side, layout in sides.items():
            if layout.rank != 2 or layout[0].size != self.thr_layout.size:
                raise LayoutError(
                    f"{self.name}: the {side} layout {layout} must be (thread, bit) with {self.thr_layout.size} threads"
                )
        # A thread's one bit stands for one value of any width; several threads' bits are where they say.
        if any(layout.size > 1 and layout[1].size % self.val_bits for layout in sides.values()):
            raise LayoutError(
                f"{self.name} moves {self.bits_per_thread} bits a thread: no {shown(self.val_bits)}-bit elements"
            )
        # With one layout on all sides every bit goes where it came from, also where the stretch has gaps.
        if len(set(sides.values())) > 1:
            for side, layout in sides.items():
                self._check_whole(side, layout)
            bits = 1 + sum((s - 1) * abs(d) for s, d in self.ref_bits.flat)
            owners(self.src_bits, bits // self.broadcast)
            owners(self.dst_bits, bits)
            owners(self.ref_bits, bits)

    def _check_whole(self, side: str, layout: Layout[int]) -> None:
        """An element's bits are neighbours in a thread; runs that cover the data evenly start where elements do."""
        run, step = coalesce(layout[1]).flat[0]
        whole = step == 1 and run % self.val_bits == 0
        if layout.size > 1 and self.val_bits > 1 and not whole:
            raise LayoutError(
                f"{self.name} would cut {self.val_bits}-bit elements: at the {side} a thread has runs of"
                f" {run if step == 1 else 1} bits, {layout}"
            )

    @property
    def widened_bits(self) -> int:
        """The bits of the elements that the instruction widens to bytes: 16 of a row lie packed at its start; 0: none.

        Source: PTX ISA, ldmatrix .b6x16_p32 and .b4x16_p64.
        """
        return next((bits for word, bits in _WIDENED.items() if self.instruction.endswith(word)), 0)

    def with_element(self, element: int | DTypeLike) -> CopyAtom:
        """The same instruction on elements of a type, or of so many bits.

        Raises:
            LayoutError: a thread's part is no whole number of such elements, or the instruction takes one apart.
        """
        bits = bits_of(element)
        if type(bits) is not int or bits < 1:
            raise UsageError(f"element bits must be a positive integer, got {shown(bits)}")
        return replace(self, val_bits=bits)

    @cached_property
    def tv_layout_src(self) -> Layout[int]:
        """(thread, value) -> element, at the source."""
        return self._in_elements(self.src_bits)

    @cached_property
    def tv_layout_dst(self) -> Layout[int]:
        """(thread, value) -> element, at the destination."""
        return self._in_elements(self.dst_bits)

    @cached_property
    def tv_layout_ref(self) -> Layout[int]:
        """(thread, value) -> element, on the side that partitions a tiled copy."""
        return self._in_elements(self.ref_bits)

    def _in_elements(self, bits: Layout[int]) -> Layout[int]:
        layout: Layout[int] = upcast_rounding_up(bits, self.val_bits)
        return layout

    @property
    def threads(self) -> int:
        """The number of threads that take part."""
        return int(self.thr_layout.size)

    @property
    def bits_per_thread(self) -> int:
        """The bits that one thread holds in registers (or addresses)."""
        return int(self.ref_bits[1].size)

    thr_id = alias(Layout[int], "thr_layout", "CuTe")
    layout_src_tv = alias(Layout[int], "tv_layout_src", "the FlyDSL release")
    layout_dst_tv = alias(Layout[int], "tv_layout_dst", "the FlyDSL release")
    layout_ref_tv = alias(Layout[int], "tv_layout_ref", "the FlyDSL release")

    def __str__(self) -> str:
        where = " -> ".join(space for space in self.spaces if space)
        return (
            f"{self.name}  {where}  ({self.arch})\n  thr {self.thr_layout}, values of {counted(self.val_bits, 'bit')}\n"
            f"  src {self.tv_layout_src}\n  dst {self.tv_layout_dst}"
        )
