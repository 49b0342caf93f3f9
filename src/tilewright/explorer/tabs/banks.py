"""The tab of banks: what accesses to a tile in shared memory cost, phase by phase, and which swizzles repair them.

Operands under descriptors have no lanes: of them it shows what the unit reads. `half_tile` is a tile's way through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.analysis.banks.report import BankReport
from tilewright.analysis.descriptor.demands import DESCRIPTORS
from tilewright.analysis.descriptor.recognise import recognise
from tilewright.analysis.model.access import Access
from tilewright.analysis.swizzle.advice import SwizzleAdvice
from tilewright.analysis.swizzle.search import suggest_swizzle
from tilewright.arch import get as get_arch
from tilewright.asked.accesses import Question, access, tile
from tilewright.dtypes import dtype
from tilewright.errors import TilewrightError, counted
from tilewright.explorer.answer import Answer, Frame, Mark, Row, Table
from tilewright.explorer.banks import described, half_tile
from tilewright.explorer.fields import Field, FieldError, Inputs, blaming
from tilewright.explorer.tab import Preset, Tab
from tilewright.figures import banks as picture
from tilewright.figures.links import holders, holding
from tilewright.figures.scene import Scene
from tilewright.notation import parse
from tilewright.numerals import is_digits

NVIDIA = ("sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_103", "sm_120")
AMD = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
DTYPES = ("float16", "float32", "bfloat16", "float8_e4m3fn", "int8", "float64", "float4_e2m1fn")
MOST_ADVICE = 12
MOST_ACCESSES = 8
_LINE = re.compile(r"\S[^\n]*")
HOW = "one a line: rows 16B, store columns 4B, ldmatrix.x4, SM75_U32x4_LDSM_N, A of SM80_.. by .., (32,8):(8,1)"
ANY, HALF = "accesses to a tile", "a 16x16 half tile, step by step"
OF_TILE, OF_HALF = ("of", (ANY,)), ("of", (HALF,))
SHAPE = "a layout in any notation, or the shape of a row-major one"
RANKED = "every useful swizzle, ranked, with its proof"
FIELDS = (
    Field("of", "Look at", "choice", ANY, options=(ANY, HALF)),
    Field("tile", "Tile", default="(64,64):(64,1)", help=SHAPE, wanted=OF_TILE),
    Field("accesses", "Accesses", "lines", "ldmatrix.x4", help=HOW, wanted=OF_TILE),
    Field("dtype", "Element type", "choice", "float16", options=DTYPES, wanted=OF_TILE),
    Field("arch", "Architecture", "choice", "sm_90", options=(*NVIDIA, *AMD), wanted=OF_TILE),
    Field("base", "Base address in bytes", "number", "0", wanted=OF_TILE),
    Field("suggest", "Suggest swizzles", "flag", "", help=RANKED, wanted=OF_TILE),
    Field("swizzle", "Swizzle", default="Sw<2,3,3>", help="B bits, M that stay, shifted by S", wanted=OF_HALF),
    Field("movement", "Show", "choice", half_tile.BITS, options=half_tile.LOOKS, wanted=OF_HALF),
    Field(
        "lane", "Lane", "number", "4", "whose addresses are worked out", most=31, wanted=("movement", half_tile.NAMES)
    ),
)
SW128, MN128 = "Sw<3,3,3> o 0 o (64,64):(64,1)", "Sw<3,3,3> o 0 o (64,64):(1,64)"
BYTES = "Sw<3,4,3> o 0 o (32,128):(128,1)"
HALVES = "Sw<2,3,3> o 0 o (16,16):(16,1)"
TRANSPOSE = {"dtype": "float32", "accesses": "store rows 4B\nload columns 4B"}
WAVE = {"accesses": "ds_read_b128 rows", "arch": "gfx942"}
PRESETS = (
    Preset("ldmatrix on a plain tile", {}, "eight rows begin in one bank: turn on the suggestions"),
    Preset("the same, swizzled", {"tile": "Sw<3,3,3> o 0 o (64,64):(64,1)"}, "no conflict"),
    Preset("a transpose of floats", {"tile": "(32,32):(32,1)"} | TRANSPOSE, "rows are free, a column meets one bank"),
    Preset("the same, padded", {"tile": "(32,32):(33,1)"} | TRANSPOSE, "one word more a row"),
    Preset("16x16 halves, 128-bit stores", {"tile": HALVES, "accesses": "store rows 16B"}, "four rows share the banks"),
    Preset("16x16 halves, 64-bit loads", {"tile": HALVES, "accesses": "load rows 8B"}, "four lanes have one row"),
    Preset("16x16 halves, by columns", {"tile": HALVES, "accesses": "load columns 16B"}, "the other order of threads"),
    Preset(
        "an operand by its descriptor",
        {"tile": SW128, "accesses": "wgmma"},
        "no lanes: the unit reads atoms by two steps; play what each instruction takes along K",
    ),
    Preset("the same, MN-major", {"tile": MN128, "accesses": "wgmma"}, "transposed: atoms are 64 along MN"),
    Preset(
        "the same, unswizzled",
        {"tile": "((8,8),(8,8)):((8,64),(1,512))", "accesses": "wgmma"},
        "core matrices of 8 rows of 16 bytes are the atoms",
    ),
    Preset("tcgen05 reads bytes", {"tile": BYTES, "accesses": "tcgen05", "dtype": "int8", "arch": "sm_100"}),
    Preset("half tile: bits and XOR", {"of": HALF}, "two bits are read, and change the two that choose the place"),
    *(
        Preset(f"half tile: {name}", {"of": HALF, "movement": name}, "a colour is served together: no place twice")
        for name in half_tile.NAMES
    ),
    Preset("wave64 on gfx942", WAVE, "64 lanes in their phases"),
)


def answer(inputs: Inputs) -> Answer:
    """Accesses to a tile, or the half tile's tables."""
    return _accessed(inputs) if inputs.text("of") == ANY else half_tile.answer(inputs)


