"""Blocks end: nothing may be on its way to or from their shared memory, which is somebody else's from then on.

Source: PTX ISA, "Asynchronous copy" and "mapa".
"""

from __future__ import annotations

from collections.abc import Callable

from tilewright.errors import RaceError
from tilewright.targets.simulator.agents.engine import Begun, Engine
from tilewright.targets.simulator.agents.transfers import Side, Transfer
from tilewright.targets.simulator.notes import Notes
from tilewright.targets.simulator.order.clocks import GENERIC, TIME, Clocks, Flags
from tilewright.targets.simulator.order.visits import Visits

Name = Callable[[int], str]


def finish(engine: Engine, notes: Notes, name: Name) -> None:
    """What is on its way to global memory gets there; whatever else still is, is told.

    Raises:
        RaceError: a bulk copy may still read or write shared memory, which is the next block's.
    """
    for transfer in list(engine.transfers):
        source, target = transfer.source, transfer.target
        if transfer.barrier is not None:
            _refuse(target, transfer.writing, transfer, name)
        elif transfer.kind == "bulk":
            _refuse(source, transfer.reading, transfer, name)
            transfer.write(transfer.writing, transfer.actor | engine.clocks.now << TIME)
        elif target.memory.pending is not None and transfer.writing.any():
            who = name(int(transfer.actor[transfer.writing][0]))
            text = f"{who} ends without a wait for its copy to {_element(target, transfer.writing)}"
            notes.unwaited_at(target.site, f"{text}\n{target.site.where}")
    _refuse_unknown(engine, name)


def _element(side: Side, entries: Flags) -> str:
    return side.memory.element(int(side.chosen(entries)[0]), side.site)


def _refuse(side: Side, entries: Flags, transfer: Transfer, name: Name) -> None:
    if side.memory.pending is not None and entries.any():
        begun = Begun(side.site, int(transfer.actor[entries][0]))
        what = begun.text(side.site.does, name)
        raise RaceError(f"the block ends while {_element(side, entries)} is one that {what}\n{side.site.where}")


def _refuse_unknown(engine: Engine, name: Name) -> None:
    """Copies that are done, of which nobody in their block knows that they are."""
    for (row, number), transfer in engine.names.delivered.items():
        if transfer.target.memory.shadow is not None and not _known(engine.clocks, row, number):
            text = f"the block ends without knowing that a copy to {transfer.target.site.buffer} is done"
            who = name(int(transfer.actor[0]))
            raise RaceError(f"{text}, for which nobody has waited; {who} began it\n{transfer.target.site.where}")


def _known(clocks: Clocks, row: int, engine: int) -> bool:
    known = clocks.known[GENERIC, row, :, clocks.warps + engine]
    return bool(known.max() >= clocks.stamped[row, engine])


def refuse_visits(visits: Visits, name: Name, cluster: int) -> None:
    """Raises `RaceError` where a block may end before others have done with its shared memory."""
    found = visits.unknown()
    if found is not None:
        row, actor, site = found
        text = f"block {row % cluster} of the cluster may end before {name(actor)} {site.does} its {site.buffer}"
        raise RaceError(f"{text}\n{site.where}")
