"""Translation validation: every right kernel of the corpus does on the CPU what the simulator does, bit for bit.

Those of NVIDIA's machines by their CUDA text, as it stands; of others, which have none, as loops. None is left out.
"""

from __future__ import annotations

from functools import partial

import pytest
from faults import kernels
from headers import ready
from right_kernels import LANES, Right, bits, right, whens

from tilewright.arch.target import Target
from tilewright.passes.pipeline import run
from tilewright.runtime.on_host import HostExecutor
from tilewright.targets.host.compiler import WARNINGS, compile_together, literal
from tilewright.targets.host.program import LATE, SOON
from tilewright.targets.simulator.options import SimOptions

PROGRAMS = 4  # that the kernels share, each compiled once
FAST = (*WARNINGS, "-O0")  # to compile


def wrong_ones(chosen: list[Right]) -> list[str]:
    """Which texts give other bits, with copies that are done at once, and as late as they may be."""
    parts = [one.part() for one in chosen]
    wrong = []
    for one, made in zip(chosen, compile_together(parts, ready(FAST)), strict=True):
        expected = one.simulated(one.final)
        wrong += [f"{one.name}, {when}" for when in whens(parts[made.number]) if one.run(made, when) != expected]
    return wrong


@pytest.mark.parametrize("program", range(PROGRAMS))
def test_text_does_what_the_simulator_does(program: int) -> None:
    chosen = [one for one in right() if one.is_nvidia][program::PROGRAMS]
    assert len(chosen) > 50
    assert not wrong_ones(chosen)


def looped(one: Right) -> list[bytes]:
    """What the arguments hold after loops have run."""
    arguments = one.arguments()
    HostExecutor.of(one.final, Target(f"host:{one.arch}"))(arguments, SimOptions())
    return bits(arguments)


def test_loops_do_what_the_simulator_does() -> None:
    chosen = [one for one in right() if not one.is_nvidia]
    assert len(chosen) > 5
    assert not [one.name for one in chosen if looped(one) != one.simulated(one.final)]


SLIPS = ("no wait", "one group too few", "source overwritten", "no barrier")


def test_late_copies_show_what_early_ones_hide() -> None:
    """Kernels that do not wait as they should: with copies that are done at once some seem right, late ones are not."""
    wrong = [one for one in kernels(["cp_async"])[0] if one.fault in SLIPS]
    parts, right_ones = [], []
    for one in wrong:
        for fault in (one.fault, ""):
            made = run(one.make(fault).module, "final", lanes=LANES).module
            parts.append(literal(made, range(len(one.arguments()))))
            right_ones.append(Right(one.name, partial(one.make, fault), "sm_90", one.arguments))
    texts = compile_together(parts, ready(FAST))
    only_late = 0
    for number in range(0, len(texts), 2):
        soon, late = (right_ones[number].run(texts[number], when) for when in (SOON, LATE))
        expected = right_ones[number + 1].run(texts[number + 1], LATE)
        only_late += soon == expected != late
    assert only_late >= 2
