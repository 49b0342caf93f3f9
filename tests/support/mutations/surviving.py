"""Edits of passes, emitter and simulator that survived the tests that they were given, and that nobody has explained.

One that gets a law, or an explanation, goes to the list of its folder.
"""

from __future__ import annotations

from mutations.mutant import mutants_of

MUTANTS = (
    *mutants_of(
        "targets/simulator/domains/lockstep.py",
        "",
        (
            "Registers(size, dtype, written=not self.machine.checks, guard=guard)",
            "Registers(size, dtype, written=not self.machine.checks)",
        ),
    ),
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
        "targets/simulator/domains/costs.py",
        "",
        ("% LINE_BYTES\n", "% (LINE_BYTES // 2)\n"),
    ),
    *mutants_of(
        "targets/simulator/domains/origins.py",
        "",
        ("return not _plain(op.res.type)", "return True"),
        ("one.bits % 8 == 0 and piece % one.bits == 0 and not", "one.bits % 8 == 0 and not"),
        ("key = value.dtype, value.tobytes()", "key = value.tobytes()"),
        (
            "all(_plain(value.type) for value in (*op.operands, *op.results))",
            "all(_plain(value.type) for value in op.results)",
        ),
    ),
    *mutants_of(
        "targets/simulator/domains/rerun.py",
        "",
        ("if len(self.found) == MOST_RUNS:", "if False:"),
        ("key = key, fast, roles(storage)", "key = key, roles(storage)"),
        ("if apart or not len(pairs) == across * down == warps:", "if apart or not across * down == warps:"),
        ("if values.dtype.itemsize != element.itemsize:", "if False:"),
        ("apart = not (quick or joined.atom.dtypes[0].is_integer)", "apart = not quick"),
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
