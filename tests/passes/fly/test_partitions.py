"""Partitions by tiled copies and MMAs: the lowered pointer is the reference function's for every thread."""

from __future__ import annotations

import pytest
from fly_functions import outcome, shown
from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint

from tilewright.ir.fly.dialect_types import from_text
from tilewright.ir.fly.leaves import mapped
from tilewright.ir.fly.ops import make
from tilewright.ir.text import verify
from tilewright.passes.registry import pass_of

COPY = (
    "!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<128>, 32>, !fly.layout<((16,8),4):((32,1),8)>, "
    "!fly.tile<[8|64]>>"
)
MMA = "!fly.tiled_mma<!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32) -> f32>>, !fly.layout<(2,2,1):(1,2,0)>>"


def partition(name: str, tiled: str, memref: str, operand: str) -> tuple[ModuleOp, func.FuncOp]:
    """A function of a thread's number and a view that returns the thread's part."""
    block = Block(arg_types=[i32, from_text(memref)])
    builder = Builder(InsertPoint.at_end(block))
    thread = builder.insert(make("make_int_tuple", block.args[:1], results=[from_text("!fly.int_tuple<?>")])).results[0]
    copy = builder.insert(make("static", [], results=[from_text(tiled)])).results[0]
    attributes = {"operand_id": operand} if operand else {}
    part = builder.insert(make(name, [copy, block.args[1], thread], attributes)).results[0]
    builder.insert(func.ReturnOp(part))
    function = func.FuncOp("f", (list(block.arg_types), [part.type]), Region(block))
    return ModuleOp([function]), function


@pytest.mark.parametrize(
    ("name", "tiled", "memref", "operand", "threads"),
    [
        ("tiled_copy.partition_src", COPY, "!fly.memref<f32, global, (16,192):(1,16)>", "", 128),
        ("tiled_copy.partition_dst", COPY, "!fly.memref<f32, shared, (?,?):(?{i64},1)>", "", 128),
        ("tiled_mma.partition", MMA, "!fly.memref<f32, global, (64,64):(1,64)>", "a", 256),
        ("tiled_mma.partition", MMA, "!fly.memref<f32, global, (64,?):(64,1)>", "b", 256),
        ("tiled_mma.partition", MMA, "!fly.memref<f32, global, (64,64):(64,1)>", "c", 256),
    ],
)
def test_every_thread_has_its_part(name: str, tiled: str, memref: str, operand: str, threads: int) -> None:
    module, function = partition(name, tiled, memref, operand)
    lowered = module.clone()
    pass_of("fly-layout-lowering").apply(Context(), lowered)
    verify(lowered)
    (after,) = lowered.ops
    assert isinstance(after, func.FuncOp)
    view = mapped(from_text(memref).value, lambda _: 128)
    places = set()
    for thread in range(0, threads, 3):
        before = list(map(shown, outcome(function, [thread, view])))
        assert before == list(map(shown, outcome(after, [thread, view])))
        places.add(str(before))
    assert len(places) > threads // 16
