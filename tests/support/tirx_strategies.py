"""Random TIRx layouts, and shapes and regions that go with them."""

from __future__ import annotations

from math import prod
from typing import Any

from hypothesis import strategies as st

from tilewright.tirx.layout import Iter, TileLayout

MEMORY = ("m", "TLane", "TCol", "P", "F")
THREADS = ("laneid", "warpid", "wgid", "wid_in_wg", "tid_in_wg", "tx", "bx", "cbx")
AXES = st.sampled_from([*MEMORY, *THREADS])
# Families whose levels form a chain.
CHAINS = st.sampled_from(
    [("m",), ("m", "laneid"), ("laneid", "warpid"), ("laneid", "wid_in_wg", "wgid"), ("tid_in_wg", "wgid", "m")]
)
STRIDES = st.one_of(st.integers(-8, 16), st.sampled_from([0, 1, 1, 2, 4, 8, 16, 32, 64]))


@st.composite
def iters(draw: st.DrawFn, axes: Any = AXES, strides: Any = STRIDES, limit: int = 64, max_size: int = 4) -> list[Iter]:
    """Iters of at most `limit` positions in all; often each as wide as what the faster ones cover."""
    out: list[Iter] = []
    for _ in range(draw(st.integers(0, max_size))):
        extent = draw(st.integers(1, 6))
        if extent * prod(it.extent for it in out) > limit:
            break
        axis = draw(axes)
        covered = 1 + sum((it.extent - 1) * abs(it.stride) for it in out if it.axis.name == axis)
        out.insert(0, Iter(extent, draw(st.one_of(st.just(covered), strides)), axis))
    return out


@st.composite
def tiles(
    draw: st.DrawFn, axes: Any = None, strides: Any = STRIDES, replicas: bool = True, offsets: bool = True,
    limit: int = 64,
) -> TileLayout:  # fmt: skip
    """A tile layout; its axes are of one chain unless told."""
    axes = st.sampled_from(draw(CHAINS)) if axes is None else axes
    offset = draw(st.dictionaries(axes, st.integers(-9, 99), max_size=2)) if offsets else {}
    replica = draw(iters(axes, strides, limit=12, max_size=2)) if replicas else []
    return TileLayout.from_iters(draw(iters(axes, strides, limit)), replica, offset)


@st.composite
def shapes(draw: st.DrawFn, size: int) -> list[int]:
    """A shape of that size: its prime factors dealt to a few dimensions."""
    shape = [1] * draw(st.integers(1, 4))
    for factor in _primes(size):
        shape[draw(st.integers(0, len(shape) - 1))] *= factor
    return shape


@st.composite
def regions(draw: st.DrawFn, shape: list[int]) -> list[tuple[int, int]]:
    """A box within the shape."""
    out = []
    for extent in shape:
        begin = draw(st.integers(0, extent - 1))
        out.append((begin, draw(st.integers(begin + 1, extent))))
    return out


def _primes(n: int) -> list[int]:
    out, p = [], 2
    while n > 1:
        while n % p == 0:
            out.append(p)
            n //= p
        p += 1
    return out
