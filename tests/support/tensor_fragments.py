"""Fragments of kernels, each of one thread `t`, over tensors x and y of 16 x 16.

`fx` is the kernel language, or `tilewright`, whose tensors have the same names.
Threads write to places of their own, so that they may go one after the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

THREADS = 32
SHAPE = (16, 16)
FRAGMENTS: dict[str, Callable[[Any, Any, Any, Any], None]] = {}


def fragment(function: Callable[[Any, Any, Any, Any], None]) -> Callable[[Any, Any, Any, Any], None]:
    """One more of them."""
    FRAGMENTS[function.__name__] = function
    return function


def whole(fx: Any, tensor: Any) -> Any:
    """The tile that a tensor is, its extents known to a kernel."""
    return fx.zipped_divide(tensor, SHAPE)[None, (0, 0)]


def tiled(fx: Any, bits: int, values: tuple[int, int]) -> Any:
    """A copy by vectors of so many bits, of threads that lie 8 x 4 over the tile."""
    atom = fx.make_copy_atom(fx.UniversalCopy(bits), fx.Float32)
    return fx.make_tiled_copy_tv(atom, fx.make_layout((8, 4), (4, 1)), fx.make_layout(values, (values[1], 1)))


@fragment
def elements(fx: Any, x: Any, y: Any, t: Any) -> None:
    y[t // 2, t % 2] = x[t % 16, 3]
    y[t // 2, 2 + t % 2] = x[5, t % 16]


@fragment
def slices(fx: Any, x: Any, y: Any, t: Any) -> None:
    row, to = whole(fx, x)[t % 16, None], whole(fx, y)[t % 16, None]
    to[t // 16] = row[8] + row[9]


@fragment
def a_row_of_tiles(fx: Any, x: Any, y: Any, t: Any) -> None:
    mine, to = (fx.zipped_divide(whole(fx, z), (4, 2))[None, (t // 8, t % 8)] for z in (x, y))
    to.store(mine.load() * 2.0)


@fragment
def divided(fx: Any, x: Any, y: Any, t: Any) -> None:
    mine, to = (fx.tiled_divide(whole(fx, z), (2, 4))[None, t // 4, t % 4] for z in (x, y))
    held = fx.make_fragment_like(mine)
    held.store(mine.load())
    held[0, 1] = held[1, 0]
    to.store(held.load())


@fragment
def copied_by_a_tiled_copy(fx: Any, x: Any, y: Any, t: Any) -> None:
    by = tiled(fx, 64, (1, 2))
    mine = by.get_slice(t)
    src, dst = mine.partition_S(whole(fx, x)), mine.partition_D(whole(fx, y))
    fx.copy(by, src, dst)


@fragment
def through_registers(fx: Any, x: Any, y: Any, t: Any) -> None:
    by = tiled(fx, 128, (1, 4))
    mine = by.get_slice(t)
    src, dst = mine.partition_S(whole(fx, x)), mine.partition_D(whole(fx, y))
    held = fx.make_fragment_like(src)
    fx.copy(by, src, held)
    held.store(held.load() + held.load())
    fx.copy(by, held, dst)


@fragment
def element_by_element(fx: Any, x: Any, y: Any, t: Any) -> None:
    atom, mine = fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32), tiled(fx, 32, (2, 2)).get_slice(t)
    src, dst = mine.partition_S(whole(fx, x)), mine.partition_D(whole(fx, y))
    fx.copy(atom, src, dst)


@fragment
def one_call(fx: Any, x: Any, y: Any, t: Any) -> None:
    mine, to = (fx.zipped_divide(whole(fx, z), (1, 4))[None, (t // 4, t % 4)] for z in (x, y))
    fx.copy_atom_call(fx.make_copy_atom(fx.UniversalCopy128b(), fx.Float32), mine, to)


@fragment
def some_of_the_calls(fx: Any, x: Any, y: Any, t: Any) -> None:
    by = tiled(fx, 64, (1, 2))
    mine = by.get_slice(t)
    src, dst = mine.partition_S(whole(fx, x)), mine.partition_D(whole(fx, y))
    inside = fx.make_rmem_tensor(4, fx.Boolean)
    inside[0], inside[1], inside[2], inside[3] = t < 20, t % 2 == 0, t > 3, t == 7
    fx.copy(by, src, dst, pred=inside)


@fragment
def all_or_nothing(fx: Any, x: Any, y: Any, t: Any) -> None:
    by = tiled(fx, 64, (1, 2))
    mine = by.get_slice(t)
    inside = fx.make_rmem_tensor(1, fx.Boolean)
    inside[0] = t % 3 == 1
    fx.copy(by, mine.partition_S(whole(fx, x)), mine.partition_D(whole(fx, y)), pred=inside)


@fragment
def inside_of_a_ragged_tile(fx: Any, x: Any, y: Any, t: Any) -> None:
    by = tiled(fx, 32, (1, 1))
    mine = by.get_slice(t)
    src, dst = mine.partition_S(whole(fx, x)), mine.partition_D(whole(fx, y))
    inside = fx.make_rmem_tensor(8, fx.Boolean)
    for k in [0, 1, 2, 3, 4, 5, 6, 7]:
        inside[k] = (t // 4 + 8 * (k % 2) < 13) & (t % 4 + 4 * (k // 2) < 10)
    fx.copy(by, src, dst, pred=inside)


@fragment
def a_predicate(fx: Any, x: Any, y: Any, t: Any) -> None:
    by = tiled(fx, 32, (1, 2))
    mine = by.get_slice(t)
    inside = fx.predicate(mine.partition_S(fx.make_identity_tensor(SHAPE)), (13, 11))
    fx.copy(by, mine.partition_S(whole(fx, x)), mine.partition_D(whole(fx, y)), pred=inside)


@fragment
def a_predicate_of_vectors(fx: Any, x: Any, y: Any, t: Any) -> None:
    """Each call's first coordinate tells for all of its values: the border lies between vectors."""
    by = tiled(fx, 64, (1, 2))
    mine = by.get_slice(t)
    firsts = fx.slice(mine.partition_S(fx.make_identity_tensor(SHAPE)), (0, None, None))
    fx.copy(by, mine.partition_S(whole(fx, x)), mine.partition_D(whole(fx, y)), pred=fx.predicate(firsts, (13, 10)))


