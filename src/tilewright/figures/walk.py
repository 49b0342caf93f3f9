"""The walk from an atom to a tile: the atom, who owns what along each mode, the steps, and one thread's part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tilewright.analysis.permutation.explained import PermutationExplanation
from tilewright.analysis.permutation.modes import ModeSummary
from tilewright.errors import UsageError, counted, shown
from tilewright.figures import thread_value
from tilewright.figures.cell import Cell, Key, Owner
from tilewright.figures.domain import checked, ruler
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Panel, Ruler, Scene
from tilewright.figures.tones import hues
from tilewright.numerals import is_digits

Tones = Mapping[int, int]
CAPTION = "in each cell: thread (T) and value (V) of the atom; the atom along a mode; the step; the register"
MOST_WIDE = 128  # elements of a permuted tile that stand in one row


def picture(found: PermutationExplanation, *, thread: int = 0, title: str | None = None) -> Figure:
    """Step by step: C of the atom, the atoms along M, N and K, the steps that make the tile, one thread's accumulators.

    Along a mode a row is a step, and a cell tells which atom has the element; an atom has one colour in all modes.

    Args:
        found: what `explain_permutation` gives.
        thread: whose accumulators are shown.
        title: instead of the tiled MMA.

    Raises:
        UsageError: no explanation, or no such thread.

    >>> from tilewright.analysis.permutation.slips import cases
    >>> [panel.title.split(":")[0] for panel in picture(cases().tensor).scene.panels]
    ['1. the atom', '2. M', '3. N', '4. K', '5. the tile', '6. thread 0']
    """
    if not isinstance(found, PermutationExplanation):
        raise UsageError(f"a walk needs what explain_permutation gives, got {shown(found)}")
    tones, legend = hues({0, *(owner for mode in found.modes for owner in mode.owners)}, "atom along the mode")
    panels = [_atom(found, tones)]
    panels += [_mode(number, mode, tones) for number, mode in enumerate(found.modes, 2)]
    panels += [_steps(found), _part(found, thread)]
    name = title or str(found.tiled_mma)
    return Figure(Scene(name, tuple(panels), legend, notes=(CAPTION, *str(found).splitlines()[4:])))


def _atom(found: PermutationExplanation, tones: Tones) -> Panel:
    """C of one atom, all of it in the colour of the first."""
    atom = found.tiled_mma.atom
    m, n, _ = atom.shape_mnk
    (own,) = thread_value.picture(atom.tv_layout_C, tile=(m, n)).scene.panels
    cells = tuple(cell._replace(tone=tones[0], key=cell.key._replace(group=0)) for cell in own.cells)
    title = f"1. the atom: {counted(atom.threads, 'thread')}, {m} x {n} of C"
    return Panel(
        title, Ruler(own.rows.labels, "m"), Ruler(own.columns.labels, "n"), cells, subject="element of the atom"
    )


def _mode(number: int, mode: ModeSummary, tones: Tones) -> Panel:
    """A row for each step, and in it the atom that has each element."""
    width = min(mode.size, MOST_WIDE)
    checked(mode.tile)
    cells = tuple(
        Cell(
            *divmod(at, width),
            str(owner),
            tones[owner],
            f"{mode.name} = {at}: atom {owner}",
            key=Key((at,), group=owner),
        )
        for at, owner in enumerate(mode.owners)
    )
    rows = Ruler(tuple(map(str, range(0, mode.tile, width))), f"first {mode.name.lower()}")
    plain = is_digits(mode.permutation) and mode.covered < width  # the atoms begin again
    across = ruler(width, mode.name.lower(), mode.covered if plain else 0)
    expanded = f", permuted by {mode.permutation} to {mode.size}" if mode.permutation != "_" else ""
    title = (
        f"{number}. {mode.name}: atom {mode.atom} x {counted(mode.atoms, 'atom')} = {mode.covered}{expanded};"
        f" {counted(mode.steps, 'step')}"
    )
    return Panel(title, rows, across, cells, subject=f"element of {mode.name}")


def _steps(found: PermutationExplanation) -> Panel:
    """The steps over the tile, numbered row by row."""
    m, n = found.modes[:2]
    cells = tuple(
        Cell(i, j, str(i * n.steps + j), None, f"step {i * n.steps + j}: m {_range(i, m)}, n {_range(j, n)}")
        for i in range(m.steps)
        for j in range(n.steps)
    )
    rows, across = (Ruler(tuple(_range(i, mode) for i in range(mode.steps)), mode.name.lower()) for mode in (m, n))
    title = f"5. the tile: {m.steps} x {counted(n.steps, 'step')} of {m.size} x {n.size}"
    return Panel(title, rows, across, _numbered(cells), subject="step")


def _numbered(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    return tuple(cell._replace(key=Key((number,))) for number, cell in enumerate(cells))


def _range(step: int, mode: ModeSummary) -> str:
    first = step * mode.size
    return f"{first}-{first + mode.size - 1}" if mode.size > 1 else str(first)


def _part(found: PermutationExplanation, thread: int) -> Panel:
    """The accumulators of one thread: the register at each of its rows and columns."""
    elements = found.elements(thread)
    down, right = (sorted({at[side] for at in elements}) for side in (0, 1))
    row, column = ({at: i for i, at in enumerate(side)} for side in (down, right))
    cells = tuple(
        Cell(
            row[m],
            column[n],
            str(register),
            None,
            f"register {register}: ({m},{n})",
            key=Key((m + found.tile[0] * n,), (m, n), owner=(Owner(thread, register),)),
        )
        for register, (m, n) in enumerate(elements)
    )
    rows, across = (Ruler(tuple(map(str, side)), name) for side, name in ((down, "m"), (right, "n")))
    title = f"6. thread {thread}: {counted(len(elements), 'accumulator')}, the register of each"
    return Panel(title, rows, across, cells)
