"""Ops that are like others are verified by them; no op that breaks a rule passes for that."""

from __future__ import annotations

import pytest
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import IntegerAttr, ModuleOp, i1, i32, i64
from xdsl.ir import Block, Operation, Region

from tilewright.errors import CompileError
from tilewright.ir.text import verify


def module(*between: Operation) -> ModuleOp:
    block = Block([*between, func.ReturnOp()])
    return ModuleOp([func.FuncOp("f", ((), ()), Region(block))])


def sums() -> tuple[Operation, Operation, Operation]:
    one, wide = arith.ConstantOp(IntegerAttr(1, i32)), arith.ConstantOp(IntegerAttr(1, i64))
    return one, wide, arith.AddiOp(one, one)


def test_ops_alike_are_right_together() -> None:
    one, wide, added = sums()
    verify(module(one, wide, added, arith.AddiOp(added, one), arith.AddiOp(added, added)))


@pytest.mark.parametrize("which", ["operand", "result", "property"])
def test_an_op_that_differs_from_a_right_one_in_one_thing_is_verified(which: str) -> None:
    one, wide, added = sums()
    operands = [one.results[0], (wide if which == "operand" else one).results[0]]
    properties = {"overflowFlags": IntegerAttr(3, i32)} if which == "property" else dict(added.properties)
    types = [i1 if which == "result" else i32]
    wrong = arith.AddiOp.create(operands=operands, result_types=types, properties=properties)
    with pytest.raises(CompileError, match="invalid IR"):
        verify(module(one, wide, added, wrong))


def test_what_ends_a_block_is_verified_as_such_each_time() -> None:
    one, _, added = sums()
    block = Block([one, added, arith.AddiOp(one, one)])
    with pytest.raises(CompileError, match="is not a terminator"):
        verify(ModuleOp([func.FuncOp("f", ((), ()), Region(block))]))


def function(name: str, *results: Operation, of: Operation | None = None) -> func.FuncOp:
    """A function that gives `of`, and says that it gives `results`."""
    made = [of] if of else []
    block = Block([*made, func.ReturnOp(*(op.results[0] for op in made))])
    return func.FuncOp(name, ((), [op.results[0].type for op in results]), Region(block))


def test_returns_are_alike_where_their_functions_give_alike() -> None:
    one, wide, _ = sums()
    verify(ModuleOp([function("f", one, of=one.clone()), function("g", wide, of=wide.clone())]))
    with pytest.raises(CompileError, match=r"same types as the function output types|Expected arguments"):
        verify(ModuleOp([function("f", one, of=one.clone()), function("g", wide, of=one.clone())]))


@pytest.mark.parametrize(("callee", "words"), [("g", None), ("h", "could not be found"), ("f", "number of results")])
def test_each_call_is_compared_with_its_own_callee(callee: str, words: str | None) -> None:
    one, _, _ = sums()
    first, second = func.CallOp("g", [], [i32]), func.CallOp(callee, [], [i32])
    whole = ModuleOp([function("f"), function("g", one, of=one)])
    whole.body.block.add_op(func.FuncOp("user", ((), ()), Region(Block([first, second, func.ReturnOp()]))))
    if words is None:
        verify(whole)
    else:
        with pytest.raises(CompileError, match=words):
            verify(whole)


def test_what_ends_one_of_many_blocks_is_a_terminator() -> None:
    one, _, _ = sums()
    region = Region([Block([func.ReturnOp()]), Block([one])])
    with pytest.raises(CompileError, match="terminates block in multi-block region"):
        verify(ModuleOp([func.FuncOp("f", ((), ()), region)]))


def test_an_empty_block_alone_is_refused() -> None:
    with pytest.raises(CompileError, match="contains empty block"):
        verify(ModuleOp([func.FuncOp("f", ((), ()), Region(Block()))]))
