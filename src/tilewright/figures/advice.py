"""The picture of a swizzle's advice: the banks of the tile and every access's phases, as it is and as advised."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.analysis.banks.report import BankReport
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.memory import Tile, bare
from tilewright.analysis.swizzle.advice import SwizzleAdvice
from tilewright.errors import UsageError, shown
from tilewright.figures import banks
from tilewright.figures.figure import Figure
from tilewright.figures.stack import stack


def picture(advice: SwizzleAdvice, *, tile: Tile | None = None, title: str | None = None) -> Figure:
    """Before and after, access by access: the bank of each element, and the words wanted from each bank.

    Args:
        advice: one of those that `suggest_swizzle` gives.
        tile: the layout as it was asked about; None: the advised one without its swizzle.
        title: instead of the tile's text.

    Raises:
        UsageError: no advice, or more than 65536 cells.
    """
    if not isinstance(advice, SwizzleAdvice):
        raise UsageError(f"an advice picture needs what suggest_swizzle gives, got {shown(advice)}")
    before = bare(advice.layout) if tile is None else tile
    figures = dict(_figures(before, advice))
    name = title or f"{before}, elements of {advice.element_bits} bits, {advice.swizzle} advised"
    return stack(name, figures)


def _figures(before: Tile, advice: SwizzleAdvice) -> Iterator[tuple[str, Figure]]:
    for one, report in zip(advice.accesses, advice.reports, strict=True):
        yield f"{one}, as it is", _banks(before, advice, _report(before, advice, one))
        yield f"{one}, {advice.swizzle}", _banks(advice.layout, advice, report)
    if not advice.accesses:  # a descriptor alone reads it
        yield "as it is", _banks(before, advice, None)
        yield str(advice.swizzle), _banks(advice.layout, advice, None)


def _banks(layout: object, advice: SwizzleAdvice, report: BankReport | None) -> Figure:
    return banks.picture(layout, report=report, element_bits=advice.element_bits, arch=advice.arch.name)


def _report(layout: Tile, advice: SwizzleAdvice, one: Access) -> BankReport:
    bits = advice.element_bits
    return bank_conflicts(layout, one, element_bits=bits, arch=advice.arch, merge=False)
