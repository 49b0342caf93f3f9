"""Ops of the `tile` dialect for Blackwell's tensor memory: who has which columns, and what moves to and from registers.

An address of tensor memory is a number of 32 bits: the lane above, the column below.

Source: PTX ISA, "TensorCore 5th Generation": allocation, data movement, synchronization.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from xdsl.dialects.builtin import I64, IntegerAttr, IntegerType, Signedness, StringAttr, i64
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.errors import UsageError
from tilewright.ir.tile.address import AddressType, check_addresses
from tilewright.ir.tile.atoms import AtomOp
from tilewright.ir.tile.types import LOCAL, SHARED

ui32 = IntegerType(32, Signedness.UNSIGNED)
LANES, COLUMNS = 128, 512  # of tensor memory, of 32 bits
LEAST_COLUMNS = 32
ID_BIT = 30  # from which on an address of scale factors says with which byte of a word they begin
PAIR = 2  # CTAs of a cluster that work together
HALVED = "16x32bx2"  # of whose lanes the upper half lies apart

# What tcgen05.ld.red can do with a lane's words: op, sign and NaNs, type.
REDUCTIONS = frozenset(
    f"{how}{sign}.{kind}"
    for how in ("min", "max")
    for kind in ("f32", "s32", "u32")
    for sign in (("", ".abs", ".NaN", ".abs.NaN") if kind == "f32" else ("",))
)

# What a warp, or a thread, does about tensor memory beside accessing it.
TMEM_SYNCS = ("relinquish", "wait.ld", "wait.st", "fence.before", "fence.after")
_EFFECTS = (MemoryReadEffect(), MemoryWriteEffect())


def check_columns(count: int) -> None:
    """Raises `VerifyException` unless so many columns can be allocated."""
    if not LEAST_COLUMNS <= count <= COLUMNS or count & (count - 1):
        raise VerifyException(
            f"tensor memory is allocated in powers of two from {LEAST_COLUMNS} to {COLUMNS} columns, got {count}"
        )


class OfGroup(IRDLOperation):
    """What names a group of CTAs: one, or a pair."""

    @property
    def ctas(self) -> int:
        """How many CTAs act together."""
        found = self.properties.get("ctas")
        return found.value.data if isinstance(found, IntegerAttr) else 1

    def check_group(self) -> None:
        """Raises `VerifyException` unless there is such a group."""
        if self.ctas not in (1, PAIR):
            raise VerifyException(f"{self.name} is of one CTA or of {PAIR}, got {self.ctas}")


def group(ctas: int) -> dict[str, Attribute]:
    """The property that says so; one CTA goes without."""
    return {"ctas": IntegerAttr(ctas, i64)} if ctas != 1 else {}


def register_bits(atom: CopyAtom) -> int:
    """The bits that a lane holds in registers."""
    held = atom.dst_bits if atom.spaces[1] == "register" else atom.src_bits
    return int(held[1].size)


@irdl_op_definition
class TmemAllocOp(OfGroup):
    """A warp allocates columns for its block; the address of the first goes to a 32-bit word of shared memory.

    For a pair of CTAs a warp of each allocates, and waits for the other.
    """

    name = "tile.tmem_alloc"
    target = operand_def(AddressType)
    columns = prop_def(IntegerAttr[I64])
    ctas_ = opt_prop_def(IntegerAttr[I64], prop_name="ctas")
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$target `,` $columns attr-dict `:` type($target)"

    def __init__(self, target: SSAValue, columns: int, ctas: int = 1) -> None:
        super().__init__(operands=[target], properties={"columns": IntegerAttr(columns, i64), **group(ctas)})

    def verify_(self) -> None:
        """So many columns can be allocated, and the word can hold their address."""
        self.check_group()
        check_columns(self.columns.value.data)
        check_addresses((self.target,), (SHARED,))
        if not isinstance(self.target.type, AddressType) or self.target.type.element != ui32:
            raise VerifyException(f"an address of tensor memory is a uint32, got {self.target.type}")


@irdl_op_definition
class TmemDeallocOp(OfGroup):
    """A warp gives back what was allocated at that address."""

    name = "tile.tmem_dealloc"
    address = operand_def(ui32)
    columns = prop_def(IntegerAttr[I64])
    ctas_ = opt_prop_def(IntegerAttr[I64], prop_name="ctas")
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$address `,` $columns attr-dict"

    def __init__(self, address: SSAValue, columns: int, ctas: int = 1) -> None:
        super().__init__(operands=[address], properties={"columns": IntegerAttr(columns, i64), **group(ctas)})

    def verify_(self) -> None:
        """As many columns as an allocation has."""
        self.check_group()
        check_columns(self.columns.value.data)


@irdl_op_definition
class TmemCopyOp(AtomOp):
    """A warp begins to move words between its registers and its own 32 lanes of tensor memory.

    `split` is how many columns further on the upper half of the lanes lies, of the atoms that have one. A `reduction`
    of the words that a lane gets goes to a register of its own, the second place.
    """

    name = "tile.tmem_copy"
    address = operand_def(ui32)
    split = prop_def(IntegerAttr[I64])
    reduction_ = opt_prop_def(StringAttr, prop_name="reduction")
    assembly_format = "$atom $memories `[` $indices `]` `,` $address $split attr-dict `:` type($memories)"

    def __init__(
        self,
        atom: str,
        places: Sequence[tuple[SSAValue, Sequence[SSAValue]]],
        address: SSAValue,
        split: int = 0,
        reduction: str = "",
    ) -> None:
        indices = [index for _, own in places for index in own]
        reduces = {"reduction": StringAttr(reduction)} if reduction else {}
        IRDLOperation.__init__(
            self,
            operands=[address, [memory for memory, _ in places], indices],  # its own are before the base's
            properties={"atom": StringAttr(atom), "split": IntegerAttr(split, i64), **reduces},
        )

    def on(self, places: Sequence[tuple[SSAValue, Sequence[SSAValue]]]) -> Self:
        """The same copy of other registers."""
        return type(self)(self.atom.data, places, self.address, self.split.value.data, self.reduction)

    @property
    def reduction(self) -> str:
        """How the words of a lane are reduced, as `max.abs.f32`; empty: they are not."""
        return "" if self.reduction_ is None else self.reduction_.data

    @property
    def instruction(self) -> CopyAtom:
        """The atom.

        Raises:
            UsageError: there is none of that name.
        """
        return catalog.copy(self.atom.data)

    @property
    def loads(self) -> bool:
        """Does it move words to registers?"""
        return self.instruction.spaces[0] == "tmem"

    def verify_(self) -> None:
        """The atom moves between tensor memory and registers, which are there."""
        try:
            atom = self.instruction
        except UsageError as error:
            raise VerifyException(str(error)) from error
        if set(atom.spaces) != {"tmem", "register"}:
            raise VerifyException(f"{self.name} is for tcgen05.ld and tcgen05.st, {atom.name} is none")
        self._check_reduction(atom)
        place = self.places[0]
        if place.space != LOCAL:
            raise VerifyException(f"{atom.name} moves registers, got {place.space} memory")
        bits = place.element.bits
        if bits not in (8, 16, 32, 64) or register_bits(atom) > place.size * bits:
            raise VerifyException(
                f"{atom.name} moves {register_bits(atom)} bits a lane, the memory has {place.size} {place.element}"
            )
        if register_bits(atom) % bits:
            raise VerifyException(f"{atom.name} moves {register_bits(atom)} bits a lane, no whole {place.element}")
        split = self.split.value.data
        if not 0 <= split < COLUMNS or (split and HALVED not in atom.instruction):
            raise VerifyException(f"{atom.name} with its upper lanes {split} columns further on")

    def _check_reduction(self, atom: CopyAtom) -> None:
        reduces = ".red." in atom.instruction
        if (self.reduction in REDUCTIONS) != reduces or (self.reduction and not reduces):
            wanted = f"reduces by one of {', '.join(sorted(REDUCTIONS))}" if reduces else "reduces nothing"
            raise VerifyException(f"{atom.name} {wanted}, got {self.reduction!r}")
        self._check_places((1 + reduces,))
        for place in self.places[1:]:
            if place.space != LOCAL or place.element.bits != 32:
                raise VerifyException(
                    f"what {atom.name} reduces to is a register of 32 bits, got {place.space} {place.element}"
                )


@irdl_op_definition
class TmemSyncOp(OfGroup):
    """What a thread does about tensor memory beside accessing it; of all but the fences the whole warp takes part.

    `relinquish`: the block allocates no more; `wait.ld`, `wait.st`: its copies are done; the fences order what was
    done in tensor memory before what threads do to meet, and what comes after it.
    """

    name = "tile.tmem_sync"
    kind = prop_def(StringAttr)
    ctas_ = opt_prop_def(IntegerAttr[I64], prop_name="ctas")
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind attr-dict"

    def __init__(self, kind: str, ctas: int = 1) -> None:
        super().__init__(properties={"kind": StringAttr(kind), **group(ctas)})

    def verify_(self) -> None:
        """A known kind, of a group that there is."""
        self.check_group()
        if self.kind.data not in TMEM_SYNCS:
            raise VerifyException(f"{self.name} {self.kind.data!r} is none of {', '.join(TMEM_SYNCS)}")
        if self.ctas > 1 and self.kind.data != "relinquish":
            raise VerifyException(f"{self.name} {self.kind.data!r} is of no group of CTAs")


TMEM_OPS = (TmemAllocOp, TmemDeallocOp, TmemCopyOp, TmemSyncOp)
