"""Tensor maps: what the hardware would not take is refused, and boxes are where the array says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import UsageError
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import simulate


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tw.TensorMap([1, 2], (2,)), "takes a numpy array"),  # type: ignore[arg-type]  # wrong on purpose
        (lambda: tw.TensorMap(np.zeros((4, 8), np.float32), (4, 8), "12B"), "the swizzle is one of"),
        (lambda: tw.TensorMap(np.zeros((4, 8), np.float32), (8,)), "a box of 2 extents"),
        (lambda: tw.TensorMap(np.zeros((512, 8), np.float32), (512, 8)), "from 1 to 256"),
        (lambda: tw.TensorMap(np.zeros((4, 6), np.float16), (4, 8)), "multiples of 16 bytes"),
        (lambda: tw.TensorMap(np.zeros((4, 8), np.float16), (4, 4)), "rows of a box"),
        (lambda: tw.TensorMap(np.zeros((4, 64), np.float32), (4, 64), "128B"), "has 128 at most"),
        (lambda: tw.TensorMap(np.zeros((8, 8), np.float32).T[:, ::2], (4, 4)), "side by side"),
    ],
)
def test_what_no_hardware_takes(make: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make()


def test_a_box_is_a_slice_of_the_array_with_zeros_around_it() -> None:
    whole = np.arange(3 * 8 * 16, dtype=np.int32).reshape(3, 8, 16)
    part = whole[:, 1:7, :12]
    map_ = tw.TensorMap(part, (2, 4, 8))
    padded = np.pad(part, 9)
    for start in ((0, 0, 0), (1, 3, 8), (-1, -2, -4), (2, 5, 11), (2, 5, 200)):
        at, inside = map_.positions([np.array([c]) for c in reversed(start)])
        found = np.where(inside, map_.flat()[at], 0).reshape(2, 4, 8)
        if start[2] < 20:
            expected = padded[tuple(slice(9 + s, 9 + s + e) for s, e in zip(start, map_.box, strict=True))]
            assert (found == expected).all()
        else:
            assert not found.any()


@T.prim_func
def fill(M: T.TensorMap()) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((32,), "float32")
    s[t] = 1.0
    T.ptx.fence.proxy.async_()
    T.cuda.warp_sync()
    if t == 0:
        T.ptx["cp.async.bulk.tensor.1d.global.shared::cta.bulk_group"](T.address_of(M), 0, s.ptr_to([0]))
        T.ptx.cp.async_.bulk.commit_group()
        T.ptx.cp.async_.bulk.wait_group.read(0)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (np.zeros(32, np.float32), "takes a tilewright.TensorMap"),
        (tw.TensorMap(np.zeros((4, 8), np.float32), (4, 8)), "2 dimensions for a copy with 1 coordinates"),
        (tw.TensorMap(np.zeros(32, np.float64), (32,)), "64-bit elements for a tile of 32-bit ones"),
    ],
)
def test_a_map_that_does_not_fit_the_kernel(given: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        simulate(run(fill.module).module, [given])


def test_a_compiled_kernel_takes_a_map() -> None:
    array = np.zeros(40, np.float32)
    tw.compile(fill)(tw.TensorMap(array, (32,)))
    assert array.tolist() == [1.0] * 32 + [0.0] * 8
