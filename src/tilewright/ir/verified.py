"""Verifying ops one after the other: of ops that are alike in all that their rules read, one.

Each takes the time that it takes alone: blocks are not counted for every one of them, and a callee is looked up.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from xdsl.dialects import func
from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.ir import Attribute, ErasedSSAValue, Operation, OpTraits, Region
from xdsl.irdl import OpDef
from xdsl.traits import IsolatedFromAbove, IsTerminator, NoTerminator, SymbolOpInterface, SymbolTable
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.alike import Likeness
from tilewright.ir.core.walk import operations


class Verifier:
    """Verifies ops of one module; xDSL's rules for an op take longer than anything else that is done with it."""

    def __init__(self) -> None:
        self._likeness = Likeness()
        self._symbols: dict[Operation | None, dict[str, Operation]] = {}

    def module(self, module: Operation) -> None:
        """Every op of a module, and the module; raises whatever its rules do."""
        for op in operations(module):
            self.op(op)

    def op(self, op: Operation) -> None:
        """The op, without those in its regions; a block that is empty is its op's."""
        _verify_place(op)
        alike = self._likeness.key(op)
        if alike is None:
            op.verify_()
        elif not (right := _known(alike)):
            _call().verify(op) if type(op) is func.CallOp else op.verify_()
            right.append(True)
        elif type(op) is func.FuncOp:
            IsolatedFromAbove().verify(op)
        if type(op) is func.CallOp:
            _verify_callee(op, self._found(op.callee, op))
        for region in op.regions:
            _verify_block(op, region)

    def _found(self, symbol: SymbolRefAttr, user: Operation) -> Operation | None:
        """The op of that name in the table that is nearest around its user."""
        around = user.parent_op()
        while around is not None and not around.has_trait(SymbolTable):
            around = around.parent_op()
        if around not in self._symbols:
            self._symbols[around] = dict(_symbols(around))
        return self._symbols[around].get(symbol.root_reference.data)


@lru_cache(1 << 14)
def _known(alike: Hashable) -> list[bool]:
    """Has something where an op that is alike has been found right."""
    return []


def _verify_place(op: Operation) -> None:
    """What xDSL's `Operation.verify` asks besides the op's own rules; it counts all blocks around for each."""
    if any(type(operand) is ErasedSSAValue for operand in op.operands):
        raise ValueError("Erased SSA value is used by the operation")
    block = op.parent
    region = block.parent if block else None
    if op.successors:
        if block is None or region is None:
            raise VerifyException(f"Operation {op.name} with block successors does not belong to a block or a region")
        if block.last_op is not op:
            raise VerifyException(f"Operation {op.name} with block successors must terminate its parent block")
        if any(successor.parent is not region for successor in op.successors):
            raise VerifyException(f"Operation {op.name} is branching to a block of a different region")
    if block is None or region is None or block.last_op is not op or op.has_trait(IsTerminator):
        return
    if region.first_block is not region.last_block:
        raise VerifyException(f"Operation {op.name} terminates block in multi-block region but is not a terminator")
    if region.parent is not None and not region.parent.has_trait(NoTerminator):
        raise VerifyException(f"Operation {op.name} terminates block in single-block region but is not a terminator")


def _verify_block(op: Operation, region: Region) -> None:
    """The block of a region, if it is one alone and empty."""
    block = region.first_block
    if block is not None and block is region.last_block and block.is_empty and not op.has_trait(NoTerminator):
        raise VerifyException(
            f"Operation {op.name} contains empty block in single-block region that expects at least a terminator"
        )


def _symbols(table: Operation | None) -> Iterator[tuple[str, Operation]]:
    """The symbols of a table; of two of one name the first comes last."""
    for op in reversed(table.regions[0].block.ops) if table is not None else ():
        trait = op.get_trait(SymbolOpInterface)
        name = trait.get_sym_attr_name(op) if trait is not None else None
        if name is not None:
            yield name.data, op


@cache
def _call() -> OpDef:
    """The rules of a call but for its callee, which xDSL searches among all ops of the module."""
    return replace(func.CallOp.get_irdl_definition(), traits=OpTraits(tuple))


def _verify_callee(op: func.CallOp, callee: Operation | None) -> None:
    if callee is None:
        raise VerifyException(f"'{op.callee}' could not be found in symbol table")
    if not isinstance(callee, func.FuncOp):
        raise VerifyException(f"'{op.callee}' does not reference a valid function")
    kind = callee.function_type
    if len(kind.inputs) != len(op.arguments):
        raise VerifyException("incorrect number of operands for callee")
    if len(kind.outputs) != len(op.result_types):
        raise VerifyException("incorrect number of results for callee")
    _verify_types("operand", kind.inputs.data, [argument.type for argument in op.arguments])
    _verify_types("result", kind.outputs.data, op.result_types)


def _verify_types(what: str, expected: Sequence[Attribute], provided: Sequence[Attribute]) -> None:
    for i, (wanted, given) in enumerate(zip(expected, provided, strict=True)):
        if wanted != given:
            raise VerifyException(
                f"{what} type mismatch: expected {what} type {wanted}, but provided {given} for {what} number {i}"
            )
