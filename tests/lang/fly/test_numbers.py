"""Typed numbers: what is known while tracing is what run time works out, and what numpy does where it has the type."""

from __future__ import annotations

import operator
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import KernelError
from tilewright.targets.simulator.options import SimOptions

THREADS = 64
TYPES = (
    *(fx.Boolean, fx.Int8, fx.Int16, fx.Int32, fx.Int64, fx.Uint8, fx.Uint16, fx.Uint32, fx.Uint64),
    *(fx.Float16, fx.BFloat16, fx.Float32, fx.Float64),
)
SIGNS: dict[str, Callable[[fx.Numeric, fx.Numeric], fx.Numeric]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "min": fx.min,
    "max": fx.max,
}


def number_in(tensor: fx.Tensor, at: fx.Numeric, kind: type[fx.Numeric]) -> fx.Numeric:
    """The number whose 64 bits lie there: memory has signless integers."""
    found = tensor[at]
    return found.to(kind)


def as_stored(value: fx.Numeric) -> fx.Numeric:
    """The number in 64 bits, whatever its type."""
    return value.to(fx.Float64).bitcast(fx.Int64) if value.dtype.is_float else value.to(fx.Int64)


@flyc.kernel
def binary_kernel(
    A: fx.Tensor, B: fx.Tensor, R: fx.Tensor, left: fx.Constexpr, right: fx.Constexpr, signs: fx.Constexpr
):
    tid = fx.thread_idx.x
    a, b = number_in(A, tid, left), number_in(B, tid, right)
    for i in fx.range_constexpr(len(signs)):
        R[i, tid] = as_stored(SIGNS[signs[i]](a, b))


@flyc.jit
def binary_run(A: fx.Tensor, B: fx.Tensor, R: fx.Tensor, left: fx.Constexpr, right: fx.Constexpr, signs: fx.Constexpr):
    binary_kernel(A, B, R, left, right, signs).launch(grid=1, block=THREADS)


def values_of(kind: type[fx.Numeric], seed: int, positive: bool = False) -> NDArray[np.generic]:
    """Numbers of the type, the extreme ones among them; integers and truths as int64, floats as float64."""
    rng = np.random.default_rng(seed)
    if kind.is_float:
        with np.errstate(all="ignore"):
            made = np.concatenate([[0.5, -0.25, 65504.0, -3.0], rng.normal(size=THREADS - 4) * 100])
            return (abs(made) if positive else made).astype(kind.numpy_dtype).astype(np.float64)
    if kind is fx.Boolean:
        return np.ones(THREADS, np.int64) if positive else rng.integers(0, 2, THREADS)
    width, low = kind.width, 0
    if kind.signed:
        width, low = kind.width - 1, -(1 << kind.width - 1)
    high = (1 << width) - 1
    some = [int(x) for x in rng.integers(max(low, -100), min(high, 100), THREADS - 4)]
    all_ = [low, high, 1, high - 1, *some]
    return np.array([x if x > 0 or not positive else 3 for x in all_], object)


def allowed(sign: str, left: type[fx.Numeric], right: type[fx.Numeric]) -> bool:
    """Is the operator there for the types?"""
    real = left.is_float or right.is_float
    both = (left, right) == (fx.Boolean, fx.Boolean)
    return not (sign in "&|^%" and real) and not (both and sign in ("min", "max"))


def held(values: NDArray[np.generic], kind: type[fx.Numeric]) -> NDArray[np.generic]:
    """The numbers in 64 bits of memory."""
    if kind.is_float:
        return values
    return np.array([int(x) - (1 << 64) if int(x) >> 63 > 0 else int(x) for x in values], np.int64)


PAIRS = [(a, b) for i, a in enumerate(TYPES) for j, b in enumerate(TYPES) if (i + 2 * j) % 6 == 0 or a is b]


@pytest.mark.parametrize(("left", "right"), PAIRS, ids=str)
def test_known_numbers_and_those_of_run_time_agree(left: type[fx.Numeric], right: type[fx.Numeric]) -> None:
    signs = tuple(sign for sign in SIGNS if allowed(sign, left, right))
    a, b = values_of(left, 1), values_of(right, 2, positive=True)
    found = np.zeros((len(signs), THREADS), np.int64)
    with np.errstate(all="ignore"), SimOptions(check="off"):
        binary_run(held(a, left), held(b, right), found, left, right, signs)
    for sign, row in zip(signs, found, strict=True):
        for x, y, bits in zip(a.tolist(), b.tolist(), row.tolist(), strict=True):
            known = SIGNS[sign](left(x), right(y))
            assert known.is_static()
            wanted = known.to(fx.Float64).value if known.dtype.is_float else known.to(fx.Int64).value
            got = np.int64(bits).view(np.float64) if known.dtype.is_float else bits
            assert got == wanted or (got != got and wanted != wanted), f"{left(x)!r} {sign} {right(y)!r}"


NUMPY: dict[str, Callable[..., NDArray[np.generic]]] = {"+": np.add, "-": np.subtract, "*": np.multiply}


@pytest.mark.parametrize("kind", [t for t in TYPES if t is not fx.Boolean], ids=str)
@pytest.mark.parametrize("sign", NUMPY)
def test_known_numbers_are_numpys(kind: type[fx.Numeric], sign: str) -> None:
    a, b = (np.array(values_of(kind, seed), object).astype(kind.numpy_dtype) for seed in (1, 2))
    with np.errstate(all="ignore"):
        wanted = NUMPY[sign](a, b)
    for x, y, one in zip(a.tolist(), b.tolist(), wanted.tolist(), strict=True):
        found = SIGNS[sign](kind(x), kind(y)).value
        assert found == one or (found != found and one != one)


