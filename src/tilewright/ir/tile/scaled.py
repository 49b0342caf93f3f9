"""The op of a warp's block-scaled product: rows of A and columns of B times scale factors.

Source: PTX ISA, mma with `.block_scale`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Self

from xdsl.dialects.builtin import DenseArrayBase, StringAttr, i64
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def
from xdsl.utils.exceptions import VerifyException

from tilewright.atoms import catalog
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.scaling import ScaleSelect
from tilewright.errors import UsageError
from tilewright.ir.tile.atoms import AtomOp, Place, check_fragment
from tilewright.ir.tile.tmem import ui32


@irdl_op_definition
class ScaledMmaOp(AtomOp):
    """D = (A * scales) (B * scales) + C by the lanes of a warp; without a fourth place C is 0.

    `scale_a` and `scale_b` are a word of each lane; `select` are byte-id and thread-id of A, and of B, which say in
    which lanes' words, and where in these, the factors are.
    """

    name = "tile.scaled_mma_atom"
    scale_a = operand_def(ui32)
    scale_b = operand_def(ui32)
    select_ = prop_def(DenseArrayBase, prop_name="select")
    assembly_format = "$atom $memories `[` $indices `]` `,` $scale_a $scale_b attr-dict `:` type($memories)"

    def __init__(
        self,
        atom: str,
        places: Sequence[tuple[SSAValue, Sequence[SSAValue]]],
        scales: tuple[SSAValue, SSAValue],
        select: ScaleSelect,
    ) -> None:
        indices = [index for _, own in places for index in own]
        IRDLOperation.__init__(
            self,
            operands=[*scales, [memory for memory, _ in places], indices],  # its own are before the base's
            properties={"atom": StringAttr(atom), "select": DenseArrayBase.from_list(i64, list(select.ids))},
        )

    def on(self, places: Sequence[tuple[SSAValue, Sequence[SSAValue]]]) -> Self:
        """The same product on other places."""
        return type(self)(self.atom.data, places, (self.scale_a, self.scale_b), self.select)

    @property
    def select(self) -> ScaleSelect:
        """Where the factors are."""
        return ScaleSelect(*self.select_.get_values())

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
        """A scaled atom of registers, which hold its elements; selectors that it has."""
        try:
            atom = self.instruction
            if not is_scaled(atom):
                raise VerifyException(f"{self.name} is for block-scaled products of warps, {atom.name} is none")
            if len(self.select_.get_values()) != len(ScaleSelect().ids):
                raise VerifyException(f"{self.name} has four selectors: byte-id and thread-id of A, and of B")
            self.select.check(atom)
        except UsageError as error:
            raise VerifyException(str(error)) from error
        if atom.sparsity > 1:
            raise VerifyException(f"{atom.name} has a sparse A; of scaled products kernels have dense ones")
        self._check_places((3, 4))
        for operand, place in self.fragments():
            check_fragment(atom, operand, place)


def is_scaled(atom: MmaAtom) -> bool:
    """Is it a block-scaled product of a warp, of registers?"""
    return atom.scale is not None and set(atom.spaces) == {"register"} and atom.instruction.startswith("mma.")
