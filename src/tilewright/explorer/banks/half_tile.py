"""A 16x16 tile of halves through swizzled shared memory: bits and XOR table, and four movements of it with tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from tilewright.analysis.swizzle import half_tile_tables as texts
from tilewright.analysis.swizzle.half_tile import SWIZZLE, Movement, movements
from tilewright.errors import counted
from tilewright.explorer.answer import Answer, Frame, Mark, Row, Step, Table
from tilewright.explorer.fields import FieldError, Inputs, blaming
from tilewright.figures import staging
from tilewright.figures import swizzle as bits
from tilewright.figures.scene import Panel, Scene
from tilewright.layout.swizzle import Swizzle
from tilewright.notation import parse

BITS = "its bits and its XOR table"
NAMES = tuple(movement.name for movement in movements())
LOOKS = (BITS, *NAMES)
# The tables of each, by their numbers among all.
TABLES = {BITS: range(4), NAMES[0]: (4, 5), NAMES[1]: (6, 7), NAMES[2]: (8, 10, 11), NAMES[3]: (9, 10)}
MOST_BITS = 3  # more, and 2^b lines are more than the tile has
SUBJECT = "a note on swizzling half tiles"


def answer(inputs: Inputs) -> Answer:
    """The swizzle itself, or one movement under it; what is known to be printed wrong is told beside."""
    swizzle, look = _swizzle(inputs), inputs.text("movement")
    with blaming("swizzle"):
        shown = texts.tables(swizzle)
    own = tuple(_table(shown[number]) for number in TABLES[look])
    wrong = _slips(swizzle, {shown[number].title for number in TABLES[look]} | ({""} if look == BITS else set()))
    if look == BITS:
        facts, python = _masks(swizzle), f"tw.draw(tw.parse({str(swizzle)!r}), kind='swizzle')"
        return Answer((bits.picture(swizzle).scene,), facts, (*own, *wrong), python=_python(python))
    return _moved(movements(swizzle)[NAMES.index(look)], inputs, (*own, *wrong))


def _swizzle(inputs: Inputs) -> Swizzle:
    found = inputs.read("swizzle", parse)
    if not isinstance(found, Swizzle):
        raise FieldError("swizzle", "give a swizzle, such as Sw<2,3,3>")
    if not 0 < found.b <= MOST_BITS or found.s < found.b or found.m + found.b + found.s > 8:
        raise FieldError("swizzle", f"a tile of 256 halves has swizzles of 1 to {MOST_BITS} bits, such as Sw<2,3,3>")
    return found


def _masks(swizzle: Swizzle) -> tuple[tuple[str, str], ...]:
    return (
        (
            "swizzle",
            f"B = {swizzle.b} bits change, M = {swizzle.m} stay, S = {swizzle.s} lie between what is read and it",
        ),
        ("bit mask", f"(1 << {swizzle.b}) - 1 = {(1 << swizzle.b) - 1:#b}"),
        ("zzz mask, changed", f"{swizzle.zzz_mask:#b}"),
        ("yyy mask, read", f"{swizzle.yyy_mask:#b}"),
        ("an offset becomes", f"offset ^ (offset & {swizzle.yyy_mask:#b}) >> {swizzle.s}"),
    )


def _moved(movement: Movement, inputs: Inputs, tables: tuple[Table, ...]) -> Answer:
    lane = inputs.number("lane")
    if lane >= movement.threads.size:
        raise FieldError("lane", f"there is no lane {lane} of {movement.threads.size}")
    with blaming("swizzle"):
        scene = staging.picture(movement, plain=True).scene
        found, plain = movement.report(), movement.without_swizzle().report()
    facts = (
        ("threads", f"{movement.threads}, {movement.bits} bits each, {counted(movement.instructions, 'instruction')}"),
        ("wavefronts", f"{found.wavefronts}, ideal {found.ideal}; without a swizzle {plain.wavefronts}"),
        ("swizzle", f"{movement.tile.swizzle}, of vectors {movement.tile.moved}"),
    )
    number = NAMES.index(movement.name)
    line = f"movements(tw.parse({str(movement.tile.swizzle)!r}))[{number}]"
    python = _python(
        f"from tilewright.analysis.swizzle.half_tile import movements\n\nmovement = {line}\n"
        f"print(movement.report())\ntw.draw(movement, plain=True)"
    )
    steps, frames = tuple(_steps(movement, lane)), tuple(_groups(scene))
    return Answer((scene,), facts, tables, steps, frames, python=python)


def _steps(movement: Movement, lane: int) -> Iterator[Step]:
    """How a lane comes to its addresses, one an instruction."""
    length, tile = movement.bits // movement.tile.element_bits, movement.tile
    for instruction in range(movement.instructions):
        one = movement.step(lane, instruction)
        name = f"lane {lane}" if movement.instructions == 1 else f"lane {lane}, instruction {instruction}"
        yield Step(
            f"{name}: byte {one.byte} of shared memory",
            (
                Step(f"row and column among the threads: ({one.lane_row},{one.lane_col})"),
                Step(f"in the tile, {length} halves each: (i,j) = ({one.i},{one.j})"),
                Step(f"number of the element: {one.number}"),
                Step(f"{tile.swizzle}: {one.number} ^ {one.number ^ one.swizzled} = {one.swizzled}"),
                Step(f"byte {one.byte}: line {one.line}, place {one.place} of {tile.places}"),
            ),
        )


def _groups(scene: Scene) -> Iterator[Frame]:
    """A moment for each group of lanes that is served together, and where its vectors meet in a place."""
    names = {swatch.tone: swatch.text for swatch in scene.legend.swatches}
    of = {cell.key.group: cell.tone for panel in scene.panels for cell in panel.cells if cell.key.group is not None}
    for group, tone in sorted(of.items()):
        marks = tuple(Mark(0, number, _own(panel, group)) for number, panel in enumerate(scene.panels))
        told = "\n".join(_met(panel, mark.cells) for panel, mark in zip(scene.panels[1:], marks[1:], strict=True))
        yield Frame(names.get(tone if tone is not None else -1, f"group {group}"), told, marks)


def _own(panel: Panel, group: int) -> tuple[int, ...]:
    return tuple(number for number, cell in enumerate(panel.cells) if cell.key.group == group)


def _met(panel: Panel, cells: Sequence[int]) -> str:
    counts = Counter(panel.cells[number].column for number in cells)
    how = panel.title.partition(":")[0].removeprefix("shared memory ")
    most = max(counts.values(), default=0)
    return f"{how}: {len(cells)} vectors in {len(counts)} places, {most} in one at most"


def _table(one: texts.Table) -> Table:
    numbers = range(len(one.rows[0]))
    heads = one.header or tuple(
        map(str, reversed(numbers) if one.rows[0][0] == "-" else numbers)
    )  # bits: high ones first
    return Table(one.title, heads, tuple(map(Row, one.rows)))


def _slips(swizzle: Swizzle, titles: set[str]) -> tuple[Table, ...]:
    """What the note prints wrong of the tables that are shown; it speaks of one swizzle only."""
    own = [slip for slip in texts.slips() if slip.table in titles] if swizzle == SWIZZLE else []
    rows = tuple(Row((slip.where, slip.printed, slip.right, slip.why)) for slip in own)
    return (Table(f"where {SUBJECT} slips", ("at", "it says", "right is", "why"), rows),) if rows else ()


def _python(lines: str) -> str:
    return f"import tilewright as tw\n{'' if lines.startswith('from') else chr(10)}{lines}\n"
