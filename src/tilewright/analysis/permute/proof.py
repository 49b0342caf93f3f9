"""Why a permute schedule is as good as it is: the argument in a few sentences, with the numbers."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.analysis.permute.f2 import lane_space
from tilewright.analysis.permute.forms import F2Form, Form, TableForm
from tilewright.analysis.permute.side import PhaseCost, Side
from tilewright.layout.linear import f2


def proof(form: Form, source: Side, destination: Side, costs: tuple[PhaseCost, PhaseCost], least: int) -> str:
    """How the schedule was found, what was counted, and why none takes fewer wavefronts, or how few one might take.

    Args:
        costs: of the read and the write. least: of both phases together.
    """
    free = all(cost.conflict_free for cost in costs)
    found = _construction(form, source, destination, free)
    shared, total = source.shared or destination.shared, sum(cost.wavefronts for cost in costs)
    reasons = [*_bounds(*costs, least)]
    if least > sum(cost.lower_bound for cost in costs):
        reasons.append(_together(least - 1, shared))
    if total > least:
        reasons.append(_doubt(shared, source.groups == destination.groups))
    return " ".join([*found, "Both phases are counted by the bank model.", *reasons])


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
            else _searched(source, destination)
        )


def _searched(source: Side, destination: Side) -> str:
    if source.shared or destination.shared:
        return "Elements of one word are bundled, and exchanged as long as that helps."
    if source.groups != destination.groups:
        return "Elements are exchanged as long as that helps."
    return "A flow splits the bank graph by what groups of lanes may cost, and König's theorem into these groups."


def matchable(source: Side, destination: Side) -> bool:
    """Is the bank graph regular, with a perfect matching for every group of lanes?"""
    same = source.groups == destination.groups and source.slots == destination.slots == len(source.groups[0])
    return same and source.regular and destination.regular


def _ranks(form: F2Form, side: Side) -> tuple[int, int]:
    """How many independent bits of the slot the lanes of a group change, and how many bits a slot has."""
    first = side.cells[0]
    images = (side.cells[form.element(lane, 0)] ^ first for lane in lane_space(side.groups) or ())
    return f2.rank(image & (side.slots - 1) for image in images), (side.slots - 1).bit_length()


def _bounds(read: PhaseCost, write: PhaseCost, least: int) -> Iterator[str]:
    if read.conflict_free and write.conflict_free:
        yield "Every group of lanes takes one wavefront, the least there is."
        return
    total = read.wavefronts + write.wavefronts
    for name, cost in (("read", read), ("write", write)):
        if cost.conflict_free:
            yield f"Every group of lanes takes one wavefront in the {name}."
        elif cost.optimal:
            yield f"The banks hold the elements so unequally that no {name} takes fewer than {cost.wavefronts}."
        elif total > least:
            yield f"The {name} takes {cost.wavefronts}; {cost.lower_bound} is a lower bound, not known to be reachable."


def _together(wavefronts: int, shared: bool) -> str:
    """Why both phases together do not take so few wavefronts."""
    ways = f"Both phases have the same groups of lanes: however {wavefronts} wavefronts are shared out among these, "
    return ways + (
        "elements cannot be put into them (all ways have been tried)."
        if shared
        else "some banks hold too much (max-flow, min-cut)."
    )


def _doubt(shared: bool, alike: bool) -> str:
    """Why the lower bound may be out of reach, or the schedule not the best."""
    if not alike:
        return "The two phases group the lanes differently; that was searched, not decided."
    if shared:
        return "Elements share words; which of them go best together was searched for, not decided."
    return "Not every way to share the wavefronts out among the groups of lanes is decided."
