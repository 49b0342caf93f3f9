"""What xDSL's `arith` lacks of MLIR's."""

from __future__ import annotations

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, base, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException


@irdl_op_definition
class IndexCastUIOp(IRDLOperation):
    """An index as an integer, or an integer as an index, whose bits are read without a sign."""

    name = "arith.index_castui"

    input = operand_def(base(IntegerType) | base(IndexType))
    result = result_def(base(IntegerType) | base(IndexType))
    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    def verify_(self) -> None:
        """One of the two is an index."""
        if isinstance(self.input.type, IndexType) == isinstance(self.result.type, IndexType):
            types = f"operand type '{self.input.type}' and result type '{self.result.type}'"
            raise VerifyException(f"'{self.name}' op {types} are cast incompatible")


ARITH = Dialect(
    "arith",
    [*arith.Arith.operations, IndexCastUIOp],
    list(arith.Arith.attributes),
    [arith.ArithConstantMaterializationInterface()],
)
