"""What tests of programs share."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from fx_targets import asked, repeated

from tilewright.errors import BarrierError, CompileError
from tilewright.passes.fly.pipeline import FLAT, STAGES
from tilewright.runtime.fly.known import Known, Memory
from tilewright.runtime.on_fly import FlyModule
from tilewright.targets.simulator.options import SimOptions

# What flat kernels have no words for: of AMD's machines alone.
NOT_FLAT = re.compile(r"BufferCopyLDS|is gfx\d+'s|metadata or scale factors")


def _is_flat(module: FlyModule) -> bool:
    """Are the module's kernels flat? Those that are not have what is listed."""
    try:
        module.at(FLAT)
    except CompileError as error:
        if not NOT_FLAT.search(str(error)):
            raise
        return False
    return True


@contextlib.contextmanager
def _parted(flat: bool) -> Iterator[list[BarrierError]]:
    """Flat lanes tell each other as CUDA's do, whole warps at a time: whoever has parted is refused, and noted."""
    refused: list[BarrierError] = []
    try:
        yield refused
    except BarrierError as error:
        if not flat or "an instruction of its warp" not in str(error):
            raise
        refused.append(error)


@pytest.fixture(autouse=True)
def every_target(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test runs, runs again on the targets that the environment asks for."""
    if asked():
        monkeypatch.setattr(FlyModule, "run", repeated(FlyModule.run))


@pytest.fixture
def every_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a test runs, runs again at each later stage on what the arrays held before; they hold the same bytes."""
    run = FlyModule.run

    def at_every_stage(self: FlyModule, arguments: Sequence[Known], options: SimOptions) -> None:
        arrays = [x.array for x in arguments if isinstance(x, Memory)]
        before = [array.copy() for array in arrays]
        run(self, arguments, options)
        after = [array.copy() for array in arrays]
        for stage in STAGES[STAGES.index(self.stage) + 1 :]:
            if stage == FLAT and not _is_flat(self):
                continue
            for array, held in zip(arrays, before, strict=True):
                np.copyto(array, held)
            with contextlib.redirect_stdout(io.StringIO()), _parted(stage == FLAT) as parted:
                run(self.at(stage), arguments, options)
            if parted:
                for array, content in zip(arrays, after, strict=True):
                    np.copyto(array, content)
            for array, held in zip(arrays, after, strict=True):
                assert array.tobytes() == held.tobytes(), stage

    monkeypatch.setattr(FlyModule, "run", at_every_stage)
