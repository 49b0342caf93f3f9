"""The simulator's workloads as a peer has them, timed in a process of its own; prints JSON: name -> CPU seconds.

    python benchmarks/simulator_peers.py triton|numba

Triton's interpreter works on whole blocks: it has no lanes, no shared memory and no checks. Numba's simulator has a
thread for each lane, and checks nothing; it is run on a smaller problem. Every result is checked.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

TILE = 32
SMALL = 128  # numba's size: it takes time by the element


def timed(work: Callable[[], object]) -> float:
    """CPU seconds of one call."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


class Tensor:
    """What Triton's interpreter asks of a tensor, of an array."""

    def __init__(self, array: Floats) -> None:
        self.array, self.dtype = array, array.dtype.name

    def data_ptr(self) -> int:
        """Where the elements lie."""
        return int(self.array.ctypes.data)

    def untyped_storage(self) -> Tensor:
        """Its storage is itself."""
        return self

    def cpu(self) -> Tensor:
        """It is there already."""
        return self

    def new_empty(self, *_: object, **__: object) -> Tensor:
        """Another one, before `set_`."""
        return Tensor(self.array)

    def set_(self, storage: Tensor, *_: object) -> None:
        """Has this storage now."""
        self.array = storage.array

    def copy_(self, other: Tensor) -> None:
        """Both are the same memory."""

    def storage_offset(self) -> int:
        """It begins at its storage."""
        return 0

    def size(self) -> tuple[int, ...]:
        """The shape."""
        return self.array.shape

    def stride(self) -> tuple[int, ...]:
        """In elements."""
        return tuple(step // self.array.itemsize for step in self.array.strides)


def triton_rows() -> dict[str, float]:
    """Transposes and a product, by 32 x 32 and 64 x 64 tiles."""
    os.environ["TRITON_INTERPRET"] = "1"
    import triton
    import triton.language as tl

    @triton.jit
    def transpose(A, B, n: tl.constexpr, tile: tl.constexpr):
        x, y = tl.program_id(0) * tile + tl.arange(0, tile), tl.program_id(1) * tile + tl.arange(0, tile)
        found = tl.load(A + y[:, None] * n + x[None, :])
        tl.store(B + x[:, None] * n + y[None, :], tl.trans(found))

    @triton.jit
    def multiply(A, B, C, n: tl.constexpr, tile: tl.constexpr):
        x, y = tl.program_id(0) * tile + tl.arange(0, tile), tl.program_id(1) * tile + tl.arange(0, tile)
        total = tl.zeros((tile, tile), tl.float32)
        for start in range(0, n, tile):
            k = start + tl.arange(0, tile)
            a, b = tl.load(A + y[:, None] * n + k[None, :]), tl.load(B + k[:, None] * n + x[None, :])
            total += tl.dot(a, b, input_precision="ieee")
        tl.store(C + y[:, None] * n + x[None, :], total)

    rng, found = np.random.default_rng(0), {}
    n = 2048
    a, b = rng.normal(size=(n, n)).astype(np.float32), np.zeros((n, n), np.float32)
    grid = (n // TILE, n // TILE)
    found["transpose"] = timed(lambda: transpose[grid](Tensor(a), Tensor(b), n, TILE))
    assert (b == a.T).all()
    n = 512
    a, b = (rng.integers(-4, 4, (n, n)).astype(np.float32) for _ in range(2))
    c = np.zeros((n, n), np.float32)
    found["product"] = timed(lambda: multiply[(8, 8)](Tensor(a), Tensor(b), Tensor(c), n, 64))
    assert (c == a @ b).all()
    return found


def numba_rows() -> dict[str, float]:
    """The transpose of a small matrix."""
    os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
    global cuda  # the simulator puts its own in the place of this name
    from numba import cuda, float32

    @cuda.jit
    def transpose(a, b):
        tile = cuda.shared.array((TILE, TILE + 1), float32)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        x0, y0 = cuda.blockIdx.x * TILE, cuda.blockIdx.y * TILE
        for i in range(0, TILE, 8):
            tile[ty + i, tx] = a[y0 + ty + i, x0 + tx]
        cuda.syncthreads()
        for i in range(0, TILE, 8):
            b[x0 + ty + i, y0 + tx] = tile[tx, ty + i]

    a = np.random.default_rng(0).normal(size=(SMALL, SMALL)).astype(np.float32)
    b = np.zeros_like(a)
    found = {"transpose": timed(lambda: transpose[(SMALL // TILE, SMALL // TILE), (TILE, 8)](a, b))}
    assert (b == a.T).all()
    return found


if __name__ == "__main__":
    print(json.dumps({"triton": triton_rows, "numba": numba_rows}[sys.argv[1]]()))
