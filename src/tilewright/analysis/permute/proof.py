"""Why a permute schedule is as good as it is: the argument in a few sentences, with the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.analysis.permute.f2 import lane_space
from tilewright.analysis.permute.forms import F2Form, Form, TableForm
from tilewright.analysis.permute.side import PhaseCost, Side
from tilewright.layout.linear import f2


def proof(form: Form, source: Side, destination: Side, read: PhaseCost, write: PhaseCost) -> str:
    """How the schedule was found, what was counted, and why none takes fewer wavefronts, or how few one might take."""
    found = _construction(form, source, destination, read.conflict_free and write.conflict_free)
    return " ".join([*found, "Both phases are counted by the bank model.", *_bounds(read, write)])


def _construction(form: Form, source: Side, destination: Side, free: bool) -> Iterator[str]:
    if isinstance(form, F2Form):
        (read, of), (written, to) = (_ranks(form, side) for side in (source, destination))
        yield (
            f"F2: the lanes of a group change {read} independent bits of the {of} that number the source's bank slots, "
            f"and {written} of the destination's {to}."
        )
    if isinstance(form, TableForm):
        yield (
            f"König: every bank slot holds {source.turns} elements on either side, so the bank graph splits into "
            f"{source.turns} perfect matchings."
            if free and matchable(source, destination)
            else "Matchings of the bank graph, with elements exchanged as long as that helps."
        )


def matchable(source: Side, destination: Side) -> bool:
    """Is the bank graph regular, with a perfect matching for every group of lanes?"""
    same = source.groups == destination.groups and source.slots == destination.slots == len(source.groups[0])
    return same and source.regular and destination.regular


def _ranks(form: F2Form, side: Side) -> tuple[int, int]:
    """How many independent bits of the slot the lanes of a group change, and how many bits a slot has."""
    first = side.cells[0]
    images = (side.cells[form.element(lane, 0)] ^ first for lane in lane_space(side.groups) or ())
    return f2.rank(image & (side.slots - 1) for image in images), (side.slots - 1).bit_length()


def _bounds(read: PhaseCost, write: PhaseCost) -> Iterator[str]:
    if read.conflict_free and write.conflict_free:
        yield "Every group of lanes takes one wavefront, the least there is."
        return
    for name, cost in (("read", read), ("write", write)):
        if cost.conflict_free:
            yield f"Every group of lanes takes one wavefront in the {name}."
        elif cost.optimal:
            yield f"The banks hold the elements so unequally that no {name} takes fewer than {cost.wavefronts}."
        else:
            yield f"The {name} takes {cost.wavefronts}; {cost.lower_bound} is a lower bound, not known to be reachable."
