"""The tab of placements: a tile's elements on named hardware axes, and in the banks of shared memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tilewright.dtypes import dtype
from tilewright.errors import LayoutError, NotationError
from tilewright.explorer.answer import Answer, Frame, Mark, Step
from tilewright.explorer.fields import Field, FieldError, Inputs, blaming
from tilewright.explorer.tab import Tab
from tilewright.explorer.tabs.placement_presets import PRESETS
from tilewright.figures import placement, shared_tile
from tilewright.figures.links import holders, holding
from tilewright.figures.scene import Scene
from tilewright.layout.axes import MEMORY, AxisSum
from tilewright.notation import parse
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.explain import ElementSteps, explain_element
from tilewright.tirx.hardware.shared import mma_atom_layout
from tilewright.tirx.iters import Iter
from tilewright.tirx.tile_layout import TileLayout

Placed: TypeAlias = TileLayout | ComposeLayout
Element: TypeAlias = tuple[tuple[int, ...] | int, tuple[int, ...] | None]  # a coordinate or number, and of what shape

MODES = {"none": 0, "32B": 1, "64B": 2, "128B": 3}
DTYPES = ("float32", "float16", "bfloat16", "float8_e4m3fn", "float4_e2m1fn", "float64", "int32", "int8")
FIELDS = (
    Field("shape", "Logical shape", default="(8,16)", help="the tile's extents; empty: those of S"),
    Field(
        "shard",
        "S, the shard",
        default="(8,2,4,2):(4@laneid,1@warpid,1@laneid,1)",
        help="extents:strides, each on an axis: lanes, warps, registers m ..",
    ),
    Field("replica", "R, the replica", default="2:4@warpid", help="copies:stride; empty: none"),
    Field("offset", "O, the offset", default="5@warpid", help="such as 5@warpid; empty: none"),
    Field("dtype", "Element type", "choice", "float16", options=DTYPES),
    Field("swizzle", "Swizzle mode", "choice", "none", options=tuple(MODES), help="of tiles in shared memory (axis m)"),
    Field("at", "Element", default="", help="a coordinate such as (2,5), for its steps; empty: the first"),
)


def answer(inputs: Inputs) -> Answer:
    """The tile and its places, linked; the steps of one element; of shared memory each column's banks."""
    layout, shape = _layout(inputs), _shape(inputs)
    bits = dtype(inputs.text("dtype")).bits
    plane = shape if len(shape) == 2 else None
    in_memory = _axes(layout) == {MEMORY}
    with blaming("shape" if plane else "shard"):
        picture = (
            shared_tile.picture(layout, element_bits=bits, shape=plane)
            if in_memory
            else placement.picture(layout, shape=plane, whole=True)
        )
    frames = tuple(_columns(picture.scene)) if in_memory else ()
    element = _element(layout, inputs, shape)
    explained = _explained(layout, element, bits)
    return Answer(
        (picture.scene,),
        _facts(layout),
        steps=(_steps(explained),),
        frames=frames,
        python=_python(layout, explained, element, plane, bits),
    )


def _layout(inputs: Inputs) -> Placed:
    shard = _tile(inputs, "shard", "S")
    replica = _tile(inputs, "replica", "R").replica if inputs.text("replica").strip() else ()
    with blaming("shard"):
        tile = TileLayout.from_iters(shard.shard, replica, _offset(inputs))
    mode = inputs.text("swizzle")
    if mode == "none":
        return tile
    with blaming("swizzle"):
        return ComposeLayout(mma_atom_layout(inputs.text("dtype"), MODES[mode]).swizzle_layout, tile)


def _tile(inputs: Inputs, name: str, letter: str) -> TileLayout:
    """What S[..] or R[..] of the field's text is; a wrong character is told where the field has it."""

    def read(text: str) -> object:
        try:
            return parse(f"{letter}[{text}]")
        except NotationError as error:
            said = str(error).split("\n")[0]
            raise NotationError(said, text, error.position - len(letter) - 1) from None

    found = inputs.read(name, read)
    if not isinstance(found, TileLayout):
        raise FieldError(name, f"{letter} is extents:strides, such as (8,4):(4@laneid,1@laneid)")
    return found


def _offset(inputs: Inputs) -> dict[str, int]:
    if not inputs.text("offset").strip():
        return {}
    found = inputs.read("offset", parse)
    if type(found) is int:
        return {MEMORY: found}
    if not isinstance(found, AxisSum):
        raise FieldError("offset", "an offset is a number on an axis, such as 5@warpid")
    return {str(axis): int(value) for axis, value in found.terms}


def _shape(inputs: Inputs) -> tuple[int, ...]:
    if not inputs.text("shape").strip():
        return ()
    extents = _numbers(inputs, "shape")
    if not extents or min(extents) < 1:
        raise FieldError("shape", "a logical shape is positive extents, such as (8,16)")
    return extents


