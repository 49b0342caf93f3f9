"""Mutants of the passes: dispatch, buffers, lanes, unrolling, folding, and threads that become loops."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of

ALONE = "passes/test_passes.py"
SAME = "passes/test_simulated.py passes/test_bounds.py passes/test_places.py targets/simulator/test_tile_stage.py"
LOOPS = "passes/test_fission.py targets/host/test_loops.py"


def _passes(file: str, tests: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"passes/{file}", tests, *edits)


MUTANTS = (
    *_passes(
        "dispatch.py",
        f"{ALONE} {SAME} variants/test_choose.py variants/test_rejects.py",
        ("        for region in regions:\n            _assert_inside(op, region)\n", ""),
        ("[(start, 1), (extent, 1), (-1, 1)]", "[(start, 1), (extent, 1)]"),
        ("(ranges.within(start, 0, size) and ranges.sum_within(last, 0, size))", "ranges.within(start, 0, size)"),
        ("(ranges.within(start, 0, size) and ranges.sum_within(last, 0, size))", "ranges.sum_within(last, 0, size)"),
        ("            if region.result.first_use is None:\n                erase(region)\n", "            pass\n"),
        ("        self.plans.append(plan)\n", ""),
        ("only = op.variant.data if op.variant else None", "only = None"),
        ("memory=id(root(region.buffer))", "memory=id(region.buffer)"),
    ),
    *_passes(
        "fission/cutting.py",
        LOOPS,
        ("                if local.moved_out:\n", "                if local.moved_in:\n"),
    ),
)
