"""A call of threads together is made whole or not at all: eagerly by a predicate that is refused where it parts one."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright import Layout, LayoutError, Tensor
from tilewright.arch import Target
from tilewright.errors import BarrierError
from tilewright.tensor.together import calls_of

MMA = tw.make_tiled_mma(tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)))
WAYS = [
    tw.make_tiled_copy_A(tw.make_copy_atom("SM75_U32x4_LDSM_N", 16), MMA),
    tw.make_tiled_copy_A(tw.make_copy_atom("SM75_U32x1_LDSM_N", 16), MMA),
    tw.make_tiled_copy_B(tw.make_copy_atom("SM75_U16x4_LDSM_T", 16), MMA),
    tw.make_tiled_copy_C(tw.make_copy_atom("SM90_U32x2_STSM_N", 16), MMA),
]
EXTENTS = st.tuples(st.integers(1, 70), st.integers(1, 40))


def members(by: Any, shape: tuple[int, int]) -> set[frozenset[int]]:
    """The elements of each call, by the parts of the threads that make it."""
    threads, values = (mode.size for mode in by.atom.tv_layout_dst)
    parts = [by.get_slice(t).partition_D(Layout(shape)) for t in range(by.size)]
    runs = parts[0].size // values
    return {
        frozenset(parts[first + t](run * values + v) for t in range(threads) for v in range(values))
        for first, run in product(range(0, by.size, threads), range(runs))
    }


@pytest.mark.parametrize("by", WAYS, ids=str)
def test_calls_are_what_their_threads_have(by: Any) -> None:
    shape = tuple(2 * n for n in by.tile_shape)
    assert {frozenset(call) for call in calls_of(by, shape).tolist()} == members(by, shape)


@pytest.mark.parametrize("by", WAYS, ids=str)
@given(EXTENTS, st.data())
def test_a_predicate_parts_no_call(by: Any, extents: tuple[int, int], data: st.DataObject) -> None:
    """What is chosen call by call is copied, and nothing else; one element more or less is refused."""
    whole = tuple(-(-n // m) * m for n, m in zip(extents, by.tile_shape, strict=True))
    made = numpy.zeros(whole[0] * whole[1], bool)
    for call in calls_of(by, whole):
        inside = all(at < n for at, n in zip((call % whole[0], call // whole[0]), extents, strict=True) for at in at)
        made[call] = inside and data.draw(st.booleans())
    chosen = made.reshape(whole, order="F")[: extents[0], : extents[1]]
    src, dst = (
        Tensor(numpy.arange(1, chosen.size + 1).reshape(extents).astype("int16")),
        tw.make_rmem_tensor(extents, "int16"),
    )
    found = tw.copy(by, src, dst, pred=Tensor(chosen))
    assert (dst.numpy() == numpy.where(chosen, src.numpy(), 0)).all()
    assert found.elements == chosen.sum()
    other = chosen.copy()
    other.flat[data.draw(st.integers(0, chosen.size - 1))] ^= True
    with pytest.raises(LayoutError, match="32 threads move together"):
        tw.copy(by, src, dst, pred=Tensor(other))


A, EDGE = WAYS[0], (32, 16)


@pytest.mark.parametrize(
    ("shape", "left", "says"),
    [
        ((48, 16), None, "they reach beyond (48,16); copy to and from whole tiles"),
        ((40, 16), [], "a call moves (32,0), and (40,0) lies beyond (40,16)"),
        (EDGE, [(3, 5)], "a call moves (0,0), and (3,5) is left out"),
    ],
)
def test_refusals_name_the_elements(shape: tuple[int, int], left: Any, says: str) -> None:
    tensor = Tensor(numpy.zeros(shape, "float16"))
    made = numpy.ones(shape, bool)
    for at in left or []:
        made[at] = False
    with pytest.raises(LayoutError, match=re.escape(says)):
        tw.copy(A, tensor, tensor, pred=None if left is None else Tensor(made))


WHOLE, WARPS = (32, 32), 2


@flyc.kernel
def moved_kernel(x: fx.Tensor, made: fx.Tensor, y: fx.Tensor) -> None:
    """Two warps read two tiles along K each, by a predicate that says of each lane whether it makes a call."""
    t = fx.thread_idx.x
    x, y = (fx.zipped_divide(z, WHOLE)[None, (0, 0)] for z in (x, y))
    tile = fx.SharedAllocator().allocate(fx.Array[fx.Float16, 1024, 128]).peek().view(fx.make_layout(WHOLE, (32, 1)))
    for i in fx.range_constexpr(16):
        tile[t // 2, t % 2 * 16 + i] = x[t // 2, t % 2 * 16 + i]
    fx.barrier()
    atom, mma = (
        fx.make_copy_atom(fx.nvvm.LdMatrixX4(), fx.Float16),
        fx.make_mma_atom(fx.nvvm.MmaSync(16, 8, 16, fx.Float16)),
    )
    tiled = fx.make_tiled_mma(mma, fx.make_layout((WARPS, 1, 1), (1, 0, 0)))
    by, held = fx.make_tiled_copy_A(atom, tiled).get_slice(t), tiled.get_slice(t).make_fragment_A(tile)
    held.fill(0.0)
    pred = fx.make_rmem_tensor(2, fx.Boolean)
    pred[0], pred[1] = made[t, 0] != 0, made[t, 1] != 0
    fx.copy(atom, by.partition_S(tile), by.retile(held), pred=pred)
    tiled.get_slice(t).partition_A(y).store(held.load())


@flyc.jit
def moved(x: fx.Tensor, made: fx.Tensor, y: fx.Tensor) -> None:
    moved_kernel(x, made, y).launch(grid=1, block=32 * WARPS)


def in_a_kernel(made: Any) -> Any:
    x, y = numpy.arange(1, 1025).reshape(WHOLE).astype("float16"), numpy.full(WHOLE, -1, "float16")
    with Target("simulator:sm_80"):
        moved(x, made, y)
    return y


@pytest.mark.parametrize("calls", list(product([0, 1], repeat=4)))
def test_a_kernel_makes_the_same_calls(calls: tuple[int, ...]) -> None:
    """Two warps with two calls each, chosen in every way; eagerly by the elements that these move."""
    made = numpy.array(calls).reshape(2, 2)
    y = tw.make_rmem_tensor(WHOLE, "float16")
    by = tw.make_tiled_copy_A(A.atom, tw.make_tiled_mma(MMA.atom, Layout((WARPS, 1, 1))))
    x = Tensor(numpy.arange(1, 1025).reshape(WHOLE).astype("float16"))
    tw.copy(by, x, y, pred=Tensor(made.repeat(16, 0).repeat(16, 1).astype(bool)))
    assert (in_a_kernel(made.repeat(32, 0).astype("int32")) == y.numpy()).all()


def test_a_kernel_whose_threads_part_stops() -> None:
    made = numpy.ones((32 * WARPS, 2), "int32")
    made[40, 1] = 0
    with pytest.raises(BarrierError, match=r"thread \(40,0,0\) does not reach an instruction of its warp"):
        in_a_kernel(made)
