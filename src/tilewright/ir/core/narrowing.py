"""The conversion of a float to a narrower one.

Source: PTX ISA, "cvt".
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
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

from tilewright.dtypes import DType
from tilewright.errors import UsageError
from tilewright.ir.core.element_types import element_dtype, ir_type
from tilewright.ir.core.narrow import AWAY, NARROW, NEAREST, SATURATED, SCALE, TF32

FROM = ("float16", "bfloat16", "float32", "float64")
SCALED = tuple(f"{way}{end}" for way in ("rp", "rz") for end in (".satfinite", ""))
HOW: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {**dict.fromkeys(NARROW, (SATURATED,)), SCALE: SCALED, TF32: (AWAY, NEAREST)}
)


@irdl_op_definition
class NarrowOp(IRDLOperation):
    """A float as a narrower one, rounded as `how` says: `rn.satfinite`, of scales `rp.satfinite`, of tf32 `rna`."""

    name = "tile.narrow"
    how = prop_def(StringAttr)
    value = operand_def(AnyAttr())
    result = result_def(AnyAttr())
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$how $value attr-dict `:` type($value) `->` type($result)"

    def __init__(self, how: str, value: SSAValue, element: DType) -> None:
        super().__init__(operands=[value], properties={"how": StringAttr(how)}, result_types=[ir_type(element)])

    def verify_(self) -> None:
        """A float, and a way of rounding that the format has."""
        try:
            source, element = (element_dtype(kind.type) for kind in (self.value, self.result))
        except UsageError as error:
            raise VerifyException(f"tile.narrow: {error}") from error
        known = HOW.get(element.name, ())
        if self.how.data not in known or source.name not in (("float32",) if element.name == TF32 else FROM):
            raise VerifyException(f"tile.narrow makes no {element} of {source} by {self.how.data!r}")
