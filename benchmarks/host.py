"""CPU time of target `host` beside loops written by hand in C, all compiled with the same flags, in one run.

    python benchmarks/host.py [--json]

Results are compared bit by bit before anything is timed; rows are timed in turns, and the figure is the least of
several. The hand-written product adds in the order of the kernel, so that it gives the same bits; the best of the
loops is what the ratio is to.
"""

from __future__ import annotations

import ctypes
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from kernel_sources import multiplied, transposed
from numpy.typing import NDArray

import tilewright as tw
from tilewright.lang.primfunc import PrimFunc
from tilewright.targets.host.loops import library_of

Array = NDArray[np.float32]
TRANSPOSED, PRODUCT, ROUNDS = 2048, 512, 15

BY_HAND = f"""
#include <cstring>
#define C extern "C"
enum {{ T = {TRANSPOSED}, N = {PRODUCT} }};

C void transpose_rows(const float* __restrict__ a, float* __restrict__ b) {{
  for (int i = 0; i < T; ++i)
    for (int j = 0; j < T; ++j) b[j * T + i] = a[i * T + j];
}}

C void transpose_blocks(const float* __restrict__ a, float* __restrict__ b) {{
  for (int i = 0; i < T; i += 32)
    for (int j = 0; j < T; j += 32)
      for (int y = j; y < j + 32; ++y)
        for (int x = i; x < i + 32; ++x) b[y * T + x] = a[x * T + y];
}}

C void transpose_tile(const float* __restrict__ a, float* __restrict__ b) {{
  for (int i = 0; i < T; i += 32)
    for (int j = 0; j < T; j += 32) {{
      float tile[32][33];
      for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) tile[y][x] = a[(i + y) * T + j + x];
      for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) b[(j + y) * T + i + x] = tile[x][y];
    }}
}}

C void product_rows(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {{
  std::memset(c, 0, sizeof(float) * N * N);
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < N; ++k)
      for (int j = 0; j < N; ++j) c[i * N + j] += a[i * N + k] * b[k * N + j];
}}

C void product_registers(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {{
  for (int i0 = 0; i0 < N; i0 += 8)
    for (int j0 = 0; j0 < N; j0 += 8) {{
      float r[8][8] = {{}};
      for (int k = 0; k < N; ++k)
        for (int i = 0; i < 8; ++i)
          for (int j = 0; j < 8; ++j) r[i][j] += a[(i0 + i) * N + k] * b[k * N + j0 + j];
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) c[(i0 + i) * N + j0 + j] = r[i][j];
    }}
}}

C void product_tiles(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c) {{
  for (int y = 0; y < N; y += 64)
    for (int x = 0; x < N; x += 64) {{
      float sum[64][64] = {{}}, s[64][8], t[8][64];
      for (int k0 = 0; k0 < N; k0 += 8) {{
        for (int i = 0; i < 64; ++i)
          for (int k = 0; k < 8; ++k) s[i][k] = a[(y + i) * N + k0 + k];
        for (int k = 0; k < 8; ++k)
          for (int j = 0; j < 64; ++j) t[k][j] = b[(k0 + k) * N + x + j];
        for (int i0 = 0; i0 < 64; i0 += 8)
          for (int j0 = 0; j0 < 64; j0 += 8) {{
            float r[8][8];
            for (int i = 0; i < 8; ++i)
              for (int j = 0; j < 8; ++j) r[i][j] = sum[i0 + i][j0 + j];
            for (int k = 0; k < 8; ++k)
              for (int i = 0; i < 8; ++i)
                for (int j = 0; j < 8; ++j) r[i][j] += s[i0 + i][k] * t[k][j0 + j];
            for (int i = 0; i < 8; ++i)
              for (int j = 0; j < 8; ++j) sum[i0 + i][j0 + j] = r[i][j];
          }}
      }}
      for (int i = 0; i < 64; ++i)
        for (int j = 0; j < 64; ++j) c[(y + i) * N + x + j] = sum[i][j];
    }}
}}
"""


@dataclass(frozen=True)
class Row:
    """One figure, in seconds; `ratio` is to the fastest loop by hand, and is at most 2 where it is a budget."""

    name: str
    seconds: float
    ratio: float | None = None

    def __str__(self) -> str:
        ratio = "-" if self.ratio is None else f"{self.ratio:.2f}"
        return f"| {self.name} | {1e3 * self.seconds:.2f} | {ratio} |"


def least(works: Sequence[Callable[[], object]]) -> list[float]:
    """The least time of each, taken in turns, so that what else the machine does meets all alike."""
    times = [float("inf")] * len(works)
    for _ in range(ROUNDS):
        for number, work in enumerate(works):
            begin = time.process_time()
            work()
            times[number] = min(times[number], time.process_time() - begin)
    return times


def by_hand(library: ctypes.CDLL, name: str, arrays: Sequence[Array]) -> Callable[[], object]:
    """A call of a function written by hand."""
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    return lambda: library[name](*pointers)


def rows(title: str, hands: Sequence[str], kernels: dict[str, PrimFunc], arrays: list[Array]) -> list[Row]:
    """The rows of one workload, whose last array is its result."""
    library, result = library_of(BY_HAND), arrays[-1]
    works = {f"{title}, by hand: {name}": by_hand(library, name, arrays) for name in hands}
    for name, kernel in kernels.items():
        compiled = tw.compile(kernel, target="host")
        works[f"{title}, target host{name}"] = lambda compiled=compiled: compiled(*arrays)
    expected = None
    for name, work in works.items():
        result[:] = np.nan
        work()
        expected = result.tobytes() if expected is None else expected
        assert result.tobytes() == expected, name
    times = least(list(works.values()))
    best = min(times[: len(hands)])
    ratios = [None if number < len(hands) else seconds / best for number, seconds in enumerate(times)]
    return [Row(name, seconds, ratio) for name, seconds, ratio in zip(works, times, ratios, strict=True)]


def main() -> None:
    """Prints a Markdown table, or JSON."""
    rng = np.random.default_rng(0)
    a = rng.normal(size=(TRANSPOSED, TRANSPOSED)).astype(np.float32)
    x, y = (rng.normal(size=(PRODUCT, PRODUCT)).astype(np.float32) for _ in range(2))
    hands = ("transpose_rows", "transpose_blocks", "transpose_tile")
    found = rows(f"transpose {TRANSPOSED}^2", hands, {"": transposed(TRANSPOSED)}, [a, np.zeros_like(a)])
    hands = ("product_rows", "product_registers", "product_tiles")
    tiles = ((64, 64, 8), (64, 128, 16), (128, 128, 8))
    kernels = {f", blocks of {m}x{n}, {k} deep": multiplied(PRODUCT, m, n, k) for m, n, k in tiles}
    found += rows(f"product {PRODUCT}^3", hands, kernels, [x, y, np.zeros_like(x)])
    if "--json" in sys.argv:
        print(json.dumps([asdict(row) for row in found], indent=1))
        return
    print("| what | ms | to the best by hand |", "|---|---|---|", *found, sep="\n")


if __name__ == "__main__":
    main()
