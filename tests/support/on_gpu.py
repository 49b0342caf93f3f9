"""The GPU of this machine as one more target of the tests; on most machines there is none."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.runtime.on_cuda import CudaExecutor
from tilewright.targets.cuda.driver import driver, why_no_gpu
from tilewright.targets.simulator.options import SimOptions


def _target() -> str:
    major, minor = driver().capability
    return f"cuda:sm_{major}{minor}"


GPU: tuple[str, ...] = () if why_no_gpu() else (_target(),)
TARGETS = ("simulator", "host", *GPU)


def check_on_gpu(module: ModuleOp, arrays: list[Any], expected: list[Any]) -> None:
    """The kernel, at stage `final`, makes these of the arrays on the GPU, where there is one."""
    for target in GPU:
        found = [array.copy() for array in arrays]
        CudaExecutor(module, Target(target))(found, SimOptions())
        for ours, theirs in zip(expected, found, strict=True):
            assert same(ours, theirs), target


def same(ours: Any, theirs: Any) -> bool:
    """Equal bits, but that a NaN is any NaN: which one an operation makes differs between processors."""
    rows = [array.reshape(-1).view(np.uint8).reshape(array.size, -1) for array in (ours, theirs)]
    return bool(((rows[0] == rows[1]).all(axis=1) | (_nan(ours) & _nan(theirs))).all())


def _nan(array: Any) -> Any:
    try:
        with np.errstate(invalid="ignore"):  # signalling ones
            return np.isnan(array.reshape(-1))
    except TypeError:  # vectors
        return np.zeros(array.size, bool)
