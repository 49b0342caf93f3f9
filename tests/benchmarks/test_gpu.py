"""The GPU's benchmark, on a stand-in for the driver: right results are timed, wrong ones are refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_driver import fake_driver

import tilewright as tw
from tilewright.dtypes import dtype
from tilewright.targets.cuda.driver import Driver

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import gpu

    return gpu


def test_a_row(gpu: Any, tmp_path: Path) -> None:
    subject = gpu.Subject("two", gpu.permuted(3, 2, 2, "uint8"), "uint8", 3 * 2 * 2 * 128, gpu.tiles_turned)
    driver = Driver.open(fake_driver(tmp_path, tw.compile(subject.kernel).text))
    row = gpu.measured(driver, subject)
    assert driver.library.tw_live() == 0
    assert row.nbytes == subject.elements
    assert row.milliseconds > 0
    assert row.gb_per_s == pytest.approx(2 * row.nbytes / row.milliseconds / 1e6)
    assert row.of_copy == pytest.approx(row.copy_milliseconds / row.milliseconds)
    assert gpu.device(driver) == "stand-in, driver for CUDA 13.2"
    assert gpu.target(driver) == "cuda:sm_90a"
    with pytest.raises(SystemExit, match="two, uint8: the result is wrong"):
        gpu.measured(driver, replace(subject, expected=lambda source: source))


def test_every_subject_computes_what_it_says(gpu: Any) -> None:
    """All are of the size asked for, but that a square is the largest that fits."""
    for subject in gpu.subjects(1):
        kind = dtype(subject.dtype).numpy()
        nbytes = subject.elements * kind.itemsize
        assert 0.9 * gpu.MIB < nbytes <= gpu.MIB
        source = np.frombuffer(np.random.default_rng(0).bytes(nbytes), np.uint8).copy()
        result = ~source
        tw.compile(subject.kernel, target="simulator")(source.view(kind), result.view(kind))
        gpu.check(subject, source, result)
        result[-1] ^= 1
        with pytest.raises(SystemExit, match="the result is wrong"):
            gpu.check(subject, source, result)
