"""`fly-rewrite-func-signature`: functions, calls, loops and branches take and give what carries fly's values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import func, gpu, scf
from xdsl.dialects.builtin import DenseArrayBase, FunctionType, ModuleOp, UnrealizedConversionCastOp, i32
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.rewrite import erase
from tilewright.passes.fly.carriers import carriers, packed, unpacked
from tilewright.passes.fly.certain import asks_nothing, keep_asked

_FUNCTIONS = (func.FuncOp, gpu.FuncOp)
_ENDS = (func.ReturnOp, scf.YieldOp, scf.ConditionOp, gpu.ReturnOp)
_CARRY = (scf.ForOp, scf.IfOp, scf.WhileOp, func.CallOp, gpu.LaunchFuncOp, *_ENDS)
_SEGMENTS = "operandSegmentSizes"


@dataclass(frozen=True)
class RewriteFuncSignature(ModulePass):
    """Packs run-time leaves into structures where values cross a function, a call, a loop or a branch.

    Where they are used they are built again, at the begin of the block or behind the op. What nothing carries, because
    its type tells it whole, is asserted to be that where making it asks something.
    """

    name = "fly-rewrite-func-signature"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        rewriter = _Rewriter()
        for inner in list(op.walk()):
            if isinstance(inner, _FUNCTIONS):
                rewriter.function(inner)
            elif isinstance(inner, _CARRY):
                rewriter.carrying(inner)
        rewriter.finish()


class _Rewriter:
    def __init__(self) -> None:
        # A cast stands for a value that is still to be built of its carriers.
        self._casts: list[UnrealizedConversionCastOp] = []
        self._carriers: dict[SSAValue, tuple[SSAValue, ...]] = {}

    def function(self, op: func.FuncOp | gpu.FuncOp) -> None:
        """The types of arguments and results, and the arguments."""
        inputs, outputs = op.function_type.inputs.data, op.function_type.outputs.data
        changed = FunctionType.from_lists(_carried(inputs), _carried(outputs))
        if changed == op.function_type:
            return
        op.properties["function_type"] = changed
        if op.body.blocks:
            self.arguments(op.body.blocks[0])

    def arguments(self, block: Block) -> None:
        """The arguments of a block."""
        for old in list(block.args):
            kinds = carriers(old.type)
            if kinds == (old.type,):
                continue
            place = old.index
            new = tuple(block.insert_arg(kind, place + i) for i, kind in enumerate(kinds))
            self.cast(old, new, InsertPoint.at_start(block))
            block.erase_arg(old)

    def carrying(self, op: Operation) -> None:
        """An op that takes, gives or hands on values."""
        for block in (block for region in op.regions for block in region.blocks):
            self.arguments(block)
        operands = [self.packed(operand) for operand in op.operands]
        kinds = [carriers(result.type) for result in op.results]
        if [len(x) for x in operands] == [1] * len(operands) and kinds == [(r.type,) for r in op.results]:
            if [x for parts in operands for x in parts] != list(op.operands):
                op.operands = [x for parts in operands for x in parts]
            return
        self.rebuild(op, operands, kinds)

    def rebuild(
        self, op: Operation, operands: Sequence[tuple[SSAValue, ...]], kinds: Sequence[tuple[Attribute, ...]]
    ) -> None:
        """The op with these operands and types of results."""
        properties = dict(op.properties)
        sizes = properties.get(_SEGMENTS)
        if isinstance(sizes, DenseArrayBase):
            rest = iter(operands)
            grouped = [sum(len(next(rest)) for _ in range(int(n))) for n in sizes.get_values()]
            properties[_SEGMENTS] = DenseArrayBase.from_list(i32, grouped)
        made = type(op).create(
            operands=[x for parts in operands for x in parts],
            result_types=[kind for parts in kinds for kind in parts],
            properties=properties,
            attributes=op.attributes,
            regions=[op.detach_region(region) for region in list(op.regions)],
        )
        made.location = op.location
        Builder(InsertPoint.before(op)).insert(made)
        new = iter(made.results)
        for old, parts in zip(op.results, kinds, strict=True):
            given = tuple(next(new) for _ in parts)
            if parts == (old.type,):
                old.replace_all_uses_with(given[0])
            else:
                self.cast(old, given, InsertPoint.after(made))
        erase(op)

    def cast(self, old: SSAValue, new: tuple[SSAValue, ...], at: InsertPoint) -> None:
        """Lets the carriers stand for the value, which is built there if something uses it."""
        made = Builder(at).insert(UnrealizedConversionCastOp.get(new, [old.type]))
        self._casts.append(made)
        self._carriers[made.results[0]] = new
        old.replace_all_uses_with(made.results[0])

    def packed(self, value: SSAValue) -> tuple[SSAValue, ...]:
        """The carriers of a value, made right behind it."""
        if carriers(value.type) == (value.type,):
            return (value,)
        if value not in self._carriers:
            owner = value.owner
            at = InsertPoint.after(owner) if isinstance(owner, Operation) else InsertPoint.at_start(owner)
            self._carriers[value] = packed(value, Builder(at))
            if not self._carriers[value] and not asks_nothing(value):
                keep_asked(value)
        return self._carriers[value]

    def finish(self) -> None:
        """Builds the values that are used."""
        for cast in self._casts:
            value = cast.results[0]
            if value.first_use is not None:
                built = unpacked(value.type, list(cast.operands), Builder(InsertPoint.before(cast)))
                value.replace_all_uses_with(built)
            erase(cast)


def _carried(kinds: Iterable[Attribute]) -> list[Attribute]:
    return [carrier for kind in kinds for carrier in carriers(kind)]
