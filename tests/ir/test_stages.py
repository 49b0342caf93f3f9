"""Stages are sets: what a later one allows an earlier one does too, and what is not in the sets is refused."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, takewhile

import pytest
from permutes import scale_factors
from xdsl.context import Context
from xdsl.dialects import memref, test
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tilewright.errors import CompileError
from tilewright.ir.stages import STAGES
from tilewright.ir.text import parse_module
from tilewright.passes import pipeline
from tilewright.passes.dce import Dce

BUFFER = '!tile.buffer<4xf32, "S[4:1]">'


def test_a_stage_allows_no_more_than_the_one_before() -> None:
    for before, after in pairwise(STAGES.values()):
        assert after.ops <= before.ops
        assert after.types <= before.types


@pytest.mark.parametrize(("stage", "later"), [("tile", "dispatched"), ("dispatched", "lowered")])
def test_a_kernel_is_legal_at_its_stage_and_before_but_not_after(stage: str, later: str) -> None:
    module = pipeline.run(scale_factors().kernel().module, stage).module
    for name in takewhile(lambda name: name != later, STAGES):
        STAGES[name].check(module)
    with pytest.raises(CompileError, match=f"has no place at stage {later}"):
        STAGES[later].check(module)


def test_types_are_looked_at_where_no_op_tells() -> None:
    module = parse_module(f"func.func @f(%b: {BUFFER}) {{ func.return }}")
    STAGES["dispatched"].check(module)
    with pytest.raises(CompileError, match=r"a value of type !tile\.buffer.* has no place at stage lowered: func.func"):
        STAGES["lowered"].check(module)


def test_the_pipeline_checks_what_it_is_given() -> None:
    module = parse_module("func.func @f() { func.return }")
    foreign: Operation = test.TestOp()
    block = next(op for op in module.walk() if op.name == "func.func").regions[0].block
    block.insert_op_before(foreign, block.first_op)
    with pytest.raises(CompileError, match=r"test.op has no place at stage tile"):
        pipeline.run(module, "tile")


@dataclass(frozen=True)
class Breaking(Dce):
    """A pass that leaves loads without their indices."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for load in [inner for inner in op.walk() if isinstance(inner, memref.LoadOp)]:
            load.operands = [load.memref]


def test_what_a_pass_breaks_is_found_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    module = scale_factors().kernel().module
    monkeypatch.setattr(pipeline, "Simplify", Breaking)
    for verify_each in (False, True):
        with pytest.raises(CompileError, match="invalid IR"):
            pipeline.run(module, verify_each=verify_each)
