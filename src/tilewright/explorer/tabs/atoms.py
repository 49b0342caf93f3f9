"""The tab of MMAs and copies: atoms, alone or tiled, who holds what, and how shared memory feeds them."""

from __future__ import annotations

from tilewright.explorer.answer import Answer, Table
from tilewright.explorer.atoms import copies, found, held, mma
from tilewright.explorer.atoms.copies import OWN
from tilewright.explorer.atoms.shown import AMD, ANY, ARCHS, chosen
from tilewright.explorer.atoms.stored import in_python, stored, table
from tilewright.explorer.fields import Field, Inputs, blaming
from tilewright.explorer.tab import Tab
from tilewright.explorer.tabs.atoms_presets import COPY, MMA, PRESETS
from tilewright.figures.cut import cut
from tilewright.figures.scene import Scene

FLOATS = ("float16", "bfloat16", "tfloat32", "float32", "float64", "float4_e2m1fn")
EIGHT = ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz")
TYPES = (*FLOATS, *EIGHT, "int8", "uint8", "int4", "uint1")
SUMS = ("float32", "float16", "bfloat16", "float64", "int32")
WIDTHS = (OWN, "float16", "float32", "float64", "int8", "float4_e2m1fn")
MOST_CELLS, SIDE = 6144, 40  # a larger picture is cut to panels of so many rows and columns
IN_MMA, IN_COPY = ("of", (MMA,)), ("of", (COPY,))
SEARCH = "words of names or of instructions, such as {}; what is found stands below"
FIELDS = (
    Field("of", "Look at", "choice", MMA, options=(MMA, COPY)),
    Field("search", "Search", "text", "16x8x16 F32F16", SEARCH.format("m16n8k16, wgmma, mfma"), wanted=IN_MMA),
    Field("copies", "Search", "text", "ldmatrix", SEARCH.format("ldmatrix x4, cp.async, ds_read"), wanted=IN_COPY),
    Field("arch", "Architecture", "choice", ANY, options=(ANY, *ARCHS, *AMD)),
    Field("a", "Type of A", "choice", ANY, options=(ANY, *TYPES), wanted=IN_MMA),
    Field("c", "Type of C", "choice", ANY, options=(ANY, *SUMS), wanted=IN_MMA),
    Field("mma", "MMA atom", default="SM80_16x8x16_F32F16F16F32_TN", help="its name, CUTLASS's or ours", wanted=IN_MMA),
    Field("layout", "Atom layout", help="atoms along M, N, K: a shape or a layout; empty: one atom", wanted=IN_MMA),
    Field("M", "Permutation of M", help="a number or a layout; empty: none", wanted=IN_MMA),
    Field("N", "Permutation of N", wanted=IN_MMA),
    Field("K", "Permutation of K", wanted=IN_MMA),
    Field("copy", "Copy atom", default="SM75_U32x4_LDSM_N", help="its name, CUTLASS's or ours", wanted=IN_COPY),
    Field("element", "Element type", "choice", OWN, options=WIDTHS, wanted=IN_COPY),
    Field("thr", "Thread layout", help="threads over the tile, such as (32,8):(8,1); empty: one atom", wanted=IN_COPY),
    Field("val", "Value layout", help="values of a thread, such as (1,4); empty: one", wanted=IN_COPY),
    Field("thread", "Thread", "number", "0", "whose part is shown; a click on an element takes its thread"),
    Field("color", "Colours", "choice", "thread", options=("thread", "value")),
)


def answer(inputs: Inputs) -> Answer:
    """The atom or what is tiled of it, one thread's part, the tiles in shared memory that fit, and what is found."""
    shown = mma.shown(inputs) if inputs.text("of") == MMA else copies.shown(inputs)
    scene = _small(shown.scene)
    with blaming("thread"):
        thread = held.checked(shown.parts, inputs.number("thread"))
    kept = [(one, stored(one)) for one in shown.wanted]
    tiles = tuple(table(one, tiles) for one, tiles in kept if tiles)
    notes = dict.fromkeys(note for _, tiles in kept for one in tiles[:1] for note in one.report.notes)
    return Answer(
        (scene,),
        shown.facts,
        (held.table(shown.parts, shown.scene, thread), *tiles, _searched(inputs)),
        frames=held.frames(shown.parts, scene, thread),
        notes=tuple(notes),
        python=shown.python + "".join(in_python(one, tiles[0]) for one, tiles in kept if tiles),
    )


def _small(scene: Scene) -> Scene:
    return scene if sum(len(panel.cells) for panel in scene.panels) <= MOST_CELLS else cut(scene, SIDE)


def _searched(inputs: Inputs) -> Table:
    arch, field = chosen(inputs, "arch"), "copies" if inputs.text("of") == COPY else "search"
    words = inputs.text(field)
    with blaming(field):
        if field == "copies":
            return found.copy_atoms(words, arch)
        return found.mma_atoms(words, arch, chosen(inputs, "a"), chosen(inputs, "c"))


TAB = Tab(
    "atoms",
    "MMA/Copy",
    "Who holds what of an MMA or a copy, and the tile in shared memory that feeds it.",
    FIELDS,
    PRESETS,
    answer,
    held="thread",
    holds="thread",
    link="thread",
)
