"""Translation validation: every right kernel of the corpus does on the CPU what the simulator does, bit for bit.

Those of NVIDIA's machines by their CUDA text, as it stands; all that become loops as these, too. None is left out.
"""

from __future__ import annotations

from functools import partial

import pytest
from faults import kernels
from headers import ready
from right_kernels import LANES, Right, right, whens

from tilewright.passes.pipeline import run
from tilewright.targets.host.compiler import WARNINGS, compile_together, literal
from tilewright.targets.host.loops import LoopKernel, loops_together
from tilewright.targets.host.program import LATE, SOON

PROGRAMS = 4  # that the kernels share, each compiled once
FAST = (*WARNINGS, "-O0")  # to compile
UNTUNED = ("-shared", "-fPIC", "-O0")
AS_LOOPS = 64  # kernels at least that the fast way takes: may only grow


def wrong_ones(chosen: list[Right]) -> list[str]:
    """Which texts give other bits, with copies that are done at once, and as late as they may be."""
    parts = [one.part for one in chosen]
    wrong = []
    for one, made in zip(chosen, compile_together(parts, ready(FAST)), strict=True):
        wrong += [f"{one.name}, {when}" for when in whens(parts[made.number]) if one.run(made, when) != one.expected]
    return wrong


@pytest.mark.parametrize("program", range(PROGRAMS))
def test_text_does_what_the_simulator_does(program: int) -> None:
    chosen = [one for one in right() if one.is_nvidia][program::PROGRAMS]
    assert len(chosen) > 50
    assert not wrong_ones(chosen)


def test_target_host_runs_every_kernel() -> None:
    """As loops, which give the simulator's bits here, or by its text, which does above; more and more as loops."""
    looped = [one for one in right() if one.chosen.way == "loops"]
    made = [one.chosen.kernel for one in looped]
    together = loops_together([kernel for kernel in made if isinstance(kernel, LoopKernel)], UNTUNED)
    wrong = [one.name for one, kernel in zip(looped, together, strict=True) if one.ran(kernel.run) != one.expected]
    assert not wrong
    assert len(looped) >= AS_LOOPS
    assert all(one.is_nvidia and one.chosen.way == "fibers" for one in right() if one not in looped)


SLIPS = ("no wait", "one group too few", "source overwritten", "no barrier")


def test_late_copies_show_what_early_ones_hide() -> None:
    """Kernels that do not wait as they should: with copies that are done at once some seem right, late ones are not."""
    wrong = [one for one in kernels(["cp_async"])[0] if one.fault in SLIPS]
    parts, right_ones = [], []
    for one in wrong:
        for fault in (one.fault, ""):
            made = run(one.make(fault).module, "final", lanes=LANES).module
            parts.append(literal(made))
            right_ones.append(Right(one.name, partial(one.make, fault), "sm_90", one.arguments))
    texts = compile_together(parts, ready(FAST))
    only_late = 0
    for number in range(0, len(texts), 2):
        soon, late = (right_ones[number].run(texts[number], when) for when in (SOON, LATE))
        expected = right_ones[number + 1].run(texts[number + 1], LATE)
        only_late += soon == expected != late
    assert only_late >= 2
