"""Edits of passes, emitter and simulator that survived the tests that they were given, and that nobody has explained.

One that gets a law, or an explanation, goes to the list of its folder.
"""

from __future__ import annotations

from mutations.mutant import mutants_of

MUTANTS = (
    *mutants_of(
        "targets/simulator/ops/repeat.py",
        "",
        ("            if self.idle and turns:\n", "            if False:\n"),
    ),
    *mutants_of(
        "targets/simulator/ops/nests.py",
        "",
        (
            "if frame.mask is not None or not isinstance(frame.domain, Lockstep):",
            "if not isinstance(frame.domain, Lockstep):",
        ),
        ("if not self.apart or held in others or (", "if not self.apart or ("),
        ("if not self.apart or held in others or (", "if held in others or ("),
        ("return own and all(b - a >= step.d.registers", "return own and all(b - a >= 1"),
        ("own = step.c is None or all(call[0] == call[3] for call in calls)", "own = True"),
    ),
    *mutants_of(
        "targets/simulator/ops/copies.py",
        "",
        ("chosen & frame.mask", "np.broadcast_to(chosen, lanes.shape)"),
        ("(first * self.site.step_bytes + self.site.base_bytes)", "(first * self.site.step_bytes)"),
        ("if inside is not None and not self.clips:", "if False:"),
        ("clips = op.clips and place.space == GLOBAL", "clips = op.clips"),
    ),
    *mutants_of(
        "targets/simulator/ops/atoms.py",
        "",
        ("            if operand.copies > 1:\n", "            if False:\n"),
        ("if (active != active[:1]).any():", "if False:"),
        (
            "        if warps.active is None:\n            run.seen[held.c] = product\n",
            "        run.seen[held.c] = product\n",
        ),
    ),
)
