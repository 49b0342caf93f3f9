"""Numbers of a flat kernel: what is done to vectors is done to each of their elements."""

from __future__ import annotations

from math import prod

from xdsl.dialects import arith, gpu, math
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Operation

from tilewright.ir.core.functions import FUNCTION_OF
from tilewright.ir.mlir.arith import ARITH, SCALARS, element_of
from tilewright.ir.tile.together import TOGETHER
from tilewright.passes.fly_flat.flat import Flat, Handlers, refused
from tilewright.passes.fly_flat.held import types_of


def each(out: Flat, op: Operation) -> None:
    """The op on numbers, for each element of its operands; a number beside vectors is the same for all."""
    kind, operands = SCALARS.get(type(op), type(op)), [out[value].numbers for value in op.operands]
    count = len(types_of(op.results[0].type))
    columns = [numbers if len(numbers) == count else numbers * count for numbers in operands]
    made = []
    for row in zip(*columns, strict=True) if columns else [()]:
        one = kind.create(
            operands=row,
            result_types=[element_of(result.type) for result in op.results],
            properties=dict(op.properties),
            attributes=dict(op.attributes),
        )
        made.append(out.insert(one).results[0])
    out.set(op.results[0], made)


def _constant(out: Flat, op: arith.ConstantOp) -> None:
    if not isinstance(op.result.type, VectorType):
        each(out, op)
        return
    if not isinstance(op.value, DenseIntOrFPElementsAttr):
        raise refused(op, f"the vector {op.value} is no list of numbers")
    found, kind = list(op.value.get_values()), element_of(op.result.type)
    made = {value: out.constant(value, kind) for value in dict.fromkeys(found)}
    count = prod(op.result.type.get_shape())
    out.set(op.result, [made[value] for value in (found if len(found) == count else found * count)])


def _poison(out: Flat, op: PoisonOp) -> None:
    """Elements that nothing has written are 0, as nobody reads them."""
    kinds = types_of(op.result.type)
    out.set(op.result, [out.constant(0, kinds[0])] * len(kinds))


def _select(out: Flat, op: Operation) -> None:
    """A choice between values of any type."""
    condition, yes, no = (out[value] for value in op.operands)
    pairs = list(zip(yes.numbers, no.numbers, strict=True))
    asked = condition.numbers if len(condition.numbers) == len(pairs) else condition.numbers * len(pairs)
    made = [a if a is b else out.insert(arith.SelectOp(c, a, b)).result for c, (a, b) in zip(asked, pairs, strict=True)]
    out.set(op.results[0], made, out.root(op.results[0], op))


def kept(out: Flat, op: Operation) -> None:
    """The op as it stands, on numbers."""
    made = op.clone_without_regions(value_mapper={value: out.one(value) for value in op.operands})
    out.insert(made)
    for old, new in zip(op.results, made.results, strict=True):
        out.set(old, [new])


_ELEMENTWISE: tuple[type[Operation], ...] = (*ARITH.operations, *SCALARS, *FUNCTION_OF, math.FmaOp)
NUMBERS: Handlers = {
    **dict.fromkeys(_ELEMENTWISE, each),
    arith.ConstantOp: _constant,
    **dict.fromkeys((arith.SelectOp, *(k for k, v in SCALARS.items() if v is arith.SelectOp)), _select),
    PoisonOp: _poison,
    **dict.fromkeys((gpu.ThreadIdOp, gpu.BlockIdOp, gpu.BlockDimOp, gpu.GridDimOp, *TOGETHER), kept),
}
