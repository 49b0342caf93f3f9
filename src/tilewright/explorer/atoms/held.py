"""What one thread holds of the operands of an MMA, or of the sides of a copy: a table, and moments of a timeline."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilewright.errors import UsageError, counted
from tilewright.explorer.answer import Frame, Mark, Row, Table
from tilewright.figures.owners import shared_by
from tilewright.figures.scene import Panel, Scene
from tilewright.layout.inttuple import to_text
from tilewright.layout.layout import Layout

MOST = 64  # values told of a thread
REGISTER_BITS = 32


@dataclass(frozen=True, slots=True)
class Part:
    """An operand or a side: `tv` is (thread, value) -> element; `bits` an element's; `space` where it lies."""

    name: str
    tv: Layout[int]
    bits: int
    space: str

    @property
    def threads(self) -> int:
        """How many there are; of tcgen05 CTAs."""
        return int(self.tv[0].size)

    @property
    def whole(self) -> bool:
        """Has every thread all of it, by a descriptor or in tensor memory?"""
        return shared_by(self.tv) > 0 or (self.threads == 1 and self.space in ("shared", "tmem"))

    def elements(self, thread: int) -> tuple[int, ...]:
        """The first elements of a thread, in the order of its values."""
        return tuple(int(self.tv(thread, value)) for value in range(min(MOST, self.tv[1].size)))


def checked(parts: Sequence[Part], thread: int) -> int:
    """The thread, if there is such a one.

    Raises:
        UsageError: there is not.
    """
    threads = parts[0].threads
    if not 0 <= thread < threads:
        raise UsageError(f"there is no thread {thread} of {counted(threads, 'thread')}: 0 to {threads - 1}")
    return thread


def table(parts: Sequence[Part], scene: Scene, thread: int) -> Table:
    """Each part's values in the thread: the shape of the fragment, and the elements in the order of registers."""
    rows = tuple(_row(part, panel, thread) for part, panel in zip(parts, scene.panels, strict=False))
    return Table(f"what thread {thread} holds", ("of", "in", "fragment", "values", "elements in their order"), rows)


def _row(part: Part, panel: Panel, thread: int) -> Row:
    values = part.tv[1]
    where, size = part.space or "any memory", str(values.size)
    if part.whole:
        return Row((part.name, where, to_text(values.shape), size, "the whole tile"))
    names, elements = _coordinates(panel), part.elements(thread)
    told = " ".join(names.get(element, f"#{element}") for element in elements)
    more = f" .. and {values.size - len(elements)} more" if values.size > len(elements) else ""
    return Row((part.name, where, to_text(values.shape), size, told + more))


def frames(parts: Sequence[Part], scene: Scene, thread: int) -> tuple[Frame, ...]:
    """All that the thread holds; then value after value of each part, as far as the scene shows them."""
    found = [
        (number, part, panel, part.elements(thread))
        for number, (part, panel) in enumerate(zip(parts, scene.panels, strict=False))
        if not part.whole
    ]
    if not found:
        return ()
    numbered = [(number, _cells(panel, set(elements))) for number, _, panel, elements in found]
    marks = tuple(Mark(0, number, tuple(cells.values())) for number, cells in numbered)
    told = ", ".join(f"{counted(part.tv[1].size, 'value')} of {part.name}" for _, part, _, _ in found)
    return (Frame(f"thread {thread}", told, marks), *(one for each in found for one in _values(*each, thread)))


def _values(number: int, part: Part, panel: Panel, elements: Sequence[int], thread: int) -> Iterator[Frame]:
    cells, names = _cells(panel, set(elements)), _coordinates(panel)
    for value, element in enumerate(elements):
        if element in cells:
            told = f"element {names[element]}{_register(part, value)}"
            yield Frame(f"{part.name}: value {value} of thread {thread}", told, (Mark(0, number, (cells[element],)),))


def _register(part: Part, value: int) -> str:
    """Where the value lies, if several share a register or one fills several."""
    if part.space != "register" or part.bits == REGISTER_BITS:
        return ""
    first, last = value * part.bits, (value + 1) * part.bits - 1
    if part.bits > REGISTER_BITS:
        return f", registers {first // REGISTER_BITS} to {last // REGISTER_BITS}"
    return f", register {first // REGISTER_BITS}, bits {first % REGISTER_BITS} to {last % REGISTER_BITS}"


def _cells(panel: Panel, wanted: set[int]) -> dict[int, int]:
    return {cell.key.elements[0]: at for at, cell in enumerate(panel.cells) if wanted.intersection(cell.key.elements)}


def _coordinates(panel: Panel) -> dict[int, str]:
    """The name of each element that the panel shows."""
    keys = (cell.key for cell in panel.cells)
    return {key.elements[0]: to_text(key.coordinate) for key in keys if key.elements and key.coordinate is not None}
