"""What is known to divide numbers does, and accesses whose alignment follows are vectors."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, i32
from xdsl.ir import Block, Operation, SSAValue

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.ir.core.facts import BINARY_OF, UNSIGNED
from tilewright.passes.fly_flat.aligned import Zeros

BITS = 32
KINDS: tuple[type[Operation], ...] = (
    arith.AddiOp, arith.SubiOp, arith.MuliOp, arith.AndIOp, arith.OrIOp, arith.XOrIOp, arith.MinSIOp, arith.MaxSIOp,
    arith.MinUIOp, arith.RemSIOp, arith.RemUIOp, arith.DivSIOp, arith.DivUIOp, arith.FloorDivSIOp, arith.ShLIOp,
    arith.ShRUIOp, arith.ShRSIOp,
)  # fmt: skip


def signed(number: int) -> int:
    return (number + (1 << BITS - 1)) % (1 << BITS) - (1 << BITS - 1)


def value_of(kind: type[Operation], left: int, right: int) -> int | None:
    """What an op makes of two numbers of 32 bits; None where that is not defined."""
    row = BINARY_OF[kind]
    assert row.meaning is not None
    a, b = (x % (1 << BITS) if row.reads == UNSIGNED else x for x in (left, right))
    if row.undefined(right, BITS) or (a, b) == (-(1 << BITS - 1), -1):
        return None
    return signed(int(row.meaning(a, b)))


@settings(max_examples=60)
@given(st.data())
def test_as_many_lowest_bits_are_zero_as_are_said(data: st.DataObject) -> None:
    block = Block(arg_types=[i32] * 3)
    known: dict[SSAValue, int] = {}
    values: list[tuple[SSAValue, int]] = []
    for argument in block.args:
        known[argument] = data.draw(st.integers(0, 7))
        values.append((argument, signed(data.draw(st.integers(-(2**31), 2**31 - 1)) << known[argument])))
    for number in data.draw(
        st.lists(st.one_of(st.sampled_from((1, 2, 3, 4, 8, 24, 128)), st.integers(-99, 99)), max_size=4)
    ):
        op = arith.ConstantOp(IntegerAttr(number, i32))
        block.add_op(op)
        values.append((op.result, number))
    zeros = Zeros(known)
    for kind in data.draw(st.lists(st.sampled_from(KINDS), max_size=8)):
        (left, a), (right, b) = data.draw(st.sampled_from(values)), data.draw(st.sampled_from(values))
        found = value_of(kind, a, b)
        if found is not None:
            made = kind.create(operands=[left, right], result_types=[i32])
            block.add_op(made)
            values.append((made.results[0], found))
    for number, value in values:
        assert value % (1 << zeros(number)) == 0


BY_CONSTANTS = (
    arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp, arith.DivSIOp, arith.DivUIOp, arith.FloorDivSIOp, arith.RemUIOp,
)  # fmt: skip


@pytest.mark.parametrize("kind", BY_CONSTANTS)
def test_what_is_said_of_every_small_constant_holds(kind: type[Operation]) -> None:
    for below, by in product(range(8), range(1, 13)):
        block, constant = Block(arg_types=[i32]), arith.ConstantOp(IntegerAttr(by, i32))
        made = kind.create(operands=[block.args[0], constant.result], result_types=[i32])
        said = Zeros({block.args[0]: below})(made.results[0])
        found = [value_of(kind, signed(number << below), by) for number in range(-7, 8)]
        assert [value for value in found if value is not None and value % (1 << said)] == [], (below, by)


@pytest.mark.parametrize(("one", "other"), [*product((0, 3, 7), repeat=2)])
def test_of_what_may_be_either_and_of_counters_the_least_is_said(one: int, other: int) -> None:
    block = Block(arg_types=[IntegerType(1), *[IndexType()] * 3])
    _, left, right, end = block.args
    zeros = Zeros({left: one, right: other})
    assert zeros(arith.SelectOp(block.args[0], left, right).result) == min(one, other)
    loop = scf.ForOp(left, end, right, [], Block([scf.YieldOp()], arg_types=[IndexType()]))
    assert zeros(loop.body.block.args[0]) == min(one, other)


@flyc.kernel
def moved_kernel(A: fx.Tensor, B: fx.Tensor, step: fx.Constexpr):
    shared = fx.SharedAllocator().allocate(fx.Array[fx.Float32, 512]).peek().ptr
    at = fx.block_idx.x * 256 + fx.thread_idx.x * step
    fx.ptr_store(fx.ptr_load(fx.get_iter(A) + at, fx.Float32x8), shared + fx.thread_idx.x * step)
    fx.barrier()
    fx.ptr_store(fx.ptr_load(shared + (fx.thread_idx.x ^ 1) * step, fx.Float32x8), fx.get_iter(B) + at)


@flyc.jit
def moved(A: fx.Tensor, B: fx.Tensor, step: fx.Constexpr):
    moved_kernel(A, B, step).launch(grid=2, block=8)


@pytest.mark.parametrize(("align", "step", "wide"), [(16, 8, 8), (None, 8, 4), (8, 8, 4), (16, 10, 0), (16, 12, 8)])
def test_vectors_are_moved_whole_where_that_is_known(align: int | None, step: int, wide: int) -> None:
    a, b = np.arange(1024, dtype=np.float32), np.zeros(1024, np.float32)
    given = *(flyc.from_dlpack(x, assumed_align=align) for x in (a, b)), step
    text = tw.compile(moved, *given, target="cuda:sm_90a").source
    assert text.count("<uint4>(&") == wide
    for stage in ("fly", "flat"):
        b[:] = 0
        moved.simulate(stage, *given)
        lanes = np.arange(8)
        for block in range(2):
            for i in range(8):
                assert (b[block * 256 + lanes * step + i] == a[block * 256 + (lanes ^ 1) * step + i]).all()


@flyc.kernel
def looped_kernel(A: fx.Tensor, B: fx.Tensor):
    for at in range(fx.thread_idx.x * 4, fx.get_scalar(fx.get_shape(A)), 128):
        fx.ptr_store(fx.ptr_load(fx.get_iter(A) + at, fx.Float32x4), fx.get_iter(B) + at)


@flyc.jit
def looped(A: fx.Tensor, B: fx.Tensor):
    looped_kernel(A, B).launch(grid=1, block=32)


def test_loops_count_in_vectors() -> None:
    a, b = np.arange(512, dtype=np.float32), np.zeros(512, np.float32)
    given = [flyc.from_dlpack(x, assumed_align=16).mark_layout_dynamic() for x in (a, b)]
    assert tw.compile(looped, *given, target="cuda:sm_90a").source.count("<uint4>(&") == 2
    looped.simulate("flat", *given)
    assert (a == b).all()