def _accessed(inputs: Inputs) -> Answer:
    """The tile with its banks and each access's phases; the phases one after the other; what would repair them."""
    asked = _question(inputs)
    accesses = _accesses(inputs, asked)
    base = inputs.number("base")
    lanes = [one for one in accesses if one.instruction not in DESCRIPTORS]
    with blaming("accesses"):
        reports = [
            bank_conflicts(asked.layout, one, element_bits=asked.element_bits, arch=asked.spec, base_bytes=base)
            for one in lanes
        ]
    with blaming("tile"):
        scenes = tuple(_scene(asked, one, report, base) for one, report in zip(lanes, reports, strict=True))
    read = _read(asked, accesses, len(scenes))
    if not scenes and not read.scenes:
        read = replace(read, scenes=(_plain(asked),))
    tables = (_costs(lanes, reports),) if lanes else ()
    advice = _advice(asked, accesses) if inputs.flag("suggest") else ()
    frames = tuple(frame for number, scene in enumerate(scenes) for frame in _phases(number, scene))
    notes = tuple(dict.fromkeys(note for report in reports for note in report.notes))
    return Answer(
        (*scenes, *read.scenes),
        (*_facts(asked), *read.facts),
        (*tables, *read.tables, *advice),
        frames=(*frames, *read.frames),
        notes=(*notes, *read.notes),
        python=_python(inputs, asked, accesses),
    )


def _question(inputs: Inputs) -> Question:
    inputs.read("tile", parse)  # which tells where it is wrong
    with blaming("tile"):
        layout, text = tile(inputs.text("tile"))
    return Question(layout, text, dtype(inputs.text("dtype")).bits, get_arch(inputs.text("arch")))


def _accesses(inputs: Inputs, asked: Question) -> list[Access]:
    lines = [(line.group().strip(), line.start()) for line in _LINE.finditer(inputs.text("accesses"))]
    if not 1 <= len(lines) <= MOST_ACCESSES:
        at = lines[MOST_ACCESSES][1] if lines else -1
        raise FieldError("accesses", "say one to eight accesses, one a line", at)
    return [_access(text, at, asked) for text, at in lines]


def _access(text: str, at: int, asked: Question) -> Access:
    """The access that a line names; a refusal says which line, by its place in the field."""
    try:
        with blaming("accesses"):
            return access(text, asked)
    except FieldError as error:
        raise FieldError("accesses", str(error), at) from None


def _scene(asked: Question, one: Access, report: BankReport, base: int) -> Scene:
    bits, arch = asked.element_bits, asked.spec.name
    figure = picture.picture(asked.layout, report=report, element_bits=bits, arch=arch, base_bytes=base)
    return replace(figure.scene, title=f"{one}, {asked.text}")


def _plain(asked: Question) -> Scene:
    with blaming("tile"):
        return picture.picture(asked.layout, element_bits=asked.element_bits, arch=asked.spec.name).scene


def _read(asked: Question, accesses: list[Access], before: int) -> Answer:
    """What units read of the tile by descriptors, behind so many scenes; why they cannot is a note."""
    found = Answer()
    for unit in _units(accesses):
        try:
            found = _with(found, asked, unit, before)
        except TilewrightError as error:
            found = replace(found, notes=(*found.notes, f"{unit}: {error}"))
    return found


def _with(found: Answer, asked: Question, unit: str, before: int) -> Answer:
    if unit == described.TMA:
        return replace(found, facts=(*found.facts, *described.boxed(asked)))
    one = described.described(asked, unit)
    drawn = described.scene(one)
    return replace(
        found,
        scenes=(*found.scenes, drawn),
        facts=(*found.facts, *described.facts(one)),
        tables=(*found.tables, described.table(one)),
        frames=(*found.frames, *described.frames(one, drawn, before + len(found.scenes))),
    )


