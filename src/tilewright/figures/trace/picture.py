"""The picture of a trace: some of its moments below each other, each with its source, lanes, words, banks, sectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

from tilewright.arch import ArchSpec, get
from tilewright.errors import UsageError, counted, shown
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Legend, Panel, Scene, Swatch
from tilewright.figures.trace.accesses import GLOBAL, SHARED, reports
from tilewright.figures.trace.film import MACHINES, TONES, Film, doing
from tilewright.figures.trace.model import Moment, Trace
from tilewright.figures.trace.moment import scene
from tilewright.figures.trace.read import read
from tilewright.figures.trace.replay import contents

MOST = 6  # moments that are drawn where none is asked for
MOST_STEPS = 32


@runtime_checkable
class Recorded(Protocol):
    """What a kernel's `trace` gives: its `json` is the trace's text."""

    @property
    def selection(self) -> object:
        """Which lanes were traced."""

    def json(self) -> str:
        """The trace as JSON."""


def picture(
    trace: Trace | Recorded,
    *,
    steps: int | Sequence[int] | None = None,
    block: int | None = None,
    arch: str | None = None,
    title: str | None = None,
) -> Figure:
    """Moments of a block, one below the other: the line of source, what lanes move, which words and banks they touch.

    Args:
        trace: what `kernel.trace` gives.
        steps: a step or several, as the trace counts them; None: for each line that accesses shared memory (global,
            where none does), the first step of each of its accesses.
        block: whose; None: the first that is traced.
        arch: whose banks and sectors; None: sm_90 for warps of 32 lanes, gfx942 for 64.
        title: instead of the kernel's name.

    Raises:
        UsageError: no trace, no such step or block, a machine with other warps.
    """
    found = trace if isinstance(trace, Trace) else _read(trace)
    if not found.events:
        raise UsageError("no picture of a trace without events: trace lanes that do something")
    number = found.events[0].block if block is None else block
    moments = {moment.step: moment for moment in found.moments(number)}
    if not moments:
        raise UsageError(
            f"no event of block {shown(number)} is in the trace, which begins with {found.events[0].block}"
        )
    spec = _machine(found, arch)
    films = [_film(found, moment, number, spec) for moment in _chosen(moments, steps)]
    every = (panel for film in films for panel in _panels(film))
    panels = tuple(replace(panel, place=(row, 0)) for row, panel in enumerate(every))  # lanes above banks
    notes = tuple(dict.fromkeys(note for film in films for note in scene(film).notes))
    name = title or f"{found.kernel}, block {number}: {counted(len(films), 'moment')}"
    return Figure(Scene(name, panels, _legend(panels), notes=notes))


def _read(trace: object) -> Trace:
    text = trace.json() if isinstance(trace, Recorded) else None
    if not isinstance(text, str):
        raise UsageError(f"a trace picture needs what kernel.trace gives, got {shown(trace)}")
    return read(text)


def _machine(trace: Trace, arch: str | None) -> ArchSpec:
    if arch is None and trace.lanes not in MACHINES:
        raise UsageError(f"warps of {trace.lanes} lanes: no machine here has them")
    spec = get(MACHINES[trace.lanes] if arch is None else arch)
    if spec.lanes != trace.lanes:
        raise UsageError(f"the trace has warps of {trace.lanes} lanes, {spec.name} of {spec.lanes}")
    return spec


def _chosen(moments: Mapping[int, Moment], steps: object) -> list[Moment]:
    if steps is None:
        return _telling(list(moments.values()))
    asked = list(steps) if isinstance(steps, list | tuple | range) else [steps]
    if not 1 <= len(asked) <= MOST_STEPS:
        raise UsageError(f"steps are 1 to {MOST_STEPS} steps of the trace, got {len(asked)}")
    return [_moment(moments, step) for step in asked]


def _moment(moments: Mapping[int, Moment], step: object) -> Moment:
    if type(step) is not int or step not in moments:
        there = f"it has {min(moments)} to {max(moments)}"
        raise UsageError(f"no step {shown(step)} of this block is in the trace, {there}")
    return moments[step]


def _telling(moments: Sequence[Moment]) -> list[Moment]:
    """The first moment of each op that accesses memory, of shared memory if any does."""
    first: dict[object, Moment] = {}
    for moment in moments:
        op = moment.ops[0]
        if op.space in (SHARED, GLOBAL):
            first.setdefault((op.kind, op.file, op.line, op.buffer, op.space), moment)
    own = [moment for moment in first.values() if any(op.space == SHARED for op in moment.ops)]
    return (own or list(first.values()) or list(moments))[:MOST]


def _film(trace: Trace, moment: Moment, block: int, spec: ArchSpec) -> Film:
    known = contents(trace, block, moment.step)
    return Film(trace, (moment,), moment, known, {moment.step: reports(moment, spec)}, spec)


def _panels(film: Film) -> tuple[Panel, ...]:
    """Those of the moment, the first under its step and line of source."""
    op, (lanes, *rest) = film.chosen.ops[0], scene(film).panels
    line = f", line {op.line}: {op.source.strip()}" if op.line else ""
    return replace(lanes, title=f"step {film.chosen.step}{line}   ({doing(film.chosen)})"), *rest


def _legend(panels: Sequence[Panel]) -> Legend:
    used = {cell.tone for panel in panels for cell in panel.cells}
    return Legend("", tuple(Swatch(tone, text) for tone, text in TONES.items() if tone in used))
