"""What kernels print: the same lines at every stage and on every target, and of run time what is known prints."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.passes.fly.pipeline import STAGES

LINE = "{} {} {} {} {}"


@flyc.kernel
def told_kernel(A: fx.Tensor, b: fx.Boolean, u: fx.Uint32, n: fx.Int32):
    i = fx.thread_idx.x
    v = fx.ptr_load(fx.get_iter(A), fx.Float32x2)
    fx.printf(LINE, i < n, b, u, v > 0.0, (v * 2.0).to(fx.Int32))


@flyc.jit
def told(A: fx.Tensor, b: fx.Boolean, u: fx.Uint32, n: fx.Int32):
    told_kernel(A, b, u, n).launch(grid=1, block=2)


@flyc.jit
def known(A: fx.Tensor):
    for i in fx.range_constexpr(2):
        numbers = [bool(x > 0) for x in VALUES], [int(x * 2) for x in VALUES]
        known_kernel(fx.Boolean(i < 1), fx.Boolean(True), fx.Uint32(2**32 - 1), *numbers).launch(grid=1, block=1)


@flyc.kernel
def known_kernel(less: fx.Constexpr, b: fx.Constexpr, u: fx.Constexpr, v: fx.Constexpr, w: fx.Constexpr):
    fx.printf(LINE, less, b, u, str(v), str(w))


VALUES = (1.5, -2.0)


def test_what_is_known_and_what_is_not_prints_alike(capfd: pytest.CaptureFixture[str]) -> None:
    a = np.array(VALUES, np.float32)
    known(a)
    wanted = capfd.readouterr().out
    assert wanted == "True True 4294967295 [True, False] [3, -4]\nFalse True 4294967295 [True, False] [3, -4]\n"
    given = a, True, fx.Uint32(2**32 - 1), 1
    for stage in STAGES:
        told.simulate(stage, *given)
        assert capfd.readouterr().out == wanted, stage
    for target in ("host", "host -compiler=llvmlite"):
        tw.compile(told, *given, target=target)(*given)
        assert capfd.readouterr().out == wanted, target
    assert tw.compile(told, *given, target="cuda:sm_90a").source.count('"True" : "False"') == 4
