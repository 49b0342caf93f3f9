"""The rounds of a permute that a trace shows, drawn as those of schedules are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, takewhile

from tilewright.arch import ArchSpec
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import counted
from tilewright.figures.rounds import FRAMED, Touch, Turn, panel, turns, wavefronts
from tilewright.figures.scene import Panel, Scene
from tilewright.figures.tones import hues
from tilewright.figures.trace.model import Moment

PERMUTE = "permute_layout"
LOCAL = "local"


def rounds(moments: Sequence[Moment], chosen: Moment, spec: ArchSpec) -> Scene | None:
    """The reads and the writes of the permute that the chosen moment is part of; None where it is part of none."""
    own = [moment for moment in moments if PERMUTE in moment.ops[0].source]
    if chosen not in own or not chosen.threads:
        return None
    warp = chosen.threads[0] // spec.lanes
    pieces = list(_pieces(_accessing(own, warp, spec.lanes)))
    begun = [piece for piece in pieces if piece[0].step <= chosen.step]
    reads, writes = _halves(begun[-1] if begun else pieces[0] if pieces else [])
    if not reads or len(reads) != len(writes):
        return None
    return _scene(reads, writes, warp, spec)


def _accessing(own: Iterable[Moment], warp: int, lanes: int) -> list[Moment]:
    """The moments in which the warp accesses memory, not its registers."""
    return [
        moment
        for moment in own
        if moment.ops[0].kind in ("load", "store")
        and moment.ops[0].space != LOCAL
        and moment.events[0].thread // lanes == warp
    ]


def _pieces(own: Sequence[Moment]) -> Iterator[list[Moment]]:
    """One permute after the other: each is loads, then stores."""
    piece: list[Moment] = []
    for moment in own:
        if piece and piece[-1].ops[0].kind == "store" and moment.ops[0].kind == "load":
            yield piece
            piece = []
        piece.append(moment)
    if piece:
        yield piece


def _halves(piece: Sequence[Moment]) -> tuple[list[Moment], list[Moment]]:
    reads = list(takewhile(lambda moment: moment.ops[0].kind == "load", piece))
    return reads, list(piece[len(reads) :])


def _scene(reads: Sequence[Moment], writes: Sequence[Moment], warp: int, spec: ArchSpec) -> Scene | None:
    sources = {(event.thread, number): event.element for number, one in enumerate(reads) for event in one.events}
    first = min((element for element in sources.values() if element is not None), default=0)
    names = {key: (element or 0) - first for key, element in sources.items()}
    both = [[_touches(number, one, names, spec.lanes) for number, one in enumerate(half)] for half in (reads, writes)]
    tones, legend = hues((name // spec.lanes for name in names.values()), f"element // {spec.lanes}")
    ops = [half[0].ops[0] for half in (reads, writes)]
    panels = []
    for op, half in zip(ops, both, strict=True):
        width = max(1, op.width_bytes)
        every = turns(half, spec.rule("load" if op.kind == "load" else "store", width))
        slots = spec.banks * BANK_BYTES // max(BANK_BYTES, width)
        panels.append(
            panel(_title(op.kind, op.buffer, every, width, slots), every, width, slots, tones, spec.lanes, None)
        )
    notes = ("elements are numbered from the first that the permute reads; cells show lanes", *_framed(panels))
    title = f"the rounds of the permute, warp {warp}, as the banks of shared memory serve them"
    return Scene(title, tuple(panels), legend, notes=notes)


def _touches(number: int, one: Moment, names: dict[tuple[int, int], int], lanes: int) -> list[Touch]:
    return [
        Touch(event.thread % lanes, number, names.get((event.thread, number), 0), event.address)
        for event in one.events
        if event.address is not None
    ]


def _title(kind: str, buffer: str, every: Sequence[Turn], width: int, slots: int) -> str:
    cost = sum(wavefronts(turn, width, slots) for turn in every)
    return f"{kind} {buffer}: {counted(cost, 'wavefront')}, ideal {len(every)}"


def _framed(panels: Sequence[Panel]) -> tuple[str, ...]:
    return (FRAMED,) if any(cell.marked for cell in chain.from_iterable(one.cells for one in panels)) else ()