@fragment
def a_product(fx: Any, x: Any, y: Any, t: Any) -> None:
    atom = fx.make_mma_atom(fx.UniversalFMA(fx.Float32))
    mma = fx.make_tiled_mma(atom, fx.make_layout((8, 4, 1), (4, 1, 0)))
    mine = mma.get_slice(t)
    a, b, c = mine.partition_A(whole(fx, x)), mine.partition_B(whole(fx, x)), mine.partition_C(whole(fx, y))
    held = mine.make_fragment_C(whole(fx, y))
    held.fill(1.0)
    ra, rb = mine.make_fragment_A(whole(fx, x)), mine.make_fragment_B(whole(fx, x))
    ra.store(a.load())
    rb.store(b.load())
    fx.gemm(mma, held, ra, rb, held)
    c.store(held.load())


@fragment
def a_product_by_its_copies(fx: Any, x: Any, y: Any, t: Any) -> None:
    mma = fx.make_tiled_mma(fx.make_mma_atom(fx.UniversalFMA(fx.Float32)), fx.make_layout((8, 4, 1), (4, 1, 0)))
    by = fx.make_copy_atom(fx.UniversalCopy32b(), fx.Float32)
    mine = mma.get_slice(t)
    for_a, for_b = fx.make_tiled_copy_A(by, mma).get_slice(t), fx.make_tiled_copy_B(by, mma).get_slice(t)
    ra, rb = mine.make_fragment_A(whole(fx, x)), mine.make_fragment_B(whole(fx, x))
    fx.copy(by, for_a.partition_S(whole(fx, x)), for_a.retile(ra))
    fx.copy(by, for_b.partition_S(whole(fx, x)), for_b.retile(rb))
    held = mine.make_fragment_C(whole(fx, y))
    held.fill(0.0)
    fx.gemm(mma, held, ra, rb, held)
    mine.partition_C(whole(fx, y)).store(held.load())


@fragment
def one_multiplication(fx: Any, x: Any, y: Any, t: Any) -> None:
    one, other, sum = (fx.make_rmem_tensor(1, fx.Float32) for _ in range(3))
    one[0], other[0], sum[0] = x[t // 2, 0], x[t % 16, 1], x[0, t % 16]
    fx.mma_atom_call(fx.make_mma_atom(fx.UniversalFMA(fx.Float32)), sum, one, other, sum)
    y[t // 2, 6 + t % 2] = sum[0]


@fragment
def a_view(fx: Any, x: Any, y: Any, t: Any) -> None:
    to = fx.make_view(fx.get_iter(whole(fx, y)), fx.make_layout(SHAPE, (1, 16)))
    to[t // 2, t % 2 + 4] = x[t // 2, t % 2]
