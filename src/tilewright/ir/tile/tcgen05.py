"""Ops of the `tile` dialect for Blackwell's products in tensor memory: one thread begins them, commits tell of them.

Source: PTX ISA, "TensorCore 5th Generation": matrix multiply and accumulate, tcgen05.commit.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, StringAttr, i1
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
)
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from tilewright.atoms.instruction_descriptors import KINDS
from tilewright.ir.tile.address import AddressType
from tilewright.ir.tile.descriptors import ui64
from tilewright.ir.tile.mbarriers import check_mbarrier
from tilewright.ir.tile.tmem import OfGroup, group, ui32

_EFFECTS = (MemoryReadEffect(), MemoryWriteEffect())


@irdl_op_definition
class Tcgen05MmaOp(OfGroup):
    """The thread begins D = A B + D in tensor memory, or A B where `scale_d` is false; done when a commit of it is.

    A is a descriptor of shared memory (64 bits) or an address of tensor memory (32 bits), B a descriptor; `told` is the
    instruction descriptor. Of a pair of CTAs, descriptors and addresses are those of each one's own memory.
    """

    name = "tile.tcgen05_mma"
    kind = prop_def(StringAttr)
    ctas_ = opt_prop_def(IntegerAttr[I64], prop_name="ctas")
    d = operand_def(ui32)
    a = operand_def(AnyAttr())
    b = operand_def(ui64)
    told = operand_def(ui32)
    scale_d = operand_def(i1)
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $d `,` $a `,` $b `,` $told `,` $scale_d attr-dict `:` type($a)"

    def __init__(
        self, kind: str, d: SSAValue, a: SSAValue, b: SSAValue, told: SSAValue, scale_d: SSAValue, ctas: int = 1
    ) -> None:
        super().__init__(operands=[d, a, b, told, scale_d], properties={"kind": StringAttr(kind), **group(ctas)})

    @property
    def source(self) -> str:
        """Where A lies: "SS" in shared memory, "TS" in tensor memory."""
        return "SS" if self.a.type == ui64 else "TS"

    def verify_(self) -> None:
        """A known kind, and A where it may be."""
        self.check_group()
        if self.kind.data not in KINDS:
            raise VerifyException(f"{self.name} {self.kind.data!r} is none of {', '.join(KINDS)}")
        if self.a.type not in (ui32, ui64):
            raise VerifyException(f"A is a descriptor, a uint64, or an address of tensor memory, got {self.a.type}")


# Copies from shared to tensor memory: bytes of a row, and how many rows there are, given to all lanes by so many.
CP_SHAPES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "128x256b": (32, 128),
        "128x128b": (16, 128),
        "64x128b.warpx2::02_13": (16, 64),
        "64x128b.warpx2::01_23": (16, 64),
        "32x128b.warpx4": (16, 32),
    }
)


@irdl_op_definition
class Tcgen05CpOp(OfGroup):
    """The thread begins to copy rows that a descriptor of shared memory gives to tensor memory; done when committed."""

    name = "tile.tcgen05_cp"
    shape = prop_def(StringAttr)
    ctas_ = opt_prop_def(IntegerAttr[I64], prop_name="ctas")
    target = operand_def(ui32)
    source = operand_def(ui64)
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$shape $target `,` $source attr-dict"

    def __init__(self, shape: str, target: SSAValue, source: SSAValue, ctas: int = 1) -> None:
        super().__init__(operands=[target, source], properties={"shape": StringAttr(shape), **group(ctas)})

    def verify_(self) -> None:
        """A known shape."""
        self.check_group()
        if self.shape.data not in CP_SHAPES:
            raise VerifyException(f"{self.name} {self.shape.data!r} is none of {', '.join(CP_SHAPES)}")


@irdl_op_definition
class Tcgen05CommitOp(OfGroup):
    """One arrival comes to an mbarrier when all that the thread has begun is done.

    With a mask, to the mbarrier at that place in each of the cluster's blocks whose bit is set.
    """

    name = "tile.tcgen05_commit"
    barrier = operand_def(AddressType)
    mask = opt_operand_def(IndexType())
    ctas_ = opt_prop_def(IntegerAttr[I64], prop_name="ctas")
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$barrier (`to` $mask^)? attr-dict `:` type($barrier)"

    def __init__(self, barrier: SSAValue, mask: SSAValue | None = None, ctas: int = 1) -> None:
        super().__init__(operands=[barrier, [] if mask is None else [mask]], properties=group(ctas))

    def verify_(self) -> None:
        """On a word of shared memory."""
        self.check_group()
        check_mbarrier(self.barrier)


TCGEN05_OPS = (Tcgen05MmaOp, Tcgen05CpOp, Tcgen05CommitOp)