CONVERTED = tuple(t for t in TYPES if t is not fx.Boolean)


@flyc.kernel
def convert_kernel(A: fx.Tensor, R: fx.Tensor, source: fx.Constexpr, targets: fx.Constexpr):
    tid = fx.thread_idx.x
    a = number_in(A, tid, source)
    for i in fx.range_constexpr(len(targets)):
        R[i, tid] = as_stored(a.to(targets[i]))


@flyc.jit
def convert_run(A: fx.Tensor, R: fx.Tensor, source: fx.Constexpr, targets: fx.Constexpr):
    convert_kernel(A, R, source, targets).launch(grid=1, block=THREADS)


@pytest.mark.parametrize("source", TYPES, ids=str)
def test_conversions_agree(source: type[fx.Numeric]) -> None:
    values = values_of(source, 3)
    if source.is_float:  # what no integer is near is undefined
        values = np.clip(values, 0, 100)
    found = np.zeros((len(CONVERTED), THREADS), np.int64)
    convert_run(held(values, source), found, source, CONVERTED)
    for target, row in zip(CONVERTED, found, strict=True):
        for x, bits in zip(values.tolist(), row.tolist(), strict=True):
            known = source(x).to(target)
            wanted = known.to(fx.Float64).value if target.is_float else known.to(fx.Int64).value
            got = np.int64(bits).view(np.float64) if target.is_float else bits
            assert got == wanted or (got != got and wanted != wanted), f"{source(x)!r} to {target}"


WRAPPING = (fx.Int128, fx.Uint128, *(kind for kind in TYPES if kind.is_integer and kind is not fx.Boolean))


@given(st.integers(-(1 << 130), 1 << 130), st.sampled_from(WRAPPING))
def test_integers_wrap(value: int, kind: type[fx.Numeric]) -> None:
    low = value & ((1 << kind.width) - 1)
    wanted = low - (1 << kind.width) if kind.signed and low >> (kind.width - 1) else low
    assert kind(value).value == wanted


@given(st.integers(-1000, 1000), st.integers(-1000, 1000).filter(bool))
def test_quotients_and_remainders_are_those_of_run_time(a: int, b: int) -> None:
    assert (fx.Int32(a) // fx.Int32(b)).value == a // b
    assert (fx.Int32(a) % fx.Int32(b)).value == int(np.fmod(a, b))


def test_what_is_undefined_is_refused() -> None:
    refused: tuple[Callable[[], object], ...] = (
        lambda: fx.Int32(1) // 0,
        lambda: fx.Int32(1) << 32,
        lambda: fx.Float32(1.0) & 1,
        lambda: fx.Float8E5M2(1.0) * fx.Float8E5M2(1.0),
        lambda: fx.Float8E5M2(1.0) + fx.Float8E4M3FN(1.0),
        lambda: fx.Int32(1e10),
        lambda: fx.as_numeric(1 << 70),
    )
    for one in refused:
        with pytest.raises(KernelError):
            one()


@fx.struct
class Signed:
    one: fx.Uint8
    several: fx.Array[fx.Uint16, 4]


@flyc.kernel
def stored_kernel(R: fx.Tensor, kind: fx.Constexpr):
    allocator = fx.SharedAllocator()
    several, one = allocator.allocate(fx.Array[kind, 4]).peek(), allocator.allocate(kind)
    both = allocator.allocate(Signed)
    several[1] = kind(-1)
    one.poke(kind(-1))
    both.one.poke(fx.Uint8(255))
    both.several.peek()[2] = fx.Uint16(65535)
    for i, x in enumerate((several[1], one.peek(), both.peek().one, both.peek().several[2])):
        R[i] = x.to(fx.Int64)


@flyc.jit
def stored_run(R: fx.Tensor, kind: fx.Constexpr):
    stored_kernel(R, kind).launch(grid=1, block=1)


@pytest.mark.parametrize("kind", [fx.Int8, fx.Int32, fx.Uint8, fx.Uint16, fx.Uint32], ids=str)
def test_what_lies_in_memory_of_a_declared_type_has_its_sign(kind: type[fx.Numeric]) -> None:
    found = np.zeros(4, np.int64)
    stored_run(found, kind)
    assert found.tolist() == [int(kind(-1))] * 2 + [255, 65535]


@flyc.kernel
def powers_kernel(R: fx.Tensor, U: fx.Tensor, Q: fx.Tensor, most: fx.Constexpr[int]):
    tid = fx.thread_idx.x
    for k in fx.range_constexpr(most):
        R[tid, k] = (tid - 3) ** k
    U[tid] = abs(fx.Uint32(tid - 3))
    Q[tid] = (fx.Int64(tid) + (1 << 40)) / fx.Int64(8)


@flyc.jit
def powers(R: fx.Tensor, U: fx.Tensor, Q: fx.Tensor, most: fx.Constexpr[int]):
    powers_kernel(R, U, Q, most).launch(grid=1, block=8)


def test_powers_sizes_and_quotients_of_run_time_are_those_of_python() -> None:
    """Numbers without a sign are their own size; quotients of 64 bits have the digits of a double."""
    r, u, q = np.zeros((8, 9), np.int32), np.zeros(8, np.uint32), np.zeros(8)
    powers(r, u, q, 9)
    assert r.tolist() == [[(i - 3) ** k for k in range(9)] for i in range(8)]
    assert u.tolist() == [(i - 3) % 2**32 for i in range(8)]
    assert q.tolist() == [(i + 2**40) / 8 for i in range(8)]
    assert float(fx.Int64(2**40 + 1) / fx.Int64(8)) == (2**40 + 1) / 8
