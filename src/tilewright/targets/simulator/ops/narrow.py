"""To narrow floats and back, elementwise, by the table of `ir/core/narrow`; and pairs of them in words."""

from __future__ import annotations

from functools import partial

import numpy as np

from tilewright.dtypes import DType
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.narrow import NAN_16, NARROW
from tilewright.ir.core.narrowing import NarrowOp
from tilewright.ir.tile.pairs import Pair, PairOp, held
from tilewright.targets.simulator.collective.codes import cut, narrowed, single, widened
from tilewright.targets.simulator.memory.access import Array, Function, Number


def narrow(op: NarrowOp) -> Function:
    """The function of a conversion to a narrow float."""
    return partial(_narrow, element_dtype(op.result.type), op.how.data)


def _narrow(element: DType, how: str, value: Number) -> Number:
    numbers = single(np.asarray(value))
    found = narrowed(numbers, NARROW[element.name], how) if element.name in NARROW else cut(numbers, how)
    result: Number = found.view(element.numpy())[()]
    return result


def pair(op: PairOp) -> Function:
    """The function of an instruction on two floats."""
    return partial(_pair, op.row)


def _pair(row: Pair, *words: Number) -> Number:
    numbers = [_half(row, np.asarray(words[-1 if len(words) == 1 else i]), i) for i in (0, 1)]
    if row.relu:
        numbers = [np.where(number <= 0, np.float32(0), number) for number in numbers]
    upper, lower = (_code(row, number) for number in numbers)
    found: Number = (upper << held(row.target) | lower).astype(row.result.numpy())[()]
    return found


def _half(row: Pair, word: Array, number: int) -> Array:
    """The first number, of the upper half, or the second."""
    if row.source.name == "float32":
        return word.astype(np.float32)
    bits = held(row.source)
    code = word.view(f"u{word.itemsize}") >> (0 if number else bits) & ((1 << bits) - 1)
    if row.source.name in NARROW:
        return widened(code, NARROW[row.source.name])
    return code.astype(np.uint16).view(row.source.numpy()).astype(np.float32)


def _code(row: Pair, number: Array) -> Array:
    if row.target.name in NARROW:
        return narrowed(number, NARROW[row.target.name], row.how).astype(np.uint32)
    with np.errstate(over="ignore"):
        found = number.astype(row.target.numpy()).view(np.uint16).astype(np.uint32)
    return np.where(np.isnan(number), np.uint32(NAN_16), found)
