"""The op of a warp's product with a sparse A, of whose elements half are stored.

Source: PTX ISA, mma.sp.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from tilewright.atoms import catalog
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.sparsity import selectors
from tilewright.errors import UsageError
from tilewright.ir.tile.atoms import AtomOp, Place, check_fragment
from tilewright.ir.tile.tmem import ui32


@irdl_op_definition
class SparseMmaOp(AtomOp):
    """D = A B + C by the lanes of a warp, where of A every other element is stored; without a fourth place C is 0.

    `metadata` is a word of each lane, of which the selector says which lanes have one.
    """

    name = "tile.sparse_mma_atom"
    metadata = operand_def(ui32)
    selector_ = prop_def(IntegerAttr[I64], prop_name="selector")
    assembly_format = "$atom $memories `[` $indices `]` `,` $metadata $selector attr-dict `:` type($memories)"

    def __init__(
        self, atom: str, places: Sequence[tuple[SSAValue, Sequence[SSAValue]]], metadata: SSAValue, selector: int
    ) -> None:
        indices = [index for _, own in places for index in own]
        IRDLOperation.__init__(
            self,
            operands=[metadata, [memory for memory, _ in places], indices],  # its own are before the base's
            properties={"atom": StringAttr(atom), "selector": IntegerAttr(selector, i64)},
        )

    def on(self, places: Sequence[tuple[SSAValue, Sequence[SSAValue]]]) -> Self:
        """The same product on other places."""
        return type(self)(self.atom.data, places, self.metadata, self.selector)

    @property
    def selector(self) -> int:
        """Which lanes of each four have metadata."""
        return self.selector_.value.data

    @property
    def instruction(self) -> MmaAtom:
        """The atom.

        Raises:
            UsageError: there is none of that name.
        """
        return catalog.mma(self.atom.data)

    def fragments(self) -> Iterator[tuple[str, Place]]:
        """The operands, D first, each with its letter."""
        return zip("DABC", self.places, strict=False)

    def verify_(self) -> None:
        """A sparse atom of registers, which hold its elements; a selector that it has."""
        try:
            atom = self.instruction
        except UsageError as error:
            raise VerifyException(str(error)) from error
        if atom.sparsity == 1 or set(atom.spaces) != {"register"}:
            raise VerifyException(f"{self.name} is for sparse products of registers, {atom.name} is none")
        if atom.scale is not None:
            raise VerifyException(f"{atom.name} takes scale factors; of scaled products kernels have dense ones")
        self._check_places((3, 4))
        for operand, place in self.fragments():
            check_fragment(atom, operand, place)
        if self.selector not in range(selectors(atom)):
            raise VerifyException(
                f"the sparsity selector of {atom.name} is below {selectors(atom)}, got {self.selector}"
            )


SPARSE_OPS = (SparseMmaOp,)
