"""Kernels that permute layouts, made from parameters, and what they must do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.dtypes import dtype as find_dtype
from tilewright.ir.memory import storage_elements
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import S, TileLayout

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class Permute:
    """dst[i] = src[i] over whole buffers of `shape`, for every stage of a first dimension of `pipe`."""

    shape: tuple[int, ...]
    src: TileLayout
    dst: TileLayout
    dtype: str = "float32"
    dst_dtype: str = ""
    threads: int = 32
    pipe: int = 0

    def kernel(self) -> PrimFunc:
        """The kernel: in one call, or in a call for each stage."""
        return self._staged() if self.pipe else self._whole()

    def _whole(self) -> PrimFunc:
        shape, src, dst, dtype, dst_dtype = self.shape, self.src, self.dst, self.dtype, self.dst_dtype or self.dtype
        threads = self.threads

        @T.prim_func
        def f(A: T.handle, B: T.handle):
            A_buf = T.match_buffer(A, shape, dtype, layout=src)
            B_buf = T.match_buffer(B, shape, dst_dtype, layout=dst)
            T.device_entry()
            T.cta_id([1])
            T.thread_id([threads])
            Tx.warp.permute_layout(B_buf, A_buf)

        return f

    def _staged(self) -> PrimFunc:
        shape, src, dst, dtype, pipe, threads = self.shape, self.src, self.dst, self.dtype, self.pipe, self.threads

        @T.prim_func
        def f(A: T.handle, B: T.handle):
            A_buf = T.match_buffer(A, shape, dtype, layout=src)
            B_buf = T.match_buffer(B, shape, dtype, layout=dst)
            T.device_entry()
            T.cta_id([1])
            T.thread_id([threads])
            for s in T.serial(0, pipe):
                Tx.warp.permute_layout(B_buf[s], A_buf[s])

        return f

    def arrays(self) -> tuple[Array, Array]:
        """Distinct bits in the source's memory, a pattern in the destination's."""
        kind = find_dtype(self.dtype).numpy()
        rng = np.random.default_rng(0)
        sizes = storage_elements(self.src), storage_elements(self.dst)
        bits = [rng.integers(0, 256, size * kind.itemsize, dtype=np.uint8) for size in sizes]
        return bits[0].view(kind), bits[1].view(kind)

    def expected(self, src: Array, dst: Array) -> Array:
        """The definition: dst at L_dst(i) holds src at L_src(i), and the rest is as it was."""
        count = int(np.prod(self.shape))
        result = dst.copy()
        result[[self.dst.base(i)["m"] for i in range(count)]] = src[[self.src.base(i)["m"] for i in range(count)]]
        return result


# A permutation of 128 numbers that no turn of the registers frees of conflicts, and one that is no map of bits.
BIT_LINEAR = Permute((8, 16), TileLayout(S[8, 16]), TileLayout(S[(8, 2, 2, 4) : (2, 64, 1, 16)]), "float64")
TABLE = Permute((9, 12), TileLayout(S[9, 12]), TileLayout(S[(3, 3, 12) : (12, 36, 1)]), "float64")


def scale_factors(pipe: int = 2, block: int = 128, dtype: str = "float32", threads: int = 32) -> Permute:
    """Document 000's program: the inner 4 x 32 of every stage is transposed."""
    shape = (pipe, 1, 4, 32)
    src, dst = (TileLayout(S[shape : (block, 128, *inner)]) for inner in ((32, 1), (1, 4)))
    return Permute(shape, src, dst, dtype, threads=threads, pipe=pipe)


def transpose(rows: int, columns: int = 32, dtype: str = "float32") -> Permute:
    """A rows x columns matrix from row-major to column-major."""
    shape = (rows, columns)
    return Permute(shape, TileLayout(S[shape : (columns, 1)]), TileLayout(S[shape : (1, rows)]), dtype)
