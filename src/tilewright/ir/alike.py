"""Which ops are alike in all that their rules read, of whatever module, so that one of them is verified for all."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from functools import lru_cache

from xdsl.dialects import func
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block, Operation

# Ops whose rules read types, attributes, what their blocks take and end with, and of those in `_ENDS` the op around.
_DIALECTS = frozenset(("arith", "cf", "fly", "fly_nvvm", "fly_rocdl", "math", "ub", "vector"))
_ENDS = frozenset(("func.return", "scf.condition", "scf.yield"))
_OPS = _ENDS | {
    "builtin.unregistered", "func.call", "func.func", "gpu.barrier", "gpu.block_dim", "gpu.block_id", "gpu.grid_dim",
    "gpu.thread_id", "memref.alloca", "memref.load", "memref.store", "scf.for", "scf.if", "scf.while",
}  # fmt: skip


class Likeness:
    """Of the ops of one module; attributes have marks, as their own hashes are worked out anew each time."""

    def __init__(self) -> None:
        self._of_objects: dict[int, tuple[object, Attribute]] = {}  # kept here, so that no other one has its address

    def key(self, op: Operation) -> Hashable:
        """What ops that are alike have in common; None of an op whose rules may look at anything."""
        if op.name not in _OPS and op.name.partition(".")[0] not in _DIALECTS:
            return None
        around = op.parent_op() if op.name in _ENDS else None
        return (
            type(op),
            self._numbers([operand.type for operand in op._operands]),
            self._numbers([result.type for result in op.results]),
            tuple([(name, self._said(name, value)) for name, value in op.properties.items()]),
            tuple((name, self._said(name, value)) for name, value in op.attributes.items()) if op.attributes else (),
            len(op.successors),
            tuple([self._block(block) for region in op.regions for block in (*region.blocks, None)]),
            type(around),
            self._numbers(around.function_type.outputs.data) if type(around) is func.FuncOp else (),
        )

    def _said(self, name: str, value: Attribute) -> Hashable:
        return StringAttr if name == "sym_name" and isinstance(value, StringAttr) else self._number(value)

    def _block(self, block: Block | None) -> Hashable:
        """What ops read of a block of their own; None ends a region."""
        if block is None:
            return None
        end = block.last_op
        ends = (type(end), self._numbers([operand.type for operand in end.operands])) if end is not None else None
        return self._numbers(argument.type for argument in block.args), ends

    def _numbers(self, attributes: Iterable[Attribute]) -> tuple[object, ...]:
        return tuple(map(self._number, attributes))

    def _number(self, attribute: Attribute) -> object:
        found = self._of_objects.get(id(attribute))
        if found is None:
            found = self._of_objects[id(attribute)] = (_mark(attribute), attribute)
        return found[0]


@lru_cache(1 << 14)
def _mark(attribute: Attribute) -> object:
    """What equal attributes have in common, and no others."""
    return object()
