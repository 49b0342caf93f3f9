"""The benchmark of target `host`: its kernels give the bits of the loops by hand, which `rows` compares."""

from __future__ import annotations

import host
import numpy as np
import pytest
from kernel_sources import gathered, multiplied, ringed, transposed

import tilewright as tw
from tilewright.lang.primfunc import PrimFunc

RNG = np.random.default_rng(0)


def test_rows_compare_before_they_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "ROUNDS", 1)
    x, y = (RNG.normal(size=(host.PRODUCT, host.PRODUCT)).astype(np.float32) for _ in range(2))
    kernels = {"": multiplied(host.PRODUCT, 64, 64, 8)}
    found = host.rows("product", ("product_rows", "product_tiles"), kernels, [x, y, np.zeros_like(x)])
    assert [row.ratio is None for row in found] == [True, True, False]
    with pytest.raises(AssertionError, match="product, target host"):
        host.rows("product", ("product_rows",), {"": multiplied(host.PRODUCT, 64, 64, 8)}, [x, x, x])


@pytest.mark.parametrize(
    ("kernel", "shape"),
    [
        (transposed(64), (64, 64)),
        (multiplied(64, 32, 32), (64, 64)),
        (multiplied(64, 64, 32, 16), (64, 64)),
        (ringed(3, 20, stages=5), (3, 20, 256)),
        (gathered(64), (64, 64)),
    ],
    ids=lambda found: found.name if isinstance(found, PrimFunc) else "",
)
def test_benchmarked_kernels_give_the_bits_of_the_simulator(kernel: PrimFunc, shape: tuple[int, ...]) -> None:
    compiled = tw.compile(kernel, target="host")
    count = len(compiled.text.parameters)
    arrays = [RNG.normal(size=shape).astype(np.float32) for _ in range(2 + (count == 3))]
    if "R_buf" in [parameter.name for parameter in compiled.text.parameters]:
        arrays[2] = RNG.permutation(64).astype(np.int32)
    theirs = [array.copy() for array in arrays]
    compiled.simulate(*arrays)
    compiled(*theirs)
    assert [array.tobytes() for array in arrays] == [array.tobytes() for array in theirs]
