"""Mutants of how the simulator runs a kernel: lanes in lockstep, recordings, their proof and replay, runs on names."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _domains(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/domains/{file}", "", *edits)


MUTANTS = (
    *_domains(
        "lockstep.py",
        ("wrong = (found < low) | (found >= high)", "wrong = (found < low) | (found > high)"),
        ("wrong = (found < low) | (found >= high)", "wrong = found >= high"),
        ("            wrong = wrong & mask\n", "            pass\n"),
        (
            "Registers(size, dtype, written=not self.machine.checks, guard=guard)",
            "Registers(size, dtype, written=True, guard=guard)",
        ),
        ('meet = clocks.meet_warps if scope == "warp" else clocks.meet_blocks', "meet = clocks.meet_blocks"),
        ('meet = clocks.meet_warps if scope == "warp" else clocks.meet_blocks', "meet = clocks.meet_warps"),
        ("torn = some & ~all_", "torn = some & all_ & False"),
        ("active[:, self.threads] = True if mask is None else mask", "active[:, self.threads] = True"),
        ("if mask is not None or not self.complete:", "if False:"),
        ('return self._groups(op, "warp", None)[self.rows]', 'return self._groups(op, "warp", None)'),
        ("self.actor.reshape(-1) if mask is None else self.actor[mask]", "self.actor.reshape(-1)"),
        (
            "alike = len(index) == 1 and mask is None",
            "alike = False",
            "each block is counted instead of one for all: the same sum",
        ),
        ("below = int(np.prod(extents[:axis], dtype=np.int64))", "below = axis and extents[axis - 1]"),
    ),
    *_domains(
        "record.py",
        ("(base - shift == known).all()", "(base - shift == known).any()"),
        ("        self.record(Barrier(op, scope))\n", ""),
    ),
    *_domains(
        "loops.py",
        ("            self.cuts.add(demand.cut)\n", "            pass\n"),
    ),
)
