"""The picture of a tile in shared memory: the bank of every element, and what an access asks of each bank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.analysis.banks.phases import Phases
from tilewright.analysis.banks.report import BankReport
from tilewright.analysis.held.table import resolved, told_width
from tilewright.analysis.model.access import Access
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import UsageError, shown
from tilewright.figures import phases
from tilewright.figures.elements import Elements, elements
from tilewright.figures.figure import Figure
from tilewright.figures.fold import fold
from tilewright.figures.memory import Memory, elements_by_word, memory, serving
from tilewright.figures.owners import Owners, owners
from tilewright.figures.scene import Panel, Scene
from tilewright.figures.series import words
from tilewright.figures.views import View, view
from tilewright.layout.view import View as Seen

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

FRAMED = "framed elements: words of the phase with the most wavefronts, of the first one where several have"


def picture(
    layout: Any,
    *,
    element_bits: int | DTypeLike | None = None,
    access: Any = None,
    report: BankReport | None = None,
    arch: str = "sm_90",
    base_bytes: int = 0,
    shape: Sequence[int] | None = None,
    whole: bool = False,
    title: str | None = None,
) -> Figure:
    """The tile with the bank of every element; with an access, also the words that each phase wants from each bank.

    The words of the worst phase are outlined in the tile, and so are banks that more than one word is wanted from.

    Args:
        layout: tile coordinates -> element offsets in shared memory, or a `tw.Tensor`.
        element_bits: the width of an element, where neither tile nor access tells it.
        access: what accesses the tile, as `bank_conflicts` takes it: a thread-value layout (thread, value) ->
            coordinate index, an `Access`, a tiled copy, an operand `(tiled_mma, "A")`, ..
        report: of such an access, where it is known already.
        arch: the architecture's name.
        base_bytes: byte address of the tile.
        shape: (rows, columns) of the tile, instead of the layout's own modes.
        whole: draw every element of a large tile; else a tile of more than 1024 elements that repeats what it shows is
            drawn as its first period, and the title says how often it comes.
        title: instead of the layout's text.

    Raises:
        UsageError: more than 65536 cells, values that are no memory offsets, elements of unknown width.
        LayoutError: the access does not fit the tile.
    """
    if not isinstance(report, BankReport | None):
        raise UsageError(f"report is what bank_conflicts answered, got {shown(report)}")
    place, bits = layout.placed if isinstance(layout, Seen) else layout, told_width(layout, element_bits, access)
    seen, store = view(place, shape), memory(bits, arch, base_bytes)
    asked = _access(place, access, bits, arch, base_bytes)
    if asked:
        report = _report(place, asked, bits, arch, base_bytes)
    store = serving(report, store) if report else store
    tile = elements(place, seen)
    contents = elements_by_word(_offsets(tile, seen), seen.domain.flat, store)
    tones, legend = phases.colours(store)
    panels = [_tile(seen, tile, store, _worst(report), _owners(asked), tones)]
    if report:
        panels.append(phases.panel(report, store, contents, tones))
    notes = (
        f"in each cell: the bank of the element; {store.caption}",
        *((*phases.notes(report), FRAMED) if report else ()),
    )
    figure = Figure(Scene(title or seen.title, tuple(panels), legend, notes=notes))
    return figure if whole else fold(figure)


def _access(layout: Any, access: Any, element_bits: int, arch: str, base_bytes: int) -> Access | None:
    if access is None:
        return None
    return resolved(access, layout, "shared", element_bits=element_bits, arch=arch, base_bytes=base_bytes).access


def _report(layout: Any, asked: Access, element_bits: int, arch: str, base_bytes: int) -> BankReport:
    return bank_conflicts(layout, asked, element_bits=element_bits, arch=arch, base_bytes=base_bytes)


def _worst(report: BankReport | None) -> set[int]:
    """The words of the worst phase."""
    if not report or not report.phases:
        return set()
    costs = report.phases.costs() if isinstance(report.phases, Phases) else [one.wavefronts for one in report.phases]
    return {word for words in report.phases[costs.index(max(costs))].words for word in words}


def _owners(asked: Access | None) -> Owners | None:
    return owners(asked.thread_value, lambda index, _: int(index)) if asked and asked.thread_value else None


def _offsets(tile: Elements, seen: View) -> Sequence[int]:
    if tile.answers.offsets is None:
        first = tile[0]
        raise UsageError(f"a bank picture needs memory offsets, {seen.title} gives {first.value} at {first.point.name}")
    return tile.answers.offsets


def _tile(
    seen: View, tile: Elements, store: Memory, asked: set[int], who: Owners | None, tones: Mapping[int, int]
) -> Panel:
    byte, bank, _ = store.columns(_offsets(tile, seen))
    groups = store.groups(bank)
    cells = tile.cells(
        list(map(tones.__getitem__, groups)),
        groups,
        store,
        label=words(len(tile), bank),
        owner=who.of(seen.domain.flat) if who else (),
        marked=[at // BANK_BYTES in asked for at in byte] if asked else (),
    )
    return Panel("bank of each element", seen.domain.rows, seen.domain.columns, cells)
