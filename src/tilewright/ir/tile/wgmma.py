"""Ops of the `tile` dialect for Hopper's matrix instructions, which a warpgroup begins and which go on by themselves.

Source: PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Self

from xdsl.dialects.builtin import I64, ArrayAttr, IntegerAttr, StringAttr, i1, i64
from xdsl.ir import SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.atoms import catalog
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.shared_atoms import Major
from tilewright.atoms.sparsity import selectors
from tilewright.errors import UsageError
from tilewright.ir.tile.atoms import AtomOp, Place, check_fragment
from tilewright.ir.tile.descriptors import ui64
from tilewright.ir.tile.tmem import ui32

WARPS, WARPGROUP = 4, 128  # warps and lanes of a warpgroup
# What a product may be told beside its operands: an operand is negated; it lies MN-major, not K-major.
NEGATED = ("neg_a", "neg_b")
TRANSPOSED = ("mn_a", "mn_b")
MODIFIERS = (*NEGATED, *TRANSPOSED)

# Whether they take a number: of groups that may be on their way.
SYNCS: Mapping[str, bool] = MappingProxyType({"fence": False, "commit": False, "wait": True})


@irdl_op_definition
class WgmmaOp(AtomOp):
    """D = A B + D by the lanes of a warpgroup, or A B where `scale_d` is false; done when its group is waited for.

    The places are D's registers and, where the atom has it there, A's; the descriptors those of A and B. A sparse A has
    `metadata`, a word of each lane.
    """

    name = "tile.wgmma"
    descriptors = var_operand_def(ui64)
    scale_d = operand_def(i1)
    metadata = var_operand_def(ui32)
    modifiers = prop_def(ArrayAttr[StringAttr])
    selector_ = opt_prop_def(IntegerAttr[I64], prop_name="selector")
    assembly_format = (
        "$atom $memories `[` $indices `]` `,` `[` $descriptors `]` `,` $scale_d (`,` `sparse` $metadata^)? $modifiers "
        "attr-dict `:` type($memories)"
    )

    def __init__(
        self,
        atom: str,
        places: Sequence[tuple[SSAValue, Sequence[SSAValue]]],
        descriptors: Sequence[SSAValue],
        scale_d: SSAValue,
        modifiers: Sequence[str] = (),
        *,
        metadata: SSAValue | None = None,
        selector: int = 0,
    ) -> None:
        indices = [index for _, own in places for index in own]
        told = [] if metadata is None else [metadata]
        chosen = {"selector": IntegerAttr(selector, i64)} if selector else {}
        IRDLOperation.__init__(  # its own operands are before the base's
            self,
            operands=[descriptors, scale_d, told, [memory for memory, _ in places], indices],
            properties={"atom": StringAttr(atom), "modifiers": ArrayAttr(map(StringAttr, modifiers)), **chosen},
        )

    @property
    def selector(self) -> int:
        """Which lanes have the metadata, where only half of them have."""
        return 0 if self.selector_ is None else self.selector_.value.data

    @property
    def warps_together(self) -> int:
        """The warps that take part together."""
        return WARPS

    def on(self, places: Sequence[tuple[SSAValue, Sequence[SSAValue]]]) -> Self:
        """The same product on other places."""
        metadata = next(iter(self.metadata), None)
        return type(self)(
            self.atom.data,
            places,
            self.descriptors,
            self.scale_d,
            self.words,
            metadata=metadata,
            selector=self.selector,
        )

    @property
    def instruction(self) -> MmaAtom:
        """The atom.

        Raises:
            UsageError: there is none of that name.
        """
        return catalog.mma(self.atom.data)

    @property
    def words(self) -> tuple[str, ...]:
        """The modifiers."""
        return tuple(word.data for word in self.modifiers)

    def majors(self) -> tuple[Major, Major]:
        """How A and B lie in shared memory."""
        return self._major(TRANSPOSED[0]), self._major(TRANSPOSED[1])

    def _major(self, word: str) -> Major:
        return "MN" if word in self.words else "K"

    @property
    def register_operands(self) -> Iterator[tuple[str, Place]]:
        """The operands in registers, D first, each with its letter."""
        return zip("DA", self.places, strict=False)

    @property
    def shared_operands(self) -> Iterator[tuple[str, SSAValue]]:
        """The descriptors of the operands in shared memory, each with its letter."""
        return zip("AB"[-len(self.descriptors) :], self.descriptors, strict=True)

    def verify_(self) -> None:
        """An atom of wgmma, with its operands where it has them, and only what it can be told."""
        try:
            atom = self.instruction
        except UsageError as error:
            raise VerifyException(str(error)) from error
        if not atom.instruction.startswith("wgmma."):
            raise VerifyException(f"{self.name} is for atoms of wgmma, {atom.name} is none")
        self._check_sparse(atom)
        shared = atom.spaces.count("shared")
        self._check_places((3 - shared,))
        if len(self.descriptors) != shared:
            raise VerifyException(f"{atom.name} takes {shared} descriptors, got {len(self.descriptors)}")
        for operand, place in self.register_operands:
            check_fragment(atom, operand, place)
        for word in self.words:
            _check_word(atom, word)

    def _check_sparse(self, atom: MmaAtom) -> None:
        if len(self.metadata) != atom.sparsity - 1:
            many = f"{atom.sparsity - 1} registers of metadata"
            raise VerifyException(f"{atom.name} takes {many}, got {len(self.metadata)}")
        known = selectors(atom) if atom.sparsity > 1 else 1
        if self.selector not in range(known):
            raise VerifyException(f"the sparsity selector of {atom.name} is below {known}, got {self.selector}")


def _check_word(atom: MmaAtom, word: str) -> None:
    if word not in MODIFIERS:
        raise VerifyException(f"{word!r} is none of {', '.join(MODIFIERS)}")
    element = atom.dtypes[1 + (word[-1] == "b")]
    if word in NEGATED and element.is_integer:
        raise VerifyException(f"{atom.name} negates no operand: its elements are {element}")
    if word in TRANSPOSED and element.bits != 16:
        raise VerifyException(f"operands of {element.bits} bits lie K-major, those of {atom.name} too; 16 bits may not")
    if word == "mn_a" and atom.spaces[0] == "register":
        raise VerifyException(f"A of {atom.name} lies in registers, and has no major mode")


@irdl_op_definition
class WgmmaSyncOp(IRDLOperation):
    """What a warpgroup does about its products beside beginning them.

    `fence` orders what lanes did to registers before products that begin later; `commit` makes those begun, and in no
    group yet, a group; `wait` waits until at most so many groups, the latest, are not done.
    """

    name = "tile.wgmma_sync"
    kind = prop_def(StringAttr)
    pending = prop_def(IntegerAttr[I64])
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $pending attr-dict"

    def __init__(self, kind: str, pending: int = 0) -> None:
        super().__init__(properties={"kind": StringAttr(kind), "pending": IntegerAttr(pending, i64)})

    @property
    def warps_together(self) -> int:
        """The warps that take part together."""
        return WARPS

    def verify_(self) -> None:
        """A known kind, and a number of groups."""
        if self.kind.data not in SYNCS:
            raise VerifyException(f"{self.name} {self.kind.data!r} is none of {', '.join(SYNCS)}")
        count = self.pending.value.data
        if count < 0 or (count and not SYNCS[self.kind.data]):
            raise VerifyException(f"{self.name} {self.kind.data!r} with {count} groups pending")


WGMMA_OPS = (WgmmaOp, WgmmaSyncOp)
