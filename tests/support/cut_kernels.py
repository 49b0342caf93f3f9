"""Kernels of stage `final` with their threads cut into loops, run beside the kernels as they were."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.text import verify
from tilewright.passes.cse import Cse
from tilewright.passes.dce import Dce
from tilewright.passes.fission.fission import Fission
from tilewright.passes.simplify import Simplify
from tilewright.targets.simulator.limits import Limits
from tilewright.targets.simulator.simulate import simulate

Array = NDArray[np.generic]
MANY = Limits(steps=10**8)  # one thread does what a block did


@lru_cache(maxsize=4)
def cut(module: ModuleOp, lanes: int = 32) -> ModuleOp:
    """A copy whose blocks have one thread: to be read only, the last few are kept."""
    made = module.clone()
    for step in (Fission(lanes), Simplify(), Cse(), Dce()):
        step.apply(Context(), made)
    verify(made)
    return made


def same_when_cut(module: ModuleOp, arrays: Sequence[Array], arch: str = "sm_90", lanes: int = 32) -> list[Array]:
    """The arrays after a run; that of the loops gives the same bits, with every check."""
    before, after = ([array.copy() for array in arrays] for _ in range(2))
    simulate(module, before, arch=arch)
    simulate(cut(module, lanes), after, arch=arch, limits=MANY)
    assert [array.tobytes() for array in before] == [array.tobytes() for array in after]
    return before
