"""Mutants of who looks on while a kernel runs: costs, counts of instructions, traces, which lanes are traced."""

from __future__ import annotations

from mutations.mutant import Mutant, mutants_of


def _observers(file: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    return mutants_of(f"targets/simulator/observers/{file}", "", *edits)


MUTANTS = (
    *_observers(
        "costs.py",
        (
            "(rows >= 0).sum(axis=1) * site.width_bytes",
            "rows.shape[1] * np.ones(len(rows), np.int64) * site.width_bytes",
        ),
        ("instruction = site.instruction or site.kind", "instruction = site.kind"),
        ("unit = spec.alignment(width)", "unit = spec.sector_bytes"),
        (
            "touched(xp, flat, spec.lanes, width, spec.sector_bytes)",
            "touched(xp, flat, spec.lanes, width, 2 * spec.sector_bytes)",
        ),
        ('"bytes": asked}', '"bytes": found * spec.sector_bytes}'),
        ("return once if site.space == GLOBAL else", "return"),
        ("-(-asked // spec.sector_bytes)", "asked // spec.sector_bytes"),
        ("if site.space != GLOBAL or", "if"),
    ),
)
