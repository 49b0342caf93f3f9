"""The picture of a tile on its way through shared memory: who moves which vector, and where it lies."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tilewright.analysis.swizzle.half_tile import Movement, table
from tilewright.arch import get as get_arch
from tilewright.arch.spec import BANK_BYTES
from tilewright.errors import UsageError, shown
from tilewright.figures.cell import Cell, Key, Owner
from tilewright.figures.domain import checked, ruler
from tilewright.figures.figure import Figure
from tilewright.figures.scene import Panel, Scene
from tilewright.figures.tones import hues
from tilewright.layout.layout import Layout


def picture(movement: Movement, *, plain: bool = False, title: str | None = None) -> Figure:
    """The tile and the lines of shared memory, each vector with its threads; a colour is a group served together.

    A movement is free of bank conflicts exactly when no column of shared memory has a colour twice.

    Args:
        movement: the movement.
        plain: also show the lines without the swizzle.
        title: instead of the movement's name.

    Raises:
        UsageError: not a movement, or more than 65536 vectors.
    """
    if not isinstance(movement, Movement):
        raise UsageError(f"a staging picture needs a Movement of analysis.half_tile, got {shown(movement)}")
    tile = movement.tile
    checked(tile.vectors.size)
    groups = _groups(movement)
    tones, legend = hues(groups.values(), "served together", lambda group: _group_name(movement, group))
    stored = [movement.without_swizzle(), movement] if plain else [movement]
    panels = (
        _panel("tile", ("row", "vector column"), movement, tile.vectors, int, groups, tones),
        *(_panel(_memory(m), _sides(movement), m, tile.lines, m.tile.moved, groups, tones) for m in stored),
    )
    notes = (f"in each cell: the threads that move the vector of {tile.vector_bits} bits, and its number",)
    return Figure(Scene(title or movement.name, panels, legend, notes=notes))


def _sides(movement: Movement) -> tuple[str, str]:
    return "line", f"place of {movement.tile.vector_bits // 8} bytes"


def _memory(movement: Movement) -> str:
    report, swizzle = movement.report(), movement.tile.swizzle
    verdict = "conflict-free" if report.conflict_free else f"{report.ways}-way conflicts"
    how = f"with {swizzle}" if swizzle.b else "without a swizzle"
    return f"shared memory {how}: {report.wavefronts} wavefronts, ideal {report.ideal}, {verdict}"


def _panel(
    title: str,
    sides: tuple[str, str],
    movement: Movement,
    grid: Layout,
    lies: Callable[[int], int],
    groups: Mapping[int, int],
    tones: Mapping[int, int],
) -> Panel:
    rows = table(grid, lies)
    in_memory, banks = sides[0] == "line", movement.tile.vector_bits // (8 * BANK_BYTES)
    cells = []
    for row, vectors in enumerate(rows):
        for column, vector in enumerate(vectors):
            threads = movement.threads_of(vector)
            names = ",".join(f"T{thread}" for thread in threads)
            owner = tuple(Owner(thread, None) for thread in threads)
            key = Key((vector,), None, None, (), owner, group=groups[vector])
            key = key._replace(bank=column * banks, line=row) if in_memory else key._replace(coordinate=(row, column))
            note = f"vector {vector} of {names}"
            cells.append(Cell(row, column, f"{names} ({vector})", tones[groups[vector]], note, key=key))
    down, across = (ruler(count, side) for count, side in zip((len(rows), len(rows[0])), sides, strict=True))
    return Panel(title, down, across, tuple(cells), subject="vector")


def _groups(movement: Movement) -> dict[int, int]:
    """vector -> number of the group of lanes that moves it, counted over the instructions."""
    spec = get_arch(movement.tile.arch)
    groups = spec.rule(movement.kind, movement.bits // 8).groups
    of_lane = {lane: number for number, group in enumerate(groups) for lane in group}
    size = movement.tile.vector_bits // movement.tile.element_bits
    return {
        step.number // size: instruction * len(groups) + of_lane[step.lane]
        for instruction in range(movement.instructions)
        for step in movement.steps(instruction)
    }


def _group_name(movement: Movement, number: int) -> str:
    groups = get_arch(movement.tile.arch).rule(movement.kind, movement.bits // 8).groups
    instruction, group = divmod(number, len(groups))
    lanes = f"lanes {groups[group][0]}-{groups[group][-1]}"
    return lanes if movement.instructions == 1 else f"instruction {instruction} {lanes}"
