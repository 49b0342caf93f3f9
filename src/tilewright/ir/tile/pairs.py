"""Conversions of two floats at once, to and from words that hold two narrow ones, as PTX has them.

Source: PTX ISA, "cvt".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from xdsl.dialects.builtin import IntegerType, Signedness, StringAttr
from xdsl.ir import SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    ParsePropInAttrDict,
    irdl_op_definition,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.dtypes import DType, dtype
from tilewright.ir.core.element_types import ir_type
from tilewright.ir.core.narrow import NEAREST, SATURATED, SCALE
from tilewright.ir.core.narrowing import SCALED

_MINIFLOATS = ("float8_e4m3fn", "float8_e5m2", "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn")


@dataclass(frozen=True)
class Pair:
    """An instruction on two floats at once, the first in the upper half of a word.

    Attributes:
        name: what PTX writes behind `cvt.`.
        how: the rounding; empty where the result holds all numbers.
        source, target: the types.
        relu: do negative numbers become 0?
    """

    name: str
    how: str
    source: DType
    target: DType
    relu: bool = False

    @property
    def given(self) -> tuple[DType, ...]:
        """The operands: two numbers, or a word of both."""
        return (self.source,) * 2 if self.source.name == "float32" else (dtype(f"uint{2 * held(self.source)}"),)

    @property
    def result(self) -> DType:
        """The word that holds both."""
        return dtype(f"uint{2 * held(self.target)}")

    @property
    def function(self) -> str:
        """Its name in texts."""
        return f"tw_cvt_{self.name.replace('.', '_')}"


def held(element: DType) -> int:
    """Bits of an element in a word of two: those of 6 bits take a byte."""
    return 8 if element.bits == 6 else element.bits


_WORDS: Mapping[str, str] = {
    "float8_e4m3fn": "e4m3x2", "float8_e5m2": "e5m2x2", "float6_e2m3fn": "e2m3x2", "float6_e3m2fn": "e3m2x2",
    "float4_e2m1fn": "e2m1x2", SCALE: "ue8m0x2", "float16": "f16x2", "bfloat16": "bf16x2", "float32": "f32",
}  # fmt: skip


def _pair(how: str, target: str, source: str, relu: bool = False) -> Pair:
    name = f"{how}{'.relu' * relu}.{_WORDS[target]}.{_WORDS[source]}"
    return Pair(name, how, dtype(source), dtype(target), relu)


_ROWS = (
    *(_pair(SATURATED, kind, "float32", relu) for kind in _MINIFLOATS for relu in (False, True)),
    *(_pair(SATURATED, kind, "float16", relu) for kind in _MINIFLOATS[:2] for relu in (False, True)),
    *(_pair(NEAREST, "float16", kind, relu) for kind in _MINIFLOATS for relu in (False, True)),
    *(_pair(way, SCALE, "float32") for way in SCALED),
    *(_pair(way, SCALE, "bfloat16") for way in SCALED),
    _pair(NEAREST, "bfloat16", SCALE),
    *(_pair(NEAREST, kind, "float32", relu) for kind in ("float16", "bfloat16") for relu in (False, True)),
)
PAIRS: Mapping[str, Pair] = MappingProxyType({row.name: row for row in _ROWS})


@irdl_op_definition
class PairOp(IRDLOperation):
    """An instruction on two floats: numbers, or a word of two; gives the word of both."""

    name = "tile.pair"
    kind = prop_def(StringAttr)
    words = var_operand_def(AnyAttr())
    result = result_def(IntegerType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$kind $words attr-dict `:` type($words) `->` type($result)"

    def __init__(self, row: Pair, words: Sequence[SSAValue]) -> None:
        properties = {"kind": StringAttr(row.name)}
        super().__init__(operands=[list(words)], properties=properties, result_types=[ir_type(row.result)])

    @property
    def row(self) -> Pair:
        """Its row."""
        return PAIRS[self.kind.data]

    def verify_(self) -> None:
        """A known instruction, of its operands."""
        row = PAIRS.get(self.kind.data)
        if row is None:
            raise VerifyException(f"tile.pair kind {self.kind.data!r} is no instruction of two floats")
        if tuple(word.type for word in self.words) != tuple(map(ir_type, row.given)):
            wanted = ", ".join(str(ir_type(kind)) for kind in row.given)
            raise VerifyException(f"tile.pair {row.name!r} takes {wanted}")
        if self.result.type != IntegerType(row.result.bits, Signedness.UNSIGNED):
            raise VerifyException(f"tile.pair {row.name!r} gives a {ir_type(row.result)}")