def _costs(accesses: list[Access], reports: list[BankReport]) -> Table:
    rows = tuple(
        Row(
            (
                str(one),
                report.instruction,
                str(report.wavefronts),
                str(report.ideal),
                str(report.wavefronts - report.ideal),
                "conflict-free" if report.conflict_free else f"{report.ways}-way conflict",
            )
        )
        for one, report in zip(accesses, reports, strict=True)
    )
    return Table("what they cost", ("access", "instruction", "wavefronts", "ideal", "excess", "verdict"), rows)


def _phases(number: int, scene: Scene) -> Iterator[Frame]:
    """A moment for each phase that the scene shows: its row of banks, and the elements that its words hold."""
    *others, panel = scene.panels
    held = [holders(other) for other in others]
    for row, name in enumerate(panel.rows.labels):
        own = [(at, cell) for at, cell in enumerate(panel.cells) if cell.row == row]
        wanted = {element for _, cell in own for element in cell.key.elements}
        words = [int(cell.label) for _, cell in own if is_digits(cell.label)]
        marks = [Mark(number, len(others), tuple(at for at, _ in own))]
        marks += [Mark(number, i, holding(there, wanted)) for i, there in enumerate(held)]
        most = counted(max(words, default=0), "wavefront")
        told = f"{counted(sum(words), 'word')} in {counted(len(words), 'bank')}: {most}"
        yield Frame(name, told, tuple(marks))


def _advice(asked: Question, accesses: list[Access]) -> tuple[Table, ...]:
    """The ranking; its title is the proof that no smaller one is as good."""
    with blaming("accesses"):
        ranking = suggest_swizzle(asked.layout, accesses, element_bits=asked.element_bits, arch=asked.spec)
    rows = tuple(_row(one) for one in list(ranking)[:MOST_ADVICE])
    heads = ("swizzle", "mode", "bits", "wavefronts", "ideal")
    return (Table(f"swizzles, the best first: {ranking[0].proof}", heads, rows),)


def _row(one: SwizzleAdvice) -> Row:
    cells = (str(one.swizzle), one.mode or "-", str(one.swizzle.b), str(one.wavefronts), str(one.ideal))
    return Row(cells, {"tile": str(one.layout), "suggest": ""})


def _facts(asked: Question) -> tuple[tuple[str, str], ...]:
    facts = [("tile", asked.text), ("elements", f"{asked.element_bits} bits"), ("machine", asked.spec.name)]
    with suppress(TilewrightError):  # it may repeat no layout atom
        facts.append(("repeats", recognise(asked.layout, asked.element_bits).atom))
    return tuple(facts)


def _python(inputs: Inputs, asked: Question, accesses: list[Access]) -> str:
    """The same by `tw.Access`: what the lanes cost, the ranking of all, the descriptors."""
    given = f"element_bits={asked.element_bits}, arch={asked.spec.name!r}"
    base = f", base_bytes={inputs.number('base')}" if inputs.number("base") else ""
    listed = "".join(f"    {_in_python(one)},\n" for one in accesses if one.instruction not in DESCRIPTORS)
    costs = f"""lanes = [
{listed}]
for access in lanes:
    print(tw.bank_conflicts(tile, access, {given}{base}))
"""
    others = [_in_python(one) for one in accesses if one.instruction in DESCRIPTORS]
    ranking = f"""advice = tw.suggest_swizzle(tile, [{", ".join((*(["*lanes"] if listed else []), *others))}], {given})
print(advice[0].proof)
for one in list(advice)[:{MOST_ADVICE}]:
    print(one.swizzle, one.wavefronts, one.ideal)
"""
    return f"""import tilewright as tw

tile = tw.parse({str(asked.layout)!r})
{costs if listed else ""}{ranking if inputs.flag("suggest") else ""}{described.in_python(_units(accesses), asked)}"""


def _in_python(one: Access) -> str:
    """The access as Python makes it, its layout by its text."""
    layout = [] if one.thread_value is None else [f"tw.parse({str(one.thread_value)!r})"]
    default = Access()
    told = ((name, getattr(one, name)) for name in ("vector_bits", "kind", "instruction", "name"))
    more = (f"{name}={value!r}" for name, value in told if value != getattr(default, name))
    return f"tw.Access({', '.join((*layout, *more))})"


def _units(accesses: list[Access]) -> tuple[str, ...]:
    """Who reads the tile by a descriptor."""
    return tuple(dict.fromkeys(DESCRIPTORS[one.instruction] for one in accesses if one.instruction in DESCRIPTORS))


WORDS = "What accesses to shared memory cost, and the swizzle that repairs them."
TAB = Tab("banks", "Banks", WORDS, FIELDS, PRESETS, answer)