def _numbers(inputs: Inputs, name: str) -> tuple[int, ...]:
    """The integers of a field, one or several in brackets."""
    found = inputs.read(name, parse)
    numbers = found if isinstance(found, tuple) else (found,)
    plain = tuple(number for number in numbers if type(number) is int)
    if len(plain) < len(numbers):
        raise FieldError(name, f"{inputs.text(name)} is not integers in brackets, such as (2,5)")
    return plain


def _axes(layout: Placed) -> set[str]:
    tile = _tile_of(layout)
    used: tuple[Iter, ...] = (*tile.shard, *tile.replica)
    return {str(one.axis) for one in used} | {str(axis) for axis in tile.offset}


def _element(layout: Placed, inputs: Inputs, shape: tuple[int, ...]) -> Element:
    """The element whose steps are shown: a coordinate of the picture's plane or of the shape; a number counts all."""
    own = _tile_of(layout).shape
    given = _numbers(inputs, "at") if inputs.text("at").strip() else (0,) * len(shape or own)
    plane = shape if len(shape) == 2 else own
    within = next((one for one in (plane, shape) if len(one) == len(given)), None)
    return given if within else given[0], within


def _explained(layout: Placed, element: Element, bits: int) -> ElementSteps | str:
    """The steps of an element, or why there are none: it was clicked, of a tile that has changed since."""
    try:
        return explain_element(layout, *element, bits)
    except LayoutError as error:
        return str(error)


def _steps(found: ElementSteps | str) -> Step:
    if isinstance(found, str):
        return Step(found)
    return Step(f"element {found.coord}", tuple(Step(line) for line in str(found).split("\n")))


def _tile_of(layout: Placed) -> TileLayout:
    return layout if isinstance(layout, TileLayout) else layout.tile_layout


def _columns(scene: Scene) -> Iterator[Frame]:
    """A moment for each column of the tile: its elements, the words that hold them, and their banks."""
    tile, words = scene.panels
    held, width, cells = holders(words), tile.columns.count, tile.cells
    for column in range(width):
        own = [number for number, at in enumerate(cells.at) if at % width == column]
        banks = [bank for number in own if (bank := cells.bank[number]) is not None]
        distinct = len(set(banks))
        told = f"{len(banks)} rows in {distinct} bank{'s' * (distinct != 1)}: {', '.join(map(str, banks))}"
        there = holding(held, (cells.elements[number][0] for number in own))
        yield Frame(f"column {column}", told, (Mark(0, 0, tuple(own)), Mark(0, 1, there)))


def _facts(layout: Placed) -> tuple[tuple[str, str], ...]:
    tile = _tile_of(layout)
    spans = ", ".join(f"{axis} {tile.span(axis)}" for axis in sorted(_axes(layout)))
    return (
        ("layout", layout.notation()),
        ("elements", str(layout.size())),
        ("copies", str(_copies(tile))),
        ("positions on each axis", spans),
        *_swizzle(layout),
    )


def _swizzle(layout: Placed) -> tuple[tuple[str, str], ...]:
    """What is XORed: m without its low M bits, by the bits from S on, B of them."""
    if isinstance(layout, TileLayout):
        return ()
    swizzle = layout.swizzle_layout
    M, B, S = swizzle.per_element, swizzle.swizzle_len, swizzle.atom_len
    return (
        ("swizzle", f"per_element {M}, swizzle_len {B}, atom_len {S}"),
        ("address of m", f"x = m >> {M}; (x ^ (x >> {S} & {(1 << B) - 1})) << {M} | m & {(1 << M) - 1}"),
    )


def _copies(tile: TileLayout) -> int:
    found = 1
    for one in tile.replica:
        found *= int(one.extent)
    return found


def _python(
    layout: Placed, found: ElementSteps | str, element: Element, plane: tuple[int, ...] | None, bits: int
) -> str:
    in_memory = _axes(layout) == {MEMORY}
    kind = f"kind='shared_tile', element_bits={bits}" if in_memory else "kind='placement', whole=True"
    at, within = element
    shape = f", shape={tuple(plane)}" if plane else ""
    steps = f"print(explain_element(layout, {at}, {within and tuple(within)}, {bits}))\n"
    return f"""import tilewright as tw
from tilewright.tirx.layout import explain_element

layout = tw.parse({layout.notation()!r})
print(layout)
{"" if isinstance(found, str) else steps}tw.draw(layout, {kind}{shape})
"""


TAB = Tab(
    "placement",
    "Placement",
    "Where the elements of a tile lie: lanes and registers, tensor memory, banks.",
    FIELDS,
    PRESETS,
    answer,
    held="at",
)
