"""Translation validation: the CUDA text of every right kernel of the corpus does on the CPU what the simulator does."""

from __future__ import annotations

from functools import partial

import pytest
from faults import kernels
from right_kernels import LANES, Right, right, whens

from tilewright.errors import CompileError
from tilewright.passes.pipeline import run
from tilewright.targets.host.compiler import WARNINGS, compile_together, literal
from tilewright.targets.host.program import LATE, SOON
from tilewright.targets.host.ptx.rows import without_assembly

PROGRAMS = 4  # that the kernels share, each compiled once
FAST = (*WARNINGS, "-O0")  # to compile
# What the CPU does not do: instructions of other machines.
MISSING = ("v_wmma",)


@pytest.mark.parametrize("program", range(PROGRAMS))
def test_text_does_what_the_simulator_does(program: int) -> None:
    """With copies that are done at once, and as late as they may be."""
    chosen = [one for one in right()[program::PROGRAMS] if one.lanes == LANES and is_text(one)]
    parts = [one.part() for one in chosen]
    wrong = []
    for one, made in zip(chosen, compile_together(parts, FAST), strict=True):
        expected = one.simulated(one.final)
        wrong += [f"{one.name}, {when}" for when in whens(parts[made.number]) if one.run(made, when) != expected]
    assert len(chosen) > 25
    assert not wrong


def is_text(one: Right) -> bool:
    """Has the kernel text that the CPU knows? What it does not know is what is missing."""
    try:
        without_assembly(one.part().text.source)
    except CompileError as error:
        if any(word in str(error) for word in MISSING):
            return False
        raise
    return True


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
    texts = compile_together(parts, FAST)
    only_late = 0
    for number in range(0, len(texts), 2):
        soon, late = (right_ones[number].run(texts[number], when) for when in (SOON, LATE))
        expected = right_ones[number + 1].run(texts[number + 1], LATE)
        only_late += soon == expected != late
    assert only_late >= 2
