"""The tab of permutations: how F atoms share a mode in groups of R, who owns what, and what rows of it cost."""

from __future__ import annotations

from dataclasses import replace

from tilewright.analysis.permutation.choices import PermutationChoice, PermutationChoices, permutation_choices
from tilewright.analysis.permutation.explained import PermutationExplanation, explain_permutation
from tilewright.atoms import catalog
from tilewright.atoms.tiled_mma import make_tiled_mma
from tilewright.atoms.universal import universal_fma
from tilewright.dtypes import dtype
from tilewright.errors import UsageError
from tilewright.explorer import reading
from tilewright.explorer.answer import Answer, Frame, Mark, Row, Step, Table, captioned
from tilewright.explorer.fields import Field, FieldError, Inputs, blaming
from tilewright.explorer.tab import Preset, Tab
from tilewright.explorer.tabs import permutation_slips
from tilewright.figures.draw import draw
from tilewright.figures.scene import Scene
from tilewright.notation import parse

MOST_THREADS = 64  # told one by one
MODE, TILE = "a mode", "a tiled MMA"
DTYPES = ("float32", "float16", "bfloat16", "float64", "int8")
SIMT = "(scalar multiply-add)"
IN_MODE, IN_TILE = ("of", (MODE,)), ("of", (TILE,))
FIELDS = (
    Field("of", "Look at", "choice", MODE, options=(MODE, TILE)),
    Field("F", "F, atoms in the mode", "number", "16", "fixed by the atom layout", least=1, wanted=IN_MODE),
    Field("R", "R, neighbours at a time", "number", "4", "the only free number; 0: all of them", wanted=IN_MODE),
    Field("block", "Block, elements of the mode", "number", "128", least=1, wanted=IN_MODE),
    Field("dtype", "Element type", "choice", "float32", options=DTYPES, wanted=IN_MODE),
    Field("atom", "Atom", "text", "SM80_16x8x16_F32F16F16F32_TN", f"an MMA atom's name, or {SIMT}", wanted=IN_TILE),
    Field("layout", "Atom layout", "text", "(2,2,1)", "atoms along M, N, K: a shape or a layout", wanted=IN_TILE),
    Field("M", "Permutation of M", "text", "32", "a number or a layout; empty: none", wanted=IN_TILE),
    Field("N", "Permutation of N", "text", "32", wanted=IN_TILE),
    Field("K", "Permutation of K", "text", "16", wanted=IN_TILE),
    Field("tile", "Tile (M,N,K)", "text", "(128,128,32)", wanted=IN_TILE),
    Field("thread", "Thread", "number", "0", "whose elements are played; a click on one takes its thread"),
)
R4 = "(16,4):(4,1)"
THREADS = {"of": TILE, "atom": SIMT, "layout": "(16,16,1)", "M": R4, "N": R4, "K": "", "tile": "(128,128,8)"}
PRESETS = (
    Preset("R = 4, 128-bit vectors", {}, "two groups of four neighbours a thread"),
    Preset("R = 1, far apart", {"R": "1"}, "coalesced all the same: what is lost is the width of vectors"),
    Preset("R = 8, one block", {"R": "8"}, "two vectors a group: each store leaves every second one out"),
    Preset("every R beside the others", {"R": "0"}),
    Preset("halves", {"dtype": "float16", "R": "8"}, "eight halves fill a vector"),
    Preset("SIMT: 16x16 threads, R = 4", THREADS, "the permutation makes the pattern"),
    Preset("tensor cores: sizes", {"of": TILE}, "the atom makes the pattern; an integer only enlarges the tile"),
    Preset("tensor cores: a layout", {"of": TILE, "N": "(8,2,2):(1,16,8)"}, "the groups are a choice after all"),
)


def answer(inputs: Inputs) -> Answer:
    """The owners, one thread's elements played in their order, and the choices with their costs."""
    return _mode(inputs) if inputs.text("of") == MODE else _tiled(inputs)


def _mode(inputs: Inputs) -> Answer:
    F, block, R = (inputs.number(name) for name in ("F", "block", "R"))
    with blaming("block"):
        choices = permutation_choices(F, block, dtype(inputs.text("dtype")).bits)
    chosen = choices if R == 0 else next((one for one in choices if one.group == R), None)
    if chosen is None:
        known = ", ".join(str(one.group) for one in choices)
        raise FieldError("R", f"R must divide {block} / {F} = {block // F}: one of {known}")
    alone = chosen if isinstance(chosen, PermutationChoice) else None
    owners = draw(chosen).scene
    caption = replace(owners, notes=owners.notes[:1])  # facts and tables say the rest
    scenes = (caption, *((_stores(alone),) if alone else ()))
    frames = _groups(alone, inputs.number("thread")) if alone else ()
    lists = (_lists(alone),) if alone else ()
    one = alone or choices.best
    call = f"tw.permutation_choices({F}, {block}, {one.element_bits})"
    python = f"import tilewright as tw\n\nchoices = {call}\nprint(choices)\ntw.draw(choices)\n"
    tables = (_table(choices), *lists, *permutation_slips.table(inputs))
    return Answer(scenes, _derived(one), tables, frames=frames, notes=(choices.reason,), python=python)


