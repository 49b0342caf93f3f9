"""Views have bounds of their own: every stage and the host give the same data, or the same error."""

from __future__ import annotations

from pathlib import Path
from random import Random

import control_programs
import numpy as np
import pytest
import view_programs

import tilewright as tw
from tilewright.errors import KernelError, OutOfBoundsError
from tilewright.lang.primfunc import PrimFunc


def check(program: view_programs.Program, kernel: PrimFunc, target: str, stage: str = "final") -> None:
    a, b = np.arange(64, dtype=np.int32) * 3, np.zeros((view_programs.THREADS, 8), np.int32)
    compiled = tw.compile(kernel, target=target)

    def run() -> None:
        if target == "simulator":
            compiled.simulate(a, b, stage=stage)
        else:
            compiled(a, b)

    if not program.inside:
        with pytest.raises(OutOfBoundsError, match=r"[a-z]+s coordinate -?[0-9]+ in dimension [0-9] of v[0-9]"):
            run()
        return
    run()
    if all(access.kind != "atomic" for access in program.accesses):
        assert (b == program.expected(np.arange(64, dtype=np.int32) * 3)).all()


@pytest.mark.parametrize("seed", range(24))
def test_every_stage_agrees(seed: int, tmp_path: Path) -> None:
    program = view_programs.program(Random(seed))
    if program.refused:  # an index that is a constant
        with pytest.raises(KernelError, match="lies outside a dimension"):
            control_programs.written(program.source, tmp_path)
        return
    kernel = control_programs.written(program.source, tmp_path)
    for stage in ("tile", "dispatched", "lowered", "final"):
        check(program, kernel, "simulator", stage)
    if seed in (1, 2):
        check(program, kernel, "host")
