"""`predicate` is true exactly where a coordinate lies inside, and what `copy` leaves out by it stays as it was."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright import KernelError, Layout, LayoutError, Tensor, UsageError
from tilewright.passes.fly.pipeline import STAGES

EXTENTS = st.tuples(st.integers(1, 13), st.integers(1, 13))
TILES = st.tuples(st.sampled_from([1, 2, 3, 4, 5]), st.sampled_from([1, 2, 4, 6]))
COPY = tw.make_tiled_copy_tv(
    tw.make_copy_atom(tw.UniversalCopy32b(), "float32"), Layout((4, 2), (2, 1)), Layout((1, 2))
)


@given(EXTENTS, TILES, st.data())
@settings(max_examples=60)
def test_it_holds_where_the_coordinate_lies_inside(
    extent: tuple[int, int], tile: tuple[int, int], data: st.DataObject
) -> None:
    at = [data.draw(st.integers(0, -(-n // t) - 1)) for n, t in zip(extent, tile, strict=True)]
    found = tw.predicate(tw.local_tile(tw.make_identity_tensor(extent), tile, tuple(at)), extent).numpy()
    rows, columns = (numpy.arange(k * t, k * t + t) < n for k, t, n in zip(at, tile, extent, strict=True))
    assert (found == rows[:, None] & columns[None, :]).all()


@given(EXTENTS, st.integers(0, 7))
@settings(max_examples=40)
def test_of_a_threads_part_it_holds_of_each_element(extent: tuple[int, int], thread: int) -> None:
    covered = tuple(-(-n // 4) * 4 for n in extent)
    part = COPY.get_slice(thread).partition_S(tw.make_identity_tensor(covered))
    found = tw.predicate(part, extent)
    assert found.shape == part.shape
    assert found.load().tolist() == [all(c < n for c, n in zip(part(i), extent, strict=True)) for i in range(part.size)]


@given(st.integers(1, 40), st.sampled_from([1, 3, 4, 8]))
@settings(max_examples=30)
def test_flat_coordinates_are_coordinates_too(extent: int, tile: int) -> None:
    divided = tw.logical_divide(Layout(extent, 1), tile)
    found = tw.predicate(divided, extent)
    assert found.load().tolist() == [divided(i) < extent for i in range(divided.size)]
    assert found.load().sum() == extent


def test_what_lies_before_the_first_element_is_outside() -> None:
    assert tw.predicate(Layout(5, -1), 3).load().tolist() == [True, False, False, False, False]
    backwards = Layout((2, 3), (tw.term(1, (0,)), tw.term(-1, (1,))))
    assert tw.predicate(backwards, (2, 3)).numpy().tolist() == [[True, False, False]] * 2


@pytest.mark.parametrize("extent", [(11, 7), (8, 4), (5, 13), (1, 1)])
def test_threads_copy_a_ragged_tensor_and_nothing_else(extent: tuple[int, int]) -> None:
    """Tiles that round up reach beyond the tensor, where the memory around it must stay."""
    covered = tuple(-(-n // 4) * 4 for n in extent)
    whole = Layout(covered, (covered[1], 1))
    src = Tensor(numpy.arange(whole.size, dtype="float32"), whole)
    dst = Tensor(numpy.full(whole.size, -1, "float32"), whole)
    for thread in range(COPY.size):
        mine = COPY.get_slice(thread)
        pred = tw.predicate(mine.partition_S(tw.make_identity_tensor(covered)), extent)
        tw.copy(mine.partition_S(src), mine.partition_D(dst), pred=pred)
    inside = numpy.zeros(covered, bool)
    inside[: extent[0], : extent[1]] = True
    assert (dst.numpy() == numpy.where(inside, src.numpy(), -1)).all()


@pytest.mark.parametrize("columns", range(1, 9))
@pytest.mark.parametrize("stride", [(8, 1), (12, 1), (1, 8)])
def test_no_vector_of_a_copy_is_cut_by_its_predicate(columns: int, stride: tuple[int, int]) -> None:
    """Rows of eight words, of which the first columns are inside: the vector divides them, and is the widest."""
    src, dst = (Tensor(numpy.ones(96, "float32"), Layout((8, 8), stride)) for _ in range(2))
    copied = tw.copy(src, dst, pred=tw.predicate(tw.make_identity_tensor((8, 8)), (8, columns)))
    runs = 4 if stride == (1, 8) else min(4, columns & -columns)
    assert (copied.elements, copied.vector) == (8 * columns, runs)


@pytest.mark.parametrize("held", [[1, 0] * 4, [0, 1, 1, 0], [0], [1]])
def test_one_truth_value_is_for_a_call_for_a_part_or_for_all(held: list[int]) -> None:
    """Eight calls of one element, two of which are mode 0."""
    src, dst = Tensor(numpy.arange(8.0), Layout(((1, 2), 4))), Tensor(numpy.zeros(8), Layout(((1, 2), 4)))
    tw.copy(tw.make_copy_atom(tw.UniversalCopy(64), 64), src, dst, pred=Tensor(numpy.array(held, bool)))
    assert (dst.load() == numpy.where(numpy.repeat(held, 8 // len(held)), src.load(), 0)).all()


@pytest.mark.parametrize("held", [[1, 1], [1, 0]])
def test_two_elements_in_one_place_are_refused_whatever_is_left_out(held: list[int]) -> None:
    """As of all tensors it is the layout that tells; elements that are not copied are no reason to write there."""
    src, dst = Tensor(numpy.arange(2.0)), Tensor(numpy.zeros(1), Layout(2, 0))
    with pytest.raises(LayoutError, match="writes two elements to one place"):
        tw.copy(src, dst, pred=Tensor(numpy.array(held, bool)))
    assert dst[0] == 0


TRACED: list[tuple[Layout[Any], Any]] = [
    (Layout((4, 2), (1, 4)), 6),
    (Layout(5, -1), 3),
    (Layout((2, 3), (tw.term(1, (0,)), tw.term(-1, (1,)))), (2, 3)),
    (tw.make_identity_tensor((3, (2, 2))), (2, (2, 1))),
    (tw.zipped_divide(tw.make_identity_tensor((5, 6)), (2, 4)), (5, 6)),
]


@flyc.kernel
def known_kernel(y: fx.Tensor) -> None:
    at = 0
    for layout, extent in TRACED:
        inside = fx.predicate(layout, extent)
        for i in fx.range_constexpr(int(layout.size)):
            y[at + i] = inside[i].to(fx.Int32)
        at += int(layout.size)


@flyc.jit
def known(y: fx.Tensor) -> None:
    known_kernel(y).launch(grid=1, block=1)


@pytest.mark.parametrize("stage", STAGES)
def test_a_kernels_predicate_is_the_eager_one(stage: str) -> None:
    wanted = numpy.concatenate([tw.predicate(layout, extent).load() for layout, extent in TRACED])
    found = numpy.full(wanted.size, -1, "int32")
    known.simulate(stage, found)
    assert (found == wanted).all()


@flyc.kernel
def ragged_kernel(x: fx.Tensor, y: fx.Tensor, before: fx.Int32) -> None:
    """Tiles that begin up to `before` tiles before the first element, where eager tensors have none."""
    i, j, _ = fx.block_idx
    places = fx.make_view(((i - before) * 4, (j - before) * 4), fx.make_identity_layout((4, 4)))
    mine = fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32)
    tiled = fx.make_tiled_copy_tv(mine, fx.make_layout((4, 2), (2, 1)), fx.make_layout((1, 2), (2, 1)))
    part = tiled.get_slice(fx.thread_idx.x).partition_S(places)
    inside = fx.predicate(part, x)
    for k in fx.range_constexpr(2):
        if inside[k]:
            y[part[k]] = x[part[k]]


@flyc.jit
def ragged(x: fx.Tensor, y: fx.Tensor, before: fx.Int32) -> None:
    ragged_kernel(x, y, before).launch(grid=(5, 5), block=8)


@pytest.mark.parametrize("extent", [(11, 7), (13, 1), (8, 12)])
def test_in_a_kernel_extents_and_places_may_be_of_run_time(extent: tuple[int, int]) -> None:
    x = numpy.random.default_rng(16).normal(size=extent).astype("float32")
    y = numpy.zeros_like(x)
    ragged(x, y, 1)
    assert (x == y).all()


@flyc.jit
def refused(x: fx.Tensor, tile: fx.Constexpr[Any], extent: fx.Constexpr[Any]) -> None:
    fx.predicate(x if tile is None else fx.make_identity_tensor(x.shape) if tile == "x" else tile, extent)


@pytest.mark.parametrize(
    ("tile", "extent", "says"),
    [
        (None, (4, 4), "elements of memory"),
        ("x", (4, 4), "only run time knows"),
        (tw.make_identity_tensor((4, 4)), 4, "no coordinates of the shape 4"),
        (tw.make_identity_tensor((4, 4)), (4, (2, 2)), "no coordinates"),
        (Layout(1 << 13), 4, "at most 4096"),
    ],
)
def test_a_kernel_refuses_what_is_no_tile_of_coordinates(tile: Any, extent: Any, says: str) -> None:
    with pytest.raises(KernelError, match=says):
        refused(numpy.zeros((4, 4), "float32"), tile, extent)


@pytest.mark.parametrize(
    ("tile", "extent", "says"),
    [
        (tw.make_identity_tensor((4, 4)), 4, r"no coordinates of the shape 4"),
        (tw.make_identity_tensor((4, 4)), (4, (2, 2)), r"no coordinates"),
        (tw.parse("(4,4):(1@laneid,1)"), (4, 4), r"no coordinates"),
        (Layout(1 << 21), 4, "at most"),
        (Layout(tw.SymInt("n")), 4, "at most"),
        (Layout(4), tw.SymInt("n"), "are to be known"),
    ],
)
def test_what_is_no_tile_of_coordinates_is_refused(tile: Any, extent: Any, says: str) -> None:
    with pytest.raises(LayoutError, match=says):
        tw.predicate(tile, extent)


@pytest.mark.parametrize(
    ("pred", "error", "says"),
    [
        (Tensor(numpy.zeros((4, 4))), UsageError, "truth values"),
        (numpy.zeros((4, 4), bool), UsageError, "truth values"),
        (Tensor(numpy.zeros(3, bool)), LayoutError, "16 calls, for which 3 truth values"),
    ],
)
def test_other_predicates_are_refused(pred: Any, error: type[Exception], says: str) -> None:
    tensor = Tensor(numpy.zeros((4, 4)))
    with pytest.raises(error, match=says):
        tw.copy(tensor, tensor, pred=pred)