def _stores(one: PermutationChoice) -> Scene:
    """What the vector stores of one row touch in global memory."""
    scene = draw(one.report).scene
    return replace(scene, title=f"coalescing: what {one.atoms} threads store in each 32 bytes of a row")


def _lists(one: PermutationChoice) -> Table:
    """Each thread's elements, group by group."""
    shown = range(min(MOST_THREADS, one.atoms))
    rows = tuple(Row((str(thread), " ".join(map(_run, one.elements(thread))))) for thread in shown)
    return Table("elements of each thread", ("thread", "elements"), rows)


def _derived(one: PermutationChoice) -> tuple[tuple[str, str], ...]:
    return (
        ("F (fixed)", str(one.atoms)),
        ("R (free)", str(one.group)),
        ("period = F R", str(one.period)),
        ("repetitions = block / period", f"{one.block} / {one.period} = {one.repetitions}"),
        ("elements of a thread", f"{one.shape} = {one.group * one.repetitions}"),
        ("permutation", str(one.permutation)),
    )


def _groups(one: PermutationChoice, thread: int) -> tuple[Frame, ...]:
    with blaming("thread"):
        groups = one.elements(thread)
    return tuple(
        Frame(f"group {i} of thread {thread}", ", ".join(map(str, group)), (Mark(0, 0, group),))
        for i, group in enumerate(groups)
    )


def _table(choices: PermutationChoices) -> Table:
    ranked = sorted(choices, key=lambda one: (one is not choices.best, -one.vector_bits, one.report.sectors, one.group))
    rows = tuple(
        Row(
            (
                str(one.group),
                str(one.period),
                str(one.repetitions),
                f"{one.vector_bits} bits",
                str(one.instructions),
                f"{100 * one.report.efficiency:.0f} %",
                " ".join(map(_run, one.elements()[:8])),
            ),
            {"R": str(one.group)},
        )
        for one in ranked
    )
    heads = ("R", "period", "repetitions", "vector", "stores a thread", "sectors used", "elements of thread 0")
    return Table("the choices, the best first", heads, rows)


def _run(group: tuple[int, ...]) -> str:
    return f"{group[0]}-{group[-1]}" if len(group) > 1 else str(group[0])


def _tiled(inputs: Inputs) -> Answer:
    found = _explained(inputs)
    scene = captioned(draw(found, kind="permutation").scene, found)
    thread = inputs.number("thread")
    with blaming("thread"):
        elements = found.elements(thread)
    walk = captioned(draw(found, thread=thread).scene, found)
    steps = tuple(Step(line) for line in str(found).split("\n"))
    return Answer(
        (scene, walk),
        (*found.row().items(), ("to cover", _expansion(found))),
        permutation_slips.table(inputs),
        steps,
        frames=tuple(_walk(scene, elements, thread)),
        python=_python(inputs),
    )


def _expansion(found: PermutationExplanation) -> str:
    (m, n, _), (rows, columns, _) = found.tile, found.modes
    at_once = rows.covered * columns.covered
    return f"{m} x {n} = {m * n} of C, {m * n // at_once} times the {at_once} covered at once"


def _walk(scene: Scene, elements: tuple[tuple[int, int], ...], thread: int) -> list[Frame]:
    """The elements of one thread in the order of its registers, as many as the picture shows."""
    cells = {cell.key.coordinate: number for number, cell in enumerate(scene.panels[0].cells)}
    return [
        Frame(f"register {i} of thread {thread}", f"element {at}", (Mark(0, 0, (cells[at],)),))
        for i, at in enumerate(elements)
        if at in cells
    ]


def _explained(inputs: Inputs) -> PermutationExplanation:
    with blaming("atom"):
        name = inputs.text("atom").strip()
        atom = universal_fma() if name == SIMT else catalog.mma(name)
    layout = reading.layout(inputs, "layout")
    with blaming("M"):
        tiled = make_tiled_mma(atom, layout, reading.permutations(inputs))
    with blaming("tile"):
        tile = inputs.read("tile", parse)
        if not isinstance(tile, tuple) or len(tile) != 3:
            raise UsageError("a tile is three extents, such as (128,128,32)")
        m, n, k = (extent if type(extent) is int else 0 for extent in tile)
        return explain_permutation(tiled, (m, n, k))


def _python(inputs: Inputs) -> str:
    name = inputs.text("atom").strip()
    atom = "universal_fma()" if name == SIMT else f"tw.atoms.mma({name!r})"
    more = "from tilewright.atoms.universal import universal_fma\n" if name == SIMT else ""
    layout = f"tw.parse({str(reading.layout(inputs, 'layout'))!r})"
    return f"""import tilewright as tw
{more}
tiled = tw.make_tiled_mma({atom}, {layout}, {reading.permutations_in_python(inputs)})
print(tw.analysis.explain_permutation(tiled, {inputs.text("tile")}))
"""


WORDS = "How atoms share a tile: groups, periods, and what rows of it cost."
TAB = Tab("permutation", "Permutation", WORDS, FIELDS, PRESETS, answer, held="thread", holds="thread", link="thread")
