"""Round trips of indices through integers: `index_cast` to an integer and back is the index itself where it fits.

Which indices fit follows from where they come from: threads and blocks as the launch limits them, constants, and what
is computed of these. An unsigned round trip stays; so does one of a value that may be negative.
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, IndexType, IntegerAttr, ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.core.intervals import BITS, UNKNOWN, Range
from tilewright.ir.core.ranges import OpRule, Ranges, TightRanges
from tilewright.ir.core.walk import operations
from tilewright.ir.mlir.arith import element_of, is_index_cast
from tilewright.ir.mlir.spelling import UPPER_BOUND

MOST = (1 << 31) - 1  # threads of a block, and blocks, of a launch that says nothing


def fold_round_trips(module: ModuleOp) -> bool:
    """Uses of an index that went through an integer become uses of the index; were there any?"""
    ranges, found = LaunchRanges(), False
    for op in operations(module):
        source = _source(op)
        if source is not None and _fits(ranges, source, op.operands[0].type):
            op.results[0].replace_all_uses_with(source)
            found = True
    return found


def _source(op: Operation) -> SSAValue | None:
    """The index that goes through an integer and back."""
    if not is_index_cast(op):
        return None
    inner = op.operands[0].owner
    if not isinstance(inner, Operation) or not is_index_cast(inner):
        return None
    source = inner.operands[0]
    return source if source.type == op.results[0].type and isinstance(element_of(source.type), IndexType) else None


def _fits(ranges: Ranges, source: SSAValue, through: Attribute) -> bool:
    width: int = element_of(through).width.data
    return width >= BITS or ranges.within(source, 0, 1 << width - 1)


class LaunchRanges(TightRanges):
    """Ranges of indices in kernels, which know how many threads and blocks there are at most."""

    @property
    def _rules(self) -> Mapping[str, OpRule]:
        return _RULES

    def _compute(self, value: SSAValue) -> Range:
        low, high = super()._compute(value)
        top = 1 << BITS - 1
        inside = (low is None or -top <= low) and (high is None or high < top)
        return (low, high) if inside else UNKNOWN  # beyond, 64 bits wrap


def _number(limit: str) -> OpRule:
    def rule(ranges: Ranges, op: Operation) -> Range:
        counts = [MOST, _launched(op, limit), _bound(op)]
        return 0, min(count for count in counts if count is not None) - 1

    return rule


def _count(limit: str) -> OpRule:
    def rule(ranges: Ranges, op: Operation) -> Range:
        known = _launched(op, limit)
        return (1, MOST) if known is None else (known, known)

    return rule


def _launched(op: Operation, limit: str) -> int | None:
    """What the kernel around the op says about a dimension of its launch."""
    dimension = op.properties["dimension"]
    kernel = op.parent_op()
    while kernel is not None and kernel.name != "gpu.func":
        kernel = kernel.parent_op()
    said = {**kernel.attributes, **kernel.properties}.get(limit) if kernel else None
    from xdsl.dialects.gpu import DimensionAttr

    if not isinstance(said, DenseArrayBase) or not isinstance(dimension, DimensionAttr):
        return None
    return int(said.get_values()["xyz".index(dimension.data)])


def _bound(op: Operation) -> int | None:
    bound = op.attributes.get(UPPER_BOUND)
    return bound.value.data if isinstance(bound, IntegerAttr) else None


def _constant(ranges: Ranges, op: arith.ConstantOp) -> Range:
    value = op.value
    if isinstance(value, IntegerAttr):
        return value.value.data, value.value.data
    if isinstance(value, DenseIntOrFPElementsAttr) and isinstance(value.get_element_type(), IndexType):
        numbers = [int(number) for number in value.get_values()]
        return min(numbers), max(numbers)
    return UNKNOWN


def _cast(ranges: Ranges, op: arith.IndexCastOp) -> Range:
    back = op.input.owner if isinstance(op.result.type, IndexType) else None
    return ranges.of(op.input) if isinstance(back, arith.IndexCastOp) else _TIGHT[arith.IndexCastOp.name](ranges, op)


_TIGHT = TightRanges()._rules
_RULES: Mapping[str, OpRule] = {
    **_TIGHT,
    arith.ConstantOp.name: _constant,
    arith.IndexCastOp.name: _cast,
    "gpu.thread_id": _number("known_block_size"),
    "gpu.block_id": _number("known_grid_size"),
    "gpu.block_dim": _count("known_block_size"),
    "gpu.grid_dim": _count("known_grid_size"),
}
