"""How many planted faults of each kind the corpus has, as docs/simulator.md shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from corpus import Case, cases
from fault_kinds import KINDS, Report, kind_of
from faults import FOLDER, kernels
from machines import machine

from tilewright.errors import TilewrightError
from tilewright.passes.pipeline import run
from tilewright.targets.simulator.simulate import simulate

CORPUS: Path = FOLDER.parent / "corpus"
WAVES = 64


def reports() -> Iterator[tuple[str, Report]]:
    """The name of each planted fault, and what is reported of it, once for each size of warps that it is for."""
    for case in cases(CORPUS):
        for arch in _sizes(case.archs) if case.error is not None else ():
            yield case.name, _of_case(case, arch)
    for wrong in kernels()[0]:
        for arch in _sizes(wrong.archs):
            kernel, lanes = wrong.make(wrong.fault), machine(arch).lanes
            try:
                simulate(run(kernel.module, lanes=lanes).module, wrong.arguments(), arch=machine(arch))
            except TilewrightError as error:
                yield wrong.name, Report.of(error, kernel.module, lanes)


def counted() -> Counter[tuple[str, int]]:
    """How many faults there are, by kind and lanes of a warp; under 0 lanes how many kernels, whatever the lanes."""
    found: Counter[tuple[str, int]] = Counter()
    named: set[tuple[str, str]] = set()
    for name, report in reports():
        kind = kind_of(report).name
        found[kind, report.lanes] += 1
        named.add((kind, name))
    found.update((kind, 0) for kind, _ in named)
    return found


def table(found: Counter[tuple[str, int]]) -> str:
    """The table as Markdown."""
    rows = [f"| {k.name} | {found[k.name, 0]} | {found[k.name, 32]} | {found[k.name, WAVES]} |" for k in KINDS]
    sums = [sum(found[kind.name, lanes] for kind in KINDS) for lanes in (0, 32, WAVES)]
    head = ["| kind of fault | kernels | warps of 32 | of 64 |", "|---|---:|---:|---:|"]
    return "\n".join([*head, *rows, f"| all | {sums[0]} | {sums[1]} | {sums[2]} |"])


def _sizes(archs: tuple[str, ...] | list[str]) -> list[str]:
    """One machine for each size of warps."""
    return list({machine(arch).lanes: arch for arch in reversed(archs)}.values())


def _of_case(case: Case, arch: str) -> Report:
    try:
        case.run("final", arch)
    except TilewrightError as error:
        return Report.of(error, case.kernel.module, machine(arch).lanes)
    raise AssertionError(f"{case.name}: nothing is found")
