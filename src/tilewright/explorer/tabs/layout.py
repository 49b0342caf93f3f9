"""The tab of layouts: one of any notation and its slices, or an operation of the algebra on two."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from tilewright.asked.accesses import is_shape, row_major, shape_or_layout
from tilewright.errors import LayoutError, TilewrightError
from tilewright.explorer.answer import Answer, Step, captioned
from tilewright.explorer.fields import Field, FieldError, Inputs, blaming
from tilewright.explorer.tab import Tab
from tilewright.explorer.tabs import layout_operations as algebra
from tilewright.explorer.tabs.layout_operations import ALONE, BINARY
from tilewright.explorer.tabs.layout_presets import PRESETS
from tilewright.explorer.tabs.layout_steps import Coordinate, index_formula, step, value_of
from tilewright.figures.draw import draw
from tilewright.figures.highlight import written
from tilewright.figures.scene import Scene
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.explain import explain
from tilewright.layout.inttuple import as_int_tuple
from tilewright.layout.layout import Layout
from tilewright.layout.operations import slice_and_offset
from tilewright.layout.steps import Derivation, show
from tilewright.notation import parse

COLOURS = ("(own)", "offset", "bank", "row", "column", "index")
FIELDS = (
    Field(
        "a",
        "Layout (a)",
        default="(4,8):(8,1)",
        help="shape:strides, a shape, or any other notation: S[(8,64):(64@m,1@m)], Swizzle<3,4,3> ..",
    ),
    Field("operation", "Operation", "choice", ALONE, options=(ALONE, *algebra.UNARY, *BINARY)),
    Field("b", "Second operand (b)", default="(2,2):(1,8)", help=algebra.HELP, wanted=("operation", BINARY)),
    Field(
        "mode",
        "On one mode",
        help="such as 1, or 1,0 for one within; empty: the whole layout",
        wanted=("operation", algebra.BY_MODE),
    ),
    Field("slice", "Slice", help="_ for what is free, such as (_,3); empty: none", wanted=("operation", (ALONE,))),
    Field("at", "Coordinate", help="whose value is explained, such as (1,2): a click on a cell takes it"),
    Field("colour", "Colour by", "choice", COLOURS[0], options=COLOURS, wanted=("operation", (ALONE,))),
    Field("bits", "Bits of an element", "number", "16", least=1, most=128, wanted=("colour", ("bank",))),
)


def answer(inputs: Inputs) -> Answer:
    """The layout, or the operands and the result of an operation."""
    return _one(inputs) if inputs.text("operation") == ALONE else _worked(inputs)


# ---- one layout


def _one(inputs: Inputs) -> Answer:
    layout, words = _read(inputs)
    scene, colours = _grid(layout, inputs), _slice(inputs)
    found = _slice_facts(layout, colours[0]) if colours else ()
    shown = f", highlight={colours!r}" if colours else _coloured(inputs)
    python = f"layout = tw.parse({words!r})\nprint(layout)\ntw.draw(layout{shown})"
    return Answer((scene,), (*_facts(layout), *found), steps=_explained(layout, inputs), python=_python(python))


def _read(inputs: Inputs) -> tuple[object, str]:
    """The layout and its text; of a shape alone the row-major tile."""
    found = inputs.read("a", shape_or_layout)
    if not is_shape(found):
        return found, inputs.text("a")
    with blaming("a"):
        tile = row_major(found)
    return tile, str(tile)


def _coloured(inputs: Inputs) -> str:
    """The options of `draw` that colour as the page does."""
    colour = inputs.text("colour")
    bits = f", element_bits={inputs.number('bits')}" if colour == "bank" else ""
    return "" if colour == COLOURS[0] else f", kind='grid', color={colour!r}{bits}"


def _grid(layout: object, inputs: Inputs) -> Scene:
    colour, parts = inputs.text("colour"), _slice(inputs)
    bits = inputs.number("bits") if colour == "bank" else None
    with blaming("a"):
        scene = draw(layout, kind="grid", color=None if colour == COLOURS[0] else colour, element_bits=bits).scene
    if not parts:
        return scene
    with blaming("slice"):
        return draw(layout, kind="grid", highlight=parts).scene


def _slice(inputs: Inputs) -> list[object]:
    return [inputs.read("slice", parse)] if inputs.text("slice").strip() else []


def _slice_facts(layout: object, part: object) -> tuple[tuple[str, str], ...]:
    """The slice as a layout, and where it begins."""
    if not isinstance(layout, Layout | ComposedLayout) or not isinstance(part, tuple) or "_" not in written(part):
        return ()
    with blaming("slice"):
        rest, offset = slice_and_offset(layout, part)
    return (("slice", f"{show(rest)} from {show(offset)} on"),)


def _explained(layout: object, inputs: Inputs) -> tuple[Step, ...]:
    if not inputs.text("at").strip():
        return ()
    at = _coordinate(inputs)
    try:
        return (value_of("layout", layout, at, inputs.number("bits")),)
    except LayoutError as error:  # a coordinate that was clicked, of a layout that has changed since
        return (Step(str(error)),)


def _coordinate(inputs: Inputs) -> Coordinate:
    found = inputs.read("at", parse)
    if not isinstance(found, int | tuple) or "_" in written(found):
        raise FieldError("at", "a coordinate is numbers in brackets, such as (1,2)")
    with blaming("at"):
        at = as_int_tuple(found)
    return at if isinstance(at, tuple) else (at,)


# ---- an operation


def _worked(inputs: Inputs) -> Answer:
    given = algebra.operands(inputs)
    operation = algebra.function(inputs, given[0])
    with blaming("operation"):
        derivation = explain(operation, *given)
    if derivation.refusal:
        raise FieldError("b" if inputs.text("operation") in BINARY else "a", derivation.refusal)
    with blaming("a"):
        scene = captioned(draw(derivation).scene, derivation)
    steps = (step(derivation), *_values(derivation, inputs))
    python = _python(f"steps = tw.explain({algebra.in_python(inputs)})\nprint(steps)\ntw.draw(steps)")
    facts = (("result", show(derivation.result)), *_facts(derivation.result))
    return Answer((scene,), facts, steps=steps, python=python)


def _values(derivation: Derivation, inputs: Inputs) -> tuple[Step, ...]:
    """What each layout that has the coordinate answers there; a composition's operands one in the other."""
    if not inputs.text("at").strip():
        return ()
    at = _coordinate(inputs)
    return tuple(_those(derivation, at)) or (Step(f"no operand has the coordinate {show(at)}, nor has the result"),)


def _those(derivation: Derivation, at: Coordinate) -> Iterator[Step]:
    named = dict(zip("ab", derivation.inputs, strict=False)) | {"result": derivation.result}
    for name, layout in named.items():
        with suppress(TilewrightError):
            yield value_of(name, layout, at)
    a, b = named.get("a"), named.get("b")
    if derivation.rule == "composition" and isinstance(b, Layout):
        with suppress(TilewrightError):
            outer = value_of("a", a, (b(*at),))
            yield replace(outer, text=f"a(b{show(at)}) = {outer.text}")


# ---- both


def _facts(layout: object) -> tuple[tuple[str, str], ...]:
    names = ("shape", "stride", "size", "cosize", "rank", "depth")
    found = ((name, getattr(layout, name, None)) for name in names)
    formula = index_formula(layout)
    return (
        *((name, show(value)) for name, value in found if value is not None and not callable(value)),
        *((("offset of index i", formula),) if formula else ()),
    )


def _python(lines: str) -> str:
    return f"import tilewright as tw\n\n{lines}\n"


WORDS = "A layout gives each coordinate an offset, parts times strides; the algebra makes layouts of layouts."
TAB = Tab("layout", "Layout", WORDS, FIELDS, PRESETS, answer, held="at", link="group")
