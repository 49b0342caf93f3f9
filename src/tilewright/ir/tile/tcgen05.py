"""Ops of the `tile` dialect for Blackwell's products in tensor memory: one thread begins them, commits tell of them.

Source: PTX ISA, "TensorCore 5th Generation": matrix multiply and accumulate, tcgen05.commit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, StringAttr, UnitAttr, i1, i64
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
    var_operand_def,
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
    instruction descriptor. Of a pair of CTAs, descriptors and addresses are those of each one's own memory. `beside`
    are addresses of tensor memory: of the metadata of a sparse A, and of the scale factors of A and of B.
    """

    name = "tile.tcgen05_mma"
    kind = prop_def(StringAttr)
    ctas_ = opt_prop_def(IntegerAttr[I64], prop_name="ctas")
    factors_ = opt_prop_def(IntegerAttr[I64], prop_name="factors")
    sparse_ = opt_prop_def(UnitAttr, prop_name="sparse")
    ws_ = opt_prop_def(UnitAttr, prop_name="ws")
    d = operand_def(ui32)
    a = operand_def(AnyAttr())
    b = operand_def(ui64)
    told = operand_def(ui32)
    scale_d = operand_def(i1)
    beside = var_operand_def(ui32)
    traits = traits_def(*_EFFECTS)
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $d `,` $a `,` $b `,` $told `,` $scale_d (`,` `[` $beside^ `]`)? attr-dict `:` type($a)"

    def __init__(
        self,
        kind: str,
        operands: Sequence[SSAValue],
        beside: Sequence[SSAValue] = (),
        *,
        ctas: int = 1,
        factors: int = 0,
        sparse: bool = False,
        ws: bool = False,
    ) -> None:
        told = {"factors": IntegerAttr(factors, i64)} if factors else {}
        flags = {name: UnitAttr() for name, flag in (("sparse", sparse), ("ws", ws)) if flag}
        properties = {"kind": StringAttr(kind), **group(ctas), **told, **flags}
        super().__init__(operands=[*operands, beside], properties=properties)

    @property
    def factors(self) -> int:
        """How many scale factors a row has; 0: none."""
        return 0 if self.factors_ is None else self.factors_.value.data

    @property
    def sparse(self) -> bool:
        """Is A stored without half of its elements?"""
        return self.sparse_ is not None

    @property
    def ws(self) -> bool:
        """Does B stay in the unit while rows of A go by? Then columns of D lie on parts of the lanes."""
        return self.ws_ is not None

    @property
    def source(self) -> str:
        """Where A lies: "SS" in shared memory, "TS" in tensor memory."""
        return "SS" if self.a.type == ui64 else "TS"

    def verify_(self) -> None:
        """A known kind, and A where it may be."""
        self.check_group()
        if self.kind.data not in KINDS:
            raise VerifyException(f"{self.name} {self.kind.data!r} is none of {', '.join(KINDS)}")
        known = KINDS[self.kind.data]
        if self.factors not in (known.factors or (0,)):
            has = (
                f"{' or '.join(map(str, known.factors))} scale factors for a row"
                if known.scaled
                else "no scale factors"
            )
            raise VerifyException(f"kind::{self.kind.data} has {has}, got {self.factors}")
        if self.ws and (self.ctas > 1 or known.scaled or self.sparse):
            raise VerifyException("a tcgen05.mma.ws is of one CTA, and here neither scaled nor sparse")
        if len(self.beside) != self.sparse + 2 * known.scaled:
            text = "the addresses of its metadata, where it is sparse, and of the factors of A and B, where it has some"
            raise VerifyException(f"{self.name} takes {text}, got {len(self.beside)} addresses")
        if self.a.type not in (ui32, ui64):
            raise VerifyException(f"A is a descriptor, a uint64, or an address of tensor memory, got {self.a.type}")


# Copies from shared to tensor memory: bytes of a row, and how many rows there are, given to all lanes by so many.
CP_SHAPES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "128x256b": (32, 128),
        "4x256b": (32, 4),
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
