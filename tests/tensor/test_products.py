"""`gemm` of whole tiles is what all threads' fragments give together; what cannot be copied or multiplied says why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy
import pytest

import tilewright as tw
from tilewright import Layout, LayoutError, Tensor, UsageError
from tilewright.atoms.semantics import mma as executed

ATOMS = [
    "SM80_16x8x16_F32F16F16F32_TN",
    "SM80_16x8x8_F32BF16BF16F32_TN",
    "SM80_16x8x32_S32S8S8S32_TN",
    "SM80_8x8x4_F64F64F64F64_TN",
    "CDNA3_16x16x4_F32F32F32F32",
]
LDSM = tw.make_copy_atom("SM75_U32x4_LDSM_N", 16)
MMA = tw.make_tiled_mma(tw.atoms.mma(ATOMS[0]), Layout((2, 2, 1)))


def operand(kind: Any, *shape: int) -> Tensor:
    numbers = numpy.random.default_rng(shape).integers(-8, 8, shape)
    return Tensor(numbers.astype(kind.numpy()), Layout(shape, (shape[1], 1)))


@pytest.mark.parametrize("name", ATOMS)
def test_a_whole_tile_is_what_the_threads_have_together(name: str) -> None:
    """One atom: the fragments of all threads, by what the atom means; as often as there is room along K."""
    atom = tw.atoms.mma(name)
    tiled, (m, n, k) = tw.make_tiled_mma(atom), atom.shape_mnk
    d, a, b, c = (operand(t, *s) for t, s in zip(atom.dtypes, ((m, n), (m, 3 * k), (n, 3 * k), (m, n)), strict=True))
    tw.gemm(tiled, d, a, b, c)
    lanes = [tiled.get_slice(thread) for thread in range(tiled.size)]
    held = numpy.array([lane.partition_C(c).load() for lane in lanes])
    for step in range(3):
        sides = [[lane.partition_A(a) for lane in lanes], [lane.partition_B(b) for lane in lanes]]
        parts = [numpy.array([x.load().reshape(-1, 3, order="F")[:, step] for x in side]) for side in sides]
        wide = [part.astype("float64") for part in (*parts, held)]
        held = executed(atom, *wide)
    assert (numpy.array([lane.partition_C(d).load() for lane in lanes]) == held).all()


def test_a_tiled_mma_takes_several_tiles_and_any_layout() -> None:
    a, b = operand(tw.Float16, 64, 32), operand(tw.Float16, 32, 32)
    swizzled = Tensor(numpy.zeros(32 * 32, "float16"), tw.parse("Sw<2,3,3> o 0 o (32,32):(32,1)"))
    swizzled.store(b.load())
    d = Tensor(numpy.zeros((64, 32), "float32"))
    tw.gemm(MMA, d, a, swizzled, d)
    assert (d.numpy() == a.numpy().astype("float32") @ b.numpy().astype("float32").T).all()


@pytest.mark.parametrize("thread", [0, 37, 127])
def test_threads_together_are_seen_as_one_by_one(thread: int) -> None:
    """tidfrg and thrfrg of a tensor hold every thread's part, as those of its layout do."""
    tensor = operand(tw.Float16, 32, 32)
    for letter in "ABC":
        whole, layout = MMA.thrfrg(letter, tensor), MMA.thrfrg(letter, tensor.layout)
        assert whole.shape == layout.shape
        part = MMA.get_slice(thread).part_of(letter, layout)
        assert [tensor.iter.memory[part(i)] for i in range(part.size)] == MMA.get_slice(thread).partition(
            letter, tensor
        ).load().tolist()
    by = tw.make_tiled_copy_A(LDSM, MMA)
    for give, take in (
        (by.tidfrg_S, by.get_slice(thread).partition_S),
        (by.tidfrg_D, by.get_slice(thread).partition_D),
    ):
        assert give(tensor)[thread, None, None].load().tolist() == take(tensor).load().tolist()
    for letter in "ABC":
        like = [getattr(x, f"make_fragment_{letter}")(tensor) for x in (MMA, MMA.get_slice(thread))]
        assert like[0].layout == like[1].layout


def test_what_threads_move_together_is_moved_as_whole_tiles() -> None:
    by, src = tw.make_tiled_copy_A(LDSM, MMA), operand(tw.Float16, 32, 32)
    dst = Tensor(numpy.zeros((32, 32), "float16"))
    assert tw.copy(by, src, dst).elements == 1024
    assert (dst.numpy() == src.numpy()).all()


@pytest.mark.parametrize("extents", [(20, 9, 23), (32, 16, 5), (1, 1, 1)])
def test_a_ragged_product_is_one_of_whole_tiles_of_zeros(extents: tuple[int, int, int]) -> None:
    """What a copy leaves out is zero, and adds nothing; what lies beyond is not looked at."""
    m, n, k = extents
    a, b, c = (operand(t, *s) for t, s in ((tw.Float16, (m, k)), (tw.Float16, (n, k)), (tw.Float32, (m, n))))
    tiles = [tw.make_rmem_tensor(s, x.dtype) for s, x in (((32, 32), a), ((16, 32), b), ((32, 16), c))]
    for tile, x in zip(tiles, (a, b, c), strict=True):
        rows, columns = x.numpy().shape
        tw.copy(x, tile[:rows, :columns])
    tw.gemm(MMA, tiles[2], tiles[0], tiles[1], tiles[2])
    wide = [x.numpy().astype("float64") for x in (a, b, c)]
    assert (tiles[2].numpy()[:m, :n] == wide[0] @ wide[1].T + wide[2]).all()


