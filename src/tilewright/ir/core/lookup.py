"""`tile.lookup`: a number of a constant table."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DenseArrayBase, IndexType, i64
from xdsl.ir import SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, prop_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class LookupOp(IRDLOperation):
    """The number at an index of a constant table: `tile.lookup [3, 1, 2][%i]`; the index lies inside."""

    name = "tile.lookup"
    numbers = prop_def(DenseArrayBase.constr(i64))
    index = operand_def(IndexType())
    result = result_def(IndexType())
    traits = traits_def(Pure())
    assembly_format = "$numbers `[` $index `]` attr-dict"

    def __init__(self, numbers: Sequence[int], index: SSAValue) -> None:
        table = DenseArrayBase.from_list(i64, list(numbers))
        super().__init__(operands=[index], result_types=[IndexType()], properties={"numbers": table})

    @property
    def table(self) -> tuple[int, ...]:
        """The numbers."""
        return tuple(self.numbers.get_values())

    def verify_(self) -> None:
        """The table is not empty."""
        if not self.table:
            raise VerifyException("tile.lookup needs a table of at least one number")
