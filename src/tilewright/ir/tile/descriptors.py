"""The op that makes a matrix descriptor, by which wgmma and tcgen05 find an operand in shared memory."""

from __future__ import annotations

from xdsl.dialects.builtin import I64, IntegerAttr, IntegerType, Signedness, StringAttr, i64
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.atoms.descriptors import FORMATS, DescriptorFormat, MatrixDescriptor
from tilewright.errors import LayoutError
from tilewright.ir.tile.address import AddressType, address_of, check_addresses
from tilewright.ir.tile.remote import RemoteOp
from tilewright.ir.tile.types import SHARED

ui64 = IntegerType(64, Signedness.UNSIGNED)


@irdl_op_definition
class MatrixDescriptorOp(IRDLOperation):
    """The descriptor of an operand that begins at an address of the block's shared memory, as 64 bits.

    `unit` is whose descriptor it is; `leading` and `stride` are its steps in bytes, `mode` is its swizzle.
    """

    name = "tile.matrix_descriptor"
    unit = prop_def(StringAttr)
    mode = prop_def(StringAttr)
    leading = prop_def(IntegerAttr[I64])
    stride = prop_def(IntegerAttr[I64])
    address = operand_def(AddressType)
    result = result_def(ui64)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$unit $mode $leading $stride $address attr-dict `:` type($address)"

    def __init__(self, unit: str, address: SSAValue, described: MatrixDescriptor) -> None:
        steps = {"leading": described.leading, "stride": described.stride}
        words = {"unit": StringAttr(unit), "mode": StringAttr(described.mode)}
        numbers = {name: IntegerAttr(value, i64) for name, value in steps.items()}
        super().__init__(operands=[address], result_types=[ui64], properties={**words, **numbers})

    @property
    def format(self) -> DescriptorFormat:
        """Where the bits lie."""
        return FORMATS[self.unit.data]

    def described(self, start: int = 0) -> MatrixDescriptor:
        """The descriptor of an operand that begins at that byte."""
        return MatrixDescriptor(start, self.leading.value.data, self.stride.value.data, self.mode.data)

    def verify_(self) -> None:
        """A known unit, which has the mode, steps that it can express, and an address in the block's own memory."""
        if self.unit.data not in FORMATS:
            raise VerifyException(f"{self.name} for {self.unit.data!r}, which is none of {', '.join(FORMATS)}")
        try:
            self.described().encode(self.format)
        except LayoutError as error:
            raise VerifyException(str(error)) from error
        check_addresses((self.address,), (SHARED,))
        memory = address_of(self.address).memory
        while isinstance(memory.owner, Operation) and memory.owner.operands:
            if isinstance(memory.owner, RemoteOp):
                raise VerifyException("a descriptor is of the block's own shared memory, not of another block's")
            memory = memory.owner.operands[0]
