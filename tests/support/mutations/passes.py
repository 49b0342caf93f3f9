"""Mutants of the passes: dispatch, buffers, lanes, unrolling, folding, and threads that become loops."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _passes(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"passes/{file}", "", *edits)


MUTANTS = (
    *_passes(
        "dispatch.py",
        ("        for region in regions:\n            _assert_inside(op, region)\n", ""),
        ("[(start, 1), (extent, 1), (-1, 1)]", "[(start, 1), (extent, 1)]"),
        ("            if region.result.first_use is None:\n                erase(region)\n", "            pass\n"),
        ("        self.plans.append(plan)\n", ""),
        ("only = op.variant.data if op.variant else None", "only = None"),
    ),
    *_passes(
        "lower_buffers.py",
        ("(op.place[0].type, BufferType)", "(op.place[0].type, int)"),
        (
            "AtomicOp(op.kind.data, op.value, memory, [offset], op.words)",
            "AtomicOp(op.kind.data, op.value, memory, [offset])",
        ),
        (
            "    made.location = op.location\n    Builder(InsertPoint.before(op)).insert(made)\n    erase(op)",
            "    Builder(InsertPoint.before(op)).insert(made)\n    erase(op)",
        ),
    ),
    *_passes(
        "fly/repeated.py",
        (" or not _is_behind(self._latest, found):", ":"),
        ("key = op, forms, emission.nesting", "key = op, forms"),
        ("key = op, forms, emission.nesting", "key = op, tuple(map(type, forms)), emission.nesting"),
        ("emission.claim(names.truth(step.truth))", "emission.claim(step.truth)"),
        ("emission.note_divisors(map(names.polynomial, step.divisors))", "pass"),
        ("            self._steps.append(Claimed(truth))\n", ""),
    ),
    *_passes(
        "fission/cutting.py",
        ("                if local.moved_out:\n", "                if local.moved_in:\n"),
    ),
)
