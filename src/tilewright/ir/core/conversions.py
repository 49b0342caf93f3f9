"""How a number of one type becomes one of another, as C converts: integers wrap, floats round to the nearest."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.dialects import arith
from xdsl.ir import Operation

from tilewright.dtypes import DTYPES, DType

Step: TypeAlias = tuple[type[Operation], DType]
INDEX = DType("index", 64, "int", "index", "long long")
_BOOL, _INT64, _FLOAT32 = DTYPES["bool"], DTYPES["int64"], DTYPES["float32"]


def steps(source: DType, target: DType) -> list[Step]:
    """The ops on the way, with the type that each gives; none where the bits are the same.

    A truth is made by a comparison with 0 instead.

    >>> [(op.name, kind.name) for op, kind in steps(DTYPES["uint8"], INDEX)]
    [('arith.extui', 'int64'), ('arith.index_cast', 'index')]
    """
    if INDEX in (source, target):
        return _of_index(source, target)
    if source.is_float and target.is_float:
        if source.bits == target.bits:
            return [(arith.ExtFOp, _FLOAT32), (arith.TruncFOp, target)]
        return [(arith.ExtFOp if target.bits > source.bits else arith.TruncFOp, target)]
    if source.is_float:
        return [(arith.FPToSIOp if target.kind == "int" else arith.FPToUIOp, target)]
    if target.is_float:
        return [(arith.SIToFPOp if source.kind == "int" else arith.UIToFPOp, target)]
    if target.bits > source.bits or source == _BOOL:
        return [(arith.ExtSIOp if source.kind == "int" else arith.ExtUIOp, target)]
    return [] if target.bits == source.bits else [(arith.TruncIOp, target)]


def _of_index(source: DType, target: DType) -> list[Step]:
    if source == INDEX and target.is_float:
        return [(arith.IndexCastOp, _INT64), (arith.SIToFPOp, target)]
    if source.is_float:
        return [(arith.FPToSIOp, _INT64), (arith.IndexCastOp, INDEX)]
    if source.kind in ("uint", "bool") and source.bits < _INT64.bits:
        return [(arith.ExtUIOp, _INT64), (arith.IndexCastOp, INDEX)]
    return [(arith.IndexCastOp, target)]