FMA = tw.make_mma_atom(tw.UniversalFMA("float32"))
ONE, MANY = operand(tw.Float32, 1, 8), operand(tw.Float32, 16, 16)
HALVES, RAGGED = operand(tw.Float16, 32, 32), operand(tw.Float16, 48, 32)
ROWS = tw.make_tiled_copy_tv(tw.make_copy_atom(tw.UniversalCopy128b(), 32), Layout((4, 2)), Layout((1, 4)))
ALONG_K = tw.make_tiled_mma(tw.atoms.mma(ATOMS[0]), Layout((1, 1, 2)))


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: tw.copy(LDSM, HALVES, HALVES), UsageError, "32 threads move together"),
        (lambda: tw.copy(tw.make_tiled_copy_A(LDSM, MMA), HALVES[0, None], HALVES[1, None]), UsageError, "whole tiles"),
        (lambda: tw.copy(tw.make_tiled_copy_A(LDSM, MMA), RAGGED, RAGGED), LayoutError, r"whole tiles of \(32,16\)"),
        (
            lambda: tw.gemm(MMA, operand(tw.Float32, 48, 32), RAGGED, HALVES, operand(tw.Float32, 48, 32)),
            LayoutError,
            r"\(48,32,32\) is no whole number of tiles \(32,16,16\)",
        ),
        (lambda: tw.copy(ROWS.atom, MANY, MANY), LayoutError, "moves 4 elements, and mode 0 of .* holds 16"),
        (lambda: tw.copy(ROWS, ONE, MANY), LayoutError, "has 8 elements"),
        (lambda: tw.copy(tw.make_copy_atom(tw.UniversalCopy(8), 8), ONE, ONE), LayoutError, "moves 8 bits, no whole"),
        (lambda: tw.copy(ROWS, ONE, HALVES), UsageError, "float32 is not float16"),
        (lambda: tw.copy(cast("Any", 4), ONE, ONE), UsageError, "takes a copy atom or a tiled copy"),
        (lambda: tw.copy_atom_call(ROWS, ONE, ONE), LayoutError, "moves 4 elements, and .* has 8"),
        (lambda: tw.gemm(FMA, ONE, ONE, ONE, cast("Any", 1)), UsageError, "multiplies tensors, got 1"),
        (lambda: tw.gemm(FMA, HALVES, ONE, ONE, ONE), UsageError, "takes float32"),
        (lambda: tw.gemm(FMA, MANY, ONE, ONE, MANY), LayoutError, "takes one element"),
        (lambda: tw.gemm(FMA, ONE, ONE, ONE, ONE), LayoutError, "is no product of"),
        (lambda: tw.mma_atom_call(FMA, ONE, ONE, ONE, ONE), LayoutError, "takes 1 elements of C"),
        (lambda: tw.gemm(cast("Any", 1), ONE, ONE, ONE, ONE), UsageError, "takes an MMA atom"),
        (lambda: tw.gemm(MMA.atom, MANY, HALVES, HALVES, MANY), UsageError, "32 threads multiply together"),
        (lambda: tw.gemm(MMA, MANY, HALVES, HALVES, MANY), LayoutError, "is no product of"),
        (
            lambda: tw.gemm(ALONG_K, operand(tw.Float32, 32, 32), HALVES, HALVES, operand(tw.Float32, 32, 32)),
            UsageError,
            "along K",
        ),
        (
            lambda: tw.gemm(tw.atoms.mma("SM80_SPARSE_16x8x32_F32F16F16F32_TN"), ONE, ONE, ONE, ONE),
            UsageError,
            "metadata",
        ),
    ],
)
def test_what_cannot_be_done_says_why(call: Callable[[], object], error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        call()


def test_sums_of_an_atom_are_rounded_once_and_of_several_each() -> None:
    """2048 and fifteen ones: in half floats one by one nothing is added, at once 2063 is rounded to 2064."""
    tiled = tw.make_tiled_mma(tw.atoms.mma("SM80_16x8x16_F16F16F16F16_TN"))
    for depth, wanted in ((16, 2064), (32, 2080)):
        a, b = (Tensor(numpy.ones((rows, depth), "float16")) for rows in (16, 8))
        a[None, 0] = 2048
        c, d = (Tensor(numpy.zeros((16, 8), "float16")) for _ in "cd")
        tw.gemm(tiled, d, a, b, c)
        assert {float(x) for x in d.load()} == {wanted}


def test_products_are_of_whole_tiles() -> None:
    tiled = tw.make_tiled_mma(tw.atoms.mma("SM80_16x8x16_F16F16F16F16_TN"))
    a, b, c = (Tensor(numpy.ones(shape, "float16")) for shape in ((16, 24), (8, 24), (16, 8)))
    with pytest.raises(LayoutError, match=r"\(16,8,24\) is no whole number of tiles \(16,8,16\)"):
        tw.gemm(tiled, c, a, b, c)
